// What the shaders of products share: C(m, n) = sum over k of A(m, k) * B(n, k), where each
// matrix is a tensor of any layout.
//
// A layout is the sum of two chains, one for each of its indices: so a shader finds the place of an
// element by adding what it looked up once for a row to what it looked up once for a column.
// EXTRAS makes modules that also read a table of scales and keep partial sums. Who has further chains
// and parameters says so before it includes this.
#ifndef PRODUCT_GLSL
#define PRODUCT_GLSL

#extension GL_EXT_control_flow_attributes : require
#ifdef BYTE_STORES
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_shader_explicit_arithmetic_types_int8 : require
#endif

#include "types.glsl"
#include "divide.glsl"
#include "number.glsl"
#include "pieces.glsl"

// Types; 0: B is all ones, nothing is read of what C held, there is no bias.
layout(constant_id = 0) const uint A_TYPE = F32;
layout(constant_id = 1) const uint B_TYPE = F32;
layout(constant_id = 2) const uint C_TYPE = F32;
layout(local_size_x_id = 3) in;
layout(constant_id = 3) const uint INVOCATIONS = 64u;
layout(constant_id = 4) const uint OLD_TYPE = 0u;
layout(constant_id = 5) const uint BIAS_TYPE = 0u;
// Of a sum that is cut: 1 it goes on from the partial one, 2 it ends as one.
layout(constant_id = 6) const uint PARTIAL = 0u;
// Links of the chains of k, which are followed most.
layout(constant_id = 7) const uint A_LINKS = 1u;
layout(constant_id = 8) const uint B_LINKS = 1u;

const bool INTEGERS = A_TYPE >= S8;  // sums are s32, else f32
const uint C_BYTES = BYTES_OF(C_TYPE);
const uint C_MASK = MASK_OF(C_BYTES);

layout(std430, set = 0, binding = 0) readonly buffer BufferA { uint a_words[]; };
layout(std430, set = 0, binding = 1) readonly buffer BufferB { uint b_words[]; };
layout(std430, set = 0, binding = 2) buffer BufferC { uint c_words[]; };
#ifdef BYTE_STORES
layout(std430, set = 0, binding = 2) buffer BytesOfC { uint8_t c_bytes[]; };
#endif
layout(std430, set = 0, binding = 3) readonly buffer Bias { uint bias_words[]; };
#ifdef EXTRAS
layout(std430, set = 0, binding = 4) readonly buffer Scales { uint scales[]; };
layout(std430, set = 0, binding = 5) buffer Partials { uint partials[]; };
#define PARAMETERS 6
#else
#define PARAMETERS 4
#endif

// The layout is that of impl_vulkan/product/parameters.h, where the fields are explained.
#ifndef CHAINS
#define CHAINS 9
#define LINKS 48
#define MORE_PARAMETERS
#endif
struct Link {
  uint extent, stride, magic, shift;
};
const uint A_M = 0u, A_K = 1u, B_N = 2u, B_K = 3u, C_M = 4u, C_N = 5u, BIAS_N = 6u, PARTIAL_M = 7u,
           PARTIAL_N = 8u;
layout(std140, set = 0, binding = PARAMETERS) uniform Parameters {
  uint m, n, k, steps;
  uint tiles, columns, columns_magic, columns_shift;
  uint rows, scale_stride, part, partial_step;
  uvec4 chains[CHAINS];  // first link, links
  Link links[LINKS];
  uvec4 epilogue[64];  // code, operand, bits of an f32
  MORE_PARAMETERS
} p;

// Elements between the start of each binding and the first element of its range.
layout(push_constant) uniform Start {
  uint a, b, c, bias;
#ifdef EXTRAS
  uint scales, partials;
#endif
} start;

// How far `index` is from the first element. A link without an extent is a block inside the axis
// of the link before.
uint follow(uint chain, uint links, uint index) {
  uint first = p.chains[chain].x;
  if (links == 1u) return index * p.links[first].stride;
  uint offset = 0u, x = 0u;
  for (uint i = 0u; i < links; i++) {
    Link link = p.links[first + i];
    if (link.extent == 0u) {
      offset += divide(x, link.magic, link.shift) * link.stride;
      continue;
    }
    uint q = divide(index, link.magic, link.shift);
    x = index - q * link.extent;
    offset += x * link.stride;
    index = q;
  }
  return offset;
}

uint follow(uint chain, uint index) { return follow(chain, p.chains[chain].y, index); }

uint part_of(uint type, uint word, uint at) {
  if (BYTES_OF(type) == 4u) return word;
  if (BYTES_OF(type) == 2u) return (word >> ((at & 1u) * 16u)) & 0xffffu;
  return (word >> ((at & 3u) * 8u)) & 0xffu;
}

uint word_of(uint type, uint at) {
  return BYTES_OF(type) == 4u ? at : BYTES_OF(type) == 2u ? at >> 1 : at >> 2;
}

// A factor, as bits of what sums are.
uint factor(uint type, uint word, uint at) {
  uint bits = part_of(type, word, at);
  return INTEGERS ? uint(integer_of(type, bits)) : to_f32(type, bits);
}

uint load_a(uint at) { return factor(A_TYPE, a_words[word_of(A_TYPE, at)], at); }

uint load_b(uint at) {
  if (B_TYPE == 0u) return INTEGERS ? 1u : 0x3f800000u;
  return factor(B_TYPE, b_words[word_of(B_TYPE, at)], at);
}

// Bytes of a word that no other invocation touches.
uint load_c(uint at) {
  if (C_BYTES == 4u) return c_words[at];
#ifdef BYTE_STORES
  uint value = uint(c_bytes[at * C_BYTES]);
  if (C_BYTES == 2u) value |= uint(c_bytes[at * C_BYTES + 1u]) << 8;
  return value;
#else
  return part_of(C_TYPE, atomicOr(c_words[word_of(C_TYPE, at)], 0u), at);
#endif
}

void store_c(uint at, uint value) {
  if (C_BYTES == 4u) {
    c_words[at] = value;
    return;
  }
#ifdef BYTE_STORES
  c_bytes[at * C_BYTES] = uint8_t(value & 0xffu);
  if (C_BYTES == 2u) c_bytes[at * C_BYTES + 1u] = uint8_t(value >> 8);
#else
  // Each invocation changes its own bytes only, so the order of the two does not matter.
  uint shift = C_BYTES == 2u ? (at & 1u) * 16u : (at & 3u) * 8u;
  atomicAnd(c_words[word_of(C_TYPE, at)], ~(C_MASK << shift));
  atomicOr(c_words[word_of(C_TYPE, at)], (value & C_MASK) << shift);
#endif
}

// As in impl_vulkan/product/parameters.h.
const uint LOAD = 0u, SAVE = 1u, ADD = 2u, MULTIPLY = 3u, SLOPE = 4u, MAX = 5u, MIN = 6u, ABS = 7u,
           ROUND = 8u;
const uint CONSTANT = 0u, BIAS = 1u, SCALE = 2u, OLD = 3u, SAVED = 4u, SELF = 5u;

// The f32 `v` after all steps.
uint apply(uint v, uint n, uint old) {
  uint saved = 0u;
  for (uint i = 0u; i < p.steps; i++) {
    uint code = p.epilogue[i].x, operand = p.epilogue[i].y, x = p.epilogue[i].z;
    if (BIAS_TYPE != 0u && operand == BIAS) {
      uint at = start.bias + follow(BIAS_N, n);
      x = to_f32(BIAS_TYPE, part_of(BIAS_TYPE, bias_words[word_of(BIAS_TYPE, at)], at));
    }
#ifdef EXTRAS
    if (operand == SCALE) x = scales[start.scales + n * p.scale_stride];
#endif
    if (operand == OLD) x = old;
    if (operand == SAVED) x = saved;
    if (operand == SELF) x = v;
    if (code == MULTIPLY || (code == SLOPE && !(int(v) > 0 && !is_nan(v)))) v = multiply(x, v);
    if (code == ADD) v = add(v, x);
    if (code == LOAD) v = x;
    if (code == SAVE) saved = v;
    if (code == MAX && !is_nan(v) && key(v) < key(x)) v = x;
    if (code == MIN && !is_nan(v) && key(v) > key(x)) v = x;
    if (code == ABS) v &= 0x7fffffffu;
    if (code == ROUND) v = round_to_integer(v);
  }
  return v;
}

// What a sum starts from.
uint first_sum(uint m, uint n) {
#ifdef EXTRAS
  if ((PARTIAL & 1u) != 0u) {
    return partials[start.partials + follow(PARTIAL_M, m) + follow(PARTIAL_N, n)];
  }
#endif
  return 0u;
}

uint multiply_add(uint a, uint b, uint sum) {
  if (INTEGERS) return sum + a * b;
  return floatBitsToUint(fma(uintBitsToFloat(a), uintBitsToFloat(b), uintBitsToFloat(sum)));
}

uint plus(uint sum, uint more) {
  if (INTEGERS) return sum + more;
  return floatBitsToUint(uintBitsToFloat(sum) + uintBitsToFloat(more));
}

// Puts a sum where it belongs; `at`: of C(m, n).
void finish(uint sum, uint m, uint n, uint at) {
#ifdef EXTRAS
  if ((PARTIAL & 2u) != 0u) {
    partials[start.partials + gl_WorkGroupID.z * p.partial_step + follow(PARTIAL_M, m) +
             follow(PARTIAL_N, n)] = sum;
    return;
  }
#endif
  // Integers that nothing happens to stay integers.
  if (INTEGERS && C_TYPE >= S32 && p.steps == 0u) {
    store_c(at, saturate_to(C_TYPE, int(sum)));
    return;
  }
  uint old = 0u;
  if (OLD_TYPE != 0u) old = to_f32(OLD_TYPE, load_c(at));
  uint v = INTEGERS ? s32_to_f32(sum) : sum;
  // Without B the sums are those of another dispatch, in the order of C, and m says which channel.
  store_c(at, from_f32(C_TYPE, apply(v, B_TYPE == 0u ? m : n, old)));
}

#endif
