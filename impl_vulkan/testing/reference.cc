#include "impl_vulkan/testing/reference.h"

#include <cmath>
#include <cstring>

namespace impl_vulkan {
namespace testing {
namespace {

using spi::DataType;

bool IsInteger(DataType type) {
  return type == DataType::kS32 || type == DataType::kS8 || type == DataType::kU8;
}

double LowOf(DataType type) {
  return type == DataType::kS32 ? -2147483648.0 : type == DataType::kS8 ? -128 : 0;
}

double HighOf(DataType type) {
  return type == DataType::kS32 ? 2147483647.0 : type == DataType::kS8 ? 127 : 255;
}

uint32_t MaskOf(DataType type) {
  const int64_t size = spi::SizeOf(type);
  return size == 4 ? 0xffffffffu : (1u << (8 * size)) - 1;
}

// A binary floating-point format: bits of the fraction and of the exponent.
struct Format {
  int fraction, exponent;
};

Format FormatOf(DataType type) {
  return type == DataType::kF32   ? Format{23, 8}
         : type == DataType::kF16 ? Format{10, 5}
                                  : Format{7, 8};
}

double Decode(DataType type, uint32_t bits) {
  if (type == DataType::kS32) return static_cast<int32_t>(bits);
  if (type == DataType::kS8) return static_cast<int8_t>(bits & 0xff);
  if (type == DataType::kU8) return bits & 0xff;
  const Format f = FormatOf(type);
  const uint32_t fraction = bits & ((1u << f.fraction) - 1);
  const int exponent = static_cast<int>(bits >> f.fraction) & ((1 << f.exponent) - 1);
  const double sign = (bits >> (f.fraction + f.exponent) & 1) != 0 ? -1 : 1;
  const int bias = (1 << (f.exponent - 1)) - 1;
  if (exponent == (1 << f.exponent) - 1) return fraction != 0 ? NAN : sign * INFINITY;
  if (exponent == 0) return sign * std::ldexp(fraction, 1 - bias - f.fraction);
  return sign * std::ldexp(fraction + std::ldexp(1.0, f.fraction), exponent - bias - f.fraction);
}

// `value` to nearest even in a floating-point format; NaN becomes the positive quiet NaN.
uint32_t Encode(DataType type, double value) {
  const Format f = FormatOf(type);
  const int bias = (1 << (f.exponent - 1)) - 1;
  const uint32_t infinity = ((1u << f.exponent) - 1) << f.fraction;
  if (std::isnan(value)) return infinity | 1u << (f.fraction - 1);
  const uint32_t sign = std::signbit(value) ? 1u << (f.fraction + f.exponent) : 0;
  const double magnitude = std::fabs(value);
  if (std::isinf(value)) return sign | infinity;
  if (magnitude == 0) return sign;
  int exponent = 0;
  std::frexp(magnitude, &exponent);
  // The step between neighbours at this magnitude.
  const int step = std::max(exponent - 1, 1 - bias) - f.fraction;
  const double steps = std::nearbyint(std::ldexp(magnitude, -step));
  // From the smallest normal number on, the number of steps holds the hidden bit.
  const double bits =
      steps + std::ldexp(static_cast<double>(step + f.fraction - (1 - bias)), f.fraction);
  return sign | (bits >= infinity ? infinity : static_cast<uint32_t>(bits));
}

uint32_t FromF32(DataType type, uint32_t bits) {
  if (type == DataType::kF32) return bits;
  const double value = Decode(DataType::kF32, bits);
  if (!IsInteger(type)) {
    if (!std::isnan(value)) return Encode(type, value);
    // The same NaN, quiet, with as much of its payload as there is room for.
    const Format f = FormatOf(type);
    const uint32_t sign = bits >> 31 << (f.fraction + f.exponent);
    const uint32_t payload = (bits & 0x7fffff) >> (23 - f.fraction);
    return sign | Encode(type, NAN) | payload;
  }
  if (std::isnan(value)) return 0;
  const double rounded = std::nearbyint(value);
  const double clamped = std::fmin(std::fmax(rounded, LowOf(type)), HighOf(type));
  return static_cast<uint32_t>(static_cast<int64_t>(clamped)) & MaskOf(type);
}

uint32_t ToF32(DataType type, uint32_t bits) {
  if (type == DataType::kF32) return bits;
  const double value = Decode(type, bits);
  if (!std::isnan(value)) return Encode(DataType::kF32, value);
  const Format f = FormatOf(type);
  const uint32_t sign = bits >> (f.fraction + f.exponent) & 1;
  const uint32_t payload = bits & ((1u << f.fraction) - 1);
  return sign << 31 | 0x7fc00000u | payload << (23 - f.fraction);
}

// Products and sums of two f32 values are exact in double or rounded once, twice never: the product
// has 48 bits, and a sum that double must round is far from a tie of f32.
uint32_t Round(double value) { return Encode(DataType::kF32, value); }

// The f32 of an integer.
double FloatOf(int32_t value) { return Decode(DataType::kF32, Round(value)); }

uint32_t BitsOf(float value) {
  uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

}  // namespace

void ForEach(const spi::Layout& layout, const std::function<void(const spi::Dims& x)>& visit) {
  if (spi::IsEmpty(layout)) return;
  spi::Dims x{};
  for (;;) {
    visit(x);
    int j = layout.rank - 1;
    for (; j >= 0; --j) {
      const auto axis = static_cast<size_t>(j);
      if (++x[axis] < layout.dims[axis]) break;
      x[axis] = 0;
    }
    if (j < 0) return;
  }
}

int64_t ExtentOf(const spi::Layout& layout) {
  int64_t bytes = 0;
  spi::SizeInBytes(layout, &bytes);
  return bytes / spi::SizeOf(layout.type);
}

spi::Layout WithPadding(const spi::Layout& layout) {
  spi::Layout whole = layout;
  for (int j = 0; j < layout.rank; ++j)
    whole.dims[static_cast<size_t>(j)] = spi::PaddedDim(layout, j);
  return whole;
}

// Zeros wherever there is no element in a block.
static void ClearPadding(const spi::Layout& layout, Bytes* bytes) {
  if (spi::IsEmpty(layout)) return;
  ForEach(WithPadding(layout), [&](const spi::Dims& x) {
    for (size_t j = 0; j < static_cast<size_t>(layout.rank); ++j) {
      if (x[j] < layout.dims[j]) continue;
      Store(bytes, layout.type, spi::OffsetOf(layout, x), 0);
      return;
    }
  });
}

int64_t ScaleIndexOf(const spi::ReorderOperation& operation, const spi::Dims& x) {
  int64_t index = 0;
  for (int j = 0; j < operation.dst.rank; ++j) {
    const auto axis = static_cast<size_t>(j);
    if (operation.scale_mask >> j & 1) index = index * operation.dst.dims[axis] + x[axis];
  }
  return index;
}

uint32_t Load(const Bytes& bytes, spi::DataType type, int64_t element) {
  uint32_t bits = 0;
  const auto size = static_cast<size_t>(spi::SizeOf(type));
  std::memcpy(&bits, bytes.data() + static_cast<size_t>(element) * size, size);
  return bits;
}

void Store(Bytes* bytes, spi::DataType type, int64_t element, uint32_t bits) {
  const auto size = static_cast<size_t>(spi::SizeOf(type));
  std::memcpy(bytes->data() + static_cast<size_t>(element) * size, &bits, size);
}

uint32_t Expected(const spi::ReorderOperation& operation, uint32_t source, float scale,
                  uint32_t old) {
  const DataType from = operation.src.type, to = operation.dst.type;
  const bool several = operation.scale_mask != 0 || operation.run_time_scales;
  const bool scaled =
      operation.run_time_scales ||
      (!operation.scales.empty() && (several || BitsOf(operation.scales[0]) != 0x3f800000));
  const bool sum = operation.has_sum && operation.beta != 0;
  if (!scaled && !operation.has_sum && !operation.has_zero_points()) {
    if (from == to) return source;
    if (IsInteger(from) && IsInteger(to)) {
      const double clamped = std::fmin(std::fmax(Decode(from, source), LowOf(to)), HighOf(to));
      return static_cast<uint32_t>(static_cast<int64_t>(clamped)) & MaskOf(to);
    }
    return FromF32(to, ToF32(from, source));
  }
  uint32_t result = ToF32(from, source);
  if (operation.src_zero_point.present())
    result = Round(Decode(DataType::kF32, result) - FloatOf(operation.src_zero_point.value));
  if (scaled || !sum) result = Round(double{scale} * Decode(DataType::kF32, result));
  if (sum) {
    const DataType old_type = operation.sum_type == DataType::kUndef ? to : operation.sum_type;
    const uint32_t term =
        Round(double{operation.beta} * Decode(DataType::kF32, ToF32(old_type, old)));
    result = Round(Decode(DataType::kF32, result) + Decode(DataType::kF32, term));
  }
  if (operation.dst_zero_point.present())
    result = Round(Decode(DataType::kF32, result) + FloatOf(operation.dst_zero_point.value));
  return FromF32(to, result);
}

void Run(const spi::ReorderOperation& operation, const std::vector<float>& scales,
         const Bytes& source, Bytes* destination) {
  const std::vector<float>& table = operation.run_time_scales ? scales : operation.scales;
  ForEach(operation.dst, [&](const spi::Dims& x) {
    const int64_t to = spi::OffsetOf(operation.dst, x);
    const float scale = table.empty() ? 1 : table[static_cast<size_t>(ScaleIndexOf(operation, x))];
    Store(destination, operation.dst.type, to,
          Expected(operation, Load(source, operation.src.type, spi::OffsetOf(operation.src, x)),
                   scale, Load(*destination, operation.dst.type, to)));
  });
  ClearPadding(operation.dst, destination);
}

void Run(const spi::ShuffleOperation& operation, const Bytes& source, Bytes* destination) {
  const auto axis = static_cast<size_t>(operation.axis);
  const int64_t group = operation.group_size;
  ForEach(operation.to, [&](const spi::Dims& x) {
    // Forward: to(u + v * C/G) = from(u * G + v). Backward: to(u * G + v) = from(u + v * C/G).
    const int64_t rows = operation.to.dims[axis] / group;
    spi::Dims y = x;
    y[axis] = operation.forward ? x[axis] % rows * group + x[axis] / rows
                                : x[axis] / group + x[axis] % group * rows;
    Store(destination, operation.to.type, spi::OffsetOf(operation.to, x),
          Load(source, operation.from.type, spi::OffsetOf(operation.from, y)));
  });
  ClearPadding(operation.to, destination);
}

}  // namespace testing
}  // namespace impl_vulkan
