// What is made of results files that are written here.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <regex>
#include <string>

#include "conformance/report/badge.h"
#include "conformance/report/diff.h"
#include "conformance/report/document.h"
#include "conformance/report/html.h"
#include "conformance/report/junit.h"
#include "conformance/report/scores.h"
#include "conformance/report/text.h"

namespace conformance {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

std::string Requirement(const std::string& id, const std::string& verdict,
                        const std::string& more = "") {
  const std::string verdict_json =
      verdict == "not_run" ? "\"not_run\": \"no GPU engine\"" : "\"verdict\": \"" + verdict + "\"";
  return "{\"id\": \"" + id +
         "\", \"level\": \"MUST\", \"topic\": \"shuffle\", \"text\": \"Text of " + id + ".\", " +
         verdict_json + ", \"cases\": 1234, \"seconds\": 0.5, \"properties\": " +
         "[{\"classes\": {\"f32\": {\"run\": 3}, \"s8\": {\"run\": 0}}}]" + more + "}";
}

const char kFailure[] =
    ", \"failures\": [{\"property\": \"SHU-020\", \"case\": \"SHU-020 a=1\", \"minimal\": "
    "\"SHU-020 a=0\", \"where\": \"dst[<b>]\", \"expected\": \"1\", \"got\": \"2 & 3\", "
    "\"signal\": null, \"count\": 5, \"warning\": false, \"alone\": true, \"replay\": "
    "\"tools/conform --case='SHU-020 a=0'\", \"reproducer\": \"reproducers/SHU-020.cc\"}]";

// A file of one subject.
std::string File(const std::string& requirements, const std::string& more = "") {
  return "{\"format\": 1, \"suite\": \"dnnspec 0.1.0\", \"subject\": \"vendor\", \"version\": "
         "\"2.6.3\", \"run\": {\"seed\": 7, \"engine\": \"cpu\", \"profile\": \"portable\", "
         "\"command\": \"tools/conform\", \"seconds\": 2.5}, \"problems\": [], \"requirements\": "
         "[" +
         requirements + "]" + more + "}";
}

Document Parse(const std::string& text) {
  Document document = ParseDocument(text, "r.json");
  EXPECT_EQ(document.error, "");
  return document;
}

Document Typical() {
  return Parse(File(Requirement("SHU-001", "pass") + "," + Requirement("SHU-002", "not_run") + "," +
                        Requirement("SHU-020", "fail", kFailure),
                    ", \"claims\": {\"file\": \"my.claims\", \"verdicts\": [{\"topic\": "
                    "\"shuffle\", \"part\": null, \"verdict\": \"non-conformant\"}, {\"topic\": "
                    "\"shuffle\", \"part\": \"f32\", \"verdict\": \"conformant\"}]}"));
}

size_t Place(const std::string& text, const std::string& part) {
  const size_t at = text.find(part);
  EXPECT_NE(at, std::string::npos) << part;
  return at;
}

TEST(Document, HoldsWhatTheFileSays) {
  const Document document = Typical();
  ASSERT_EQ(document.runs.size(), 1u);
  const RecordedRun& run = document.runs[0];
  EXPECT_EQ(run.Title(), "vendor 2.6.3 (cpu)");
  EXPECT_EQ(run.seed, 7u);
  EXPECT_EQ(run.cases, 3 * 1234);
  EXPECT_EQ(run.Count("pass"), 1);
  EXPECT_EQ(run.Find("SHU-002")->reason, "no GPU engine");
  EXPECT_EQ(run.Find("SHU-001")->classes, 1);
  EXPECT_EQ(run.Find("SHU-020")->failures.at(0).reproducer, "reproducers/SHU-020.cc");
  EXPECT_EQ(run.claims.at(1).part, "f32");
  EXPECT_EQ(run.Find("SHU-999"), nullptr);
}

TEST(Document, MayHoldSeveralSubjects) {
  const std::string one = File(Requirement("SHU-001", "pass"));
  EXPECT_EQ(Parse("{\"format\": 1, \"subjects\": [" + one + "," + one + "]}").runs.size(), 2u);
}

TEST(Document, SaysWhatIsWrongWithAFile) {
  const auto error = [](const std::string& text) { return ParseDocument(text, "r.json").error; };
  EXPECT_THAT(error(""), StartsWith("r.json: no results of this suite: "));
  EXPECT_THAT(error("{"), StartsWith("r.json: no results of this suite: "));
  EXPECT_EQ(error("[]"), "r.json: no results of this suite: the document is no object");
  EXPECT_EQ(error("{\"format\": \n?"),
            "r.json: no results of this suite: it is no JSON: line 2, column 1");
  EXPECT_EQ(error(File(Requirement("SHU-001", "pass"), ", \"problems\": [3]")),
            "r.json: no results of this suite: 'problems' holds a number");
  EXPECT_EQ(error(File(Requirement("SHU-001", "\\u001b[31m"))),
            "r.json: no results of this suite: SHU-001: '\\x1b[31m' is no verdict");
  EXPECT_EQ(error("{}"), "r.json: no results of this suite: 'format' is missing");
  EXPECT_EQ(error("{\"format\": 1e96}"),
            "r.json: no results of this suite: 'format' is 1e+96, which is no integer of 32 bits");
  EXPECT_EQ(error("{\"format\": 4294967297}"),
            "r.json: no results of this suite: 'format' is 4294967297, which is no integer of 32 "
            "bits");
  EXPECT_EQ(error("{\"format\": 9}"),
            "r.json: no results of this suite: 'format' is 9, and known is 1");
  EXPECT_EQ(error("{\"format\": 1, \"subjects\": []}"),
            "r.json: no results of this suite: it has no subject");
  EXPECT_EQ(error("{\"format\": 1, \"suite\": 3}"),
            "r.json: no results of this suite: 'suite' is a number");
  EXPECT_EQ(error(File(Requirement("SHU-001", "splendid"))),
            "r.json: no results of this suite: SHU-001: 'splendid' is no verdict");
  EXPECT_EQ(error(File(Requirement("SHU-001", "pass") + "," + Requirement("SHU-001", "fail"))),
            "r.json: no results of this suite: SHU-001 stands twice in one run");
  EXPECT_EQ(error(File("{\"id\": \"SHU-001\"}")),
            "r.json: no results of this suite: 'level' is missing");
  EXPECT_EQ(error(File(Requirement("SHU-001", "pass", ", \"cases\": -5"))),
            "r.json: no results of this suite: 'cases' is -5, which is no count");
  EXPECT_EQ(error(File(Requirement("SHU-001", "pass", ", \"seconds\": -0.5"))),
            "r.json: no results of this suite: 'seconds' is -0.5, which is no time");
  for (const char* name : {"..", "", "a/b", "\\u001b[31m", "caf\\u00e9"})
    EXPECT_THAT(error(File("", std::string(", \"subject\": \"") + name + "\"")),
                HasSubstr(" is no name of a subject: "));
  const std::string many = ", \"cases\": 9223372036854775807";
  EXPECT_EQ(error(File(Requirement("SHU-001", "pass", many) + "," +
                       Requirement("SHU-002", "pass", many))),
            "r.json: no results of this suite: the cases of all requirements are more than 63 bits "
            "count");
  EXPECT_EQ(error(File("", ", \"deep\": " + std::string(100, '[') + std::string(100, ']'))),
            "r.json: no results of this suite: values are nested deeper than 64");
}

TEST(Html, PutsTheWorstFirst) {
  const std::string html = ToHtml(Typical());
  const size_t failed = Place(html, "<tr id=\"SHU-020\" class=\"v-fail t-shuffle l-must\">");
  const size_t passed = Place(html, "<tr id=\"SHU-001\" class=\"v-pass t-shuffle l-must\">");
  const size_t not_run = Place(html, "<tr id=\"SHU-002\" class=\"v-not-run t-shuffle l-must\">");
  EXPECT_LT(failed, passed);
  EXPECT_LT(passed, not_run);
}

TEST(Html, HasWhatAPersonNeedsToSeeAFailure) {
  const std::string html = ToHtml(Typical());
  for (const char* part :
       {"<code>SHU-020 a=0</code>", "dst[&lt;b&gt;]", "<code>2 &amp; 3</code>",
        ">tools/conform <span class=\"flag\">--case</span>='SHU-020 a=0'</pre>",
        "reproducers/SHU-020.cc", "spec/shuffle/requirements.md", "Text of SHU-020.",
        "Claims of my.claims", "non-conformant", "1,234 cases, 1 class, 0.5 s"})
    EXPECT_THAT(html, HasSubstr(part));
  EXPECT_THAT(html, Not(HasSubstr("<b>")));
}

TEST(Html, TellsACauseOnce) {
  const std::string html = ToHtml(Parse(File(Requirement("SHU-020", "fail", kFailure) + "," +
                                             Requirement("SHU-021", "fail", kFailure))));
  EXPECT_THAT(html, HasSubstr("<caption>1 cause behind 2 failures; "));
  EXPECT_THAT(html,
              HasSubstr("<th scope=\"row\">dst[&lt;b&gt;]: expected #, got # &amp; #</th><td>2 "
                        "failures, 10 cases</td><td><a href=\"#SHU-020\">SHU-020</a>, <a "
                        "href=\"#SHU-021\">SHU-021</a></td>"));
  const std::string closed = "<details class=\"failure\"><summary>of one cause with SHU-020: ";
  EXPECT_GT(Place(html, closed), Place(html, "<tr id=\"SHU-021\""));
  EXPECT_THAT(html, HasSubstr("<div class=\"failure\">"));
  // Where each has its own there is nothing to say.
  EXPECT_THAT(ToHtml(Typical()), Not(HasSubstr("class=\"causes")));
  EXPECT_THAT(ToHtml(Typical()), Not(HasSubstr(closed)));
}

TEST(Html, TakesNoMarkupFromAFile) {
  const std::string script = "<script>alert(1)</script>";
  Document document =
      Parse(File(Requirement("SHU-001", "pass"),
                 ", \"claims\": {\"file\": \"" + script + "\", \"verdicts\": [{\"topic\": \"" +
                     script + "\", \"part\": null, \"verdict\": \"" + script +
                     "\"}, {\"topic\": \"reorder\", \"part\": \"" + script +
                     "\", \"verdict\": \"conformant\"}]}, \"version\": \"" + script +
                     "\", \"problems\": [\"" + script + "\"]"));
  document.runs[0].subject = script;
  const std::string html = ToHtml(document);
  EXPECT_THAT(html, HasSubstr("&lt;script&gt;"));
  EXPECT_THAT(html, Not(HasSubstr(script)));
}

TEST(Html, HasAColumnOfMutantsWhereTheyAreGiven) {
  constexpr char kMutants[] =
      "{\"mutants\": [{\"mutant\": \"off-by-one\", \"why\": \"a < b\", \"killed\": true, "
      "\"killed_by\": "
      "[\"SHU-020\", \"SHU-021\"], \"requirements\": \"SHU-020 SHU-001\"}, {\"mutant\": \"lazy\", "
      "\"why\": "
      "\"w\", \"killed\": false, \"killed_by\": [], \"requirements\": \"SHU-020\"}, {\"mutant\": "
      "\"wide\", \"why\": \"w\", "
      "\"killed\": false, \"killed_by\": [], \"requirements\": \"SHU-020\", "
      "\"out_of_reach\": \"its code is for >=AVX3\"}]}";
  Scores scores;
  ASSERT_EQ(AddScores(kMutants, "m.json", &scores), "");
  const std::string html = ToHtml(Typical(), {&scores, ""});
  EXPECT_THAT(html, HasSubstr("<th scope=\"col\">mutants killed</th>"));
  EXPECT_THAT(html, HasSubstr("<span class=\"chip alive\">1 of 2</span>"));   // SHU-020
  EXPECT_THAT(html, HasSubstr("<span class=\"chip killed\">1 of 1</span>"));  // SHU-001
  EXPECT_THAT(html, HasSubstr("<code>off-by-one</code>: a &lt; b (by SHU-020 SHU-021)"));
  EXPECT_THAT(ToHtml(Typical()), Not(HasSubstr("mutants killed")));
}

TEST(Html, SaysWhatIsWrongWithAFileOfMutants) {
  Scores scores;
  for (const char* text :
       {"", "[]", "{}", "{\"mutants\": [{}]}", "{\"mutants\": [{\"mutant\": 3}]}"}) {
    const std::string problem = AddScores(text, "m.json", &scores);
    EXPECT_THAT(problem, StartsWith("m.json: no mutants.json of this suite: "));
    EXPECT_EQ(problem.find('\n'), std::string::npos);
    EXPECT_TRUE(scores.empty());
  }
}

TEST(Html, LinksARequirementToItsSource) {
  const std::string html = ToHtml(Typical());
  // SHU-020 is of S1, and its page is at the foot.
  EXPECT_THAT(html, HasSubstr("<a href=\"#source-S1\">S1</a>"));
  EXPECT_THAT(html, HasSubstr("<dt id=\"source-S1\">S1</dt>"));
  EXPECT_THAT(html, Not(HasSubstr("https:")));
  EXPECT_THAT(
      ToHtml(Typical(), {nullptr, "https://example.com/a&b"}),
      HasSubstr(
          "<a href=\"https://example.com/a&amp;b/spec/shuffle/requirements.md#shu-020-must\">"));
}

TEST(Html, ShowsCodeAsCodeAndLinksOracles) {
  Document document = Typical();
  RecordedRun& run = document.runs[0];
  run.requirements[0].text = "`f32` is `<b>`, SHU-020 is `SHU-020`, and ` alone. A case.";
  const std::string html = ToHtml(document);
  EXPECT_THAT(html, HasSubstr("<p><code>f32</code> is <code>&lt;b&gt;</code>, <a "
                              "href=\"#SHU-020\">SHU-020</a> is <code><a "
                              "href=\"#SHU-020\">SHU-020</a></code>, and ` alone. A case.</p>"));
  EXPECT_THAT(html, HasSubstr("<span class=\"text\"><code>f32</code> is <code>&lt;b&gt;</code>, "
                              "SHU-020 is <code>SHU-020</code>, and ` alone. A case.</span>"));
  // What a subject says is no sentence of the catalogue.
  run.requirements[1].reason = "`x`";
  EXPECT_THAT(ToHtml(document), HasSubstr("<p>`x`</p>"));
  run.requirements[0].id = "DT-011";  // seen by an oracle
  EXPECT_THAT(ToHtml(document), HasSubstr("<a href=\"#source-ORC\">ORC-CVT</a>"));
}

TEST(Html, KeepsFlagsOfACommandInOnePiece) {
  Document document = Typical();
  document.runs[0].command = "tools/conform --plugin=./my-lib.so  --list '-x'";
  EXPECT_THAT(ToHtml(document),
              HasSubstr(">tools/conform <span class=\"flag\">--plugin</span>=./my-lib.so  <span "
                        "class=\"flag\">--list</span> '-x'</pre>"));
}

TEST(Html, LinksRequirementsToEachOther) {
  Document document = Typical();
  document.runs[0].requirements[0].text = "As SHU-020, SHU-0200, SHU-999 and S1.";
  EXPECT_THAT(ToHtml(document),
              HasSubstr("<p>As <a href=\"#SHU-020\">SHU-020</a>, SHU-0200, SHU-999 and S1.</p>"));
}

TEST(Html, ExplainsTheSourcesThatTheSpecificationHas) {
  std::ifstream file("spec/README.md");
  const std::string readme((std::istreambuf_iterator<char>(file)), {});
  const std::regex row("\\n\\| ([A-Z][0-9]?)(:x)? \\| ");
  const std::string html = ToHtml(Typical());
  int rows = 0;
  for (std::sregex_iterator i(readme.begin(), readme.end(), row), end; i != end; ++i, ++rows)
    EXPECT_THAT(html, HasSubstr("<dt id=\"source-" + i->str(1) + "\">"));
  EXPECT_EQ(rows, 10);
}

TEST(Html, NeedsNothingFromElsewhere) {
  const std::string html = ToHtml(Typical());
  for (const char* part : {"src=", "href=\"http", "url(", "@import", "<link"})
    EXPECT_THAT(html, Not(HasSubstr(part)));
}

TEST(Html, FiltersWithoutAScript) {
  const std::string html = ToHtml(Typical());
  for (const char* name : {"v-fail", "v-pass", "t-shuffle", "l-must"}) {
    EXPECT_THAT(html, HasSubstr("id=\"f-" + std::string(name) + "\" checked"));
    EXPECT_THAT(html, HasSubstr("body:has(#f-" + std::string(name) + ":not(:checked)) tr." + name));
  }
}

TEST(Html, HidesWhereSubjectsAreAlikeWithoutAScript) {
  const auto page = [](const std::string& one, const std::string& other) {
    return ToHtml(Parse("{\"format\": 1, \"subjects\": [" + one + "," + other + "]}"));
  };
  const std::string both = Requirement("SHU-001", "pass");
  const std::string html =
      page(File(both + "," + Requirement("SHU-002", "pass") + "," + Requirement("SHU-003", "pass")),
           File(both + "," + Requirement("SHU-002", "weak")));
  EXPECT_THAT(html, HasSubstr("<tr id=\"SHU-001\" class=\"v-pass t-shuffle l-must alike\">"));
  EXPECT_THAT(html, HasSubstr("<tr id=\"SHU-002\" class=\"v-weak t-shuffle l-must\">"));
  EXPECT_THAT(html, HasSubstr("<tr id=\"SHU-003\" class=\"v-pass t-shuffle l-must\">"));
  EXPECT_THAT(html, HasSubstr("body:has(#f-differ:checked) tr.alike{display:none}"));
  EXPECT_THAT(html, HasSubstr("id=\"f-differ\">"));
  EXPECT_THAT(ToHtml(Typical()), Not(HasSubstr("f-differ")));
}

TEST(Html, HasATableOfConversions) {
  const auto page = [](const char* verdict) {
    std::string requirement = Requirement("REO-040", "fail", kFailure);
    requirement.replace(Place(requirement, "\"properties\": ["),
                        std::string_view("\"properties\": [").size(),
                        std::string("\"properties\": [{\"name\": \"REO-040/f32-s8\", "
                                    "\"verdict\": \"") +
                            verdict + "\"}, ");
    return ToHtml(Parse(File(requirement)));
  };
  EXPECT_THAT(page("fail"), HasSubstr("<span class=\"chip fail\">fail</span><small><a "
                                      "href=\"#REO-040\">REO-040</a></small></td>"));
  EXPECT_THAT(page("pass"), HasSubstr("<td><span class=\"chip pass\">pass</span></td>"));
  EXPECT_THAT(ToHtml(Typical()), Not(HasSubstr("class=\"conversions\"")));
}

TEST(Html, CarriesWhatAssistiveProgramsRead) {
  const std::string html = ToHtml(Typical());
  for (const char* part : {"<html lang=\"en\">", "<title>", "<caption>", "scope=\"col\"",
                           "scope=\"row\"", "<legend>", "<main>", "name=\"viewport\""})
    EXPECT_THAT(html, HasSubstr(part));
}

TEST(Badge, IsRedWhenSomethingFails) {
  EXPECT_THAT(ToBadge(Typical()), HasSubstr("non-conformant, 1 of 2"));
  EXPECT_THAT(ToBadge(Typical()), HasSubstr("#b3261e"));
  const std::string passed = ToBadge(Parse(File(Requirement("SHU-001", "pass"))));
  EXPECT_THAT(passed, HasSubstr("dnnspec: 1 of 1"));
  EXPECT_THAT(passed, Not(HasSubstr("#b3261e")));
}

TEST(Badge, OfNothingSaysSo) {
  const std::string none = ToBadge(Parse(File(Requirement("SHU-001", "not_run"))));
  EXPECT_THAT(none, HasSubstr("dnnspec: nothing run"));
  EXPECT_THAT(none, HasSubstr("#5f6368"));
}

TEST(Text, NamesWhatIsRed) {
  const std::string text = ToText(Typical());
  EXPECT_THAT(text, StartsWith("vendor 2.6.3 (cpu), portable profile, seed 7: 3 requirements, "
                               "1 pass, 1 fail, 1 not run; 3,702 cases in 2.5 s\n"));
  EXPECT_THAT(text, HasSubstr("  fail  SHU-020  Text of SHU-020.\n"));
  EXPECT_THAT(text, HasSubstr("  claim shuffle: non-conformant\n"));
}

TEST(Text, TellsWhatIsBehindSeveralFailures) {
  EXPECT_THAT(ToText(Parse(File(Requirement("SHU-020", "fail", kFailure) + "," +
                                Requirement("SHU-021", "fail", kFailure)))),
              HasSubstr("\n  1 cause behind 2 failures\n"
                        "    dst[<b>]: expected #, got # & #: SHU-020, SHU-021\n"));
  EXPECT_THAT(ToText(Typical()), Not(HasSubstr("behind")));
}

TEST(Text, CountsOneAsOne) {
  EXPECT_THAT(ToText(Parse(File(Requirement("SHU-001", "pass")))),
              HasSubstr("seed 7: 1 requirement, 1 pass; 1,234 cases in "));
}

TEST(Text, ShowsControlCharactersAsNumbers) {
  Document document = Typical();
  document.runs[0].requirements[2].failures[0].got = "\x1b[2J";
  EXPECT_THAT(ToText(document), HasSubstr("    got       \\x1b[2J\n"));
}

TEST(Junit, ASuiteErrorIsNoFailureOfTheSubject) {
  const std::string xml =
      ToJunit(Parse(File(Requirement("SHU-001", "suite_error", ", \"reason\": \"died\"") + "," +
                         Requirement("SHU-002", "weak"))));
  EXPECT_THAT(xml, HasSubstr("<error type=\"suite_error\" message=\"died\"></error>"));
  EXPECT_THAT(xml, HasSubstr("<testsuites tests=\"2\" failures=\"0\" errors=\"1\" skipped=\"0\">"));
  EXPECT_THAT(xml, Not(HasSubstr("<failure")));
}

TEST(Junit, OfSeveralSubjectsHasTheSum) {
  const std::string one =
      File(Requirement("SHU-001", "pass") + "," + Requirement("SHU-020", "fail", kFailure));
  EXPECT_THAT(ToJunit(Parse("{\"format\": 1, \"subjects\": [" + one + "," + one + "]}")),
              HasSubstr("<testsuites tests=\"4\" failures=\"2\" skipped=\"0\">"));
}

TEST(Diff, OfTheSameIsNothing) {
  const Difference difference = Compare(Typical(), Typical());
  EXPECT_EQ(difference.text, "vendor 2.6.3 (cpu): 0 changed, 3 the same\n");
  EXPECT_FALSE(difference.worse);
}

TEST(Diff, ComparesRunsOfOneSubjectInTheirOrder) {
  const std::string passed = File(Requirement("SHU-001", "pass")),
                    failed = File(Requirement("SHU-001", "fail", kFailure));
  const auto both = [](const std::string& one, const std::string& other) {
    return Parse("{\"format\": 1, \"subjects\": [" + one + "," + other + "]}");
  };
  EXPECT_FALSE(Compare(both(passed, failed), both(passed, failed)).worse);
  EXPECT_TRUE(Compare(both(passed, failed), both(failed, failed)).worse);
}

TEST(Diff, TellsWhatGotWorseFirst) {
  const Document before =
      Parse(File(Requirement("SHU-001", "fail", kFailure) + "," + Requirement("SHU-002", "pass") +
                 "," + Requirement("SHU-003", "pass")));
  const Document after =
      Parse(File(Requirement("SHU-001", "pass") + "," + Requirement("SHU-002", "fail", kFailure) +
                 "," + Requirement("SHU-004", "pass")));
  const Difference difference = Compare(before, after);
  EXPECT_EQ(difference.text,
            "vendor 2.6.3 (cpu): 4 changed, 0 the same\n"
            "  worse   SHU-002  pass -> fail: SHU-020 a=0\n"
            "  gone    SHU-003  was pass\n"
            "  better  SHU-001  fail -> pass\n"
            "  new     SHU-004  pass\n");
  EXPECT_TRUE(difference.worse);
  EXPECT_TRUE(Compare(after, before).worse);  // SHU-004 is gone then
}

TEST(Diff, WhatIsNewMayNotFail) {
  const std::string passed = Requirement("SHU-001", "pass");
  const Document before = Parse(File(passed));
  EXPECT_FALSE(Compare(before, Parse(File(passed + "," + Requirement("SHU-002", "weak")))).worse);
  EXPECT_TRUE(
      Compare(before, Parse(File(passed + "," + Requirement("SHU-002", "fail", kFailure)))).worse);
  Document none = before;
  none.runs.clear();
  EXPECT_FALSE(Compare(none, before).worse);
  EXPECT_TRUE(Compare(none, Typical()).worse);
}

TEST(Diff, OneRunIsComparedWithOneWhateverTheSubjectsAreCalled) {
  Document before = Parse(File(Requirement("SHU-001", "pass")));
  const Document after = Parse(File(Requirement("SHU-001", "fail", kFailure)));
  before.runs[0].subject = "vendor-1.0";
  before.runs[0].profile = "project";
  const Difference difference = Compare(before, after);
  EXPECT_TRUE(difference.worse);
  EXPECT_EQ(difference.text,
            "not alike: vendor-1.0 2.6.3 (cpu), project against vendor 2.6.3 (cpu), portable\n"
            "vendor 2.6.3 (cpu): 1 changed, 0 the same\n"
            "  worse   SHU-001  pass -> fail: SHU-020 a=0\n"
            "  cause   new  dst[<b>]: expected #, got # & #: SHU-001\n");
}

TEST(Diff, NamesTheCausesOfOneRunAlone) {
  Document before = Parse(File(Requirement("SHU-001", "fail", kFailure) + "," +
                               Requirement("SHU-002", "fail", kFailure)));
  Document after = before;
  for (RecordedRequirement& requirement : after.runs[0].requirements)
    requirement.failures[0].where = "src";
  after.runs[0].requirements[0].failures.push_back(before.runs[0].requirements[0].failures[0]);
  const Difference difference = Compare(before, after);
  EXPECT_EQ(difference.text,
            "vendor 2.6.3 (cpu): 0 changed, 2 the same\n"
            "  cause   new  src: expected #, got # & #: SHU-001, SHU-002\n");
  // Another draw may show a cause that was there before.
  EXPECT_FALSE(difference.worse);
  after.runs[0].requirements[0].failures.pop_back();
  EXPECT_THAT(Compare(before, after).text,
              HasSubstr("  cause   gone  dst[<b>]: expected #, got # & #: SHU-001, SHU-002\n"));
}

TEST(Diff, ComparesPropertiesWhereTheVerdictIsTheSame) {
  const auto with = [](const char* first, const char* second) {
    std::string requirement = Requirement("SHU-020", "fail", kFailure);
    const std::string properties =
        std::string("\"properties\": [{\"name\": \"SHU-020\", \"verdict\": \"") + first +
        "\"}, {\"name\": \"SHU-020/large\", \"verdict\": \"" + second + "\"}], \"old\": [";
    requirement.replace(Place(requirement, "\"properties\": ["),
                        std::string_view("\"properties\": [").size(), properties);
    return Parse(File(requirement));
  };
  const Difference difference = Compare(with("pass", "fail"), with("fail", "pass"));
  EXPECT_EQ(difference.text,
            "vendor 2.6.3 (cpu): 1 changed, 0 the same\n"
            "  worse   SHU-020  pass -> fail: SHU-020 a=0\n"
            "  better  SHU-020/large  fail -> pass\n"
            "  cause   new  dst[<b>]: expected #, got # & #: SHU-020\n");
  EXPECT_TRUE(difference.worse);
  EXPECT_FALSE(Compare(with("fail", "fail"), with("fail", "pass")).worse);
}

TEST(Diff, SaysHowTheRunsWereAskedDifferently) {
  Document before = Typical(), after = Typical();
  before.runs[0].asked = 2000;
  after.runs[0].asked = 400;
  after.runs[0].seed = 8;
  after.runs[0].claims_file = "other.claims";
  EXPECT_THAT(Compare(before, after).text,
              StartsWith("asked differently: seed 7 -> 8, cases 2000 -> 400, claims my.claims -> "
                         "other.claims\nvendor 2.6.3 (cpu): 0 changed"));
  EXPECT_FALSE(Compare(before, after).worse);
}

TEST(Diff, APassThatIsNoLongerRunIsWorseAndTheOppositeBetter) {
  const Document passed = Parse(File(Requirement("SHU-001", "pass")));
  const Document not_run = Parse(File(Requirement("SHU-001", "not_run")));
  EXPECT_TRUE(Compare(passed, not_run).worse);
  EXPECT_FALSE(Compare(not_run, passed).worse);
}

}  // namespace
}  // namespace conformance
