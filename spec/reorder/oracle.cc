#include "spec/reorder/oracle.h"

#include <cmath>

#include "spec/numeric/arithmetic.h"
#include "spec/numeric/compare.h"
#include "spec/numeric/rounding.h"
#include "spec/reorder/region.h"
#include "spec/reorder/zero_points.h"

namespace spec {
namespace {

constexpr Bits kSignBit = 0x80000000;
constexpr double kSmallestNormal = 0x1p-126;  // of f32
constexpr double kSafe = 0x1p127;             // products beyond it are judged by class only

Bits Magnitude(float value) { return BitsOf(value) & ~kSignBit; }
bool IsFinite(float value) { return Magnitude(value) < 0x7F800000; }
bool IsNanF32(float value) { return IsNan(Type::kF32, BitsOf(value)); }
bool IsZeroF32(float value) { return Magnitude(value) == 0; }
bool IsSubnormalF32(float value) { return IsSubnormal(Type::kF32, BitsOf(value)); }
// Of either sign; normal.
bool IsPowerOfTwo(float value) {
  return IsFinite(value) && Magnitude(value) >= 0x00800000 && (BitsOf(value) & 0x007FFFFF) == 0;
}

// One of the two products.
struct Product {
  float factor, value;
  bool finite;
  double exactly;  // 48 bits: without rounding; meaningless unless finite

  Product(float factor_, float value_)
      : factor(factor_),
        value(value_),
        finite(IsFinite(factor) && IsFinite(value)),
        exactly(finite ? Exact(factor) * Exact(value) : 0) {}

  float rounded() const { return Multiply(factor, value); }
  // Infinite, of an operand or of an overflow.
  bool overflows() const { return IsInfinite(Type::kF32, BitsOf(rounded())); }
  // An engine that flushes subnormals may take it for 0.
  bool may_be_flushed() const {
    return IsSubnormalF32(factor) || IsSubnormalF32(value) ||
           (exactly != 0 && std::fabs(exactly) < kSmallestNormal);
  }
  // 0, or a power of two times a number without over- or underflow: exact in f32.
  bool exact_in_f32() const {
    const double magnitude = std::fabs(exactly);
    return magnitude == 0 ||
           (IsPowerOfTwo(factor) && magnitude >= kSmallestNormal && magnitude < 0x1p128);
  }
};

// alpha * p, and beta * q unless beta is 0: then the old value is not read.
Product Scaled(const ReorderElement& e) {
  return {e.scaled ? e.alpha : 1.0f, Widen(e.from, e.source)};
}
bool ReadsOld(const ReorderElement& e) { return e.sum && !IsZeroF32(e.beta); }
Product Accumulated(const ReorderElement& e) { return {e.beta, Widen(e.old_type, e.old)}; }

// The f32 intermediate, unfused.
float Unfused(const ReorderElement& e) {
  const float scaled = Multiply(e.scaled ? e.alpha : 1.0f, Widen(e.from, e.source));
  return ReadsOld(e) ? Add(scaled, Multiply(e.beta, Widen(e.old_type, e.old))) : scaled;
}

// All f32 evaluations of x + y, for real numbers x and y that are single products: separate
// operations, either fused form, and the exactly rounded value. Each of at most three roundings is
// off by 2^-24 of its result, or by 2^-150 where that is subnormal; the factor pays for the
// roundings of this computation in double.
Region RegionOf(double x, double y) {
  const double sum = x + y;
  return RegionAround(sum,
                      1.0001 * 0x1p-24 * (std::fabs(x) + std::fabs(y) + std::fabs(sum)) + 0x1p-148);
}

// What the portable profile allows of an element with scales or sum.
struct Allowed {
  Region regions[4];
  int count = 0;
  bool nan = false;         // a NaN, too
  bool any_value = false;   // whatever an integer type can hold
  bool same_class = false;  // all that is finite, or infinite, as the unfused value is
  // What a fused form makes of infinities whose sum is NaN.
  Region fused[2];
  int fused_count = 0;

  void Add(Region region) { regions[count++] = region; }
  void AddFused(float infinity) { fused[fused_count++] = {infinity, infinity}; }
};

Allowed AllowedFor(const ReorderElement& e) {
  Allowed allowed;
  const float unfused = Unfused(e);
  const Product scaled = Scaled(e);
  const bool reads_old = ReadsOld(e);
  const Product old = reads_old ? Accumulated(e) : Product(0, 0);

  // reading the old value although beta is 0.
  const bool read_for_nothing = e.sum && !reads_old && !IsFinite(Widen(e.old_type, e.old));
  if (IsNanF32(unfused) || read_for_nothing) {
    allowed.nan = true;
    allowed.any_value = !IsFloat(e.to);
  }
  // The product that is rounded overflows, and the other one, which is not rounded, is finite.
  if (IsNanF32(unfused) && scaled.overflows() && old.finite) allowed.AddFused(scaled.rounded());
  if (IsNanF32(unfused) && old.overflows() && scaled.finite) allowed.AddFused(old.rounded());
  if (!scaled.finite || !old.finite) {
    if (!IsNanF32(unfused)) allowed.Add({unfused, unfused});
    return allowed;
  }

  const double x = scaled.exactly, y = old.exactly;
  allowed.same_class = reads_old && (std::fabs(x) >= kSafe || std::fabs(y) >= kSafe);
  const bool normal = IsZeroF32(unfused) || (IsFinite(unfused) && !IsSubnormalF32(unfused));
  if (scaled.exact_in_f32() && old.exact_in_f32() && normal) {
    allowed.Add({unfused, unfused});
  } else {
    allowed.Add(RegionOf(x, y));
  }
  const bool scaled_flushed = scaled.may_be_flushed(), old_flushed = old.may_be_flushed();
  if (scaled_flushed) allowed.Add(RegionOf(0, y));
  if (old_flushed) allowed.Add(RegionOf(x, 0));
  if (scaled_flushed && old_flushed) allowed.Add(RegionOf(0, 0));
  return allowed;
}

// A zero that comes of a product alone is not negative unless the product is. The sign of -0 may be
// lost: with a second term of 0, the guide's alpha * src + beta * dst makes +0 of it.
bool HasTheSignOfTheProduct(const ReorderElement& e, Bits got) {
  if (!IsFloat(e.to) || !IsZero(e.to, got) || got == 0) return true;
  const Product product = Scaled(e);
  return ((BitsOf(product.factor) ^ BitsOf(product.value)) & kSignBit) != 0;
}

bool HasZeroPoints(const ReorderElement& e) { return e.src_zero || e.dst_zero; }
bool IsComputed(const ReorderElement& e) { return e.scaled || e.sum || HasZeroPoints(e); }
// What is converted to the destination's type.
float Intermediate(const ReorderElement& e) {
  return HasZeroPoints(e) ? WithZeroPoints(e) : Unfused(e);
}
// Nothing but factors of 1 and 0.
bool IsNeutral(const ReorderElement& e) {
  return !ReadsOld(e) && (!e.scaled || BitsOf(e.alpha) == BitsOf(1.0f));
}

bool AcceptsPortable(const ReorderElement& e, Bits got) {
  // Who notices that there is nothing to compute may copy.
  if (IsNeutral(e) && AcceptsCopy(e.from, e.to, e.source, got, Strictness::kPortable)) return true;
  const Allowed allowed = AllowedFor(e);
  if (allowed.any_value || (allowed.nan && IsNan(e.to, got))) return true;
  if (allowed.same_class) {
    const Bits expected = Expected(e);
    if (!IsFloat(e.to)) {
      if (AcceptableConversions(e.to, Unfused(e), Strictness::kPortable).Holds(e.to, got)) {
        return true;
      }
    } else if (IsInfinite(e.to, expected)) {
      if (got == expected) return true;
    } else if (!IsNan(e.to, expected) && !IsNan(e.to, got) && !IsInfinite(e.to, got)) {
      return true;
    }
  }
  if (!e.sum && !HasTheSignOfTheProduct(e, got)) return false;
  for (int i = 0; i < allowed.count; ++i) {
    if (Holds(allowed.regions[i], e.to, got)) return true;
  }
  for (int i = 0; i < allowed.fused_count; ++i) {
    if (Holds(allowed.fused[i], e.to, got)) return true;
  }
  return false;
}

}  // namespace

int64_t ScaleCount(int mask, const Dims& dims) {
  int64_t count = 1;
  for (size_t j = 0; j < dims.size(); ++j) {
    if ((mask >> j & 1) != 0) count *= dims[j];
  }
  return count;
}

int64_t ScaleIndex(int mask, const Dims& dims, const Dims& x) {
  int64_t index = 0;
  for (size_t j = 0; j < dims.size(); ++j) {
    if ((mask >> j & 1) != 0) index = index * dims[j] + x[j];
  }
  return index;
}

Bits Expected(const ReorderElement& element) {
  if (!IsComputed(element)) return Copy(element.from, element.to, element.source);
  return Convert(element.to, Intermediate(element));
}

bool Accepts(const ReorderElement& element, Bits got, Strictness strictness) {
  const ReorderElement& e = element;
  if (!IsComputed(e)) return AcceptsCopy(e.from, e.to, e.source, got, strictness);
  const Bits expected = Expected(e);
  if (SameValue(e.to, expected, got)) return true;
  // A zero of the other sign.
  if ((e.sum || HasZeroPoints(e)) && Between(e.to, expected, got, expected)) return true;
  if (strictness == Strictness::kProject) return false;
  return HasZeroPoints(e) ? AcceptsWithZeroPoints(e, got) : AcceptsPortable(e, got);
}

std::string ExpectedText(const ReorderElement& element, Strictness strictness) {
  const ReorderElement& e = element;
  if (!IsComputed(e)) return ToString(e.to, AcceptableCopies(e.from, e.to, e.source, strictness));
  if (strictness == Strictness::kProject) {
    return ToString(e.to, AcceptableConversions(e.to, Intermediate(e), strictness));
  }
  if (HasZeroPoints(e)) return TextWithZeroPoints(e);
  const Allowed allowed = AllowedFor(e);
  if (allowed.any_value) return "any value";
  std::string text;
  if (allowed.count > 0) {
    const Region& region = allowed.regions[0];
    const Bits low = Convert(e.to, region.low), high = Convert(e.to, region.high);
    text = low == high ? ToString(e.to, AcceptableConversions(e.to, region.low, strictness))
                       : ToString(e.to, low) + " to " + ToString(e.to, high);
  }
  if (allowed.nan) text += std::string(text.empty() ? "" : " or ") + "any nan";
  for (int i = 0; i < allowed.fused_count; ++i) {
    text += " or " + ToString(e.to, Convert(e.to, allowed.fused[i].low));
  }
  if (allowed.count > 1) text += ", or with subnormals taken for 0";
  if (allowed.same_class) text += ", or what else is in its class";
  return text;
}

}  // namespace spec
