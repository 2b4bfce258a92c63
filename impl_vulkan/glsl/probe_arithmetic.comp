#version 450
#extension GL_GOOGLE_include_directive : require
#include "arithmetic.glsl"
#include "arithmetic_hardware.glsl"
#include "probe.glsl"

// Counts the products and sums in which the device and integer arithmetic differ, and conversions
// in which fast and exact do: kernels that compute make these in the modes that arithmetic demands.
layout(local_size_x_id = 3) in;
layout(std430, set = 0, binding = 0) buffer Differences { uint differences; };

const uint SPECIAL[] = {0u,          1u,          0x7fffffu,   0x800000u,
                        0x7f7fffffu, 0x7f800000u, 0x7fc00001u, 0x7f800001u};

uint operand(uint h, uint kind) {
  if (kind == 0u) return h;                                             // anything
  if (kind == 1u) return h & 0x80ffffffu;                               // denormal or nearly
  if (kind == 2u) return (h & 0x807ff000u) | ((118u + (h & 15u)) << 23);  // ties, cancellation
  if (kind == 3u) return (h & 0x807fffffu) | ((56u + (h & 31u)) << 23);   // products underflow
  if (kind == 4u) return (h & 0x807fffffu) | ((184u + (h & 15u)) << 23);  // products overflow
  return (h & 0x80000000u) | SPECIAL[h & 7u];
}

void main() {
  uint k = gl_GlobalInvocationID.x, kind = mix_bits(k) % 36u;
  uint h0 = mix_bits(k ^ 0x2545f491u), h1 = mix_bits(h0 + 1u), h2 = mix_bits(h1 + 1u);
  uint h3 = mix_bits(h2 + 1u);
  uint a = operand(h0, kind % 6u), b = operand(h1, kind / 6u);
  uint c = operand(h2, kind % 6u), d = operand(h3, kind / 6u);
  uint count = uint(hardware_multiply(a, b) != exact_multiply(a, b));
  count += uint(hardware_add(a, b) != exact_add(a, b));
  // What contraction would turn into a fused operation.
  count += uint(hardware_add(hardware_multiply(a, b), hardware_multiply(c, d)) !=
                exact_add(exact_multiply(a, b), exact_multiply(c, d)));
  count += conversion_differences(k);
  if (count != 0u) atomicAdd(differences, count);
}
