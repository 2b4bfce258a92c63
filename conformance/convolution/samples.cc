// CONV-080, CONV-100, CONV-110: a sample of the results of convolutions that are too large to
// compare each.
#include <algorithm>
#include <string>
#include <vector>

#include "conformance/case/property.h"
#include "conformance/convolution/cases.h"
#include "conformance/convolution/run.h"
#include "conformance/subject/expect.h"
#include "spec/requirements.h"

namespace conformance {
namespace {

using spec::Dims;

constexpr int64_t kSample = 100;

// Elements of these dims: along each axis at the ends as often as in between, in order.
std::vector<int64_t> SampleOf(const Dims& dims, uint64_t seed) {
  Random random(Mix(seed ^ 0x5a3b1e));
  std::vector<int64_t> numbers{0, spec::ElementCount(dims) - 1};
  for (int64_t k = 0; k < kSample; ++k) {
    const bool inside = random.Chance(50);
    int64_t number = 0;
    for (const int64_t extent : dims) {
      const int64_t last = extent - 1;
      number = number * extent + (inside || random.Chance(50) ? random.Between(0, last)
                                                              : random.Pick({int64_t{0}, last}));
    }
    numbers.push_back(number);
  }
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  return numbers;
}

void SamplesAreTheFormula(const ConvolutionCase& c, Trial& trial) {
  const auto ran = Run(c, trial);
  if (!ran) return;
  const spec::Strictness strictness =
      trial.project() ? spec::Strictness::kProject : spec::Strictness::kPortable;
  for (const Role role : kRoles) {
    if (!c.Has(role) || !c.Writes(role)) continue;
    const spec::Type type = c.uses[role].type;
    const std::vector<int64_t> numbers = SampleOf(c.DimsOf(role), c.seed);
    const auto expected = ExpectedAt(c, role, ran->data, trial.profile(), numbers);
    for (size_t k = 0; k < numbers.size(); ++k) {
      const spec::Bits got = ran->results[role][static_cast<size_t>(numbers[k])];
      if (AcceptsElement(expected[k], type, got, strictness)) continue;
      return trial.Fail(ElementName(c.NameOf(role), c.DimsOf(role), numbers[k]),
                        ToString(expected[k], type, strictness), spec::ToString(type, got));
    }
  }
}

const bool kDefined[] = {
    Define<ConvolutionCase>(spec::CONV_080, "networks", NetworkSamples(Direction::kForward),
                            SamplesAreTheFormula,
                            {"groups", "depthwise", "strided", "dilated", "large batch",
                             "algorithm auto", "any src", "bf16 src", "u8 src"}),
    Define<ConvolutionCase>(spec::CONV_100, "networks", NetworkSamples(Direction::kBackwardData),
                            SamplesAreTheFormula,
                            {"groups", "depthwise", "strided", "large batch", "bf16 wei"}),
    Define<ConvolutionCase>(spec::CONV_110, "networks", NetworkSamples(Direction::kBackwardWeights),
                            SamplesAreTheFormula,
                            {"groups", "depthwise", "strided", "large batch", "bf16 wei"}),
};

}  // namespace
}  // namespace conformance
