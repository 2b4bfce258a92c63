#version 450
#extension GL_GOOGLE_include_directive : require
#include "product.glsl"

// Few rows or few columns: a workgroup computes M x N elements of C that follow one another. Its
// invocations have every INVOCATIONS-th k each, so that neighbours read side by side along k, and what
// they have is added up in shared memory, always in the same order.
layout(constant_id = 9) const uint M = 1u;
layout(constant_id = 10) const uint N = 1u;

shared uint halves[INVOCATIONS * M * N];

void main() {
  uint tile = gl_WorkGroupID.x + gl_WorkGroupID.y * gl_NumWorkGroups.x;
  if (tile >= p.tiles) return;
  uint row = divide(tile, p.columns_magic, p.columns_shift), column = tile - row * p.columns;
  uint m = row * M, n = column * N;

  // What is beyond the last row reads that one, and is not written.
  uint a_rows[M], b_rows[N], sums[M * N];
  [[unroll]] for (uint i = 0u; i < M; i++) a_rows[i] = start.a + follow(A_M, min(m + i, p.m - 1u));
  [[unroll]] for (uint j = 0u; j < N; j++) b_rows[j] = start.b + follow(B_N, min(n + j, p.n - 1u));
  [[unroll]] for (uint e = 0u; e < M * N; e++) sums[e] = 0u;

  uint self = gl_LocalInvocationIndex, first = gl_WorkGroupID.z * p.part;
  uint end = min(first + p.part, p.k);
  for (uint k = first + self; k < end; k += INVOCATIONS) {
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

  [[unroll]] for (uint e = 0u; e < M * N; e++) halves[e * INVOCATIONS + self] = sums[e];
  for (uint half_of = INVOCATIONS / 2u; half_of > 0u; half_of /= 2u) {
    barrier();
    if (self < half_of) {
      [[unroll]] for (uint e = 0u; e < M * N; e++) {
        uint at = e * INVOCATIONS + self;
        halves[at] = plus(halves[at], halves[at + half_of]);
      }
    }
  }
  barrier();
  for (uint e = self; e < M * N; e += INVOCATIONS) {
    uint of_m = m + e / N, of_n = n + e % N;
    if (of_m >= p.m || of_n >= p.n) continue;
    finish(plus(first_sum(of_m, of_n), halves[e * INVOCATIONS]), of_m, of_n,
           start.c + follow(C_M, of_m) + follow(C_N, of_n));
  }
}
