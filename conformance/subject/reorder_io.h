// Reads and writes what a memory holds by reorders of the subject, to and from dense row-major
// memory of its type.
#ifndef DNNSPEC_CONFORMANCE_SUBJECT_REORDER_IO_H_
#define DNNSPEC_CONFORMANCE_SUBJECT_REORDER_IO_H_

#include <optional>
#include <vector>

#include "conformance/case/trial.h"
#include "conformance/subject/device.h"
#include "oneapi/dnnl/dnnl.hpp"
#include "spec/memory/oracle.h"
#include "spec/numeric/convert.h"

namespace conformance {

// The elements of `memory`, row-major. nullopt after recording the outcome in `trial` when the
// reorder is refused (not run: REO says which must be there) or does not execute.
std::optional<std::vector<spec::Bits>> ReadViaReorder(const dnnl::memory& memory, spec::Type type,
                                                      const spec::Dims& dims, Device& device,
                                                      Trial& trial);

// The opposite; false where that gives nullopt.
bool WriteViaReorder(const std::vector<spec::Bits>& values, spec::Type type, const spec::Dims& dims,
                     const dnnl::memory& memory, Device& device, Trial& trial);

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_SUBJECT_REORDER_IO_H_
