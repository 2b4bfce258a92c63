// What cases are drawn and listed from.
#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

#include "conformance/eltwise/cases.h"
#include "conformance/gen/layouts.h"
#include "conformance/gen/shapes.h"

namespace conformance {
namespace {

using spec::EltwiseAlgorithm;
using spec::Type;

constexpr float kInfinity = std::numeric_limits<float>::infinity();

template <class T>
bool Holds(const std::vector<T>& all, const T& one) {
  return std::find(all.begin(), all.end(), one) != all.end();
}

bool HasDirection(EltwiseAlgorithm algorithm, EltwiseDirection direction) {
  switch (direction) {
    case EltwiseDirection::kForward:
      return true;
    case EltwiseDirection::kBackward:
      return algorithm != EltwiseAlgorithm::kRound;
    case EltwiseDirection::kBackwardByResult:
      break;
  }
  return spec::HasDerivativeByResult(algorithm);
}

EltwiseAlgorithm AnyAlgorithm(Random& random, const EltwiseDraws& draws,
                              EltwiseDirection direction) {
  std::vector<EltwiseAlgorithm> algorithms;
  for (const EltwiseAlgorithm algorithm : spec::kEltwiseAlgorithms)
    if (HasDirection(algorithm, direction) &&
        (draws.algorithms.empty() || Holds(draws.algorithms, algorithm)))
      algorithms.push_back(algorithm);
  return random.Pick(algorithms);
}

spec::Dims AnyDims(Random& random, const EltwiseDraws& draws) {
  if (draws.short_only) return {random.Between(1, 33)};
  const int64_t dice = random.Between(1, 100);
  if (draws.min_rank <= 2 && draws.max_rank >= 2 && !draws.empty && dice > 88)
    return {random.Between(1, 3), random.Between(64, 300)};
  if (draws.empty) {
    spec::Dims dims = AnyShape(random, {draws.min_rank, draws.max_rank, 64, false});
    dims[static_cast<size_t>(random.Between(0, static_cast<int64_t>(dims.size()) - 1))] = 0;
    return dims;
  }
  if (dice <= 40 && draws.min_rank == 1) return {random.Between(1, 33)};
  if (dice <= 40) return {random.Between(1, 3), random.Between(1, 33)};
  if (dice <= 42) return {random.Between(1, 2), random.Pick<int64_t>({1000, 1023, 1025, 4097})};
  return AnyShape(random, {draws.min_rank, draws.max_rank, dice <= 46 ? 2048 : 96, false});
}

LayoutSpec AnyEltwiseLayout(Random& random, const spec::Dims& dims, const EltwiseDraws& draws) {
  LayoutLimits limits;
  limits.odd_unit_strides = draws.odd_unit_strides;
  return AnyLayout(random, dims, limits);
}

float OneOf(Random& random, const std::vector<float>& all) {
  if (random.Chance(80)) return random.Pick(all);
  return static_cast<float>(random.Between(-4000, 4000)) / 1024;
}

// `round` is of f32 alone (ELT-047).
Type AnyTypeOf(Random& random, const EltwiseCase& c) {
  if (random.Chance(50) || c.function.algorithm == EltwiseAlgorithm::kRound) return Type::kF32;
  if (!c.forward()) return Type::kBF16;
  return random.Pick({Type::kBF16, Type::kF16, Type::kS32, Type::kS8, Type::kU8});
}

bool TypeFits(const EltwiseCase& c, const EltwiseDraws& draws) {
  if (!draws.all_types) return Holds(draws.types, c.data.type);
  return c.forward() || c.data.type == Type::kF32 || c.data.type == Type::kBF16;
}

// Not subnormal: portable, such a parameter may count as 0.
float OfAnyExponent(Random& random) {
  const float fraction = 1 + static_cast<float>(random.Between(0, (1 << 23) - 1)) * 0x1p-23f;
  return std::ldexp(random.Chance(50) ? -fraction : fraction,
                    static_cast<int>(random.Between(-126, 127)));
}

// β - 1 is exact in f32, and steps overflow where the product does, whether a power is computed as
// s^(β-1) or s^β/s: β makes nothing smaller, and α nothing much larger. Backward α makes nothing
// smaller either: what is subnormal then would be divided by s.
void WidenPower(Random& random, bool forward, spec::Eltwise* function) {
  function->alpha = OfAnyExponent(random);
  while (std::abs(function->alpha) > 0x1p10f) function->alpha *= 0x1p-20f;
  while (!forward && std::abs(function->alpha) < 1) function->alpha *= 0x1p10f;
  if (random.Chance(30)) return;
  function->beta = static_cast<float>(random.Between(2, 16)) * (random.Chance(50) ? 0.5f : -0.5f);
}

}  // namespace

spec::Eltwise AnyFunction(Random& random, EltwiseAlgorithm algorithm, bool by_result) {
  spec::Eltwise function{algorithm, 0, 0};
  const auto pair = [&](std::vector<std::pair<float, float>> all) {
    std::tie(function.alpha, function.beta) = random.Pick(all);
  };
  switch (algorithm) {
    case EltwiseAlgorithm::kRelu:
      function.alpha = OneOf(random, {0, 0, 0, 0.1f, 0.5f, 1, 2, -1, -0.25f, 0.01f});
      break;
    case EltwiseAlgorithm::kElu:
      function.alpha = OneOf(random, {1, 1, 0.5f, 2, 0.1f, -1, 0});
      break;
    case EltwiseAlgorithm::kBoundedRelu:
      function.alpha = std::abs(OneOf(random, {6, 6, 1, 0.5f, 0, kInfinity}));
      break;
    case EltwiseAlgorithm::kSwish:
      function.alpha = OneOf(random, {1, 1, 0, -1, 1.702f, 0.5f});
      break;
    case EltwiseAlgorithm::kClip:
      pair({{0, 6}, {-1, 1}, {-0.5f, 2}, {1, 1}, {2, 3}, {-3, -1}, {-kInfinity, 1}});
      break;
    case EltwiseAlgorithm::kLinear:
      function.alpha = OneOf(random, {1, 2, 0.5f, 0, -1, 0.1f});
      function.beta = OneOf(random, {0, 1, -1, 3, 0.25f, 0.7f});
      break;
    case EltwiseAlgorithm::kPow:
      pair({{1, 0},
            {2, 0},
            {1, 1},
            {2, 2},
            {1, 3},
            {1, 0.5f},
            {3, -1},
            {1, -0.5f},
            {0.5f, 1.7f},
            {-1, 2},
            {1, -2}});
      if (random.Chance(15)) function.beta = static_cast<float>(random.Between(-12, 12));
      break;
    default:
      break;
  }
  if (by_result) function.alpha = std::abs(function.alpha);
  return function;
}

spec::Eltwise AnyWideFunction(Random& random, EltwiseAlgorithm algorithm,
                              EltwiseDirection direction) {
  const bool by_result = direction == EltwiseDirection::kBackwardByResult;
  spec::Eltwise function = AnyFunction(random, algorithm, by_result);
  if (algorithm == EltwiseAlgorithm::kPow) {
    WidenPower(random, direction == EltwiseDirection::kForward, &function);
    return function;
  }
  const int64_t which = random.Between(0, 2);
  if (which != 1) function.alpha = OfAnyExponent(random);
  if (which != 0) function.beta = OfAnyExponent(random);
  if (algorithm == EltwiseAlgorithm::kClip && function.alpha > function.beta)
    std::swap(function.alpha, function.beta);
  if (by_result || algorithm == EltwiseAlgorithm::kBoundedRelu)
    function.alpha = std::abs(function.alpha);
  if (!spec::HasAlpha(algorithm)) function.alpha = 0;
  if (!spec::HasBeta(algorithm)) function.beta = 0;
  return function;
}

EltwiseCase AnyEltwiseCase(Random& random, const EltwiseDraws& draws) {
  EltwiseCase c;
  c.direction = random.Pick(draws.directions);
  const EltwiseAlgorithm algorithm = AnyAlgorithm(random, draws, c.direction);
  c.function = draws.wide_parameters && random.Chance(12)
                   ? AnyWideFunction(random, algorithm, c.direction)
                   : AnyFunction(random, algorithm, c.by_result());
  // Backward, stock's s^β/s passes the ends of f32 where the result does not.
  if (algorithm == EltwiseAlgorithm::kPow && c.forward() && random.Chance(10))
    c.function.beta = static_cast<float>(random.Between(-4000, 4000)) / 1024;
  c.data.type = draws.all_types ? AnyTypeOf(random, c) : random.Pick(draws.types);
  c.data.dims = AnyDims(random, draws);
  const auto layout = [&] {
    return draws.all_layouts ? AnyEltwiseLayout(random, c.data.dims, draws) : Plainest(c.data.dims);
  };
  c.data.layout = layout();
  if (!c.forward()) c.gradient = draws.own_gradient ? layout() : c.data.layout;
  c.values = random.Pick(draws.values);
  if (draws.placements) {
    c.data_at = AnyPlacement(random);
    c.output_at = AnyPlacement(random);
    if (!c.forward()) c.gradient_at = AnyPlacement(random);
  }
  c.seed = static_cast<uint64_t>(random.Between(0, 9999));
  return c;
}

bool Fits(const EltwiseCase& c, const EltwiseDraws& draws) {
  const spec::Dims& dims = c.data.dims;
  const std::string layout = ToString(c.data.layout);
  // A fault in gaps or regions is seen by those that speak of layouts.
  if (!draws.all_layouts && layout != ToString(Plainest(dims))) return false;
  if (!c.forward() && !draws.own_gradient && layout != ToString(c.gradient)) return false;
  return Holds(draws.directions, c.direction) &&
         (draws.algorithms.empty() || Holds(draws.algorithms, c.function.algorithm)) &&
         TypeFits(c, draws) && Holds(draws.values, c.values) &&
         static_cast<int>(dims.size()) >= draws.min_rank &&
         static_cast<int>(dims.size()) <= draws.max_rank && spec::IsEmpty(dims) == draws.empty &&
         (!draws.short_only || (dims.size() == 1 && dims[0] <= 33));
}

Cases<EltwiseCase> AnyEltwise(const EltwiseDraws& draws) {
  Cases<EltwiseCase> cases =
      Drawn<EltwiseCase>([draws](Random& random) { return AnyEltwiseCase(random, draws); });
  cases.contains = [draws](const EltwiseCase& c) { return Fits(c, draws); };
  return cases;
}

Cases<EltwiseCase> SomeEltwise(int64_t count, const EltwiseDraws& draws) {
  Cases<EltwiseCase> cases = AnyEltwise(draws);
  cases.count = count;
  return cases;
}

std::vector<EltwiseCase> EveryAlgorithm(int64_t count) {
  std::vector<EltwiseCase> cases;
  for (const EltwiseDirection direction : kEltwiseDirections) {
    for (const EltwiseAlgorithm algorithm : spec::kEltwiseAlgorithms) {
      if (!HasDirection(algorithm, direction)) continue;
      EltwiseCase c;
      c.direction = direction;
      c.seed = cases.size();
      Random random(Mix(c.seed));
      c.function = AnyFunction(random, algorithm, c.by_result());
      c.data = {Type::kF32, {count}, Plainest({count})};
      if (!c.forward()) c.gradient = c.data.layout;
      cases.push_back(std::move(c));
    }
  }
  return cases;
}

Cases<EltwiseCase> EveryBinade(const std::vector<EltwiseAlgorithm>& algorithms,
                               const std::vector<EltwiseDirection>& directions) {
  // Each of 277 exponents with both signs, and three fractions.
  constexpr int64_t kCount = int64_t{277} * 2 * 3;
  std::vector<EltwiseCase> cases;
  for (const EltwiseDirection direction : directions) {
    for (const EltwiseAlgorithm algorithm : algorithms) {
      if (!HasDirection(algorithm, direction)) continue;
      const uint64_t count = spec::HasAlpha(algorithm) ? 16 : 2;
      for (uint64_t seed = 0; seed < count; ++seed) {
        EltwiseCase c;
        c.direction = direction;
        c.seed = seed;
        Random random(Mix(seed));
        c.function = seed % 2 == 0 ? AnyFunction(random, algorithm, c.by_result())
                                   : AnyWideFunction(random, algorithm, c.direction);
        c.data = {Type::kF32, {kCount}, Plainest({kCount})};
        if (!c.forward()) c.gradient = c.data.layout;
        c.values = EltwiseValues::kBinades;
        cases.push_back(std::move(c));
      }
    }
  }
  return Listed(std::move(cases));
}

Cases<EltwiseCase> Sweeps(const std::vector<spec::Eltwise>& functions,
                          const std::vector<Type>& types) {
  constexpr uint64_t kSeams = 20;
  std::vector<EltwiseCase> cases;
  for (const spec::Eltwise& function : functions) {
    for (uint64_t k = 0; k < types.size() * (2 + 2 * kSeams); ++k) {
      EltwiseCase c;
      c.function = function;
      c.seed = k / types.size();
      const int64_t count = c.seed < 2 ? 8192 : 257;
      c.data = {types[k % types.size()], {count}, Plainest({count})};
      c.values = EltwiseValues::kSweep;
      cases.push_back(std::move(c));
    }
  }
  return Listed(std::move(cases));
}

Cases<EltwiseCase> NetworkEltwise() {
  const spec::Eltwise functions[] = {
      {EltwiseAlgorithm::kRelu},       {EltwiseAlgorithm::kRelu, 0.1f},
      {EltwiseAlgorithm::kClip, 0, 6}, {EltwiseAlgorithm::kSwish, 1},
      {EltwiseAlgorithm::kGeluTanh},   {EltwiseAlgorithm::kGeluErf},
      {EltwiseAlgorithm::kElu, 1},     {EltwiseAlgorithm::kLogistic},
      {EltwiseAlgorithm::kTanh},       {EltwiseAlgorithm::kSoftRelu}};
  const spec::Dims shapes[] = {{1, 64, 56, 56}, {1, 512, 7, 7}, {128, 768}, {2, 32, 4, 14, 14}};
  std::vector<EltwiseCase> cases;
  for (const spec::Eltwise& function : functions) {
    for (const EltwiseDirection direction :
         {EltwiseDirection::kForward, EltwiseDirection::kBackward}) {
      EltwiseCase c;
      c.direction = direction;
      c.function = function;
      const spec::Dims& dims = shapes[cases.size() / 2 % std::size(shapes)];
      const bool channels_last = dims.size() == 4 && cases.size() % 3 == 0;
      c.data = {Type::kF32, dims,
                channels_last ? DenseInOrder(dims, {0, 2, 3, 1}) : Plainest(dims)};
      if (!c.forward()) c.gradient = c.data.layout;
      c.seed = cases.size();
      cases.push_back(std::move(c));
    }
  }
  return Listed(std::move(cases));
}

}  // namespace conformance
