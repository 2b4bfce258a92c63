#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#include "element.glsl"

// Both sides are the same row of contiguous blocks, and only the order inside a block changes:
// shuffle of a channels-last tensor, many small matrices.
//
// A workgroup stages p.columns whole blocks of p.run elements in shared memory, then each invocation
// gathers aligned destination words. The loops from p.outer on take the place in a block apart;
// p.outer is 1 if there is a loop for the blocks themselves (for its scale), else 0.
layout(constant_id = 7) const uint ROOM = 2048u;  // words: p.columns * p.run elements fit, and 3 bytes
layout(constant_id = 8) const uint STAGED = 1u;   // 0: gathered from the source, no shared memory

// One word more for each invocation takes surplus loads: see load_place in tile.comp.
shared uint staged[ROOM + INVOCATIONS];

void main() {
  uint lane = gl_LocalInvocationID.x;
  uint group = gl_WorkGroupID.x + gl_WorkGroupID.y * gl_NumWorkGroups.x;
  uint block0 = group * p.columns;
  if (block0 >= p.rows) return;  // the whole workgroup or none of it
  uint count = min(p.columns, p.rows - block0) * p.run;
  uint byte0 = (start.source + block0 * p.run) * FROM_BYTES, word0 = byte0 >> 2, lead = byte0 & 3u;
  uint words = (lead + count * FROM_BYTES + 3u) >> 2;
  if (STAGED == 1u) {
    for (uint k = lane; k < words; k += 4u * INVOCATIONS) {
      uint k1 = k + INVOCATIONS, k2 = k1 + INVOCATIONS, k3 = k2 + INVOCATIONS, last = words - 1u;
      uint a = source[word0 + k], b = source[word0 + min(k1, last)];
      uint c = source[word0 + min(k2, last)], d = source[word0 + min(k3, last)];
      staged[k] = a;
      staged[k1 < words ? k1 : ROOM + lane] = b;
      staged[k2 < words ? k2 : ROOM + lane] = c;
      staged[k3 < words ? k3 : ROOM + lane] = d;
    }
    barrier();
  }

  uint to = start.destination + block0 * p.run, word = to / E, head = to - word * E;
  uint end = head + count;
  for (uint k = lane; k * E < end; k += INVOCATIONS) {
    bool whole = E == 1u || (k * E >= head && (k + 1u) * E <= end);
    uint mask = 0u;
    for (uint j = 0u; j < E; j++) {
      if (k * E + j >= head && k * E + j < end) mask |= TO_MASK << (TO_BITS * j);
    }
    uint old = 0u;
    if (OLD != 0u) old = whole ? destination[word + k] : load_shared(word + k, mask);
    uint value = 0u;
    [[unroll]] for (uint j = 0u; j < E; j++) {
      // What is outside is read where something is, and not stored.
      uint e = uint(clamp(int(k * E + j) - int(head), 0, int(count) - 1));
      uint block = divide(e, p.run_magic, p.run_shift), rest = e - block * p.run;
      uint at = block * p.run, scale = start.scales;
      if (OUTER != 0u) scale += (block0 + block) * p.loops[0].scale;
      [[unroll]] for (int i = int(OUTER + INNER) - 1; i >= int(OUTER); i--) {
        uint q = divide(rest, p.loops[i].magic, p.loops[i].shift);
        uint index = rest - q * p.loops[i].extent;
        rest = q;
        at += index * p.loops[i].source;
        scale += index * p.loops[i].scale;
      }
      uint byte = lead + at * FROM_BYTES;
      uint v;
      if (STAGED == 1u) v = staged[byte >> 2];
      else v = source[word0 + (byte >> 2)];
      if (FROM_BYTES < 4u) v = (v >> ((byte & 3u) * 8u)) & FROM_MASK;
      value |= element(v, scale, (old >> (TO_BITS * j)) & TO_MASK) << (TO_BITS * j);
    }
    if (whole) destination[word + k] = value;
    else store_shared(word + k, mask, value);
  }
}
