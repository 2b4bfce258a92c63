#version 450
#extension GL_GOOGLE_include_directive : require

#include "convolution.glsl"

// Each channel of C from one of A. An invocation computes ROWS elements of C that follow one another
// along an axis: their taps overlap there, and each element of A is read once for all of them.
layout(constant_id = 9) const uint ALONG = 1u;  // the axis
layout(constant_id = 10) const uint ROWS = 4u;
layout(constant_id = 11) const uint TAPS = 3u;  // along the axis
// Places from one row and from one tap to the next; and whether the last tap reads the first place.
layout(constant_id = 12) const uint ROW_STEP = 1u;
layout(constant_id = 13) const uint TAP_STEP = 1u;
layout(constant_id = 14) const uint BACKWARDS = 0u;
// Every STRIDE-th place is an element of A, from place FIRST on.
layout(constant_id = 15) const uint STRIDE = 1u;
layout(constant_id = 16) const uint FIRST = 0u;

const uint PLACES = (ROWS - 1u) * ROW_STEP + (TAPS - 1u) * TAP_STEP + 1u;
const uint ACROSS = ALONG == 0u ? 1u : 0u, INNER = ALONG == 2u ? 1u : 2u;  // the other axes

// Sums of each invocation, as in convolution_direct.comp.
shared uint finished[INVOCATIONS * ROWS];

uint place_of(uint row, uint tap) {
  return row * ROW_STEP + (BACKWARDS != 0u ? TAPS - 1u - tap : tap) * TAP_STEP;
}

void main() {
  uint w = gl_GlobalInvocationID.x + gl_GlobalInvocationID.y * (gl_NumWorkGroups.x * INVOCATIONS);
  if (w >= p.tiles) return;
  uint outer = divide(w, p.inner_magic, p.inner_shift), inner = w - outer * p.inner;
  uint tile = p.along_m != 0u ? inner : outer, column = p.along_m != 0u ? outer : inner;
  uint group = divide(column, p.columns_magic, p.columns_shift);
  uint n = group * p.n_of_group + column - group * p.columns;

  // Along the axis, extents and steps are those of tiles.
  uvec3 base, x;
  uint m = tile;
  [[unroll]] for (int d = 2; d >= 0; d--) {
    uint rest = divide(m, p.axes[d].magic, p.axes[d].shift);
    x[d] = m - rest * p.axes[d].extent;
    base[d] = p.axes[d].base + x[d] * p.axes[d].row_step;
    m = rest;
  }
  uint a_first = start.a + follow(A_M, m + group * p.a_m_of_group) +
                 follow_often(A_K, group * p.a_k_of_group);
  uint b_first = start.b + follow(B_N, n), m_step = 1u;
  uint rows = min(p.axes[ALONG].rows - x[ALONG] * ROWS, ROWS);
  x[ALONG] *= ROWS;
  [[unroll]] for (uint d = 0u; d < 3u; d++) {
    m = m * p.axes[d].rows + x[d];
    if (d > ALONG) m_step *= p.axes[d].rows;
  }

  uint sums[ROWS];
  [[unroll]] for (uint i = 0u; i < ROWS; i++) sums[i] = first_sum(m + min(i, rows - 1u) * m_step, n);
  // The element at place FIRST, below 0 where that is; and what does not change, looked up once.
  uint element = uint(int(base[ALONG] + FIRST) / int(STRIDE));
  uint a_step = stride_of(A_X + ALONG), b_step = stride_of(B_T), limit = p.axes[ALONG].limit;
  uvec3 t = uvec3(0u);
  for (t[ACROSS] = 0u; t[ACROSS] < p.axes[ACROSS].taps; t[ACROSS]++) {
    uint a_plane = a_first;
    bool plane = step_to(ACROSS, base[ACROSS] + t[ACROSS] * p.axes[ACROSS].tap_step, a_plane);
    for (t[INNER] = 0u; t[INNER] < p.axes[INNER].taps; t[INNER]++) {
      uint a_line = a_plane, a[PLACES], b[TAPS];
      bool inside[PLACES];
      bool line = step_to(INNER, base[INNER] + t[INNER] * p.axes[INNER].tap_step, a_line) && plane;
      // What is no element reads the first one.
      uint at_first = a_line + element * a_step;
      [[unroll]] for (uint i = FIRST; i < PLACES; i += STRIDE) {
        uint beyond = (i - FIRST) / STRIDE;
        uint at = A_LINKS == 1u ? at_first + beyond * a_step
                                : a_line + follow(A_X + ALONG, element + beyond);
        inside[i] = line && base[ALONG] + i < limit;
        a[i] = load_a(inside[i] ? at : start.a);
      }
      [[unroll]] for (uint i = 0u; i < TAPS; i++) {
        t[ALONG] = i;
        uint tap = (t[0] * p.axes[1].taps + t[1]) * p.axes[2].taps + t[2];
        b[i] = load_b(b_first + (B_LINKS == 1u ? tap * b_step : follow(B_T, tap)));
      }
      [[unroll]] for (uint i = 0u; i < ROWS; i++) {
        [[unroll]] for (uint j = 0u; j < TAPS; j++) {
          uint place = place_of(i, j);
          if (place % STRIDE != FIRST) continue;
          uint more = multiply_add(a[place], b[j], sums[i]);
          sums[i] = inside[place] ? more : sums[i];
        }
      }
    }
  }

  uint lane = gl_LocalInvocationIndex;
  [[unroll]] for (uint i = 0u; i < ROWS; i++) finished[i * INVOCATIONS + lane] = sums[i];
  [[dont_unroll]] for (uint i = 0u; i < rows; i++) {
    uint row = m + i * m_step;
    finish(finished[i * INVOCATIONS + lane], row, n, start.c + follow(C_M, row) + follow(C_N, n));
  }
}
