// What a person sees of a plug-in that is wrong: one line, or failures with their cases.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "nlohmann/json.hpp"
#include "tools/testing/command.h"

namespace {

using nlohmann::json;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;
using tools::Outcome;

class Plugin : public testing::Test {
 protected:
  Plugin() {
    std::filesystem::copy_file("conformance/cli/conform", folder_ / "conform");
    std::filesystem::copy_file("conformance/plugin_runner", folder_ / "plugin_runner");
  }

  static std::string Broken(const std::string& name) {
    return std::filesystem::absolute("conformance/plugin/testing/lib" + name + ".so");
  }

  Outcome Run(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), folder_ / "conform");
    arguments.push_back("--jobs=1");
    return tools::Run(arguments, {{"TMPDIR", folder_.path()}}, folder_.path());
  }

  // The one line that a plug-in which cannot be judged gets.
  std::string Refusal(const std::string& path) {
    const Outcome outcome = Run({"--plugin=" + path, "--filter=SHU-020"});
    EXPECT_EQ(outcome.status, 2) << outcome.out;
    EXPECT_EQ(outcome.out, "");
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
    return outcome.err;
  }

  tools::Scratch folder_;
};

TEST_F(Plugin, ThatIsMissingIsNamed) {
  EXPECT_EQ(Refusal("/nowhere/libvendor.so"),
            "conform: subject 'vendor' does not start: /nowhere/libvendor.so: No such file or "
            "directory\n");
}

TEST_F(Plugin, ThatIsNoSharedObjectIsNamed) {
  EXPECT_THAT(Refusal(folder_.Write("libtext.so", "not a library\n")),
              HasSubstr("libtext.so: cannot be loaded: "));
}

TEST_F(Plugin, WithoutTheSymbolIsNamed) {
  EXPECT_THAT(Refusal(Broken("no_symbol")),
              EndsWith("libno_symbol.so: exports no dnnspec_plugin: not a plug-in\n"));
}

TEST_F(Plugin, OfAnotherVersionGetsBothVersions) {
  EXPECT_THAT(Refusal(Broken("version_seven")),
              EndsWith("libversion_seven.so: its ABI version is 7, and this program's is 2\n"));
  EXPECT_THAT(Refusal(Broken("version_one")),
              EndsWith("libversion_one.so: its ABI version is 1, and this program's is 2\n"));
}

TEST_F(Plugin, SaysItsVersionUnlessItsCallerDoes) {
  const auto version = [&](const std::string& name, std::vector<std::string> more) {
    more.insert(more.end(), {"--plugin=" + Broken(name), "--filter=^ENG-001$", "--out=out"});
    EXPECT_LE(Run(more).status, 1);
    return json::parse(folder_.Read("out/results.json"))["version"];
  };
  EXPECT_EQ(version("says_its_version", {}), "3.1-rc2");
  EXPECT_EQ(version("says_its_version", {"--subject-version=4"}), "4");
  EXPECT_THAT(version("does_nothing", {}).get<std::string>(), StartsWith("dnnspec-"));
  // It does nothing, which was known of this version.
  for (const auto& [known, status] : {std::pair("3.1-rc2", 0), std::pair("3.1", 1)}) {
    const std::string file = folder_.Write(
        "known", std::string("says_its_version ") + known + " SHU-020 link never does nothing\n");
    const Outcome outcome = Run({"--plugin=" + Broken("says_its_version"), "--filter=^SHU-020$",
                                 "--cases=5", "--expect=" + file});
    EXPECT_EQ(outcome.status, status) << outcome.out << outcome.err;
  }
}

TEST_F(Plugin, WithAnEntryThatIsNullGetsItsName) {
  EXPECT_THAT(Refusal(Broken("null_entries")),
              EndsWith("libnull_entries.so: its table lacks stream_wait\n"));
}

TEST_F(Plugin, ThatDiesWhenItIsLoadedIsToldApart) {
  EXPECT_THAT(Refusal(Broken("dies_when_loaded")), HasSubstr("SIGABRT"));
}

TEST_F(Plugin, ThatChangesItsProcessWhenItIsLoadedFailsTheFirstCase) {
  const std::string plugin = "--plugin=" + Broken("changes_its_process");
  const Outcome project = Run({plugin, "--filter=^ENG-001$", "--profile=project"});
  EXPECT_EQ(project.status, 1) << project.out;
  EXPECT_THAT(project.out, HasSubstr("at        process: umask\n"));
  EXPECT_THAT(project.out, HasSubstr("got       123\n"));
  EXPECT_EQ(Run({plugin, "--filter=^ENG-001$"}).status, 0) << "a warning";
}

TEST_F(Plugin, ThatNeverAnswersIsToldApart) {
  EXPECT_THAT(Refusal(Broken("hangs_when_asked")),
              StartsWith("conform: subject 'hangs_when_asked' "));
}

TEST_F(Plugin, IsNeverTakenFromTheWorkingFolder) {
  std::filesystem::copy_file(Broken("does_nothing"), folder_ / "libvendor.so");
  EXPECT_EQ(Refusal("libvendor.so"),
            "conform: --plugin wants a path with a '/' in it, not 'libvendor.so'\n");
  const Outcome outcome = tools::Run({folder_ / "plugin_runner", "--filter=SHU-020"},
                                     {{"DNNSPEC_PLUGIN", "libvendor.so"}}, folder_.path());
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.err,
              HasSubstr("libvendor.so: a plug-in is named by a path with a '/' in it"));
}

TEST_F(Plugin, HasToBeNamed) {
  const Outcome outcome = tools::Run({folder_ / "plugin_runner", "--filter=SHU-020"}, {});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.err, HasSubstr("DNNSPEC_PLUGIN names no plug-in"));
}

TEST_F(Plugin, ThatDoesNothingFailsWithACommandThatShowsIt) {
  const Outcome outcome = Run({"--plugin=" + Broken("does_nothing"), "--filter=^SHU-020$"});
  EXPECT_EQ(outcome.status, 1) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("FAIL  SHU-020"));
  const size_t replay = outcome.out.find("--plugin=/");
  ASSERT_NE(replay, std::string::npos) << outcome.out;
  EXPECT_THAT(outcome.out.substr(replay), HasSubstr("libdoes_nothing.so --case='SHU-020 "));
}

TEST_F(Plugin, ThatCrashesCostsItsCases) {
  const Outcome outcome = Run({"--plugin=" + Broken("crashes_in_plan"),
                               "--filter=^(SHU-020|ENG-00.)$", "--cases=20", "--out=out"});
  EXPECT_EQ(outcome.status, 1) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("SEGV"));
  const json results = json::parse(folder_.Read("out/results.json"));
  EXPECT_GE(results["summary"]["fail"], 1) << results["summary"];
  EXPECT_GE(results["summary"]["pass"], 3) << results["summary"];
}

TEST_F(Plugin, ThatHangsCostsItsCases) {
  const Outcome outcome = Run({"--plugin=" + Broken("hangs_in_plan"), "--filter=^SHU-020$",
                               "--cases=20", "--case-time=500ms", "--out=out"});
  EXPECT_EQ(outcome.status, 1) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("given up after 2 cases without an answer"));
  const json results = json::parse(folder_.Read("out/results.json"));
  EXPECT_EQ(results["requirements"][0]["failures"][0]["signal"], "hang");
}

// What plan_create answers where it need not serve, an s8 tensor.
class Answer : public Plugin {
 protected:
  static constexpr char kCase[] = "SHU-020 dir=fwd src=s8:2x6:ab axis=1 group=2 values=bits seed=1";

  std::string Verdict(const std::string& name, int status,
                      const std::vector<std::string>& more = {}) {
    std::vector<std::string> arguments = {"--plugin=" + Broken(name),
                                          std::string("--case=") + kCase};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Outcome outcome = Run(arguments);
    EXPECT_EQ(outcome.status, status) << outcome.out << outcome.err;
    return outcome.out;
  }
};

TEST_F(Answer, UnimplementedIsARefusalAndKeepsItsWords) {
  constexpr char kWords[] = "refused: shuffle forward s8: dnnl::error (status 3): no kernel of s8";
  EXPECT_THAT(Verdict("refuses_in_words", 0), HasSubstr(std::string("not run: ") + kWords));
  const std::string claims =
      folder_.Write("my.claims", "dnnspec-claims 1\nengines cpu\ntopic shuffle\n");
  EXPECT_THAT(
      Verdict("refuses_in_words", 1, {"--claims=" + claims}),
      HasSubstr(std::string("expected  served, as the subject claims\ngot       ") + kWords));
}

TEST_F(Answer, AllElseFailsTheCaseInItsOwnWords) {
  constexpr char kExpected[] =
      "expected  created, or refused as unimplemented (status 3)\ngot       ";
  for (const auto& [name, got] :
       {std::pair("answers_five", "dnnl::error (status 5): failed"),
        std::pair("answers_two",
                  "dnnl::error (status 5): status 2, which the plug-in table does not define"),
        std::pair("answers_forty_two",
                  "dnnl::error (status 5): status 42, which the plug-in table does not define: "
                  "no kernel of s8")})
    EXPECT_THAT(Verdict(name, 1), HasSubstr(std::string(kExpected) + got)) << name;
}

TEST_F(Plugin, MeansNothingBesideASubject) {
  const Outcome outcome = Run({"--plugin=/x.so", "--subject=cpu"});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(outcome.err, "conform: --plugin is the subject: --subject means nothing beside it\n");
}

}  // namespace
