// CONV-081, CONV-100, CONV-120 to CONV-125: infinities, NaNs, numbers near zero, and large ones.
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "conformance/case/property.h"
#include "conformance/convolution/cases.h"
#include "conformance/convolution/limits.h"
#include "conformance/convolution/run.h"
#include "conformance/gen/values.h"
#include "conformance/subject/computation_checks.h"
#include "conformance/subject/computation_subnormals.h"
#include "spec/requirements.h"

namespace conformance {
namespace {

using spec::Bits;
using spec::ConvolutionAxis;
using spec::Type;

// The oracle. Portable: NaN is as good where what is special meets padding.
void ExpectSpecial(const ConvolutionCase& c, const ComputedData& data, const ComputedData& results,
                   Trial& trial) {
  for (const Role role : kRoles) {
    if (!c.Has(role) || !c.Writes(role)) continue;
    std::vector<ExpectedElement> expected = ExpectedOf(c, role, data, trial.profile());
    const std::vector<bool> meets = MeetsPadding(c, role, data);
    for (size_t k = 0; trial.portable() && k < expected.size(); ++k)
      if (meets[k] && std::isnan(NumberOf(c.uses[role].type, results[role][k])))
        expected[k].approx = {std::numeric_limits<double>::quiet_NaN(), 0};
    if (!ExpectElements(c, role, expected, results[role], trial)) return;
  }
}

void SpecialValuesFollowTheFormula(const ConvolutionCase& c, Trial& trial) {
  const auto ran = Run(c, trial);
  if (ran) ExpectSpecial(c, ran->data, ran->results, trial);
}

// One infinity or NaN in an element of the tensor; all else integers that are not 0.
void OneIsSpecial(const ConvolutionCase& c, Role role, Trial& trial) {
  ConvolutionCase integers = c;
  integers.numbers = Numbers::kIntegers;
  ComputedData data = DataOf(integers);
  if (data[role].empty()) return trial.Vacuous();
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  const float special[] = {kInfinity, -kInfinity, std::numeric_limits<float>::quiet_NaN()};
  const uint64_t chosen = Mix(c.seed);
  data[role][chosen % data[role].size()] = BitsOf(c.uses[role].type, special[chosen / 7 % 3]);
  for (const Role other : kRoles)
    if (other != role && !c.Writes(other))
      for (Bits& bits : data[other])
        if (bits == 0) bits = BitsOfInteger(c.uses[other].type, 1);
  Cover(trial, c);
  const auto ran = Run(c, std::move(data), trial);
  if (ran) ExpectSpecial(c, ran->data, ran->results, trial);
}

void SourcesReachTheirWindows(const ConvolutionCase& c, Trial& trial) {
  OneIsSpecial(c, kSrc, trial);
}
void WeightsReachTheirChannels(const ConvolutionCase& c, Trial& trial) {
  OneIsSpecial(c, kWeights, trial);
}
void BiasesReachTheirChannels(const ConvolutionCase& c, Trial& trial) {
  OneIsSpecial(c, kBias, trial);
}
void GradientsReachTheirPlaces(const ConvolutionCase& c, Trial& trial) {
  OneIsSpecial(c, kDst, trial);
}

// The number of the tap through which the one place is seen from the other, if it is.
std::optional<int64_t> TapBetween(const ConvolutionCase& c, const spec::Dims& src,
                                  const spec::Dims& dst) {
  if (src[0] != dst[0]) return std::nullopt;
  int64_t tap = 0;
  for (size_t i = 0; i < c.axes.size(); ++i) {
    const ConvolutionAxis& axis = c.axes[i];
    const int64_t step = axis.dilation + 1;
    const int64_t at = src[i + 2] + axis.padding_l - dst[i + 2] * axis.stride;
    if (at < 0 || at % step != 0 || at / step >= axis.kernel) return std::nullopt;
    tap = tap * axis.kernel + at / step;
  }
  return tap;
}

// Executes on `data`, and again with `value` as one element of what is read. `holds` is asked of
// each result: holds(its name, the number of the weight it meets the element with, if any, what it
// was, what it is now). All else are small integers, whose sums are less than a half off in any
// order. `c` has no groups.
template <class Holds>
void WithOneElement(const ConvolutionCase& c, Role read, float value, ComputedData data,
                    Holds holds, Trial& trial) {
  Cover(trial, c);
  const Role written = read == kSrc ? kDst : kSrc;
  const auto chosen = static_cast<int64_t>(Mix(c.seed) % data[read].size());
  const spec::Dims place = spec::Unravel(chosen, c.DimsOf(read)), dims = c.DimsOf(written);
  const auto before = Run(c, data, trial);
  if (!before) return;
  data[read][static_cast<size_t>(chosen)] = BitsOf(Type::kF32, value);
  const auto after = Run(c, std::move(data), trial);
  if (!after) return;
  const int64_t taps = c.Problem().taps();
  for (size_t k = 0; k < after->results[written].size(); ++k) {
    const auto number = static_cast<int64_t>(k);
    const spec::Dims at = spec::Unravel(number, dims);
    const spec::Dims &src = read == kSrc ? place : at, &dst = read == kSrc ? at : place;
    std::optional<int64_t> weight = TapBetween(c, src, dst);
    if (weight) *weight += (dst[1] * c.ic + src[1]) * taps;
    if (!holds(ElementName(c.NameOf(written), dims, number), weight,
               NumberOf(Type::kF32, before->results[written][k]),
               NumberOf(Type::kF32, after->results[written][k])))
      return;
  }
}

// An infinity is multiplied with one weight for each result, and added to what is finite.
void InfinitiesStayInfinities(const ConvolutionCase& c, Trial& trial) {
  ComputedData data = DataOf(c);
  for (Bits& bits : data[kWeights])
    if (bits == 0) bits = BitsOfInteger(Type::kF32, 1);
  const std::vector<Bits> weights = data[kWeights];
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  WithOneElement(
      c, kSrc, kInfinity, std::move(data),
      [&](const std::string& name, std::optional<int64_t> weight, double was, double is) {
        if (!weight)
          return trial.Expect(std::abs(is - was) < 1, name + ", whose window has no infinity",
                              std::to_string(was), std::to_string(is));
        const double by = NumberOf(Type::kF32, weights[static_cast<size_t>(*weight)]);
        return trial.Expect(is == by * kInfinity, name + ", whose window has an infinity",
                            std::to_string(by * kInfinity), std::to_string(is));
      },
      trial);
}

// An element that is much larger than all others, where the weight in the middle is 0: what does
// not see it, or through that one, is as it was.
template <Role read>
void LargeOnesAreNotMixedIn(const ConvolutionCase& c, Trial& trial) {
  ComputedData data = DataOf(c);
  const int64_t taps = c.Problem().taps();
  for (size_t k = 0; k < data[kWeights].size(); ++k)
    if (static_cast<int64_t>(k) % taps == taps / 2) data[kWeights][k] = 0;
  WithOneElement(
      c, read, 0x1p40f, std::move(data),
      [&](const std::string& name, std::optional<int64_t> weight, double was, double is) {
        if (weight && *weight % taps != taps / 2) return true;
        return trial.Expect(std::abs(is - was) < 1, name + ", which does not see a large element",
                            std::to_string(was), std::to_string(is));
      },
      trial);
}

// A NaN in a corner tap of the channels from `first` on, which the outputs of two borders meet in
// the padding alone.
void CornerTapsFrom(int64_t first, const ConvolutionCase& c, Trial& trial) {
  ComputedData data = DataOf(c);
  for (int64_t oc = first; oc < c.channels(); ++oc)
    data[kWeights][static_cast<size_t>(oc * c.terms())] =
        BitsOf(c.uses[kWeights].type, c.seed % 2 == 0 ? std::numeric_limits<float>::quiet_NaN()
                                                      : std::numeric_limits<float>::infinity());
  for (Bits& bits : data[kSrc])
    if (bits == 0) bits = BitsOf(c.uses[kSrc].type, 1);
  Cover(trial, c);
  const auto ran = Run(c, std::move(data), trial);
  if (ran) ExpectSpecial(c, ran->data, ran->results, trial);
}

void CornerTapsMeetPadding(const ConvolutionCase& c, Trial& trial) { CornerTapsFrom(0, c, trial); }

// Of the last channels alone: some of those before have finite sums in all places.
void LateCornerTapsMeetPadding(const ConvolutionCase& c, Trial& trial) {
  const auto last = static_cast<int64_t>(Mix(c.seed) % 3) + 1;
  CornerTapsFrom(std::max<int64_t>(0, c.channels() - last), c, trial);
}

// Zeros in the source where a weight is infinite. Portable: zero is as good as NaN.
void ZeroByInfinityIsNan(const ConvolutionCase& c, Trial& trial) {
  ComputedData data = DataOf(c);
  for (int64_t oc = 0; oc < c.channels(); ++oc)
    data[kWeights][static_cast<size_t>(oc * c.terms())] =
        BitsOf(c.uses[kWeights].type, std::numeric_limits<float>::infinity());
  for (size_t k = 0; k < data[kSrc].size(); ++k)
    if (Mix(c.seed + k) % 3 == 0) data[kSrc][k] = 0;
  Cover(trial, c);
  const auto ran = Run(c, data, trial);
  if (!ran || trial.project()) {
    if (ran) ExpectOracle(c, ran->data, ran->results, trial);
    return;
  }
  // Without the products of a zero.
  const std::vector<ExpectedElement> whole = ExpectedOf(c, kDst, data, trial.profile());
  ComputedData finite = data;
  for (int64_t oc = 0; oc < c.channels(); ++oc)
    finite[kWeights][static_cast<size_t>(oc * c.terms())] = 0;
  std::vector<ExpectedElement> expected = ExpectedOf(c, kDst, finite, trial.profile());
  for (size_t k = 0; k < whole.size(); ++k)
    if (std::isinf(whole[k].approx.value) ||
        std::isnan(NumberOf(c.uses[kDst].type, ran->results[kDst][k])))
      expected[k] = whole[k];
  ExpectElements(c, kDst, expected, ran->results[kDst], trial);
}

void SubnormalsAreWithinTheBound(const ConvolutionCase& c, Trial& trial) {
  //
  if (trial.engine() == EngineChoice::kGpu && trial.project())
    return trial.NotRun("arithmetic on a device may flush");
  ComputedData data = DataOf(c);
  const bool gradient = c.direction == kGradient;
  for (const Role role : {c.direction == kData ? kDst : kSrc, gradient ? kDst : kWeights})
    for (Bits& bits : data[role]) {
      const Type type = c.uses[role].type;
      bits = BitsOf(type, std::ldexp(static_cast<float>(NumberOf(type, bits)), -70));
    }
  if (c.bias && c.forward())
    for (Bits& bits : data[kBias]) bits = 0;
  Cover(trial, c);
  const auto ran = Run(c, std::move(data), trial);
  if (ran) ExpectOracle(c, ran->data, ran->results, trial);
}

// Of bf16: more channels and more numbers than are looked at together, or few of each.
Cases<ConvolutionCase> WithASubnormalNumber() {
  struct Shape {
    int64_t ic, oc, size, kernel;
  };
  constexpr Shape kShapes[] = {
      {40, 36, 6, 3}, {40, 8, 41, 3}, {261, 264, 5, 1}, {196, 40, 6, 1}, {40, 196, 6, 1}};
  std::vector<ConvolutionCase> cases;
  for (const Direction direction : EachDirection())
    for (const auto& [ic, oc, size, kernel] : kShapes)
      for (int i = 0; i < 6; ++i) {
        const ConvolutionAxis axis = Axis(size, kernel, 1, kernel / 2, kernel / 2);
        ConvolutionCase c = ConvolutionOf(1, 1, ic, oc, {axis, axis});
        c.direction = direction;
        for (TensorUse& use : c.uses) use.type = Type::kBF16;
        c.uses[direction == kForward ? kDst
               : direction == kData  ? kSrc
                                     : kWeights]
            .type = Type::kF32;
        c.bias = direction == kForward;
        c.SetAny(true);
        c.seed = cases.size();
        cases.push_back(std::move(c));
      }
  return Listed(std::move(cases));
}

// The same with results of bf16; and depthwise ones, where the number is in few windows alone.
Cases<ConvolutionCase> WithASubnormalResult() {
  Cases<ConvolutionCase> listed = WithASubnormalNumber();
  std::vector<ConvolutionCase> cases;
  Random random(0);
  for (int64_t i = 0; i < listed.count; ++i) {
    ConvolutionCase c = listed.at(i, random);
    for (TensorUse& use : c.uses) use.type = Type::kBF16;
    cases.push_back(std::move(c));
  }
  for (const int64_t groups : {16, 20, 64})
    for (const int64_t kernel : {3, 5})
      for (int i = 0; i < 6; ++i) {
        const ConvolutionAxis axis = Axis(13, kernel, 1 + i % 2, kernel / 2, kernel / 2);
        ConvolutionCase c = ConvolutionOf(1, groups, 1, 1, {axis, axis});
        for (TensorUse& use : c.uses) use.type = Type::kBF16;
        c.SetAny(true);
        c.seed = 2 * static_cast<uint64_t>(i) + 4 * cases.size();
        cases.push_back(std::move(c));
      }
  return Listed(std::move(cases));
}

ConvolutionLimits Of(std::vector<Direction> directions, Numbers numbers, int64_t count = 60) {
  ConvolutionLimits limits;
  limits.directions = std::move(directions);
  limits.numbers = {numbers};
  limits.most_products = 1 << 13;
  limits.count = count;
  return limits;
}

// Of the types narrower than f32.
ConvolutionLimits OfTypes(Direction direction) {
  ConvolutionLimits limits = Of({direction}, Numbers::kSpecial);
  limits.types = FloatTypes(direction);
  return limits;
}

// Of bf16 and f16.
ConvolutionLimits FloatsOf(Direction direction) {
  ConvolutionLimits limits = Of({direction}, Numbers::kIntegers);
  limits.types = FloatTypes(direction);
  return limits;
}

// Of bytes beside f32.
ConvolutionLimits WithBias() {
  ConvolutionLimits limits = Of({kForward}, Numbers::kIntegers, 80);
  for (const Type src : {Type::kU8, Type::kS8})
    limits.types.push_back({src, Type::kS8, Type::kF32, Type::kF32});
  limits.bias_percent = 100;
  return limits;
}

Cases<ConvolutionCase> Biased() {
  Cases<ConvolutionCase> cases = AnyConvolution(WithBias());
  cases.contains = [](const ConvolutionCase& c) { return c.bias && Fits(c, WithBias()); };
  return cases;
}

// 3 by 3 with a padding of 1, of many channels and few.
Cases<ConvolutionCase> Corners() {
  std::vector<ConvolutionCase> cases;
  const ConvolutionAxis axis = Axis(5, 3, 1, 1, 1);
  for (const int64_t channels : {1, 3, 8, 16, 17, 40})
    for (const int64_t groups : {1, 2})
      for (const std::vector<ConvolutionAxis>& axes :
           {std::vector<ConvolutionAxis>{axis}, {axis, axis}})
        for (const ConvolutionCase& c :
             Presented(ConvolutionOf(1, groups, channels, channels, axes), {kForward}))
          cases.push_back(c);
  return Listed(std::move(cases));
}

// The same of bf16, of channels that fill panels.
Cases<ConvolutionCase> Bf16Corners() {
  std::vector<ConvolutionCase> cases;
  const ConvolutionAxis axis = Axis(5, 3, 1, 1, 1);
  for (const int64_t channels : {16, 34, 48})
    for (ConvolutionCase& c :
         Presented(ConvolutionOf(1, 1, channels, channels, {axis, axis}), {kForward})) {
      for (const Role role : {kSrc, kWeights}) c.uses[role].type = Type::kBF16;
      for (const uint64_t seed : {0, 1}) {
        c.seed = seed;
        cases.push_back(c);
      }
    }
  return Listed(std::move(cases));
}

// Of more channels than are summed at once: of few that are read; of a short row, which is too
// little work for threads to share its channels; and of single taps with padding.
Cases<ConvolutionCase> ManyChannels() {
  struct Picture {
    int64_t mb, read;
    std::vector<ConvolutionAxis> axes;
  };
  const ConvolutionAxis three = Axis(9, 3, 1, 1, 1), single = Axis(10, 1, 1, 1, 1);
  std::vector<ConvolutionCase> cases;
  for (const auto& [mb, read, axes] :
       {Picture{1, 3, {three, three}}, Picture{1, 40, {Axis(5, 3, 1, 1, 1)}},
        Picture{2, 64, {single, single}}})
    for (const int64_t channels : {33, 72, 130})
      for (const Type type : {Type::kF32, Type::kBF16}) {
        ConvolutionCase c = ConvolutionOf(mb, 1, read, channels, axes);
        for (const Role role : {kSrc, kWeights}) c.uses[role].type = type;
        c.SetAny(true);
        c.seed = cases.size() / 2;
        cases.push_back(std::move(c));
      }
  return Listed(std::move(cases));
}

// What Winograd's algorithm is fast at, of the direct one: many places and channels.
Cases<ConvolutionCase> Squares(Direction direction) {
  return Listed(Presented(ConvolutionOf(1, 1, 32, 33, {Axis(14, 3, 1, 1, 1), Axis(15, 3, 1, 1, 1)}),
                          {direction}));
}

Cases<ConvolutionCase> Inside() {
  std::vector<ConvolutionCase> cases;
  for (const int64_t channels : {1, 3, 8, 16, 17, 40})
    for (ConvolutionCase& c :
         Presented(ConvolutionOf(1, 1, channels, channels, {Axis(5, 3), Axis(6, 2)}), {kForward})) {
      c.seed = cases.size();
      cases.push_back(c);
    }
  return Listed(std::move(cases));
}

const bool kDefined[] = {
    Define<ConvolutionCase>(spec::CONV_081, "unlike", Squares(kForward),
                            LargeOnesAreNotMixedIn<kSrc>),
    Define<ConvolutionCase>(spec::CONV_100, "unlike", Squares(kData), LargeOnesAreNotMixedIn<kDst>),
    Define<ConvolutionCase>(spec::CONV_121, "squares", Squares(kForward), InfinitiesStayInfinities),
    Define<ConvolutionCase>(spec::CONV_120, "", Corners(), CornerTapsMeetPadding, {"padded"}),
    Define<ConvolutionCase>(spec::CONV_120, "bf16", Bf16Corners(), CornerTapsMeetPadding),
    Define<ConvolutionCase>(spec::CONV_120, "late-channels", ManyChannels(),
                            LateCornerTapsMeetPadding, {"padded", "bf16 wei"}),
    Define<ConvolutionCase>(spec::CONV_120, "pictures", LargePictures({kForward}),
                            CornerTapsMeetPadding, {"padded"}),
    Define<ConvolutionCase>(spec::CONV_121, "pictures", LargePictures({kForward}),
                            SourcesReachTheirWindows),
    Define<ConvolutionCase>(spec::CONV_121, "",
                            AnyConvolution(Of({kForward, kGradient}, Numbers::kIntegers)),
                            SourcesReachTheirWindows, {"forward", "backward weights"}),
    Define<ConvolutionCase>(spec::CONV_122, "weights",
                            AnyConvolution(Of({kForward, kData}, Numbers::kIntegers)),
                            WeightsReachTheirChannels, {"forward", "backward data"}),
    Define<ConvolutionCase>(spec::CONV_122, "weights-of-panels",
                            PanelConvolutions({kForward, kData}), WeightsReachTheirChannels),
    Define<ConvolutionCase>(spec::CONV_122, "gradients-of-panels",
                            PanelConvolutions({kData, kGradient}), GradientsReachTheirPlaces),
    Define<ConvolutionCase>(spec::CONV_121, "forward-of-types", AnyConvolution(FloatsOf(kForward)),
                            SourcesReachTheirWindows, {"bf16 src", "f16 src"}),
    Define<ConvolutionCase>(spec::CONV_121, "panels-of-types",
                            OfFloats(PanelConvolutions({kForward, kGradient}), 60),
                            SourcesReachTheirWindows, {"bf16 src", "f16 src"}),
    Define<ConvolutionCase>(spec::CONV_122, "forward-of-types", AnyConvolution(FloatsOf(kForward)),
                            WeightsReachTheirChannels, {"bf16 wei", "f16 wei"}),
    Define<ConvolutionCase>(spec::CONV_122, "data-of-types", AnyConvolution(FloatsOf(kData)),
                            WeightsReachTheirChannels, {"bf16 wei"}),
    Define<ConvolutionCase>(spec::CONV_122, "gradients-of-types",
                            AnyConvolution(FloatsOf(kGradient)), GradientsReachTheirPlaces,
                            {"bf16 dst"}),
    Define<ConvolutionCase>(spec::CONV_122, "groups", GroupConvolutions({kForward, kData}),
                            WeightsReachTheirChannels, {"odd groups", "even groups"}),
    Define<ConvolutionCase>(spec::CONV_122, "bias", Biased(), BiasesReachTheirChannels),
    Define<ConvolutionCase>(spec::CONV_122, "gradients",
                            AnyConvolution(Of({kData, kGradient}, Numbers::kIntegers)),
                            GradientsReachTheirPlaces, {"backward data", "backward weights"}),
    Define<ConvolutionCase>(spec::CONV_123, "",
                            AnyConvolution(Of(EachDirection(), Numbers::kSpecial, 120)),
                            SpecialValuesFollowTheFormula, {"special"}),
    Define<ConvolutionCase>(spec::CONV_123, "forward", AnyConvolution(OfTypes(kForward)),
                            SpecialValuesFollowTheFormula, {"special", "f16 dst", "bf16 dst"}),
    Define<ConvolutionCase>(spec::CONV_123, "data", AnyConvolution(OfTypes(kData)),
                            SpecialValuesFollowTheFormula, {"special", "bf16 src"}),
    Define<ConvolutionCase>(spec::CONV_123, "weights", AnyConvolution(OfTypes(kGradient)),
                            SpecialValuesFollowTheFormula, {"special", "bf16 wei"}),
    Define<ConvolutionCase>(spec::CONV_124, "", Inside(), ZeroByInfinityIsNan),
    Define<ConvolutionCase>(spec::CONV_124, "types", OfFloats(Inside(), 60), ZeroByInfinityIsNan,
                            {"bf16 wei", "f16 wei"}),
    Define<ConvolutionCase>(spec::CONV_125, "", AnyConvolution(Of({kForward}, Numbers::kIntegers)),
                            SubnormalsAreWithinTheBound),
    Define<ConvolutionCase>(spec::CONV_125, "bf16",
                            OfFloats(PanelConvolutions(EachDirection()), 90),
                            SubnormalsAreWithinTheBound, {"bf16 wei", "backward weights"}),
    Define<ConvolutionCase>(spec::CONV_125, "one", WithASubnormalNumber(), ASubnormalNumberIsKept,
                            {"bf16 src", "backward data", "backward weights"}),
    Define<ConvolutionCase>(spec::CONV_125, "results", WithASubnormalResult(),
                            ASubnormalResultIsKept,
                            {"bf16 dst", "depthwise", "backward data", "backward weights"}),
};

}  // namespace
}  // namespace conformance
