#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>

#include "tools/testing/command.h"

namespace {

using testing::EndsWith;
using testing::HasSubstr;
using tools::Outcome;
using tools::Scratch;

// tools/check_includes as it is, in a checkout of three targets, with a bazel that describes them.
class CheckIncludes : public testing::Test {
 protected:
  CheckIncludes() {
    tools::LinkPrograms(bin_, {"env", "python3", "cat"});
    std::filesystem::copy_file(std::filesystem::canonical("tools/check_includes"),
                               checkout_ / "check_includes");
    checkout_.Write("third_party/system/absl.bzl",
                    "_PUBLIC = {\n    \"strings\": [\"str_format\", \"strings\"],\n}\n");
    std::filesystem::create_directory(checkout_ / "tools");
    std::filesystem::rename(checkout_ / "check_includes", checkout_ / "tools/check_includes");
    checkout_.Write("a/low.h", "");
    checkout_.Write("b/middle.h", "#include \"a/low.h\"\n");
  }

  // A rule of the query's answer.
  static std::string Rule(const std::string& name, const std::string& sources,
                          const std::string& headers, const std::string& deps,
                          const std::string& more = "") {
    const auto list = [](const std::string& attribute, const std::string& labels) {
      std::string text = "<list name='" + attribute + "'>";
      for (size_t at = 0; at < labels.size();) {
        const size_t end = std::min(labels.find(' ', at), labels.size());
        text += "<label value='" + labels.substr(at, end - at) + "'/>";
        at = end + 1;
      }
      return text + "</list>";
    };
    return "<rule class='cc_library' name='" + name + "'>" + list("srcs", sources) +
           list("hdrs", headers) + list("deps", deps) + more + "</rule>";
  }

  Outcome Check(const std::string& top) {
    const std::string answer = checkout_.Write(
        "answer", "<?xml version='1.1'?><query version='2'>" +
                      Rule("//a:low", "", "//a:low.h", "") +
                      Rule("//b:middle", "", "//b:middle.h", "//a:low") + top + "</query>");
    bin_.Script("bazel", "cat " + answer + "\n");
    return tools::Run({checkout_ / "tools/check_includes"}, {{"PATH", bin_.path()}});
  }

  Scratch bin_, checkout_;
};

TEST_F(CheckIncludes, AcceptsATargetThatListsWhatItIncludes) {
  checkout_.Write("c/top.cc", "#include \"b/middle.h\"\n#include <vector>\n");
  const Outcome outcome = Check(Rule("//c:top", "//c:top.cc", "", "//b:middle"));
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "check_includes: 3 targets, 0 missing dependencies\n");
}

TEST_F(CheckIncludes, NamesAHeaderThatComesThroughAnother) {
  checkout_.Write("c/top.cc", "#include \"b/middle.h\"\n#include \"a/low.h\"\n");
  const Outcome outcome = Check(Rule("//c:top", "//c:top.cc", "", "//b:middle"));
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.out, HasSubstr("//c:top: c/top.cc includes a/low.h, so deps need //a:low\n"));
}

TEST_F(CheckIncludes, KnowsTheLabelsOfLibraries) {
  checkout_.Write("c/top.cc", "#include \"absl/strings/str_format.h\"\n#include <gtest/gtest.h>\n");
  const Outcome missing = Check(Rule("//c:top", "//c:top.cc", "", ""));
  EXPECT_THAT(missing.out, HasSubstr("so deps need @abseil-cpp//absl/strings:str_format\n"));
  EXPECT_THAT(missing.out,
              HasSubstr("so deps need @googletest//:gtest or @googletest//:gtest_main\n"));
  const Outcome there =
      Check(Rule("//c:top", "//c:top.cc", "",
                 "@abseil-cpp//absl/strings:str_format @googletest//:gtest_main"));
  EXPECT_EQ(there.status, 0) << there.out;
}

TEST_F(CheckIncludes, KnowsTheNamesThatPrefixesGive) {
  checkout_.Write("d/public.hpp", "");
  checkout_.Write("c/top.cc", "#include \"oneapi/mine/d/public.hpp\"\n");
  const std::string exporter = Rule("//d:public", "", "//d:public.hpp", "",
                                    "<string name='include_prefix' value='oneapi/mine'/>"
                                    "<string name='strip_include_prefix' value='/'/>");
  EXPECT_THAT(Check(exporter + Rule("//c:top", "//c:top.cc", "", "")).out,
              HasSubstr("so deps need //d:public\n"));
  EXPECT_EQ(Check(exporter + Rule("//c:top", "//c:top.cc", "", "//d:public")).status, 0);
}

TEST_F(CheckIncludes, FollowsAliases) {
  checkout_.Write("c/top.cc", "#include \"a/low.h\"\n");
  const Outcome outcome =
      Check("<rule class='alias' name='//c:other'><label name='actual' value='//a:low'/></rule>" +
            Rule("//c:top", "//c:top.cc", "", "//c:other"));
  EXPECT_EQ(outcome.status, 0) << outcome.out;
}

TEST_F(CheckIncludes, LooksThroughALibraryThatOnlyPutsOthersTogether) {
  checkout_.Write("c/top.cc", "#include \"a/low.h\"\n");
  const Outcome outcome = Check(Rule("//d:both", "", "", "//a:low //b:middle") +
                                Rule("//c:top", "//c:top.cc", "", "//d:both"));
  EXPECT_EQ(outcome.status, 0) << outcome.out;
}

TEST_F(CheckIncludes, ChecksAHeaderOnceThatHasTwoNames) {
  const Outcome outcome = Check(Rule("//d:names", "", "//b:middle.h", "//b:middle"));
  EXPECT_EQ(outcome.status, 0) << outcome.out;
}

TEST_F(CheckIncludes, FailsWithBazel) {
  bin_.Script("bazel", "echo 'no such package' >&2; exit 7\n");
  const Outcome outcome = tools::Run({checkout_ / "tools/check_includes"}, {{"PATH", bin_.path()}});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.err, EndsWith("no such package\ncheck_includes: bazel query failed\n"));
}

}  // namespace
