// CONV-080, CONV-081, CONV-092, CONV-094, CONV-095, CONV-100 to CONV-103, CONV-105, CONV-110 to
// CONV-114, CONV-119, PRIM-039: the result is what the formula says.
#include <string>
#include <utility>
#include <vector>

#include "conformance/case/property.h"
#include "conformance/convolution/cases.h"
#include "conformance/convolution/limits.h"
#include "conformance/convolution/run.h"
#include "conformance/subject/computation_checks.h"
#include "conformance/subject/computation_relations.h"
#include "spec/requirements.h"

namespace conformance {
namespace {

using spec::ConvolutionAxis;

const std::vector<std::string> kShapes{"rank 3",  "rank 4",  "rank 5",     "groups",  "depthwise",
                                       "strided", "dilated", "asymmetric", "any src", "any wei"};

// A gradient that is zero but in its corners, where taps lie in the padding.
void CornersAreNotFolded(const ConvolutionCase& c, Trial& trial) {
  ComputedData data = DataOf(c);
  const spec::Dims dims = c.DimsOf(kDst);
  for (size_t k = 0; k < data[kDst].size(); ++k) {
    const spec::Dims at = spec::Unravel(static_cast<int64_t>(k), dims);
    bool corner = true;
    for (size_t axis = 2; axis < dims.size(); ++axis)
      corner = corner && (at[axis] == 0 || at[axis] == dims[axis] - 1);
    if (!corner) data[kDst][k] = 0;
  }
  Cover(trial, c);
  const auto ran = Run(c, std::move(data), trial);
  if (ran) ExpectOracle(c, ran->data, ran->results, trial);
}

void GradientsWithAndWithoutBias(const ConvolutionCase& c, Trial& trial) {
  const auto with = Run(c, trial);
  if (!with) return;
  ConvolutionCase without = c;
  without.bias = false;
  const auto ran = Run(without, with->data, trial);
  if (!ran) return;
  ExpectSameResults(without, "without diff_bias", with->results, ran->results, trial);
}

ConvolutionLimits Of(std::vector<Direction> directions, Numbers numbers = Numbers::kIntegers,
                     int64_t count = 100) {
  ConvolutionLimits limits;
  limits.directions = std::move(directions);
  limits.numbers = {numbers};
  limits.count = count;
  return limits;
}

// Of all types but f32.
ConvolutionLimits OfNarrowTypes(Direction direction, int64_t count = 100) {
  ConvolutionLimits limits = Of({direction}, Numbers::kIntegers, count);
  limits.types = NarrowTypes(direction);
  return limits;
}

ConvolutionLimits Batches() {
  ConvolutionLimits limits = Of({kForward, kData}, Numbers::kIntegers, 60);
  limits.batches = {2, 3, 17};
  return limits;
}

ConvolutionLimits BatchesOfTypes() {
  ConvolutionLimits limits = OfEveryType({kForward, kData}, 200);
  limits.batches = Batches().batches;
  return limits;
}

ConvolutionLimits WithoutChains() {
  ConvolutionLimits limits = OfEveryType(EachDirection(), 160);
  limits.post_ops = false;
  return limits;
}

ConvolutionLimits Algorithms(int64_t count = 100) {
  ConvolutionLimits limits = Of(EachDirection(), Numbers::kFloats, count);
  limits.algorithms = {ConvolutionAlgorithm::kAuto, ConvolutionAlgorithm::kWinograd};
  return limits;
}

// 3 by 3, stride 1, of sizes with partial tiles, channels that fill vectors and that do not, unlike
// axes, and enough places and channels for `auto` to choose it; and what Winograd's algorithm is
// not for.
Cases<ConvolutionCase> Winograds() {
  std::vector<ConvolutionCase> cases;
  int64_t ways = 0;
  const auto add = [&](const ConvolutionCase& c) {
    for (ConvolutionCase& one : Presented(c, EachDirection())) {
      if (++ways % 2 == 0) continue;  // another for the next shape: nine is odd
      one.numbers = cases.size() % 2 == 0 ? Numbers::kFloats : Numbers::kIntegers;
      one.algorithm =
          cases.size() % 4 < 3 ? ConvolutionAlgorithm::kWinograd : ConvolutionAlgorithm::kAuto;
      one.seed = cases.size();
      cases.push_back(one);
    }
  };
  for (const int64_t size : {1, 2, 3, 5, 7, 13})
    for (const int64_t padding : {0, 1, 2})
      if (size + 2 * padding >= 3) {
        const ConvolutionAxis axis = Axis(size, 3, 1, padding, padding);
        add(ConvolutionOf(1 + size % 2, 1, 16, size == 7 ? 32 : 16, {axis, axis}));
      }
  for (const auto& [ic, oc] : {std::pair(1, 1), std::pair(3, 17), std::pair(40, 5),
                               std::pair(33, 20), std::pair(5, 70), std::pair(67, 33)})
    add(ConvolutionOf(3, 1, ic, oc, {Axis(6, 3, 1, 1, 0), Axis(9, 3, 1, 0, 2)}));
  add(ConvolutionOf(1, 1, 290, 9, {Axis(4, 3, 1, 1, 1), Axis(3, 3, 1, 2, 1)}));
  for (const auto& [ic, oc] : {std::pair(32, 36), std::pair(33, 32)}) {
    const ConvolutionCase c =
        ConvolutionOf(1, 1, ic, oc, {Axis(14, 3, 1, 1, 1), Axis(15, 3, 1, 1, 0)});
    for (ConvolutionCase& one : Presented(c, {ic == 32 ? kForward : kData})) {
      one.algorithm = ConvolutionAlgorithm::kAuto;
      one.seed = cases.size();
      cases.push_back(one);
    }
  }
  const ConvolutionAxis strided = Axis(9, 3, 2, 1, 1), dilated = Axis(9, 3, 1, 1, 1, 1),
                        usual = Axis(8, 3, 1, 1, 1), wide = Axis(8, 5, 1, 2, 2);
  add(ConvolutionOf(1, 1, 16, 16, {strided, strided}));
  add(ConvolutionOf(1, 1, 16, 16, {dilated, dilated}));
  add(ConvolutionOf(1, 1, 16, 16, {wide, wide}));
  add(ConvolutionOf(1, 1, 16, 16, {usual}));
  add(ConvolutionOf(1, 2, 16, 16, {usual, usual}));
  return Listed(std::move(cases));
}

// Up to 10^4 products for an element.
Cases<ConvolutionCase> Long() {
  std::vector<ConvolutionCase> cases;
  for (const int64_t channels : {112, 500, 1111, 10000})
    for (ConvolutionCase& c :
         Presented(ConvolutionOf(1, 1, channels, 3,
                                 {channels < 2000 ? Axis(3, 3, 1, 1, 0) : Axis(2, 1),
                                  channels < 2000 ? Axis(4, 3, 2, 0, 1) : Axis(1, 1)}),
                   EachDirection())) {
      c.numbers = cases.size() % 2 == 0 ? Numbers::kFloats : Numbers::kIntegers;
      c.seed = cases.size();
      cases.push_back(c);
    }
  return Listed(std::move(cases));
}

// Gradients of weights that are sums over more than 2^14 outputs, with few terms for each. Where a
// device bounds the rounds of a loop, a kernel has to count those for outputs besides those for
// terms.
Cases<ConvolutionCase> ManyOutputs() {
  return Listed(std::vector<ConvolutionCase>{
      Presented(ConvolutionOf(1, 1, 1, 2, {Axis(161, 2), Axis(163, 2)}), {kGradient}).back()});
}

// Strides above the kernel, more than 16 channels and rows that are narrow, as well.
void SetSparse(Random& random, ConvolutionCase* c) {
  if (random.Chance(30)) {
    c->groups = 1;
    c->ic = random.Between(17, 40);
    c->oc = random.Between(1, 4);
  }
  for (ConvolutionAxis& axis : c->axes) {
    const int64_t input = random.Between(1, 9), kernel = random.Between(1, 2);
    axis = Axis(input, kernel, random.Between(kernel + 1, 4));
    axis.padding_l = random.Between(0, axis.kernel - 1);
    if (axis.RightOutput() < 1) axis.padding_r = axis.kernel;
  }
}
bool IsSparse(const ConvolutionCase& c) {
  for (const ConvolutionAxis& axis : c.axes)
    if (axis.stride <= axis.kernel) return false;
  return true;
}

// More classes of places than kernels tell apart, few of which an output reaches.
Cases<ConvolutionCase> ManyStrides() {
  std::vector<ConvolutionCase> cases;
  for (const std::vector<ConvolutionAxis>& axes :
       {std::vector<ConvolutionAxis>{Axis(66, 2, 65), Axis(67, 1, 66)},
        {Axis(70, 3, 70, 1, 0), Axis(65, 2, 64, 0, 1)},
        {Axis(17, 1, 16), Axis(18, 2, 17), Axis(19, 1, 18)}})
    for (const int64_t channels : {1, 5})
      for (const ConvolutionCase& c :
           Presented(ConvolutionOf(1, 1, channels, 6 - channels, axes), {kData}))
        cases.push_back(c);
  return Listed(std::move(cases));
}

void SetPadded(Random& random, ConvolutionCase* c) {
  for (ConvolutionAxis& axis : c->axes) {
    const int64_t input = random.Between(2, 5), kernel = random.Between(2, 3);
    axis = Axis(input, kernel, random.Between(1, 2));
    axis.padding_l = random.Between(1, 2);
    axis.padding_r = random.Between(1, 2);
  }
  if (c->groups * c->ic * c->oc > 200) c->groups = 1;
  c->ic = std::min<int64_t>(c->ic, 9);
  c->oc = std::min<int64_t>(c->oc, 9);
}
bool IsPadded(const ConvolutionCase& c) {
  for (const ConvolutionAxis& axis : c.axes)
    if (axis.padding_l == 0 || axis.kernel == 1) return false;
  return true;
}

// Dilations and strides with common divisors, which leave places that nothing reaches; depthwise
// too.
void SetDilated(Random& random, ConvolutionCase* c) {
  if (random.Chance(40)) {
    c->grouped = true;
    c->groups = random.Between(2, 20);
    c->ic = c->oc = 1;
  }
  c->ic = std::min<int64_t>(c->ic, 9);
  c->oc = std::min<int64_t>(c->oc, 9);
  if (c->axes.size() > 2) c->axes.pop_back();
  for (ConvolutionAxis& axis : c->axes) {
    const int64_t kernel = random.Between(2, 3), dilation = random.Between(1, 3);
    const int64_t input = random.Between(1, 8), stride = random.Between(2, 3);
    const int64_t padding_l = random.Between(0, 3), padding_r = random.Between(0, 3);
    axis = Axis(input, kernel, stride, padding_l, padding_r, dilation);
    const int64_t reach = 1 + (kernel - 1) * (dilation + 1);
    axis.input = std::max(axis.input, reach - axis.padding_l - axis.padding_r);
  }
}
bool IsDilated(const ConvolutionCase& c) {
  for (const ConvolutionAxis& axis : c.axes)
    if (axis.dilation == 0) return false;
  return true;
}

// Padding so wide that no tap meets the source in all outputs.
Cases<ConvolutionCase> WidelyPadded() {
  std::vector<ConvolutionCase> cases;
  const ConvolutionAxis wide = Axis(4, 2, 1, 3, 3);
  for (const std::vector<ConvolutionAxis>& axes : {std::vector<ConvolutionAxis>{wide},
                                                   {Axis(3, 2), wide},
                                                   {Axis(3, 2), wide, Axis(3, 1)},
                                                   {wide, Axis(3, 1), Axis(2, 1)}})
    for (const int64_t channels : {3, 17, 34, 70, 131}) {
      ConvolutionCase c = ConvolutionOf(2, 1, 2, channels, axes);
      c.bias = true;
      c.seed = cases.size();
      for (const ConvolutionCase& one : Presented(c, {kGradient})) cases.push_back(one);
    }
  return Listed(std::move(cases));
}

// Of each combination of types.
Cases<ConvolutionCase> BiasGradientsOfThreads() {
  std::vector<Types> all = FloatTypes(kGradient);
  all.push_back(ConvolutionLimits().types[0]);
  return Listed(OfEach(all, ThreadedConvolutions({kGradient})));
}

const bool kDefined[] = {
    Define<ConvolutionCase>(spec::CONV_080, "panels", PanelConvolutions({Direction::kForward}),
                            IsTheFormula),
    Define<ConvolutionCase>(spec::CONV_080, "",
                            AnyConvolution(Of({kForward}, Numbers::kIntegers, 400)), IsTheFormula,
                            kShapes),
    Define<ConvolutionCase>(
        spec::CONV_080, "groups", GroupConvolutions({kForward}), IsTheFormula,
        {"odd groups", "even groups", "large image of groups", "padded by two"}),
    Define<ConvolutionCase>(spec::CONV_080, "wide", WideConvolutions({kForward}), IsTheFormula,
                            {"many inputs", "many outputs"}),
    Define<ConvolutionCase>(spec::CONV_080, "uneven", UnevenKernels({kForward}), IsTheFormula,
                            {"uneven kernel", "depthwise"}),
    Define<ConvolutionCase>(spec::CONV_080, "strides", UnlikeStrides({kForward}, false),
                            IsTheFormula, {"unlike strides", "groups"}),
    Define<ConvolutionCase>(spec::CONV_080, "pictures", LargePictures({kForward}), IsTheFormula),
    Define<ConvolutionCase>(spec::CONV_100, "pictures", LargePictures({kData}), IsTheFormula),
    Define<ConvolutionCase>(spec::CONV_110, "pictures", LargePictures({kGradient}), IsTheFormula),
    Define<ConvolutionCase>(spec::CONV_110, "outputs", ManyOutputs(), IsTheFormula, {"long"}),
    Define<ConvolutionCase>(spec::CONV_080, "threads", ThreadedConvolutions({kForward}),
                            IsTheFormula),
    Define<ConvolutionCase>(spec::CONV_080, "types", AnyConvolution(OfNarrowTypes(kForward, 200)),
                            IsTheFormula, {"bf16 src", "u8 src", "s8 src", "groups"}),
    Define<ConvolutionCase>(
        spec::CONV_080, "first-layers", AnyConvolution(OfFirstLayers(OfNarrowTypes(kForward, 150))),
        IsTheFormula, {"first layer", "rank 3", "rank 5", "u8 src", "s8 src", "any src"}),
    Define<ConvolutionCase>(spec::CONV_080, "listed", OfTypes(GroupConvolutions({kForward}), 50),
                            IsTheFormula, {"odd groups", "even groups", "sum", "eltwise"}),
    Define<ConvolutionCase>(spec::CONV_081, "", AnyConvolution(Of({kForward}, Numbers::kFloats)),
                            IsTheFormula),
    Define<ConvolutionCase>(spec::CONV_081, "long", Long(), IsTheFormula, {"long"}),
    Define<ConvolutionCase>(spec::CONV_092, "", AnyConvolution(Batches()), BatchIsItsRows),
    Define<ConvolutionCase>(spec::CONV_092, "types", AnyConvolution(BatchesOfTypes()),
                            BatchIsItsRows, {"sum", "eltwise"}),
    Define<ConvolutionCase>(spec::CONV_092, "first-layers",
                            AnyConvolution(OfFirstLayers(BatchesOfTypes())), BatchIsItsRows,
                            {"first layer", "rank 5", "u8 src", "s8 src"}),
    Define<ConvolutionCase>(spec::CONV_094, "", AnyConvolution(Algorithms()), IsTheFormula,
                            {"algorithm auto", "for winograd"}),
    Define<ConvolutionCase>(spec::CONV_095, "", Winograds(), RefusedOrRight),
    Define<ConvolutionCase>(spec::CONV_100, "panels", PanelConvolutions({Direction::kBackwardData}),
                            IsTheFormula),
    Define<ConvolutionCase>(spec::CONV_100, "",
                            AnyConvolution(Of({kData}, Numbers::kIntegers, 200)), IsTheFormula,
                            kShapes),
    Define<ConvolutionCase>(spec::CONV_100, "wide", WideConvolutions({kData}), IsTheFormula,
                            {"many inputs", "many outputs"}),
    Define<ConvolutionCase>(spec::CONV_100, "uneven", UnevenKernels({kData}), IsTheFormula,
                            {"uneven kernel", "depthwise"}),
    Define<ConvolutionCase>(spec::CONV_100, "strides", UnlikeStrides({kData}, false), IsTheFormula,
                            {"unlike strides", "groups"}),
    Define<ConvolutionCase>(spec::CONV_100, "threads", ThreadedConvolutions({kData}), IsTheFormula),
    Define<ConvolutionCase>(spec::CONV_100, "bound", AnyConvolution(Of({kData}, Numbers::kFloats)),
                            IsTheFormula),
    Define<ConvolutionCase>(spec::CONV_100, "types", AnyConvolution(OfNarrowTypes(kData)),
                            IsTheFormula, {"bf16 wei", "groups"}),
    Define<ConvolutionCase>(spec::CONV_100, "panels-of-types", OfTypes(PanelConvolutions({kData})),
                            IsTheFormula, {"bf16 wei"}),
    Define<ConvolutionCase>(spec::CONV_101, "", NetworkConvolutions(1, 3), BackwardDataIsAdjoint),
    Define<ConvolutionCase>(spec::CONV_102, "", Altered(Of({kData}), SetSparse, IsSparse),
                            IsTheFormula, {"stride beyond kernel"}),
    Define<ConvolutionCase>(spec::CONV_102, "types",
                            Altered(OfNarrowTypes(kData), SetSparse, IsSparse), IsTheFormula,
                            {"stride beyond kernel", "bf16 src"}),
    Define<ConvolutionCase>(spec::CONV_102, "far", ManyStrides(), IsTheFormula, {"many strides"}),
    Define<ConvolutionCase>(spec::CONV_102, "far-of-types", OfTypes(ManyStrides()), IsTheFormula,
                            {"many strides"}),
    Define<ConvolutionCase>(spec::CONV_103, "",
                            Altered(Of({kData}, Numbers::kIntegers, 60), SetPadded, IsPadded),
                            CornersAreNotFolded, {"padded"}),
    Define<ConvolutionCase>(spec::CONV_103, "types",
                            Altered(OfNarrowTypes(kData, 60), SetPadded, IsPadded),
                            CornersAreNotFolded, {"padded", "bf16 wei"}),
    Define<ConvolutionCase>(spec::CONV_105, "types",
                            Altered(OfNarrowTypes(kData), SetDilated, IsDilated), IsTheFormula,
                            {"depthwise", "dilated", "strided"}),
    Define<ConvolutionCase>(spec::CONV_105, "", Altered(Of({kData}), SetDilated, IsDilated),
                            IsTheFormula, {"depthwise", "dilated", "strided"}),
    Define<ConvolutionCase>(
        spec::CONV_105, "groups", GroupConvolutions({kData}), IsTheFormula,
        {"odd groups", "even groups", "large image of groups", "padded by two"}),
    Define<ConvolutionCase>(spec::CONV_110, "panels",
                            PanelConvolutions({Direction::kBackwardWeights}), IsTheFormula),
    Define<ConvolutionCase>(spec::CONV_110, "",
                            AnyConvolution(Of({kGradient}, Numbers::kIntegers, 200)), IsTheFormula,
                            kShapes),
    Define<ConvolutionCase>(
        spec::CONV_110, "groups", GroupConvolutions({kGradient}), IsTheFormula,
        {"odd groups", "even groups", "large image of groups", "padded by two"}),
    Define<ConvolutionCase>(spec::CONV_110, "wide", WideConvolutions({kGradient}), IsTheFormula,
                            {"many inputs", "many outputs"}),
    Define<ConvolutionCase>(spec::CONV_110, "uneven", UnevenKernels({kGradient}), IsTheFormula,
                            {"uneven kernel", "depthwise"}),
    Define<ConvolutionCase>(spec::CONV_110, "strides", UnlikeStrides({kGradient}, false),
                            IsTheFormula, {"unlike strides", "groups"}),
    Define<ConvolutionCase>(spec::CONV_110, "threads", ThreadedConvolutions({kGradient}),
                            IsTheFormula),
    Define<ConvolutionCase>(spec::CONV_110, "bound",
                            AnyConvolution(Of({kGradient}, Numbers::kFloats)), IsTheFormula),
    Define<ConvolutionCase>(spec::CONV_110, "types", AnyConvolution(OfNarrowTypes(kGradient)),
                            IsTheFormula, {"bf16 wei", "f32 wei", "groups"}),
    Define<ConvolutionCase>(spec::CONV_110, "panels-of-types",
                            OfTypes(PanelConvolutions({kGradient})), IsTheFormula, {"bf16 wei"}),
    Define<ConvolutionCase>(
        spec::CONV_111, "types",
        Altered(
            OfNarrowTypes(kGradient), [](Random&, ConvolutionCase* c) { c->bias = true; },
            [](const ConvolutionCase& c) { return c.bias; }),
        IsTheFormula, {"bf16 bias", "f32 bias", "tail of outputs"}),
    Define<ConvolutionCase>(spec::CONV_111, "", AnyConvolution(Of({kGradient})), IsTheFormula,
                            {"bias", "no bias", "tail of outputs"}),
    Define<ConvolutionCase>(spec::CONV_111, "padded", WidelyPadded(), IsTheFormula, {"bias"}),
    Define<ConvolutionCase>(spec::CONV_111, "threads", BiasGradientsOfThreads(), IsTheFormula,
                            {"bias", "many outputs", "bf16 bias", "f32 bias"}),
    Define<ConvolutionCase>(spec::CONV_112, "",
                            Altered(
                                Of({kGradient}, Numbers::kIntegers, 50),
                                [](Random&, ConvolutionCase* c) { c->bias = true; },
                                [](const ConvolutionCase& c) { return c.bias; }),
                            GradientsWithAndWithoutBias, {"bias"}),
    Define<ConvolutionCase>(
        spec::CONV_112, "types",
        Altered(
            OfNarrowTypes(kGradient, 50), [](Random&, ConvolutionCase* c) { c->bias = true; },
            [](const ConvolutionCase& c) { return c.bias; }),
        GradientsWithAndWithoutBias, {"bf16 bias", "f32 bias"}),
    Define<ConvolutionCase>(spec::CONV_113, "types", AnyConvolution(WithoutChains()),
                            OutputsAreOverwritten, {"bf16 dst", "u8 src", "bf16 wei"}),
    Define<ConvolutionCase>(spec::CONV_113, "",
                            AnyConvolution(Of(EachDirection(), Numbers::kIntegers)),
                            OutputsAreOverwritten,
                            {"forward", "backward data", "backward weights"}),
    Define<ConvolutionCase>(spec::CONV_113, "algorithms", AnyConvolution(Algorithms(50)),
                            OutputsAreOverwritten, {"for winograd"}),
    Define<ConvolutionCase>(spec::CONV_114, "", NetworkConvolutions(2, 3),
                            BackwardWeightsIsAdjoint),
    Define<ConvolutionCase>(spec::CONV_119, "",
                            AnyConvolution(Of({kGradient}, Numbers::kFloats, 50)),
                            RepeatedExecutionsAreEqual),
    Define<ConvolutionCase>(spec::CONV_119, "threads", ThreadedConvolutions({kGradient}),
                            RepeatedExecutionsAreEqual),
    Define<ConvolutionCase>(spec::CONV_119, "types", OfTypes(ThreadedConvolutions({kGradient})),
                            RepeatedExecutionsAreEqual, {"bf16 wei"}),
    Define<ConvolutionCase>(spec::PRIM_039, "convolutions", ThreadedConvolutions(EachDirection()),
                            RepeatedExecutionsAreEqual,
                            {"forward", "backward data", "backward weights"}),
};

}  // namespace
}  // namespace conformance
