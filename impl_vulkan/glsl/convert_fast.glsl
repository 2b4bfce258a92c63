// The conversions of convert.glsl at half the instructions. Float instructions appear only where
// their exact result is representable, so that every rounding mode gives it, only on finite
// operands, and only where flushing a denormal changes nothing. No execution mode is needed; a
// device is believed after a probe (probe.glsl), in each set of modes that a tier has.
#ifndef CONVERT_FAST_GLSL
#define CONVERT_FAST_GLSL

#include "convert.glsl"

float finite_of(uint u) { return uintBitsToFloat((u & 0x7fffffffu) >= 0x7f800000u ? 0u : u); }

uint fast_f16_to_f32(uint h) {
  uint sign = (h & 0x8000u) << 16, m = h & 0x7fffu;
  uint normal = (m << 13) + 0x38000000u;
  uint small = floatBitsToUint(float(m & 0x3ffu) * 5.9604644775390625e-8);  // times 2^-24: exact
  uint special = 0x7f800000u | ((m << 13) & 0x7fffffu) | (m > 0x7c00u ? 0x400000u : 0u);
  return sign | (m >= 0x7c00u ? special : (m < 0x400u ? small : normal));
}

uint fast_f32_to_f16(uint u) {
  uint sign = (u >> 16) & 0x8000u, a = u & 0x7fffffffu;
  uint normal = min((a - 0x38000000u + 0xfffu + ((a >> 13) & 1u)) >> 13, 0x7c00u);
  // Times 2^24 is exact; a result of 1024 is the smallest normal number.
  uint small = uint(roundEven(uintBitsToFloat(a < 0x38800000u ? a : 0u) * 16777216.0));
  uint nan = 0x7e00u | ((a >> 13) & 0x1ffu);
  return sign | (a > 0x7f800000u ? nan : (a < 0x38800000u ? small : normal));
}

int fast_f32_to_s32(uint u) {
  uint a = u & 0x7fffffffu;
  int beyond = a > 0x7f800000u ? 0 : ((u >> 31) != 0u ? int(0x80000000u) : 0x7fffffff);
  return a >= 0x4f000000u ? beyond : int(roundEven(uintBitsToFloat(a >= 0x4f000000u ? 0u : u)));
}

uint fast_f32_to_byte(uint u, int low, int high) {
  int r = int(roundEven(clamp(finite_of(u), float(low), float(high))));
  uint a = u & 0x7fffffffu;
  return uint(a == 0x7f800000u ? ((u >> 31) != 0u ? low : high) : r) & 0xffu;
}

uint fast_to_f32(uint type, uint v) {
  if (type == F32) return v;
  if (type == BF16) return bf16_to_f32(v & 0xffffu);
  if (type == F16) return fast_f16_to_f32(v & 0xffffu);
  if (type == S32) return s32_to_f32(v);
  return floatBitsToUint(float(integer_of(type, v)));
}

uint fast_from_f32(uint type, uint u) {
  if (type == F32) return u;
  if (type == BF16) return f32_to_bf16(u);
  if (type == F16) return fast_f32_to_f16(u);
  if (type == S32) return uint(fast_f32_to_s32(u));
  if (type == S8) return fast_f32_to_byte(u, -128, 127);
  return fast_f32_to_byte(u, 0, 255);
}

#endif
