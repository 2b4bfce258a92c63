// Holds what the plans of primitives that sum products have in common.
#ifndef DNNSPEC_IMPL_CPU_PRODUCT_PRODUCT_PLAN_H_
#define DNNSPEC_IMPL_CPU_PRODUCT_PRODUCT_PLAN_H_

#include <cstddef>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "api/spi/implementation.h"
#include "api/spi/layout.h"
#include "api/spi/operation.h"
#include "api/spi/types.h"
#include "impl_cpu/plain/problem.h"

namespace impl_cpu {

// The tensors of a direction; those that are written are gradients where it is backward.
struct ProductTensors {
  const spi::Layout &src, &weights;
  const spi::Layout* bias;  // null: none
  const spi::Layout& dst;
};

// Ok: floats of any width on all sides; or bytes by s8, whose sums go to anything, forward. One
// output scale, or one for each channel. Otherwise kUnimplemented.
absl::Status CheckServed(const char* primitive, const spi::Operation& operation,
                         const ProductTensors& tensors);

// f32, bf16 or f16.
bool IsFloat(spi::DataType type);
// u8 or s8.
bool IsByte(spi::DataType type);

// How many elements of a narrow type are four bytes: so many k of a column lie side by side in a
// panel.
int SideBySide(spi::DataType type);

// Of the type and dims of `asked`: whole blocks without gaps, `axes` from the outermost to the
// innermost. Without blocks where a dim in whole ones does not fit 63 bits: no tensor with elements
// has such a one.
spi::Layout Ordered(const spi::Layout& asked, absl::Span<const spi::Block> blocks,
                    absl::Span<const int> axes);

// Writes the padding of blocks, too.
class ProductPlan : public spi::Plan {
 public:
  absl::Status Execute(spi::Stream& stream, spi::Buffers buffers) const final;

 protected:
  explicit ProductPlan(const spi::Operation& operation);

 private:
  virtual void Run(spi::Buffers buffers) const = 0;

  std::vector<std::pair<size_t, Problem>> padding_;
};

}  // namespace impl_cpu

#endif  // DNNSPEC_IMPL_CPU_PRODUCT_PRODUCT_PLAN_H_
