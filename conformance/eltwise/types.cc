// ELT-061 to ELT-066: types other than f32.
#include <cmath>
#include <limits>
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

// And records which algorithms are offered.
void OfferedIsRight(const EltwiseCase& c, Trial& trial) {
  IsTheFormula(c, trial);
  trial.Record(std::string("eltwise ") + NameOf(c.direction) + " " + spec::NameOf(c.data.type) +
                   " " + spec::NameOf(c.function.algorithm),
               trial.result() == CaseResult::kNotRun ? "refused" : "accepted");
}

// Every element of 16 bits, in parts that the guards of memory suit.
Cases<EltwiseCase> AllOfType(Type type, std::vector<EltwiseDirection> directions, int64_t count) {
  std::vector<EltwiseCase> cases;
  for (EltwiseCase& c : EveryAlgorithm(count)) {
    bool wanted = false;
    for (const EltwiseDirection direction : directions) wanted = wanted || c.direction == direction;
    if (!wanted) continue;
    c.data.type = type;
    c.values = EltwiseValues::kEach;
    cases.push_back(std::move(c));
  }
  return Listed(std::move(cases));
}

EltwiseDraws Of(std::vector<Type> types, std::vector<EltwiseDirection> directions,
                std::vector<EltwiseAlgorithm> algorithms = {}) {
  EltwiseDraws draws;
  draws.types = std::move(types);
  draws.directions = std::move(directions);
  draws.algorithms = std::move(algorithms);
  return draws;
}

// Elements that do not lie side by side pass other code, and in large tensors.
EltwiseDraws InLayouts(EltwiseDraws draws) {
  draws.all_layouts = draws.own_gradient = true;
  draws.min_rank = 2;
  draws.max_rank = 6;
  return draws;
}

Cases<EltwiseCase> Bytes() {
  std::vector<EltwiseCase> cases;
  for (const Type type : {Type::kS8, Type::kU8}) {
    for (EltwiseCase& c : EveryAlgorithm(256)) {
      if (!c.forward()) continue;
      c.data.type = type;
      c.values = EltwiseValues::kEach;
      cases.push_back(c);
    }
    for (const spec::Eltwise& function :
         {spec::Eltwise{EltwiseAlgorithm::kRelu, 0.5f}, spec::Eltwise{EltwiseAlgorithm::kRelu, 0},
          spec::Eltwise{EltwiseAlgorithm::kRelu, -2},
          spec::Eltwise{EltwiseAlgorithm::kLinear, 2, 1},
          spec::Eltwise{EltwiseAlgorithm::kLinear, 0.5f, -0.25f}}) {
      EltwiseCase c = cases.back();
      c.function = function;
      cases.push_back(c);
    }
  }
  return Listed(std::move(cases));
}

// The parameters are NaN.
Cases<EltwiseCase> NanParameters() {
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  std::vector<EltwiseCase> cases;
  for (const Type type : {Type::kS32, Type::kS8, Type::kU8}) {
    for (const int64_t count : {1, 7, 16, 33, 100}) {
      for (const auto& [alpha, beta] :
           {std::pair(kNan, 0.0f), std::pair(1.0f, kNan), std::pair(kNan, kNan)}) {
        EltwiseCase c;
        c.function = {EltwiseAlgorithm::kLinear, alpha, beta};
        c.data = {type, {count}, Plainest({count})};
        c.seed = cases.size();
        cases.push_back(std::move(c));
      }
    }
  }
  return Listed(std::move(cases));
}

constexpr EltwiseDirection kForward = EltwiseDirection::kForward,
                           kBackward = EltwiseDirection::kBackward,
                           kByResult = EltwiseDirection::kBackwardByResult;
const std::vector<Type> kIntegers{Type::kS32, Type::kS8, Type::kU8};
const std::vector<std::string> kLayouts{"gapped", "region", "permuted"};

const bool kDefined[] = {
    Define<EltwiseCase>(spec::ELT_061, "each",
                        AllOfType(Type::kBF16, {kForward, kBackward, kByResult}, 65536),
                        IsTheFormula),
    Define<EltwiseCase>(spec::ELT_061, "",
                        SomeEltwise(1000, Of({Type::kBF16}, {kForward, kBackward, kByResult})),
                        IsTheFormula),
    Define<EltwiseCase>(
        spec::ELT_061, "layouts",
        SomeEltwise(600, InLayouts(Of({Type::kBF16}, {kForward, kBackward, kByResult}))),
        IsTheFormula, kLayouts),
    Define<EltwiseCase>(spec::ELT_062, "each", AllOfType(Type::kF16, {kForward}, 65536),
                        IsTheFormula),
    Define<EltwiseCase>(spec::ELT_062, "", SomeEltwise(1000, Of({Type::kF16}, {kForward})),
                        IsTheFormula),
    Define<EltwiseCase>(spec::ELT_062, "layouts",
                        SomeEltwise(300, InLayouts(Of({Type::kF16}, {kForward}))), IsTheFormula,
                        kLayouts),
    Define<EltwiseCase>(spec::ELT_063, "each", Bytes(), IsTheFormula, {"s8", "u8"}),
    Define<EltwiseCase>(spec::ELT_063, "", SomeEltwise(1000, Of(kIntegers, {kForward})),
                        OfferedIsRight, {"s32", "s8", "u8"}),
    Define<EltwiseCase>(spec::ELT_063, "layouts",
                        SomeEltwise(300, InLayouts(Of(kIntegers, {kForward}))), IsTheFormula,
                        kLayouts),
    Define<EltwiseCase>(spec::ELT_064, "",
                        SomeEltwise(1000, Of({Type::kS32}, {kForward},
                                             {EltwiseAlgorithm::kRelu, EltwiseAlgorithm::kLinear})),
                        IsTheFormula),
    Define<EltwiseCase>(spec::ELT_065, "", SomeEltwise(500, Of(kIntegers, {kBackward, kByResult})),
                        OfferedIsRight),
    Define<EltwiseCase>(spec::ELT_066, "", NanParameters(), IsTheFormula, {"s32", "s8", "u8"}),
};

}  // namespace
}  // namespace conformance
