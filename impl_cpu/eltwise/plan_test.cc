#include "impl_cpu/eltwise/plan.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <limits>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "api/eltwise/operation.h"
#include "api/spi/types.h"
#include "api/testing/random_operation.h"
#include "impl_cpu/elementwise/kernel.h"
#include "impl_cpu/eltwise/plain.h"
#include "impl_cpu/memory/buffer.h"
#include "impl_cpu/numeric/storage.h"
#include "impl_cpu/testing/elements.h"
#include "impl_cpu/testing/targets.h"

namespace impl_cpu {
namespace {

using spi::Algorithm;
using spi::Bytes;
using spi::DataType;
using spi::EltwiseParams;
using spi::kTypes;
using spi::Layout;
using spi::Operation;
using spi::Random;
using spi::RandomData;
using spi::RandomLayout;
using spi::RandomShape;
using spi::Shape;
using spi::Uniform;

constexpr DataType kF32 = DataType::kF32, kBF16 = DataType::kBF16, kF16 = DataType::kF16,
                   kS32 = DataType::kS32, kS8 = DataType::kS8, kU8 = DataType::kU8;
constexpr spi::PropKind kForward = spi::PropKind::kForwardTraining;
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

constexpr EltwiseParams kFunctions[] = {
    {Algorithm::kEltwiseRelu, 0, 0},
    {Algorithm::kEltwiseReluUseDstForBwd, 0.5f, 0},
    {Algorithm::kEltwiseTanh, 0, 0},
    {Algorithm::kEltwiseLinear, 2, 1},
    {Algorithm::kEltwiseExp, 0, 0},
    {Algorithm::kEltwiseExpUseDstForBwd, 0, 0},
    {Algorithm::kEltwiseClip, 1, 3},
    {Algorithm::kEltwiseGeluErf, 0, 0},
    {Algorithm::kEltwiseLog, 0, 0},
    {Algorithm::kEltwisePow, 1, -1},
    {Algorithm::kEltwisePow, 1, std::numeric_limits<float>::infinity()},
};

spi::Planned PlanOf(const Operation& operation, int candidate = 0) {
  auto planned = PlanEltwise({operation, nullptr, candidate});
  EXPECT_TRUE(planned.ok()) << planned.status();
  return planned.ok() ? *std::move(planned) : spi::Planned();
}

// The i-th coordinate, row-major, of `extents`.
spi::Dims CoordinateAt(const spi::Dims& extents, int rank, int64_t i) {
  spi::Dims x{};
  for (int j = rank; j-- > 0; i /= extents[j]) x[j] = i % extents[j];
  return x;
}

// Calls use(x, whether x is an element) for each place of `layout`, those of its padding too.
template <typename Use>
void ForPlaces(const Layout& layout, Use use) {
  spi::Dims extents{};
  int64_t count = 1;
  for (int j = 0; j < layout.rank; ++j) count *= extents[j] = spi::PaddedDim(layout, j);
  if (spi::IsEmpty(layout)) return;
  for (int64_t i = 0; i < count; ++i) {
    const spi::Dims x = CoordinateAt(extents, layout.rank, i);
    bool element = true;
    for (int j = 0; j < layout.rank; ++j) element = element && x[j] < layout.dims[j];
    use(x, element);
  }
}

// One element by itself: with the kernel of a vector plan, or the plain one.
float One(const EltwiseParams& params, bool forward, bool vectors, float data, float diff_dst) {
  const Function f = {spi::PlainOf(params.algorithm), params.alpha, params.beta};
  const bool from_dst = spi::UsesDst(params.algorithm);
  const EltwiseRows one = {1, 1, 0, 0};
  float to = 0;
  if (forward) {
    ForwardKernel kernel = vectors ? FindForwardKernel(f) : nullptr;
    if (kernel == nullptr) kernel = PlainForwardKernel();
    kernel(f, one, &data, &to);
  } else {
    BackwardKernel kernel = vectors ? FindBackwardKernel(f, from_dst) : nullptr;
    if (kernel == nullptr) kernel = PlainBackwardKernel(from_dst);
    kernel(f, one, &data, &diff_dst, &to);
  }
  return to;
}

// The buffers in the order of the tensors; the last one is written.
using Buffers = std::vector<Bytes>;

Bytes Expected(const Operation& operation, const Buffers& buffers, bool vectors) {
  const spi::EltwiseView view(operation);
  const auto& params = std::get<EltwiseParams>(operation.params);
  const int64_t size = spi::SizeOf(view.to.type);
  Bytes to = buffers.back();
  ForPlaces(view.to, [&](const spi::Dims& x, bool element) {
    std::byte* const at = &to[static_cast<size_t>(spi::OffsetOf(view.to, x) * size)];
    if (!element) {
      std::memset(at, 0, static_cast<size_t>(size));
      return;
    }
    const auto value = [&](size_t i) {
      const Layout& layout = operation.tensors[i].layout;
      return LoadWidened(layout.type,
                         &buffers[i][static_cast<size_t>(spi::OffsetOf(layout, x) * size)]);
    };
    const float diff_dst = view.forward ? 0 : value(1);
    StoreNarrowed(One(params, view.forward, vectors, value(0), diff_dst), view.to.type, at);
  });
  return to;
}

// What the last buffer holds; `in_place`: it is also the one before.
Bytes Executed(const spi::Plan& plan, Buffers buffers, bool in_place) {
  std::vector<std::shared_ptr<spi::Buffer>> owners;
  std::vector<spi::Buffer*> arguments;
  for (size_t i = 0; i < buffers.size(); ++i) {
    const bool shared = in_place && i + 1 == buffers.size();
    owners.push_back(WrapBuffer(buffers[shared ? i - 1 : i].data()));
    arguments.push_back(owners.back().get());
  }
  struct NoStream : spi::Stream {
    absl::Status Wait() override { return absl::OkStatus(); }
  } stream;
  EXPECT_TRUE(plan.Execute(stream, arguments).ok());
  return buffers[in_place ? buffers.size() - 2 : buffers.size() - 1];
}

void ExpectRight(Random& random, const Operation& operation, bool may_share) {
  Buffers buffers;
  for (const spi::TensorArg& tensor : operation.tensors)
    buffers.push_back(RandomData(random, tensor.layout.type, spi::BytesOf(tensor.layout)));
  const bool has_vectors = FindForwardKernel({Algorithm::kEltwiseRelu}) != nullptr;
  const DataType type = operation.tensors[0].layout.type;
  for (int candidate = 0; candidate < (has_vectors ? 2 : 1); ++candidate) {
    const bool vectors = has_vectors && candidate == 0;
    const auto plan = PlanOf(operation, candidate).plan;
    ASSERT_NE(plan, nullptr);
    const Bytes expected = Expected(operation, buffers, vectors);
    ASSERT_TRUE(SameElements(type, true, Executed(*plan, buffers, false), expected))
        << plan->Describe() << "\n"
        << ToString(operation.tensors.back().layout);
    if (!may_share) continue;
    Buffers shared = buffers;
    shared.back() = shared[shared.size() - 2];
    ASSERT_TRUE(SameElements(type, true, Executed(*plan, buffers, true),
                             Expected(operation, shared, vectors)))
        << "in place: " << plan->Describe();
  }
}

EltwiseParams RandomFunction(Random& random) {
  return kFunctions[Uniform(random, 0, std::size(kFunctions) - 1)];
}

TEST(EltwisePlan, ForwardIsTheFunctionInEveryLayoutAndType) {
  ForEachTarget([] {
    Random random(51);
    for (int i = 0; i < 400; ++i) {
      const DataType type = kTypes[Uniform(random, 0, 5)];
      const Shape shape = RandomShape(random, 1500);
      const Layout to = RandomLayout(random, type, shape, Uniform(random, 0, 2) == 0, false);
      const bool same = Uniform(random, 0, 3) > 0;
      const Layout src = same ? to : RandomLayout(random, type, shape, i % 2 == 0, true);
      const Operation operation =
          spi::MakeEltwiseForward(kForward, RandomFunction(random), src, to);
      ASSERT_NO_FATAL_FAILURE(ExpectRight(random, operation, same));
    }
  });
}

TEST(EltwisePlan, BackwardIsTheGradientInEveryLayout) {
  ForEachTarget([] {
    Random random(52);
    for (int i = 0; i < 400; ++i) {
      const DataType type = i % 2 == 0 ? kF32 : kBF16;
      const Shape shape = RandomShape(random, 1500);
      const Layout diff = RandomLayout(random, type, shape, Uniform(random, 0, 2) == 0, false);
      const Layout data = Uniform(random, 0, 1) > 0
                              ? diff
                              : RandomLayout(random, type, shape, Uniform(random, 0, 1) > 0, true);
      const Operation operation =
          spi::MakeEltwiseBackward(RandomFunction(random), data, diff, diff);
      ASSERT_NO_FATAL_FAILURE(ExpectRight(random, operation, true));
    }
  });
}

Bytes BytesOf(DataType type, const std::vector<float>& values) {
  Bytes bytes(values.size() * static_cast<size_t>(spi::SizeOf(type)));
  for (size_t i = 0; i < values.size(); ++i)
    StoreNarrowed(values[i], type, &bytes[i * static_cast<size_t>(spi::SizeOf(type))]);
  return bytes;
}

// f of a row of `type`, by every candidate.
void ExpectRow(const EltwiseParams& params, DataType type, const std::vector<float>& src,
               const std::vector<float>& dst) {
  const Layout row = spi::Strided(type, {static_cast<int64_t>(src.size())});
  const Operation operation = spi::MakeEltwiseForward(kForward, params, row, row);
  for (int candidate = 0; PlanEltwise({operation, nullptr, candidate}).ok(); ++candidate)
    EXPECT_EQ(Executed(*PlanOf(operation, candidate).plan, {BytesOf(type, src), BytesOf(type, src)},
                       false),
              BytesOf(type, dst));
}

TEST(EltwisePlan, OfSmallNumbersIsWhatIsReckonedByHand) {
  ForEachTarget([] {
    for (const DataType type : {kF32, kBF16, kF16, kS32, kS8}) {
      ExpectRow({Algorithm::kEltwiseRelu, 0, 0}, type, {-1, 0, 2}, {0, 0, 2});
      ExpectRow({Algorithm::kEltwiseLinear, 2, 1}, type, {-1, 0, 2}, {-1, 1, 5});
      ExpectRow({Algorithm::kEltwiseSquare, 0, 0}, type, {-3, 0, 2}, {9, 0, 4});
    }
    // ELT-063, ELT-064, ELT-066.
    ExpectRow({Algorithm::kEltwiseRelu, 0.5f, 0}, kS8, {-5, -3, -1, 7}, {-2, -2, 0, 7});
    ExpectRow({Algorithm::kEltwiseLinear, 2, 0}, kU8, {100, 200}, {200, 255});
    ExpectRow({Algorithm::kEltwiseRelu, 0, 0}, kS32, {0x1p31f}, {0x1p31f});
    for (const DataType type : {kS32, kS8, kU8})
      ExpectRow({Algorithm::kEltwiseLinear, kNaN, 0}, type, {1, 2}, {0, 0});
  });
}

// Three channels in a block of 16; exp of the padding would be 1.
TEST(EltwisePlan, LeavesZerosInThePadding) {
  ForEachTarget([] {
    const spi::Block block = {1, 16};
    for (const int64_t channels : {3, 13}) {
      const Layout layout = spi::Strided(kF32, {1, channels, 2, 1}, {&block, 1});
      const Operation operation =
          spi::MakeEltwiseForward(kForward, {Algorithm::kEltwiseExp, 0, 0}, layout, layout);
      const Bytes got =
          Executed(*PlanOf(operation).plan,
                   {BytesOf(kF32, std::vector<float>(32)), Bytes(128, std::byte{0xff})}, false);
      for (size_t i = 0; i < 32; ++i)
        EXPECT_EQ(LoadElement<float>(&got[4 * i]), static_cast<int64_t>(i % 16) < channels ? 1 : 0);
    }
  });
}

// A share of each thread, its borders within rows.
TEST(EltwisePlan, OfManyElementsIsSharedOutRight) {
  for (const DataType type : {kF32, kBF16, kU8}) {
    const Layout dense = spi::Strided(type, {3, 5, 70001});
    Layout gapped = dense;
    gapped.strides[1] += 3;
    gapped.strides[0] = 5 * gapped.strides[1];
    for (const Layout& layout : {dense, gapped}) {
      Bytes src(spi::BytesOf(layout));
      for (size_t i = 0; i < src.size() / static_cast<size_t>(spi::SizeOf(type)); ++i)
        StoreNarrowed(static_cast<float>(i % 200), type,
                      &src[i * static_cast<size_t>(spi::SizeOf(type))]);
      const Operation operation =
          spi::MakeEltwiseForward(kForward, {Algorithm::kEltwiseClip, 10, 100}, layout, layout);
      EXPECT_EQ(Executed(*PlanOf(operation).plan, {src, src}, true),
                Expected(operation, {src, src}, true));
    }
  }
}

TEST(EltwisePlan, OfNothingTouchesNothing) {
  const Layout empty = spi::Strided(kF32, {2, 0, 3});
  const Operation operation = spi::MakeEltwiseForward(kForward, kFunctions[4], empty, empty);
  for (int candidate = 0; PlanEltwise({operation, nullptr, candidate}).ok(); ++candidate)
    EXPECT_EQ(Executed(*PlanOf(operation, candidate).plan, {{}, {}}, false), Bytes());
}

TEST(EltwisePlan, WalksADenseTensorAsOneRun) {
  const spi::Block block = {1, 16};
  Layout nhwc = spi::Strided(kF32, {2, 3, 4, 5});
  nhwc.strides = {60, 1, 15, 3};
  for (const Layout& layout : {nhwc, spi::Strided(kF32, {2, 30, 4, 5}, {&block, 1})}) {
    const Operation operation =
        spi::MakeEltwiseForward(kForward, {Algorithm::kEltwiseTanh, 0, 0}, layout, layout);
    const std::string text = PlanOf(operation).plan->Describe();
    EXPECT_NE(text.find(layout == nhwc ? "eltwise_tanh f32->f32 120 (1)->(1)"
                                       : "eltwise_tanh f32->f32 1280 (1)->(1) padding:"),
              std::string::npos)
        << text;
  }
}

// ELT-009.
TEST(EltwisePlan, GivesAnOpenGradientTheLayoutOfTheData) {
  const spi::Block block = {1, 8};
  const Layout data = spi::Strided(kF32, {2, 8, 3}, {&block, 1}), any = spi::Any(kF32, {2, 8, 3});
  const Operation operation = spi::MakeEltwiseBackward(kFunctions[2], data, any, any);
  EXPECT_EQ(PlanOf(operation).chosen, std::vector<Layout>({data, data}));
}

void ExpectRefused(const Operation& operation, const std::string& message) {
  const auto planned = PlanEltwise({operation, nullptr, 0});
  EXPECT_EQ(planned.status().code(), absl::StatusCode::kUnimplemented);
  EXPECT_EQ(planned.status().message(), "cpu: eltwise: " + message);
}

TEST(EltwisePlan, RefusesWhatItDoesNotServeByName) {
  const auto row = [](DataType type) { return spi::Strided(type, {8}); };
  const EltwiseParams round = {Algorithm::kEltwiseRound, 0, 0}, relu = kFunctions[0];
  for (const DataType type : {kF16, kS32, kS8, kU8})
    ExpectRefused(spi::MakeEltwiseBackward(relu, row(type), row(type), row(type)),
                  "backward is of f32 and bf16 (ELT-065)");
  ExpectRefused(spi::MakeEltwiseForward(kForward, round, row(kBF16), row(kBF16)),
                "eltwise_round is of f32 (ELT-047)");
  EXPECT_TRUE(
      PlanEltwise({spi::MakeEltwiseForward(kForward, round, row(kF32), row(kF32)), nullptr, 0})
          .ok());
  Layout reversed = spi::Strided(kF32, {2, 3});
  const Layout plain = reversed;
  reversed.strides = {1, 2};
  ExpectRefused(spi::MakeEltwiseBackward(relu, plain, plain, reversed),
                "diff_dst and diff_src of two layouts are not served");
  EXPECT_TRUE(
      PlanEltwise({spi::MakeEltwiseBackward(relu, plain, reversed, reversed), nullptr, 0}).ok());
  ExpectRefused(spi::MakeEltwiseForward(kForward, relu, spi::Opaque(kF32, {2, 3}, 1, 24), plain),
                "a layout of this kind is not served");
}

TEST(EltwisePlan, HasTwoCandidatesOfWhichTheLastIsPlain) {
  const Operation operation = spi::MakeEltwiseForward(
      kForward, kFunctions[0], spi::Strided(kF32, {8}), spi::Strided(kF32, {8}));
  ForEachTarget([&] {
    int last = 0;
    while (PlanEltwise({operation, nullptr, last + 1}).ok()) ++last;
    EXPECT_EQ(last, FindForwardKernel({Algorithm::kEltwiseRelu}) != nullptr ? 1 : 0);
    EXPECT_EQ(PlanOf(operation, last).plan->Describe(),
              "cpu:plain-eltwise eltwise_relu f32->f32 8 (1)->(1)");
  });
}

}  // namespace
}  // namespace impl_cpu
