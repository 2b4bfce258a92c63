#include "spec/requirements.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <type_traits>
#include <vector>

#include "gtest/gtest.h"
#include "spec/topics.h"

// What a name means that spec may or may not have: with both namespaces in sight, REO_999 would be
// ambiguous, and this file would not compile, if spec had it.
namespace elsewhere {
struct Missing {};
extern const Missing REO_999, REO_01, MD_T_nchwx;
}  // namespace elsewhere

namespace names {
using namespace elsewhere;  // NOLINT
using namespace spec;       // NOLINT
static_assert(std::is_same<decltype(REO_999), const Missing>::value, "");
static_assert(std::is_same<decltype(REO_01), const Missing>::value, "");
static_assert(std::is_same<decltype(MD_T_nchwx), const Missing>::value, "");
static_assert(std::is_same<decltype(REO_010), const Requirement>::value, "");
static_assert(std::is_same<decltype(MD_T_nchw), const Requirement>::value, "");
static_assert(std::is_same<decltype(REO_ZP_002), const Requirement>::value, "");
}  // namespace names

namespace spec {
namespace {

std::string ReadFile(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  EXPECT_TRUE(in) << path;
  return {std::istreambuf_iterator<char>(in), {}};
}

// The area of an id: all before the first dash.
std::string AreaOf(const std::string& id) { return id.substr(0, id.find('-')); }

// The pages below spec.
std::vector<std::string> Pages() {
  std::vector<std::string> pages;
  for (const auto& entry : std::filesystem::recursive_directory_iterator("spec"))
    if (entry.path().extension() == ".md") pages.push_back(entry.path());
  return pages;
}

// What stands behind `mark` at the beginning of a line of `page`.
std::vector<std::string> Marked(const std::string& page, const std::string& mark) {
  std::vector<std::string> found;
  std::istringstream lines(ReadFile(page));
  for (std::string line; std::getline(lines, line);)
    if (line.rfind(mark, 0) == 0) found.push_back(line.substr(mark.size()));
  return found;
}

TEST(Requirements, AreAllThatTheFilesHaveHeadingsOf) {
  std::multiset<std::string> written, counted;
  for (size_t i = 0; i < kTopicCount; ++i) {
    const std::string page = std::string("spec/") + kTopics[i] + "/requirements.md";
    for (const std::string& heading : Marked(page, "### "))
      if (heading.rfind("~~", 0) != 0) written.insert(heading);
  }
  for (size_t i = 0; i < kRequirementCount; ++i) {
    std::string level = NameOf(kRequirements[i]->level);
    std::transform(level.begin(), level.end(), level.begin(),
                   [](unsigned char c) { return std::tolower(c); });
    counted.insert(std::string(kRequirements[i]->id) + " (" + level + ")");
  }
  EXPECT_EQ(counted, written);
  EXPECT_GT(kRequirementCount, 600u);
}

TEST(Requirements, AreOfEveryAreaThatTopicsNameAndOfNoOther) {
  std::set<std::string> named, written;
  for (size_t i = 0; i < kAreaCount; ++i) named.insert(kAreas[i].prefix);
  for (size_t i = 0; i < kRequirementCount; ++i) written.insert(AreaOf(kRequirements[i]->id));
  EXPECT_EQ(written, named);
}

TEST(Requirements, HaveUniqueIdsAndNoEmptyField) {
  std::set<std::string> ids;
  for (size_t i = 0; i < kRequirementCount; ++i) {
    const Requirement& requirement = *kRequirements[i];
    EXPECT_TRUE(ids.insert(requirement.id).second) << requirement.id;
    for (const char* field :
         {requirement.topic, requirement.source, requirement.text, requirement.check}) {
      EXPECT_STRNE(field, "") << requirement.id;
    }
  }
}

TEST(Requirements, CarryWhatTheFileSays) {
  EXPECT_STREQ(REO_011.id, "REO-011");
  EXPECT_EQ(REO_011.level, Level::kMust);
  EXPECT_STREQ(REO_011.topic, "reorder");
  EXPECT_STREQ(REO_011.source, "S2 General Notes 1");
  EXPECT_STREQ(REO_011.text,
               "Source and destination must have the same rank and dims; anything else is an "
               "error.");
  EXPECT_STREQ(REO_011.check, "Swap dims, drop a dim, transpose without permuting.");
  EXPECT_EQ(DT_016.level, Level::kOptionalType);
  EXPECT_STREQ(MD_T_giodhw.topic, "memory");
  EXPECT_STREQ(ERR_001.topic, "model");
  EXPECT_STREQ(SHU_038.topic, "shuffle");
  EXPECT_EQ(SHU_038.level, Level::kRule);
}

TEST(Requirements, AreFoundByIdAndOnlyByThat) {
  EXPECT_EQ(FindRequirement("REO-010"), &REO_010);
  EXPECT_EQ(FindRequirement("MD-T-nchw"), &MD_T_nchw);
  EXPECT_EQ(FindRequirement("REO-999"), nullptr);
  EXPECT_EQ(FindRequirement("REO_010"), nullptr);
  EXPECT_EQ(FindRequirement("REO-01"), nullptr);
  EXPECT_EQ(FindRequirement(""), nullptr);
}

TEST(Requirements, ComeInTheOrderOfTheFiles) {
  EXPECT_EQ(kRequirements[0], &ERR_001);
  std::vector<std::string> topics;
  for (size_t i = 0; i < kRequirementCount; ++i) {
    if (topics.empty() || topics.back() != kRequirements[i]->topic) {
      topics.push_back(kRequirements[i]->topic);
    }
  }
  EXPECT_EQ(topics, std::vector<std::string>(kTopics, kTopics + kTopicCount));
}

constexpr char kDigits[] = "0123456789";
constexpr char kCapitals[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
constexpr char kSmall[] = "abcdefghijklmnopqrstuvwxyz";

// The reference that begins at `start`, such as "REO-010", "MD-T-nchw", "A-15" or "ORC-REO"; empty
// if none does.
std::string ReferenceAt(const std::string& text, size_t start) {
  static const auto* const known = [] {
    auto* const made = new std::map<std::string, const char*>{{"A", kDigits},
                                                              {"ORC", kCapitals},
                                                              {"GEN", kCapitals},
                                                              {"MD-T", kSmall},
                                                              {"REO-ZP", kDigits}};
    for (size_t i = 0; i < kAreaCount; ++i) made->emplace(kAreas[i].prefix, kDigits);
    return made;
  }();
  for (const auto& [area, ending] : *known) {
    if (text.compare(start, area.size() + 1, area + "-") != 0) continue;
    const size_t rest = start + area.size() + 1;
    const size_t end = std::min(text.find_first_not_of(ending, rest), text.size());
    if (end > rest) return text.substr(start, end - start);
  }
  return "";
}

// Every requirement, reading, oracle and generator that `text` mentions and that does not exist.
std::set<std::string> DanglingIn(const std::string& text, const std::set<std::string>& headings) {
  std::set<std::string> dangling;
  for (size_t i = 0; i < text.size(); ++i) {
    if (i > 0 && std::isalnum(static_cast<unsigned char>(text[i - 1]))) continue;
    const std::string word = ReferenceAt(text, i);
    if (word.empty()) continue;
    if (FindRequirement(word.c_str()) == nullptr && headings.count(word) == 0) {
      dangling.insert(word);
    }
  }
  return dangling;
}

// What may be referred to besides requirements: the readings and the oracles, which have headings,
// and the generators, which have rows. A name stands once.
std::set<std::string> Headings() {
  std::set<std::string> headings;
  for (const std::string& page : Pages()) {
    for (const std::string mark : {"# ", "## ", "### ", "| GEN-"}) {
      for (const std::string& heading : Marked(page, mark)) {
        std::string name = heading.substr(0, heading.find_first_of(":( "));
        if (mark == "| GEN-") name = "GEN-" + name;
        if (ReferenceAt(name, 0) != name || FindRequirement(name.c_str()) != nullptr) continue;
        EXPECT_TRUE(headings.insert(name).second) << name << " stands twice, here in " << page;
      }
    }
  }
  return headings;
}

TEST(Requirements, AndTheirPagesReferToNothingThatDoesNotExist) {
  const std::set<std::string> headings = Headings();
  EXPECT_EQ(headings.count("A-60"), 1u);
  EXPECT_EQ(headings.count("A-23"), 1u);  // shuffle's own
  EXPECT_EQ(headings.count("ORC-REO"), 1u);
  EXPECT_EQ(headings.count("GEN-DATA"), 1u);
  for (const std::string& page : Pages())
    EXPECT_EQ(DanglingIn(ReadFile(page), headings), std::set<std::string>{}) << page;
  EXPECT_GE(Pages().size(), 16u);
  EXPECT_EQ(DanglingIn("see REO-999, A-999 and ORC-NIX, not REO-010 or GEN-DIMS", headings),
            (std::set<std::string>{"A-999", "ORC-NIX", "REO-999"}));
}

TEST(Level, HasTheNameThatTheCatalogueUses) {
  EXPECT_STREQ(NameOf(Level::kMust), "MUST");
  EXPECT_STREQ(NameOf(Level::kShould), "SHOULD");
  EXPECT_STREQ(NameOf(Level::kMay), "MAY");
  EXPECT_STREQ(NameOf(Level::kRule), "RULE");
  EXPECT_STREQ(NameOf(Level::kOptionalType), "OPTIONAL-TYPE");
}

}  // namespace
}  // namespace spec
