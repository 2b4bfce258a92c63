// ELT-022, ELT-030 to ELT-048, ELT-050, ELT-060: the result is what the formula says.
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "conformance/case/property.h"
#include "conformance/eltwise/cases.h"
#include "conformance/eltwise/run.h"
#include "spec/requirements.h"

namespace conformance {
namespace {

using spec::EltwiseAlgorithm;
using spec::Type;

void IsTheFormula(const EltwiseCase& c, Trial& trial) {
  const auto ran = Run(c, trial);
  if (ran) ExpectOracle(c, ran->source, ran->gradient, ran->result, trial);
}

// In one case of four.
bool IsOfAllImplementations(const EltwiseCase& c) {
  return c.values == EltwiseValues::kBinades || c.seed % 4 == 0;
}

// Of every implementation that is offered.
void IsTheFunction(const EltwiseCase& c, Trial& trial) {
  const auto ran = Run(c, trial);
  if (!ran || !ExpectOracle(c, ran->source, ran->gradient, ran->result, trial) ||
      !IsOfAllImplementations(c))
    return;
  ForOtherImplementations(c, *ran, trial,
                          [&](const std::string& what, const std::vector<spec::Bits>& result) {
                            return ExpectOracle(c, ran->source, ran->gradient, result, trial, what);
                          });
}

constexpr EltwiseDirection kForward = EltwiseDirection::kForward,
                           kBackward = EltwiseDirection::kBackward,
                           kByResult = EltwiseDirection::kBackwardByResult;
const std::vector<EltwiseValues> kFinite{EltwiseValues::kSmall, EltwiseValues::kSeams,
                                         EltwiseValues::kSeams, EltwiseValues::kWide};

EltwiseDraws Of(EltwiseAlgorithm algorithm, EltwiseDirection direction) {
  EltwiseDraws draws;
  draws.directions = {direction};
  draws.algorithms = {algorithm};
  draws.values = kFinite;
  draws.wide_parameters = true;
  // Powers of narrow types are ELT-061's and ELT-062's.
  if (algorithm == EltwiseAlgorithm::kPow) return draws;
  // Of f32 in three cases out of four.
  draws.types = {
      Type::kF32, Type::kF32, Type::kF32,  Type::kF32,
      Type::kF32, Type::kF32, Type::kBF16, direction == kForward ? Type::kF16 : Type::kBF16};
  return draws;
}

// Forward and backward of one algorithm.
bool DefineFunction(const spec::Requirement& requirement, EltwiseAlgorithm algorithm,
                    std::vector<std::string> classes = {}, const char* file = __builtin_FILE()) {
  Define<EltwiseCase>(requirement, "binades", EveryBinade({algorithm}, {kForward, kBackward}),
                      IsTheFunction, {}, file);
  Define<EltwiseCase>(requirement, "", AnyEltwise(Of(algorithm, kForward)), IsTheFunction, classes,
                      file);
  if (algorithm == EltwiseAlgorithm::kRound) return true;
  return Define<EltwiseCase>(requirement, "backward", AnyEltwise(Of(algorithm, kBackward)),
                             IsTheFunction, std::move(classes), file);
}

EltwiseDraws Slopes() {
  EltwiseDraws draws;
  draws.directions = {kForward, kBackward};
  draws.algorithms = {EltwiseAlgorithm::kRelu, EltwiseAlgorithm::kElu};
  return draws;
}

EltwiseDraws ByResult() {
  EltwiseDraws draws;
  draws.directions = {kByResult};
  draws.values = {EltwiseValues::kSmall, EltwiseValues::kSmall, EltwiseValues::kSeams,
                  EltwiseValues::kWide};
  draws.wide_parameters = true;
  draws.types = {Type::kF32, Type::kF32, Type::kF32, Type::kBF16};
  return draws;
}

EltwiseDraws Special(std::vector<EltwiseDirection> directions) {
  EltwiseDraws draws;
  draws.directions = std::move(directions);
  draws.values = {EltwiseValues::kSpecial};
  draws.short_only = true;
  return draws;
}

Cases<EltwiseCase> Core() { return Listed(EveryAlgorithm(19)); }

const std::vector<std::string> kWithAlpha{"alpha 0", "alpha below 0", "alpha above 1"};
const std::vector<std::string> kNamesOfAll = [] {
  std::vector<std::string> names;
  for (const EltwiseAlgorithm algorithm : spec::kEltwiseAlgorithms)
    names.emplace_back(spec::NameOf(algorithm));
  return names;
}();

const bool kDefined[] = {
    Define<EltwiseCase>(spec::ELT_022, "", AnyEltwise(Slopes()), IsTheFormula, kWithAlpha),
    DefineFunction(spec::ELT_030, EltwiseAlgorithm::kRelu, kWithAlpha),
    DefineFunction(spec::ELT_031, EltwiseAlgorithm::kTanh),
    DefineFunction(spec::ELT_032, EltwiseAlgorithm::kElu),
    DefineFunction(spec::ELT_033, EltwiseAlgorithm::kSquare),
    DefineFunction(spec::ELT_034, EltwiseAlgorithm::kAbs),
    DefineFunction(spec::ELT_035, EltwiseAlgorithm::kSqrt),
    DefineFunction(spec::ELT_036, EltwiseAlgorithm::kLinear),
    DefineFunction(spec::ELT_037, EltwiseAlgorithm::kBoundedRelu),
    DefineFunction(spec::ELT_038, EltwiseAlgorithm::kClip),
    DefineFunction(spec::ELT_039, EltwiseAlgorithm::kSoftRelu),
    DefineFunction(spec::ELT_040, EltwiseAlgorithm::kLogistic),
    DefineFunction(spec::ELT_041, EltwiseAlgorithm::kExp),
    DefineFunction(spec::ELT_042, EltwiseAlgorithm::kLog),
    DefineFunction(spec::ELT_043, EltwiseAlgorithm::kGeluTanh),
    DefineFunction(spec::ELT_044, EltwiseAlgorithm::kGeluErf),
    DefineFunction(spec::ELT_045, EltwiseAlgorithm::kSwish),
    DefineFunction(spec::ELT_046, EltwiseAlgorithm::kPow),
    DefineFunction(spec::ELT_047, EltwiseAlgorithm::kRound),
    Define<EltwiseCase>(spec::ELT_048, "", AnyEltwise(ByResult()), IsTheFunction,
                        {"relu", "tanh", "elu", "sqrt", "logistic", "exp"}),
    Define<EltwiseCase>(
        spec::ELT_048, "binades",
        EveryBinade({std::begin(spec::kEltwiseAlgorithms), std::end(spec::kEltwiseAlgorithms)},
                    {kByResult}),
        IsTheFunction, {"relu", "tanh", "elu", "sqrt", "logistic", "exp"}),
    Define<EltwiseCase>(spec::ELT_050, "", AnyEltwise(Special({kForward})), IsTheFormula,
                        kNamesOfAll),
    Define<EltwiseCase>(spec::ELT_050, "backward", AnyEltwise(Special({kBackward, kByResult})),
                        IsTheFormula, {"backward", "backward by dst"}),
    Define<EltwiseCase>(spec::ELT_060, "", Core(), IsTheFormula, kNamesOfAll),
    Define<EltwiseCase>(spec::ELT_060, "networks", NetworkEltwise(), IsTheFormula),
};

}  // namespace
}  // namespace conformance
