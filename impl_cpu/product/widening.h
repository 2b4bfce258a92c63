// Rows of bf16 as f32, for each instruction set.
#ifndef DNNSPEC_IMPL_CPU_PRODUCT_WIDENING_H_
#define DNNSPEC_IMPL_CPU_PRODUCT_WIDENING_H_

#include <cstdint>

namespace impl_cpu {

// `rows` rows of `cols` elements. `from_row` and `to_row` count elements from one row to the next.
struct WideningShape {
  int64_t rows = 0, cols = 0, from_row = 0, to_row = 0;
};

using WideningKernel = void (*)(const WideningShape& shape, const uint16_t* from, float* to);

// Reads and writes nothing beyond the columns, and is fast for few of them. For the best
// instruction set of this machine; null where that has no vectors.
WideningKernel FindWideningKernel();

}  // namespace impl_cpu

#endif  // DNNSPEC_IMPL_CPU_PRODUCT_WIDENING_H_
