// CONV-031, CONV-033 to CONV-040, CONV-083, CONV-084, CONV-106, CONV-115, CONV-117, CONV-118,
// CONV-173, CONV-174: shapes at the edges of what there is, each by the formula. OPT-003 where
// there is nothing to compute.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "conformance/case/property.h"
#include "conformance/convolution/cases.h"
#include "conformance/convolution/limits.h"
#include "conformance/convolution/run.h"
#include "conformance/subject/attempt.h"
#include "conformance/subject/computation_checks.h"
#include "conformance/subject/computation_layouts.h"
#include "conformance/subject/expect.h"
#include "spec/requirements.h"

namespace conformance {
namespace {

using spec::Bits;
using spec::ConvolutionAxis;

// The formula, and nothing written beside it.
void IsTheFormulaInPlace(const ConvolutionCase& c, Trial& trial) {
  const auto ran = Run(c, trial);
  if (!ran) return;
  ExpectOracle(c, ran->data, ran->results, trial) && ran->bench->ExpectFootprint(trial);
}

// The descriptor's next implementations, after the first has run (PRIM-063).
void NextOnesRunAfterTheFirst(const ConvolutionCase& c, Trial& trial) {
  auto ran = Run(c, trial);
  if (!ran || !ExpectOracle(c, ran->data, ran->results, trial) ||
      !ran->bench->ExpectFootprint(trial))
    return;
  for (int i = 0; i < 3 && NextImplementation(&ran->pd); ++i) {
    const auto primitive = PrimitiveOf(ran->pd, trial);
    if (!primitive) return;
    const auto bench = BenchOf(c, ran->pd, *DeviceFor(trial));
    ComputedData data = DataOf(c);
    if (!bench->Fill(&data, trial) || !bench->Execute(*primitive, trial)) return;
    const auto results = bench->Read(trial);
    if (!results || !ExpectOracle(c, data, *results, trial) || !bench->ExpectFootprint(trial))
      return;
  }
}

class ShapeList {
 public:
  // With a bias where the direction has one.
  ShapeList& Add(ConvolutionCase c, const std::vector<Direction>& directions = EachDirection(),
                 bool bias = true) {
    c.bias = bias;
    c.seed = cases_.size();
    for (ConvolutionCase& one : Presented(c, directions)) cases_.push_back(std::move(one));
    return *this;
  }
  Cases<ConvolutionCase> Get() { return Listed(std::move(cases_)); }

 private:
  std::vector<ConvolutionCase> cases_;
};

ConvolutionCase Small(std::vector<ConvolutionAxis> axes) {
  return ConvolutionOf(2, 1, 3, 5, std::move(axes));
}

Cases<ConvolutionCase> Cropped() {
  return ShapeList()
      .Add(Small({Axis(6, 1, 2, 0, -1)}))
      .Add(Small({Axis(7, 3, 2, 1, -1), Axis(6, 2, 2, 0, -1)}))
      .Add(Small({Axis(9, 2, 3, 0, -2), Axis(5, 3, 1, 1, 1)}))
      .Add(Small({Axis(5, 1), Axis(6, 1, 3, 1, -2), Axis(4, 1, 2, 0, -1)}))
      .Get();
}

Cases<ConvolutionCase> EmptyBatches(const std::vector<Direction>& directions) {
  ShapeList shapes;
  const ConvolutionAxis axis = Axis(5, 3, 1, 1, 1);
  for (const std::vector<ConvolutionAxis>& axes :
       {std::vector<ConvolutionAxis>{axis}, {axis, axis}, {axis, axis, axis}})
    for (const int64_t groups : {1, 3})
      shapes.Add(ConvolutionOf(0, groups, 4, 8, axes), directions);
  return shapes.Get();
}

Cases<ConvolutionCase> EmptyInputs(bool relu) {
  ShapeList shapes;
  for (const bool bias : {true, false})
    shapes.Add(Small({Axis(0, 2, 1, 1, 1)}), {kForward}, bias)
        .Add(Small({Axis(0, 3, 1, 2, 2), Axis(4, 3, 1, 1, 1)}), {kForward}, bias)
        .Add(Small({Axis(4, 3, 1, 1, 1), Axis(0, 1, 1, 1, 2)}), {kForward}, bias);
  Cases<ConvolutionCase> cases = shapes.Get();
  if (!relu) return cases;
  return {cases.count,
          [cases](int64_t index, Random& random) {
            ConvolutionCase c = cases.at(index, random);
            c.attributes.post_ops = {{PostOp::kRelu, 1, 0, 0}};
            return c;
          },
          nullptr};
}

// The dilated kernel one larger than the padded input.
Cases<ConvolutionCase> NoOutputs(const std::vector<Direction>& directions) {
  ShapeList shapes;
  for (const int64_t stride : {1, 2, 3})
    shapes.Add(Small({Axis(2, 3, stride)}), directions)
        .Add(Small({Axis(3, 3, stride, 1, 0, 1), Axis(4, 5, stride)}), directions)
        .Add(Small({Axis(5, 3, 1, 1, 1), Axis(2, 4, stride, 0, 1)}), directions);
  return shapes.Get();
}

Cases<ConvolutionCase> LargeKernels() {
  return ShapeList()
      .Add(Small({Axis(2, 5, 1, 2, 2)}))
      .Add(Small({Axis(2, 5, 1, 2, 2), Axis(2, 5, 1, 2, 2)}))
      .Add(ConvolutionOf(1, 3, 2, 2, {Axis(1, 7, 2, 3, 4), Axis(3, 4, 1, 1, 0)}))
      .Add(Small({Axis(1, 3, 1, 1, 1), Axis(2, 5, 2, 2, 2), Axis(2, 3, 1, 1, 1)}))
      .Get();
}

Cases<ConvolutionCase> LargePaddings() {
  ShapeList shapes;
  for (const int64_t more : {0, 1, 2, 3})
    shapes.Add(Small({Axis(4, 3, 1, 3 + more, 3)}))
        .Add(Small({Axis(3, 2, 2, 2 + more, 2), Axis(4, 3, 1, 3, 3 + more)}))
        .Add(ConvolutionOf(1, 16, 1, 1, {Axis(3, 3, 1, 3 + more, 4), Axis(5, 3, 2, 4, 3)}))
        .Add(Small({Axis(4, 2, 1, 3 + more, 1, 1), Axis(1, 1, 1, 1 + more, 0)}));
  // Behind alone, up to where the last output sees padding and nothing else.
  for (const int64_t before : {0, 1, 2})
    for (const int64_t stride : {1, 2})
      for (const int64_t behind : {3, 4}) {
        const ConvolutionAxis far = Axis(5, 3, stride, before, behind);
        shapes.Add(ConvolutionOf(1, 17, 1, 1, {far, Axis(6, 3, stride, before, behind)}),
                   EachDirection(), before == 1);
        shapes.Add(ConvolutionOf(1, 32, 1, 1, {far, Axis(5, 3, stride, 1, 1)}), {kForward});
        shapes.Add(ConvolutionOf(1, 1, 9, 17, {Axis(5, 3, stride, 1, 1), far}), {kForward});
      }
  return shapes.Get();
}

Cases<ConvolutionCase> LargeStrides() {
  return ShapeList()
      .Add(Small({Axis(7, 3, 1000)}))
      .Add(Small({Axis(7, 2, 1000, 1, 0), Axis(9, 3, 5)}))
      .Add(ConvolutionOf(1, 1, 16, 16, {Axis(10, 1, 14), Axis(18, 1, 14)}))
      .Add(ConvolutionOf(2, 17, 1, 1, {Axis(9, 3, 7), Axis(8, 3, 9)}))
      .Add(Small({Axis(3, 1, 2), Axis(5, 2, 4), Axis(4, 1, 1000)}))
      .Add(ConvolutionOf(1, 1, 1, 2, {Axis(66, 2, 65), Axis(67, 1, 66)}))
      .Get();
}

Cases<ConvolutionCase> Asymmetric() {
  return ShapeList()
      .Add(Small({Axis(6, 3, 1, 2, 0)}))
      .Add(Small({Axis(6, 4, 1, 0, 3)}))
      .Add(Small({Axis(5, 3, 1, 0, 2), Axis(6, 4, 1, 3, 1)}))
      .Add(ConvolutionOf(1, 1, 17, 16, {Axis(5, 3, 2, 0, 1), Axis(6, 3, 2, 2, 0)}))
      .Add(ConvolutionOf(1, 9, 1, 1, {Axis(5, 3, 2, 0, 1), Axis(6, 5, 1, 4, 1)}))
      .Add(Small({Axis(3, 2, 1, 1, 0), Axis(4, 3, 2, 0, 2), Axis(5, 3, 1, 2, 1)}))
      .Get();
}

Cases<ConvolutionCase> Depthwise() {
  std::vector<ConvolutionCase> cases;
  for (int64_t channels = 1; channels <= 40; ++channels) {
    const int64_t kernel = channels % 2 == 0 ? 3 : 5, stride = channels % 4 < 2 ? 1 : 2;
    const ConvolutionAxis axis = Axis(6 + channels % 3, kernel, stride, kernel / 2, kernel / 2);
    ConvolutionCase c = ConvolutionOf(1, channels, 1, 1, {axis, axis});
    c.grouped = true;
    c.bias = true;
    c.ResetLayouts();
    const std::vector<ConvolutionCase> ways = Presented(c, EachDirection());
    for (size_t i = static_cast<size_t>(channels) % 2; i < ways.size(); i += 2)
      cases.push_back(ways[i]);
  }
  return Listed(std::move(cases));
}

Cases<ConvolutionCase> Multipliers() {
  ShapeList shapes;
  for (const int64_t multiplier : {2, 3})
    for (const int64_t groups : {2, 5, 8, 17})
      shapes.Add(ConvolutionOf(2, groups, 1, multiplier, {Axis(4, 3, 1, 1, 1), Axis(5, 2)}));
  return shapes.Get();
}

// Taps that reach padding alone.
Cases<ConvolutionCase> UnusedTaps() {
  return ShapeList()
      .Add(Small({Axis(2, 7, 1, 3, 3)}), {kGradient})
      .Add(Small({Axis(1, 5, 2, 4, 4), Axis(3, 3, 1, 3, 3)}), {kGradient})
      .Add(Small({Axis(1, 3, 5, 1, 1), Axis(1, 3, 5, 1, 1)}), {kGradient})
      .Add(ConvolutionOf(2, 24, 1, 1, {Axis(6, 3, 2, 1, 1), Axis(6, 3, 2, 1, 1)}), {kGradient})
      .Add(ConvolutionOf(1, 17, 1, 1, {Axis(1, 5, 1, 2, 2), Axis(2, 5, 2, 2, 2)}), {kGradient})
      .Add(Small({Axis(1, 3, 1, 1, 1), Axis(1, 3, 1, 1, 1), Axis(2, 3, 2, 2, 2)}), {kGradient})
      .Get();
}

Cases<ConvolutionCase> NarrowChannels() {
  std::vector<ConvolutionCase> cases;
  for (const int64_t ic : {2, 4, 6, 7}) {
    for (const int64_t oc : {8, 16}) {
      for (const int64_t batch : {2, 32}) {
        ConvolutionCase c =
            ConvolutionOf(batch, 1, ic, oc, {Axis(batch == 2 ? 9 : 4, 1, 2), Axis(4, 1, 2)});
        c.direction = kGradient;
        c.bias = ic != 4;
        SetChannelsLast(&c);
        c.seed = cases.size();
        cases.push_back(c);
      }
    }
  }
  return Listed(std::move(cases));
}

Cases<ConvolutionCase> FarKernels() {
  std::vector<ConvolutionCase> cases;
  for (const bool any : {true, false}) {
    ConvolutionCase c = ConvolutionOf(2, 1, 64, 1, {Axis(1, 125, 2, 63, 63), Axis(1, 1, 1, 0, 0)});
    SetChannelsLast(&c);
    c.uses[kWeights].any = any;
    if (any) c.uses[kWeights].layout = {};
    for (const Direction direction : EachDirection()) {
      c.direction = direction;
      cases.push_back(c);
    }
  }
  return Listed(std::move(cases));
}

// Dilation of one tap: the bits of none.
void DilationOfOneTapIsNone(const ConvolutionCase& c, Trial& trial) {
  const auto dense = Run(c, trial);
  if (!dense) return;
  ConvolutionCase dilated = c;
  for (ConvolutionAxis& axis : dilated.axes) axis.dilation = 100;
  const auto ran = Run(dilated, dense->data, trial);
  if (ran) ExpectSameResults(c, "with a dilation of 100", dense->results, ran->results, trial);
}

Cases<ConvolutionCase> OneByOne() {
  ConvolutionLimits limits;
  limits.every_type = limits.post_ops = true;
  limits.attributes_percent = 33;
  limits.count = 100;
  return Altered(
      limits,
      [](Random&, ConvolutionCase* c) {
        for (ConvolutionAxis& axis : c->axes)
          axis = Axis(axis.input, 1, axis.stride, axis.padding_l, axis.padding_r);
      },
      [](const ConvolutionCase& c) { return c.Problem().taps() == 1; });
}

// The same with each axis turned round: paddings, and the order of elements in the tensors.
std::vector<Bits> Mirrored(const std::vector<Bits>& elements, const spec::Dims& dims,
                           size_t first) {
  std::vector<Bits> mirrored(elements.size());
  for (size_t k = 0; k < elements.size(); ++k) {
    const spec::Dims at = spec::Unravel(static_cast<int64_t>(k), dims);
    int64_t number = 0;
    for (size_t axis = 0; axis < dims.size(); ++axis)
      number = number * dims[axis] + (axis < first ? at[axis] : dims[axis] - 1 - at[axis]);
    mirrored[static_cast<size_t>(number)] = elements[k];
  }
  return mirrored;
}

void MirrorsAreMirrored(const ConvolutionCase& c, Trial& trial) {
  const auto ran = Run(c, trial);
  if (!ran) return;
  const auto mirrored = [&](ComputedData data) {
    const size_t first = c.grouped ? 3 : 2;
    data[kSrc] = Mirrored(data[kSrc], c.DimsOf(kSrc), 2);
    data[kWeights] = Mirrored(data[kWeights], c.DimsOf(kWeights), first);
    data[kDst] = Mirrored(data[kDst], c.DimsOf(kDst), 2);
    return data;
  };
  ConvolutionCase other = c;
  for (ConvolutionAxis& axis : other.axes) std::swap(axis.padding_l, axis.padding_r);
  const auto turned = Run(other, mirrored(ran->data), trial);
  if (turned)
    ExpectSameResults(c, "of the mirrored convolution", mirrored(ran->results), turned->results,
                      trial);
}

// Of stride 1, so that the last step drops nothing.
Cases<ConvolutionCase> Mirrors() {
  ConvolutionLimits limits;
  limits.count = 60;
  limits.any_percent = 50;
  return Altered(
      limits,
      [](Random&, ConvolutionCase* c) {
        for (ConvolutionAxis& axis : c->axes) {
          axis.stride = 1;
          axis.input = std::min<int64_t>(axis.input, 6);
          const int64_t reach = 1 + (axis.kernel - 1) * (axis.dilation + 1);
          axis.input = std::max(axis.input, reach - axis.padding_l - axis.padding_r);
        }
      },
      [](const ConvolutionCase& c) {
        for (const ConvolutionAxis& axis : c.axes)
          if (axis.stride != 1 || axis.padding_r < 0) return false;
        return true;
      });
}

// Of 32 channels, with so many columns: 81 by 980 with a kernel of 21 by 11, or wider.
ConvolutionCase Unfolded(int64_t columns, bool any) {
  ConvolutionCase c = ConvolutionOf(1, 1, 32, 32, {Axis(81, 21), Axis(columns, 11)});
  c.mb = 32;
  c.SetAny(any);
  return c;
}

// As its columns are doubled, until an image unfolded has more than 2^32 elements, what an
// implementation wants as a scratchpad grows or stays: a number of bytes that has lost its high
// bits is smaller. The tensors themselves have less than 2^31 elements.
void ScratchpadsDoNotShrink(bool any, Device& device, Trial& trial) {
  size_t before = 0;
  for (int64_t columns = 980; columns <= 980 << 4; columns *= 2) {
    const ConvolutionCase c = Unfolded(columns, any);
    const auto descs = DescsFor(c, trial);
    if (!descs) return;
    Making<ConvolutionCase> making;
    making.user_scratchpad = true;
    auto pd = Attempt([&] { return MakePd(c, *descs, device.engine, making); });
    const std::string of = " of " + std::to_string(columns) + " columns";
    if (!pd) {
      trial.Expect(pd.refusal.MayBe(Refusal::kOutOfMemory), "a primitive descriptor" + of,
                   "created, or refused for want of memory", pd.refusal.ToString());
      return;
    }
    const size_t size = pd->With([](auto& one) { return one.scratchpad_desc().get_size(); });
    if (!trial.Expect(size >= before, "bytes of the scratchpad" + of,
                      std::to_string(before) + " or more, as of half the columns",
                      std::to_string(size)))
      return;
    before = size;
  }
}

// Created, or refused for want of memory alone.
void UnfoldedCopiesFit(const NoParameters&, Trial& trial) {
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  for (const bool any : {true, false}) {
    const ConvolutionCase c = Unfolded(980, any);
    const auto descs = DescsFor(c, trial);
    if (!descs) return;
    const auto made = Attempt([&] { return MakePd(c, *descs, device->engine).Primitive(); });
    if (!trial.Expect(made || made.refusal.MayBe(Refusal::kOutOfMemory), "the primitive",
                      "created, or refused for want of memory", made.refusal.ToString()))
      return;
    // Others may cut what is large into parts, or leave it to another implementation.
    if (trial.project()) ScratchpadsDoNotShrink(any, *device, trial);
  }
}

// What implementations may take for granted: places, outputs, a batch.
Cases<ConvolutionCase> EdgesOfEach() {
  std::vector<ConvolutionCase> cases;
  Random random(1);
  for (const Cases<ConvolutionCase>& some :
       {EmptyBatches(EachDirection()), EmptyInputs(false), NoOutputs(EachDirection()),
        LargeKernels(), LargeStrides(), Asymmetric(), UnusedTaps(), Multipliers()})
    // One of the ways in which each is presented.
    for (int64_t i = static_cast<int64_t>(cases.size()) % 2; i < some.count; i += 2)
      cases.push_back(some.at(i, random));
  return Listed(std::move(cases));
}

const bool kDefined[] = {
    Define<ConvolutionCase>(spec::CONV_163, "edges", EdgesOfEach(), EveryImplementationIsRight,
                            {"several implementations", "empty batch", "no outputs"}),
    Define<ConvolutionCase>(spec::CONV_031, "", Cropped(), IsTheFormula, {"cropped"}),
    Define<ConvolutionCase>(spec::CONV_033, "", EmptyBatches({kForward, kData}),
                            IsTheFormulaInPlace, {"forward", "backward data", "empty batch"}),
    Define<ConvolutionCase>(spec::CONV_033, "types", OfTypes(EmptyBatches({kForward, kData})),
                            IsTheFormulaInPlace, {"forward", "backward data", "empty batch"}),
    Define<ConvolutionCase>(spec::CONV_034, "types", OfTypes(EmptyInputs(false)),
                            IsTheFormulaInPlace, {"sum", "eltwise", "bf16 src", "u8 src"}),
    Define<ConvolutionCase>(spec::CONV_034, "", EmptyInputs(false), IsTheFormulaInPlace),
    Define<ConvolutionCase>(spec::CONV_034, "relu", EmptyInputs(true), IsTheFormulaInPlace),
    Define<ConvolutionCase>(spec::CONV_035, "", NoOutputs({kForward, kData}), IsTheFormulaInPlace,
                            {"no outputs", "forward", "backward data"}),
    Define<ConvolutionCase>(spec::CONV_035, "types", OfTypes(NoOutputs({kForward, kData})),
                            IsTheFormulaInPlace, {"no outputs", "forward", "backward data"}),
    Define<ConvolutionCase>(spec::CONV_036, "types", OfTypes(LargeKernels()), IsTheFormulaInPlace,
                            {"kernel beyond input"}),
    Define<ConvolutionCase>(spec::CONV_037, "types", OfTypes(LargePaddings(), 90),
                            IsTheFormulaInPlace, {"padded", "depthwise"}),
    Define<ConvolutionCase>(spec::CONV_038, "types", OfTypes(LargeStrides()), IsTheFormulaInPlace,
                            {"stride beyond kernel"}),
    Define<ConvolutionCase>(spec::CONV_040, "types", OfTypes(Asymmetric()), IsTheFormulaInPlace,
                            {"asymmetric"}),
    Define<ConvolutionCase>(spec::CONV_036, "", LargeKernels(), IsTheFormulaInPlace,
                            {"kernel beyond input"}),
    Define<ConvolutionCase>(spec::CONV_037, "", LargePaddings(), IsTheFormulaInPlace,
                            {"padded", "padded beyond behind", "depthwise"}),
    Define<ConvolutionCase>(spec::CONV_038, "", LargeStrides(), IsTheFormulaInPlace,
                            {"stride beyond kernel", "many strides"}),
    Define<ConvolutionCase>(spec::CONV_039, "", OneByOne(), DilationOfOneTapIsNone, {"one by one"}),
    Define<ConvolutionCase>(spec::CONV_040, "", Asymmetric(), IsTheFormulaInPlace, {"asymmetric"}),
    Define<ConvolutionCase>(spec::CONV_040, "mirrored", Mirrors(), MirrorsAreMirrored,
                            {"asymmetric"}),
    Define<ConvolutionCase>(
        spec::CONV_083, "", Depthwise(), IsTheFormula,
        {"depthwise", "strided", "forward", "backward data", "backward weights"}),
    Define<ConvolutionCase>(spec::CONV_083, "padded", PaddedDepthwise({kForward, kData}),
                            IsTheFormulaInPlace, {"depthwise", "asymmetric", "strided"}),
    Define<ConvolutionCase>(spec::CONV_083, "tall", TallDepthwise({kForward, kData}), IsTheFormula,
                            {"depthwise", "strided", "forward", "backward data"}),
    Define<ConvolutionCase>(spec::CONV_083, "wide", WideDepthwise({kForward, kData}), IsTheFormula,
                            {"depthwise", "strided", "forward", "backward data"}),
    Define<ConvolutionCase>(spec::CONV_083, "wide-of-types", OfTypes(WideDepthwise({kForward}), 30),
                            IsTheFormula, {"depthwise", "strided", "bf16 wei", "u8 src"}),
    Define<ConvolutionCase>(
        spec::CONV_083, "strides", UnlikeStrides(EachDirection(), true), IsTheFormula,
        {"depthwise", "unlike strides", "forward", "backward data", "backward weights"}),
    Define<ConvolutionCase>(spec::CONV_083, "types", OfTypes(Depthwise(), 80), IsTheFormula,
                            {"depthwise", "strided", "bf16 wei", "u8 src", "sum"}),
    Define<ConvolutionCase>(spec::CONV_083, "strides-of-types",
                            OfTypes(UnlikeStrides(EachDirection(), true), 50), IsTheFormula,
                            {"depthwise", "unlike strides", "bf16 wei", "u8 src"}),
    Define<ConvolutionCase>(spec::CONV_084, "types", OfTypes(Multipliers(), 50), IsTheFormula,
                            {"multiplier", "bf16 wei", "u8 src"}),
    Define<ConvolutionCase>(spec::CONV_084, "", Multipliers(), IsTheFormula, {"multiplier"}),
    Define<ConvolutionCase>(spec::CONV_106, "", NoOutputs({kData}), IsTheFormulaInPlace,
                            {"no outputs"}),
    Define<ConvolutionCase>(spec::CONV_106, "types", OfTypes(NoOutputs({kData})),
                            IsTheFormulaInPlace, {"no outputs", "bf16 src"}),
    Define<ConvolutionCase>(spec::CONV_115, "types", OfTypes(UnusedTaps()), IsTheFormulaInPlace,
                            {"depthwise", "bf16 wei"}),
    Define<ConvolutionCase>(spec::CONV_115, "", UnusedTaps(), IsTheFormulaInPlace, {"depthwise"}),
    Define<ConvolutionCase>(spec::PRIM_039, "convolutions-of-nothing",
                            EmptyBatches(EachDirection()), OutputsAreOverwritten,
                            {"backward weights", "empty batch"}),
    Define<ConvolutionCase>(spec::CONV_117, "batch", EmptyBatches({kGradient}), IsTheFormulaInPlace,
                            {"empty batch"}),
    Define<ConvolutionCase>(spec::CONV_117, "outputs", NoOutputs({kGradient}), IsTheFormulaInPlace,
                            {"no outputs"}),
    Define<ConvolutionCase>(spec::CONV_117, "batch-of-types", OfTypes(EmptyBatches({kGradient})),
                            IsTheFormulaInPlace, {"empty batch", "bf16 wei"}),
    Define<ConvolutionCase>(spec::CONV_117, "outputs-of-types", OfTypes(NoOutputs({kGradient})),
                            IsTheFormulaInPlace, {"no outputs", "bf16 wei"}),
    Define<ConvolutionCase>(spec::CONV_118, "types", OfTypes(NarrowChannels()), IsTheFormulaInPlace,
                            {"bf16 wei"}),
    Define<ConvolutionCase>(spec::CONV_118, "", NarrowChannels(), IsTheFormulaInPlace),
    Define<ConvolutionCase>(spec::CONV_173, "", FarKernels(), NextOnesRunAfterTheFirst),
    Define(spec::CONV_174, "", UnfoldedCopiesFit),
    Define<ConvolutionCase>(
        spec::OPT_003, "convolution", EmptyBatches(EachDirection()), ResolvedIsADescriptor,
        {"any src", "any wei", "any dst", "forward", "backward data", "backward weights"}),
    Define<ConvolutionCase>(spec::OPT_003, "convolution-without-outputs",
                            NoOutputs(EachDirection()), ResolvedIsADescriptor,
                            {"any dst", "no outputs"}),
};

}  // namespace
}  // namespace conformance
