// Division by what is known before a dispatch, in a multiplication.
#ifndef DIVIDE_GLSL
#define DIVIDE_GLSL

// v / d for v < 2^31, where the host found magic and shift for d; magic 0 stands for d = 1.
uint divide(uint v, uint magic, uint shift) {
  if (magic == 0u) return v;
  uint high, low;
  umulExtended(v, magic, high, low);
  return high >> shift;
}

#endif
