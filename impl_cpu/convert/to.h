// One function for each destination type, so that the instantiations are compiled in as many files.
#ifndef DNNSPEC_IMPL_CPU_CONVERT_TO_H_
#define DNNSPEC_IMPL_CPU_CONVERT_TO_H_

#include "api/spi/types.h"
#include "impl_cpu/convert/kernel.h"

namespace impl_cpu {

// `other_old`: the sum reads the destination as the other type of its size.
ConvertKernel FindConvertToF32(spi::DataType src, ConvertMode mode, bool other_old);
ConvertKernel FindConvertToS32(spi::DataType src, ConvertMode mode, bool other_old);
ConvertKernel FindConvertToS8(spi::DataType src, ConvertMode mode, bool other_old);
ConvertKernel FindConvertToU8(spi::DataType src, ConvertMode mode, bool other_old);
ConvertKernel FindConvertToBF16(spi::DataType src, ConvertMode mode, bool other_old);
ConvertKernel FindConvertToF16(spi::DataType src, ConvertMode mode, bool other_old);

}  // namespace impl_cpu

#endif  // DNNSPEC_IMPL_CPU_CONVERT_TO_H_
