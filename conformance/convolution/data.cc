#include "conformance/convolution/data.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "spec/convolution/oracle.h"
#include "spec/numeric/approx.h"

namespace conformance {
namespace {

using Reals = std::vector<double>;

// The inputs of a case as numbers.
struct Inputs {
  spec::Convolution problem;
  Reals src, weights, bias, dst;
  std::vector<float> scales;
};

// An element: of the batch or the channels of the output, of channels, of places.
struct Place {
  int64_t outer, inner, place;
};

Inputs InputsOf(const ConvolutionCase& c, const ComputedData& data) {
  const auto numbers = [&](Role role) { return NumbersOf(c.uses[role].type, data[role]); };
  Inputs in;
  in.problem = c.Problem();
  if (!c.Writes(kSrc)) in.src = numbers(kSrc);
  if (!c.Writes(kWeights)) in.weights = numbers(kWeights);
  if (c.forward()) in.bias = numbers(kBias);
  in.dst = numbers(kDst);
  in.scales = ScaleValues(c.attributes, c.channels(), c.seed);
  return in;
}

// Elements [begin, begin + count * step) in steps.
double Largest(const Reals& from, int64_t begin, int64_t count) {
  double largest = 0;
  for (int64_t k = begin; k < begin + count; ++k)
    largest = std::max(largest, std::abs(from[static_cast<size_t>(k)]));
  return largest;
}

double Magnitudes(const Reals& from, int64_t begin, int64_t count) {
  double sum = 0;
  for (int64_t k = begin; k < begin + count; ++k) sum += std::abs(from[static_cast<size_t>(k)]);
  return sum;
}

// How far Winograd's algorithm may be from an element of `channel` of the output, and for weights
// of `other` of the input (ORC-CONV). One group.
double Transformed(const ConvolutionCase& c, const Inputs& in, int64_t channel, int64_t other,
                   Profile profile) {
  const spec::Convolution& p = in.problem;
  const bool small_tiles = profile == Profile::kProject;
  const auto count = [](const Reals& all) { return static_cast<int64_t>(all.size()); };
  if (c.forward()) {
    const double kernels = Magnitudes(in.weights, channel * p.ic * p.taps(), p.ic * p.taps());
    return spec::WinogradBound(Largest(in.src, 0, count(in.src)), kernels, p.ic, small_tiles);
  }
  if (c.direction == Direction::kBackwardData) {
    double kernels = 0;
    for (int64_t oc = 0; oc < p.oc; ++oc)
      kernels += Magnitudes(in.weights, (oc * p.ic + other) * p.taps(), p.taps());
    return spec::WinogradBound(Largest(in.dst, 0, count(in.dst)), kernels, p.oc, small_tiles);
  }
  double kernels = 0, largest = 0;
  for (int64_t n = 0; n < p.n; ++n) {
    kernels += Magnitudes(in.dst, (n * p.oc + channel) * p.outputs(), p.outputs());
    largest = std::max(largest, Largest(in.src, (n * p.ic + other) * p.inputs(), p.inputs()));
  }
  return spec::WinogradBound(largest, kernels, p.n * p.outputs(), small_tiles);
}

spec::Approx Widened(spec::Approx sum, double by) {
  sum.error = std::max(sum.error, by);
  return sum;
}

ExpectedElement Forward(const ConvolutionCase& c, const Inputs& in, const Place& at, double loss) {
  const spec::Convolution& p = in.problem;
  const int64_t number = (at.outer * c.channels() + at.inner) * p.outputs() + at.place;
  const double old = in.dst[static_cast<size_t>(number)];
  spec::Approx sum;
  std::optional<spec::Approx> with_old;
  if (c.integral()) {
    sum = IntegerSum(
        spec::ConvolutionForward(p, in.src, in.weights, {}, at.outer, at.inner, at.place).value);
    if (c.bias) sum = sum + IntegerSum(in.bias[static_cast<size_t>(at.inner)]);
  } else {
    sum = spec::ConvolutionForward(p, in.src, in.weights, in.bias, at.outer, at.inner, at.place);
    if (const auto term = OldTerm(c.attributes, old))
      with_old = Widened(spec::ConvolutionForward(p, in.src, in.weights, in.bias, at.outer,
                                                  at.inner, at.place, term),
                         loss);
  }
  return FusedElement(c, Widened(sum, loss), in.scales, at.inner, old, with_old);
}

// Of kSrc in backward data, and of kWeights.
ExpectedElement Gradient(Role role, const Inputs& in, const Place& at, double loss) {
  const spec::Convolution& p = in.problem;
  const spec::Approx sum =
      role == kSrc
          ? spec::ConvolutionBackwardData(p, in.dst, in.weights, at.outer, at.inner, at.place)
          : spec::ConvolutionBackwardWeights(p, in.src, in.dst, at.outer, at.inner, at.place);
  return {Widened(sum, loss)};
}

bool AllFinite(const Reals& from, int64_t begin, int64_t count) {
  for (int64_t k = begin; k < begin + count; ++k)
    if (!std::isfinite(from[static_cast<size_t>(k)])) return false;
  return true;
}

}  // namespace

std::vector<ExpectedElement> ExpectedAt(const ConvolutionCase& c, Role role,
                                        const ComputedData& data, Profile profile,
                                        const std::vector<int64_t>& numbers) {
  const Inputs in = InputsOf(c, data);
  const spec::Convolution& p = in.problem;
  const int64_t inner = role == kDst ? c.channels() : role == kSrc ? c.groups * c.ic : c.ic;
  const int64_t places = role == kDst ? p.outputs() : role == kSrc ? p.inputs() : p.taps();
  // Of the same channels the loss is the same.
  int64_t row = -1;
  double loss = 0;
  std::vector<ExpectedElement> expected;
  expected.reserve(numbers.size());
  for (const int64_t number : numbers) {
    if (role == kBias) {
      expected.push_back({spec::ConvolutionBackwardBias(p, in.dst, number)});
      continue;
    }
    const Place at{number / places / inner, number / places % inner, number % places};
    if (c.may_be_winograd() && number / places != row) {
      row = number / places;
      loss = Transformed(c, in, role == kDst ? at.inner : at.outer, at.inner, profile);
    }
    expected.push_back(role == kDst ? Forward(c, in, at, loss) : Gradient(role, in, at, loss));
  }
  return expected;
}

std::vector<ExpectedElement> ExpectedOf(const ConvolutionCase& c, Role role,
                                        const ComputedData& data, Profile profile) {
  std::vector<int64_t> all(static_cast<size_t>(spec::ElementCount(c.DimsOf(role))));
  std::iota(all.begin(), all.end(), 0);
  return ExpectedAt(c, role, data, profile, all);
}

// All that a channel of the output has to do with, whatever tap it is: no bound is needed that is
// sharper, and where nothing is padded nothing meets padding.
std::vector<bool> MeetsPadding(const ConvolutionCase& c, Role role, const ComputedData& data) {
  const Inputs in = InputsOf(c, data);
  const spec::Convolution& p = in.problem;
  const auto padded = std::any_of(c.axes.begin(), c.axes.end(), [](const auto& axis) {
    return axis.padding_l > 0 || axis.padding_r > 0;
  });
  std::vector<bool> meets(data[role].size());
  if (!padded || role == kBias) return meets;
  if (role == kSrc) {
    meets.assign(meets.size(), !AllFinite(in.weights, 0, static_cast<int64_t>(in.weights.size())));
    return meets;
  }
  // Of each channel of the output.
  std::vector<bool> finite(static_cast<size_t>(c.channels()), true);
  for (int64_t oc = 0; oc < c.channels(); ++oc) {
    bool all = true;
    if (role == kDst) all = AllFinite(in.weights, oc * p.ic * p.taps(), p.ic * p.taps());
    for (int64_t n = 0; n < p.n && role == kWeights; ++n)
      all = all && AllFinite(in.dst, (n * c.channels() + oc) * p.outputs(), p.outputs());
    finite[static_cast<size_t>(oc)] = all;
  }
  const int64_t places = role == kDst ? p.outputs() : p.ic * p.taps();
  for (size_t k = 0; k < meets.size(); ++k)
    meets[k] = !finite[static_cast<size_t>(static_cast<int64_t>(k) / places % c.channels())];
  return meets;
}

}  // namespace conformance
