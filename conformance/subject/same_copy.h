// Comparison of values that a reorder between equal types has moved.
#ifndef DNNSPEC_CONFORMANCE_SUBJECT_SAME_COPY_H_
#define DNNSPEC_CONFORMANCE_SUBJECT_SAME_COPY_H_

#include <string_view>
#include <vector>

#include "conformance/case/trial.h"
#include "spec/memory/oracle.h"
#include "spec/numeric/convert.h"

namespace conformance {

// Fails the trial at the first element that is no copy of the expected one: equal bits, but for
// what portable forgives in copies of NaNs and zeros (DT-015). True when all are.
bool ExpectSameCopy(Trial& trial, std::string_view tensor, spec::Type type, const spec::Dims& dims,
                    const std::vector<spec::Bits>& expected, const std::vector<spec::Bits>& got);

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_SUBJECT_SAME_COPY_H_
