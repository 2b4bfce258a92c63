#include <algorithm>
#include <map>
#include <sstream>
#include <string>

#include "gtest/gtest.h"
#include "spec/memory/oracle.h"
#include "spec/requirements.h"

namespace spec {
namespace {

// The canonical logical order of a tag's domain (MD-054).
std::string LogicalOrderOf(const std::string& name) {
  const auto made_of = [&name](const char* letters) {
    return name.find_first_not_of(letters) == std::string::npos;
  };
  const auto has = [&name](char letter) { return name.find(letter) != std::string::npos; };
  if (name == "x") return "x";
  if (made_of("abcdefghijkl") && name.size() != 2 && name != "a") return "abcdefghijkl";
  if (name == "a" || name == "ab" || name == "ba") return "abcdefghijkl";
  if (has('l')) return has('n') ? "ldnc" : has('g') ? "ldigo" : "ldio";
  if (has('t')) return has('c') ? "tnc" : "tn";
  if (has('n')) return "ncdhw";
  return has('g') ? "goidhw" : "oidhw";
}

// The word that a name spells when its letters are numbered in that order.
std::string WordOf(const std::string& name) {
  std::string letters;
  for (const char letter : LogicalOrderOf(name)) {
    if (name.find(letter) != std::string::npos) letters += letter;
  }
  std::string word;
  for (const char letter : name) word += static_cast<char>('a' + letters.find(letter));
  return word;
}

TEST(SeedTags, AreTwentySixWordsAndFortyFourAliases) {
  EXPECT_EQ(SeedTags().size(), 70u);
  EXPECT_EQ(std::count_if(SeedTags().begin(), SeedTags().end(),
                          [](const Tag& tag) { return std::string(tag.name) == tag.word; }),
            26);
}

TEST(SeedTags, SpellTheirTargets) {
  for (const Tag& tag : SeedTags()) EXPECT_EQ(WordOf(tag.name), tag.word) << tag.name;
  for (const Tag& tag : CompatTags()) EXPECT_EQ(WordOf(tag.name), tag.word) << tag.name;
}

TEST(SeedTags, HaveARequirementEachAndTheStridesItNames) {
  const Dims all = {2, 3, 4, 5, 6, 7};
  for (const Tag& tag : SeedTags()) {
    const Requirement* requirement = FindRequirement(("MD-T-" + std::string(tag.name)).c_str());
    ASSERT_NE(requirement, nullptr) << tag.name;
    const Dims dims(all.begin(), all.begin() + static_cast<int>(std::string(tag.word).size()));
    std::string expected = "{";
    const Dims strides = StridesOfTag(tag.word, dims).value();
    for (const int64_t stride : strides) {
      expected += (expected.size() > 1 ? "," : "") + std::to_string(stride);
    }
    const std::string text = requirement->text;
    EXPECT_NE(text.find("get strides `" + expected + "}`"), std::string::npos) << text << expected;
    EXPECT_NE(text.find("rank " + std::to_string(dims.size()) + ","), std::string::npos) << text;
  }
}

TEST(SeedTags, DifferInOnePlaceFromTheDescriptionOfThePage) {
  std::map<std::string, std::string> words;
  for (const Tag& tag : SeedTags()) words[tag.name] = tag.word;
  EXPECT_EQ(words.size(), 70u);
  EXPECT_EQ(words["giodhw"], "acbdef");
  EXPECT_EQ(words["goidhw"], "abcdef");
  EXPECT_EQ(words["giohw"], "acbde");
  EXPECT_EQ(words["nhwc"], "acdb");
  EXPECT_EQ(words["hwio"], "cdba");
  EXPECT_EQ(words["ldgoi"], "abdec");
}

TEST(CompatTags, AreOthersThanThoseOfThePage) {
  EXPECT_EQ(CompatTags().size(), 27u);
  for (const Tag& tag : CompatTags()) {
    for (const Tag& seed : SeedTags()) EXPECT_STRNE(tag.name, seed.name);
    const Dims dims(std::string(tag.word).size(), 2);
    EXPECT_NE(StridesOfTag(tag.word, dims), std::nullopt) << tag.name;
  }
}

}  // namespace
}  // namespace spec
