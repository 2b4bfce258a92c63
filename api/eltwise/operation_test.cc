#include "api/eltwise/operation.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "api/spi/attributes.h"
#include "api/spi/eltwise_limits.h"
#include "api/spi/signatures.h"
#include "oneapi/dnnl/model/c_debug.h"
#include "oneapi/dnnl/types/c_algorithms.h"

namespace spi {
namespace {

const Layout& Image() {
  static const Layout layout = Strided(DataType::kF32, {2, 6, 4});
  return layout;
}

Operation Forward(const EltwiseParams& params) {
  return MakeEltwiseForward(PropKind::kForwardTraining, params, Image(), Image());
}

Operation Backward(const EltwiseParams& params) {
  return MakeEltwiseBackward(params, Image(), Image(), Image());
}

std::string Refusal(const Operation& operation) {
  const absl::Status status = CheckRequest(operation);
  if (!status.ok()) {
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  }
  return std::string(status.message());
}

// Every number that names an algorithm of eltwise.
std::vector<Algorithm> Algorithms() {
  std::vector<Algorithm> found;
  for (int number = -1; number < 0x30010; ++number)
    if (IsEltwise(static_cast<Algorithm>(number))) found.push_back(static_cast<Algorithm>(number));
  return found;
}

TEST(EltwiseOperation, HasTheAlgorithmsOfOneDnnByTheirNames) {
  EXPECT_EQ(Algorithms().size(), 29u);
  for (const Algorithm algorithm : Algorithms())
    EXPECT_STREQ(NameOf(algorithm),
                 dnnl_alg_kind2str(static_cast<dnnl_alg_kind_t>(static_cast<int>(algorithm))));
  EXPECT_STREQ(NameOf(Algorithm::kUndef), "undef");
  EXPECT_FALSE(IsEltwise(Algorithm::kUndef));
}

TEST(EltwiseOperation, TakesEveryAlgorithmForwardAndBackward) {
  for (const Algorithm algorithm : Algorithms()) {
    EXPECT_EQ(Refusal(Forward({algorithm, 0, 0})), "");
    EXPECT_EQ(Refusal(Backward({algorithm, 0, 0})),
              algorithm == Algorithm::kEltwiseRound
                  ? "eltwise: eltwise_round has no backward (ELT-014)"
                  : "");
  }
  EXPECT_EQ(Refusal(Forward({static_cast<Algorithm>(0x1fff0), 0, 0})),
            "eltwise: algorithm = 131056 is no eltwise algorithm (ELT-007)");
  EXPECT_NE(Refusal(Forward({})), "");
}

TEST(EltwiseOperation, AnAlgorithmOnTheDestinationIsThePlainOneForward) {
  int of_dst = 0;
  for (const Algorithm algorithm : Algorithms()) {
    of_dst += UsesDst(algorithm);
    EXPECT_FALSE(UsesDst(PlainOf(algorithm)));
    const std::string name = NameOf(algorithm), plain = NameOf(PlainOf(algorithm));
    EXPECT_EQ(name, UsesDst(algorithm) ? plain + "_use_dst_for_bwd" : plain);
  }
  EXPECT_EQ(of_dst, 7);
}

TEST(EltwiseOperation, ReadsTheSourceOrTheDestinationBackward) {
  const auto arguments = [](const Operation& operation) {
    std::vector<int> found;
    for (const TensorArg& tensor : operation.tensors) found.push_back(tensor.argument);
    return found;
  };
  const EltwiseParams plain = {Algorithm::kEltwiseTanh, 0, 0},
                      of_dst = {Algorithm::kEltwiseTanhUseDstForBwd, 0, 0};
  EXPECT_EQ(arguments(Forward(plain)), (std::vector<int>{kArgSrc, kArgDst}));
  EXPECT_EQ(arguments(Forward(of_dst)), (std::vector<int>{kArgSrc, kArgDst}));
  EXPECT_EQ(arguments(Backward(plain)), (std::vector<int>{kArgSrc, kArgDiffDst, kArgDiffSrc}));
  EXPECT_EQ(arguments(Backward(of_dst)), (std::vector<int>{kArgDst, kArgDiffDst, kArgDiffSrc}));

  Operation wrong = Backward(plain);
  wrong.tensors[0].argument = kArgDst;
  EXPECT_EQ(Refusal(wrong), "eltwise: src is missing (ELT-005)");
  wrong = Backward(of_dst);
  wrong.tensors[0].argument = kArgSrc;
  EXPECT_EQ(Refusal(wrong), "eltwise: dst is missing (ELT-005)");
  wrong = Backward(plain);
  wrong.tensors.push_back({kArgDst, Access::kRead, Image()});
  EXPECT_EQ(Refusal(wrong), "eltwise: dst is not read by the backward of eltwise_tanh (ELT-005)");
  wrong = Forward(plain);
  wrong.tensors.pop_back();
  EXPECT_EQ(Refusal(wrong), "eltwise: dst is missing (ELT-005)");
  wrong = Backward(plain);
  wrong.tensors.pop_back();
  EXPECT_EQ(Refusal(wrong), "eltwise: diff_src is missing");
}

TEST(EltwiseOperation, NamesItsTensors) {
  Layout gradient = Image();
  gradient.strides = {1, 2, 12};
  const Operation operation =
      MakeEltwiseBackward({Algorithm::kEltwiseExpUseDstForBwd, 1, 2}, Image(), gradient, gradient);
  EXPECT_EQ(Refusal(operation), "");
  const EltwiseView view(operation);
  EXPECT_FALSE(view.forward);
  EXPECT_EQ(view.algorithm, Algorithm::kEltwiseExpUseDstForBwd);
  EXPECT_EQ(view.alpha, 1);
  EXPECT_EQ(view.beta, 2);
  EXPECT_EQ(&view.data, &operation.tensors[0].layout);
  EXPECT_EQ(&view.diff_dst, &operation.tensors[1].layout);
  EXPECT_EQ(&view.to, &operation.tensors[2].layout);
  const Operation forward = Forward({Algorithm::kEltwiseExpUseDstForBwd, 1, 2});
  const EltwiseView its(forward);
  EXPECT_TRUE(its.forward);
  EXPECT_EQ(&its.data, &forward.tensors[0].layout);
  EXPECT_EQ(its.diff_dst.kind, LayoutKind::kNone);
  EXPECT_EQ(&its.to, &forward.tensors[1].layout);
}

TEST(EltwiseOperation, HasOneShapeAndType) {
  const EltwiseParams abs = {Algorithm::kEltwiseAbs, 0, 0};
  Operation operation = Forward(abs);
  operation.tensors[1].layout.dims[2] = 5;
  EXPECT_EQ(Refusal(operation), "eltwise: src.dims[2] = 4 is not dst.dims[2] = 5 (ELT-002)");
  operation = Backward(abs);
  operation.tensors[0].layout = Strided(DataType::kF32, {2, 6, 4, 1});
  EXPECT_EQ(Refusal(operation), "eltwise: diff_dst.rank = 3 is not src.rank = 4 (ELT-011)");
  operation = Backward(abs);
  operation.tensors[0].layout = Strided(DataType::kF32, {2, 6});
  EXPECT_EQ(Refusal(operation), "eltwise: diff_dst.rank = 3 is not src.rank = 2 (ELT-011)");
  operation = Backward(abs);
  operation.tensors[0].layout.type = DataType::kBF16;
  EXPECT_EQ(Refusal(operation), "eltwise: diff_dst.type = f32 is not src.type = bf16 (ELT-012)");
  operation = Backward(abs);
  operation.tensors[2].layout.dims[0] = 1;
  EXPECT_EQ(Refusal(operation),
            "eltwise: diff_src.dims[0] = 1 is not diff_dst.dims[0] = 2 (ELT-003)");
  operation = Forward(abs);
  operation.tensors[0].layout = Layout();
  EXPECT_EQ(Refusal(operation), "eltwise: src.rank = 0 is not in [1, 12] (ELT-013)");
}

TEST(EltwiseOperation, RepeatedElementsAreForWhatIsReadOnly) {
  const EltwiseParams abs = {Algorithm::kEltwiseAbs, 0, 0};
  Operation operation = Backward(abs);
  operation.tensors[0].layout.strides[0] = operation.tensors[1].layout.strides[0] = 0;
  EXPECT_EQ(Refusal(operation), "");
  operation.tensors[2].layout.strides[0] = 0;
  EXPECT_EQ(
      Refusal(operation),
      "eltwise: diff_src.strides[0] = 0 repeats one element diff_src.dims[0] = 2 times (MD-014)");
}

TEST(EltwiseOperation, ReplacesWhatItReadsInPlace) {
  const EltwiseParams abs = {Algorithm::kEltwiseAbs, 0, 0};
  EXPECT_EQ(InPlaceOf(Forward(abs)).read, 0);
  EXPECT_EQ(InPlaceOf(Forward(abs)).written, 1);
  EXPECT_EQ(InPlaceOf(Backward(abs)).read, 1);
  EXPECT_EQ(InPlaceOf(Backward(abs)).written, 2);
}

TEST(EltwiseOperation, PrintsOneLine) {
  EXPECT_EQ(ToString(Forward({Algorithm::kEltwiseClip, -1, 0.5f})),
            "eltwise forward_training src:f32 2x6x4 s24,4,1 dst:f32 2x6x4 s24,4,1 eltwise_clip "
            "alpha -1 beta 0.5");
  EXPECT_EQ(ToString(Backward({Algorithm::kEltwiseReluUseDstForBwd, 0.25f, 0})),
            "eltwise backward_data dst:f32 2x6x4 s24,4,1 diff_dst:f32 2x6x4 s24,4,1 diff_src:f32 "
            "2x6x4 s24,4,1 eltwise_relu_use_dst_for_bwd alpha 0.25 beta 0");
}

TEST(EltwiseOperation, ComparesParametersByTheirBits) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const EltwiseParams one = {Algorithm::kEltwiseLinear, nan, 0};
  EXPECT_TRUE(one == (EltwiseParams{Algorithm::kEltwiseLinear, nan, 0}));
  EXPECT_FALSE(one == (EltwiseParams{Algorithm::kEltwiseLinear, nan, -0.f}));
  EXPECT_FALSE(one == (EltwiseParams{Algorithm::kEltwiseLinear, 0, 0}));
  EXPECT_FALSE(one == (EltwiseParams{Algorithm::kEltwisePow, nan, 0}));
}

// ELT-021.
TEST(EltwiseLimits, AreThoseOfFiveAlgorithms) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (const Algorithm algorithm : Algorithms()) {
    const std::string plain = NameOf(PlainOf(algorithm));
    const bool above_zero = algorithm == Algorithm::kEltwiseBoundedRelu ||
                            algorithm == Algorithm::kEltwiseReluUseDstForBwd ||
                            algorithm == Algorithm::kEltwiseEluUseDstForBwd;
    const bool ordered = plain == "eltwise_clip" || plain == "eltwise_clip_v2";
    SCOPED_TRACE(NameOf(algorithm));
    EXPECT_EQ(BrokenLimit(algorithm, 1, 1), "");
    EXPECT_EQ(BrokenLimit(algorithm, -0.f, 0), "");
    EXPECT_EQ(BrokenLimit(algorithm, -1, 1).empty(), !above_zero);
    EXPECT_EQ(BrokenLimit(algorithm, 1, -1).empty(), !ordered);
    EXPECT_EQ(BrokenLimit(algorithm, nan, 1).empty(), !above_zero && !ordered);
    EXPECT_EQ(BrokenLimit(algorithm, 1, nan).empty(), !ordered);
  }
}

TEST(EltwiseLimits, AreToldByRequests) {
  EXPECT_EQ(Refusal(Forward({Algorithm::kEltwiseBoundedRelu, -1, 0})),
            "eltwise: alpha = -1 of eltwise_bounded_relu is not at least 0 (ELT-021)");
  EXPECT_EQ(Refusal(Backward({Algorithm::kEltwiseClip, 1, -1})),
            "eltwise: alpha = 1 of eltwise_clip is not at most beta = -1 (ELT-021)");
  EXPECT_EQ(Refusal(Forward({Algorithm::kEltwiseRelu, -1, 0})), "");
}

}  // namespace
}  // namespace spi
