#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#include "element.glsl"

// Transposition through shared memory: loop I is contiguous in the source, loop J in the
// destination (p.loops[OUTER] and the one after it), the loops before are repetition.
//
// A workgroup moves a tile of TILE_I x TILE_J elements. Global memory is touched in aligned words
// only. The workgroup owns each aligned destination word whose first element lies in its range of
// J, and reads E - 1 rows more to fill the last one, so words are shared only at the ends of rows.
// p.rows tiles: p.columns along J, times p.depth along I, times the repetition.
layout(constant_id = 7) const uint TILE_I = 32u;
layout(constant_id = 8) const uint TILE_J = 32u;   // a multiple of 4
layout(constant_id = 9) const uint ALIGNED = 0u;   // 1: every row of both sides starts on a word
layout(constant_id = 10) const uint STAGED = 1u;    // 0: gathered from the source, no shared memory

const uint LOADED = TILE_I * FROM_BYTES / 4u + (ALIGNED == 1u || FROM_BYTES == 4u ? 0u : 1u);
const uint PITCH = LOADED | 1u;  // odd: a column walks through all banks
const uint ROWS = TILE_J + (ALIGNED == 1u ? 0u : E - 1u);
const uint SLOTS = TILE_J / E + (ALIGNED == 1u || E == 1u ? 0u : 1u);  // words of J
const uint TILE_WORDS = SLOTS * E * PITCH;

// One word more for each invocation takes what lies outside the tile: see load_place.
shared uint tile[TILE_WORDS + INVOCATIONS];

// Rows are kept apart by their place in a word: lanes that gather rows j, j + E, j + 2E, ... touch
// neighbours.
uint slot_of(uint j) { return (j % E) * SLOTS + j / E; }

// Word k of the tile: its place in the source, clamped to what exists, and in `place` where it goes.
// No branch may guard a load, nor the store that consumes it: compilers sink the load into the
// branch, and the loads wait for one another.
uint load_place(uint k, uint from, uint step, uint size_i, uint size_j, out uint place) {
  uint j = k / LOADED, w = k - j * LOADED, row = min(j, size_j - 1u);
  uint byte = (from + row * step) * FROM_BYTES;
  uint words = ((ALIGNED == 1u ? 0u : byte & 3u) + size_i * FROM_BYTES + 3u) >> 2;
  bool inside = k < ROWS * LOADED && j < size_j && w < words;
  place = inside ? slot_of(j) * PITCH + w : TILE_WORDS + gl_LocalInvocationID.x;
  return (byte >> 2) + min(w, words - 1u);
}

void main() {
  const uint lane = gl_LocalInvocationID.x;
  uint t = gl_WorkGroupID.x + gl_WorkGroupID.y * gl_NumWorkGroups.x;
  if (t >= p.rows) return;  // the whole workgroup or none of it
  uint extent_i = p.loops[OUTER].extent, extent_j = p.loops[OUTER + 1u].extent;
  uint step_i = p.loops[OUTER].destination, step_j = p.loops[OUTER + 1u].source;
  uint q = divide(t, p.columns_magic, p.columns_shift), tile_j = t - q * p.columns;
  uint repeat = divide(q, p.depth_magic, p.depth_shift), tile_i = q - repeat * p.depth;
  uint from = start.source, to = start.destination, scale = start.scales;
  [[unroll]] for (int i = int(OUTER) - 1; i >= 0; i--) {
    uint quotient = divide(repeat, p.loops[i].magic, p.loops[i].shift);
    uint index = repeat - quotient * p.loops[i].extent;
    repeat = quotient;
    from += index * p.loops[i].source;
    to += index * p.loops[i].destination;
    scale += index * p.loops[i].scale;
  }
  uint i0 = tile_i * TILE_I, j0 = tile_j * TILE_J;
  uint size_i = min(TILE_I, extent_i - i0), size_j = min(ROWS, extent_j - j0);
  from += i0 + j0 * step_j;
  to += i0 * step_i + j0;

  if (STAGED == 1u) {
    for (uint k = lane; k < ROWS * LOADED; k += 4u * INVOCATIONS) {
      uint p0, p1, p2, p3;
      uint w0 = source[load_place(k, from, step_j, size_i, size_j, p0)];
      uint w1 = source[load_place(k + INVOCATIONS, from, step_j, size_i, size_j, p1)];
      uint w2 = source[load_place(k + 2u * INVOCATIONS, from, step_j, size_i, size_j, p2)];
      uint w3 = source[load_place(k + 3u * INVOCATIONS, from, step_j, size_i, size_j, p3)];
      tile[p0] = w0;
      tile[p1] = w1;
      tile[p2] = w2;
      tile[p3] = w3;
    }
    barrier();
  }

  if (MOVED && ALIGNED == 1u && FROM_BYTES < 4u) {
    // An invocation transposes a square of E x E elements that it holds in E words.
    const uint WIDE = TILE_J / E;
    for (uint k = lane; k < (TILE_I / E) * WIDE; k += INVOCATIONS) {
      uint group_i = k / WIDE, column = k - group_i * WIDE, j = column * E;
      if (group_i * E >= size_i || j0 + j >= extent_j) continue;
      uint words[4];
      [[unroll]] for (uint e = 0u; e < E; e++) {
        if (STAGED == 1u) {
          words[e] = tile[slot_of(j + e) * PITCH + group_i];
        } else {
          words[e] = source[(from + min(j + e, size_j - 1u) * step_j) / E + group_i];
        }
      }
      uint word = (to + group_i * E * step_i) / E + column;
      [[unroll]] for (uint r = 0u; r < E; r++) {
        uint value = 0u;
        [[unroll]] for (uint e = 0u; e < E; e++) {
          value |= ((words[e] >> (r * TO_BITS)) & TO_MASK) << (e * TO_BITS);
        }
        if (group_i * E + r < size_i) {
          uint left = extent_j - j0 - j;
          if (left >= E) destination[word] = value;
          else store_shared(word, (1u << (TO_BITS * left)) - 1u, value);
        }
        word += step_i / E;
      }
    }
    return;
  }

  for (uint k = lane; k < TILE_I * SLOTS; k += INVOCATIONS) {
    uint i = k / SLOTS, column = k - i * SLOTS;
    uint row = to + i * step_i, lead = row % E;
    int j = int(E * column) - int(lead);  // of the word's first element, counted from j0
    if (i >= size_i || (j < 0 && j0 != 0u) || j >= int(TILE_J) ||
        j0 + uint(max(j, 0)) >= extent_j) {
      continue;
    }
    uint word = (row - lead) / E + column;
    bool whole = E == 1u || (j >= 0 && j0 + uint(j) + E <= extent_j);
    uint mask = 0u;
    for (uint e = 0u; e < E; e++) {
      int at = j + int(e);
      if (at >= 0 && j0 + uint(at) < extent_j) mask |= TO_MASK << (TO_BITS * e);
    }
    uint old = 0u;
    if (OLD != 0u) old = whole ? destination[word] : load_shared(word, mask);
    uint value = 0u;
    for (uint e = 0u; e < E; e++) {
      int at = j + int(e);
      if (at < 0 || j0 + uint(at) >= extent_j) continue;
      uint v;
      if (STAGED == 1u) {
        uint lead_in = ALIGNED == 1u || FROM_BYTES == 4u
                           ? 0u
                           : ((from + uint(at) * step_j) * FROM_BYTES) & 3u;
        uint byte = lead_in + i * FROM_BYTES;
        v = tile[slot_of(uint(at)) * PITCH + (byte >> 2)];
        if (FROM_BYTES < 4u) v = (v >> ((byte & 3u) * 8u)) & FROM_MASK;
      } else {
        v = load_source(from + uint(at) * step_j + i);
      }
      uint scale_at = scale + (i0 + i) * p.loops[OUTER].scale +
                      (j0 + uint(at)) * p.loops[OUTER + 1u].scale;
      v = element(v, scale_at, (old >> (TO_BITS * e)) & TO_MASK);
      value |= v << (TO_BITS * e);
    }
    if (whole) destination[word] = value;
    else store_shared(word, mask, value);
  }
}
