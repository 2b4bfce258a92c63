// Whether the mutants are many, spread, and each owned by a property.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "conformance/case/property.h"
#include "conformance/mutants/kills.h"
#include "conformance/mutants/owners.h"
#include "conformance/mutants/reach.h"
#include "spec/requirements.h"
#include "tools/mutate/active.h"

namespace conformance {
namespace {

constexpr int kWanted = 150;
constexpr int kWantedInAnArea = 2;

// What an implementation can be wrong in.
const char* const kAreas[] = {
    "index arithmetic",
    "strides",
    "gaps",
    "tails",
    "32-bit offsets",
    "conversions and ties",
    "saturation bounds",
    "masks with holes",
    "scale index order",
    "scales and attributes",
    "beta and sums",
    "run-time scales",
    "group and inverse",
    "descriptors",
    "layout equality",
    "submemory offsets",
    "get_size",
    "permute direction",
    "reshape",
    "lifetimes",
    "shallow copies",
    "allow_empty",
    "statuses",
    "queries",
    "caching keys",
    "in-order execution",
    "execution arguments",
    "handles, map and unmap",
    "thread races",
    "kinds of samples",
    "resolved layouts",
    "opaque layouts",
    "padding of blocks",
    "zero points",
    "shapes of networks",
    "other readings",
    "sums of products",
    "what follows the sums",
    "layouts",
    "functions",
    "slopes",
    "choice of kernels",
    "errors",
    "objects",
    "streams",
    "attributes",
    "executions",
};

// How many MUST requirements of a topic have no mutant of their own yet.
const std::map<std::string, int> kWithoutOwn = {
    {"convolution", 4}, {"eltwise", 1}, {"inner_product", 1}, {"memory", 8},
    {"model", 19},      {"reorder", 4}, {"shuffle", 1}};

TEST(Mutants, AreMany) { EXPECT_GE(mutants::kCount, kWanted); }

TEST(Mutants, AreInEveryArea) {
  std::map<std::string, int> count;
  for (int i = 1; i <= mutants::kCount; ++i) ++count[mutants::kEntries[i].area];
  for (const char* area : kAreas) EXPECT_GE(count[area], kWantedInAnArea) << area;
  for (const auto& [area, mutants] : count)
    EXPECT_TRUE(std::find(std::begin(kAreas), std::end(kAreas), area) != std::end(kAreas)) << area;
}

TEST(Mutants, NameThePropertyThatDecidesWhereTheyAreJudged) {
  std::set<std::string> names;
  for (const Property* property : Properties()) names.insert(property->name());
  for (int i = 1; i <= mutants::kCount; ++i) {
    const std::vector<std::string> kills = NamesIn(mutants::kEntries[i]);
    ASSERT_FALSE(kills.empty()) << mutants::kEntries[i].name;
    EXPECT_EQ(names.count(kills[0]), 1u)
        << mutants::kEntries[i].name << ": no property has the name " << kills[0];
  }
}

TEST(Mutants, NameRequirementsThatHaveAProperty) {
  std::set<std::string> owned;
  for (const Property* property : Properties()) owned.insert(property->requirement().id);
  for (int i = 1; i <= mutants::kCount; ++i) {
    for (const std::string& id : RequirementsIn(mutants::kEntries[i])) {
      EXPECT_NE(spec::FindRequirement(id.c_str()), nullptr)
          << mutants::kEntries[i].name << " " << id;
      EXPECT_EQ(owned.count(id), 1u) << mutants::kEntries[i].name << ": no property checks " << id;
    }
  }
}

TEST(Mutants, AreMissingOfNoMoreRequirementsThanBefore) {
  const std::vector<Owner> owners = Owners(Properties());
  std::map<std::string, int> without;
  for (const Owner& owner : owners)
    if (owner.requirement->level == spec::Level::kMust && owner.own.empty())
      ++without[owner.requirement->topic];
  EXPECT_EQ(without, kWithoutOwn) << "where it is less, write that down\n" << ToText(owners);
}

TEST(Mutants, ThatAreAllowedNameWhatAllowsThem) {
  std::set<std::string> known;
  for (const auto& entry : std::filesystem::directory_iterator("spec/decisions"))
    known.insert(entry.path().stem());
  for (const auto& entry : std::filesystem::recursive_directory_iterator("spec")) {
    if (entry.path().filename().string().find("readings.md") == std::string::npos) continue;
    std::ifstream readings(entry.path());
    for (std::string line; std::getline(readings, line);)
      if (const size_t at = line.find("# A-"); at < 3) known.insert(line.substr(at + 2));
  }
  EXPECT_EQ(known.count("A-60"), 1u);
  EXPECT_EQ(known.count("A-28"), 1u);  // shuffle's own
  int allowed = 0;
  for (int i = 1; i <= mutants::kCount; ++i) {
    const std::string why = mutants::kEntries[i].allowed;
    if (why.empty()) continue;
    ++allowed;
    EXPECT_TRUE(known.count(why) == 1 || spec::FindRequirement(why.c_str()) != nullptr)
        << mutants::kEntries[i].name << ": " << why;
  }
  EXPECT_GE(allowed, 30);
}

TEST(Mutants, NameInstructionSetsThatThereAre) {
  int some = 0;
  for (int i = 1; i <= mutants::kCount; ++i) {
    EXPECT_EQ(ReachOf(mutants::kEntries[i].isa, ~int64_t{0}).error, "")
        << mutants::kEntries[i].name;
    some += *mutants::kEntries[i].isa != '\0';
  }
  EXPECT_GE(some, 10);
}

}  // namespace
}  // namespace conformance
