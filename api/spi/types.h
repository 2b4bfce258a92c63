// The words that api and an implementation share, beside layouts.
#ifndef DNNSPEC_API_SPI_TYPES_H_
#define DNNSPEC_API_SPI_TYPES_H_

#include "api/spi/layout.h"

namespace spi {

// Values as in dnnl::engine::kind.
enum class EngineKind { kAny = 0, kCpu = 1, kGpu = 2 };

// Values as in dnnl::cpu_isa: each has the bits of those that it contains. kAll: nothing is known.
enum class CpuIsa {
  kAll = 0,
  kSse41 = 0x1,
  kAvx2 = 0x7,
  kAvx512Core = 0x27,
  kAvx512CoreVnni = 0x67,
  kAvx512CoreBf16 = 0xe7,
  kAvx512CoreAmx = 0x3e7,
};

// Values as in dnnl::stream::flags; bits may be combined.
enum StreamFlags : unsigned { kInOrder = 1, kOutOfOrder = 2 };

// Positions of arguments, as in the DNNL_ARG_ macros.
enum ArgumentIndex : int {
  kArgSrc = 1,
  kArgDst = 17,
  kArgWeights = 33,
  kArgBias = 41,
  kArgScratchpad = 80,
  kArgDiffSrc = 129,
  kArgDiffDst = 145,
  kArgDiffWeights = 161,
  kArgDiffBias = 169,
  kArgOutputScales = 513,
  kArgSrcZeroPoint = 4096 | kArgSrc,
  kArgDstZeroPoint = 4096 | kArgDst,
};

}  // namespace spi

#endif  // DNNSPEC_API_SPI_TYPES_H_
