// Uniform parameters of one dispatch. One dispatch is one box: every byte offset inside its windows
// fits in 31 bits, so 32-bit index arithmetic is enough. The layout is that of
// impl_vulkan/strided/parameters.h, where the fields are explained.
#ifndef PARAMETERS_GLSL
#define PARAMETERS_GLSL

#include "divide.glsl"

struct LoopDim {
  uint extent, source, destination, scale;
  uint magic, shift, unused_0, unused_1;
};

#ifdef COMPUTES
#define PARAMETERS 4
#else
#define PARAMETERS 3
#endif
layout(std140, set = 0, binding = PARAMETERS) uniform Parameters {
  uint rows, columns, columns_magic, columns_shift;
  uint depth, depth_magic, depth_shift, run;
  uint run_magic, run_shift, outer, inner;
  uint alpha, beta, src_zero, dst_zero;
  LoopDim loops[16];
} p;

// Elements between the start of each binding and the first element of its window.
layout(push_constant) uniform Start {
  uint source, destination, scales;
#ifdef COMPUTES
  uint zero_points;
#endif
} start;

#endif
