// What the build makes of a table of topics.
#include "spec/topics.h"

#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>
#include <string>

#include "spec/requirements.h"

namespace spec {
namespace {

std::string Contents(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  EXPECT_NE(text.str(), "") << path;
  return text.str();
}

TEST(Topics, AreWrittenAsTheGoldenFileHasThem) {
  EXPECT_EQ(Contents("spec/sample_topics.cc"), Contents("spec/testing/topics.golden"));
}

TEST(Topics, EveryRequirementHasItsAreaInItsChapter) {
  std::set<std::string> used;
  for (size_t i = 0; i < kRequirementCount; ++i) {
    const std::string id = kRequirements[i]->id;
    const std::string prefix = id.substr(0, id.find('-'));
    const Area* area = nullptr;
    for (size_t a = 0; a < kAreaCount; ++a)
      if (kAreas[a].prefix == prefix) area = &kAreas[a];
    ASSERT_NE(area, nullptr) << id << ": topics.bzl has no area " << prefix;
    EXPECT_STREQ(area->topic, kRequirements[i]->topic) << id;
    used.insert(prefix);
  }
  EXPECT_EQ(used.size(), kAreaCount) << "topics.bzl has an area without requirements";
}

}  // namespace
}  // namespace spec
