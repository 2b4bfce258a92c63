// Tensors of the subject with the values of a case in them, and other memory over the same bytes.
#ifndef DNNSPEC_CONFORMANCE_MEMORY_TRANSFER_H_
#define DNNSPEC_CONFORMANCE_MEMORY_TRANSFER_H_

#include <optional>
#include <vector>

#include "conformance/case/trial.h"
#include "conformance/gen/tensors.h"
#include "conformance/memory/tensor_cases.h"
#include "conformance/subject/device.h"
#include "conformance/subject/tensor.h"
#include "oneapi/dnnl/dnnl.hpp"
#include "spec/memory/oracle.h"
#include "spec/numeric/convert.h"

namespace conformance {

// A tensor of the subject with the values of a case in it.
struct Filled {
  TensorSpec spec;
  dnnl::memory::desc desc;
  Device* device;
  Tensor tensor;
  std::vector<spec::Bits> values;
};

// nullopt after recording the outcome in `trial` when there is no such descriptor, engine or
// memory.
std::optional<Filled> Fill(const TensorCase& c, Trial& trial);

// Values other than those that Fill puts in.
std::vector<spec::Bits> OtherValues(const TensorCase& c);

// Two fillings of a tensor, and what another memory over the same bytes must make of them.
struct Seen {
  std::vector<spec::Bits> values, shown;    // what is there, what the other one reads
  std::vector<spec::Bits> others, written;  // what is there after the other one writes this
};

// Reads `memory`, which has these dims, and compares; then writes through it and compares what the
// tensor behind it holds.
void ReadsAndWrites(const dnnl::memory& memory, const spec::Dims& dims, const Seen& seen,
                    Filled& behind, Trial& trial);

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_MEMORY_TRANSFER_H_
