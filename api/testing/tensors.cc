#include "api/testing/tensors.h"

#include <cstdlib>
#include <cstring>

namespace spi {
namespace {

using spec::Bits;
using spec::Type;

spec::Places PlacesOf(const Layout& layout) {
  spec::Blocked blocked;
  blocked.dims.assign(layout.dims.begin(), layout.dims.begin() + layout.rank);
  blocked.strides.assign(layout.strides.begin(), layout.strides.begin() + layout.rank);
  for (int k = 0; k < layout.block_count; ++k)
    blocked.blocks.push_back({layout.blocks[k].axis, layout.blocks[k].size});
  blocked.offset = layout.offset;
  return spec::PlacesOf(blocked);
}

}  // namespace

Type TypeOf(DataType type) {
  switch (type) {
    case DataType::kF16:
      return Type::kF16;
    case DataType::kBF16:
      return Type::kBF16;
    case DataType::kF32:
      return Type::kF32;
    case DataType::kS32:
      return Type::kS32;
    case DataType::kS8:
      return Type::kS8;
    case DataType::kU8:
      return Type::kU8;
    case DataType::kUndef:
      break;
  }
  std::abort();
}

Tensor::Tensor(const Layout& layout, void* buffer)
    : type(TypeOf(layout.type)),
      bytes_(static_cast<size_t>(spec::BytesOf(type))),
      buffer_(static_cast<char*>(buffer)),
      places_(PlacesOf(layout)) {}

Bits Tensor::In(const void* buffer, int64_t k) const {
  Bits bits = 0;
  const int64_t at = ByteOf(places_.elements[static_cast<size_t>(k)]);
  std::memcpy(&bits, static_cast<const char*>(buffer) + at, bytes_);
  return bits;
}

std::vector<double> Tensor::Numbers() const {
  std::vector<double> numbers;
  numbers.reserve(places_.elements.size());
  for (int64_t k = 0; k < size(); ++k)
    numbers.push_back(type == Type::kS32 ? static_cast<int32_t>((*this)[k]) : double{Float(k)});
  return numbers;
}

void Tensor::Set(int64_t k, Bits bits) {
  std::memcpy(buffer_ + ByteOf(places_.elements[static_cast<size_t>(k)]), &bits, bytes_);
}

void Tensor::ClearPadding() {
  for (const int64_t place : places_.padding) std::memset(buffer_ + ByteOf(place), 0, bytes_);
}

Tensor Tensors::operator[](int argument) const {
  const int position = Find(operation, argument);
  if (position < 0) std::abort();
  return {operation.tensors[static_cast<size_t>(position)].layout,
          buffers_[static_cast<size_t>(position)]};
}

std::vector<double> Tensors::Numbers(int argument) const {
  return Has(argument) ? (*this)[argument].Numbers() : std::vector<double>();
}

}  // namespace spi
