#include "conformance/model/cases.h"

#include <algorithm>

namespace conformance {
namespace {

// Small seeds draw nothing simpler, but are easier to read.
std::vector<uint64_t> SmallerSeeds(uint64_t seed) {
  std::vector<uint64_t> seeds;
  for (uint64_t smaller = 0; smaller < std::min<uint64_t>(seed, 20); ++smaller)
    seeds.push_back(smaller);
  return seeds;
}

}  // namespace

void FaultCase::Print(Fields* fields) const {
  fields->Set("call", call);
  fields->SetInt("seed", static_cast<int64_t>(seed));
}

FaultCase FaultCase::Parse(const Fields& fields) {
  return {fields.Text("call"), static_cast<uint64_t>(fields.Int("seed"))};
}

std::vector<FaultCase> FaultCase::Simpler() const {
  std::vector<FaultCase> cases;
  for (uint64_t smaller : SmallerSeeds(seed)) cases.push_back({call, smaller});
  return cases;
}

std::vector<SeedCase> SeedCase::Simpler() const {
  std::vector<SeedCase> cases;
  for (uint64_t smaller : SmallerSeeds(seed)) cases.push_back({smaller});
  return cases;
}

Cases<SeedCase> Seeds() {
  return {0, [](int64_t, Random& random) {
            return SeedCase{static_cast<uint64_t>(random.Between(0, 99999))};
          }};
}

}  // namespace conformance
