#include "api/testing/interpreter.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <optional>
#include <utility>
#include <variant>

#include "absl/strings/str_cat.h"
#include "api/convolution/operation.h"
#include "api/eltwise/operation.h"
#include "api/inner_product/operation.h"
#include "api/reorder/operation.h"
#include "api/shuffle/operation.h"
#include "api/spi/attributes.h"
#include "api/spi/layout.h"
#include "api/spi/types.h"
#include "api/testing/functions.h"
#include "api/testing/tensors.h"
#include "spec/convolution/oracle.h"
#include "spec/eltwise/oracle.h"
#include "spec/inner_product/oracle.h"
#include "spec/memory/oracle.h"
#include "spec/numeric/approx.h"
#include "spec/numeric/arithmetic.h"
#include "spec/numeric/compare.h"
#include "spec/numeric/convert.h"
#include "spec/reorder/oracle.h"
#include "spec/shuffle/oracle.h"

namespace spi {
namespace {

using spec::Bits;
using spec::Type;

constexpr spec::EltwiseLimits kLimits = {spec::Strictness::kProject, /*tight=*/true};
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

// What an element may be, by kinds: value() is Interpret's, Allows() everything.

struct RightCopy {
  Bits bits;

  Bits value() const { return bits; }
  bool Allows(Bits got) const { return got == bits; }
  std::string Text(Type type) const { return spec::ToString(type, bits); }
};

struct RightReorder {
  const spec::ReorderElement& element;

  Bits value() const { return spec::Expected(element); }
  bool Allows(Bits got) const {
    const spec::ReorderElement& e = element;
    if (e.scaled || e.sum || e.src_zero || e.dst_zero) return spec::SameValue(e.to, value(), got);
    return spec::AcceptsCopy(e.from, e.to, e.source, got, spec::Strictness::kProject);
  }
  std::string Text(Type) const { return spec::ExpectedText(element, spec::Strictness::kProject); }
};

struct RightEltwise {
  Type type;
  float nearest;
  std::optional<spec::EltwiseResult> result;  // none: only the nearest

  Bits value() const { return spec::Convert(type, nearest); }
  bool Allows(Bits got) const {
    return spec::SameValue(type, value(), got) || (result && spec::Accepts(type, *result, got));
  }
  std::string Text(Type) const {
    return result ? spec::ToString(type, *result) : spec::ToString(type, value());
  }
};

struct RightSum {
  Type type;
  Bits bits;
  std::optional<spec::Approx> bound;  // none: only `bits`
  bool any_zero = false;              // of either sign

  Bits value() const { return bits; }
  bool Allows(Bits got) const {
    if (spec::SameValue(type, bits, got)) return true;
    if (any_zero && spec::IsZero(type, bits) && spec::IsZero(type, got)) return true;
    return bound && bound->error != 0 &&
           spec::Accepts(type, *bound, got, spec::Strictness::kProject);
  }
  std::string Text(Type) const {
    return bound ? spec::ToString(type, *bound, spec::Strictness::kProject)
                 : spec::ToString(type, bits);
  }
};

// Functions below call use(argument, tensor, number, right) for each element that is to be written,
// which may set it; then they clear the padding.

template <typename Use>
void ForReorder(const ReorderView& view, const Tensors& tensors, const Use& use) {
  const Tensor src = tensors[kArgSrc];
  Tensor dst = tensors[kArgDst];
  std::vector<float> scales(view.scales.begin(), view.scales.end());
  if (view.run_time_scales) {
    const std::vector<double> given = tensors.Numbers(kArgOutputScales);
    scales.assign(given.begin(), given.end());
  }
  const auto zero = [&](const ZeroPoint& point, int argument) -> std::optional<int32_t> {
    if (!point.present()) return std::nullopt;
    return point.run_time ? static_cast<int32_t>(tensors[argument][0]) : point.value;
  };
  spec::ReorderElement element = {};
  element.from = src.type;
  element.to = dst.type;
  element.scaled =
      view.run_time_scales || (!scales.empty() && !(view.scale_mask == 0 && scales[0] == 1));
  element.sum = view.has_sum;
  element.beta = view.beta;
  element.old_type = view.sum_type == DataType::kUndef ? dst.type : TypeOf(view.sum_type);
  element.src_zero = zero(view.src_zero_point, kArgSrcZeroPoint);
  element.dst_zero = zero(view.dst_zero_point, kArgDstZeroPoint);
  const spec::Dims dims(view.dst.dims.begin(), view.dst.dims.begin() + view.dst.rank);
  spec::Dims x(dims.size());
  for (int64_t k = 0; k < dst.size(); ++k, spec::Next(dims, &x)) {
    element.source = src[k];
    element.old = dst[k];
    if (element.scaled)
      element.alpha = scales[static_cast<size_t>(spec::ScaleIndex(view.scale_mask, dims, x))];
    use(kArgDst, dst, k, RightReorder{element});
  }
  dst.ClearPadding();
}

template <typename Use>
void ForShuffle(const ShuffleView& view, const Tensors& tensors, const Use& use) {
  const Tensor from = tensors[view.forward ? kArgSrc : kArgDiffDst];
  const int argument = view.forward ? kArgDst : kArgDiffSrc;
  Tensor to = tensors[argument];
  const int64_t size = view.to.dims[view.axis];
  int64_t inner = 1;
  for (int j = view.axis + 1; j < view.to.rank; ++j) inner *= view.to.dims[j];
  std::vector<int64_t> sources;
  for (int64_t c = 0; c < size; ++c)
    sources.push_back(view.forward ? spec::ShuffleSource(c, size, view.group_size)
                                   : spec::ShuffleBackwardSource(c, size, view.group_size));
  for (int64_t k = 0; k < to.size(); ++k) {
    const int64_t outer = k / inner / size, c = k / inner % size;
    const int64_t source = (outer * size + sources[static_cast<size_t>(c)]) * inner + k % inner;
    use(argument, to, k, RightCopy{from[source]});
  }
  to.ClearPadding();
}

// The one number that the oracle allows first; else nothing.
std::optional<float> OnlyOf(const std::optional<spec::EltwiseResult>& result) {
  if (!result || (result->count == 0 && !result->nan)) return std::nullopt;
  if (result->count == 0) return kNan;
  const auto [low, high] = result->ranges[0];
  return low == high ? std::optional(low) : std::nullopt;
}

std::optional<spec::EltwiseResult> ForwardResult(Algorithm algorithm, float alpha, float beta,
                                                 float s) {
  const auto specified = SpecifiedForward(algorithm, alpha, beta);
  if (!specified) return std::nullopt;
  return spec::EltwiseForward(*specified, s, kLimits);
}

float Nearest(long double value) { return spec::Nearest(static_cast<double>(value)); }

RightEltwise EltwiseOf(const EltwiseView& view, Type type, float data, float diff_dst) {
  RightEltwise right{type, kNan, std::nullopt};
  const Algorithm algorithm = view.algorithm;
  const float alpha = view.alpha, beta = view.beta;
  if (view.forward) {
    right.result = ForwardResult(algorithm, alpha, beta, data);
    const auto only = OnlyOf(right.result);
    right.nearest = only ? *only : Nearest(FunctionAt(algorithm, alpha, beta, data));
    return right;
  }
  const bool by_result = UsesDst(algorithm);
  if (const auto specified = SpecifiedBackward(algorithm, alpha, beta))
    right.result = by_result ? spec::EltwiseBackwardByResult(*specified, data, diff_dst, kLimits)
                             : spec::EltwiseBackward(*specified, data, diff_dst, kLimits);
  const auto only = OnlyOf(right.result);
  const auto derivative = by_result ? DerivativeByResultAt : DerivativeAt;
  right.nearest = only ? *only : Nearest(derivative(algorithm, alpha, beta, data) * diff_dst);
  return right;
}

template <typename Use>
void ForEltwise(const EltwiseView& view, const Tensors& tensors, const Use& use) {
  const bool of_dst = !view.forward && UsesDst(view.algorithm);
  const Tensor data = tensors[of_dst ? kArgDst : kArgSrc];
  const std::optional<Tensor> diff_dst =
      view.forward ? std::nullopt : std::optional<Tensor>(tensors[kArgDiffDst]);
  const int argument = view.forward ? kArgDst : kArgDiffSrc;
  Tensor to = tensors[argument];
  for (int64_t k = 0; k < to.size(); ++k)
    use(argument, to, k,
        EltwiseOf(view, to.type, data.Float(k), diff_dst ? diff_dst->Float(k) : 0));
  to.ClearPadding();
}

// What follows a sum of products and its bias.
class Chain {
 public:
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
    RightSum right{type, 0, sum};
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
    const auto result = ForwardResult(op.algorithm, op.alpha, op.beta, *value);
    const auto only = OnlyOf(result);
    // Of a number that is not exact, or a function with a budget, no bound is known.
    const bool exact = only && right->bound && right->bound->error == 0;
    *value = only ? *only : Nearest(FunctionAt(op.algorithm, op.alpha, op.beta, *value));
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

// The elements of one result of an inner product or a convolution, `sum(k)` each.
template <typename Sum, typename Use>
void ForSums(int argument, const Tensors& tensors, const Sum& sum, const Use& use) {
  Tensor to = tensors[argument];
  const Chain none(Tensors(Operation(), {}));
  for (int64_t k = 0; k < to.size(); ++k) use(argument, to, k, none.Of(sum(k), 0, to.type, 0));
  to.ClearPadding();
}

// Forward: `places` elements of the destination belong to one channel, one after another.
template <typename Sum, typename Use>
void ForForward(int64_t channels, int64_t places, const Tensors& tensors, const Sum& sum,
                const Use& use) {
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

template <typename Use>
void ForInnerProduct(const InnerProductView& view, const Tensors& tensors, const Use& use) {
  spec::InnerProduct p = {view.src.dims[0], view.weights.dims[0], 1};
  for (int j = 1; j < view.weights.rank; ++j) p.inputs *= view.weights.dims[j];
  if (IsForward(view.prop)) {
    const auto src = tensors.Numbers(kArgSrc), weights = tensors.Numbers(kArgWeights),
               bias = tensors.Numbers(kArgBias);
    const auto sum = [&](int64_t k) {
      return spec::InnerProductForward(p, src, weights, bias, k / p.oc, k % p.oc);
    };
    return ForForward(p.oc, 1, tensors, sum, use);
  }
  const auto diff_dst = tensors.Numbers(kArgDiffDst);
  if (view.prop == PropKind::kBackwardData) {
    const auto weights = tensors.Numbers(kArgWeights);
    const auto sum = [&](int64_t k) {
      return spec::InnerProductBackwardData(p, diff_dst, weights, k / p.inputs, k % p.inputs);
    };
    return ForSums(kArgDiffSrc, tensors, sum, use);
  }
  const auto src = tensors.Numbers(kArgSrc);
  const auto sum = [&](int64_t k) {
    return spec::InnerProductBackwardWeights(p, src, diff_dst, k / p.inputs, k % p.inputs);
  };
  ForSums(kArgDiffWeights, tensors, sum, use);
  if (view.bias == nullptr) return;
  const auto of_bias = [&](int64_t k) { return spec::InnerProductBackwardBias(p, diff_dst, k); };
  ForSums(kArgDiffBias, tensors, of_bias, use);
}

spec::Convolution ProblemOf(const ConvolutionView& view) {
  spec::Convolution p = {view.batch, view.groups, view.ic, view.oc, {}};
  for (size_t j = 0; j < 3; ++j) {
    const ConvolutionAxis& of = view.axes[j];
    p.axes[j] = {of.input, of.output, of.kernel, of.stride, of.step - 1, of.padding, 0};
  }
  return p;
}

template <typename Use>
void ForConvolution(const ConvolutionView& view, const Tensors& tensors, const Use& use) {
  const spec::Convolution p = ProblemOf(view);
  const int64_t ics = p.groups * p.ic, ocs = p.groups * p.oc;
  if (IsForward(view.prop)) {
    const auto src = tensors.Numbers(kArgSrc), weights = tensors.Numbers(kArgWeights),
               bias = tensors.Numbers(kArgBias);
    const int64_t places = p.outputs();
    const auto sum = [&](int64_t k) {
      return spec::ConvolutionForward(p, src, weights, bias, k / places / ocs, k / places % ocs,
                                      k % places);
    };
    return ForForward(ocs, places, tensors, sum, use);
  }
  const auto diff_dst = tensors.Numbers(kArgDiffDst);
  if (view.prop == PropKind::kBackwardData) {
    const auto weights = tensors.Numbers(kArgWeights);
    const int64_t places = p.inputs();
    const auto sum = [&](int64_t k) {
      return spec::ConvolutionBackwardData(p, diff_dst, weights, k / places / ics, k / places % ics,
                                           k % places);
    };
    return ForSums(kArgDiffSrc, tensors, sum, use);
  }
  const auto src = tensors.Numbers(kArgSrc);
  const int64_t taps = p.taps();
  const auto sum = [&](int64_t k) {
    return spec::ConvolutionBackwardWeights(p, src, diff_dst, k / taps / p.ic, k / taps % p.ic,
                                            k % taps);
  };
  ForSums(kArgDiffWeights, tensors, sum, use);
  if (view.bias == nullptr) return;
  const auto of_bias = [&](int64_t k) { return spec::ConvolutionBackwardBias(p, diff_dst, k); };
  ForSums(kArgDiffBias, tensors, of_bias, use);
}

template <typename Use>
void ForEachResult(const Operation& operation, absl::Span<void* const> buffers, const Use& use) {
  const Tensors tensors(operation, buffers);
  switch (operation.kind) {
    case PrimitiveKind::kReorder:
      return ForReorder(ReorderView(operation), tensors, use);
    case PrimitiveKind::kShuffle:
      return ForShuffle(ShuffleView(operation), tensors, use);
    case PrimitiveKind::kEltwise:
      return ForEltwise(EltwiseView(operation), tensors, use);
    case PrimitiveKind::kInnerProduct:
      return ForInnerProduct(InnerProductView(operation), tensors, use);
    case PrimitiveKind::kConvolution:
      return ForConvolution(ConvolutionView(operation), tensors, use);
    default:
      std::abort();
  }
}

std::vector<void*> AddressesOf(std::vector<Bytes>* buffers) {
  std::vector<void*> addresses;
  for (Bytes& buffer : *buffers) addresses.push_back(buffer.data());
  return addresses;
}

}  // namespace

size_t BytesOf(const Layout& layout) {
  int64_t bytes = 0;
  if (!SizeInBytes(layout, &bytes)) std::abort();
  return static_cast<size_t>(bytes);
}

uint32_t Convert(DataType from, DataType to, uint32_t bits) {
  return spec::Copy(TypeOf(from), TypeOf(to), bits);
}

void Interpret(const Operation& operation, absl::Span<void* const> buffers) {
  ForEachResult(operation, buffers,
                [](int, Tensor& to, int64_t k, const auto& right) { to.Set(k, right.value()); });
}

Interpretation::Interpretation(Operation operation, std::vector<Bytes> before)
    : operation_(std::move(operation)), before_(std::move(before)), after_(before_) {
  Interpret(operation_, AddressesOf(&after_));
}

std::string Interpretation::Mismatch(const std::vector<Bytes>& got) const {
  if (got == after_) return "";
  if (got.size() != before_.size()) return "not as many buffers";
  std::vector<Bytes> allowed = before_;
  std::string mismatch;
  const auto use = [&](int argument, Tensor& to, int64_t k, const auto& right) {
    const auto position = static_cast<size_t>(Find(operation_, argument));
    const Bits is = to.In(got[position].data(), k);
    if (is != to.In(after_[position].data(), k) && mismatch.empty() && !right.Allows(is))
      mismatch = absl::StrCat("argument ", argument, ": element ", k, " of ",
                              ToString(LayoutOf(operation_, argument)), " is ",
                              spec::ToString(to.type, is), ", not ", right.Text(to.type));
    to.Set(k, is);
  };
  ForEachResult(operation_, AddressesOf(&allowed), use);
  for (size_t i = 0; i < got.size() && mismatch.empty(); ++i) {
    const auto [at, want] =
        std::mismatch(got[i].begin(), got[i].end(), allowed[i].begin(), allowed[i].end());
    if (at == got[i].end() && want == allowed[i].end()) continue;
    mismatch = absl::StrCat("argument ", operation_.tensors[i].argument, ": byte ",
                            at - got[i].begin(), " changed, or is padding and not 0, of ",
                            ToString(operation_.tensors[i].layout));
  }
  return mismatch;
}

}  // namespace spi
