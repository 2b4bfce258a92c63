// Describes what follows a sum: bias, scales, post-ops, and one conversion. Plain values.
#ifndef DNNSPEC_IMPL_CPU_PRODUCT_FINISH_H_
#define DNNSPEC_IMPL_CPU_PRODUCT_FINISH_H_

#include <cstdint>
#include <string>
#include <vector>

#include "api/spi/attributes.h"
#include "api/spi/layout.h"
#include "api/spi/operation.h"
#include "api/spi/types.h"
#include "impl_cpu/product/index.h"

namespace impl_cpu {

// What is done to a sum, in f32, in this order, before the one conversion to the type of c.
struct Finish {
  // A vector that is added: one number for each n.
  spi::DataType bias_type = spi::DataType::kUndef;
  int bias_buffer = -1;  // -1: none
  int64_t bias_offset = 0;
  Index bias;
  // Factors: none, one, or one for each n. They come with the execution where there is a buffer.
  enum class Scale { kNone, kOne, kMany };
  Scale scale = Scale::kNone;
  int scales_buffer = -1;
  std::vector<float> scales;
  // No sum of scale 0 is among them, and each has a type.
  std::vector<spi::PostOp> post_ops;
  // Of s32 and nothing but an integer bias: nothing passes through f32.
  bool exact = false;

  // Sums are results.
  bool none() const { return bias_buffer < 0 && scale == Scale::kNone && post_ops.empty(); }
  // What the result held is added.
  bool sums() const;
};

// Of a forward operation with a bias, or null, and a destination that are among its tensors.
Finish FinishOf(const spi::Operation& operation, const spi::Layout* bias, const spi::Layout& dst);

// " bias scale:one sum eltwise".
std::string ToString(const Finish& finish);

}  // namespace impl_cpu

#endif  // DNNSPEC_IMPL_CPU_PRODUCT_FINISH_H_
