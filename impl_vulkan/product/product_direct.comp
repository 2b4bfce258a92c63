#version 450
#extension GL_GOOGLE_include_directive : require
#include "product.glsl"

// An invocation computes M x N elements of C, a p.rows by p.columns apart, straight from the
// buffers: neighbours read and write side by side, and nobody waits for another.
layout(constant_id = 9) const uint M = 1u;
layout(constant_id = 10) const uint N = 1u;

// Sums of each invocation, so that what happens to them is written out once: loops over what is in
// registers unroll. Those of neighbours lie side by side, in banks of their own.
shared uint finished[INVOCATIONS * M * N];

void main() {
  uint w = gl_GlobalInvocationID.x + gl_GlobalInvocationID.y * (gl_NumWorkGroups.x * INVOCATIONS);
  if (w >= p.tiles) return;
  uint m = divide(w, p.columns_magic, p.columns_shift), n = w - m * p.columns;

  // What is beyond the last row reads that one, and is not written.
  uint a_rows[M], b_rows[N];
  [[unroll]] for (uint i = 0u; i < M; i++) a_rows[i] = start.a + follow(A_M, min(m + i * p.rows, p.m - 1u));
  [[unroll]] for (uint j = 0u; j < N; j++) b_rows[j] = start.b + follow(B_N, min(n + j * p.columns, p.n - 1u));
  uint sums[M * N];
  [[unroll]] for (uint i = 0u; i < M; i++) {
    [[unroll]] for (uint j = 0u; j < N; j++) {
      sums[i * N + j] =
          first_sum(min(m + i * p.rows, p.m - 1u), min(n + j * p.columns, p.n - 1u));
    }
  }

  uint first = gl_WorkGroupID.z * p.part;
  for (uint k = first; k < min(first + p.part, p.k); k++) {
    uint a_at = follow(A_K, A_LINKS, k), b_at = follow(B_K, B_LINKS, k);
    uint a[M], b[N];
    [[unroll]] for (uint i = 0u; i < M; i++) a[i] = load_a(a_rows[i] + a_at);
    [[unroll]] for (uint j = 0u; j < N; j++) b[j] = load_b(b_rows[j] + b_at);
    [[unroll]] for (uint i = 0u; i < M; i++) {
      [[unroll]] for (uint j = 0u; j < N; j++) {
        sums[i * N + j] = multiply_add(a[i], b[j], sums[i * N + j]);
      }
    }
  }

  uint lane = gl_LocalInvocationIndex;
  [[unroll]] for (uint e = 0u; e < M * N; e++) finished[e * INVOCATIONS + lane] = sums[e];
  [[dont_unroll]] for (uint e = 0u; e < M * N; e++) {
    uint row = m + e / N * p.rows, column = n + e % N * p.columns;
    if (row >= p.m || column >= p.n) continue;
    finish(finished[e * INVOCATIONS + lane], row, column, start.c + follow(C_M, row) + follow(C_N, column));
  }
}
