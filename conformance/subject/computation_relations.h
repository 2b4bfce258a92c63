// Checks that inner product and convolution share, and that need no oracle: what results of several
// executions have to do with each other. A Case is as computation.h says, and has its extent mb.
#ifndef DNNSPEC_CONFORMANCE_SUBJECT_COMPUTATION_RELATIONS_H_
#define DNNSPEC_CONFORMANCE_SUBJECT_COMPUTATION_RELATIONS_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "conformance/case/random.h"
#include "conformance/case/trial.h"
#include "conformance/gen/computation.h"
#include "conformance/gen/computed_data.h"
#include "conformance/subject/computation.h"
#include "spec/memory/oracle.h"
#include "spec/numeric/convert.h"

namespace conformance {

// Elements [row * width, (row + 1) * width).
inline std::vector<spec::Bits> RowOf(const std::vector<spec::Bits>& elements, int64_t row,
                                     int64_t width) {
  const auto begin = elements.begin() + static_cast<std::ptrdiff_t>(row * width);
  return {begin, begin + static_cast<std::ptrdiff_t>(width)};
}

// Of f32 that are integers, and so are the sums.
inline std::vector<spec::Bits> SumOf(const std::vector<spec::Bits>& a,
                                     const std::vector<spec::Bits>& b) {
  constexpr spec::Type kF32 = spec::Type::kF32;
  std::vector<spec::Bits> sum;
  sum.reserve(a.size());
  for (size_t k = 0; k < a.size(); ++k)
    sum.push_back(
        BitsOfInteger(kF32, static_cast<int64_t>(NumberOf(kF32, a[k]) + NumberOf(kF32, b[k]))));
  return sum;
}

inline double Dot(const std::vector<spec::Bits>& a, const std::vector<spec::Bits>& b) {
  double sum = 0;  // of integers below 2^53
  for (size_t k = 0; k < a.size(); ++k)
    sum += NumberOf(spec::Type::kF32, a[k]) * NumberOf(spec::Type::kF32, b[k]);
  return sum;
}

// Forward and backward data: rows of the batch, each on its own.
template <class Case>
void BatchIsItsRows(const Case& c, Trial& trial) {
  const auto ran = Run(c, trial);
  if (!ran) return;
  Case one = c;
  one.mb = 1;
  for (const Role role : {kSrc, kDst})
    if (!one.uses[role].any) one.uses[role].layout = Plainest(one.DimsOf(role));
  const auto chosen = static_cast<int64_t>(Mix(c.seed) % static_cast<uint64_t>(c.mb));
  const auto row_of = [&](const std::vector<spec::Bits>& elements, Role role, int64_t row) {
    return RowOf(elements, row, spec::ElementCount(one.DimsOf(role)));
  };
  for (const int64_t row : {int64_t{0}, chosen, c.mb - 1}) {
    ComputedData data = ran->data;
    data[kSrc] = row_of(data[kSrc], kSrc, row);
    data[kDst] = row_of(data[kDst], kDst, row);
    const auto alone = Run(one, std::move(data), trial);
    if (!alone) return;
    ComputedData expected = ran->results;
    const Role role = c.forward() ? kDst : kSrc;
    expected[role] = row_of(expected[role], role, row);
    if (!ExpectSameResults(one, "of row " + std::to_string(row) + " alone", expected,
                           alone->results, trial))
      return;
  }
  if (c.mb == 1) trial.Vacuous();
}

// Forward, on integers.
template <class Case>
void ForwardIsLinear(const Case& c, Trial& trial) {
  Case other = c;
  other.seed = c.seed + kOtherContents;
  ComputedData second = DataOf(other);
  const auto a = Run(c, trial);
  if (!a) return;
  second[kWeights] = a->data[kWeights];
  ComputedData both = a->data;
  both[kSrc] = SumOf(a->data[kSrc], second[kSrc]);
  const auto b = Run(c, std::move(second), trial);
  if (!b) return;
  const auto sum = Run(c, std::move(both), trial);
  if (!sum) return;
  ComputedData expected;
  expected[kDst] = SumOf(a->results[kDst], b->results[kDst]);
  ExpectSameResults(c, "of a sum of two sources", expected, sum->results, trial);
}

// A forward without bias, and one of its backward directions by the same integers. `by` is what
// the gradient is of: kSrc or kWeights.
template <class Case>
void IsAdjoint(const Case& c, Role by, Trial& trial) {
  const auto forward = Run(c, trial);
  if (!forward) return;
  Case backward = c;
  backward.direction = by == kSrc ? Direction::kBackwardData : Direction::kBackwardWeights;
  ComputedData data = DataOf(backward);
  const std::vector<spec::Bits> diff_dst = data[kDst];
  const Role other = by == kSrc ? kWeights : kSrc;
  data[other] = forward->data[other];
  const auto gradient = Run(backward, std::move(data), trial);
  if (!gradient) return;
  const double expected = Dot(forward->results[kDst], diff_dst);
  const double got = Dot(forward->data[by], gradient->results[by]);
  trial.Expect(got == expected,
               by == kSrc ? "the sum of src by diff_src" : "the sum of weights by diff_weights",
               std::to_string(expected), std::to_string(got));
}

template <class Case>
void BackwardDataIsAdjoint(const Case& c, Trial& trial) {
  IsAdjoint(c, kSrc, trial);
}
template <class Case>
void BackwardWeightsIsAdjoint(const Case& c, Trial& trial) {
  IsAdjoint(c, kWeights, trial);
}

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_SUBJECT_COMPUTATION_RELATIONS_H_
