// Tensors of the subject: descriptors and memory objects made from TensorSpec, with elements
// written and read by ORC-OFF and everything else guarded by canaries.
#ifndef DNNSPEC_CONFORMANCE_SUBJECT_TENSOR_H_
#define DNNSPEC_CONFORMANCE_SUBJECT_TENSOR_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/case/trial.h"
#include "conformance/gen/placement.h"
#include "conformance/gen/tensors.h"
#include "conformance/subject/attempt.h"
#include "conformance/subject/buffer.h"
#include "conformance/subject/device.h"
#include "oneapi/dnnl/dnnl.hpp"
#include "spec/numeric/convert.h"

namespace conformance {

dnnl::memory::data_type DataTypeOf(spec::Type type);

// The enumerator of a name in spec::SeedTags().
dnnl::memory::format_tag FormatTagOf(std::string_view name);

// False, with the case marked, when a subject may refuse descriptors of `rank` (MD-024): in the
// portable profile because it refuses it with "any" too, in the project profile because 12 is the
// limit.
bool RankIsOffered(Trial& trial, size_t rank);

// Whether a primitive may be refused because its tensors have `rank` axes: in the portable profile
// the mandatory core ends at 6 (spec/reading.md), and so it does on GPU engines in both.
bool MayRefuseRank(const Trial& trial, int rank);

// The constructor call with format_tag::any. May throw.
dnnl::memory::desc WithAny(spec::Type type, const spec::Dims& dims);

// The constructor calls that a TensorSpec stands for, one after the other. May throw.
dnnl::memory::desc MakeDesc(const TensorSpec& tensor);

// MakeDesc for a check that only starts from it. nullopt after recording the outcome in `trial`
// when it was refused: a failure if this descriptor must be accepted, otherwise not run.
std::optional<dnnl::memory::desc> DescFor(const TensorSpec& tensor, Trial& trial);

// A memory object and what it should hold. The memory's bytes belong to this object, on engines
// that take host pointers, and to the subject on others.
class Tensor {
 public:
  // May throw what the subject throws. `desc` is the descriptor of `spec`. `seed` chooses canaries.
  Tensor(const TensorSpec& spec, const dnnl::memory::desc& desc, const Device& device,
         const Placement& placement, uint64_t seed);

  dnnl::memory& memory() { return memory_; }
  // From the memory's handle on; at least get_size(), unless that is no size (BytesFor) or the
  // placement is tight.
  int64_t bytes() const { return bytes_; }

  // Canaries, then values[k] to the element with row-major number k. Where a stride is 0 the last
  // of several values wins.
  void Store(const std::vector<spec::Bits>& values);
  std::vector<spec::Bits> Load();

  // As in Footprint: what changed since Store outside the elements, or anywhere; empty if nothing.
  std::string ChangedGap();
  std::string ChangedByte(const std::vector<spec::Bits>& values);

 private:
  // Calls use(host address of the data).
  template <class Use>
  auto OnHost(Use use);

  int64_t bytes_ = 0;
  std::optional<Buffer> buffer_;  // nullopt on a device
  dnnl::memory memory_;
  std::optional<Footprint> footprint_;
};

// "dst[1,0,2]" for row-major number `k`.
std::string ElementName(std::string_view tensor, const spec::Dims& dims, int64_t k);

// Fails the trial at the first element where the two differ. True when none does.
bool ExpectSameBits(Trial& trial, std::string_view tensor, spec::Type type, const spec::Dims& dims,
                    const std::vector<spec::Bits>& expected, const std::vector<spec::Bits>& got);

// Trial::Cover for every class of `tensor`.
void SawTensor(Trial& trial, const TensorSpec& tensor);

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_SUBJECT_TENSOR_H_
