#include "conformance/subject/sample.h"

#include <algorithm>

#include "conformance/subject/tensor.h"

namespace conformance {
namespace {

std::vector<const SampleKind*>& AddedKinds() {
  static auto* const kinds = new std::vector<const SampleKind*>;
  return *kinds;
}

}  // namespace

int SamplePlan::from_arg() const { return kind->from_arg; }

int SamplePlan::to_arg() const { return kind->to_arg; }

const TensorSpec* SamplePlan::TensorOf(int arg) const {
  if (arg == from_arg()) return &from;
  if (arg == to_arg()) return &to;
  for (const Input& input : others)
    if (input.arg == arg) return &input.tensor;
  return nullptr;
}

std::vector<spec::Bits> SamplePlan::Values(uint64_t seed) const {
  return kind->values(*this, from_arg(), seed);
}

std::vector<spec::Bits> SamplePlan::ValuesOf(const Input& input, uint64_t seed) const {
  return kind->values(*this, input.arg, seed);
}

std::vector<spec::Bits> SamplePlan::Results(
    const std::vector<std::vector<spec::Bits>>& inputs) const {
  return kind->results(*this, inputs);
}

std::unique_ptr<SampleOperation> SamplePlan::Operation() const {
  return kind->operation(*this, SampleDescs(*this));
}

SampleDescs::SampleDescs(const SamplePlan& plan)
    : from(MakeDesc(plan.from)), to(MakeDesc(plan.to)) {
  for (const SamplePlan::Input& input : plan.others) others.push_back(MakeDesc(input.tensor));
}

SampleKind ProductsKind(bool forward) {
  using spec::Type;
  SampleKind kind;
  kind.types = {Type::kF32, Type::kBF16};
  if (forward) {
    kind.types.insert(kind.types.end(), {Type::kF16, Type::kS8, Type::kU8});
    kind.scaled_axes = 1 << 1;
  } else {
    kind.from_arg = DNNL_ARG_DIFF_DST;
    kind.to_arg = DNNL_ARG_DIFF_SRC;
  }
  return kind;
}

SampleKind WeightsGradientKind() {
  SampleKind kind = ProductsKind(/*forward=*/false);
  kind.to_arg = DNNL_ARG_DIFF_WEIGHTS;
  return kind;
}

bool AddSample(SampleKind kind) {
  auto& kinds = AddedKinds();
  const auto at = std::find_if(kinds.begin(), kinds.end(), [&kind](const SampleKind* other) {
    return other->name > kind.name;
  });
  kinds.insert(at, new SampleKind(std::move(kind)));
  return true;
}

const std::vector<const SampleKind*>& SampleKinds() { return AddedKinds(); }

const SampleKind* SampleKindOf(const std::string& name) {
  for (const SampleKind* kind : AddedKinds())
    if (kind->name == name) return kind;
  return nullptr;
}

}  // namespace conformance
