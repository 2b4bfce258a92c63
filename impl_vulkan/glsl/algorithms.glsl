// Element-wise functions as in spi::Algorithm.
#ifndef ALGORITHMS_GLSL
#define ALGORITHMS_GLSL

const uint RELU = 0x1fu, TANH = 0x2fu, ELU = 0x3fu, SQUARE = 0x4fu, ABS_OF = 0x5fu, SQRT = 0x6fu,
           LINEAR = 0x7fu, BOUNDED_RELU = 0x8fu, SOFT_RELU = 0x9fu, LOGISTIC = 0xafu, EXP = 0xbfu,
           GELU_TANH = 0xcfu, SWISH = 0xdfu, LOG = 0xefu, CLIP = 0xffu, CLIP_V2 = 0x10u,
           POW = 0x20u, GELU_ERF = 0x30u, ROUND_OF = 0x40u, LOGSIGMOID = 0x50u, MISH = 0x60u,
           HARDSWISH = 0x70u;

#endif
