// The loops over rows, per target: one instantiation for each source type and mode.

#include <cmath>
#include <cstring>
#include <type_traits>

#include "hwy/cache_control.h"
#include "impl_cpu/convert/kernel.h"
#include "impl_cpu/numeric/lanes-inl.h"

#if defined(DNNSPEC_IMPL_CPU_CONVERT_ROWS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef DNNSPEC_IMPL_CPU_CONVERT_ROWS_INL_H_
#undef DNNSPEC_IMPL_CPU_CONVERT_ROWS_INL_H_
#else
#define DNNSPEC_IMPL_CPU_CONVERT_ROWS_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace impl_cpu {
namespace HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR

template <typename To>
ConvertKernel KernelTo(spi::DataType, ConvertMode, bool) {
  return nullptr;
}

#else

constexpr size_t kMaxF32Lanes = hn::MaxLanes(DF());

// Pairs of integers never pass through f32 when nothing is computed.
template <typename From, typename To, ConvertMode kMode>
constexpr bool kIntegers =
    kMode == ConvertMode::kCopy&& std::is_integral_v<From>&& std::is_integral_v<To>;

constexpr bool Sums(ConvertMode mode) {
  return mode == ConvertMode::kScaleSum || mode == ConvertMode::kShiftSum;
}
constexpr bool Shifts(ConvertMode mode) {
  return mode == ConvertMode::kShift || mode == ConvertMode::kShiftSum;
}

// Which zero points change anything.
enum class ZeroPoints { kBoth, kSource, kDestination };

// Quantization has one for the destination, its inverse one for the source.
template <typename From, typename To>
constexpr bool kQuantizes = std::is_same_v<From, float> && sizeof(To) == 1;
template <typename From, typename To>
constexpr bool kDequantizes = sizeof(From) == 1 && std::is_same_v<To, float>;

// `old` is how the sum reads what `dst` holds.
template <typename FromType, typename ToType, typename Old, ConvertMode kMode, ZeroPoints kZeros>
struct Step {
  using From = FromType;
  using To = ToType;
  static constexpr ConvertMode mode = kMode;

  VF beta, src_zero, dst_zero;

  explicit HWY_INLINE Step(const ConvertShape& shape)
      : beta(hn::Set(DF(), shape.beta)),
        src_zero(hn::Set(DF(), shape.src_zero)),
        dst_zero(hn::Set(DF(), shape.dst_zero)) {}

  HWY_INLINE auto Value(const From* src, const To* dst, const float* scale) const {
    if constexpr (kIntegers<From, To, kMode>) {
      return LoadI32(src);
    } else if constexpr (kMode == ConvertMode::kCopy) {
      if constexpr (sizeof(From) == 1 && std::is_same_v<To, BF16>) {
        return SmallIntegers{LoadF32(src)};
      } else {
        return LoadF32(src);
      }
    } else if constexpr (Shifts(kMode)) {
      VF value = LoadF32(src);
      if constexpr (kZeros != ZeroPoints::kDestination) value = hn::Sub(value, src_zero);
      value = hn::Mul(value, hn::LoadU(DF(), scale));
      if constexpr (Sums(kMode))
        value = hn::Add(value, hn::Mul(beta, LoadF32(reinterpret_cast<const Old*>(dst))));
      if constexpr (kZeros != ZeroPoints::kSource) value = hn::Add(value, dst_zero);
      return value;
    } else {
      const VF scaled = hn::Mul(LoadF32(src), hn::LoadU(DF(), scale));
      if constexpr (kMode == ConvertMode::kScale) return scaled;
      return hn::Add(scaled, hn::Mul(beta, LoadF32(reinterpret_cast<const Old*>(dst))));
    }
  }

  HWY_INLINE void One(const From* src, To* dst, const float* scale) const {
    Store1(Value(src, dst, scale), dst);
  }

  // `step` is Lanes, or 0 if all lanes have one scale.
  HWY_INLINE void Four(const From* src, To* dst, const float* scale, size_t step) const {
    const size_t lanes = hn::Lanes(DF());
    const auto v0 = Value(src, dst, scale);
    const auto v1 = Value(src + lanes, dst + lanes, scale + step);
    const auto v2 = Value(src + 2 * lanes, dst + 2 * lanes, scale + 2 * step);
    const auto v3 = Value(src + 3 * lanes, dst + 3 * lanes, scale + 3 * step);
    Store4(v0, v1, v2, v3, dst);
  }

  // Fewer elements than there are lanes, through whole vectors on the stack.
  HWY_NOINLINE void Partial(const From* src, To* dst, const float* scale, size_t step,
                            size_t count) const {
    From from[kMaxF32Lanes] = {};
    To to[kMaxF32Lanes] = {};
    float scales[kMaxF32Lanes] = {};
    std::memcpy(from, src, count * sizeof(From));
    if (Sums(kMode)) std::memcpy(to, dst, count * sizeof(To));
    if (kMode != ConvertMode::kCopy && step != 0) {
      std::memcpy(scales, scale, count * sizeof(float));
      scale = scales;
    }
    One(from, to, scale);
    std::memcpy(dst, to, count * sizeof(To));
  }
};

template <class S>
void RowsBy(const ConvertShape& shape, const std::byte* src, std::byte* dst, const float* scales) {
  using From = typename S::From;
  using To = typename S::To;
  constexpr ConvertMode kMode = S::mode;
  const size_t lanes = hn::Lanes(DF());
  const S step(shape);
  const size_t cols = static_cast<size_t>(shape.cols);
  // The last vectors of a row may overlap those before, unless an element would be seen when it is
  // converted already: by a sum, and in place.
  const bool overlap = !Sums(kMode) && static_cast<const std::byte*>(dst) != src;
  const size_t prefetched = shape.traversal.prefetch == 0 ? 0 : cols * sizeof(From);
  HWY_ALIGN float broadcast[kMaxF32Lanes];
  const size_t scale_step = shape.scale_col == 0 ? 0 : lanes;
  for (int64_t row = 0; row < shape.rows; ++row) {
    const From* const from = reinterpret_cast<const From*>(src + row * shape.src_row);
    To* const to = reinterpret_cast<To*>(dst + row * shape.dst_row);
    const float* scale = broadcast;
    if (kMode != ConvertMode::kCopy) {
      scale = scales + row * shape.scale_row;
      if (scale_step == 0) {
        hn::Store(hn::Set(DF(), *scale), DF(), broadcast);
        scale = broadcast;
      }
    }
    for (size_t k = 0; k < prefetched; k += 64)
      hwy::Prefetch(reinterpret_cast<const std::byte*>(from) + shape.traversal.prefetch + k);
    const auto scale_at = [&](size_t i) { return scale_step == 0 ? scale : scale + i; };
    size_t i = 0;
    for (; i + 4 * lanes <= cols; i += 4 * lanes)
      step.Four(from + i, to + i, scale_at(i), scale_step);
    if (i == cols) continue;
    if (overlap && i > 0) {
      i = cols - 4 * lanes;
      step.Four(from + i, to + i, scale_at(i), scale_step);
      continue;
    }
    for (; i + lanes <= cols; i += lanes) step.One(from + i, to + i, scale_at(i));
    if (i == cols) continue;
    if (overlap && i > 0) {
      i = cols - lanes;
      step.One(from + i, to + i, scale_at(i));
    } else {
      step.Partial(from + i, to + i, scale_at(i), scale_step, cols - i);
    }
  }
}

template <typename From, typename To, typename Old, ConvertMode kMode>
void ConvertRows(const ConvertShape& shape, const std::byte* src, std::byte* dst,
                 const float* scales) {
  if constexpr (kMode == ConvertMode::kShift && kQuantizes<From, To>) {
    if (shape.src_zero == 0)
      return RowsBy<Step<From, To, Old, kMode, ZeroPoints::kDestination>>(shape, src, dst, scales);
  }
  if constexpr (kMode == ConvertMode::kShift && kDequantizes<From, To>) {
    if (shape.dst_zero == 0 && std::signbit(shape.dst_zero))  // 0 would make 0 of -0
      return RowsBy<Step<From, To, Old, kMode, ZeroPoints::kSource>>(shape, src, dst, scales);
  }
  RowsBy<Step<From, To, Old, kMode, ZeroPoints::kBoth>>(shape, src, dst, scales);
}

// Between the types of one byte, saturation is one instruction on bytes.
template <typename From, typename To>
void SaturateRows(const ConvertShape& shape, const std::byte* src, std::byte* dst, const float*) {
  const hn::ScalableTag<From> d;
  const size_t lanes = hn::Lanes(d), cols = static_cast<size_t>(shape.cols);
  const auto saturate = [&d](hn::Vec<decltype(d)> v) {
    if constexpr (std::is_signed_v<From>) return hn::Max(v, hn::Zero(d));
    return hn::Min(v, hn::Set(d, 127));
  };
  for (int64_t row = 0; row < shape.rows; ++row) {
    const From* const from = reinterpret_cast<const From*>(src + row * shape.src_row);
    From* const to = reinterpret_cast<From*>(dst + row * shape.dst_row);
    size_t i = 0;
    for (; i + 2 * lanes <= cols; i += 2 * lanes) {
      const auto v0 = saturate(hn::LoadU(d, from + i));
      const auto v1 = saturate(hn::LoadU(d, from + i + lanes));
      hn::StoreU(v0, d, to + i);
      hn::StoreU(v1, d, to + i + lanes);
    }
    for (; i + lanes <= cols; i += lanes) hn::StoreU(saturate(hn::LoadU(d, from + i)), d, to + i);
    if (i > 0 && i < cols) {
      i = cols - lanes;
      hn::StoreU(saturate(hn::LoadU(d, from + i)), d, to + i);
    } else if (i < cols) {
      From part[hn::MaxLanes(d)] = {};
      std::memcpy(part, from, cols);
      hn::StoreU(saturate(hn::LoadU(d, part)), d, part);
      std::memcpy(to, part, cols);
    }
  }
}

template <typename From, typename To, typename Other>
ConvertKernel KernelOf(ConvertMode mode, bool other_old) {
  switch (mode) {
    case ConvertMode::kCopy:
      if constexpr (std::is_same_v<From, To>) return nullptr;
      if constexpr (sizeof(From) == 1 && sizeof(To) == 1) return SaturateRows<From, To>;
      return ConvertRows<From, To, To, ConvertMode::kCopy>;
    case ConvertMode::kScale:
      return ConvertRows<From, To, To, ConvertMode::kScale>;
    case ConvertMode::kScaleSum:
      if constexpr (std::is_same_v<From, float>) {
        if (other_old) return ConvertRows<From, To, Other, ConvertMode::kScaleSum>;
      }
      return other_old ? nullptr : ConvertRows<From, To, To, ConvertMode::kScaleSum>;
    case ConvertMode::kShift:
      return ConvertRows<From, To, To, ConvertMode::kShift>;
    case ConvertMode::kShiftSum:
      if constexpr (std::is_same_v<From, float>) {
        return other_old ? ConvertRows<From, To, Other, ConvertMode::kShiftSum>
                         : ConvertRows<From, To, To, ConvertMode::kShiftSum>;
      }
      return nullptr;
  }
  return nullptr;
}

// The other type of the same size.
template <typename T>
struct OtherOf;
template <>
struct OtherOf<float> {
  using Type = int32_t;
};
template <>
struct OtherOf<int32_t> {
  using Type = float;
};
template <>
struct OtherOf<F16> {
  using Type = BF16;
};
template <>
struct OtherOf<BF16> {
  using Type = F16;
};
template <>
struct OtherOf<int8_t> {
  using Type = uint8_t;
};
template <>
struct OtherOf<uint8_t> {
  using Type = int8_t;
};

template <typename To>
ConvertKernel KernelTo(spi::DataType src, ConvertMode mode, bool other_old) {
  using Other = typename OtherOf<To>::Type;
  switch (src) {
    case spi::DataType::kF32:
      return KernelOf<float, To, Other>(mode, other_old);
    case spi::DataType::kS32:
      return KernelOf<int32_t, To, Other>(mode, other_old);
    case spi::DataType::kS8:
      return KernelOf<int8_t, To, Other>(mode, other_old);
    case spi::DataType::kU8:
      return KernelOf<uint8_t, To, Other>(mode, other_old);
    case spi::DataType::kBF16:
      return KernelOf<BF16, To, Other>(mode, other_old);
    case spi::DataType::kF16:
      return KernelOf<F16, To, Other>(mode, other_old);
    case spi::DataType::kUndef:
      break;
  }
  return nullptr;
}

#endif  // HWY_TARGET == HWY_SCALAR

}  // namespace HWY_NAMESPACE
}  // namespace impl_cpu
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
