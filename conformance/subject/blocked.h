// Tensors of the subject in hand-written blocks, where its descriptors show any: for OPT-045, and
// the one place of the suite that writes into a descriptor (decisions/0008-zero-padding.md).
#ifndef DNNSPEC_CONFORMANCE_SUBJECT_BLOCKED_H_
#define DNNSPEC_CONFORMANCE_SUBJECT_BLOCKED_H_

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "conformance/case/trial.h"
#include "conformance/gen/blocks.h"
#include "conformance/gen/placement.h"
#include "conformance/subject/device.h"
#include "conformance/subject/tensor.h"
#include "oneapi/dnnl/dnnl.hpp"
#include "spec/memory/blocks.h"
#include "spec/numeric/convert.h"

namespace conformance {

// nullopt after recording the outcome in `trial` where the subject's header has no C descriptor
// with inner blocks. `run_time`: its strides are known at execution only. May throw.
std::optional<dnnl::memory::desc> BlockedDesc(const BlockedTensor& tensor, bool run_time,
                                              Trial& trial);

// A memory object of get_size() bytes between guards, in which `tensor` lies: `desc` is its own
// descriptor, or another of the same type. What is no element is garbage: never 0.
class BlockedMemory {
 public:
  // May throw.
  BlockedMemory(const BlockedTensor& tensor, const dnnl::memory::desc& desc, const Device& device,
                const Placement& placement, uint64_t seed);

  dnnl::memory& memory() { return bytes_.memory(); }

  // Garbage, then values[k] to the element with row-major number k.
  void Store(const std::vector<spec::Bits>& values);
  // The same, and then others[k] to where element k of `other`, of as many bytes each, would be.
  void Store(const std::vector<spec::Bits>& values, const spec::Blocked& other,
             const std::vector<spec::Bits>& others);
  std::vector<spec::Bits> Load();

  // Fails the trial, and is false, unless all padding is zero and every other byte that is no
  // element's is as Store left it.
  bool ExpectZeroPadding(std::string_view name, Trial& trial);
  // The same unless nothing has changed since Store.
  bool ExpectUntouched(std::string_view name, Trial& trial);

 private:
  // In `before_`.
  void Put(const std::vector<int64_t>& places, const std::vector<spec::Bits>& values);

  const spec::Type type_;
  const spec::Places places_;
  Tensor bytes_;                    // its elements are its bytes
  std::vector<spec::Bits> before_;  // as Store left them
};

// Elements from the start of the buffer to the end of all that the blocks hold.
int64_t Reach(const spec::Blocked& layout);

// Trial::Cover for every class of `tensor`.
void SawBlocks(Trial& trial, const BlockedTensor& tensor);

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_SUBJECT_BLOCKED_H_
