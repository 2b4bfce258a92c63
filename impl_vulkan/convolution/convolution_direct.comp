#version 450
#extension GL_GOOGLE_include_directive : require

#include "convolution.glsl"

// An invocation computes M x N elements of C, a p.rows by p.columns apart, straight from the
// buffers. The taps of a row that lie in no element of A are left out, whatever B holds there.
layout(constant_id = 9) const uint M = 1u;
layout(constant_id = 10) const uint N = 1u;

// Sums of each invocation, so that what happens to them is written out once: loops over what is in
// registers unroll. Those of neighbours lie side by side, in banks of their own.
shared uint finished[INVOCATIONS * M * N];

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
  [[unroll]] for (uint i = 0u; i < M; i++) {
    uint part = split(min(m + i * p.rows, p.m - 1u), bases[i]);
    a_rows[i] = start.a + follow(A_M, part + group * p.a_m_of_group);
  }
  [[unroll]] for (uint j = 0u; j < N; j++) {
    b_rows[j] = start.b + follow(B_N, n_first + min(n + j * p.columns, p.n - 1u));
  }
  uint sums[M * N];
  [[unroll]] for (uint i = 0u; i < M; i++) {
    [[unroll]] for (uint j = 0u; j < N; j++) {
      sums[i * N + j] = first_sum(min(m + i * p.rows, p.m - 1u),
                                  n_first + min(n + j * p.columns, p.n - 1u));
    }
  }

  uint first = gl_WorkGroupID.z * p.part;
  uvec3 t = tap_of(first);
  for (uint tap = first; tap < min(first + p.part, p.taps); tap++) {
    // A tap outside reads the first element, and adds nothing.
    uint a_taps[M];
    bool inside[M], any_inside = false;
    [[unroll]] for (uint i = 0u; i < M; i++) {
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
      [[unroll]] for (uint i = 0u; i < M; i++) a[i] = load_a(a_taps[i] + a_at);
      [[unroll]] for (uint j = 0u; j < N; j++) b[j] = load_b(b_rows[j] + b_at);
      [[unroll]] for (uint i = 0u; i < M; i++) {
        [[unroll]] for (uint j = 0u; j < N; j++) {
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

  uint lane = gl_LocalInvocationIndex;
  [[unroll]] for (uint e = 0u; e < M * N; e++) finished[e * INVOCATIONS + lane] = sums[e];
  [[dont_unroll]] for (uint e = 0u; e < M * N; e++) {
    uint row = m + e / N * p.rows, of_group = n + e % N * p.columns;
    if (row >= p.m || of_group >= p.n) continue;
    finish(finished[e * INVOCATIONS + lane], row, n_first + of_group,
           start.c + follow(C_M, row) + follow(C_N, n_first + of_group));
  }
}
