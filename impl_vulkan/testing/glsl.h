// The words of GLSL that the shaders' functions of one number are written with, for C++: a source
// that is included in namespace impl_vulkan::testing::glsl behind this header is then an ordinary
// function, of which a test can ask billions of values.
#ifndef DNNSPEC_IMPL_VULKAN_TESTING_GLSL_H_
#define DNNSPEC_IMPL_VULKAN_TESTING_GLSL_H_

#include <cmath>
#include <cstdint>
#include <cstring>

namespace impl_vulkan {
namespace testing {
namespace glsl {

using uint = uint32_t;

inline uint min(uint a, uint b) { return a < b ? a : b; }
inline int max(int a, int b) { return a > b ? a : b; }
inline int clamp(int v, int low, int high) { return v < low ? low : v > high ? high : v; }
inline float sqrt(float v) { return std::sqrt(v); }

// The place of the highest bit that is set; -1 of 0.
inline int findMSB(uint v) {
  int place = -1;
  for (; v != 0; v >>= 1) ++place;
  return place;
}

inline int bitfieldExtract(int v, int first, int bits) {
  const int unused = 32 - bits;
  return static_cast<int>(static_cast<uint>(v) << (unused - first)) >> unused;
}

inline void umulExtended(uint a, uint b, uint& high, uint& low) {
  const uint64_t product = uint64_t{a} * b;
  high = static_cast<uint>(product >> 32);
  low = static_cast<uint>(product);
}

inline void imulExtended(int a, int b, int& high, int& low) {
  const int64_t product = int64_t{a} * b;
  high = static_cast<int>(product >> 32);
  low = static_cast<int>(product);
}

}  // namespace glsl
}  // namespace testing
}  // namespace impl_vulkan

#endif  // DNNSPEC_IMPL_VULKAN_TESTING_GLSL_H_
