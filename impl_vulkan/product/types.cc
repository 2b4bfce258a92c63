#include "impl_vulkan/product/types.h"

#include "absl/strings/str_cat.h"

namespace impl_vulkan {
namespace {

using spi::DataType;

bool IsInteger(DataType type) { return type >= DataType::kS32; }
bool IsByte(DataType type) { return type == DataType::kS8 || type == DataType::kU8; }

bool Serves(spi::PropKind prop, DataType src, DataType weights, const spi::Layout* bias,
            DataType dst) {
  const bool forward = spi::IsForward(prop);
  if (forward && IsByte(src)) return weights == DataType::kS8 && dst != DataType::kF16;
  // Of floats: factors of one type, results of it or f32.
  const bool data = prop == spi::PropKind::kBackwardData;
  const DataType a = forward ? src : dst, b = forward || data ? weights : src;
  const auto fits = [a](DataType type) { return type == a || type == DataType::kF32; };
  const DataType c = forward ? dst : data ? src : weights;
  return !IsInteger(a) && a == b && fits(c) && (bias == nullptr || fits(bias->type));
}

}  // namespace

absl::Status CheckTypes(const char* primitive, spi::PropKind prop, const spi::Layout& src,
                        const spi::Layout& weights, const spi::Layout* bias,
                        const spi::Layout& dst) {
  if (Serves(prop, src.type, weights.type, bias, dst.type)) return absl::OkStatus();
  return absl::UnimplementedError(absl::StrCat(
      "vulkan: ", primitive, " of src ", spi::NameOf(src.type), ", weights ",
      spi::NameOf(weights.type), ", bias ", bias == nullptr ? "none" : spi::NameOf(bias->type),
      ", dst ", spi::NameOf(dst.type)));
}

}  // namespace impl_vulkan
