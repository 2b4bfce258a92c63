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

std::string ToString(const Layout& layout) {
  std::string text = NameOf(layout.type);
  for (int j = 0; j < layout.rank; ++j)
    text += (j == 0 ? ' ' : 'x') + std::to_string(layout.dims[j]);
  for (int j = 0; j < layout.rank; ++j)
    text += (j == 0 ? " s" : ",") + std::to_string(layout.strides[j]);
  if (layout.offset != 0) text += " o" + std::to_string(layout.offset);
  for (int k = 0; k < layout.block_count; ++k)
    text +=
        " b" + std::to_string(layout.blocks[k].size) + "@" + std::to_string(layout.blocks[k].dim);
  return text;
}

}  // namespace spi
