// Declares the uniform parameters of one dispatch of a product; the shaders' own declaration is
// product.glsl.
#ifndef DNNSPEC_IMPL_VULKAN_PRODUCT_PARAMETERS_H_
#define DNNSPEC_IMPL_VULKAN_PRODUCT_PARAMETERS_H_

#include <cstdint>

#include "impl_vulkan/strided/parameters.h"

namespace impl_vulkan {

// A tensor of rank 5 with 6 blocks has 11 links at most, and there are three of them, the bias and
// the partial sums, which are dense.
constexpr uint32_t kMaxLinks = 48;
constexpr uint32_t kMaxSteps = 64;

// One axis: of what is left of an index, the rest by `extent` lies `stride` elements apart, and the
// quotient is left to the next link. With an extent of 0 a block inside the axis before: each
// multiple of the divisor adds `stride`, modulo 2^32, to where the axis alone would be.
struct Link {
  uint32_t extent = 0, stride = 0;
  Divisor divisor;
};

// The links from `first` on turn an index into a distance in elements. There is at least one.
struct Chain {
  uint32_t first = 0, links = 0;
  uint32_t unused[2] = {};
};

// By the two indices of each matrix, and n of the bias.
enum ChainOf { kAM, kAK, kBN, kBK, kCM, kCN, kBiasN, kPartialM, kPartialN };
constexpr int kChains = 9;

// What happens to a finished sum, in f32, one step after the other. There is one register beside
// the value.
enum class StepCode : uint32_t {
  kLoad,      // v = x
  kSave,      // the register = v
  kAdd,       // v + x
  kMultiply,  // x * v
  kSlope,     // x * v, but v where v > 0
  kMax,       // the larger of v and x; a NaN stays
  kMin,       // the smaller one; a NaN stays
  kAbs,       // |v|
  kRound,     // the nearest integer, of two the even one
};
// What x is.
enum class StepOperand : uint32_t { kConstant, kBias, kScale, kOld, kSaved, kSelf };

struct EpilogueStep {
  StepCode code = StepCode::kLoad;
  StepOperand operand = StepOperand::kConstant;
  uint32_t constant = 0;  // f32 bits
  uint32_t unused = 0;
};

// Laid out as std140 wants it. Strides in elements.
struct ProductParameters {
  uint32_t m = 0, n = 0, k = 0;
  uint32_t steps = 0;  // of the epilogue
  uint32_t tiles = 0;
  uint32_t columns = 1;  // of tiles
  Divisor columns_divisor;
  uint32_t rows = 1;          // of tiles
  uint32_t scale_stride = 0;  // 0: one scale, 1: one for each n
  // Layer z of the workgroups has the `part` terms of each sum from z * part on, and its partial
  // sums lie z * partial_step behind.
  uint32_t part = 0, partial_step = 0;
  Chain chains[kChains] = {};
  Link links[kMaxLinks] = {};
  EpilogueStep epilogue[kMaxSteps] = {};
};
static_assert(sizeof(ProductParameters) == 48 + 16 * (kChains + kMaxLinks + kMaxSteps),
              "as in product.glsl");

}  // namespace impl_vulkan

#endif  // DNNSPEC_IMPL_VULKAN_PRODUCT_PARAMETERS_H_
