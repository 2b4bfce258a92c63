// One property for each verdict, of requirements that they have nothing to do with.
#include <cstdlib>

#include "conformance/case/property.h"
#include "conformance/case/testing/toys.h"
#include "spec/requirements.h"

namespace conformance {
namespace {

void Holds(const Number& number, Trial& trial) {
  trial.Cover(number.value % 2 == 0 ? "even" : "odd");
  trial.Record("is even", number.value % 2 == 0 ? "yes" : "no");
  if (const char* const text = std::getenv("TOY_HOSTILE_TEXT")) trial.Fail(text, text, text);
}

void Fails(const Number& number, Trial& trial) {
  trial.Expect(!IsTrigger(number), "value", "below 900", std::to_string(number.value));
}

void Dies(const Number& number, Trial&) {
  if (number.value == 500) std::abort();
}

void Deviates(const Number& number, Trial& trial) {
  if (IsTrigger(number)) trial.Deviate("value", "below 900", std::to_string(number.value));
}

void IsRefused(const Number&, Trial& trial) { trial.NotRun("no numbers here"); }

void CountsNothing(const Number&, Trial& trial) { trial.Vacuous(); }

const bool kDefined[] = {
    Define(spec::SHU_001, "", AnyNumber(), Holds, {"odd", "even"}),
    Define(spec::SHU_002, "fails", AnyNumber(), Fails),
    Define(spec::SHU_002, "holds", AnyNumber(), Holds),
    Define(spec::SHU_003, "", AnyNumber(), Dies),
    Define(spec::SHU_004, "", AnyNumber(), Deviates),
    Define(spec::REO_001, "", AnyNumber(), IsRefused),
    Define(spec::REO_002, "", AnyNumber(), CountsNothing),
};

}  // namespace
}  // namespace conformance
