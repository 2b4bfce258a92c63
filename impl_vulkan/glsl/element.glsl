// One element on its way: the bindings, and f(value, scale, old) for the types of this pipeline.
//
// MOVES, CONVERTS, COMPUTES, FORWARD or BACKWARD says what there is to do, the last two with a function
// of pieces.glsl, or of curves.glsl with CURVES as well; each shader has no more than it needs, since
// drivers inline and some compile all of it before they know the constants. FAST_CONVERSIONS,
// BYTE_STORES and HARDWARE_ARITHMETIC choose what a device has proved it can do.
#ifndef ELEMENT_GLSL
#define ELEMENT_GLSL

#ifdef BYTE_STORES
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_shader_explicit_arithmetic_types_int8 : require
#endif

#include "types.glsl"
#include "number.glsl"
#include "parameters.glsl"
#if defined(FORWARD) || defined(BACKWARD)
#define FUNCTION
#ifdef CURVES
#include "curves.glsl"
#else
#include "pieces.glsl"
#endif
#endif

layout(constant_id = 0) const uint FROM = F32;
layout(constant_id = 1) const uint TO = F32;
layout(local_size_x_id = 3) in;
layout(constant_id = 3) const uint INVOCATIONS = 128u;
// p.outer and p.inner, where loops over them are to unroll: a loop that is found by a constant is
// read once for all invocations.
layout(constant_id = 5) const uint OUTER = 0u;
layout(constant_id = 6) const uint INNER = 0u;
#if defined(FUNCTION)
layout(constant_id = 2) const uint ALGORITHM = RELU;
layout(constant_id = 4) const uint BY_RESULT = 0u;  // 1: the source is what the function gave
const uint ARITHMETIC = 0u, OLD = 0u;
const bool PURE = false;
#elif defined(COMPUTES)
// 0 no scales, 1 one for all (p.alpha), 2 a table; with 4 the zero point of the source is subtracted
// before them, with 8 that of the destination is added at the end; with 16 the one, with 32 the other
// comes with the execution.
layout(constant_id = 2) const uint ARITHMETIC = 0u;
layout(constant_id = 4) const uint OLD = 0u;     // type of the old value that p.beta scales; 0: no sum
const bool PURE = false;
#else
const uint ARITHMETIC = 0u, OLD = 0u;
const bool PURE = true;
#endif
const uint SCALES = ARITHMETIC & 3u;
const bool SUBTRACTS = (ARITHMETIC & 4u) != 0u, ADDS = (ARITHMETIC & 8u) != 0u;
#ifdef MOVES
const bool MOVED = true;  // FROM is TO
#else
const bool MOVED = false;
#endif

layout(std430, set = 0, binding = 0) readonly buffer Source { uint source[]; };
layout(std430, set = 0, binding = 1) buffer Destination { uint destination[]; };
#ifdef BYTE_STORES
layout(std430, set = 0, binding = 1) buffer DestinationBytes { uint8_t destination_bytes[]; };
#endif
#ifdef BACKWARD
layout(std430, set = 0, binding = 2) readonly buffer Gradients { uint gradients[]; };
#else
layout(std430, set = 0, binding = 2) readonly buffer Scales { uint scales[]; };
#endif
#ifdef COMPUTES
// s32; where both zero points come with the execution, that of the destination lies 64 behind.
layout(std430, set = 0, binding = 3) readonly buffer ZeroPoints { uint zero_points[]; };
#endif

const uint FROM_BYTES = BYTES_OF(FROM);
const uint TO_BYTES = BYTES_OF(TO);
const uint FROM_MASK = MASK_OF(FROM_BYTES);
const uint TO_MASK = MASK_OF(TO_BYTES);
const uint TO_BITS = 8u * (TO_BYTES & 3u);  // 0 for four bytes, whose only shift is 0
const uint E = 4u / TO_BYTES;               // elements of a destination word

// Element `at` of the source binding.
uint load_source(uint at) {
  if (FROM_BYTES == 4u) return source[at];
  if (FROM_BYTES == 2u) return (source[at >> 1] >> ((at & 1u) * 16u)) & 0xffffu;
  return (source[at >> 2] >> ((at & 3u) * 8u)) & 0xffu;
}

#ifdef FUNCTION
#ifdef BACKWARD
// f'(v) times element `at` of the binding of gradients, which are of the destination's type.
uint image_of(uint v, uint at) {
  uint word = TO_BYTES == 4u ? gradients[at] : gradients[at >> 1] >> ((at & 1u) * 16u);
  uint gradient = to_f32(TO, word & TO_MASK);
#ifdef CURVES
  if (BY_RESULT != 0u) return curve_backward_by_result(ALGORITHM, v, gradient, p.alpha);
  return curve_backward(ALGORITHM, v, gradient, p.alpha, p.beta);
#else
  return piece_backward(ALGORITHM, v, gradient, p.alpha, p.beta);
#endif
}
#else
uint image_of(uint v, uint at) {
#ifdef CURVES
  return curve(ALGORITHM, v, p.alpha, p.beta);
#else
  return piece(ALGORITHM, v, p.alpha, p.beta);
#endif
}
#endif

uint element(uint v, uint at, uint old) {
  return from_f32(TO, image_of(to_f32(FROM, v), at)) & TO_MASK;
}
#else
#ifdef COMPUTES
// As bits of f32, found once for all elements of an invocation.
uint src_zero = (ARITHMETIC & 16u) == 0u ? p.src_zero
                                         : to_f32(S32, zero_points[start.zero_points]);
uint dst_zero = (ARITHMETIC & 32u) == 0u
                    ? p.dst_zero
                    : to_f32(S32, zero_points[start.zero_points +
                                              ((ARITHMETIC & 16u) == 0u ? 0u : 64u)]);
#else
const uint src_zero = 0u, dst_zero = 0u;
#endif

// The new bits of a destination element. `v`: bits of the source element; `scale`: its place in the
// binding of scales; `old`: bits of the element before.
uint element(uint v, uint scale, uint old) {
  if (MOVED) return v;
  if (PURE && FROM >= S32 && TO >= S32) return saturate_to(TO, integer_of(FROM, v));
  uint f = to_f32(FROM, v);
  if (SUBTRACTS) f = add(f, src_zero ^ 0x80000000u);
  if (SCALES != 0u) {
    uint factor = p.alpha;
    if (SCALES == 2u) factor = scales[scale];
    f = multiply(factor, f);
  }
  if (OLD != 0u) f = add(f, multiply(p.beta, to_f32(OLD, old)));
  if (ADDS) f = add(f, dst_zero);
  return from_f32(TO, f) & TO_MASK;
}
#endif

// A destination word that other invocations may be writing to as well: only the bytes in `mask` are
// this invocation's. Bytes of load_shared outside the mask mean nothing.
uint load_shared(uint word, uint mask) {
#ifdef BYTE_STORES
  uint value = 0u;
  for (uint b = 0u; b < 4u; b++) {
    if (((mask >> (8u * b)) & 1u) != 0u) {
      value |= uint(destination_bytes[word * 4u + b]) << (8u * b);
    }
  }
  return value;
#else
  return atomicOr(destination[word], 0u);
#endif
}

void store_shared(uint word, uint mask, uint value) {
#ifdef BYTE_STORES
  for (uint b = 0u; b < 4u; b++) {
    if (((mask >> (8u * b)) & 1u) != 0u) {
      destination_bytes[word * 4u + b] = uint8_t((value >> (8u * b)) & 0xffu);
    }
  }
#else
  // Each invocation changes its own bytes only, so the order of the two does not matter.
  atomicAnd(destination[word], ~mask);
  atomicOr(destination[word], value & mask);
#endif
}

#endif
