// Plans for inner product.
//
// What `any` becomes. Weights and their gradient are blocks of 16 outputs, behind them the inputs
// in the order of a source whose layout is known and has no blocks, otherwise row-major, each time
// with the 16 outputs innermost (Oi16o). Inside, as many inputs as have four bytes lie side by
// side, four of s8 and two of bf16 (Oi16o4i): those of the innermost axis that has a multiple of so
// many, which becomes the last one; not in a gradient, and not where no axis has. Up to eight
// outputs have no blocks. Of backward data, inputs and outputs change places. Kernels read them as
// they lie. Everything else is row-major.
#ifndef DNNSPEC_IMPL_CPU_INNER_PRODUCT_PLAN_H_
#define DNNSPEC_IMPL_CPU_INNER_PRODUCT_PLAN_H_

#include "absl/status/statusor.h"
#include "api/spi/implementation.h"

namespace impl_cpu {

// Unimplemented for types that no table of the specification has and for scales of other masks.
absl::StatusOr<spi::Planned> PlanInnerProduct(const spi::Request& request);

}  // namespace impl_cpu

#endif  // DNNSPEC_IMPL_CPU_INNER_PRODUCT_PLAN_H_
