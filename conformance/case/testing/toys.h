// Small cases and properties for tests of what runs them.
#ifndef DNNSPEC_CONFORMANCE_CASE_TESTING_TOYS_H_
#define DNNSPEC_CONFORMANCE_CASE_TESTING_TOYS_H_

#include <cstdint>
#include <vector>

#include "conformance/case/fields.h"
#include "conformance/case/property.h"
#include "conformance/case/random.h"
#include "conformance/case/trial.h"

namespace conformance {

// A number from 0 to 999, and a weight that nothing depends on.
struct Number {
  int64_t value = 0;
  int64_t weight = 0;

  void Print(Fields* fields) const;
  static Number Parse(const Fields& fields);
  std::vector<Number> Simpler() const;
};

Cases<Number> AnyNumber();
// 0, 1, ..., count - 1.
Cases<Number> FirstNumbers(int64_t count);

const spec::Requirement& ToyMust();
const spec::Requirement& ToyShould();

// A property of `requirement`, not linked into Properties().
PropertyOver<Number> Toy(const spec::Requirement& requirement, Cases<Number> cases,
                         void (*check)(const Number&, Trial&),
                         std::vector<std::string> must_cover = {});

// From here on the subject goes wrong: every tenth number or so.
inline bool IsTrigger(const Number& number) { return number.value >= 900; }

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_CASE_TESTING_TOYS_H_
