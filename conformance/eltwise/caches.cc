// PRIM-049 for eltwise: two that differ in a parameter or in the algorithm, each of which comes
// again after the other.
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "conformance/case/property.h"
#include "conformance/eltwise/cases.h"
#include "conformance/eltwise/run.h"
#include "spec/requirements.h"

namespace conformance {
namespace {

bool SameFunction(const spec::Eltwise& a, const spec::Eltwise& b) {
  return a.algorithm == b.algorithm && a.alpha == b.alpha && a.beta == b.beta;
}

// With one thing otherwise; nullopt where nothing can be.
std::optional<EltwiseCase> Differing(const EltwiseCase& c, Trial& trial) {
  EltwiseCase other = c;
  Random random(Mix(c.seed));
  const spec::Eltwise drawn = AnyFunction(random, c.function.algorithm, c.by_result());
  const char* what = "other alpha";
  if (c.seed % 3 == 0) {
    other.function.alpha = drawn.alpha;
  } else if (c.seed % 3 == 1) {
    what = "other beta";
    other.function.beta = drawn.beta;
  } else {
    what = "other algorithm";
    other.function.algorithm = random.Pick(spec::kEltwiseAlgorithms);
  }
  const spec::Eltwise& function = other.function;
  if (c.by_result() && !spec::HasDerivativeByResult(function.algorithm)) return std::nullopt;
  if (!c.forward() && function.algorithm == spec::EltwiseAlgorithm::kRound) return std::nullopt;
  // An infinity that one algorithm has a use for need not be one that another has.
  if (!std::isfinite(function.alpha) || !std::isfinite(function.beta)) return std::nullopt;
  if (SameFunction(c.function, function) || !IsLegal(function, c.by_result())) return std::nullopt;
  trial.Cover(what);
  return other;
}

void FunctionsAreNotMixedUp(const EltwiseCase& c, Trial& trial) {
  const auto other = Differing(c, trial);
  if (!other) return trial.Vacuous();
  std::vector<EltwiseRan> kept;
  for (const EltwiseCase* each : {&c, &*other, &c, &*other}) {
    auto ran = Run(*each, trial);
    if (!ran || !ExpectOracle(*each, ran->source, ran->gradient, ran->result, trial)) return;
    kept.push_back(*std::move(ran));
  }
}

EltwiseDraws EveryDirection() {
  EltwiseDraws draws;
  draws.directions = {EltwiseDirection::kForward, EltwiseDirection::kBackward,
                      EltwiseDirection::kBackwardByResult};
  draws.values = {EltwiseValues::kSmall, EltwiseValues::kPositive};
  return draws;
}

const bool kDefined =
    Define<EltwiseCase>(spec::PRIM_049, "eltwise", SomeEltwise(600, EveryDirection()),
                        FunctionsAreNotMixedUp, {"other alpha", "other beta", "other algorithm"});

}  // namespace
}  // namespace conformance
