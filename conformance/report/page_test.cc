// What is made of results files that are written here.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <regex>
#include <string>

#include "conformance/report/badge.h"
#include "conformance/report/document.h"
#include "conformance/report/html.h"
#include "conformance/report/junit.h"
#include "conformance/report/scores.h"
#include "conformance/report/text.h"
#include "conformance/report/written.h"

namespace conformance {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

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
  std::ifstream file("spec/reading.md");
  const std::string page((std::istreambuf_iterator<char>(file)), {});
  const std::regex row("\\n\\| ([A-Z][0-9]?)(:x)? \\| ");
  const std::string html = ToHtml(Typical());
  int rows = 0;
  for (std::sregex_iterator i(page.begin(), page.end(), row), end; i != end; ++i, ++rows)
    EXPECT_THAT(html, HasSubstr("<dt id=\"source-" + i->str(1) + "\">"));
  EXPECT_EQ(rows, 11);
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

TEST(Html, TellsRunsOfOneTitleApartByTheirDates) {
  Document document = Typical();
  document.runs[0].date = "2026-11-23T07:30:00Z";
  EXPECT_THAT(ToHtml(document), HasSubstr("<th scope=\"col\">vendor 2.6.3 (cpu)</th>"));
  EXPECT_THAT(ToHtml(document), HasSubstr("dnnspec 0.1.0, 2026-11-23T07:30:00Z, "));
  document.runs.push_back(document.runs[0]);
  document.runs[1].date = "2026-11-24<T>";
  const std::string html = ToHtml(document);
  EXPECT_THAT(html, HasSubstr("<h2>vendor 2.6.3 (cpu), 2026-11-23T07:30:00Z</h2>"));
  EXPECT_THAT(html, HasSubstr("<th scope=\"col\">vendor 2.6.3 (cpu), 2026-11-24&lt;T&gt;</th>"));
  EXPECT_THAT(html, HasSubstr("data-subject=\"vendor 2.6.3 (cpu), 2026-11-24&lt;T&gt;\""));
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

}  // namespace
}  // namespace conformance
