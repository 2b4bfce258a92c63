#version 450
#extension GL_GOOGLE_include_directive : require
#include "product.glsl"

// An invocation computes M x N elements of C, a p.rows by p.columns apart, straight from the
// buffers: neighbours read and write side by side, and nobody waits for another.
layout(constant_id = 9) const uint M = 1u;
layout(constant_id = 10) const uint N = 1u;

void main() {
  uint w = gl_GlobalInvocationID.x + gl_GlobalInvocationID.y * (gl_NumWorkGroups.x * INVOCATIONS);
  if (w >= p.tiles) return;
  uint m = divide(w, p.columns_magic, p.columns_shift), n = w - m * p.columns;

  // What is beyond the last row reads that one, and is not written.
  uint a_rows[M], b_rows[N];
  for (uint i = 0u; i < M; i++) a_rows[i] = start.a + follow(A_M, min(m + i * p.rows, p.m - 1u));
  for (uint j = 0u; j < N; j++) b_rows[j] = start.b + follow(B_N, min(n + j * p.columns, p.n - 1u));
  uint sums[M * N];
  for (uint i = 0u; i < M; i++) {
    for (uint j = 0u; j < N; j++) {
      sums[i * N + j] =
          first_sum(min(m + i * p.rows, p.m - 1u), min(n + j * p.columns, p.n - 1u));
    }
  }

  for (uint k = 0u; k < p.k; k++) {
    uint a_at = follow(A_K, A_LINKS, k), b_at = follow(B_K, B_LINKS, k);
    uint a[M], b[N];
    for (uint i = 0u; i < M; i++) a[i] = load_a(a_rows[i] + a_at);
    for (uint j = 0u; j < N; j++) b[j] = load_b(b_rows[j] + b_at);
    for (uint i = 0u; i < M; i++) {
      for (uint j = 0u; j < N; j++) {
        uint s = sums[i * N + j];
        sums[i * N + j] = INTEGERS ? s + a[i] * b[j]
                                   : floatBitsToUint(fma(uintBitsToFloat(a[i]),
                                                         uintBitsToFloat(b[j]),
                                                         uintBitsToFloat(s)));
      }
    }
  }

  for (uint i = 0u; i < M; i++) {
    uint row = m + i * p.rows;
    if (row >= p.m) break;
    uint at = start.c + follow(C_M, row);
    for (uint j = 0u; j < N; j++) {
      uint column = n + j * p.columns;
      if (column < p.n) finish(sums[i * N + j], row, column, at + follow(C_N, column));
    }
  }
}
