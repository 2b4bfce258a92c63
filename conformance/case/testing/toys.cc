#include "conformance/case/testing/toys.h"

#include <utility>

namespace conformance {

void Number::Print(Fields* fields) const {
  fields->SetInt("value", value);
  fields->SetInt("weight", weight);
}

Number Number::Parse(const Fields& fields) {
  const Number number = {fields.Int("value"), fields.Int("weight")};
  if (number.value < 0) fields.Reject("value", "is negative");
  return number;
}

std::vector<Number> Number::Simpler() const {
  std::vector<Number> simpler;
  if (weight > 0) simpler.push_back({value, 0});
  if (value > 0) simpler.push_back({value / 2, weight});
  if (value > 0) simpler.push_back({value - 1, weight});
  return simpler;
}

Cases<Number> AnyNumber() {
  return Drawn<Number>([](Random& random) {
    return Number{random.Between(0, 999), random.Between(0, 9)};
  });
}

Cases<Number> FirstNumbers(int64_t count) {
  std::vector<Number> numbers;
  for (int64_t value = 0; value < count; ++value) numbers.push_back({value, 0});
  return Listed(std::move(numbers));
}

const spec::Requirement& ToyMust() {
  static constexpr spec::Requirement requirement = {"TOY-001", spec::Level::kMust,   "model",
                                                    "here",    "Numbers are small.", "Look."};
  return requirement;
}

const spec::Requirement& ToyShould() {
  static constexpr spec::Requirement requirement = {"TOY-002", spec::Level::kShould,       "model",
                                                    "here",    "Numbers should be small.", "Look."};
  return requirement;
}

PropertyOver<Number> Toy(const spec::Requirement& requirement, Cases<Number> cases,
                         void (*check)(const Number&, Trial&),
                         std::vector<std::string> must_cover) {
  return PropertyOver<Number>(requirement, "", std::move(cases), check, std::move(must_cover));
}

}  // namespace conformance
