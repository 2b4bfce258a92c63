#version 450
#extension GL_GOOGLE_include_directive : require
#include "product.glsl"

// A workgroup computes TILE_M x TILE_N elements of C, each invocation M x N of them, from tiles of
// A and B in shared memory, K deep. The next tiles are read while these are worked on.
layout(constant_id = 9) const uint M = 4u;
layout(constant_id = 10) const uint N = 4u;
layout(constant_id = 11) const uint TILE_M = 64u;
layout(constant_id = 12) const uint TILE_N = 64u;
layout(constant_id = 13) const uint K = 16u;
// Whether neighbours read along k, or along m and n.
layout(constant_id = 14) const uint A_ALONG_K = 1u;
layout(constant_id = 15) const uint B_ALONG_K = 1u;

const uint A_LOADS = TILE_M * K / INVOCATIONS, B_LOADS = TILE_N * K / INVOCATIONS;
const uint ROWS = TILE_M / M, COLUMNS = TILE_N / N;  // of invocations
// A word more, so that what neighbours store lies in different banks.
const uint A_STEP = TILE_M + 1u, B_STEP = TILE_N + 1u;

shared uint a_tile[K * A_STEP];
shared uint b_tile[K * B_STEP];

void main() {
  uint tile = gl_WorkGroupID.x + gl_WorkGroupID.y * gl_NumWorkGroups.x;
  if (tile >= p.tiles) return;
  uint tile_row = divide(tile, p.columns_magic, p.columns_shift);
  uint m0 = tile_row * TILE_M, n0 = (tile - tile_row * p.columns) * TILE_N;
  uint self = gl_LocalInvocationIndex;
  uint row = self / COLUMNS, column = self - row * COLUMNS;

  // Which element of a tile this invocation reads first, and where its rows begin.
  uint a_k = A_ALONG_K != 0u ? self % K : self / TILE_M;
  uint a_m = A_ALONG_K != 0u ? self / K : self % TILE_M;
  uint b_k = B_ALONG_K != 0u ? self % K : self / TILE_N;
  uint b_n = B_ALONG_K != 0u ? self / K : self % TILE_N;
  const uint A_SKIP_M = A_ALONG_K != 0u ? INVOCATIONS / K : 0u;
  const uint A_SKIP_K = A_ALONG_K != 0u ? 0u : INVOCATIONS / TILE_M;
  const uint B_SKIP_N = B_ALONG_K != 0u ? INVOCATIONS / K : 0u;
  const uint B_SKIP_K = B_ALONG_K != 0u ? 0u : INVOCATIONS / TILE_N;
  uint a_rows[A_LOADS], b_rows[B_LOADS];
  for (uint i = 0u; i < A_LOADS; i++) {
    a_rows[i] = start.a + follow(A_M, min(m0 + a_m + i * A_SKIP_M, p.m - 1u));
  }
  for (uint j = 0u; j < B_LOADS; j++) {
    b_rows[j] = start.b + follow(B_N, min(n0 + b_n + j * B_SKIP_N, p.n - 1u));
  }

  uint sums[M * N];
  for (uint i = 0u; i < M; i++) {
    for (uint j = 0u; j < N; j++) {
      sums[i * N + j] = first_sum(min(m0 + row + i * ROWS, p.m - 1u),
                                  min(n0 + column + j * COLUMNS, p.n - 1u));
    }
  }

  uint a_next[A_LOADS], b_next[B_LOADS];
  for (uint k0 = 0u; k0 < p.k + K; k0 += K) {
    // What is beyond the last k is 0 on both sides, and adds nothing.
    for (uint i = 0u; i < A_LOADS; i++) {
      uint k = k0 + a_k + i * A_SKIP_K;
      uint v = load_a(a_rows[i] + follow(A_K, A_LINKS, min(k, p.k - 1u)));
      uint held = a_next[i];
      a_next[i] = k < p.k ? v : 0u;
      if (k0 != 0u) a_tile[(a_k + i * A_SKIP_K) * A_STEP + a_m + i * A_SKIP_M] = held;
    }
    for (uint j = 0u; j < B_LOADS; j++) {
      uint k = k0 + b_k + j * B_SKIP_K;
      uint v = load_b(b_rows[j] + follow(B_K, B_LINKS, min(k, p.k - 1u)));
      uint held = b_next[j];
      b_next[j] = k < p.k ? v : 0u;
      if (k0 != 0u) b_tile[(b_k + j * B_SKIP_K) * B_STEP + b_n + j * B_SKIP_N] = held;
    }
    if (k0 == 0u) continue;
    barrier();
    for (uint k = 0u; k < K; k++) {
      uint a[M], b[N];
      for (uint i = 0u; i < M; i++) a[i] = a_tile[k * A_STEP + row + i * ROWS];
      for (uint j = 0u; j < N; j++) b[j] = b_tile[k * B_STEP + column + j * COLUMNS];
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
    barrier();
  }

  for (uint i = 0u; i < M; i++) {
    uint m = m0 + row + i * ROWS;
    if (m >= p.m) break;
    uint at = start.c + follow(C_M, m);
    for (uint j = 0u; j < N; j++) {
      uint n = n0 + column + j * COLUMNS;
      if (n < p.n) finish(sums[i * N + j], m, n, at + follow(C_N, n));
    }
  }
}
