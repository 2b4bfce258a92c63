// Classes of input that lie in where a tensor is and what it holds.
#ifndef DNNSPEC_CONFORMANCE_SUBJECT_BUFFERS_SEEN_H_
#define DNNSPEC_CONFORMANCE_SUBJECT_BUFFERS_SEEN_H_

#include "conformance/case/trial.h"
#include "conformance/gen/placement.h"
#include "conformance/gen/values.h"

namespace conformance {

// Trial::Cover of "misaligned" (to 64 bytes), "page before" or "page behind"; nothing for the
// plainest placement.
void SawPlacement(Trial& trial, const Placement& placement);

// Trial::Cover of "special values" where there are infinities, NaNs, subnormals.
void SawValues(Trial& trial, ValueKind values);

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_SUBJECT_BUFFERS_SEEN_H_
