// What a real compiler makes of the shaders (impl_vulkan/testing/compiler.h): no register is spilt,
// loads are issued together, and the number of instructions stays within a tenth of what it was.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "impl_vulkan/strided/kernels.h"
#include "impl_vulkan/testing/compiler.h"

namespace impl_vulkan {
namespace {

using testing::Compiler;

constexpr uint32_t kF16 = 1, kBf16 = 2, kF32 = 3, kS32 = 4, kS8 = 5, kU8 = 6;

struct Shader {
  // From, to, scales, invocations, old; outer and inner loops; the kernel's own.
  testing::CompiledShader code;
  int together;  // loads before the first wait, at least
};

std::vector<Shader> Shaders() {
  return {
      {{IMPL_VULKAN_SHADER(row_moves_int8), 3, {kS32, kS32, 0, 256, 0, 1, 1, 128}, 120}, 4},
      {{IMPL_VULKAN_SHADER(row_converts_int8), 3, {kF32, kF16, 0, 256, 0, 1, 1, 128}, 391}, 4},
      {{IMPL_VULKAN_SHADER(row_converts_int8), 3, {kF32, kS8, 0, 256, 0, 1, 1, 128}, 424}, 4},
      {{IMPL_VULKAN_SHADER(row_converts), 3, {kF32, kBf16, 0, 256, 0, 1, 1, 128}, 255}, 4},
      {{IMPL_VULKAN_SHADER(row_moves), 3, {kU8, kU8, 0, 256, 0, 1, 1, 128}, 254}, 4},
      {{IMPL_VULKAN_SHADER(row_computes_float_controls), 4, {kF32, kS8, 1, 256, 0, 1, 1, 128}, 494},
       4},
      {{IMPL_VULKAN_SHADER(tile_moves_int8), 3, {kS32, kS32, 0, 256, 0, 1, 2, 32, 32, 1}, 207}, 4},
      {{IMPL_VULKAN_SHADER(tile_moves_int8), 3, {kF16, kF16, 0, 256, 0, 1, 2, 64, 64, 1}, 331}, 4},
      {{IMPL_VULKAN_SHADER(tile_moves_int8), 3, {kU8, kU8, 0, 256, 0, 1, 2, 128, 128, 1}, 480}, 4},
      {{IMPL_VULKAN_SHADER(tile_moves), 3, {kU8, kU8, 0, 256, 0, 1, 2, 128, 128, 0}, 361}, 4},
      {{IMPL_VULKAN_SHADER(tile_computes_float_controls),
        4,
        {kF32, kS8, 1, 256, 0, 1, 2, 32, 128, 0},
        435},
       4},
      {{IMPL_VULKAN_SHADER(packed_moves_int8), 3, {kS32, kS32, 0, 256, 0, 1, 2, 2048}, 124}, 4},
      {{IMPL_VULKAN_SHADER(packed_moves), 3, {kU8, kU8, 0, 256, 0, 1, 2, 2048}, 256}, 4},
      {{IMPL_VULKAN_SHADER(generic_computes), 4, {kF32, kF32, 1, 256, 3}, 431}, 1},
  };
}

TEST_F(Compiler, SpillsNothingAndNeedsAsManyInstructionsAsItDid) {
  for (const Shader& shader : Shaders()) {
    SCOPED_TRACE(NameOf(shader.code));
    ExpectAsItWas(shader.code, 64);
  }
}

TEST_F(Compiler, IssuesLoadsTogether) {
  for (const Shader& shader : Shaders()) {
    SCOPED_TRACE(NameOf(shader.code));
    const std::string assembly = Assembly(Compile(shader.code));
    ASSERT_NE(assembly.find("buffer_load"), std::string::npos);
    EXPECT_GE(testing::LoadsTogether(assembly), shader.together);
  }
}

}  // namespace
}  // namespace impl_vulkan
