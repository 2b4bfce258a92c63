// Makes and executes the negation that a case describes, on the subject.
#ifndef DNNSPEC_CONFORMANCE_NEGATION_RUN_H_
#define DNNSPEC_CONFORMANCE_NEGATION_RUN_H_

#include <optional>
#include <vector>

#include "conformance/case/trial.h"
#include "conformance/negation/cases.h"
#include "spec/numeric/convert.h"

namespace conformance {

// The destination, row-major. nullopt after recording the outcome in `trial` when something was
// refused or failed.
std::optional<std::vector<spec::Bits>> RunNegation(const NegationCase& c, Trial& trial);

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_NEGATION_RUN_H_
