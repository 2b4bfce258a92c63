#include "conformance/gen/blocks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

namespace conformance {
namespace {

BlockedTensor Draw(uint64_t seed) {
  Random random(seed);
  const spec::Dims dims = AnyShape(random, {1, 5, 512, /*may_be_empty=*/false});
  return AnyBlockedTensor(random, spec::Type::kS8, dims,
                          AnyBlocks(random, static_cast<int>(dims.size())));
}

TEST(BlockedTensors, AreTheirText) {
  for (uint64_t seed = 0; seed < 500; ++seed) {
    const BlockedTensor tensor = Draw(seed);
    const auto parsed = ParseBlockedTensor(ToString(tensor));
    ASSERT_TRUE(parsed) << ToString(tensor);
    EXPECT_EQ(ToString(*parsed), ToString(tensor));
  }
}

TEST(BlockedTensors, ThatMeanNothingDoNotParse) {
  for (const char* text : {"",
                           "s8",
                           "s8:3:s4",
                           "s8:3:s4:4@0",
                           "s8:3:s4:b4@1",
                           "s8:3:s4:b0@0",
                           "s8:3:s4:b4",
                           "s8:3:s4:b",
                           "s8:5:s3:b4@0",
                           "s8:3x2:s4,4:b-",
                           "s8:3:s4,1:b-",
                           "s8:3:s4:b4@0:o0",
                           "s8:3:s4:b4@0:o-1",
                           "s8:3:s4:b4@0:7",
                           "s8:3:s4:b4@0,",
                           "s8:-3:s4:b-",
                           "x8:3:s4:b4@0",
                           "s8:9999999:s1:b-",
                           "s8:3:s99999999999999:b-",
                           "s8:2x2:s1,1:b-"}) {
    EXPECT_FALSE(ParseBlockedTensor(text)) << text;
  }
  EXPECT_TRUE(ParseBlockedTensor("s8:3:s4:b4@0"));
  EXPECT_TRUE(ParseBlockedTensor("s8:3x2:s2,1:b-:o3"));
}

TEST(BlockedTensors, AreOfEveryClass) {
  std::map<std::string, int> seen;
  for (uint64_t seed = 0; seed < 1000; ++seed) {
    const BlockedTensor tensor = Draw(seed);
    for (const std::string& name : ClassesOf(tensor)) ++seen[name];
    spec::Places places = spec::PlacesOf(tensor.layout);
    std::vector<int64_t> all = places.elements;
    all.insert(all.end(), places.padding.begin(), places.padding.end());
    std::sort(all.begin(), all.end());
    ASSERT_EQ(std::adjacent_find(all.begin(), all.end()), all.end()) << ToString(tensor);
  }
  for (const char* name : {"several blocks", "one axis twice", "gapped blocks", "start", "padding"})
    EXPECT_GT(seen[name], 150) << name;
}

TEST(BlockedTensors, BecomeSimplerAndStayLegal) {
  for (uint64_t seed = 0; seed < 200; ++seed) {
    const BlockedTensor tensor = Draw(seed);
    for (const BlockedTensor& simpler : SimplerLayouts(tensor)) {
      EXPECT_TRUE(ParseBlockedTensor(ToString(simpler))) << ToString(simpler);
      EXPECT_EQ(simpler.dims(), tensor.dims());
    }
    for (const Cut& cut : Cuts(tensor.dims()))
      EXPECT_TRUE(ParseBlockedTensor(ToString(CutBlocked(tensor, cut)))) << ToString(tensor);
  }
}

}  // namespace
}  // namespace conformance
