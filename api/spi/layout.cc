#include "api/spi/layout.h"

namespace spi {
namespace {

// No implementation sees a run-time value, but messages about a promise do.
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

bool SizeInBytes(const Layout& layout, int64_t* bytes) {
  *bytes = 0;
  if (layout.rank == 0 || IsEmpty(layout)) return true;
  if (layout.kind == LayoutKind::kOpaque) {
    *bytes = layout.opaque_bytes;
    return true;
  }
  int64_t end = 1;
  bool overflow = false;
  for (int k = 0; k < layout.block_count; ++k)
    overflow |= __builtin_mul_overflow(end, layout.blocks[k].size, &end);
  overflow |= __builtin_add_overflow(end, layout.offset, &end);
  for (int j = 0; j < layout.rank; ++j) {
    int64_t span = 0;
    overflow |= __builtin_mul_overflow(StepsAlong(layout, j) - 1, layout.strides[j], &span);
    overflow |= __builtin_add_overflow(end, span, &end);
  }
  overflow |= __builtin_mul_overflow(end, SizeOf(layout.type), bytes);
  return !overflow;
}

Layout Any(DataType type, absl::Span<const int64_t> dims) {
  Layout layout;
  layout.type = type;
  layout.kind = LayoutKind::kAny;
  for (const int64_t dim : dims) layout.dims[layout.rank++] = dim;
  return layout;
}

Layout Strided(DataType type, absl::Span<const int64_t> dims, absl::Span<const Block> blocks) {
  Layout layout = Any(type, dims);
  layout.kind = LayoutKind::kStrided;
  int64_t stride = 1;
  for (const Block block : blocks) {
    layout.blocks[layout.block_count++] = block;
    stride *= block.size;
  }
  for (int j = layout.rank - 1; j >= 0; --j) {
    layout.strides[j] = stride;
    stride = SaturatedProduct(stride, StepsAlong(layout, j));
  }
  return layout;
}

Layout Opaque(DataType type, absl::Span<const int64_t> dims, uint16_t format, int64_t bytes) {
  Layout layout = Any(type, dims);
  layout.kind = LayoutKind::kOpaque;
  layout.opaque_format = format;
  layout.opaque_bytes = bytes;
  return layout;
}

std::string ToString(const Layout& layout) {
  std::string text = NameOf(layout.type);
  for (int j = 0; j < layout.rank; ++j) text += (j == 0 ? ' ' : 'x') + NumberOf(layout.dims[j]);
  if (layout.kind == LayoutKind::kAny) return text + " any";
  if (layout.kind == LayoutKind::kOpaque)
    return text + " opaque " + std::to_string(layout.opaque_format) + " (" +
           std::to_string(layout.opaque_bytes) + " bytes)";
  for (int j = 0; j < layout.rank; ++j) text += (j == 0 ? " s" : ",") + NumberOf(layout.strides[j]);
  if (layout.offset != 0) text += " o" + std::to_string(layout.offset);
  for (int k = 0; k < layout.block_count; ++k)
    text +=
        " b" + std::to_string(layout.blocks[k].size) + "@" + std::to_string(layout.blocks[k].axis);
  return text;
}

}  // namespace spi
