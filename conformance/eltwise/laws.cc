// ELT-020, ELT-023, ELT-024, ELT-049, ELT-051 to ELT-054: results beside other results.
#include <algorithm>
#include <cfloat>
#include <cmath>
#include <iterator>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "conformance/case/property.h"
#include "conformance/eltwise/cases.h"
#include "conformance/eltwise/run.h"
#include "conformance/gen/values.h"
#include "spec/requirements.h"

namespace conformance {
namespace {

using spec::Bits;
using spec::EltwiseAlgorithm;
using spec::Type;

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr EltwiseDirection kForward = EltwiseDirection::kForward,
                           kBackward = EltwiseDirection::kBackward,
                           kByResult = EltwiseDirection::kBackwardByResult;

float Number(Bits bits) { return spec::Widen(Type::kF32, bits); }

// NaN, or of integers a number that is not small.
Bits OddOf(Type type) { return spec::IsFloat(type) ? BitsOf(type, kNan) : Bits{0x75}; }

// Three of what is no number, of what other algorithms have, and of what this one has in later
// revisions (soft_relu: 1 and -1).
void ParametersThatItHasNotAreIgnored(const EltwiseCase& c, Trial& trial) {
  constexpr float kOdd[] = {kNan,  kInfinity, -kInfinity, -7,       1,       -1,    0.5f,
                            -0.5f, 2,         -2,         -FLT_MAX, FLT_MIN, 1e-40f};
  const auto ran = Run(c, trial);
  if (!ran) return;
  for (const uint64_t which : {0, 4, 8}) {
    const float odd = kOdd[(c.seed + which) % std::size(kOdd)];
    EltwiseCase other = c;
    other.function.beta = odd;
    if (!spec::HasAlpha(c.function.algorithm)) other.function.alpha = odd;
    const auto again = Run(other, ran->source, ran->gradient, trial);
    if (!again ||
        !ExpectSameResult(c, "with a parameter that it has not", ran->result, again->result, trial))
      return;
  }
}

void GeluIsGeluTanh(const NoParameters&, Trial& trial) {
  trial.Expect(dnnl::algorithm::eltwise_gelu == dnnl::algorithm::eltwise_gelu_tanh,
               "eltwise_gelu == eltwise_gelu_tanh");
}

void UseDstForwardIsThePlainFunction(const EltwiseCase& c, Trial& trial) {
  const auto plain = Run(c, trial);
  if (!plain) return;
  EltwiseMaking making;
  making.use_dst = true;
  if (c.seed % 2 == 0) making.kind = dnnl::prop_kind::forward_inference;
  const auto other = Run(c, plain->source, plain->gradient, trial, making);
  if (other)
    ExpectSameResult(c, "of the algorithm for backward by dst", plain->result, other->result,
                     trial);
}

// From the lowest to the highest number that is right; NaN where there is none.
std::pair<double, double> HullOf(const spec::EltwiseResult& result) {
  std::pair<double, double> hull{kNan, kNan};
  for (int k = 0; k < result.count; ++k) {
    hull.first = std::fmin(hull.first, result.ranges[k].low);
    hull.second = std::fmax(hull.second, result.ranges[k].high);
  }
  return hull;
}

double WidthOf(const std::pair<double, double>& hull) { return hull.second - hull.first; }

// Of what its ends are as elements of `type`.
double WidthOf(const std::pair<double, double>& hull, Type type) {
  const auto end = [&](double value) {
    return double{spec::Widen(type, BitsOf(type, static_cast<float>(value)))};
  };
  return end(hull.second) - end(hull.first);
}

// What backward by the result may give when the forward was anywhere in its own range.
std::pair<double, double> ByResultOf(const EltwiseCase& c, Bits source, float result, float dd,
                                     const spec::EltwiseLimits& limits) {
  const auto [low, high] = HullOf(spec::EltwiseForward(c.function, Type::kF32, source, limits));
  std::pair<double, double> hull{kNan, kNan};
  for (const double d : {double{result}, low, high}) {
    const auto one =
        HullOf(spec::EltwiseBackwardByResult(c.function, static_cast<float>(d), dd, limits));
    hull.first = std::fmin(hull.first, one.first);
    hull.second = std::fmax(hull.second, one.second);
  }
  return hull;
}

void BothBackwardsAgree(const EltwiseCase& drawn, Trial& trial) {
  EltwiseCase forward = drawn, by_source = drawn;
  forward.direction = kForward;
  by_source.direction = kBackward;
  const std::vector<Bits> source = by_source.Source(), gradient = by_source.Gradient();
  Cover(trial, drawn);
  const auto ran = Run(forward, source, {}, trial);
  if (!ran) return;
  const auto one = Run(by_source, source, gradient, trial);
  if (!one) return;
  const auto other = Run(drawn, ran->result, gradient, trial);
  if (!other) return;
  const spec::EltwiseLimits limits = LimitsOf(trial);
  for (size_t k = 0; k < source.size(); ++k) {
    const float s = Number(source[k]), dd = Number(gradient[k]);
    const double width = WidthOf(HullOf(spec::EltwiseBackward(drawn.function, s, dd, limits))) +
                         WidthOf(ByResultOf(drawn, source[k], Number(ran->result[k]), dd, limits));
    const double a = Number(one->result[k]), b = Number(other->result[k]);
    // Infinities and NaNs, and what is open: others' business.
    if (!std::isfinite(width) || !std::isfinite(a) || !std::isfinite(b)) continue;
    if (std::abs(a - b) <= width) continue;
    return trial.Fail(
        ElementName("diff_src by dst", drawn.data.dims, static_cast<int64_t>(k)),
        spec::ToString(Type::kF32, one->result[k]) + " within " + std::to_string(width),
        spec::ToString(Type::kF32, other->result[k]));
  }
}

// The function is smooth from s - step to s + step.
bool IsSmooth(const spec::Eltwise& function, long double s, long double step) {
  const auto beside = [&](long double kink) { return std::abs(s - kink) > 2 * step; };
  switch (function.algorithm) {
    case EltwiseAlgorithm::kSqrt:
    case EltwiseAlgorithm::kLog:
      return s > 2 * step;
    case EltwiseAlgorithm::kPow:
      return s > 2 * step || std::trunc(function.beta) == function.beta;
    default:
      return beside(0) && beside(function.alpha) && beside(function.beta);
  }
}

void BackwardIsTheDerivative(const EltwiseCase& c, Trial& trial) {
  const auto ran = Run(c, trial);
  if (!ran) return;
  for (size_t k = 0; k < ran->source.size(); ++k) {
    const long double s = Number(ran->source[k]), dd = Number(ran->gradient[k]);
    const long double step = std::abs(s) * 1e-4L;
    if (step == 0 || !IsSmooth(c.function, s, step)) continue;
    const long double slope =
        (spec::Function(c.function, s + step) - spec::Function(c.function, s - step)) / (2 * step);
    // f32 has no such number: others' business.
    if (std::abs(slope * dd) > FLT_MAX / 2) continue;
    const long double got = Number(ran->result[k]);
    const long double slack = (std::abs(slope) * 1e-3L + 1e-4L) * std::abs(dd);
    if (std::abs(got - slope * dd) <= slack) continue;
    return trial.Fail(ElementName("diff_src", c.data.dims, static_cast<int64_t>(k)),
                      std::to_string(static_cast<double>(slope * dd)) + ", the central difference",
                      spec::ToString(Type::kF32, ran->result[k]));
  }
}

void DoesNotDecrease(const EltwiseCase& c, Trial& trial) {
  const auto ran = Run(c, trial);
  if (!ran) return;
  const Type type = c.data.type;
  const spec::EltwiseLimits limits = LimitsOf(trial);
  for (size_t k = 1; k < ran->source.size(); ++k) {
    const float before = spec::Widen(type, ran->result[k - 1]),
                now = spec::Widen(type, ran->result[k]);
    if (now >= before || std::isnan(before) || std::isnan(now)) continue;
    // Twice the budget is from end to end.
    const double width =
        spec::IsExactForward(c.function)
            ? 0
            : WidthOf(HullOf(ExpectedElement(c, ran->source[k - 1], 0, limits)), type);
    if (double{before} - double{now} <= width) continue;
    return trial.Fail(ElementName("dst", c.data.dims, static_cast<int64_t>(k)),
                      "not below " + spec::ToString(type, ran->result[k - 1]),
                      spec::ToString(type, ran->result[k]));
  }
}

std::pair<float, float> RangeOf(const spec::Eltwise& function) {
  switch (function.algorithm) {
    case EltwiseAlgorithm::kTanh:
      return {-1, 1};
    case EltwiseAlgorithm::kLogistic:
      return {0, 1};
    case EltwiseAlgorithm::kElu:
      return {-function.alpha, kInfinity};
    default:
      return {0, kInfinity};
  }
}

void StaysInItsRange(const EltwiseCase& c, Trial& trial) {
  const auto ran = Run(c, trial);
  if (!ran) return;
  const Type type = c.data.type;
  auto [low, high] = RangeOf(c.function);
  if (trial.portable()) {
    // Of absolute budgets.
    if (c.function.algorithm == EltwiseAlgorithm::kSoftRelu) low -= 256 * 0x1p-24f;
    if (c.function.algorithm == EltwiseAlgorithm::kElu)
      low -= 8 * 0x1p-24f * std::max(1.0f, c.function.alpha);
    // A unit in the last place.
    const float unit = type == Type::kF16 ? 0x1p-10f : 0x1p-7f;
    low = type == Type::kF32 ? std::nextafter(low, -kInfinity) : low - unit;
    high = type == Type::kF32 ? std::nextafter(high, kInfinity) : high + unit;
  }
  for (size_t k = 0; k < ran->source.size(); ++k) {
    const float got = spec::Widen(type, ran->result[k]);
    if (low <= got && got <= high) continue;
    return trial.Fail(
        ElementName("dst", c.data.dims, static_cast<int64_t>(k)),
        spec::ToString(Type::kF32, WordOf(low)) + " to " + spec::ToString(Type::kF32, WordOf(high)),
        spec::ToString(type, ran->result[k]));
  }
}

// The first element of the data alone, and then at some places among NaNs.
void ElementsDoNotMatterToEachOther(const EltwiseCase& c, Trial& trial) {
  const auto count = spec::ElementCount(c.data.dims);
  const std::vector<Bits> source = c.Source(), gradient = c.Gradient();
  EltwiseCase one = c;
  one.data.dims = {1};
  one.data.layout = Plainest({1});
  if (!c.forward()) one.gradient = one.data.layout;
  Cover(trial, c);
  const auto first = [](const std::vector<Bits>& all) {
    return all.empty() ? all : std::vector<Bits>{all[0]};
  };
  const auto alone = Run(one, first(source), first(gradient), trial);
  if (!alone) return;
  for (const int64_t place : {int64_t{0}, count / 2, count - 1}) {
    const Bits odd = OddOf(c.data.type);
    std::vector<Bits> among(source.size(), odd), dd(gradient.size(), odd);
    among[static_cast<size_t>(place)] = source[0];
    if (!c.forward()) dd[static_cast<size_t>(place)] = gradient[0];
    const auto ran = Run(c, among, dd, trial);
    if (!ran) return;
    const std::vector<Bits> got{ran->result[static_cast<size_t>(place)]};
    const std::string what =
        "at place " + std::to_string(place) + " of " + std::to_string(count) + " among others";
    if (!ExpectSameElsewhere(one, what, *alone, got, trial)) return;
  }
}

EltwiseDraws Of(std::vector<EltwiseDirection> directions,
                std::vector<EltwiseAlgorithm> algorithms = {},
                std::vector<EltwiseValues> values = {EltwiseValues::kSmall,
                                                     EltwiseValues::kSeams}) {
  EltwiseDraws draws;
  draws.directions = std::move(directions);
  draws.algorithms = std::move(algorithms);
  draws.values = std::move(values);
  return draws;
}

std::vector<EltwiseAlgorithm> Where(bool (*holds)(EltwiseAlgorithm)) {
  std::vector<EltwiseAlgorithm> algorithms;
  for (const EltwiseAlgorithm algorithm : spec::kEltwiseAlgorithms)
    if (holds(algorithm)) algorithms.push_back(algorithm);
  return algorithms;
}

// All but those with both parameters.
std::vector<EltwiseAlgorithm> WithoutBeta() {
  return Where([](EltwiseAlgorithm algorithm) { return !spec::HasBeta(algorithm); });
}

EltwiseDraws OfAllTypes(EltwiseDraws draws) {
  draws.all_types = true;
  return draws;
}

EltwiseDraws UseDst() { return OfAllTypes(Of({kForward}, Where(spec::HasDerivativeByResult))); }

// Parameters that the use-dst forms take.
Cases<EltwiseCase> UseDstCases() {
  const EltwiseDraws draws = UseDst();
  Cases<EltwiseCase> cases = AnyEltwise(draws);
  cases.at = [draws](int64_t, Random& random) {
    EltwiseCase c = AnyEltwiseCase(random, draws);
    c.function.alpha = std::abs(c.function.alpha);
    // Its ends are ELT-064's.
    if (c.data.type == Type::kS32) c.data.type = Type::kS8;
    return c;
  };
  cases.contains = [draws](const EltwiseCase& c) {
    return Fits(c, draws) && IsLegal(c.function, true);
  };
  return cases;
}

EltwiseDraws Short() {
  EltwiseDraws draws = Of({kForward, kBackward, kByResult});
  draws.short_only = true;
  return draws;
}

std::vector<spec::Eltwise> Monotone() {
  using A = EltwiseAlgorithm;
  return {{A::kRelu, 0},
          {A::kRelu, 0.3f},
          {A::kRelu, 2},
          {A::kElu, 3},
          {A::kLinear, 0, 1},
          {A::kLinear, 3, 0},
          {A::kBoundedRelu, 0.5f},
          {A::kClip, -20, -3},
          {A::kTanh},
          {A::kElu, 1},
          {A::kElu, 0.5f},
          {A::kSqrt},
          {A::kBoundedRelu, 6},
          {A::kClip, -0.5f, 2},
          {A::kSoftRelu},
          {A::kLogistic},
          {A::kExp},
          {A::kLog},
          {A::kLinear, 0.7f, -3},
          {A::kRound}};
}

std::vector<spec::Eltwise> Bounded() {
  using A = EltwiseAlgorithm;
  return {{A::kTanh},   {A::kLogistic},  {A::kExp},    {A::kSoftRelu}, {A::kSquare}, {A::kAbs},
          {A::kElu, 1}, {A::kElu, 0.3f}, {A::kElu, 0}, {A::kElu, 2},   {A::kElu, 50}};
}

// Whose ends every type holds.
std::vector<spec::Eltwise> BoundedInAllTypes() {
  std::vector<spec::Eltwise> functions = Bounded();
  functions.erase(std::remove_if(functions.begin(), functions.end(),
                                 [](const spec::Eltwise& one) { return one.alpha == 0.3f; }),
                  functions.end());
  return functions;
}

const std::vector<Type> kNarrow{Type::kBF16, Type::kF16};

const bool kDefined[] = {
    Define<EltwiseCase>(spec::ELT_020, "",
                        AnyEltwise(OfAllTypes(Of({kForward, kBackward, kByResult}, WithoutBeta()))),
                        ParametersThatItHasNotAreIgnored, {"f32", "bf16", "u8"}),
    Define(spec::ELT_023, "", GeluIsGeluTanh),
    Define<EltwiseCase>(spec::ELT_024, "", UseDstCases(), UseDstForwardIsThePlainFunction,
                        {"relu", "tanh", "elu", "sqrt", "logistic", "exp"}),
    Define<EltwiseCase>(spec::ELT_049, "", AnyEltwise(Of({kByResult})), BothBackwardsAgree,
                        {"relu", "tanh", "elu", "sqrt", "logistic", "exp"}),
    Define<EltwiseCase>(spec::ELT_051, "", AnyEltwise(Of({kBackward}, {}, {EltwiseValues::kSmall})),
                        BackwardIsTheDerivative, {"gelu_erf", "gelu_tanh", "swish", "pow"}),
    Define<EltwiseCase>(spec::ELT_052, "", Sweeps(Monotone()), DoesNotDecrease),
    Define<EltwiseCase>(spec::ELT_052, "narrow", Sweeps(Monotone(), kNarrow), DoesNotDecrease),
    Define<EltwiseCase>(spec::ELT_053, "", Sweeps(Bounded()), StaysInItsRange),
    Define<EltwiseCase>(spec::ELT_053, "narrow", Sweeps(BoundedInAllTypes(), kNarrow),
                        StaysInItsRange),
    Define<EltwiseCase>(spec::ELT_054, "", AnyEltwise(Short()), ElementsDoNotMatterToEachOther,
                        {"forward", "backward", "backward by dst"}),
    Define<EltwiseCase>(spec::ELT_054, "rows",
                        SomeEltwise(800, OfAllTypes(Of({kForward, kBackward, kByResult}))),
                        ElementsDoNotMatterToEachOther, {"f32", "bf16", "u8", "long"}),
};

}  // namespace
}  // namespace conformance
