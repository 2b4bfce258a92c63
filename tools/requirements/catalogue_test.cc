#include "tools/requirements/catalogue.h"

#include <string>

#include "gtest/gtest.h"

namespace tools {
namespace {

// A well-formed requirement of five lines and a blank one.
std::string Good(const std::string& id, const std::string& level = "must") {
  return "### " + id + " (" + level + ")\n\nA sentence.\n\nSource: S1\n\nCheck: Direct.\n\n";
}

// The fault of a single file.
std::string FaultOf(const std::string& contents) {
  Catalogue catalogue;
  return catalogue.Add("reorder", "f.md", contents);
}

TEST(Catalogue, ReadsAnEntryWithWrappedParagraphs) {
  Catalogue catalogue;
  ASSERT_EQ(catalogue.Add("reorder", "f.md",
                          "# Title\n\nProse: free.\n\n## REO: section\n\nMore prose.\n\n"
                          "### REO-010 (optional-type)\n\nWithout \"attributes\"\nit copies.\n\n"
                          "Source: S2\nGeneral\n\nCheck: ORC-REO;\nrandom.\n"),
            "");
  ASSERT_EQ(catalogue.entries().size(), 1u);
  const Entry& entry = catalogue.entries()[0];
  EXPECT_EQ(entry.id, "REO-010");
  EXPECT_EQ(entry.level, "optional-type");
  EXPECT_EQ(entry.topic, "reorder");
  EXPECT_EQ(entry.text, "Without \"attributes\" it copies.");
  EXPECT_EQ(entry.source, "S2 General");
  EXPECT_EQ(entry.check, "ORC-REO; random.");
}

TEST(Catalogue, KeepsTheOrderOfTheFiles) {
  Catalogue catalogue;
  ASSERT_EQ(catalogue.Add("reorder", "a.md", Good("REO-002") + Good("XENG-001")), "");
  ASSERT_EQ(catalogue.Add("memory", "b.md", Good("MD-061") + Good("MD-T-nchw") + Good("MD-T-ab")),
            "");
  ASSERT_EQ(catalogue.entries().size(), 5u);
  EXPECT_EQ(catalogue.entries()[1].id, "XENG-001");
  EXPECT_EQ(catalogue.entries()[4].id, "MD-T-ab");
}

TEST(Catalogue, KeepsTheNumberOfAWithdrawnRequirementAndNotItsData) {
  Catalogue catalogue;
  ASSERT_EQ(
      catalogue.Add("reorder", "f.md",
                    "### ~~REO-001~~ (must)\n\nWithdrawn: says too much.\n\n" + Good("REO-002")),
      "");
  ASSERT_EQ(catalogue.entries().size(), 1u);
  EXPECT_EQ(catalogue.entries()[0].id, "REO-002");
  EXPECT_EQ(FaultOf("### ~~REO-001~~ (must)\n\nGone.\n\n" + Good("REO-001")),
            "f.md:5: REO-001 is there twice");
}

TEST(Catalogue, RefusesAMalformedId) {
  for (const std::string id : {"REO-10", "REO-0100", "reo-010", "REO010", "REO-T-nchw", "MD-T-NCHW",
                               "MD-T-", "-010", "REO-01x"}) {
    EXPECT_EQ(FaultOf(Good("REO-001") + Good(id)),
              "f.md:9: malformed id '" + id + "': want AREA-nnn or MD-T-tag");
  }
  EXPECT_EQ(FaultOf(Good("REO-001") + Good("REO-010")), "");
}

TEST(Catalogue, RefusesAMalformedHeading) {
  for (const std::string heading : {"### REO-010", "### REO-010 must", "### REO-010 (must) title",
                                    "#### REO-010 (must)", "###REO-010 (must)", "### REO-010 ()"}) {
    EXPECT_EQ(FaultOf(heading + "\n\nText.\n\nSource: S1\n\nCheck: Direct.\n"),
              "f.md:1: malformed heading '" + heading + "': want ### ID (level)");
  }
}

TEST(Catalogue, RefusesADoubledId) {
  EXPECT_EQ(FaultOf(Good("REO-010") + Good("REO-010")), "f.md:9: REO-010 is there twice");
  EXPECT_EQ(FaultOf(Good("MD-T-ab") + Good("MD-T-ab")), "f.md:9: MD-T-ab is there twice");
  Catalogue catalogue;
  EXPECT_EQ(catalogue.Add("model", "a.md", Good("ERR-001")), "");
  EXPECT_EQ(catalogue.Add("reorder", "b.md", Good("ERR-001")), "b.md:1: ERR-001 is there twice");
}

TEST(Catalogue, RefusesNumbersThatDoNotAscend) {
  EXPECT_EQ(FaultOf(Good("REO-011") + Good("XENG-001") + Good("REO-010")),
            "f.md:17: REO-010 comes after a higher number of its area");
  EXPECT_EQ(FaultOf(Good("REO-010") + Good("XENG-001") + Good("REO-011")), "");
}

TEST(Catalogue, RefusesAnAreaInTwoTopics) {
  Catalogue catalogue;
  EXPECT_EQ(catalogue.Add("model", "a.md", Good("ERR-001")), "");
  EXPECT_EQ(catalogue.Add("reorder", "b.md", Good("ERR-002")),
            "b.md:1: area ERR belongs to topic model");
}

TEST(Catalogue, RefusesAnUnknownLevel) {
  EXPECT_EQ(FaultOf(Good("REO-010", "ought")), "f.md:1: REO-010 has the unknown level 'ought'");
  EXPECT_EQ(FaultOf(Good("REO-010", "MUST")), "f.md:1: REO-010 has the unknown level 'MUST'");
  for (const std::string level : {"must", "should", "may", "rule", "optional-type"}) {
    EXPECT_EQ(FaultOf(Good("REO-010", level)), "");
  }
}

TEST(Catalogue, RefusesAMissingPart) {
  EXPECT_EQ(FaultOf("### REO-010 (must)\n\nSource: S1\n\nCheck: Direct.\n"),
            "f.md:1: REO-010 has no text");
  EXPECT_EQ(FaultOf("### REO-010 (must)\n\nText.\n\nSource:\n\nCheck: Direct.\n"),
            "f.md:1: REO-010 has no source");
  EXPECT_EQ(FaultOf("### REO-010 (must)\n\nText.\n\n" + Good("REO-011")),
            "f.md:1: REO-010 has no source");
  EXPECT_EQ(FaultOf("### REO-010 (must)\n\nText.\n\nSource: S1\n\nCheck:\n"),
            "f.md:1: REO-010 has no check");
  EXPECT_EQ(FaultOf("### REO-010 (must)\n\nText.\n\nCheck: Direct.\n"),
            "f.md:5: REO-010 has a check without a source before");
  EXPECT_EQ(FaultOf("### REO-010 (must)\n\nText.\n\nSource: S1\n\nSource: S2\n"),
            "f.md:7: REO-010 has a second source, or one too late");
}

TEST(Catalogue, RefusesAParagraphThatBelongsToNothing) {
  EXPECT_EQ(FaultOf("### REO-010 (must)\n\nText.\n\nMore.\n\nSource: S1\n\nCheck: Direct.\n"),
            "f.md:5: REO-010 has a paragraph that is neither Source: nor Check:");
  EXPECT_EQ(FaultOf(Good("REO-010") + "Stray.\n"),
            "f.md:9: REO-010 has a paragraph that is neither Source: nor Check:");
}

TEST(Catalogue, WritesIdentifiersAndData) {
  const std::vector<Entry> entries = {
      {"MD-T-nchw", "must", "memory", "a \"b\" \\ c", "S3", "Direct."},
      {"REO-041", "should", "reorder", "text", "S2", "check"}};
  EXPECT_EQ(WriteIdentifiers(entries),
            "// Written by //tools/requirements from spec/*/requirements.md.\n"
            "namespace spec {\n"
            "extern const Requirement MD_T_nchw;\n"
            "extern const Requirement REO_041;\n"
            "}  // namespace spec\n");
  const std::string data = WriteData(entries);
  EXPECT_NE(data.find("const Requirement MD_T_nchw = {\"MD-T-nchw\", Level::kMust, \"memory\",\n"
                      "    \"S3\",\n"
                      "    \"a \\\"b\\\" \\\\ c\",\n"
                      "    \"Direct.\"};\n"),
            std::string::npos)
      << data;
  EXPECT_NE(data.find("kRequirementCount = 2;"), std::string::npos);
}

}  // namespace
}  // namespace tools
