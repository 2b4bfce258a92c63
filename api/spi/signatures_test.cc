#include "api/spi/signatures.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace spi {
namespace {

const Layout& Tensor() {
  static const Layout layout = Strided(DataType::kF32, {2, 6, 4});
  return layout;
}

Operation Shuffle(PropKind prop) { return MakeShuffle(prop, Tensor(), Tensor(), {1, 3}); }

std::string Refusal(const Operation& request) {
  const absl::Status status = CheckRequest(request);
  if (!status.ok()) {
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  }
  return std::string(status.message());
}

TEST(Signatures, AreInTheOrderOfTheParameters) {
  EXPECT_EQ(SignatureOf(MakeReorder(Tensor(), Tensor())).kind, PrimitiveKind::kReorder);
  EXPECT_EQ(SignatureOf(Shuffle(PropKind::kBackwardData)).kind, PrimitiveKind::kShuffle);
}

TEST(Signatures, AreComplete) {
  for (const Signature* signature : kSignatures) {
    SCOPED_TRACE(signature->name);
    EXPECT_NE(signature->validate, nullptr);
    EXPECT_FALSE(signature->arguments.empty());
    for (const ArgumentRule& rule : signature->arguments)
      EXPECT_NE(rule.forward | rule.backward | rule.backward_weights, 0) << rule.name;
    for (const InPlace& pair : signature->in_place)
      for (const int argument : {pair.written, pair.read}) {
        bool known = false;
        for (const ArgumentRule& rule : signature->arguments)
          known = known || rule.argument == argument;
        EXPECT_TRUE(known) << argument;
      }
  }
}

TEST(CheckRequest, AcceptsWhatIsLegal) {
  EXPECT_EQ(Refusal(MakeReorder(Tensor(), Tensor())), "");
  for (const PropKind prop :
       {PropKind::kForwardTraining, PropKind::kForwardInference, PropKind::kBackwardData})
    EXPECT_EQ(Refusal(Shuffle(prop)), "");
}

TEST(CheckRequest, WantsTheArgumentsOfTheDirection) {
  Operation shuffle = Shuffle(PropKind::kForwardTraining);
  shuffle.tensors.pop_back();
  EXPECT_EQ(Refusal(shuffle), "shuffle: dst is missing");
  shuffle = Shuffle(PropKind::kBackwardData);
  shuffle.tensors.push_back({kArgDst, Access::kRead, Tensor()});
  EXPECT_EQ(Refusal(shuffle), "shuffle: argument 17 does not occur");
  shuffle = Shuffle(PropKind::kForwardTraining);
  shuffle.tensors.push_back({kArgScratchpad, Access::kReadWrite, Tensor()});
  EXPECT_EQ(Refusal(shuffle), "shuffle: argument 80 does not occur");
}

TEST(CheckRequest, WantsALayoutWhereNoneMayBeChosen) {
  Operation shuffle = Shuffle(PropKind::kBackwardData);
  shuffle.tensors[1].layout = Any(DataType::kF32, {2, 6, 4});
  EXPECT_EQ(Refusal(shuffle), "shuffle: diff_src is `any` and has no layout (SHU-011)");
}

TEST(CheckRequest, TellsRelationsBeforeRepeatedElements) {
  Operation shuffle = Shuffle(PropKind::kForwardTraining);
  shuffle.tensors[1].layout.strides[0] = 0;
  EXPECT_EQ(Refusal(shuffle),
            "shuffle: dst.strides[0] = 0 repeats one element dst.dims[0] = 2 times (MD-014)");
  shuffle.params = ShuffleParams{1, 4};
  EXPECT_EQ(Refusal(shuffle), "shuffle: group_size = 4 does not divide src.dims[1] = 6 (SHU-008)");
}

TEST(CheckRequest, KnowsBothBackwardDirectionsApart) {
  const Layout src = Strided(DataType::kF32, {2, 4}), weights = Strided(DataType::kF32, {3, 4}),
               bias = Strided(DataType::kF32, {3}), dst = Strided(DataType::kF32, {2, 3});
  Operation data = MakeInnerProduct(PropKind::kBackwardData, src, weights, nullptr, dst);
  EXPECT_EQ(Refusal(data), "");
  data.tensors.push_back({kArgDiffBias, Access::kWrite, bias});
  EXPECT_EQ(Refusal(data), "inner_product: argument 169 does not occur");
  Operation gradient = MakeInnerProduct(PropKind::kBackwardWeights, src, weights, &bias, dst);
  EXPECT_EQ(Refusal(gradient), "");
  gradient.tensors.pop_back();  // the gradient of the bias may be left out, that of the weights not
  EXPECT_EQ(Refusal(gradient), "");
  gradient.tensors.pop_back();
  EXPECT_EQ(Refusal(gradient), "inner_product: diff_weights is missing");
}

TEST(CheckRequest, ComparesScalesWithTheirMaskWhateverThePrimitive) {
  Attributes attributes;
  attributes.scales.push_back({kArgDst, 2, false, {1, 2, 3}});
  const auto with = [](const Attributes& given) {
    Operation reorder = MakeReorder(Tensor(), Tensor());
    SetAttributes(std::make_shared<const Attributes>(given), &reorder);
    return reorder;
  };
  EXPECT_EQ(Refusal(with(attributes)),
            "reorder: output scales has 3 values for 6 of mask 2 (ATTR-024)");
  attributes.scales[0].values.resize(6);
  EXPECT_EQ(Refusal(with(attributes)), "");
  attributes.scales[0].mask = -2;
  EXPECT_EQ(Refusal(with(attributes)), "reorder: output scale mask = -2 is negative (ATTR-026)");
}

TEST(ToString, NamesEveryDirection) {
  EXPECT_EQ(ToString(Shuffle(PropKind::kForwardInference)),
            "shuffle forward_inference src:f32 2x6x4 s24,4,1 dst:f32 2x6x4 s24,4,1 axis 1 group 3");
}

}  // namespace
}  // namespace spi
