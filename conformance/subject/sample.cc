#include "conformance/subject/sample.h"

#include <algorithm>

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
