// What a real compiler makes of the shaders (impl_vulkan/testing/compiler.h): no register is spilt,
// the number of instructions stays within a tenth of what it was, and loops are unrolled.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "impl_vulkan/product/kernels.h"
#include "impl_vulkan/testing/compiler.h"

namespace impl_vulkan {
namespace {

using testing::Compiler;

constexpr uint32_t kBf16 = 2, kF32 = 3, kS32 = 4, kS8 = 5, kU8 = 6;

// Types of A, B and C, invocations, types of the old value and the bias, partial sums, links of the
// chains; the kernel's own.
std::vector<testing::CompiledShader> Shaders() {
  return {
      {IMPL_VULKAN_SHADER(product_direct_float_controls),
       4,
       {kF32, kF32, kF32, 64, 0, 0, 0, 1, 1, 4, 4},
       551},
      {IMPL_VULKAN_SHADER(product_direct_float_controls),
       4,
       {kU8, kS8, kS32, 64, 0, 0, 0, 1, 1, 1, 4},
       537},
      {IMPL_VULKAN_SHADER(product_direct_float_controls),
       4,
       {kF32, kF32, kF32, 64, 0, 0, 0, 1, 1, 8, 8},
       656},
      {IMPL_VULKAN_SHADER(product_tile_float_controls),
       4,
       {kF32, kF32, kF32, 256, 0, kF32, 0, 1, 1, 4, 4, 64, 64, 8, 1, 1, 0},
       726},
      {IMPL_VULKAN_SHADER(product_tile_float_controls),
       4,
       {kF32, kF32, kF32, 128, 0, kF32, 0, 1, 1, 8, 8, 128, 64, 8, 1, 1, 0},
       4266},
      {IMPL_VULKAN_SHADER(product_tile_int8),
       4,
       {kBf16, kBf16, kBf16, 128, 0, 0, 0, 1, 1, 8, 8, 128, 64, 8, 1, 0, 1},
       4511},
      {IMPL_VULKAN_SHADER(product_tile_extras_float_controls),
       6,
       {kU8, kS8, kS8, 64, kS8, kF32, 0, 1, 1, 4, 4, 32, 32, 8, 1, 1, 0},
       936},
      {IMPL_VULKAN_SHADER(product_vector_float_controls),
       4,
       {kF32, kF32, kF32, 64, 0, kF32, 0, 1, 1, 1, 1},
       500},
      {IMPL_VULKAN_SHADER(product_vector_float_controls),
       4,
       {kF32, kF32, kF32, 64, 0, kF32, 0, 1, 1, 8, 4},
       784},
      {IMPL_VULKAN_SHADER(product_vector_extras_float_controls),
       6,
       {kU8, kS8, kS8, 64, kS8, kF32, 0, 1, 1, 2, 4},
       691},
  };
}

TEST_F(Compiler, SpillsNothingAndNeedsAsManyInstructionsAsItDid) {
  for (const testing::CompiledShader& shader : Shaders()) {
    SCOPED_TRACE(NameOf(shader));
    ExpectAsItWas(shader, 128);
  }
}

// How often `word` begins an instruction.
int CountOf(const std::string& assembly, const std::string& word) {
  int count = 0;
  for (size_t at = assembly.find(word); at != std::string::npos; at = assembly.find(word, at + 1)) {
    ++count;
  }
  return count;
}

TEST_F(Compiler, MultipliesFromRegisters) {
  // Sums in memory of their own, or loops that are not unrolled, would leave fewer.
  const testing::CompiledShader direct = Shaders()[0], tile = Shaders()[4];
  EXPECT_GE(CountOf(Assembly(Compile(direct)), "v_fma"), 4 * 4);
  EXPECT_GE(CountOf(Assembly(Compile(tile)), "v_fma"), 8 * 8 * 8);
  EXPECT_EQ(CountOf(Assembly(Compile(tile)), "scratch_"), 0);
}

}  // namespace
}  // namespace impl_vulkan
