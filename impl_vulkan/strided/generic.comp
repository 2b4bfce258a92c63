#version 450
#extension GL_GOOGLE_include_directive : require
#include "element.glsl"

// Any layout to any layout. An invocation owns one aligned word of one destination run and gathers
// the elements in it.
//
// A run is what lies side by side in the destination: p.run elements, taken apart by the loops from
// p.outer on. p.rows runs are found by the loops before. p.columns words are enough for any run.
void main() {
  uint w = gl_GlobalInvocationID.x + gl_GlobalInvocationID.y * (gl_NumWorkGroups.x * INVOCATIONS);
  if (w >= p.rows * p.columns) return;
  uint row = divide(w, p.columns_magic, p.columns_shift), column = w - row * p.columns;

  uint from = start.source, to = start.destination, scale = start.scales;
  for (int i = int(p.outer) - 1; i >= 0; i--) {
    uint q = divide(row, p.loops[i].magic, p.loops[i].shift), index = row - q * p.loops[i].extent;
    row = q;
    from += index * p.loops[i].source;
    to += index * p.loops[i].destination;
    scale += index * p.loops[i].scale;
  }

  uint word = to / E + column;
  int first = int(word * E) - int(to);  // element of the run that the word begins with
  if (first >= int(p.run)) return;
  bool whole = E == 1u || (first >= 0 && first + int(E) <= int(p.run));
  uint mask = 0u;
  for (uint j = 0u; j < E; j++) {
    int e = first + int(j);
    if (e >= 0 && e < int(p.run)) mask |= TO_MASK << (TO_BITS * j);
  }
  uint old = 0u;
  if (OLD != 0u) old = whole ? destination[word] : load_shared(word, mask);

  uint value = 0u;
  for (uint j = 0u; j < E; j++) {
    int e = first + int(j);
    if (e < 0 || e >= int(p.run)) continue;
    uint at = from, scale_at = scale, rest = uint(e);
    for (int i = int(p.outer + p.inner) - 1; i >= int(p.outer); i--) {
      uint q = divide(rest, p.loops[i].magic, p.loops[i].shift);
      uint index = rest - q * p.loops[i].extent;
      rest = q;
      at += index * p.loops[i].source;
      scale_at += index * p.loops[i].scale;
    }
    uint v = element(load_source(at), scale_at, (old >> (TO_BITS * j)) & TO_MASK);
    value |= v << (TO_BITS * j);
  }
  if (whole) destination[word] = value;
  else store_shared(word, mask, value);
}
