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
  // Of f32 in about three cases out of four.
  draws.types.assign(8, Type::kF32);
  draws.types.insert(draws.types.end(), 2, Type::kBF16);
  if (direction == kForward && algorithm != EltwiseAlgorithm::kRound)
    draws.types.back() = Type::kF16;
  return draws;
}

// Of integers, which conversion has to saturate; parameters are such as people have.
EltwiseDraws OfBytes(EltwiseAlgorithm algorithm) {
  EltwiseDraws draws;
  draws.algorithms = {algorithm};
  draws.types = {Type::kS8, Type::kU8};
  return draws;
}

// Forward and backward of one algorithm.
bool DefineFunction(const spec::Requirement& requirement, EltwiseAlgorithm algorithm,
                    std::vector<std::string> classes = {}, const char* file = __builtin_FILE()) {
  Define<EltwiseCase>(requirement, "binades", EveryBinade({algorithm}, {kForward, kBackward}),
                      ResultIsTheFunction, {}, file);
  Define<EltwiseCase>(requirement, "", AnyEltwise(Of(algorithm, kForward)), ResultIsTheFunction,
                      classes, file);
  if (algorithm == EltwiseAlgorithm::kRound) return true;
  Define<EltwiseCase>(requirement, "bytes", SomeEltwise(200, OfBytes(algorithm)),
                      ResultIsTheFunction, {}, file);
  return Define<EltwiseCase>(requirement, "backward", AnyEltwise(Of(algorithm, kBackward)),
                             ResultIsTheFunction, std::move(classes), file);
}

EltwiseDraws Slopes() {
  EltwiseDraws draws;
  draws.directions = {kForward, kBackward};
  draws.algorithms = {EltwiseAlgorithm::kRelu, EltwiseAlgorithm::kElu};
  draws.types = {Type::kF32, Type::kF32, Type::kF32, Type::kBF16, Type::kF16};
  draws.wide_parameters = true;
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

// Of floating-point types, and longer than vectors and what is done at once of them.
EltwiseDraws SpecialRows() {
  EltwiseDraws draws = Special({kForward, kForward, kBackward, kByResult});
  draws.short_only = false;
  draws.types = {Type::kF32, Type::kF32, Type::kBF16, Type::kBF16, Type::kF16};
  return draws;
}

// In dims and layouts of all sorts.
EltwiseDraws Everywhere() {
  EltwiseDraws draws;
  draws.directions = {kForward, kBackward, kByResult};
  draws.all_layouts = draws.own_gradient = draws.placements = true;
  // Others are ELT-070's.
  draws.min_rank = 2;
  draws.max_rank = 5;
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
    Define<EltwiseCase>(spec::ELT_022, "", AnyEltwise(Slopes()), ResultIsTheFunction, kWithAlpha),
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
    Define<EltwiseCase>(spec::ELT_048, "", AnyEltwise(ByResult()), ResultIsTheFunction,
                        {"relu", "tanh", "elu", "sqrt", "logistic", "exp"}),
    Define<EltwiseCase>(
        spec::ELT_048, "binades",
        EveryBinade({std::begin(spec::kEltwiseAlgorithms), std::end(spec::kEltwiseAlgorithms)},
                    {kByResult}),
        ResultIsTheFunction, {"relu", "tanh", "elu", "sqrt", "logistic", "exp"}),
    Define<EltwiseCase>(spec::ELT_050, "", AnyEltwise(Special({kForward})), ResultIsTheFunction,
                        kNamesOfAll),
    Define<EltwiseCase>(spec::ELT_050, "backward", AnyEltwise(Special({kBackward, kByResult})),
                        ResultIsTheFunction, {"backward", "backward by dst"}),
    Define<EltwiseCase>(spec::ELT_060, "", Core(), ResultIsTheFunction, kNamesOfAll),
    Define<EltwiseCase>(spec::ELT_050, "rows", SomeEltwise(800, SpecialRows()), ResultIsTheFunction,
                        {"f32", "bf16", "f16", "forward", "backward", "backward by dst"}),
    Define<EltwiseCase>(spec::ELT_060, "everywhere", SomeEltwise(800, Everywhere()),
                        ResultIsTheFunction, kNamesOfAll),
    Define<EltwiseCase>(spec::ELT_060, "networks", NetworkEltwise(), ResultIsTheFunction),
};

}  // namespace
}  // namespace conformance
