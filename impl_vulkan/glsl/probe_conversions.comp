#version 450
#extension GL_GOOGLE_include_directive : require
#include "probe.glsl"

// Counts the conversions in which fast and exact differ.
layout(local_size_x_id = 3) in;
layout(std430, set = 0, binding = 0) buffer Differences { uint differences; };

void main() {
  uint count = conversion_differences(gl_GlobalInvocationID.x);
  if (count != 0u) atomicAdd(differences, count);
}
