#include "conformance/gen/fused.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>

#include "spec/eltwise/oracle.h"
#include "spec/numeric/arithmetic.h"

namespace conformance {
namespace {

constexpr const char* kNames[] = {"sum",       "relu",     "linear",   "clip",      "abs",
                                  "square",    "tanh",     "elu",      "sqrt",      "bounded_relu",
                                  "soft_relu", "logistic", "exp",      "gelu_tanh", "swish",
                                  "log",       "pow",      "gelu_erf", "round"};

spec::EltwiseAlgorithm AlgorithmOf(PostOp::Kind kind) {
  for (const spec::EltwiseAlgorithm algorithm : spec::kEltwiseAlgorithms)
    if (std::string_view(spec::NameOf(algorithm)) == kNames[kind]) return algorithm;
  return spec::EltwiseAlgorithm::kRelu;
}

std::vector<std::string> SplitAt(std::string_view text, char separator) {
  std::vector<std::string> parts;
  for (;;) {
    const size_t end = std::min(text.find(separator), text.size());
    parts.emplace_back(text.substr(0, end));
    if (end == text.size()) return parts;
    text.remove_prefix(end + 1);
  }
}

std::string Short(float value) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.9g", static_cast<double>(value));
  return text;
}

std::optional<float> Number(const std::string& text) {
  char* end = nullptr;
  const float value = std::strtof(text.c_str(), &end);
  if (text.empty() || *end != '\0' || !std::isfinite(value)) return std::nullopt;
  return value;
}

std::string ToString(const PostOp& op) {
  std::string text = std::string(NameOf(op.kind)) + ":" + Short(op.scale);
  if (op.kind != PostOp::kSum) text += ":" + Short(op.alpha) + ":" + Short(op.beta);
  return text;
}

std::optional<PostOp> ParsePostOp(std::string_view text) {
  const std::vector<std::string> parts = SplitAt(text, ':');
  const auto name = std::find(std::begin(kNames), std::end(kNames), parts[0]);
  if (name == std::end(kNames)) return std::nullopt;
  PostOp op;
  op.kind = static_cast<PostOp::Kind>(name - std::begin(kNames));
  float* const numbers[] = {&op.scale, &op.alpha, &op.beta};
  if (parts.size() != (op.kind == PostOp::kSum ? 2u : 4u)) return std::nullopt;
  for (size_t i = 1; i < parts.size(); ++i) {
    const auto number = Number(parts[i]);
    if (!number) return std::nullopt;
    *numbers[i - 1] = *number;
  }
  if (op.kind == PostOp::kClip && op.alpha > op.beta) return std::nullopt;
  return op;
}

// Of anything within x.error of x.value, by ORC-ELT of both ends and of the middle. Between these
// no function is further away than its slope takes it, which is below 1.2 where it turns.
spec::Approx RoundedFunction(const PostOp& op, spec::Approx x) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  constexpr spec::Approx kAnything{0, kInfinity};
  if (std::isinf(x.error)) return kAnything;
  const float middle = spec::Nearest(x.value);
  const bool finite = std::isfinite(x.value);
  const float low = finite ? spec::AtMost(x.value - x.error) : middle;
  const float high = finite ? spec::AtLeast(x.value + x.error) : middle;
  double least = kInfinity, most = -kInfinity;
  bool nan = false, number = false;
  for (const float at : {low, middle, high}) {
    const spec::EltwiseResult one =
        spec::EltwiseForward({AlgorithmOf(op.kind), op.alpha, op.beta}, at, {});
    nan = nan || one.nan;
    number = number || one.count > 0;
    for (int i = 0; i < one.count; ++i) {
      least = std::min(least, static_cast<double>(one.ranges[i].low));
      most = std::max(most, static_cast<double>(one.ranges[i].high));
    }
  }
  if (nan) return number ? kAnything : spec::Exactly(std::numeric_limits<double>::quiet_NaN());
  if (least == most) return spec::Exactly(least);
  if (!std::isfinite(least) || !std::isfinite(most)) return kAnything;
  const double width = static_cast<double>(high) - static_cast<double>(low);
  return {(least + most) / 2, (most - least) / 2 + 0.3 * width};
}

// The function itself: of anything within x.error of x.value.
spec::Approx Function(const PostOp& op, spec::Approx x) {
  const double alpha = op.alpha, beta = op.beta;
  switch (op.kind) {
    case PostOp::kSum:
      break;
    case PostOp::kRelu: {
      const spec::Approx below = spec::Exactly(alpha) * x;
      if (x.value - x.error >= 0) return x;
      if (x.value + x.error <= 0) return below;
      return {x.value > 0 ? x.value : below.value,
              std::max(1.0, std::abs(alpha)) * x.error * 1.001};
    }
    case PostOp::kLinear:
      return spec::Exactly(alpha) * x + spec::Exactly(beta);
    case PostOp::kClip:
      return {std::clamp(x.value, alpha, beta), x.error};
    case PostOp::kAbs:
      return {std::abs(x.value), x.error};
    case PostOp::kSquare:
      return x * x;
    default:
      return RoundedFunction(op, x);
  }
  return x;
}

}  // namespace

const char* NameOf(PostOp::Kind kind) { return kNames[kind]; }

bool FusedAttributes::sums() const {
  return std::any_of(post_ops.begin(), post_ops.end(),
                     [](const PostOp& op) { return op.kind == PostOp::kSum; });
}

std::vector<float> ScaleValues(const FusedAttributes& attributes, int64_t channels, uint64_t seed) {
  if (attributes.scales == FusedAttributes::kNone) return {};
  seed %= kOtherContents;
  std::vector<float> values(attributes.scales == FusedAttributes::kCommon ? 1 : channels);
  if (attributes.fractions) {
    Random random(Mix(seed ^ 0x5ca1e));
    for (float& value : values) {
      const bool usual = random.Chance(75);
      value = AnyFraction(random, usual ? -10 : -14, usual ? -2 : 10);
    }
    return values;
  }
  for (size_t i = 0; i < values.size(); ++i) {
    // Neighbours differ.
    const int exponent = static_cast<int>((Mix(seed) + i * 3) % 5) - 3;
    values[i] = std::ldexp((Mix(seed ^ i) & 8) != 0 ? -1.0f : 1.0f, exponent);
  }
  return values;
}

namespace {

spec::Approx ApplyPostOps(const FusedAttributes& attributes, size_t first, spec::Approx value,
                          double old) {
  for (size_t i = first; i < attributes.post_ops.size(); ++i) {
    const PostOp& op = attributes.post_ops[i];
    if (op.kind == PostOp::kSum) {
      // Scale 0 reads nothing.
      if (op.scale != 0) value = value + spec::Exactly(op.scale) * spec::Exactly(old);
    } else {
      value = Function(op, value);
      if (op.scale != 1) value = value * spec::Exactly(op.scale);
    }
  }
  return value;
}

}  // namespace

spec::Approx Apply(const FusedAttributes& attributes, spec::Approx value, float scale, double old) {
  if (attributes.scales != FusedAttributes::kNone) value = value * spec::Exactly(scale);
  return ApplyPostOps(attributes, 0, value, old);
}

std::optional<spec::Approx> OldTerm(const FusedAttributes& attributes, double old) {
  if (attributes.scales != FusedAttributes::kNone || attributes.post_ops.empty())
    return std::nullopt;
  const PostOp& first = attributes.post_ops.front();
  if (first.kind != PostOp::kSum || first.scale == 0) return std::nullopt;
  return spec::Exactly(first.scale) * spec::Exactly(old);
}

spec::Approx ApplyBehindOld(const FusedAttributes& attributes, spec::Approx value, double old) {
  return ApplyPostOps(attributes, 1, value, old);
}

void SetFused(Fields* fields, const FusedAttributes& attributes) {
  if (attributes.scales != FusedAttributes::kNone) {
    fields->Set("scale", attributes.scales == FusedAttributes::kCommon ? "common" : "channel");
    if (attributes.fractions) fields->SetInt("fractions", 1);
    if (attributes.run_time) fields->SetInt("rt", 1);
  }
  std::string chain;
  for (const PostOp& op : attributes.post_ops) chain += (chain.empty() ? "" : ",") + ToString(op);
  if (!chain.empty()) fields->Set("post", chain);
}

FusedAttributes GetFused(const Fields& fields) {
  FusedAttributes attributes;
  if (fields.Has("scale")) {
    const std::string scale = fields.Text("scale");
    attributes.scales = scale == "common" ? FusedAttributes::kCommon : FusedAttributes::kChannel;
    if (scale != "common" && scale != "channel")
      fields.Reject("scale", "is neither common nor channel");
    if (fields.Has("fractions")) {
      attributes.fractions = true;
      if (fields.Int("fractions") != 1) fields.Reject("fractions", "is not 1");
    }
    if (fields.Has("rt")) {
      attributes.run_time = true;
      if (fields.Int("rt") != 1) fields.Reject("rt", "is not 1");
    }
  }
  if (fields.Has("post")) {
    for (const std::string& part : SplitAt(fields.Text("post"), ',')) {
      const auto op = ParsePostOp(part);
      if (op) attributes.post_ops.push_back(*op);
      if (!op) fields.Reject("post", "is no list of sum:SCALE and FUNCTION:SCALE:ALPHA:BETA");
    }
  }
  return attributes;
}

std::vector<PostOp> AnyChain(Random& random) {
  const auto factor = [&random] { return random.Pick({1.0f, 1.0f, 0.5f, -1.0f, 2.0f}); };
  std::vector<PostOp> chain;
  const int64_t dice = random.Between(0, 2);
  if (dice != 0) chain.push_back({PostOp::kSum, factor(), 0, 0});
  if (dice == 1) return chain;
  PostOp op;
  op.scale = random.Chance(75) ? 1.0f : factor();
  op.kind = random.Pick({PostOp::kRelu, PostOp::kRelu, PostOp::kLinear, PostOp::kClip, PostOp::kAbs,
                         PostOp::kSquare});
  if (op.kind == PostOp::kRelu) op.alpha = random.Pick({0.0f, 0.0f, 0.5f, 0.25f});
  if (op.kind == PostOp::kLinear) {
    op.alpha = factor();
    op.beta = static_cast<float>(random.Between(-8, 8));
  }
  if (op.kind == PostOp::kClip) {
    op.alpha = static_cast<float>(random.Between(-40, 0));
    op.beta = static_cast<float>(random.Between(0, 40));
  }
  chain.push_back(op);
  return chain;
}

namespace {

std::vector<PostOp> AnyLongChain(Random& random) {
  std::vector<PostOp> chain;
  const auto count = static_cast<size_t>(random.Between(2, 4));
  while (chain.size() < count)
    for (const PostOp& op : AnyChain(random))
      if (chain.size() < count) chain.push_back(op);
  for (size_t i = count - 1; i > 0; --i)
    std::swap(chain[i], chain[static_cast<size_t>(random.Between(0, static_cast<int64_t>(i)))]);
  return chain;
}

}  // namespace

FusedAttributes AnyFused(Random& random, const FusedLimits& limits) {
  FusedAttributes attributes;
  if (limits.attributes_percent < 100 && !random.Chance(limits.attributes_percent))
    return attributes;
  if (limits.post_ops && (!limits.scales || random.Chance(70)))
    attributes.post_ops = AnyChain(random);
  if (limits.chains) attributes.post_ops = AnyLongChain(random);
  if (limits.scales && (attributes.post_ops.empty() || random.Chance(50))) {
    attributes.scales = random.Chance(50) ? FusedAttributes::kCommon : FusedAttributes::kChannel;
    attributes.run_time = limits.run_time_scales;
  }
  return attributes;
}

bool Fits(const FusedAttributes& attributes, const FusedLimits& limits) {
  const bool scales = limits.scales || attributes.scales == FusedAttributes::kNone;
  const bool post_ops = limits.post_ops || limits.chains || attributes.post_ops.empty();
  return scales && post_ops && (!attributes.run_time || limits.run_time_scales);
}

float AnyFraction(Random& random, int low, int high) {
  const auto digits = static_cast<float>(random.Between(1 << 23, (1 << 24) - 1));
  const auto exponent = static_cast<int>(random.Between(low, high));
  return std::ldexp(random.Chance(50) ? digits : -digits, exponent - 23);
}

std::vector<PostOp> AnyChainOfFractions(Random& random, bool with_nans) {
  std::vector<PostOp> chain;
  const int64_t dice = random.Between(0, 2);
  if (dice != 0) chain.push_back({PostOp::kSum, AnyFraction(random, -9, 1), 0, 0});
  if (dice == 1) return chain;
  PostOp op;
  op.scale = random.Chance(60) ? 1.0f : AnyFraction(random, -3, 3);
  op.kind = static_cast<PostOp::Kind>(random.Between(PostOp::kRelu, PostOp::kRound));
  if (!with_nans && (op.kind == PostOp::kSqrt || op.kind == PostOp::kLog)) op.kind = PostOp::kTanh;
  const float factor = AnyFraction(random, -3, 0);
  if (op.kind == PostOp::kRelu || op.kind == PostOp::kElu || op.kind == PostOp::kSwish ||
      op.kind == PostOp::kLinear || op.kind == PostOp::kPow)
    op.alpha = op.kind == PostOp::kElu ? std::abs(factor) : factor;
  if (op.kind == PostOp::kLinear) op.beta = AnyFraction(random, -3, 3);
  if (op.kind == PostOp::kPow) op.beta = static_cast<float>(random.Between(2, 3));
  if (op.kind == PostOp::kBoundedRelu) op.alpha = std::abs(AnyFraction(random, 0, 5));
  if (op.kind == PostOp::kClip) {
    op.alpha = -std::abs(AnyFraction(random, 0, 5));
    op.beta = std::abs(AnyFraction(random, 0, 5));
  }
  chain.push_back(op);
  return chain;
}

std::vector<FusedAttributes> SimplerFused(const FusedAttributes& attributes) {
  std::vector<FusedAttributes> simpler;
  if (attributes.scales != FusedAttributes::kNone) {
    simpler.push_back(attributes);
    simpler.back().scales = FusedAttributes::kNone;
    simpler.back().run_time = simpler.back().fractions = false;
    if (attributes.fractions) {
      simpler.push_back(attributes);
      simpler.back().fractions = false;
    }
    if (attributes.run_time) {
      simpler.push_back(attributes);
      simpler.back().run_time = false;
    }
    if (attributes.scales == FusedAttributes::kChannel) {
      simpler.push_back(attributes);
      simpler.back().scales = FusedAttributes::kCommon;
    }
  }
  for (size_t i = 0; i < attributes.post_ops.size(); ++i) {
    simpler.push_back(attributes);
    std::vector<PostOp>& ops = simpler.back().post_ops;
    ops.erase(ops.begin() + static_cast<std::ptrdiff_t>(i));
    if (attributes.post_ops[i].scale != 1) {
      simpler.push_back(attributes);
      simpler.back().post_ops[i].scale = 1;
    }
  }
  return simpler;
}

}  // namespace conformance
