#include "api/spi/operation.h"

#include <gtest/gtest.h>

#include <limits>
#include <memory>
#include <utility>

namespace spi {
namespace {

Operation Copy(const Layout& src, const Layout& dst) {
  Operation operation;
  operation.kind = PrimitiveKind::kReorder;
  operation.tensors = {{kArgSrc, Access::kRead, src}, {kArgDst, Access::kWrite, dst}};
  return operation;
}

Operation Copy() {
  const Layout layout = Strided(DataType::kF32, {2, 3});
  return Copy(layout, layout);
}

Attributes RunTimeScales(int mask) {
  Attributes attributes;
  Scales& scales = attributes.scales.emplace_back();
  scales.mask = mask;
  scales.run_time = true;
  return attributes;
}

TEST(Operation, FindsItsTensors) {
  const Operation copy = Copy();
  EXPECT_EQ(Find(copy, kArgSrc), 0);
  EXPECT_EQ(Find(copy, kArgDst), 1);
  EXPECT_EQ(Find(copy, kArgScratchpad), -1);
  EXPECT_EQ(&LayoutOf(copy, kArgDst), &copy.tensors[1].layout);
  EXPECT_EQ(LayoutOf(copy, kArgScratchpad).kind, LayoutKind::kNone);
}

TEST(Operation, WritesNothingWhereAllThatIsWrittenIsEmpty) {
  const Layout some = Strided(DataType::kF32, {2, 3}), none = Strided(DataType::kF32, {0, 3});
  EXPECT_FALSE(WritesNothing(Copy(some, some)));
  EXPECT_FALSE(WritesNothing(Copy(none, some)));
  EXPECT_TRUE(WritesNothing(Copy(some, none)));
  Operation two = Copy(some, none);
  two.tensors.push_back({kArgScratchpad, Access::kReadWrite, some});
  EXPECT_FALSE(WritesNothing(two));
}

TEST(Operation, IsEqualByValue) {
  EXPECT_EQ(Copy(), Copy());
  const auto differs = [](auto change) {
    Operation other = Copy();
    change(other);
    return other != Copy();
  };
  EXPECT_TRUE(differs([](Operation& o) { o.kind = PrimitiveKind::kShuffle; }));
  EXPECT_TRUE(differs([](Operation& o) { o.prop = PropKind::kForwardTraining; }));
  EXPECT_TRUE(differs([](Operation& o) { o.tensors.pop_back(); }));
  EXPECT_TRUE(differs([](Operation& o) { o.tensors[1].argument = kArgDiffSrc; }));
  EXPECT_TRUE(differs([](Operation& o) { o.tensors[1].access = Access::kReadWrite; }));
  EXPECT_TRUE(differs([](Operation& o) { o.tensors[1].layout.offset = 1; }));
  EXPECT_TRUE(differs([](Operation& o) { o.params = ShuffleParams{1, 3}; }));
  EXPECT_TRUE(differs([](Operation& o) {
    SetAttributes(std::make_shared<const Attributes>(RunTimeScales(0)), &o);
  }));
}

TEST(Operation, ParametersAreEqualByValue) {
  Operation a = Copy(), b = Copy();
  a.params = ShuffleParams{1, 3};
  b.params = ShuffleParams{1, 3};
  EXPECT_EQ(a, b);
  b.params = ShuffleParams{1, 2};
  EXPECT_NE(a, b);
  b.params = ShuffleParams{0, 3};
  EXPECT_NE(a, b);
}

TEST(Operation, AttributesAreEqualByValueAndFloatsByBits) {
  const auto with = [](float scale, int32_t zero, float beta) {
    Attributes attributes;
    attributes.scales.emplace_back().values = {scale};
    attributes.zero_points.push_back({zero, false, kArgSrc});
    attributes.post_ops.push_back(SumOp{beta, DataType::kF32});
    return attributes;
  };
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(with(2, 1, 0.5f), with(2, 1, 0.5f));
  EXPECT_EQ(with(kNan, 1, 0.5f), with(kNan, 1, 0.5f));
  EXPECT_NE(with(2, 1, 0.5f), with(3, 1, 0.5f));
  EXPECT_NE(with(2, 1, 0.5f), with(2, 2, 0.5f));
  EXPECT_NE(with(2, 1, 0.0f), with(2, 1, -0.0f));
  Operation a = Copy(), b = Copy();
  SetAttributes(std::make_shared<const Attributes>(with(2, 1, 0.5f)), &a);
  SetAttributes(std::make_shared<const Attributes>(with(2, 1, 0.5f)), &b);
  EXPECT_NE(a.attributes, b.attributes);
  EXPECT_EQ(a, b);
}

TEST(SetAttributes, OfDefaultOnesIsNothing) {
  Operation copy = Copy();
  SetAttributes(std::make_shared<const Attributes>(), &copy);
  SetAttributes(nullptr, &copy);
  EXPECT_EQ(copy.attributes, nullptr);
  EXPECT_EQ(copy, Copy());
}

TEST(SetAttributes, ListsTheTensorsOfRunTimeValues) {
  Attributes attributes = RunTimeScales(2);
  attributes.zero_points.push_back({7, false, kArgSrc});
  attributes.zero_points.push_back({0, true, kArgDst});
  Operation copy = Copy();
  SetAttributes(std::make_shared<const Attributes>(std::move(attributes)), &copy);
  ASSERT_EQ(copy.tensors.size(), 4u);
  EXPECT_EQ(copy.tensors[2].argument, kArgOutputScales);
  EXPECT_EQ(copy.tensors[2].access, Access::kRead);
  EXPECT_EQ(copy.tensors[2].layout, Strided(DataType::kF32, {3}));
  EXPECT_EQ(copy.tensors[3].argument, kArgDstZeroPoint);
  EXPECT_EQ(copy.tensors[3].access, Access::kRead);
  EXPECT_EQ(copy.tensors[3].layout, Strided(DataType::kS32, {1}));
}

TEST(SetAttributes, LeavesTheNumberOfScalesOpenWithTheDims) {
  Layout open = Strided(DataType::kF32, {2, 3});
  open.dims[1] = kRunTimeValue;
  Operation copy = Copy(open, open);
  SetAttributes(std::make_shared<const Attributes>(RunTimeScales(2)), &copy);
  EXPECT_EQ(LayoutOf(copy, kArgOutputScales).dims[0], kRunTimeValue);
  copy = Copy(open, open);
  SetAttributes(std::make_shared<const Attributes>(RunTimeScales(1)), &copy);
  EXPECT_EQ(LayoutOf(copy, kArgOutputScales).dims[0], 2);
}

TEST(SetAttributes, ASumReadsWhatItWrites) {
  for (const float scale : {0.5f, 0.0f}) {
    Attributes attributes;
    attributes.post_ops.push_back(SumOp{scale, DataType::kF32});
    Operation copy = Copy();
    SetAttributes(std::make_shared<const Attributes>(std::move(attributes)), &copy);
    EXPECT_EQ(copy.tensors[0].access, Access::kRead);
    EXPECT_EQ(copy.tensors[1].access, scale == 0 ? Access::kWrite : Access::kReadWrite);
  }
}

}  // namespace
}  // namespace spi
