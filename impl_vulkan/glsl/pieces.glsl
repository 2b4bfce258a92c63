// Functions that are pieces of polynomials: in f32, each operation rounded by itself. NaN stays NaN.
//
// Numbers are bits of f32. multiply and add are those of number.glsl.
#ifndef PIECES_GLSL
#define PIECES_GLSL

#include "algorithms.glsl"

bool is_nan(uint v) { return (v & 0x7fffffffu) > 0x7f800000u; }

bool is_infinite(uint v) { return (v & 0x7fffffffu) == 0x7f800000u; }

bool is_zero(uint v) { return (v & 0x7fffffffu) == 0u; }

bool is_positive(uint v) { return int(v) > 0 && !is_nan(v); }

// Orders as the numbers do.
int key(uint v) { return (v & 0x80000000u) != 0u ? -int(v & 0x7fffffffu) : int(v); }

// v, or the bound that it is beyond.
uint between(uint v, uint low, uint high) {
  if (is_nan(v)) return v;
  if (key(v) < key(low)) v = low;
  return key(v) > key(high) ? high : v;
}

uint round_to_integer(uint v) {
  if ((v & 0x7fffffffu) >= 0x4b000000u) return v;  // 2^23 and more
  return (v & 0x80000000u) | s32_to_f32(uint(f32_to_s32(v & 0x7fffffffu)));
}

// f(v).
uint piece(uint algorithm, uint v, uint alpha, uint beta) {
  if (algorithm == RELU) {
    if (is_positive(v) || is_nan(v)) return v;
    // A slope of 0 is 0 for an infinity too (A-74).
    return is_zero(alpha) ? 0u : multiply(alpha, v);
  }
  if (algorithm == LINEAR) return add(multiply(alpha, v), beta);
  if (algorithm == SQUARE) return multiply(v, v);
  if (algorithm == ABS_OF) return v & 0x7fffffffu;
  if (algorithm == BOUNDED_RELU) return between(v, 0u, alpha);
  if (algorithm == CLIP || algorithm == CLIP_V2) return between(v, alpha, beta);
  return round_to_integer(v);
}

// f'(v) * gradient, with the comparisons of the formulas, which are false for a NaN. That of RELU
// may be asked of v or of f(v).
uint piece_backward(uint algorithm, uint v, uint gradient, uint alpha, uint beta) {
  if (algorithm == RELU) return is_positive(v) ? gradient : multiply(alpha, gradient);
  if (algorithm == LINEAR) return multiply(alpha, gradient);
  if (algorithm == SQUARE) return multiply(add(v, v), gradient);
  if (algorithm == ABS_OF) {
    if (is_zero(v) || is_nan(v)) return 0u;
    return gradient ^ (v & 0x80000000u);
  }
  if (is_nan(v)) return 0u;
  uint low = algorithm == BOUNDED_RELU ? 0u : alpha, high = algorithm == BOUNDED_RELU ? alpha : beta;
  bool below = algorithm == CLIP_V2 ? key(v) < key(high) : key(v) <= key(high);
  return key(low) < key(v) && below ? gradient : 0u;
}

#endif
