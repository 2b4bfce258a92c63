#include "api/spi/types.h"

namespace spi {

const char* NameOf(DataType type) {
  switch (type) {
    case DataType::kF16:
      return "f16";
    case DataType::kBF16:
      return "bf16";
    case DataType::kF32:
      return "f32";
    case DataType::kS32:
      return "s32";
    case DataType::kS8:
      return "s8";
    case DataType::kU8:
      return "u8";
    case DataType::kUndef:
      break;
  }
  return "undef";
}

}  // namespace spi
