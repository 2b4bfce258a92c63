// The arithmetic of arithmetic.glsl in float instructions, for modules that demand IEEE behaviour
// and devices that claim it and passed probe_arithmetic.comp.
#ifndef ARITHMETIC_HARDWARE_GLSL
#define ARITHMETIC_HARDWARE_GLSL

#extension GL_EXT_spirv_intrinsics : require

// RoundingModeRTE, SignedZeroInfNanPreserve and DenormPreserve for 32-bit floats.
spirv_execution_mode(extensions = ["SPV_KHR_float_controls"], capabilities = [4467], 4462, 32);
spirv_execution_mode(extensions = ["SPV_KHR_float_controls"], capabilities = [4466], 4461, 32);
spirv_execution_mode(extensions = ["SPV_KHR_float_controls"], capabilities = [4464], 4459, 32);

uint one_nan(uint u) { return (u & 0x7fffffffu) > 0x7f800000u ? 0x7fc00000u : u; }

// `precise` forbids contraction and re-association.
uint hardware_multiply(uint a, uint b) {
  precise float r = uintBitsToFloat(a) * uintBitsToFloat(b);
  return one_nan(floatBitsToUint(r));
}

uint hardware_add(uint a, uint b) {
  precise float r = uintBitsToFloat(a) + uintBitsToFloat(b);
  return one_nan(floatBitsToUint(r));
}

#endif
