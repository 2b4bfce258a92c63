// Declares the uniform parameters of one dispatch of a convolution; the shader's own declaration is
// product.glsl with what convolution.glsl adds to it.
#ifndef DNNSPEC_IMPL_VULKAN_CONVOLUTION_PARAMETERS_H_
#define DNNSPEC_IMPL_VULKAN_CONVOLUTION_PARAMETERS_H_

#include <cstdint>

#include "impl_vulkan/product/parameters.h"
#include "impl_vulkan/strided/parameters.h"

namespace impl_vulkan {

// Behind those of a product: of the taps of B, and of the three spatial axes of A.
enum ConvolutionChainOf { kBTaps = kChains, kAAxes };
constexpr int kConvolutionChains = kAAxes + 3;
// Three tensors of rank 6 at most with 6 blocks, the bias, and the partial sums.
constexpr uint32_t kMaxConvolutionLinks = 64;

// One spatial axis: the tap t of the row x lies at v / stride of A, where
// v = base + x * row_step + t * tap_step, modulo 2^32; if v is below `limit` and divisible.
struct AxisParameters {
  uint32_t extent = 1;  // of x, or in windows the tiles of `rows`
  Divisor extent_divisor;
  uint32_t base = 0;
  uint32_t row_step = 0, tap_step = 0;
  uint32_t taps = 1;
  uint32_t limit = 0;
  uint32_t stride = 1;
  Divisor stride_divisor;
  uint32_t rows = 1;  // the extent of x
};

// Laid out as std140 wants it. m, n and k are of one group; columns those of tiles in it.
struct ConvolutionParameters {
  uint32_t m = 0, n = 0, k = 0;
  uint32_t steps = 0;  // of the epilogue
  uint32_t tiles = 0;
  uint32_t columns = 1;
  Divisor columns_divisor;
  uint32_t rows = 1;          // of tiles
  uint32_t scale_stride = 0;  // 0: one scale, 1: one for each channel
  // Layer z of the workgroups has the `part` taps or terms from z * part on, and its partial sums
  // lie z * partial_step behind.
  uint32_t part = 0, partial_step = 0;
  Chain chains[kConvolutionChains] = {};
  Link links[kMaxConvolutionLinks] = {};
  EpilogueStep epilogue[kMaxSteps] = {};
  AxisParameters axes[3] = {};
  uint32_t taps = 0;   // of all axes together
  uint32_t inner = 1;  // tiles that neighbours have: rows, or the columns of all groups
  Divisor inner_divisor;
  uint32_t along_m = 0;  // 1: rows
  // Indices of channels from one group to the next: in n, and in A, where they belong to m or to k.
  uint32_t n_of_group = 0, a_m_of_group = 0, a_k_of_group = 0;
  // What `part` counts: taps, or terms through all taps and channels (terms.glsl). Of the latter
  // how many taps or channels follow one another; and by the taps along the two inner axes.
  uint32_t terms = 0;
  uint32_t fast = 1;
  Divisor fast_divisor;
  Divisor tap_divisors[2];
};
static_assert(sizeof(AxisParameters) == 48, "as in convolution.glsl");
static_assert(sizeof(ConvolutionParameters) ==
                  48 + 16 * (kConvolutionChains + kMaxConvolutionLinks + kMaxSteps) + 3 * 48 + 64,
              "as in convolution.glsl");

}  // namespace impl_vulkan

#endif  // DNNSPEC_IMPL_VULKAN_CONVOLUTION_PARAMETERS_H_
