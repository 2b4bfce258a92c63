#version 450
#extension GL_GOOGLE_include_directive : require
#include "product.glsl"
#include "tile.glsl"
