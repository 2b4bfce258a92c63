// A message cites the requirement behind it, as in "(SHU-008)"; so do comments.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <string>

#include "spec/requirements.h"

namespace {

// The letters of every id that looks like "REO-010".
std::set<std::string> Letters() {
  std::set<std::string> letters;
  for (size_t i = 0; i < spec::kRequirementCount; ++i) {
    const std::string id = spec::kRequirements[i]->id;
    const size_t dash = id.rfind('-');
    if (std::regex_match(id.substr(dash), std::regex("-[0-9]{3}")))
      letters.insert(id.substr(0, dash));
  }
  return letters;
}

TEST(CitedIds, AreRequirementsThatExist) {
  std::string alternatives;
  for (const std::string& one : Letters()) alternatives += (alternatives.empty() ? "" : "|") + one;
  const std::regex cited("\\b(" + alternatives + ")-[0-9]{3}\\b");

  std::ifstream list("tools/layers/api_sources");
  int files = 0, ids = 0;
  for (std::string path; std::getline(list, path); ++files) {
    std::ifstream file(path);
    ASSERT_TRUE(file) << path;
    const std::string text((std::istreambuf_iterator<char>(file)), {});
    for (std::sregex_iterator i(text.begin(), text.end(), cited), end; i != end; ++i, ++ids) {
      EXPECT_NE(spec::FindRequirement(i->str().c_str()), nullptr) << path << " cites " << i->str();
    }
  }
  EXPECT_GE(files, 20);
  EXPECT_GE(ids, 20);
}

}  // namespace
