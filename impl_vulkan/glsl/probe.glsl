// Asks whether fast and exact conversions are the same, in the float modes of the module that
// includes this. A kernel runs them in the modes of its tier: each probe asks in its own.
#ifndef PROBE_GLSL
#define PROBE_GLSL

#include "convert_fast.glsl"

const uint TYPES[] = {F16, BF16, F32, S32, S8, U8};

// Places where a conversion from f32 changes its mind: ties, bounds, the smallest numbers, infinity.
const uint EDGES[] = {
    0x00000000u, 0x00800000u, 0x33000000u, 0x33800000u, 0x38800000u, 0x387fe000u, 0x3f000000u,
    0x3fc00000u, 0x40200000u, 0x42fe0000u, 0x42ff0000u, 0x43000000u, 0x437f0000u, 0x437f8000u,
    0x43800000u, 0x477fe000u, 0x477ff000u, 0x47800000u, 0x4b000000u, 0x4b800000u, 0x4f000000u,
    0x7f7f8000u, 0x7f800000u, 0x7fc00000u, 0x3f808000u, 0x3f818000u, 0x3f801000u, 0x3f803000u};

uint mix_bits(uint x) {
  x ^= x >> 16;
  x *= 0x7feb352du;
  x ^= x >> 15;
  x *= 0x846ca68bu;
  return x ^ (x >> 16);
}

uint differences_at(uint bits) {
  uint count = 0u;
  for (uint i = 0u; i < 6u; i++) {
    uint type = TYPES[i];
    count += uint(fast_from_f32(type, bits) != exact_from_f32(type, bits));
  }
  return count;
}

// In how many conversions they differ, out of those that are invocation k's to try.
uint conversion_differences(uint k) {
  uint count = 0u;
  for (uint i = 0u; i < 6u; i++) {
    uint type = TYPES[i];
    uint bits = type == S32 ? mix_bits(k) >> (k & 31u) : k & (type >= S8 ? 0xffu : 0xffffu);
    if (type == F32) continue;
    count += uint(fast_to_f32(type, bits) != exact_to_f32(type, bits));
  }
  uint edge = EDGES[k % 28u] + (mix_bits(k) & 0xfu) - 8u;
  count += differences_at(edge) + differences_at(edge ^ 0x80000000u);
  count += differences_at(mix_bits(k ^ 0x55555555u));
  count += differences_at((k & 1u) << 31 | (mix_bits(k) & 0x7fffffu) | ((100u + k % 60u) << 23));
  // Halves of integers, where every conversion to an integer meets a tie.
  count += differences_at(floatBitsToUint(float(int(k % 2048u) - 1024) * 0.5));
  return count;
}

#endif
