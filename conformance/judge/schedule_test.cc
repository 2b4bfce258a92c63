#include "conformance/judge/schedule.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <stdexcept>

#include "conformance/case/testing/toys.h"
#include "conformance/judge/serialize.h"

namespace conformance {
namespace {

using testing::HasSubstr;

std::vector<PropertyResult> JudgedTogether(const std::vector<const Property*>& properties,
                                           int jobs) {
  std::vector<PropertyResult> results(properties.size());
  std::vector<int> times(properties.size());
  RunOptions run_options;
  run_options.limits = DefaultLimits(jobs);
  Watcher watcher;
  watcher.ended = [&](size_t index, PropertyResult result) {
    results[index] = std::move(result);
    ++times[index];
  };
  watcher.looked = [](const Progress&) {};
  JudgeAll(properties, std::vector<RunOptions>(properties.size(), run_options), jobs, watcher);
  for (int count : times) EXPECT_EQ(count, 1);
  return results;
}

TEST(Schedule, EveryPropertyIsJudgedOnceHoweverManyRunAtATime) {
  std::vector<std::unique_ptr<Property>> owned;
  std::vector<const Property*> properties;
  for (int i = 1; i <= 20; ++i) {
    owned.push_back(std::make_unique<PropertyOver<Number>>(
        Toy(ToyMust(), FirstNumbers(i),
            [](const Number& number, Trial& trial) { trial.Expect(number.value < 15, "value"); })));
    properties.push_back(owned.back().get());
  }
  for (int jobs : {1, 3, 50}) {
    const auto results = JudgedTogether(properties, jobs);
    for (int i = 1; i <= 20; ++i) {
      const PropertyResult& result = results[static_cast<size_t>(i - 1)];
      EXPECT_EQ(result.cases, i);
      EXPECT_EQ(result.of(CaseResult::kFailed), std::max(0, i - 15));
    }
  }
}

TEST(Schedule, NothingIsJudgedAtOnce) { EXPECT_TRUE(JudgedTogether({}, 2).empty()); }

TEST(Schedule, AGeneratorThatThrowsIsTheSuitesFault) {
  const auto broken = Toy(ToyMust(), Drawn<Number>([](Random& random) -> Number {
                            if (random.Chance(50)) throw std::runtime_error("no more cases");
                            return {};
                          }),
                          [](const Number&, Trial&) {});
  const auto fine = Toy(ToyMust(), FirstNumbers(3), [](const Number&, Trial&) {});
  const auto results = JudgedTogether({&broken, &fine}, 1);
  EXPECT_THAT(results[0].problem, HasSubstr("no more cases"));
  EXPECT_EQ(results[1].problem, "");
}

struct Fatal {
  void Print(Fields*) const { std::abort(); }
  static Fatal Parse(const Fields&) { return {}; }
  std::vector<Fatal> Simpler() const { return {}; }
};

TEST(Schedule, ASuiteThatDiesCostsOneProperty) {
  const PropertyOver<Fatal> fatal(ToyMust(), "", Listed<Fatal>({{}}),
                                  [](const Fatal&, Trial& trial) { trial.Fail("", "", ""); }, {});
  const auto fine = Toy(ToyMust(), FirstNumbers(3), [](const Number&, Trial&) {});
  const auto results = JudgedTogether({&fatal, &fine, &fatal, &fine}, 2);
  EXPECT_THAT(results[0].problem, HasSubstr("the suite itself died"));
  EXPECT_EQ(results[1].cases, 3);
  EXPECT_THAT(results[2].problem, HasSubstr("the suite itself died"));
  EXPECT_EQ(results[3].cases, 3);
}

TEST(Transfer, AResultArrivesAsItWas) {
  PropertyResult result;
  result.name = "TOY-001";
  result.cases = 12;
  result.planned = 13;
  for (int i = 0; i < 5; ++i) result.results[i] = i;
  result.classes = {{"odd", {1, 2}}, {"", {3, 4}}};
  result.reasons = {{"no bf16", 5}};
  result.records = {{{"question", "answer"}, 6}};
  Failure failure;
  failure.line = "line";
  failure.minimal = "minimal";
  failure.where = "where";
  failure.expected = std::string("with\0zero", 9);
  failure.got = "got";
  failure.signal = "SIGSEGV";
  failure.count = 7;
  failure.deviation = true;
  failure.alone = false;
  result.failures = {failure, Failure()};
  result.stopped = "stopped";
  result.problem = "problem";
  result.seconds = 1.5;

  const PropertyResult arrived = Unpack(Pack(result));
  EXPECT_EQ(Pack(arrived), Pack(result));
  EXPECT_EQ(arrived.name, "TOY-001");
  EXPECT_EQ(arrived.results[4], 4);
  EXPECT_EQ(arrived.classes.at("odd").not_run, 2);
  EXPECT_EQ(arrived.records.at({"question", "answer"}), 6);
  ASSERT_EQ(arrived.failures.size(), 2u);
  EXPECT_EQ(arrived.failures[0].expected, failure.expected);
  EXPECT_TRUE(arrived.failures[0].deviation);
  EXPECT_FALSE(arrived.failures[0].alone);
  EXPECT_EQ(arrived.seconds, 1.5);
}

}  // namespace
}  // namespace conformance
