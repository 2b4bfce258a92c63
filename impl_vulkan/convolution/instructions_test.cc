// What a real compiler makes of the shader (impl_vulkan/testing/compiler.h): no register is spilt,
// and the number of instructions stays within a tenth of what it was.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "impl_vulkan/convolution/kernels.h"
#include "impl_vulkan/testing/compiler.h"

namespace impl_vulkan {
namespace {

using testing::Compiler;

constexpr uint32_t kBf16 = 2, kF32 = 3, kS8 = 5, kU8 = 6;

// Types of A, B and C, invocations, types of the old value and the bias, partial sums, whether
// chains have one link; rows and columns of an invocation, and the rest of a tile; or a window: its
// axis, rows, taps, steps from row to row and tap to tap, whether backwards, stride, first element.
std::vector<testing::CompiledShader> Shaders() {
  return {
      {IMPL_VULKAN_SHADER(convolution_direct_float_controls),
       4,
       {kF32, kF32, kF32, 64, 0, kF32, 0, 1, 1, 4, 4},
       1069},
      {IMPL_VULKAN_SHADER(convolution_direct_float_controls),
       4,
       {kF32, kF32, kF32, 64, 0, 0, 0, 0, 1, 1, 1},
       775},
      {IMPL_VULKAN_SHADER(convolution_direct_int8),
       4,
       {kBf16, kBf16, kBf16, 64, 0, 0, 0, 1, 1, 4, 4},
       1310},
      {IMPL_VULKAN_SHADER(convolution_direct_extras_float_controls),
       6,
       {kU8, kS8, kS8, 64, kS8, kF32, 0, 1, 1, 4, 4},
       1190},
      {IMPL_VULKAN_SHADER(convolution_tile_float_controls),
       4,
       {kF32, kF32, kF32, 128, 0, kF32, 0, 1, 1, 8, 8, 128, 64, 8, 0, 1, 1, 0},
       5309},
      {IMPL_VULKAN_SHADER(convolution_tile_float_controls),
       4,
       {kF32, kF32, kF32, 128, 0, kF32, 0, 1, 1, 8, 8, 128, 64, 8, 0, 1, 1, 2},
       5100},
      {IMPL_VULKAN_SHADER(convolution_tile_float_controls),
       4,
       {kF32, kF32, kF32, 128, 0, kF32, 0, 1, 1, 8, 8, 128, 64, 8, 1, 1, 0, 1},
       4879},
      {IMPL_VULKAN_SHADER(convolution_tile_extras_float_controls),
       6,
       {kU8, kS8, kS8, 64, kS8, kF32, 0, 1, 1, 4, 4, 32, 32, 8, 1, 1, 0, 0},
       1500},
      {IMPL_VULKAN_SHADER(convolution_window_float_controls),
       4,
       {kF32, kF32, kF32, 64, 0, kF32, 0, 1, 1, 1, 4, 3, 1, 1, 0, 1, 0},
       695},
      {IMPL_VULKAN_SHADER(convolution_window_extras_float_controls),
       6,
       {kU8, kS8, kS8, 64, kS8, kF32, 0, 1, 1, 1, 4, 3, 2, 1, 0, 1, 0},
       845},
      {IMPL_VULKAN_SHADER(convolution_window_float_controls),
       4,
       {kF32, kF32, kF32, 64, 0, 0, 0, 1, 1, 1, 4, 3, 1, 1, 1, 2, 1},
       615},
  };
}

TEST_F(Compiler, SpillsNothingAndNeedsAsManyInstructionsAsItDid) {
  for (const testing::CompiledShader& shader : Shaders()) {
    SCOPED_TRACE(NameOf(shader));
    // A tile keeps 64 sums, and of each row that is read where its taps begin.
    const bool tile = NameOf(shader).find("tile") != std::string::npos;
    ExpectAsItWas(shader, tile ? 160 : 128);
    // Of tiles of f32, all that an invocation reads for one step.
    if (tile && shader.buffers == 4) {
      EXPECT_GE(testing::LoadsTogether(Assembly(Compile(shader))), 12);
    }
  }
}

}  // namespace
}  // namespace impl_vulkan
