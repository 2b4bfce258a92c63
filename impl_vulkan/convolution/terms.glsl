// Sums over few channels, whose terms are counted through all taps and channels: what is filled up to
// the depth of a tile is then the whole sum, and not each tap. Only where each chain that a term
// follows has one link and each place is an element.
#ifndef TERMS_GLSL
#define TERMS_GLSL

// 0: terms are the channels of one tap after the other; 1: all, of which channels follow one another;
// 2: all, of which taps do.
layout(constant_id = 17) const uint ALL_TERMS = 0u;

struct Term {
  uvec3 places;     // from that of the first tap of a row
  uint a_at, b_at;  // in elements, from there and from the first of a column
};

Term term_of(uint k) {
  uint slow = divide(k, p.fast_magic, p.fast_shift), fast = k - slow * p.fast;
  uint tap = ALL_TERMS == 1u ? slow : fast, channel = ALL_TERMS == 1u ? fast : slow;
  uint line = divide(tap, p.tap_divisors.z, p.tap_divisors.w);
  uint plane = divide(line, p.tap_divisors.x, p.tap_divisors.y);
  uvec3 t = uvec3(plane, line - plane * p.axes[1].taps, tap - line * p.axes[2].taps);
  Term term;
  term.a_at = channel * stride_of(A_K);
  term.b_at = channel * stride_of(B_K) + tap * stride_of(B_T);
  [[unroll]] for (uint d = 0u; d < 3u; d++) {
    term.places[d] = t[d] * p.axes[d].tap_step;
    term.a_at += term.places[d] * stride_of(A_X + d);
  }
  return term;
}

// How far the first tap of a row of a group is from the first of A, as if it existed.
uint first_of(uvec3 base, uint group) {
  uint at = group * p.a_k_of_group * stride_of(A_K);
  [[unroll]] for (uint d = 0u; d < 3u; d++) at += base[d] * stride_of(A_X + d);
  return at;
}

bool lies_inside(uvec3 base, Term term) {
  bool inside = true;
  [[unroll]] for (uint d = 0u; d < 3u; d++) {
    inside = base[d] + term.places[d] < p.axes[d].limit && inside;
  }
  return inside;
}

#endif
