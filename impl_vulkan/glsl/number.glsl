// Conversion and f32 arithmetic on bits, as the defines of a module choose: FAST_CONVERSIONS and
// HARDWARE_ARITHMETIC stand for what a device has proved it can do.
#ifndef NUMBER_GLSL
#define NUMBER_GLSL

#ifdef FAST_CONVERSIONS
#include "convert_fast.glsl"
#else
#include "convert.glsl"
#endif
#ifdef HARDWARE_ARITHMETIC
#include "arithmetic_hardware.glsl"
#else
#include "arithmetic.glsl"
#endif

uint to_f32(uint type, uint v) {
#ifdef FAST_CONVERSIONS
  return fast_to_f32(type, v);
#else
  return exact_to_f32(type, v);
#endif
}

uint from_f32(uint type, uint u) {
#ifdef FAST_CONVERSIONS
  return fast_from_f32(type, u);
#else
  return exact_from_f32(type, u);
#endif
}

uint multiply(uint a, uint b) {
#ifdef HARDWARE_ARITHMETIC
  return hardware_multiply(a, b);
#else
  return exact_multiply(a, b);
#endif
}

uint add(uint a, uint b) {
#ifdef HARDWARE_ARITHMETIC
  return hardware_add(a, b);
#else
  return exact_add(a, b);
#endif
}

#endif
