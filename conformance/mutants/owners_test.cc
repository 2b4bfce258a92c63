#include "conformance/mutants/owners.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "conformance/case/fields.h"
#include "conformance/case/property.h"
#include "spec/requirements.h"
#include "tools/mutate/active.h"

namespace mutants {

int active = 0;

const Entry kEntries[] = {
    {"none", "", "", "", "", "", ""},
    {"alone", "a", "SHU-020/long SHU-020", "", "", "", ""},
    {"shared", "a", "SHU-020 SHU-021", "", "", "", ""},
    {"elsewhere", "a", "REO-010", "", "", "", ""},
};
const int kCount = 3;

}  // namespace mutants

namespace conformance {
namespace {

std::unique_ptr<Property> Of(const spec::Requirement& requirement, const char* variant) {
  return std::make_unique<PropertyOver<NoParameters>>(
      requirement, variant, Listed<NoParameters>({NoParameters()}),
      [](const NoParameters&, Trial&) {}, std::vector<std::string>());
}

TEST(Owners, AreThoseThatAMutantNamesAlone) {
  const auto twenty = Of(spec::SHU_020, ""), more = Of(spec::SHU_020, "long"),
             next = Of(spec::SHU_021, ""), last = Of(spec::SHU_022, "");
  const std::vector<Owner> owners = Owners({twenty.get(), more.get(), next.get(), last.get()});
  ASSERT_EQ(owners.size(), 3u);
  EXPECT_EQ(owners[0].own, std::vector<std::string>{"alone"});
  EXPECT_EQ(owners[0].shared, std::vector<std::string>{"shared"});
  EXPECT_TRUE(owners[1].own.empty());
  EXPECT_EQ(owners[1].shared, std::vector<std::string>{"shared"});
  EXPECT_TRUE(owners[2].own.empty());
  EXPECT_EQ(ToText(owners),
            "SHU-020 MUST: 1 of its own: alone\n"
            "SHU-021 MUST: none of its own, shared\n"
            "SHU-022 MUST: none\n"
            "\n"
            "shuffle: 2 of 3 requirements have no mutant of their own, 2 of 3 that are MUST\n");
}

}  // namespace
}  // namespace conformance
