// What a browser makes of a page: on a phone, in the dark, without a script, and for programs that
// read it aloud. Skipped where there is no chromium.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <vector>

#include "conformance/report/document.h"
#include "conformance/report/html.h"
#include "conformance/report/markup.h"
#include "conformance/report/scores.h"
#include "nlohmann/json.hpp"
#include "tools/testing/command.h"

namespace conformance {
namespace {

using nlohmann::json;
using testing::Contains;
using testing::IsEmpty;
using tools::Outcome;

constexpr char kBrowser[] = "/usr/bin/chromium";

RecordedRequirement Requirement(const std::string& id, const std::string& verdict) {
  RecordedRequirement requirement;
  requirement.id = id;
  requirement.level = "MUST";
  requirement.topic = "shuffle";
  requirement.text = "See SHU-003: `a_name_that_is_long_and_cannot_be_broken_anywhere_at_all::x`.";
  requirement.verdict = verdict;
  requirement.cases = 12345;
  requirement.seconds = 0.25;
  return requirement;
}

// Every verdict, claims of every kind, and words longer than a phone is wide.
Document Everything() {
  const std::string word(300, 'w');
  RecordedRun run;
  run.suite = "dnnspec 0.1.0";
  run.subject = "vendor";
  run.version = "2.6.3";
  run.engine = "cpu";
  run.profile = "portable";
  run.command = "tools/conform --plugin=./" + word;
  run.claims_file = "my.claims";
  for (const char* verdict : {"conformant", "partial", "non-conformant", "not claimed"}) {
    run.claims.push_back({verdict, "", verdict});
    run.claims.push_back({verdict, "f32", verdict});
  }
  run.problems = {"SHU-009: " + word};
  int number = 1;
  for (const char* verdict :
       {"pass", "not_run", "expected_failure", "weak", "suite_error", "unexpected_pass", "fail"})
    run.requirements.push_back(Requirement("SHU-00" + std::to_string(number++), verdict));
  RecordedFailure failure;
  failure.minimal = failure.where = failure.expected = failure.got = failure.replay = word;
  failure.signal = "SIGSEGV";
  failure.reproducer = word;
  failure.count = 7;
  // One cause of several, and a table of conversions.
  run.requirements.back().failures = {failure, failure};
  run.requirements.back().properties = {{"SHU-007/f32-s8", "fail", "", {}},
                                        {"SHU-007/f16-s8", "expected_failure", "", {}}};
  Document document;
  document.runs = {run, run};
  document.runs[1].subject = word;
  return document;
}

std::string PageOf(const Document& document) {
  Scores scores;
  EXPECT_EQ(AddScores("{\"mutants\": [{\"mutant\": \"m1\", \"why\": \"wrong\", \"killed\": true, "
                      "\"killed_by\": [\"SHU-001\"], \"requirements\": \"SHU-001 SHU-002\"}, "
                      "{\"mutant\": \"m2\", \"why\": \"wrong\", \"killed\": false, "
                      "\"killed_by\": [], \"requirements\": \"SHU-001\"}]}",
                      "m.json", &scores),
            "");
  return ToHtml(document, {&scores, "https://example.com/repository"});
}

// Puts what is measured where --dump-dom shows it. `inside` is the page's document.
constexpr char kMeasure[] = R"js(
const inside = document.querySelector("iframe").contentDocument;
const view = inside.defaultView;
for (const details of inside.querySelectorAll("details")) details.open = true;
const shown = (element) => element.getClientRects().length > 0;
const channels = (color) => {
  const [r, g, b, a] = color.match(/[\d.]+/g).map(Number);
  return a === 0 ? null : [r, g, b];
};
const luminance = (rgb) => {
  const [r, g, b] = rgb.map((c) => {
    c /= 255;
    return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const ground = (element) => {
  for (; element; element = element.parentElement) {
    const color = channels(view.getComputedStyle(element).backgroundColor);
    if (color) return color;
  }
  return [255, 255, 255];
};
const contrast = (element) => {
  const a = luminance(channels(view.getComputedStyle(element).color));
  const b = luminance(ground(element));
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
};
const words = (element) =>
  [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
const all = [...inside.body.querySelectorAll("*")].filter((e) => shown(e) && e.tagName !== "SCRIPT");
const name = (e) => e.tagName.toLowerCase() + (e.className ? "." + e.className : "") +
  (e.id ? "#" + e.id : "");
const ids = [...inside.querySelectorAll("[id]")].map((e) => e.id);
const measured = {
  width: inside.documentElement.clientWidth,
  scroll: inside.documentElement.scrollWidth,
  texts: all.filter(words).length,
  faint: all.filter((e) => words(e) && contrast(e) < 4.5).map((e) => name(e) + " " + contrast(e)),
  ground: luminance(ground(inside.body)),
  display: view.getComputedStyle(inside.querySelector(".matrix")).display,
  unscoped: [...inside.querySelectorAll("th:not([scope])")].map(name),
  captionless: [...inside.querySelectorAll("table")].filter((e) => !e.caption).map(name),
  unlabelled: [...inside.querySelectorAll("input")].filter((e) => e.labels.length === 0).map(name),
  untitled: [...inside.querySelectorAll("fieldset")]
    .filter((e) => !e.querySelector("legend")).map(name),
  nameless: [...inside.querySelectorAll("a, button, summary")]
    .filter((e) => !e.textContent.trim()).map(name),
  doubled: ids.filter((id, at) => ids.indexOf(id) !== at),
  dead: [...inside.querySelectorAll("a[href^='#']")].map((e) => e.getAttribute("href"))
    .filter((href) => !inside.getElementById(href.slice(1))),
  mains: inside.querySelectorAll("main").length,
  headers: inside.querySelectorAll("body > header").length,
  language: inside.documentElement.lang,
  headings: [...inside.querySelectorAll("h1, h2, h3, h4")].map((e) => Number(e.tagName[1])),
  broken: [...inside.querySelectorAll(".claims tbody th, .claims thead th")].filter((e) => {
    const range = inside.createRange();
    range.selectNodeContents(e);
    return range.getClientRects().length > 1;
  }).map((e) => e.textContent),
  topics: inside.querySelectorAll(".claims tbody th").length,
  buttons: inside.querySelectorAll(".copy button").length,
};
const box = inside.getElementById("f-v-pass");
const pass = inside.querySelector("tr.v-pass");
measured.before = shown(pass);
box.checked = false;
measured.after = shown(pass);
document.body.textContent = "MEASURED" + JSON.stringify(measured) + "END";
)js";

struct Setting {
  int width = 1200;
  bool dark = false;
  bool script = true;
};

class Browser : public testing::Test {
 protected:
  void SetUp() override {
    if (access(kBrowser, X_OK) != 0) GTEST_SKIP() << "there is no chromium";
  }

  // The page in a frame of the given width, looked at from outside.
  json Measure(const Setting& setting) {
    folder_.Write("page.html",
                  "<!DOCTYPE html><html><body style=\"margin:0\"><iframe onload=\"measure()\" " +
                      std::string(setting.script ? "" : "sandbox=\"allow-same-origin\" ") +
                      "style=\"border:0\" width=\"" + std::to_string(setting.width) +
                      "\" height=\"800\" srcdoc=\"" + EscapedForMarkup(PageOf(Everything())) +
                      "\"></iframe><script>function measure() {" + kMeasure +
                      "}</script></body></html>");
    return Show("page.html", setting.dark);
  }

  // What a file of the folder, with an address behind its name, puts where --dump-dom shows it.
  json Show(const std::string& page, bool dark = false) {
    const Outcome outcome = tools::Run(
        {kBrowser, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
         "--user-data-dir=" + (folder_ / "profile"), "--virtual-time-budget=2000",
         std::string("--blink-settings=preferredColorScheme=") + (dark ? "0" : "1"), "--dump-dom",
         "file://" + (folder_ / page)},
        {{"HOME", folder_.path()}, {"PATH", "/usr/bin:/bin"}}, folder_.path());
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    const size_t begin = outcome.out.find("<body"), start = outcome.out.find("MEASURED", begin);
    const size_t end = outcome.out.find("END", start);
    if (end == std::string::npos) {
      ADD_FAILURE() << outcome.out.substr(0, 2000) << outcome.err;
      return json::object();
    }
    std::string text = outcome.out.substr(start + 8, end - start - 8);
    for (const auto& [entity, character] : std::vector<std::pair<std::string, std::string>>{
             {"&lt;", "<"}, {"&gt;", ">"}, {"&amp;", "&"}})
      for (size_t at; (at = text.find(entity)) != std::string::npos;)
        text.replace(at, entity.size(), character);
    return json::parse(text);
  }

  tools::Scratch folder_;
};

TEST_F(Browser, NeedsNoSidewaysScrollingAtAnyWidth) {
  for (const int width : {320, 390, 800, 1200}) {
    const json measured = Measure({width, false, true});
    EXPECT_LE(measured["scroll"], measured["width"]) << width;
    EXPECT_GT(measured["width"], width - 30);
    EXPECT_EQ(measured["display"], width < 720 ? "block" : "table") << width;
  }
}

TEST_F(Browser, BreaksNoTopicOfTheClaimsInTwo) {
  for (const int width : {390, 800, 1300}) {
    const json measured = Measure({width, false, true});
    EXPECT_GT(measured["topics"], 0);
    EXPECT_THAT(measured["broken"], IsEmpty()) << width << ": " << measured["broken"];
  }
}

TEST_F(Browser, CanBeReadInTheLightAndInTheDark) {
  const json light = Measure({1200, false, true}), dark = Measure({1200, true, true});
  EXPECT_GT(light["ground"], 0.8);
  EXPECT_LT(dark["ground"], 0.1);
  for (const json& measured : {light, dark, Measure({390, true, true})}) {
    EXPECT_GT(measured["texts"], 100);
    EXPECT_THAT(measured["faint"], IsEmpty()) << measured["faint"];
  }
}

TEST_F(Browser, FiltersWithoutAScript) {
  const json without = Measure({1200, false, false}), with = Measure({1200, false, true});
  EXPECT_EQ(without["buttons"], 0);
  EXPECT_GT(with["buttons"], 0);
  for (const json& measured : {without, with}) {
    EXPECT_EQ(measured["before"], true);
    EXPECT_EQ(measured["after"], false);
  }
}

// What the page shows and where it says that it is, after `actions` in it.
std::string Acting(const Document& document, const std::string& actions) {
  std::string page = PageOf(document);
  page.replace(page.rfind("</script>"), 0,
               R"js(
const look = () => ({
  hash: location.hash,
  rows: rows.filter((row) => getComputedStyle(row).display !== "none").map((row) => row.id),
  count: document.getElementById("f-count").textContent,
  text: text.value,
  open: [...document.querySelectorAll("tr > th > details[open]")]
    .map((details) => details.closest("tr").id),
});
const type = (words) => {
  text.value = words;
  text.dispatchEvent(new Event("input", {bubbles: true}));
};
)js" + actions +
                   "document.body.textContent = \"MEASURED\" + "
                   "JSON.stringify(look()) + \"END\";\n");
  return page;
}

TEST_F(Browser, FindsEveryWordOfASearch) {
  folder_.Write("page.html", Acting(Everything(), "type(' PASS  shu-001 ');"));
  const json found = Show("page.html");
  EXPECT_EQ(found["rows"], json({"SHU-001"}));
  EXPECT_EQ(found["count"], "1 of 7 rows");
  folder_.Write("page.html", Acting(Everything(), "type('nowhere');"));
  EXPECT_THAT(Show("page.html")["rows"], IsEmpty());
}

TEST_F(Browser, KeepsInTheAddressWhatIsShown) {
  folder_.Write("page.html", Acting(Everything(),
                                    "type('SHU & <b>'); type('shu'); "
                                    "document.getElementById('f-v-pass').click();"));
  const json left = Show("page.html");
  EXPECT_EQ(left["hash"], "#?text=shu&changed=v-pass");
  folder_.Write("page.html", Acting(Everything(), ""));
  const json found = Show("page.html#SHU-002?text=shu&changed=v-pass+v-fail+none");
  EXPECT_EQ(found["count"], "5 of 7 rows");
  EXPECT_EQ(found["text"], "shu");
  EXPECT_EQ(found["hash"], "#SHU-002?text=shu&changed=v-fail+v-pass");
  EXPECT_THAT(found["open"], Contains("SHU-002"));
  // An address of a row alone stays one.
  EXPECT_EQ(Show("page.html#SHU-002")["hash"], "#SHU-002");
  EXPECT_EQ(Show("page.html")["hash"], "");
}

TEST_F(Browser, ShowsOnlyWhereSubjectsDiffer) {
  Document document = Everything();
  document.runs[1].requirements[0].verdict = "weak";
  folder_.Write("page.html", Acting(document, "document.getElementById('f-differ').click();"));
  const json found = Show("page.html");
  EXPECT_EQ(found["rows"], json({"SHU-001"}));
  EXPECT_EQ(found["hash"], "#?changed=differ");
  EXPECT_EQ(found["count"], "1 of 7 rows");
}

TEST_F(Browser, CarriesWhatAssistiveProgramsRead) {
  const json measured = Measure({});
  for (const char* none :
       {"unscoped", "captionless", "unlabelled", "untitled", "nameless", "doubled", "dead"})
    EXPECT_THAT(measured[none], IsEmpty()) << none << ": " << measured[none];
  EXPECT_EQ(measured["mains"], 1);
  EXPECT_EQ(measured["headers"], 1);
  EXPECT_EQ(measured["language"], "en");
  // No level of heading is left out on the way down.
  int last = 0;
  for (const int level : measured["headings"]) {
    EXPECT_LE(level, last + 1);
    last = level;
  }
}

}  // namespace
}  // namespace conformance
