#include "api/spi/types.h"

#include <limits>

namespace spi {
namespace {

// DNNL_RUNTIME_DIM_VAL: no implementation sees it, but messages about a promise do.
constexpr int64_t kRunTimeValue = std::numeric_limits<int64_t>::min();

std::string NumberOf(int64_t value) {
  return value == kRunTimeValue ? "runtime" : std::to_string(value);
}

}  // namespace

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
  for (int j = 0; j < layout.rank; ++j) text += (j == 0 ? ' ' : 'x') + NumberOf(layout.dims[j]);
  for (int j = 0; j < layout.rank; ++j) text += (j == 0 ? " s" : ",") + NumberOf(layout.strides[j]);
  if (layout.offset != 0) text += " o" + std::to_string(layout.offset);
  for (int k = 0; k < layout.block_count; ++k)
    text +=
        " b" + std::to_string(layout.blocks[k].size) + "@" + std::to_string(layout.blocks[k].dim);
  return text;
}

}  // namespace spi
