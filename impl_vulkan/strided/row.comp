#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#include "element.glsl"

// Runs that are contiguous on both sides: copied by shifting whole words, or converted.
//
// LANES invocations work on one chunk, 4 * LANES consecutive words of one run, and keep four loads
// in flight each. p.rows runs of p.run >= E elements have p.columns chunks each; p.loops[OUTER]
// is the run itself (for its scale).
layout(constant_id = 7) const uint LANES = 128u;

const uint WORDS = 4u;  // of an invocation; constant, so that the loops below unroll

// Emulated arithmetic is too long to be written out for every element.
#if defined(HARDWARE_ARITHMETIC) || (defined(FUNCTION) && !defined(CURVES))
const bool UNROLLED = true;
#else
const bool UNROLLED = PURE;
#endif

// Element j of the word whose first element is element `e` of the run at `from`, in its place.
uint element_at(uint from, uint e, uint j, uint scale, uint old) {
  return element(load_source(from + e + j), scale + (e + j) * p.loops[OUTER].scale,
                 (old >> (TO_BITS * j)) & TO_MASK)
         << (TO_BITS * j);
}

// All of that word.
uint word_at(uint from, uint e, uint scale, uint old) {
  if (MOVED && FROM_BYTES == 4u) return source[from + e];
  if (MOVED) {
    uint byte = (from + e) * FROM_BYTES, shift = (byte & 3u) * 8u;
    uint low = source[byte >> 2], high = source[(byte + 3u) >> 2];  // the same word if aligned
    return shift == 0u ? low : (low >> shift) | (high << ((32u - shift) & 31u));
  }
  uint value = 0u;
  [[unroll]] for (uint j = 0u; j < E; j++) value |= element_at(from, e, j, scale, old);
  return value;
}

void main() {
  uint lane = gl_LocalInvocationID.x % LANES;
  uint group = gl_WorkGroupID.x + gl_WorkGroupID.y * gl_NumWorkGroups.x;
  uint slot = group * (INVOCATIONS / LANES) + gl_LocalInvocationID.x / LANES;
  uint row = divide(slot, p.columns_magic, p.columns_shift), chunk = slot - row * p.columns;
  if (row >= p.rows) return;

  uint from = start.source, to = start.destination, scale = start.scales;
  [[unroll]] for (int i = int(OUTER) - 1; i >= 0; i--) {
    uint q = divide(row, p.loops[i].magic, p.loops[i].shift), index = row - q * p.loops[i].extent;
    row = q;
    from += index * p.loops[i].source;
    to += index * p.loops[i].destination;
    scale += index * p.loops[i].scale;
  }

  uint word = to / E, head = to - word * E;  // elements of the first word before the run
  uint end = head + p.run;                   // counted from that word's first element
  uint first = chunk * (WORDS * LANES), k0 = first + lane;

  // Whole words. A word that is none is loaded from a place that exists and not stored.
  if (UNROLLED) {
    uint values[WORDS];
    [[unroll]] for (uint n = 0u; n < WORDS; n++) {
      uint k = k0 + n * LANES;
      bool whole = k * E >= head && (k + 1u) * E <= end;
      values[n] = word_at(from, whole ? k * E - head : 0u, scale,
                          OLD != 0u && whole ? destination[word + k] : 0u);
    }
    // The same for all lanes of a chunk. With every value used on either side of the branch, no
    // compiler moves a load behind it.
    if (first * E >= head && (first + WORDS * LANES) * E <= end) {
      [[unroll]] for (uint n = 0u; n < WORDS; n++) destination[word + k0 + n * LANES] = values[n];
      return;
    }
    [[unroll]] for (uint n = 0u; n < WORDS; n++) {
      uint k = k0 + n * LANES;
      if (k * E >= head && (k + 1u) * E <= end) destination[word + k] = values[n];
    }
    if (E == 1u) return;
  }

  // What is left: the words that the ends of the run share with others, or all.
  [[dont_unroll]] for (uint n = 0u; n < WORDS; n++) {
    uint k = k0 + n * LANES;
    bool whole = E == 1u || (k * E >= head && (k + 1u) * E <= end);
    if (k * E >= end || (UNROLLED && whole)) continue;
    uint mask = 0u;
    for (uint j = 0u; j < E; j++) {
      if (k * E + j >= head && k * E + j < end) mask |= TO_MASK << (TO_BITS * j);
    }
    uint old = 0u;
    if (OLD != 0u) old = whole ? destination[word + k] : load_shared(word + k, mask);
    uint value = 0u;
    [[dont_unroll]] for (uint j = 0u; j < E; j++) {
      if (k * E + j < head || k * E + j >= end) continue;
      // The run may begin inside the word: its element 0 is element `head` of word 0.
      value |= element_at(from, k * E - head, j, scale, old);
    }
    if (whole) destination[word + k] = value;
    else store_shared(word + k, mask, value);
  }
}
