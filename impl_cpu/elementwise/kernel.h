// Element-wise functions of rows of f32, forward and backward, for each instruction set.
//
// Bits do not depend on where an element lies in a row. They are those of numeric/eltwise.h for
// functions that are one operation or two; all others differ from them, and between targets with
// and without fused multiplication and addition, in the last bits (math-inl.h says how far they
// are from the exact result).
#ifndef DNNSPEC_IMPL_CPU_ELEMENTWISE_KERNEL_H_
#define DNNSPEC_IMPL_CPU_ELEMENTWISE_KERNEL_H_

#include <cstddef>
#include <cstdint>

#include "api/spi/attributes.h"
#include "api/spi/types.h"

namespace impl_cpu {

struct Function {
  spi::Algorithm algorithm = spi::Algorithm::kUndef;
  float alpha = 0, beta = 0;
};

// Elements of a row lie side by side; from one row to the next it is so many elements.
struct EltwiseRows {
  int64_t rows = 1, cols = 0;
  int64_t src_row = 0, dst_row = 0;
  bool non_temporal = false;  // forward: non-temporal stores where they are aligned
};

// dst = f(src). Both are one place with equal rows, or do not overlap. Nothing beyond the rows is
// read or written.
using ForwardKernel = void (*)(const Function& function, const EltwiseRows& rows, const float* src,
                               float* dst);

// diff_src = gradient of f at `data`, times diff_dst: the rows of `diff_dst` are those of
// `diff_src`, and they may be one place; `src_row` is that of `data`.
using BackwardKernel = void (*)(const Function& function, const EltwiseRows& rows,
                                const float* data, const float* diff_dst, float* diff_src);

// The kernel for the best instruction set of this machine, or null: that has no vectors, or the
// function has none, which are powers by what is not finite.
ForwardKernel FindForwardKernel(const Function& function);

// dst = f(src) of `count` elements of one type that lie side by side, computed in f32 and rounded
// once. Both are one place, or do not overlap.
using NarrowKernel = void (*)(const Function& function, int64_t count, const std::byte* src,
                              std::byte* dst);

// Of bf16, f16, s8 and u8, where the function is so cheap that a conversion by itself would cost as
// much: null for all others. It has the bits of FindForwardKernel between two conversions.
NarrowKernel FindNarrowKernel(const Function& function, spi::DataType type);

// The same backward, as BackwardKernel has it, of bf16. diff_src may be diff_dst.
using NarrowBackwardKernel = void (*)(const Function& function, int64_t count,
                                      const std::byte* data, const std::byte* diff_dst,
                                      std::byte* diff_src);

// Of these functions relu alone has a slope from its destination, and that is the one from its
// source.
NarrowBackwardKernel FindNarrowBackwardKernel(const Function& function, spi::DataType type);

// `from_dst`: of the destination of the forward function, which relu, tanh, elu, sqrt, logistic and
// exp have.
BackwardKernel FindBackwardKernel(const Function& function, bool from_dst);

}  // namespace impl_cpu

#endif  // DNNSPEC_IMPL_CPU_ELEMENTWISE_KERNEL_H_
