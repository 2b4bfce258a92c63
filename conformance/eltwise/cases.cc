#include "conformance/eltwise/cases.h"

#include <cmath>
#include <iterator>
#include <utility>

#include "conformance/gen/shapes.h"

namespace conformance {
namespace {

template <class All>
auto ByName(const Fields& fields, const char* key, const All& all) {
  using spec::NameOf;
  const std::string text = fields.Text(key);
  for (const auto& one : all)
    if (text == NameOf(one)) return one;
  fields.Reject(key, "is none of its names");
  return *std::begin(all);
}

constexpr EltwiseValues kAllValues[] = {EltwiseValues::kSmall,   EltwiseValues::kSeams,
                                        EltwiseValues::kSpecial, EltwiseValues::kWide,
                                        EltwiseValues::kEach,    EltwiseValues::kPositive,
                                        EltwiseValues::kSweep,   EltwiseValues::kBinades};

bool IsFarFromOne(float parameter) {
  const float size = std::abs(parameter);
  return size != 0 && std::isfinite(size) && (size < 0x1p-16f || size > 0x1p16f);
}

}  // namespace

const char* NameOf(EltwiseDirection direction) {
  switch (direction) {
    case EltwiseDirection::kForward:
      return "fwd";
    case EltwiseDirection::kBackward:
      return "bwd";
    case EltwiseDirection::kBackwardByResult:
      break;
  }
  return "bwd_dst";
}

const char* NameOf(EltwiseValues values) {
  constexpr const char* kNames[] = {"small", "seams",    "special", "wide",
                                    "each",  "positive", "sweep",   "binades"};
  return kNames[static_cast<int>(values)];
}

TensorSpec EltwiseCase::Output() const {
  return {data.type, data.dims, forward() ? data.layout : gradient};
}

void EltwiseCase::Print(Fields* fields) const {
  fields->Set("dir", NameOf(direction));
  fields->Set("alg", NameOf(function.algorithm));
  fields->SetFloat("alpha", function.alpha);
  fields->SetFloat("beta", function.beta);
  SetTensor(fields, "data", data);
  if (!forward()) fields->Set("grad", ToString(gradient));
  fields->Set("values", NameOf(values));
  SetPlacement(fields, "data_at", data_at);
  if (!forward()) SetPlacement(fields, "grad_at", gradient_at);
  SetPlacement(fields, "out_at", output_at);
  fields->SetInt("seed", static_cast<int64_t>(seed));
}

EltwiseCase EltwiseCase::Parse(const Fields& fields) {
  EltwiseCase c;
  c.direction = ByName(fields, "dir", kEltwiseDirections);
  c.function.algorithm = ByName(fields, "alg", spec::kEltwiseAlgorithms);
  c.function.alpha = fields.Float("alpha");
  c.function.beta = fields.Float("beta");
  if (c.by_result() && !spec::HasDerivativeByResult(c.function.algorithm))
    fields.Reject("alg", "has no backward by the destination");
  if (c.direction == EltwiseDirection::kBackward &&
      c.function.algorithm == spec::EltwiseAlgorithm::kRound)
    fields.Reject("alg", "has no backward");
  if (!IsLegal(c.function, c.by_result())) fields.Reject("alpha", "is out of range");
  c.data = GetTensor(fields, "data");
  if (!c.forward()) {
    const auto layout = ParseLayout(fields.Text("grad"));
    const bool fits = layout && Resolve(*layout, c.data.dims);
    if (!fits) fields.Reject("grad", "is no layout of the data's dims");
    c.gradient = fits ? *layout : c.data.layout;
    c.gradient_at = GetPlacement(fields, "grad_at");
  }
  c.values = ByName(fields, "values", kAllValues);
  c.data_at = GetPlacement(fields, "data_at");
  c.output_at = GetPlacement(fields, "out_at");
  c.seed = static_cast<uint64_t>(fields.Int("seed"));
  return c;
}

std::vector<EltwiseCase> EltwiseCase::Simpler() const {
  std::vector<EltwiseCase> simpler;
  const auto offer = [&](auto change) {
    simpler.push_back(*this);
    change(simpler.back());
  };
  for (const auto at : {&EltwiseCase::data_at, &EltwiseCase::gradient_at, &EltwiseCase::output_at})
    if (ToString(this->*at) != "mid") offer([&](EltwiseCase& c) { c.*at = {}; });
  for (const LayoutSpec& layout : PlainerLayouts(data.layout, data.dims)) {
    offer([&](EltwiseCase& c) { c.data.layout = c.gradient = layout; });
    offer([&](EltwiseCase& c) { c.data.layout = layout; });
  }
  if (!forward())
    for (const LayoutSpec& layout : PlainerLayouts(gradient, data.dims))
      offer([&](EltwiseCase& c) { c.gradient = layout; });
  for (const Cut& cut : Cuts(data.dims)) {
    offer([&](EltwiseCase& c) {
      c.data = CutTensor(data, cut);
      if (!forward()) c.gradient = CutTensor({data.type, data.dims, gradient}, cut).layout;
    });
  }
  if (data.type != spec::Type::kF32) offer([](EltwiseCase& c) { c.data.type = spec::Type::kF32; });
  if (values != EltwiseValues::kSmall)
    offer([](EltwiseCase& c) { c.values = EltwiseValues::kSmall; });
  if (seed != 0) offer([](EltwiseCase& c) { c.seed = 0; });
  return simpler;
}

spec::EltwiseResult ExpectedElement(const EltwiseCase& c, spec::Bits source, spec::Bits gradient,
                                    const spec::EltwiseLimits& limits) {
  const spec::Type type = c.data.type;
  if (c.forward()) return spec::EltwiseForward(c.function, type, source, limits);
  const float data = spec::Widen(type, source), dd = spec::Widen(type, gradient);
  spec::EltwiseLimits wider = limits;
  wider.half = type == spec::Type::kF16 && !limits.tight;
  return c.by_result() ? spec::EltwiseBackwardByResult(c.function, data, dd, wider)
                       : spec::EltwiseBackward(c.function, data, dd, wider);
}

bool IsLegal(const spec::Eltwise& function, bool by_result) {
  switch (function.algorithm) {
    case spec::EltwiseAlgorithm::kBoundedRelu:
      return function.alpha >= 0;
    case spec::EltwiseAlgorithm::kClip:
      return function.alpha <= function.beta;
    case spec::EltwiseAlgorithm::kRelu:
    case spec::EltwiseAlgorithm::kElu:
      return !by_result || function.alpha >= 0;
    default:
      return true;
  }
}

std::vector<std::string> ClassesOf(const EltwiseCase& c) {
  std::vector<std::string> classes = ClassesOf(c.data);
  for (std::string& name : ClassesOfShape(c.data.dims)) classes.push_back(std::move(name));
  classes.push_back(c.forward() ? "forward" : c.by_result() ? "backward by dst" : "backward");
  classes.push_back(spec::NameOf(c.function.algorithm));
  classes.push_back(NameOf(c.values));
  const auto add = [&classes](bool holds, const char* name) {
    if (holds) classes.push_back(name);
  };
  const spec::Eltwise& function = c.function;
  if (spec::HasAlpha(function.algorithm)) {
    add(function.alpha < 0, "alpha below 0");
    add(function.alpha == 0, "alpha 0");
    add(function.alpha > 1, "alpha above 1");
    add(IsFarFromOne(function.alpha), "alpha far from 1");
    add(spec::HasBeta(function.algorithm) && IsFarFromOne(function.beta), "beta far from 1");
  }
  add(!c.forward() && ToString(c.gradient) != ToString(c.data.layout), "layouts differ");
  add(spec::ElementCount(c.data.dims) >= 1000, "long");
  return classes;
}

}  // namespace conformance
