#include "conformance/mutants/mutation_run.h"

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/case/fields.h"
#include "conformance/case/property.h"
#include "conformance/case/trial.h"
#include "conformance/judge/isolate.h"
#include "spec/requirements.h"
#include "tools/mutate/active.h"

// A library in which three places are wrong on request.
namespace mutants {

int active = 0;

const Entry kEntries[] = {
    {"none", "", "", "", "", "", ""},
    {"wrong-for-large", "a", "SHU-020", "A-25", "", "", ""},
    {"right-in-another-way", "a", "SHU-020", "A-25", "", "", ""},
    {"where-nobody-comes", "a", "SHU-020", "A-25", "", "", ""},
};
const int kCount = 3;

}  // namespace mutants

namespace conformance {
namespace {

// As mutate writes it, of `when x > 10`.
int Doubled(int x) {
  return mutants::Asks(1) && (x > 10) && mutants::Comes(1) ? (2 * x + 1) : (2 * x);
}

int Increased(int x) { return mutants::Comes(2) ? (1 + x) : (x + 1); }

struct Number {
  int x = 0;
  void Print(Fields* fields) const { fields->SetInt("x", x); }
  static Number Parse(const Fields& fields) {
    Number number;
    number.x = static_cast<int>(fields.Int("x"));
    return number;
  }
  std::vector<Number> Simpler() const { return {}; }
};

std::unique_ptr<Property> Checks(std::string_view variant, std::vector<Number> numbers,
                                 void (*check)(const Number&, Trial&)) {
  return std::make_unique<PropertyOver<Number>>(spec::SHU_020, variant,
                                                Listed<Number>(std::move(numbers)), check,
                                                std::vector<std::string>());
}

void DoublesWell(const Number& number, Trial& trial) {
  const int got = Doubled(number.x);
  if (got != 2 * number.x) trial.Fail("doubled", std::to_string(2 * number.x), std::to_string(got));
}

void IncreasesWell(const Number& number, Trial& trial) {
  trial.Expect(Increased(number.x) == number.x + 1, "increased");
}

void FailsWithoutAnyFault(const Number&, Trial& trial) { trial.Fail("always", "0", "1"); }

class FairRun : public testing::Test {
 protected:
  void Add(std::unique_ptr<Property> property) { properties_.push_back(std::move(property)); }

  MutantResult Run(int number) {
    if (run_ == nullptr) {
      RunOptions options;
      options.profile = Profile::kProject;
      options.limits = DefaultLimits(1);
      options.shrink = std::chrono::milliseconds(0);
      std::vector<const Property*> properties;
      for (const auto& property : properties_) properties.push_back(property.get());
      run_ = std::make_unique<MutationRun>(properties, options, Question::kFair);
    }
    return run_->Run(number, false);
  }

 private:
  std::vector<std::unique_ptr<Property>> properties_;
  std::unique_ptr<MutationRun> run_;
};

TEST_F(FairRun, AsksEachPropertyThatComesToTheFaultAndNoOther) {
  Add(Checks("small", {{1}, {2}, {3}}, DoublesWell));
  Add(Checks("large", {{1}, {2}, {30}}, DoublesWell));
  Add(Checks("increase", {{1}, {2}}, IncreasesWell));
  const MutantResult wrong = Run(1);
  EXPECT_EQ(wrong.unjust, "SHU-020/large");
  EXPECT_EQ(wrong.failure.got, "61");
  EXPECT_FALSE(wrong.good());
  EXPECT_EQ(wrong.judges, 1);
  EXPECT_EQ(wrong.cases, 1);  // the one that comes to the place

  const MutantResult right = Run(2);
  EXPECT_EQ(right.unjust, "");
  EXPECT_TRUE(right.good());
  EXPECT_EQ(right.judges, 1);
  EXPECT_EQ(right.cases, 2);

  EXPECT_EQ(Run(3).judges, 0);
}

TEST_F(FairRun, AsksSomeCasesOfEachWhereManyCome) {
  std::vector<Number> numbers;
  for (int x = 0; x < 20; ++x) numbers.push_back({x});
  for (int i = 0; i < 100; ++i) Add(Checks("p" + std::to_string(i), numbers, IncreasesWell));
  const MutantResult many = Run(2);
  EXPECT_EQ(many.judges, 100);
  EXPECT_EQ(many.cases, 500);
}

TEST_F(FairRun, AsksAgainWhatFailsBeforeItsEnd) {
  Add(Checks("always", {{1}, {2}}, FailsWithoutAnyFault));
  EXPECT_EQ(Run(3).unjust, "SHU-020/always");
}

TEST_F(FairRun, LeavesNoMutantActive) {
  Add(Checks("large", {{30}}, DoublesWell));
  Run(1);
  EXPECT_EQ(mutants::active, 0);
  EXPECT_EQ(Doubled(30), 60);
}

}  // namespace
}  // namespace conformance
