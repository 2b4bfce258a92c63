#include "impl_vulkan/device/steps.h"

#include <gtest/gtest.h>

#include <vector>

namespace impl_vulkan {
namespace {

constexpr ByteRange kFirst = {0, 64}, kSecond = {64, 64}, kAll = {0, 128};

BufferUse Read(int position, const ByteRange& range) { return {position, Access::kRead, range}; }
BufferUse Write(int position, const ByteRange& range) { return {position, Access::kWrite, range}; }

// Steps that use these, each in a pass of its own.
std::vector<bool> Barriers(const std::vector<std::vector<BufferUse>>& uses,
                           const std::vector<InPlacePair>& in_place = {}) {
  std::vector<Step> steps;
  for (const auto& of_step : uses) {
    steps.emplace_back();
    steps.back().uses.assign(of_step.begin(), of_step.end());
    steps.back().pass = static_cast<int>(steps.size());
  }
  return PlanBarriers(steps, in_place);
}

using List = std::vector<bool>;

TEST(Barriers, StandBetweenAWriteAndAReadOfTheSameBytes) {
  EXPECT_EQ(Barriers({{Read(0, kAll), Write(2, kAll)}, {Read(2, kAll), Write(1, kAll)}}),
            List({false, true}));
  EXPECT_EQ(Barriers({{Read(0, kAll), Write(2, kFirst)}, {Read(2, kSecond), Write(1, kAll)}}),
            List({false, false}));
}

TEST(Barriers, StandBetweenAReadAndAWriteOfTheSameBytes) {
  EXPECT_EQ(Barriers({{Read(0, kAll), Write(1, kAll)}, {Write(0, kSecond)}}), List({false, true}));
  EXPECT_EQ(Barriers({{Read(0, kFirst), Write(1, kAll)}, {Write(0, kSecond)}}),
            List({false, false}));
}

TEST(Barriers, StandBetweenTwoWritesOfTheSameBytesOnly) {
  EXPECT_EQ(Barriers({{Write(1, kFirst)}, {Write(1, kAll)}}), List({false, true}));
  EXPECT_EQ(Barriers({{Write(1, kFirst)}, {Write(1, kSecond)}}), List({false, false}));
  EXPECT_EQ(Barriers({{Write(1, kAll)}, {Write(2, kAll)}}), List({false, false}));
}

TEST(Barriers, DoNotStandBetweenReads) {
  EXPECT_EQ(Barriers({{Read(0, kAll), Write(1, kAll)}, {Read(0, kAll), Write(2, kAll)}}),
            List({false, false}));
}

TEST(Barriers, CountWhatAStepReadsAndWritesAsBoth) {
  const BufferUse both = {1, Access::kReadWrite, kAll};
  EXPECT_EQ(Barriers({{both}, {Read(1, kAll)}}), List({false, true}));
  EXPECT_EQ(Barriers({{Read(1, kAll)}, {both}}), List({false, true}));
}

TEST(Barriers, OrderAllStepsBeforeThem) {
  // Step 2 waits for step 1, and with it for step 0, which step 3 reads.
  EXPECT_EQ(Barriers({{Write(1, kAll)}, {Write(2, kAll)}, {Read(2, kAll)}, {Read(1, kAll)}}),
            List({false, false, true, false}));
}

TEST(Barriers, StandOnceForEachUseOfAScratchpad) {
  // Filled, read, filled again, read again.
  const std::vector<BufferUse> fill = {Read(0, kAll), Write(3, kAll)};
  const std::vector<BufferUse> take = {Read(3, kAll), Write(1, kAll)};
  EXPECT_EQ(Barriers({fill, take, fill, take}), List({false, true, true, true}));
}

TEST(Barriers, CountTwoPositionsOfOneMemoryAsOne) {
  const std::vector<std::vector<BufferUse>> uses = {{Read(0, kFirst), Write(1, kFirst)},
                                                    {Read(0, kFirst), Write(2, kFirst)}};
  EXPECT_EQ(Barriers(uses), List({false, false}));
  EXPECT_EQ(Barriers(uses, {{1, 0}}), List({false, true}));
  EXPECT_EQ(Barriers({{Read(0, kFirst), Write(1, kFirst)}, {Read(0, kSecond), Write(1, kSecond)}},
                     {{1, 0}}),
            List({false, false}));
}

TEST(Barriers, DoNotStandWithinAPass) {
  std::vector<Step> steps(4);
  for (size_t i = 0; i < steps.size(); ++i) {
    steps[i].uses = {Read(i < 2 ? 0 : 2, kAll), Write(i < 2 ? 2 : 1, kAll)};
    steps[i].pass = i < 2 ? 0 : 1;
  }
  EXPECT_EQ(PlanBarriers(steps, {}), List({false, false, true, false}));
}

TEST(Barriers, StandForASingleByte) {
  EXPECT_EQ(Barriers({{Write(1, {0, 8})}, {Write(1, {7, 5})}}), List({false, true}));
  EXPECT_EQ(Barriers({{Write(1, {7, 5})}, {Write(1, {0, 8})}}), List({false, true}));
  EXPECT_EQ(Barriers({{Write(1, {0, 7})}, {Write(1, {7, 5})}}), List({false, false}));
  EXPECT_EQ(Barriers({{Write(1, {0, 8})}, {Read(1, {4, 0})}}), List({false, false}));
}

TEST(Barriers, AreNoneForConstantsAndForNothing) {
  EXPECT_EQ(Barriers({{Read(kConstants, kAll), Write(1, kFirst)},
                      {Read(kConstants, kAll), Write(1, kSecond)}}),
            List({false, false}));
  EXPECT_EQ(Barriers({}), List());
}

}  // namespace
}  // namespace impl_vulkan
