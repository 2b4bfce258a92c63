// A tensor in another layout and type, in the scratchpad: a reorder of our own.
#ifndef DNNSPEC_IMPL_CPU_CONVOLUTION_TENSOR_COPY_H_
#define DNNSPEC_IMPL_CPU_CONVOLUTION_TENSOR_COPY_H_

#include <cstddef>
#include <memory>

#include "api/spi/implementation.h"
#include "api/spi/layout.h"
#include "impl_cpu/convolution/patches.h"

namespace impl_cpu {

class TensorCopy {
 public:
  // Nothing is copied.
  TensorCopy() = default;
  TensorCopy(const spi::Layout& from, const spi::Layout& to);

  explicit operator bool() const { return plan_ != nullptr; }
  // Of scratchpad, whole lines.
  size_t bytes() const { return bytes_; }
  // What is to be read: `from`, or its copy at *scratchpad, which then begins behind it. What
  // blocks hold beyond the elements is 0 in a copy.
  const std::byte* Read(const std::byte* from, std::byte** scratchpad) const;

 private:
  std::shared_ptr<const spi::Plan> plan_;
  size_t bytes_ = 0;
};

// Of a tensor {N, C, spatial...}, with channels side by side: none where `layout` has them so.
// `rows`: where what is read has them.
TensorCopy CopyToChannelRows(const spi::Layout& layout, ChannelRows* rows);

}  // namespace impl_cpu

#endif  // DNNSPEC_IMPL_CPU_CONVOLUTION_TENSOR_COPY_H_
