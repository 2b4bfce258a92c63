#version 450
#extension GL_GOOGLE_include_directive : require
#define TAPS
#include "convolution.glsl"
#include "terms.glsl"
#include "tile.glsl"
