// NEG-001: the result is what the formula says.
#include "conformance/case/property.h"
#include "conformance/negation/cases.h"
#include "conformance/negation/run.h"
#include "conformance/subject/tensor.h"
#include "spec/requirements.h"

namespace conformance {
namespace {

void IsTheFormula(const NegationCase& c, Trial& trial) {
  const auto result = RunNegation(c, trial);
  if (!result) return;
  ExpectSameBits(trial, "dst", c.dst.type, c.dst.dims, c.Expected(), *result);
  if (result->empty()) trial.Vacuous();
}

const bool kDefined[] = {
    Define(spec::NEG_001, "", AnyNegation(), IsTheFormula, {"rank 1", "permuted"}),
};

}  // namespace
}  // namespace conformance
