#version 450

// Steps for a program of several: to = 3 * a + 7; with SUM, to = a + b + c.
layout(local_size_x_id = 3) in;
layout(constant_id = 3) const uint INVOCATIONS = 64u;

#ifdef SUM
layout(std430, set = 0, binding = 0) readonly buffer A { uint a[]; };
layout(std430, set = 0, binding = 1) readonly buffer B { uint b[]; };
layout(std430, set = 0, binding = 2) readonly buffer C { uint c[]; };
layout(std430, set = 0, binding = 3) buffer To { uint to[]; };
layout(push_constant) uniform Start { uint a, b, c, to; } start;
#else
layout(std430, set = 0, binding = 0) readonly buffer A { uint a[]; };
layout(std430, set = 0, binding = 1) buffer To { uint to[]; };
layout(push_constant) uniform Start { uint a, to; } start;
#endif

void main() {
  uint i = gl_LocalInvocationID.x + INVOCATIONS * gl_WorkGroupID.z;
#ifdef SUM
  to[start.to + i] = a[start.a + i] + b[start.b + i] + c[start.c + i];
#else
  to[start.to + i] = 3u * a[start.a + i] + 7u;
#endif
}
