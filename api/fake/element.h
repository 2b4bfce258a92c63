// The arithmetic of the fake implementations: one element at a time, by coordinates.
#ifndef DNNSPEC_API_FAKE_ELEMENT_H_
#define DNNSPEC_API_FAKE_ELEMENT_H_

#include <cstdint>

#include "api/convolution/operation.h"
#include "api/eltwise/operation.h"
#include "api/inner_product/operation.h"
#include "api/reorder/operation.h"
#include "api/shuffle/operation.h"
#include "api/spi/attributes.h"

namespace fake {

// What comes at execution; null what does not.
struct RunTimeValues {
  const float* scales = nullptr;
  const int32_t* src_zero_point = nullptr;
  const int32_t* dst_zero_point = nullptr;
};

void Run(const spi::ReorderView& operation, const void* src, void* dst, const RunTimeValues& given);
void Run(const spi::ShuffleView& operation, const void* from, void* to);

// Of the algorithms, as primitives and as post-ops, it knows relu, linear and exp; what others give
// is NaN. `diff_dst` is null forward.
void Run(const spi::EltwiseView& operation, const void* data, const void* diff_dst, void* to);

// In the order of InnerProductView and ConvolutionView; `bias` is null where there is none.
struct ProductBuffers {
  void *src, *weights, *bias, *dst;
};
void Run(const spi::InnerProductView& operation, const spi::Attributes& attributes,
         const ProductBuffers& at, const float* run_time_scales);
void Run(const spi::ConvolutionView& operation, const spi::Attributes& attributes,
         const ProductBuffers& at, const float* run_time_scales);

}  // namespace fake

#endif  // DNNSPEC_API_FAKE_ELEMENT_H_
