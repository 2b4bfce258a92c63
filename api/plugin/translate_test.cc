// Operations go to C and come back as they were, and what a newer program says is not misread.
#include "api/plugin/translate.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "api/convolution/operation.h"
#include "api/eltwise/operation.h"
#include "api/reorder/operation.h"
#include "api/shuffle/operation.h"
#include "api/spi/implementation.h"
#include "api/spi/plugin_abi.h"

namespace spi {
namespace {

void ExpectSame(const Operation& operation) {
  const COperation c(operation);
  const std::optional<Operation> back = FromC(*c.get());
  ASSERT_TRUE(back.has_value());
  EXPECT_EQ(*back, operation);
}

TEST(Translate, CarriesEachSortOfLayout) {
  const Layout blocked = Strided(DataType::kBF16, {2, 20, 3}, {{1, 16}, {0, 2}});
  Layout moved = Strided(DataType::kS8, {2, 20, 3});
  moved.offset = 7;
  Layout opaque = Opaque(DataType::kF32, {2, 20, 3}, 65535, 4736);
  opaque.owner = 3;
  const Layout empty = Strided(DataType::kU8, {2, 0, 3});
  for (const Layout& from : {blocked, moved, opaque, empty, Any(DataType::kF16, {2, 20, 3})})
    ExpectSame(MakeShuffle(PropKind::kForwardTraining, from, blocked, {1, 4}));
  ExpectSame(MakeShuffle(PropKind::kBackwardData, blocked, moved, {2, int64_t{1} << 40}));
}

TEST(Translate, CarriesParameters) {
  const Layout line = Strided(DataType::kF32, {6});
  const float nan = std::numeric_limits<float>::quiet_NaN();
  ExpectSame(MakeEltwiseForward(PropKind::kForwardInference, {Algorithm::kEltwisePow, 2, -0.5f},
                                line, line));
  ExpectSame(MakeEltwiseBackward({Algorithm::kEltwiseEluUseDstForBwd, 3, nan}, line, line, line));
  const Layout picture = Strided(DataType::kF32, {1, 2, 3, 4});
  ConvolutionParams params;
  params.algorithm = ConvolutionAlgorithm::kAuto;
  params.strides = {1, 2, int64_t{1} << 40};
  params.dilates = {3, 4, 5};
  params.padding_l = {6, 7, 8};
  params.padding_r = {-9, -10, -11};
  for (const PropKind prop : {PropKind::kForwardTraining, PropKind::kBackwardWeights})
    ExpectSame(MakeConvolution(prop, params, picture, picture, &line, picture));
  ExpectSame(MakeConvolution(PropKind::kBackwardData, params, picture, picture, nullptr, picture));
}

TEST(Translate, CarriesAttributes) {
  auto attributes = std::make_shared<Attributes>();
  Scales& fixed = attributes->scales.emplace_back();
  fixed.mask = 2;
  fixed.values = {1, 2.5f, -3};
  Scales& later = attributes->scales.emplace_back();
  later.argument = kArgSrc;
  later.mask = 1;
  later.run_time = true;
  attributes->zero_points.push_back({-5, false, kArgSrc});
  attributes->zero_points.push_back({0, true, kArgDst});
  attributes->post_ops.push_back(SumOp{.5f, DataType::kS8});
  attributes->post_ops.push_back(EltwiseOp{Algorithm::kEltwiseLinear, 2, 3, 4});
  attributes->post_ops.push_back(SumOp{});
  const Layout src = Strided(DataType::kF32, {4, 3}), dst = Strided(DataType::kU8, {4, 3});
  ExpectSame(MakeReorder(src, dst));
  ExpectSame(MakeReorder(src, dst, attributes));
}

TEST(Translate, CarriesMoreTensorsThanAreInline) {
  Operation many = MakeReorder(Strided(DataType::kF32, {4}), Strided(DataType::kF32, {4}));
  for (int k = 0; k < 20; ++k)
    many.tensors.push_back({1024 + k, Access::kRead, Strided(DataType::kS32, {k + 1})});
  ExpectSame(many);
}

TEST(Translate, SaysHowLongEachStructIs) {
  const Layout line = Strided(DataType::kF32, {6});
  const COperation c(MakeShuffle(PropKind::kForwardTraining, line, line, {0, 3}));
  EXPECT_EQ(c.get()->bytes, sizeof(dnnspec_operation));
  EXPECT_EQ(c.get()->tensors[1]->bytes, sizeof(dnnspec_tensor));
  EXPECT_EQ(static_cast<const dnnspec_shuffle_params*>(c.get()->params)->bytes,
            sizeof(dnnspec_shuffle_params));
  EXPECT_EQ(c.get()->attributes, nullptr);
}

// What a newer host says, in fields that this program does not know.
template <class T>
struct Longer {
  T known;
  uint64_t more = 0;
  Longer(const T& from, uint64_t said) : known(from), more(said) {
    known.bytes = sizeof(T) + sizeof(more);
  }
};

// Whether an operation is understood when one struct of it is longer and says `more` there.
class Newer : public testing::TestWithParam<bool> {
 protected:
  static bool Understood(const dnnspec_operation& operation) {
    return FromC(operation).has_value();
  }
  static uint64_t More() { return GetParam() ? 1 : 0; }

  const Layout line_ = Strided(DataType::kF32, {6});
};

INSTANTIATE_TEST_SUITE_P(Says, Newer, testing::Bool());

TEST_P(Newer, OperationsTensorsAndParams) {
  const COperation c(MakeShuffle(PropKind::kForwardTraining, line_, line_, {0, 3}));
  ASSERT_TRUE(Understood(*c.get()));
  const Longer<dnnspec_operation> operation(*c.get(), More());
  EXPECT_EQ(Understood(operation.known), !GetParam());
  const Longer<dnnspec_tensor> tensor(*c.get()->tensors[0], More());
  const dnnspec_tensor* const tensors[] = {&tensor.known, c.get()->tensors[1]};
  dnnspec_operation changed = *c.get();
  changed.tensors = tensors;
  EXPECT_EQ(Understood(changed), !GetParam());
  changed = *c.get();
  const Longer<dnnspec_shuffle_params> params(
      *static_cast<const dnnspec_shuffle_params*>(c.get()->params), More());
  changed.params = &params;
  EXPECT_EQ(Understood(changed), !GetParam());
}

TEST_P(Newer, Attributes) {
  auto made = std::make_shared<Attributes>();
  made->scales.emplace_back().values = {2};
  made->zero_points.push_back({4, false, kArgSrc});
  made->post_ops.push_back(SumOp{1, DataType::kF32});
  made->post_ops.push_back(EltwiseOp{Algorithm::kEltwiseRelu, 1, 0, 0});
  const COperation c(MakeReorder(line_, line_, made));
  ASSERT_TRUE(Understood(*c.get()));
  const dnnspec_attributes& given = *c.get()->attributes;
  const auto understood = [&](const dnnspec_attributes& attributes) {
    dnnspec_operation operation = *c.get();
    operation.attributes = &attributes;
    return Understood(operation);
  };
  EXPECT_EQ(understood(Longer<dnnspec_attributes>(given, More()).known), !GetParam());
  dnnspec_attributes changed = given;
  const Longer<dnnspec_scales> scales(*given.scales[0], More());
  const dnnspec_scales* const all_scales[] = {&scales.known};
  changed.scales = all_scales;
  EXPECT_EQ(understood(changed), !GetParam());
  changed = given;
  const Longer<dnnspec_zero_point> zero(*given.zero_points[0], More());
  const dnnspec_zero_point* const zeros[] = {&zero.known};
  changed.zero_points = zeros;
  EXPECT_EQ(understood(changed), !GetParam());
  const Longer<dnnspec_sum> sum(*reinterpret_cast<const dnnspec_sum*>(given.post_ops[0]), More());
  const Longer<dnnspec_eltwise> eltwise(
      *reinterpret_cast<const dnnspec_eltwise*>(given.post_ops[1]), More());
  changed = given;
  changed.post_op_count = 1;
  for (const void* op : {static_cast<const void*>(&sum), static_cast<const void*>(&eltwise)}) {
    const auto* const only = static_cast<const dnnspec_post_op*>(op);
    changed.post_ops = &only;
    EXPECT_EQ(understood(changed), !GetParam());
  }
}

TEST(FromC, RefusesKindsThatItDoesNotKnow) {
  const Layout line = Strided(DataType::kF32, {6});
  auto sums = std::make_shared<Attributes>();
  sums->post_ops.push_back(SumOp{1, DataType::kF32});
  const COperation c(MakeReorder(line, line, sums));
  dnnspec_operation operation = *c.get();
  operation.kind = 99;
  EXPECT_FALSE(FromC(operation).has_value());
  const dnnspec_post_op unknown = {sizeof(unknown), 77}, *const only = &unknown;
  dnnspec_attributes attributes = *c.get()->attributes;
  attributes.post_ops = &only;
  operation = *c.get();
  operation.attributes = &attributes;
  EXPECT_FALSE(FromC(operation).has_value());
}

TEST(FromC, TakesParamsOnlyWhereTheKindHasSome) {
  const Layout line = Strided(DataType::kF32, {6});
  const COperation shuffle(MakeShuffle(PropKind::kForwardTraining, line, line, {0, 3}));
  dnnspec_operation operation = *shuffle.get();
  operation.params = nullptr;
  EXPECT_FALSE(FromC(operation).has_value());
  const COperation reorder(MakeReorder(line, line));
  EXPECT_EQ(reorder.get()->params, nullptr);
  operation = *reorder.get();
  operation.params = shuffle.get()->params;
  EXPECT_FALSE(FromC(operation).has_value());
}

// What an older host did not know is 0.
TEST(FromC, TakesWhatIsMissingAsZero) {
  const Layout line = Strided(DataType::kF32, {6});
  const COperation c(MakeShuffle(PropKind::kForwardTraining, line, line, {2, 3}));
  dnnspec_shuffle_params params = *static_cast<const dnnspec_shuffle_params*>(c.get()->params);
  params.bytes = offsetof(dnnspec_shuffle_params, group_size);
  dnnspec_operation operation = *c.get();
  operation.params = &params;
  const std::optional<Operation> read = FromC(operation);
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(std::get<ShuffleParams>(read->params), (ShuffleParams{2, 0}));
}

// What a binary may have written into a layout that it answers.
TEST(FromC, RefusesLayoutsThatCannotBeComputedWith) {
  const dnnspec_layout right = ToC(Strided(DataType::kF32, {2, 20, 3}, {{1, 16}}));
  ASSERT_TRUE(FromC(right).has_value());
  constexpr int32_t kLeast = std::numeric_limits<int32_t>::min(),
                    kMost = std::numeric_limits<int32_t>::max();
  const auto refused = [&](auto change) {
    dnnspec_layout c = right;
    change(&c);
    return !FromC(c).has_value();
  };
  for (const int32_t wrong : {kLeast, -1, 4, kMost})
    EXPECT_TRUE(refused([&](auto* c) { c->kind = wrong; })) << wrong;
  for (const int32_t wrong : {kLeast, -1, 7, kMost})
    EXPECT_TRUE(refused([&](auto* c) { c->data_type = wrong; })) << wrong;
  for (const int32_t wrong : {kLeast, -1, 13, kMost})
    EXPECT_TRUE(refused([&](auto* c) { c->rank = wrong; })) << wrong;
  for (const int32_t wrong : {kLeast, -1, 7, kMost})
    EXPECT_TRUE(refused([&](auto* c) { c->block_count = wrong; })) << wrong;
  for (const int32_t wrong : {kLeast, -1, 3, kMost})
    EXPECT_TRUE(refused([&](auto* c) { c->blocks[0].axis = wrong; })) << wrong;
  for (const int32_t wrong : {kLeast, -1, 0, 1})
    EXPECT_TRUE(refused([&](auto* c) { c->blocks[0].size = wrong; })) << wrong;
  EXPECT_TRUE(refused([](auto* c) { c->dims[0] = -1; }));
  EXPECT_TRUE(refused([](auto* c) { c->dims[1] = std::numeric_limits<int64_t>::max() - 3; }));
  EXPECT_TRUE(refused([](auto* c) { c->strides[2] = kRunTimeValue; }));
  EXPECT_TRUE(refused([](auto* c) {
    c->block_count = 3;
    for (dnnspec_block& block : c->blocks) block = {1, kMost};
  }));
  for (const int32_t wrong : {kLeast, -1, 65536, kMost})
    EXPECT_TRUE(refused([&](auto* c) {
      c->kind = DNNSPEC_LAYOUT_OPAQUE;
      c->opaque_format = wrong;
    })) << wrong;
}

// Equality of layouts is that of their bytes.
TEST(FromC, LeavesOutWhatALayoutDoesNotUse) {
  const Layout right = Strided(DataType::kF32, {2, 20, 3});
  dnnspec_layout c = ToC(right);
  c.dims[5] = c.strides[5] = 9;
  c.blocks[2] = {77, 0};
  c.owner = 5;
  c.opaque_format = 4;
  c.opaque_bytes = 12;
  EXPECT_EQ(FromC(c), right);
  c.kind = DNNSPEC_LAYOUT_ANY;
  EXPECT_EQ(FromC(c), Any(DataType::kF32, {2, 20, 3}));
  c.kind = DNNSPEC_LAYOUT_OPAQUE;
  EXPECT_EQ(FromC(c), Opaque(DataType::kF32, {2, 20, 3}, 4, 12));
}

}  // namespace
}  // namespace spi
