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

// And records which algorithms are offered.
void OfferedIsRight(const EltwiseCase& c, Trial& trial) {
  ResultIsTheFunction(c, trial);
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

// Results are NaN because parameters are, or because the function has none there; of elements side
// by side and apart.
Cases<EltwiseCase> NotANumber() {
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN(),
                  kInfinity = std::numeric_limits<float>::infinity();
  const spec::Eltwise functions[] = {{EltwiseAlgorithm::kLinear, kNan, 0},
                                     {EltwiseAlgorithm::kLinear, 1, kNan},
                                     {EltwiseAlgorithm::kLinear, kNan, kNan},
                                     {EltwiseAlgorithm::kLinear, kInfinity, 0},
                                     {EltwiseAlgorithm::kRelu, kNan, 0},
                                     {EltwiseAlgorithm::kElu, kNan, 0},
                                     {EltwiseAlgorithm::kSwish, kNan, 0},
                                     {EltwiseAlgorithm::kLog},
                                     {EltwiseAlgorithm::kSqrt},
                                     {EltwiseAlgorithm::kPow, 1, 0.5f}};
  std::vector<EltwiseCase> cases;
  for (const Type type : {Type::kS32, Type::kS8, Type::kU8}) {
    for (const char* data : {"1:a", "7:a", "16:a", "33:a", "100:a", "3x5:s11,2", "2x20:s41,2"}) {
      for (const spec::Eltwise& function : functions) {
        EltwiseCase c;
        c.function = function;
        c.data = *ParseTensor(std::string(spec::NameOf(type)) + ":" + data);
        c.seed = cases.size();
        cases.push_back(std::move(c));
      }
    }
  }
  return Listed(std::move(cases));
}

// So many elements that several threads share them, and an end that is no whole vector.
Cases<EltwiseCase> LargeOf(const std::vector<Type>& types,
                           const std::vector<EltwiseDirection>& directions) {
  std::vector<EltwiseCase> cases;
  for (const Type type : types) {
    for (const EltwiseDirection direction : directions) {
      EltwiseCase c;
      c.direction = direction;
      c.function = {EltwiseAlgorithm::kRelu, 0.5f};
      const int64_t count = (1 << 19) / spec::BytesOf(type) + 1037;
      c.data = {type, {count}, Plainest({count})};
      if (!c.forward()) c.gradient = c.data.layout;
      c.seed = cases.size() + 1;
      cases.push_back(std::move(c));
    }
  }
  return Listed(std::move(cases));
}

constexpr EltwiseDirection kForward = EltwiseDirection::kForward,
                           kBackward = EltwiseDirection::kBackward,
                           kByResult = EltwiseDirection::kBackwardByResult;
const std::vector<Type> kIntegers{Type::kS32, Type::kS8, Type::kU8};
// Of which the ends of s32 are not the results, or pass the ends.
const std::vector<EltwiseAlgorithm> kSaturating{EltwiseAlgorithm::kRelu, EltwiseAlgorithm::kLinear,
                                                EltwiseAlgorithm::kAbs, EltwiseAlgorithm::kSquare};
const std::vector<std::string> kLayouts{"gapped", "region", "permuted"};

const bool kDefined[] = {
    Define<EltwiseCase>(spec::ELT_061, "each",
                        AllOfType(Type::kBF16, {kForward, kBackward, kByResult}, 65536),
                        ResultIsTheFunction),
    Define<EltwiseCase>(spec::ELT_061, "",
                        SomeEltwise(1000, Of({Type::kBF16}, {kForward, kBackward, kByResult})),
                        ResultIsTheFunction),
    Define<EltwiseCase>(
        spec::ELT_061, "layouts",
        SomeEltwise(600, InLayouts(Of({Type::kBF16}, {kForward, kBackward, kByResult}))),
        ResultIsTheFunction, kLayouts),
    Define<EltwiseCase>(spec::ELT_061, "large", LargeOf({Type::kBF16}, {kForward, kBackward}),
                        ResultIsTheFunction, {"large"}),
    Define<EltwiseCase>(spec::ELT_062, "large", LargeOf({Type::kF16}, {kForward}),
                        ResultIsTheFunction, {"large"}),
    Define<EltwiseCase>(spec::ELT_063, "large", LargeOf(kIntegers, {kForward}), ResultIsTheFunction,
                        {"large"}),
    Define<EltwiseCase>(spec::ELT_062, "each", AllOfType(Type::kF16, {kForward}, 65536),
                        ResultIsTheFunction),
    Define<EltwiseCase>(spec::ELT_062, "", SomeEltwise(1000, Of({Type::kF16}, {kForward})),
                        ResultIsTheFunction),
    Define<EltwiseCase>(spec::ELT_062, "layouts",
                        SomeEltwise(300, InLayouts(Of({Type::kF16}, {kForward}))),
                        ResultIsTheFunction, kLayouts),
    Define<EltwiseCase>(spec::ELT_063, "each", Bytes(), ResultIsTheFunction, {"s8", "u8"}),
    Define<EltwiseCase>(spec::ELT_063, "", SomeEltwise(1000, Of(kIntegers, {kForward})),
                        OfferedIsRight, {"s32", "s8", "u8"}),
    Define<EltwiseCase>(spec::ELT_063, "layouts",
                        SomeEltwise(300, InLayouts(Of(kIntegers, {kForward}))), ResultIsTheFunction,
                        kLayouts),
    Define<EltwiseCase>(spec::ELT_064, "",
                        SomeEltwise(1000, Of({Type::kS32}, {kForward},
                                             {EltwiseAlgorithm::kRelu, EltwiseAlgorithm::kLinear})),
                        ResultIsTheFunction),
    Define<EltwiseCase>(spec::ELT_064, "functions", SomeEltwise(600, Of({Type::kS32}, {kForward})),
                        ResultIsTheFunction, {"square", "abs", "clip"}),
    Define<EltwiseCase>(spec::ELT_064, "layouts",
                        SomeEltwise(300, InLayouts(Of({Type::kS32}, {kForward}, kSaturating))),
                        ResultIsTheFunction, kLayouts),
    Define<EltwiseCase>(spec::ELT_065, "", SomeEltwise(500, Of(kIntegers, {kBackward, kByResult})),
                        OfferedIsRight),
    Define<EltwiseCase>(spec::ELT_066, "", NotANumber(), ResultIsTheFunction,
                        {"s32", "s8", "u8", "gapped", "log", "sqrt", "pow"}),
};

}  // namespace
}  // namespace conformance
