// Memories of which every byte is known, also where the descriptor of the memory is not that of the
// tensor in it.
#ifndef DNNSPEC_CONFORMANCE_MODEL_HOLDER_H_
#define DNNSPEC_CONFORMANCE_MODEL_HOLDER_H_

#include <cstdint>
#include <string>
#include <vector>

#include "conformance/case/trial.h"
#include "conformance/gen/tensors.h"
#include "conformance/subject/device.h"
#include "oneapi/dnnl/dnnl.hpp"
#include "spec/numeric/convert.h"

namespace conformance {

// Elements from the start of the buffer to the end of the last one.
int64_t Reach(const TensorSpec& tensor);

// One-dimensional, without gaps.
dnnl::memory::desc Flat(spec::Type type, int64_t elements);
// Of f32, row-major, without gaps.
dnnl::memory::desc Rows(const dnnl::memory::dims& dims);

// A memory of the subject's, and what its bytes should be. All of it may throw.
struct Holder {
  // With bytes that `seed` chooses, in the memory too.
  Holder(const dnnl::memory::desc& desc, const Device& device, uint64_t seed);

  // values[k] to the element of `tensor` with row-major number k; Upload brings it to the memory.
  void Put(const TensorSpec& tensor, const std::vector<spec::Bits>& values);
  void Upload();
  // Fails the trial at the first byte that is another.
  bool Holds(const std::string& name, Trial& trial) const;

  // Another memory on the same buffer.
  dnnl::memory As(const dnnl::memory::desc& desc, const Device& device) const;

  dnnl::memory held;
  std::vector<uint8_t> bytes;
};

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_MODEL_HOLDER_H_
