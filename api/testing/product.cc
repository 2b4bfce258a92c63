#include "api/testing/product.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "api/spi/attributes.h"
#include "api/spi/operation.h"
#include "api/spi/types.h"
#include "api/testing/functions.h"
#include "spec/numeric/arithmetic.h"
#include "spec/numeric/compare.h"
#include "spec/numeric/convert.h"

namespace spi {
namespace {

using spec::Bits;
using spec::Type;

struct RightSum final : public Right {
  RightSum(Type of, Bits is, std::optional<spec::Approx> within)
      : type(of), bits(is), bound(std::move(within)) {}

  Bits value() const override { return bits; }
  bool Allows(Bits got) const override {
    if (spec::SameValue(type, bits, got)) return true;
    if (any_zero && spec::IsZero(type, bits) && spec::IsZero(type, got)) return true;
    return bound && bound->error != 0 &&
           spec::Accepts(type, *bound, got, spec::Strictness::kProject);
  }
  std::string Text() const override {
    return bound ? spec::ToString(type, *bound, spec::Strictness::kProject)
                 : spec::ToString(type, bits);
  }

  Type type;
  Bits bits;
  std::optional<spec::Approx> bound;  // none: only `bits`
  bool any_zero = false;              // of either sign
};

// What follows a sum of products and its bias.
class Chain {
 public:
  // Nothing.
  Chain() = default;
  explicit Chain(const Tensors& tensors) {
    if (tensors.operation.attributes == nullptr) return;
    const Attributes& attributes = *tensors.operation.attributes;
    post_ops_.assign(attributes.post_ops.begin(), attributes.post_ops.end());
    for (const Scales& scales : attributes.scales) {
      scales_.assign(scales.values.begin(), scales.values.end());
      by_channel_ = scales.mask != 0;
      if (!scales.run_time) continue;
      const std::vector<double> given = tensors.Numbers(kArgOutputScales);
      scales_.assign(given.begin(), given.end());
    }
  }

  bool empty() const { return scales_.empty() && post_ops_.empty(); }

  // `old`: the element of the destination, of `type`.
  RightSum Of(spec::Approx sum, int64_t channel, Type type, Bits old) const {
    RightSum right(type, 0, sum);
    float value = spec::Nearest(sum.value);
    if (!scales_.empty())
      Scale(scales_[by_channel_ ? static_cast<size_t>(channel) : 0], &value, &right);
    for (const PostOp& op : post_ops_) {
      if (const auto* const of_sum = std::get_if<SumOp>(&op)) {
        const Type old_type = of_sum->type == DataType::kUndef ? type : TypeOf(of_sum->type);
        if (of_sum->scale != 0) Add(of_sum->scale, spec::Widen(old_type, old), &value, &right);
      } else {
        Apply(std::get<EltwiseOp>(op), &value, &right);
      }
    }
    right.bits = spec::Convert(type, value);
    return right;
  }

 private:
  static void Scale(float factor, float* value, RightSum* right) {
    *value = spec::Multiply(*value, factor);
    if (right->bound) right->bound = *right->bound * spec::Exactly(factor);
  }

  static void Add(float factor, float old, float* value, RightSum* right) {
    *value = spec::Add(*value, spec::Multiply(factor, old));
    if (right->bound) right->bound = *right->bound + spec::Exactly(factor) * spec::Exactly(old);
  }

  static void Apply(const EltwiseOp& op, float* value, RightSum* right) {
    const FunctionResult result = ForwardAt(op.algorithm, op.alpha, op.beta, *value);
    // Of a number that is not exact, or a function with a budget, no bound is known.
    const bool exact = result.only && right->bound && right->bound->error == 0;
    *value = result.nearest;
    right->bound = exact ? std::optional(spec::Exactly(*value)) : std::nullopt;
    right->any_zero = true;
    if (op.scale != 1) Scale(op.scale, value, right);
  }

  std::vector<float> scales_;
  bool by_channel_ = false;
  std::vector<PostOp> post_ops_;
};

// A sum of nothing but integers, as an s32: without a detour through f32.
RightSum IntegerOf(double sum) {
  const double clamped = std::clamp<double>(sum, INT32_MIN, INT32_MAX);
  return {Type::kS32, static_cast<Bits>(static_cast<int64_t>(clamped)), std::nullopt};
}

}  // namespace

void InterpretSums(int argument, const Tensors& tensors, Sum sum, Use use) {
  Tensor to = tensors[argument];
  const Chain none;
  for (int64_t k = 0; k < to.size(); ++k) use(argument, to, k, none.Of(sum(k), 0, to.type, 0));
  to.ClearPadding();
}

void InterpretForward(int64_t channels, int64_t places, const Tensors& tensors, Sum sum, Use use) {
  Tensor dst = tensors[kArgDst];
  const Chain chain(tensors);
  const bool integral = dst.type == Type::kS32 && chain.empty() && !tensors.Has(kArgBias) &&
                        !spec::IsFloat(tensors[kArgSrc].type);
  for (int64_t k = 0; k < dst.size(); ++k) {
    const spec::Approx total = sum(k);
    use(kArgDst, dst, k,
        integral ? IntegerOf(total.value)
                 : chain.Of(total, k / places % channels, dst.type, dst[k]));
  }
  dst.ClearPadding();
}

}  // namespace spi
