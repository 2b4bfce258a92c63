#include "impl_cpu/convert/kernel.h"

#include "api/spi/types.h"
#include "impl_cpu/convert/to.h"

namespace impl_cpu {

ConvertKernel FindConvertKernel(spi::DataType src, spi::DataType dst, ConvertMode mode,
                                spi::DataType sum_type) {
  const bool other_old =
      (mode == ConvertMode::kScaleSum || mode == ConvertMode::kShiftSum) && sum_type != dst;
  switch (dst) {
    case spi::DataType::kF32:
      return FindConvertToF32(src, mode, other_old);
    case spi::DataType::kS32:
      return FindConvertToS32(src, mode, other_old);
    case spi::DataType::kS8:
      return FindConvertToS8(src, mode, other_old);
    case spi::DataType::kU8:
      return FindConvertToU8(src, mode, other_old);
    case spi::DataType::kBF16:
      return FindConvertToBF16(src, mode, other_old);
    case spi::DataType::kF16:
      return FindConvertToF16(src, mode, other_old);
    case spi::DataType::kUndef:
      break;
  }
  return nullptr;
}

}  // namespace impl_cpu
