// Declares the uniform parameters of one dispatch of a move; the shaders' own declaration is
// glsl/parameters.glsl.
#ifndef DNNSPEC_IMPL_VULKAN_STRIDED_PARAMETERS_H_
#define DNNSPEC_IMPL_VULKAN_STRIDED_PARAMETERS_H_

#include <cstdint>

namespace impl_vulkan {

constexpr int kMaxLoops = 16;

// v / d = umulhi(v, magic) >> shift for every v < 2^31; magic 0 stands for d = 1.
struct Divisor {
  uint32_t magic = 0;
  uint32_t shift = 0;
};

constexpr Divisor DivisorOf(uint32_t d) {
  if (d <= 1) return {};
  uint32_t bits = 0;
  while (bits < 32 && (uint64_t{1} << bits) < d) ++bits;
  return {static_cast<uint32_t>((uint64_t{1} << (31 + bits)) / d + 1), bits - 1};
}

// Laid out as std140 wants it. Strides in elements.
struct LoopParameters {
  uint32_t extent, source, destination, scale;
  Divisor divisor;  // by extent
  uint32_t unused[2];
};

// `outer` loops find a run, block or tile, outermost first; `inner` ones follow, outermost first.
//
//             generic             row              tile                    packed
//   rows      runs                runs             tiles                   blocks
//   columns   words of a run      chunks of a run  tiles along J           blocks of a workgroup
//   depth     -                   -                tiles along I           -
//   run       elements of a run   the same         -                       elements of a block
//   inner     loops of a run      1: the run       2: I, then J            loops of a block
struct Parameters {
  uint32_t rows = 0;
  uint32_t columns = 1;
  Divisor columns_divisor;
  uint32_t depth = 1;
  Divisor depth_divisor;
  uint32_t run = 0;
  Divisor run_divisor;
  uint32_t outer = 0;
  uint32_t inner = 0;
  uint32_t alpha = 0;                   // f32 bits
  uint32_t beta = 0;                    // f32 bits
  uint32_t src_zero = 0, dst_zero = 0;  // f32 bits; those of an execution are bound beside
  LoopParameters loops[kMaxLoops] = {};
};
static_assert(sizeof(Parameters) == 64 + 32 * kMaxLoops, "as in glsl/parameters.glsl");

}  // namespace impl_vulkan

#endif  // DNNSPEC_IMPL_VULKAN_STRIDED_PARAMETERS_H_
