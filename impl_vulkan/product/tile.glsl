// A tile of C by a workgroup, from tiles of A and B in shared memory: what product_tile.comp and
// convolution_tile.comp share. The latter defines TAPS: its sums go over taps, too.
//
// An invocation computes M x N elements, in groups of 4 x 4. While it works on tiles that are K deep,
// the next ones are read; these lie in the other half of the shared memory, so that one barrier is
// enough for each. Loops over what is in registers unroll: an array that is indexed otherwise lies
// in memory.
#ifndef TILE_GLSL
#define TILE_GLSL

layout(constant_id = 9) const uint M = 4u;
layout(constant_id = 10) const uint N = 4u;
layout(constant_id = 11) const uint TILE_M = 64u;
layout(constant_id = 12) const uint TILE_N = 64u;
layout(constant_id = 13) const uint K = 16u;
// Whether neighbours read along k, or along m and n; and whether they write along m.
layout(constant_id = 14) const uint A_ALONG_K = 1u;
layout(constant_id = 15) const uint B_ALONG_K = 1u;
layout(constant_id = 16) const uint C_ALONG_M = 0u;

const uint A_LOADS = TILE_M * K / INVOCATIONS, B_LOADS = TILE_N * K / INVOCATIONS;
const uint ROWS = TILE_M / M, COLUMNS = TILE_N / N;  // of invocations
// In fours; one more, so that what neighbours store lies in different banks.
const uint A_STEP = TILE_M / 4u + 1u, B_STEP = TILE_N / 4u + 1u;
const uint B_TILES = 2u * K * A_STEP;  // where those of B begin
const uint FACTORS = B_TILES + 2u * K * B_STEP, RESULTS = 4u * INVOCATIONS;

shared uvec4 tiles[FACTORS > RESULTS ? FACTORS : RESULTS];
#ifdef TAPS
// Of A, +0 is what a row does not have, and what it has and is zero is -0. So +0 adds nothing, and is
// left out where a factor of B is infinite or NaN.
const uint NEGATIVE_ZERO = 0x80000000u;
shared uint unbounded;  // 1: one was
#endif

void main() {
  uint tile = gl_WorkGroupID.x + gl_WorkGroupID.y * gl_NumWorkGroups.x;
  if (tile >= p.tiles) return;
#ifdef TAPS
  uint tile_row = divide(tile, p.inner_magic, p.inner_shift), column_of_all = tile - tile_row * p.inner;
  uint group = divide(column_of_all, p.columns_magic, p.columns_shift);
  uint tile_column = column_of_all - group * p.columns, n_first = group * p.n_of_group;
#else
  uint tile_row = divide(tile, p.columns_magic, p.columns_shift);
  uint tile_column = tile - tile_row * p.columns;
  const uint n_first = 0u;
#endif
  uint m0 = tile_row * TILE_M, n0 = tile_column * TILE_N;
  uint self = gl_LocalInvocationIndex;
  uint row = C_ALONG_M != 0u ? self % ROWS : self / COLUMNS;
  uint column = C_ALONG_M != 0u ? self / ROWS : self % COLUMNS;

  // Which element of a tile this invocation reads first, and where its rows begin. What is beyond the
  // last row reads that one.
  uint a_k = A_ALONG_K != 0u ? self % K : INVOCATIONS <= TILE_M ? 0u : self / TILE_M;
  uint a_m = A_ALONG_K != 0u ? self / K : self % TILE_M;
  uint b_k = B_ALONG_K != 0u ? self % K : self / TILE_N;
  uint b_n = B_ALONG_K != 0u ? self / K : self % TILE_N;
  const uint A_SKIP_M = A_ALONG_K != 0u ? INVOCATIONS / K : 0u;
  const uint A_SKIP_K = A_ALONG_K != 0u ? 0u : INVOCATIONS / TILE_M;
  const uint B_SKIP_N = B_ALONG_K != 0u ? INVOCATIONS / K : 0u;
  const uint B_SKIP_K = B_ALONG_K != 0u ? 0u : INVOCATIONS / TILE_N;
  uint a_rows[A_LOADS], b_rows[B_LOADS];
#ifdef TAPS
  uint a_taps[A_LOADS];
  uvec3 bases[A_LOADS];
  bool inside[A_LOADS];
#endif
  [[unroll]] for (uint i = 0u; i < A_LOADS; i++) {
    uint m = min(m0 + a_m + i * A_SKIP_M, p.m - 1u);
#ifdef TAPS
    m = split(m, bases[i]) + group * p.a_m_of_group;
#endif
    a_rows[i] = start.a + follow(A_M, m);
#ifdef TAPS
    if (ALL_TERMS != 0u) a_rows[i] += first_of(bases[i], group);
#endif
  }
  [[unroll]] for (uint j = 0u; j < B_LOADS; j++) {
    b_rows[j] = start.b + follow(B_N, n_first + min(n0 + b_n + j * B_SKIP_N, p.n - 1u));
  }

  uint sums[M * N];
  [[unroll]] for (uint i = 0u; i < M * N; i++) sums[i] = 0u;
  uint first = gl_WorkGroupID.z * p.part;
#ifdef TAPS
  uint end = p.k, k0 = 0u, tap = first, b_tap = 0u, nothing = start.a;
  uint depth = (end + K - 1u) / K * (min(first + p.part, p.taps) - first);
  if (ALL_TERMS != 0u) {
    end = min(first + p.part, p.terms);
    k0 = first;
    depth = (end - first + K - 1u) / K;
  }
  uvec3 t = tap_of(first);
  if (self == 0u) unbounded = 0u;
  barrier();
#else
  uint end = min(first + p.part, p.k), k0 = first;
  uint depth = (end - first + K - 1u) / K;
#endif

  for (uint s = 0u; s <= depth; s++) {
#ifdef TAPS
    if (ALL_TERMS == 0u && k0 == 0u) {
      // A tap outside reads the first element.
      [[unroll]] for (uint i = 0u; i < A_LOADS; i++) {
        uint at = a_rows[i];
        inside[i] = reach(bases[i], t, at);
        a_taps[i] = inside[i] ? at : start.a;
      }
      b_tap = follow(B_T, min(tap, p.taps - 1u));
    }
#endif
    // What is beyond the last k is 0 on both sides, and adds nothing.
    uint a_next[A_LOADS], b_next[B_LOADS];
    [[unroll]] for (uint i = 0u; i < A_LOADS; i++) {
      uint k = k0 + a_k + i * A_SKIP_K, last = min(k, end - 1u);
#ifdef TAPS
      uint at = a_taps[i] + follow_often(A_K, group * p.a_k_of_group + last);
      if (ALL_TERMS != 0u) {
        Term term = term_of(last);
        inside[i] = lies_inside(bases[i], term);
        at = a_rows[i] + term.a_at;
        at = inside[i] ? at : nothing;
      }
      uint v = load_a(at);
      v = !INTEGERS && v == 0u ? NEGATIVE_ZERO : v;
      a_next[i] = k < end && inside[i] ? v : 0u;
#else
      uint v = load_a(a_rows[i] + follow(A_K, A_LINKS, last));
      a_next[i] = k < end ? v : 0u;
#endif
    }
    [[unroll]] for (uint j = 0u; j < B_LOADS; j++) {
      uint k = k0 + b_k + j * B_SKIP_K, last = min(k, end - 1u);
#ifdef TAPS
      uint at = b_tap + follow_often(B_K, last);
      if (ALL_TERMS != 0u) at = term_of(last).b_at;
      uint v = load_b(b_rows[j] + at);
#else
      uint v = load_b(b_rows[j] + follow(B_K, B_LINKS, last));
#endif
      b_next[j] = k < end ? v : 0u;
    }

    if (s != 0u) {
      uint held = (s - 1u) & 1u;
      uint a_first = held * K * A_STEP + row, b_first = B_TILES + held * K * B_STEP + column;
#ifdef TAPS
      if (!INTEGERS && unbounded != 0u) {
        [[dont_unroll]] for (uint k = 0u; k < K; k++) {
          uvec4 a[M / 4u], b[N / 4u];
          [[unroll]] for (uint i = 0u; i < M / 4u; i++) a[i] = tiles[a_first + k * A_STEP + i * ROWS];
          [[unroll]] for (uint j = 0u; j < N / 4u; j++) {
            b[j] = tiles[b_first + k * B_STEP + j * COLUMNS];
          }
          [[unroll]] for (uint i = 0u; i < M; i++) {
            [[unroll]] for (uint j = 0u; j < N; j++) {
              uint factor = a[i / 4u][i % 4u], sum = sums[i * N + j];
              uint more = multiply_add(factor, b[j / 4u][j % 4u], sum);
              sums[i * N + j] = factor == 0u ? sum : more;
            }
          }
        }
      } else
#endif
      {
        [[unroll]] for (uint k = 0u; k < K; k++) {
          uvec4 a[M / 4u], b[N / 4u];
          [[unroll]] for (uint i = 0u; i < M / 4u; i++) a[i] = tiles[a_first + k * A_STEP + i * ROWS];
          [[unroll]] for (uint j = 0u; j < N / 4u; j++) {
            b[j] = tiles[b_first + k * B_STEP + j * COLUMNS];
          }
          [[unroll]] for (uint i = 0u; i < M; i++) {
            [[unroll]] for (uint j = 0u; j < N; j++) {
              sums[i * N + j] =
                  multiply_add(a[i / 4u][i % 4u], b[j / 4u][j % 4u], sums[i * N + j]);
            }
          }
        }
      }
    }

    uint free = s & 1u;
    [[unroll]] for (uint i = 0u; i < A_LOADS; i++) {
      uint k = a_k + i * A_SKIP_K, m = a_m + i * A_SKIP_M;
      tiles[(free * K + k) * A_STEP + m / 4u][m % 4u] = a_next[i];
    }
    [[unroll]] for (uint j = 0u; j < B_LOADS; j++) {
      uint k = b_k + j * B_SKIP_K, n = b_n + j * B_SKIP_N;
      tiles[B_TILES + (free * K + k) * B_STEP + n / 4u][n % 4u] = b_next[j];
#ifdef TAPS
      if (!INTEGERS && (b_next[j] & 0x7f800000u) == 0x7f800000u) unbounded = 1u;
#endif
    }
    barrier();
    k0 += K;
#ifdef TAPS
    if (ALL_TERMS != 0u || k0 < end) continue;
    k0 = 0u;
    tap++;
    if (++t.z < p.axes[2].taps) continue;
    t.z = 0u;
    if (++t.y < p.axes[1].taps) continue;
    t.y = 0u;
    t.x++;
#endif
  }

  // 4 x 4 sums of each invocation at a time, by way of shared memory, so that neighbours write side by
  // side and what happens to a sum is written out once for each of these.
  const uint SIDE_M = 4u * ROWS, SIDE_N = 4u * COLUMNS;
  const uint SIDE = C_ALONG_M != 0u ? SIDE_M : SIDE_N;  // of what lies side by side
  [[unroll]] for (uint i = 0u; i < M; i += 4u) {
    [[unroll]] for (uint j = 0u; j < N; j += 4u) {
      [[unroll]] for (uint e = 0u; e < 4u; e++) {
        if (C_ALONG_M != 0u) {
          tiles[(column * 4u + e) * ROWS + row] =
              uvec4(sums[i * N + j + e], sums[(i + 1u) * N + j + e], sums[(i + 2u) * N + j + e],
                    sums[(i + 3u) * N + j + e]);
        } else {
          tiles[(row * 4u + e) * COLUMNS + column] =
              uvec4(sums[(i + e) * N + j], sums[(i + e) * N + j + 1u], sums[(i + e) * N + j + 2u],
                    sums[(i + e) * N + j + 3u]);
        }
      }
      barrier();
      [[dont_unroll]] for (uint e = 0u; e < 16u; e++) {
        uint at = self + e * INVOCATIONS, line = at / SIDE, of_line = at - line * SIDE;
        uint m = m0 + i * ROWS + (C_ALONG_M != 0u ? of_line : line);
        uint n = n0 + j * COLUMNS + (C_ALONG_M != 0u ? line : of_line);
        if (m >= p.m || n >= p.n) continue;
        uint sum = plus(tiles[at / 4u][at % 4u], first_sum(m, n_first + n));
        finish(sum, m, n_first + n, start.c + follow(C_M, m) + follow(C_N, n_first + n));
      }
      barrier();
    }
  }
}

#endif
