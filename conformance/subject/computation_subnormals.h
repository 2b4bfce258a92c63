// Numbers near zero, of inner products and convolutions. A Case is as computation.h says.
#ifndef DNNSPEC_CONFORMANCE_SUBJECT_COMPUTATION_SUBNORMALS_H_
#define DNNSPEC_CONFORMANCE_SUBJECT_COMPUTATION_SUBNORMALS_H_

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "conformance/case/trial.h"
#include "conformance/gen/values.h"
#include "conformance/subject/computation.h"
#include "conformance/subject/expect.h"

namespace conformance {

// A single number of one of the two tensors that are multiplied is `number`, and no other of it is
// not 0: the first, the last or any, with either sign. The others are `other`.
template <class Case>
void OneNumberIsKept(const Case& c, float number, float other, Trial& trial) {
  //
  if (trial.portable()) return trial.NotRun("what is subnormal may be flushed");
  if (trial.engine() == EngineChoice::kGpu) return trial.NotRun("arithmetic on a device may flush");
  ComputedData data = DataOf(c);
  const bool first = c.seed % 2 == 0;
  const Role read = c.direction == Direction::kBackwardData ? kDst : kSrc;
  const Role factor = c.direction == Direction::kBackwardWeights ? kDst : kWeights;
  const Role small = first ? read : factor, large = first ? factor : read;
  for (spec::Bits& bits : data[large]) bits = BitsOf(c.uses[large].type, other);
  std::vector<spec::Bits>& numbers = data[small];
  numbers.assign(numbers.size(), 0);
  const size_t at[] = {numbers.size() - 1, 0, static_cast<size_t>(c.seed * 7919) % numbers.size()};
  numbers[at[c.seed / 2 % 3]] = BitsOf(c.uses[small].type, c.seed / 4 % 2 == 0 ? number : -number);
  if (c.bias && c.direction == Direction::kForward)
    for (spec::Bits& bits : data[kBias]) bits = 0;
  Cover(trial, c);
  const auto ran = Run(c, std::move(data), trial);
  if (ran) ExpectOracle(c, ran->data, ran->results, trial);
}

// It is subnormal, and what is made of it is not.
template <class Case>
void ASubnormalNumberIsKept(const Case& c, Trial& trial) {
  OneNumberIsKept(c, 0x1.8p-130f, 0x1p60f, trial);
}

// It is not, and what is made of it is: the only results that are not 0.
template <class Case>
void ASubnormalResultIsKept(const Case& c, Trial& trial) {
  OneNumberIsKept(c, 0x1p-70f, 0x1.8p-60f, trial);
}

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_SUBJECT_COMPUTATION_SUBNORMALS_H_
