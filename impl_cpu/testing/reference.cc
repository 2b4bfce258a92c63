#include "impl_cpu/testing/reference.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <utility>
#include <variant>
#include <vector>

#include "api/spi/implementation.h"
#include "api/spi/types.h"
#include "api/testing/operations.h"

namespace impl_cpu {
namespace {

using spi::DataType;
using spi::Dims;
using spi::Layout;

bool IsInteger(DataType type) {
  return type == DataType::kS32 || type == DataType::kS8 || type == DataType::kU8;
}

// Calls `f(x)` for every coordinate below `dims`.
template <typename F>
void ForEachCoordinate(const Dims& dims, int rank, F f) {
  Dims x{};
  for (int j = 0; j < rank; ++j)
    if (dims[j] == 0) return;
  for (;;) {
    f(std::as_const(x));
    int j = rank;
    while (j > 0 && ++x[j - 1] == dims[j - 1]) x[--j] = 0;
    if (j == 0) return;
  }
}

uint32_t LoadBits(DataType type, const std::byte* at) {
  uint32_t bits = 0;
  std::memcpy(&bits, at, static_cast<size_t>(spi::SizeOf(type)));
  return bits;
}

void StoreBits(DataType type, uint32_t bits, std::byte* at) {
  std::memcpy(at, &bits, static_cast<size_t>(spi::SizeOf(type)));
}

int64_t IntegerValue(DataType type, uint32_t bits) {
  return type == DataType::kS32  ? static_cast<int32_t>(bits)
         : type == DataType::kS8 ? static_cast<int8_t>(bits)
                                 : static_cast<int64_t>(bits);
}

// Sign, exponent and fraction of a floating-point type.
struct Format {
  int exponent_bits, fraction_bits;
  int bias() const { return (1 << (exponent_bits - 1)) - 1; }
  uint32_t all_ones() const { return (1u << exponent_bits) - 1; }
  uint32_t sign() const { return 1u << (exponent_bits + fraction_bits); }
};

Format FormatOf(DataType type) {
  return type == DataType::kF16    ? Format{5, 10}
         : type == DataType::kBF16 ? Format{8, 7}
                                   : Format{8, 23};
}

// Value of finite bits; exact.
double FiniteValue(DataType type, uint32_t bits) {
  const Format f = FormatOf(type);
  const uint32_t fraction = bits & ((1u << f.fraction_bits) - 1);
  const int exponent = static_cast<int>(bits >> f.fraction_bits & f.all_ones());
  const double magnitude = exponent == 0 ? std::ldexp(fraction, 1 - f.bias() - f.fraction_bits)
                                         : std::ldexp(fraction + (1u << f.fraction_bits),
                                                      exponent - f.bias() - f.fraction_bits);
  return bits & f.sign() ? -magnitude : magnitude;
}

bool IsNan(DataType type, uint32_t bits) {
  if (IsInteger(type)) return false;
  const Format f = FormatOf(type);
  return (bits & (f.sign() - 1)) > f.all_ones() << f.fraction_bits;
}

bool IsInfinite(DataType type, uint32_t bits) {
  const Format f = FormatOf(type);
  return !IsInteger(type) && (bits & (f.sign() - 1)) == f.all_ones() << f.fraction_bits;
}

double ValueOf(DataType type, uint32_t bits) {
  if (IsInteger(type)) return static_cast<double>(IntegerValue(type, bits));
  const bool negative = bits & FormatOf(type).sign();
  if (IsNan(type, bits)) return std::copysign(std::nan(""), negative ? -1.0 : 1.0);
  if (IsInfinite(type, bits)) return negative ? -INFINITY : INFINITY;
  return FiniteValue(type, bits);
}

uint32_t FromInteger(DataType type, int64_t value) {
  const int64_t lo = type == DataType::kS32 ? INT32_MIN : type == DataType::kS8 ? -128 : 0;
  const int64_t hi = type == DataType::kS32 ? INT32_MAX : type == DataType::kS8 ? 127 : 255;
  return static_cast<uint32_t>(std::clamp(value, lo, hi));
}

// `value`, an f32, as `type`; a NaN carries no payload.
uint32_t FromValue(DataType type, double value) {
  if (IsInteger(type)) {
    if (std::isnan(value)) return 0;
    return FromInteger(type, static_cast<int64_t>(std::nearbyint(std::clamp(value, -4e9, 4e9))));
  }
  const Format f = FormatOf(type);
  const uint32_t sign = std::signbit(value) ? f.sign() : 0;
  if (std::isnan(value))
    return sign | f.all_ones() << f.fraction_bits | 1u << (f.fraction_bits - 1);
  const uint32_t infinity = f.all_ones() << f.fraction_bits;
  if (std::isinf(value)) return sign | infinity;
  const double magnitude = std::fabs(value);
  if (magnitude == 0) return sign;
  // In units of the last place of its binade, half to even; the carry into the next binade is what
  // the encoding does by itself.
  const int exponent = std::max(std::ilogb(magnitude), 1 - f.bias());
  const auto units =
      static_cast<uint32_t>(std::nearbyint(std::ldexp(magnitude, f.fraction_bits - exponent)));
  const uint32_t biased = static_cast<uint32_t>(exponent + f.bias() - 1) << f.fraction_bits;
  return sign | std::min(biased + units, infinity);
}

float ToF32(double value) { return static_cast<float>(value); }

// One element without attributes.
uint32_t Convert(DataType from, DataType to, uint32_t bits) {
  if (from == to) return bits;
  if (IsInteger(from) && IsInteger(to)) return FromInteger(to, IntegerValue(from, bits));
  if (IsNan(from, bits) && !IsInteger(to)) {
    // Same sign, upper bits of the payload; quiet wherever bits are dropped or the format changes.
    const Format f = FormatOf(from), t = FormatOf(to);
    const uint32_t payload = bits & ((1u << f.fraction_bits) - 1);
    const int shift = t.fraction_bits - f.fraction_bits;
    const uint32_t moved = shift >= 0 ? payload << shift : payload >> -shift;
    const bool widened = from == DataType::kBF16 && to == DataType::kF32;
    const uint32_t quiet = widened ? 0 : 1u << (t.fraction_bits - 1);
    return (bits & f.sign() ? t.sign() : 0) | t.all_ones() << t.fraction_bits | quiet | moved;
  }
  return FromValue(to, ToF32(ValueOf(from, bits)));
}

void Run(const spi::ReorderOperation& op, const Bytes& src, Bytes& dst,
         const std::vector<float>& scales) {
  const bool scaled =
      op.run_time_scales || (!op.scales.empty() && !(op.scale_mask == 0 && op.scales[0] == 1));
  const int64_t from_bytes = spi::SizeOf(op.src.type), to_bytes = spi::SizeOf(op.dst.type);
  ForEachCoordinate(op.dst.dims, op.dst.rank, [&](const Dims& x) {
    const uint32_t from =
        LoadBits(op.src.type, &src[static_cast<size_t>(spi::OffsetOf(op.src, x) * from_bytes)]);
    std::byte* const at = &dst[static_cast<size_t>(spi::OffsetOf(op.dst, x) * to_bytes)];
    uint32_t result;
    if (!scaled && !op.has_sum && !op.has_zero_points()) {
      result = Convert(op.src.type, op.dst.type, from);
    } else {
      volatile float value = ToF32(ValueOf(op.src.type, from));
      if (op.src_zero_point.present()) value = value - ToF32(op.src_zero_point.value);
      if (scaled) {
        int64_t index = 0;
        for (int j = 0; j < op.dst.rank; ++j)
          if (op.scale_mask >> j & 1) index = index * op.dst.dims[j] + x[j];
        value = value * scales[static_cast<size_t>(index)];
      }
      if (op.has_sum && op.beta != 0) {
        const DataType type = op.sum_type == DataType::kUndef ? op.dst.type : op.sum_type;
        volatile float old = ToF32(ValueOf(type, LoadBits(type, at)));
        old = op.beta * old;
        value = value + old;
      }
      if (op.dst_zero_point.present()) value = value + ToF32(op.dst_zero_point.value);
      result = FromValue(op.dst.type, value);
    }
    StoreBits(op.dst.type, result, at);
  });
}

void Run(const spi::ShuffleOperation& op, const Bytes& src, Bytes& dst, const std::vector<float>&) {
  const int64_t bytes = spi::SizeOf(op.to.type);
  const int64_t g = op.group_size, h = op.to.dims[op.axis] / g;
  ForEachCoordinate(op.to.dims, op.to.rank, [&](const Dims& x) {
    // Forward, x is the destination coordinate c = u + v * C/G; backward it is the source
    // coordinate c' = u * G + v of the formula.
    Dims y = x;
    y[op.axis] =
        op.forward ? x[op.axis] % h * g + x[op.axis] / h : x[op.axis] / g + x[op.axis] % g * h;
    std::memcpy(&dst[static_cast<size_t>(spi::OffsetOf(op.to, x) * bytes)],
                &src[static_cast<size_t>(spi::OffsetOf(op.from, y) * bytes)],
                static_cast<size_t>(bytes));
  });
}

}  // namespace

size_t SizeInBytes(const Layout& layout) {
  int64_t bytes = 0;
  spi::SizeInBytes(layout, &bytes);
  return static_cast<size_t>(bytes);
}

const Layout& SourceOf(const spi::AnyOperation& operation) {
  if (auto* reorder = std::get_if<spi::ReorderOperation>(&operation)) return reorder->src;
  return std::get<spi::ShuffleOperation>(operation).from;
}

const Layout& DestinationOf(const spi::AnyOperation& operation) {
  if (auto* reorder = std::get_if<spi::ReorderOperation>(&operation)) return reorder->dst;
  return std::get<spi::ShuffleOperation>(operation).to;
}

Bytes Reference(const spi::AnyOperation& operation, const Bytes& src, Bytes dst,
                const std::vector<float>& scales) {
  std::visit([&](const auto& op) { Run(op, src, dst, scales); }, operation);
  const Layout& layout = DestinationOf(operation);
  if (layout.block_count > 0 && !spi::IsEmpty(layout)) {
    Dims padded{};
    for (int j = 0; j < layout.rank; ++j) padded[j] = spi::PaddedDim(layout, j);
    ForEachCoordinate(padded, layout.rank, [&](const Dims& x) {
      for (int j = 0; j < layout.rank; ++j) {
        if (x[j] < layout.dims[j]) continue;
        StoreBits(layout.type, 0,
                  &dst[static_cast<size_t>(spi::OffsetOf(layout, x) * spi::SizeOf(layout.type))]);
        return;
      }
    });
  }
  return dst;
}

int64_t FirstDifference(const spi::AnyOperation& operation, const Bytes& a, const Bytes& b) {
  const auto mismatch = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  if (mismatch.first == a.end()) return -1;
  const auto* reorder = std::get_if<spi::ReorderOperation>(&operation);
  const Layout& layout = DestinationOf(operation);
  if (reorder == nullptr || (reorder->scales.empty() && !reorder->run_time_scales &&
                             !reorder->has_sum && !reorder->has_zero_points()))
    return mismatch.first - a.begin();
  Bytes patched = b;
  ForEachCoordinate(layout.dims, layout.rank, [&](const Dims& x) {
    const size_t at = static_cast<size_t>(spi::OffsetOf(layout, x) * spi::SizeOf(layout.type));
    const uint32_t bits = LoadBits(layout.type, &a[at]);
    if (IsNan(layout.type, bits) && IsNan(layout.type, LoadBits(layout.type, &b[at])))
      StoreBits(layout.type, bits, &patched[at]);
  });
  const auto second = std::mismatch(a.begin(), a.end(), patched.begin());
  return second.first == a.end() ? -1 : second.first - a.begin();
}

}  // namespace impl_cpu
