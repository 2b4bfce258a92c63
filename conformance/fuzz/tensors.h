// Tensors out of a fuzzer's bytes.
#ifndef DNNSPEC_CONFORMANCE_FUZZ_TENSORS_H_
#define DNNSPEC_CONFORMANCE_FUZZ_TENSORS_H_

#include "conformance/case/trial.h"
#include "conformance/gen/tensors.h"
#include "tools/fuzz/bytes.h"

namespace conformance {

// Rank 1 to 12, at most 4096 elements.
spec::Dims DimsFrom(tools::Bytes& bytes);

// Any order of the axes, gaps between them, and perhaps a region of a larger tensor; strides are
// acceptable.
TensorSpec TensorFrom(tools::Bytes& bytes, const spec::Dims& dims);

// Stops the process, with the case, if the trial failed.
void MustHold(const Trial& trial, const std::string& line);

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_FUZZ_TENSORS_H_
