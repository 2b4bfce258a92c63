#include "conformance/cli/options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace conformance {
namespace {

using std::chrono::milliseconds;
using testing::HasSubstr;

TEST(Options, AreWhatTheFlagsSay) {
  const Options options =
      ParseOptions({"--subject=cpu", "--profile=project", "--engine=gpu", "--filter=^REO",
                    "--topic=reorder", "--seed=7", "--budget=50ms", "--cases=10", "--out=o",
                    "--expect=e", "--expect", "f", "--jobs=3", "--case-time=3s"});
  EXPECT_EQ(options.error, "");
  EXPECT_EQ(options.subject, "cpu");
  EXPECT_EQ(options.profile, Profile::kProject);
  EXPECT_EQ(options.engine, EngineChoice::kGpu);
  EXPECT_EQ(options.filter, "^REO");
  EXPECT_EQ(options.topic, "reorder");
  EXPECT_EQ(options.seed, 7u);
  EXPECT_EQ(options.budget, milliseconds(50));
  EXPECT_EQ(options.case_time, milliseconds(3000));
  EXPECT_EQ(LimitsOf(options, 1).silence, milliseconds(3000));
  EXPECT_EQ(options.cases, 10);
  EXPECT_EQ(options.out, "o");
  EXPECT_EQ(options.expect, (std::vector<std::string>{"e", "f"}));
  EXPECT_EQ(options.jobs, 3);
}

TEST(Options, ALargeCaseHasTimeInProportion) {
  const milliseconds usual = LimitsOf({}, 1).silence;
  EXPECT_EQ(LimitsOf({}, 1, (1 << 28) - 1).silence, usual);
  EXPECT_EQ(LimitsOf({}, 1, 1 << 28).silence, 2 * usual);
  EXPECT_EQ(LimitsOf({}, 1, int64_t{1} << 32).silence, 17 * usual);
  // A person knows better.
  EXPECT_EQ(LimitsOf(ParseOptions({"--case-time=3s"}), 1, int64_t{1} << 32).silence,
            milliseconds(3000));
}

TEST(Options, AValueMayStandByItself) {
  const Options options = ParseOptions({"--case", "REO-010 src=f32:2x3", "--subject", "cpu"});
  EXPECT_EQ(options.error, "");
  EXPECT_EQ(options.replay, "REO-010 src=f32:2x3");
  EXPECT_EQ(options.subject, "cpu");
}

TEST(Options, WhatIsWrongIsToldInOneLine) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> wrongs = {
      {{"--sbject=cpu"}, "unknown flag '--sbject'"},
      {{"cpu"}, "unexpected argument 'cpu'"},
      {{""}, "unexpected argument ''"},
      {{"--seed"}, "--seed wants a value"},
      {{"--seed=-1"}, "--seed wants a whole number, not negative, not '-1'"},
      {{"--seed=1x"}, "not '1x'"},
      {{"--seed=18446744073709551616"}, "--seed wants"},
      {{"--cases=0"}, "--cases wants a whole number above 0"},
      {{"--jobs=0"}, "--jobs wants a whole number from 1"},
      {{"--budget=5"}, "--budget wants a time"},
      {{"--case-time=5"}, "--case-time wants a time"},
      {{"--budget=0s"}, "--budget wants a time"},
      {{"--budget=-1s"}, "--budget wants a time"},
      {{"--profile=strict"}, "--profile wants portable or project, not 'strict'"},
      {{"--engine=npu"}, "--engine wants cpu or gpu"},
      {{"--filter=("}, "--filter wants a regular expression"},
      {{"--subject="}, "--subject wants a value"},
      {{"--seed=1", "--seed=2"}, "--seed is given twice"},
      {{"--require=["}, "--require wants a regular expression"},
      {{"--subject-version=1 2"}, "--subject-version wants a version such as"},
      {{"--batch=X", "--out=Y"}, "--batch runs the cases of a file: --out means nothing beside it"},
      {{"--case=X", "--filter=Y"}, "--filter means nothing beside it"},
  };
  for (const auto& [arguments, text] : wrongs) {
    const std::string error = ParseOptions(arguments).error;
    EXPECT_THAT(error, HasSubstr(text));
    EXPECT_EQ(error.find('\n'), std::string::npos);
  }
}

TEST(Options, AFlagThatIsMistypedIsGuessed) {
  EXPECT_EQ(ParseOptions({"--sbject=cpu"}).error,
            "unknown flag '--sbject' (did you mean --subject? --help lists the flags)");
  EXPECT_EQ(ParseOptions({"--case_s=3"}).error,
            "unknown flag '--case_s' (did you mean --cases? --help lists the flags)");
  EXPECT_EQ(ParseOptions({"--verison"}).error,
            "unknown flag '--verison' (did you mean --version? --help lists the flags)");
  // What programs of the suite say to each other is not for people.
  EXPECT_EQ(ParseOptions({"--commands"}).error,
            "unknown flag '--commands' (--help lists the flags)");
}

TEST(Options, AListTakesWhatChoosesAndNothingElse) {
  EXPECT_TRUE(ParseOptions({"--list", "--topic=shuffle", "--filter=SHU"}).list);
  EXPECT_EQ(ParseOptions({"--list", "--out=o"}).error,
            "--list judges nothing: --out means nothing beside it");
}

TEST(Options, HelpIsGivenBeforeAnyComplaint) {
  EXPECT_TRUE(ParseOptions({"--version", "--nonsense"}).version);
  EXPECT_TRUE(ParseOptions({"--help", "--nonsense"}).help);
}

TEST(Options, HelpOfARunnerNamesNoFlagThatItRefuses) {
  const std::string any = OptionsHelp(Judges::kAnySubject);
  const std::string one = OptionsHelp(Judges::kOneSubject);
  for (const char* flag : {"--differential", "--plugin="}) {
    EXPECT_NE(any.find(flag), std::string::npos) << flag;
    EXPECT_EQ(one.find(flag), std::string::npos) << flag;
  }
  EXPECT_NE(one.find("--cases="), std::string::npos);
}

TEST(Options, TimesHaveUnits) {
  EXPECT_EQ(ParseTime("50ms"), milliseconds(50));
  EXPECT_EQ(ParseTime("1.5s"), milliseconds(1500));
  EXPECT_EQ(ParseTime("2m"), std::chrono::minutes(2));
  EXPECT_EQ(ParseTime("1h"), std::chrono::hours(1));
  for (const char* text : {"", "s", "1", "1.2.3s", "1 s", "1d", "1e3s", "9999999999h"})
    EXPECT_EQ(ParseTime(text), std::nullopt) << text;
}

TEST(Options, CaseFlagsGiveTheSameCasesAgain) {
  const std::vector<std::string> flags = {"--topic=reorder", "--seed=7", "--cases=10",
                                          "--budget=1500ms"};
  std::string joined;
  for (const std::string& flag : flags) joined += " " + flag;
  EXPECT_EQ(CaseFlags(ParseOptions(flags)), joined);
  EXPECT_EQ(CaseFlags(ParseOptions({"--budget=2m"})), " --budget=120s");
  EXPECT_EQ(CaseFlags(ParseOptions({"--filter=a b"})), " --filter='a b'");
  EXPECT_EQ(CaseFlags(ParseOptions({"--seed=1"})), "");
}

}  // namespace
}  // namespace conformance
