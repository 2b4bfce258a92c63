#version 450
#extension GL_GOOGLE_include_directive : require

// The layout is that of impl_vulkan/convolution/parameters.h, where the fields are explained.
struct Axis {
  uint extent, magic, shift, base;
  uint row_step, tap_step, taps, limit;
  uint stride, stride_magic, stride_shift, unused;
};
#define CHAINS 13
#define LINKS 64
#define MORE_PARAMETERS              \
  Axis axes[3];                      \
  uint taps, inner, inner_magic, inner_shift; \
  uint along_m, n_of_group, a_m_of_group, a_k_of_group;
#include "product.glsl"

// An invocation computes M x N elements of C, a p.rows by p.columns apart, straight from the
// buffers. The taps of a row that lie in no element of A are left out, whatever B holds there.
layout(constant_id = 9) const uint M = 1u;
layout(constant_id = 10) const uint N = 1u;

const uint B_T = 9u, A_X = 10u;  // further chains: of the taps, and of the three axes

// Along the chains that are followed most. A_LINKS is 1 where each of them has one link.
uint follow_often(uint chain, uint index) {
  if (A_LINKS == 1u) return index * p.links[p.chains[chain].x].stride;
  return follow(chain, index);
}

// The outermost part of a row; `base`: what its taps are counted from.
uint split(uint row, out uvec3 base) {
  for (uint d = 3u; d-- > 0u;) {
    uint rest = divide(row, p.axes[d].magic, p.axes[d].shift);
    base[d] = p.axes[d].base + (row - rest * p.axes[d].extent) * p.axes[d].row_step;
    row = rest;
  }
  return row;
}

// Adds to `at` how far tap `t` of a row is from its start. False: it lies in no element.
bool reach(uvec3 base, uvec3 t, inout uint at) {
  bool inside = true;
  for (uint d = 0u; d < 3u; d++) {
    // Below 0 is beyond any limit.
    uint v = base[d] + t[d] * p.axes[d].tap_step;
    uint x = divide(v, p.axes[d].stride_magic, p.axes[d].stride_shift);
    inside = inside && v < p.axes[d].limit && x * p.axes[d].stride == v;
    at += follow_often(A_X + d, x);
  }
  return inside;
}

uint multiply_add(uint a, uint b, uint sum) {
  if (INTEGERS) return sum + a * b;
  return floatBitsToUint(fma(uintBitsToFloat(a), uintBitsToFloat(b), uintBitsToFloat(sum)));
}

void main() {
  uint w = gl_GlobalInvocationID.x + gl_GlobalInvocationID.y * (gl_NumWorkGroups.x * INVOCATIONS);
  if (w >= p.tiles) return;
  uint outer = divide(w, p.inner_magic, p.inner_shift), inner = w - outer * p.inner;
  uint m = p.along_m != 0u ? inner : outer, column = p.along_m != 0u ? outer : inner;
  uint group = divide(column, p.columns_magic, p.columns_shift);
  uint n = column - group * p.columns, n_first = group * p.n_of_group;

  // What is beyond the last row reads that one, and is not written.
  uint a_rows[M], b_rows[N];
  uvec3 bases[M];
  for (uint i = 0u; i < M; i++) {
    uint part = split(min(m + i * p.rows, p.m - 1u), bases[i]);
    a_rows[i] = start.a + follow(A_M, part + group * p.a_m_of_group);
  }
  for (uint j = 0u; j < N; j++) {
    b_rows[j] = start.b + follow(B_N, n_first + min(n + j * p.columns, p.n - 1u));
  }
  uint sums[M * N];
  for (uint i = 0u; i < M; i++) {
    for (uint j = 0u; j < N; j++) {
      sums[i * N + j] = first_sum(min(m + i * p.rows, p.m - 1u),
                                  n_first + min(n + j * p.columns, p.n - 1u));
    }
  }

  uvec3 t = uvec3(0u);
  for (uint tap = 0u; tap < p.taps; tap++) {
    // A tap outside reads the first element, and adds nothing.
    uint a_taps[M];
    bool inside[M], any_inside = false;
    for (uint i = 0u; i < M; i++) {
      uint at = a_rows[i];
      inside[i] = reach(bases[i], t, at);
      a_taps[i] = inside[i] ? at : start.a;
      any_inside = any_inside || inside[i];
    }
    uint b_tap = follow(B_T, tap), a_first = group * p.a_k_of_group;
    uint terms = any_inside ? p.k : 0u;
    for (uint k = 0u; k < terms; k++) {
      uint a_at = follow_often(A_K, a_first + k), b_at = b_tap + follow_often(B_K, k);
      uint a[M], b[N];
      for (uint i = 0u; i < M; i++) a[i] = load_a(a_taps[i] + a_at);
      for (uint j = 0u; j < N; j++) b[j] = load_b(b_rows[j] + b_at);
      for (uint i = 0u; i < M; i++) {
        for (uint j = 0u; j < N; j++) {
          uint s = sums[i * N + j];
          sums[i * N + j] = inside[i] ? multiply_add(a[i], b[j], s) : s;
        }
      }
    }
    if (++t.z < p.axes[2].taps) continue;
    t.z = 0u;
    if (++t.y < p.axes[1].taps) continue;
    t.y = 0u;
    t.x++;
  }

  for (uint i = 0u; i < M; i++) {
    uint row = m + i * p.rows;
    if (row >= p.m) break;
    uint at = start.c + follow(C_M, row);
    for (uint j = 0u; j < N; j++) {
      uint of_group = n + j * p.columns;
      if (of_group >= p.n) break;
      finish(sums[i * N + j], row, n_first + of_group, at + follow(C_N, n_first + of_group));
    }
  }
}
