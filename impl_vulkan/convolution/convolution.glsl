// What the shaders of convolutions share: C(g, m, n) = sum over taps and k of A * B, where each place of
// A follows from a row and a tap.
#ifndef CONVOLUTION_GLSL
#define CONVOLUTION_GLSL

// The layout is that of impl_vulkan/convolution/parameters.h, where the fields are explained.
struct Axis {
  uint extent, magic, shift, base;
  uint row_step, tap_step, taps, limit;
  uint stride, stride_magic, stride_shift, rows;
};
#define CHAINS 13
#define LINKS 64
#define MORE_PARAMETERS                                 \
  Axis axes[3];                                         \
  uint taps, inner, inner_magic, inner_shift;           \
  uint along_m, n_of_group, a_m_of_group, a_k_of_group; \
  uint terms, fast, fast_magic, fast_shift;             \
  uvec4 tap_divisors;
#include "product.glsl"

const uint B_T = 9u, A_X = 10u;  // further chains: of the taps, and of the three axes

// Along the chains that are followed most. A_LINKS is 1 where each of them has one link.
uint follow_often(uint chain, uint index) {
  if (A_LINKS == 1u) return index * p.links[p.chains[chain].x].stride;
  return follow(chain, index);
}

// From one index of a chain to the next, if that is the same everywhere.
uint stride_of(uint chain) { return p.links[p.chains[chain].x].stride; }

// The outermost part of a row; `base`: what its taps are counted from.
uint split(uint row, out uvec3 base) {
  [[unroll]] for (int d = 2; d >= 0; d--) {
    uint rest = divide(row, p.axes[d].magic, p.axes[d].shift);
    base[d] = p.axes[d].base + (row - rest * p.axes[d].extent) * p.axes[d].row_step;
    row = rest;
  }
  return row;
}

// The indices of a tap along the axes.
uvec3 tap_of(uint tap) {
  uint plane = tap / p.axes[2].taps;
  return uvec3(plane / p.axes[1].taps, plane % p.axes[1].taps, tap % p.axes[2].taps);
}

// Adds to `at` how far the place v of an axis is from the first element. Below 0 is
// beyond any limit. False: it is no element.
bool step_to(uint axis, uint v, inout uint at) {
  uint x = divide(v, p.axes[axis].stride_magic, p.axes[axis].stride_shift);
  at += follow_often(A_X + axis, x);
  return v < p.axes[axis].limit && x * p.axes[axis].stride == v;
}

// Adds to `at` how far tap `t` of a row is from its start. False: it lies in no element.
bool reach(uvec3 base, uvec3 t, inout uint at) {
  bool inside = true;
  [[unroll]] for (uint d = 0u; d < 3u; d++) {
    inside = step_to(d, base[d] + t[d] * p.axes[d].tap_step, at) && inside;
  }
  return inside;
}

#endif
