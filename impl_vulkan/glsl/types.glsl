// Data types as in spi::DataType. Elements travel as bits in the low end of a uint.
#ifndef TYPES_GLSL
#define TYPES_GLSL

const uint F16 = 1u, BF16 = 2u, F32 = 3u, S32 = 4u, S8 = 5u, U8 = 6u;

// Bytes of one element.
#define BYTES_OF(type) ((type) == F32 || (type) == S32 ? 4u : (type) >= S8 ? 1u : 2u)

// The bits that one element of so many bytes covers.
#define MASK_OF(bytes) ((bytes) == 4u ? 0xffffffffu : (1u << (8u * ((bytes) & 3u))) - 1u)

#endif
