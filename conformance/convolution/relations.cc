// CONV-011, CONV-013, CONV-015, CONV-071, CONV-082, CONV-085 to CONV-091, CONV-093, CONV-168: what
// results have to do with those of other convolutions.
#include <algorithm>
#include <limits>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "conformance/case/property.h"
#include "conformance/convolution/cases.h"
#include "conformance/convolution/limits.h"
#include "conformance/convolution/run.h"
#include "conformance/gen/values.h"
#include "conformance/subject/attempt.h"
#include "conformance/subject/computation_checks.h"
#include "conformance/subject/computation_relations.h"
#include "conformance/subject/expect.h"
#include "conformance/subject/reorder_io.h"
#include "spec/requirements.h"

namespace conformance {
namespace {

using dnnl::memory;
using spec::Bits;
using spec::ConvolutionAxis;
using spec::Type;

void OneGroupIsNone(const ConvolutionCase& c, Trial& trial) {
  const auto ran = Run(c, trial);
  if (!ran) return;
  ConvolutionCase other = c;
  other.grouped = true;
  other.ResetLayouts();
  const auto grouped = Run(other, ran->data, trial);
  if (grouped) ExpectSameResults(c, "as one group", ran->results, grouped->results, trial);
}

// Chunk number `chunk` of `chunks` in each of `rows` rows.
std::vector<Bits> ChunkOf(const std::vector<Bits>& elements, int64_t rows, int64_t chunks,
                          int64_t chunk) {
  std::vector<Bits> part;
  const auto width = static_cast<int64_t>(elements.size()) / std::max<int64_t>(1, rows * chunks);
  for (int64_t row = 0; row < rows; ++row)
    for (int64_t k = 0; k < width; ++k)
      part.push_back(elements[static_cast<size_t>((row * chunks + chunk) * width + k)]);
  return part;
}

void GroupsAreIndependent(const ConvolutionCase& c, Trial& trial) {
  const auto ran = Run(c, trial);
  if (!ran) return;
  if (c.groups == 1) trial.Vacuous();
  ConvolutionCase one = c;
  one.grouped = false;
  one.groups = 1;
  one.ResetLayouts();
  const auto part = [&](const ComputedData& data, int64_t group) {
    ComputedData of;
    for (const Role role : kRoles)
      if (c.Has(role))
        of[role] = ChunkOf(data[role], role == kSrc || role == kDst ? c.mb : 1, c.groups, group);
    return of;
  };
  for (int64_t group = 0; group < c.groups; ++group) {
    const auto alone = Run(one, part(ran->data, group), trial);
    if (!alone) return;
    ComputedData expected;
    for (const Role role : kRoles)
      if (c.Writes(role) && c.Has(role)) expected[role] = ran->results[role];
    if (!ExpectSameResults(one, "of group " + std::to_string(group) + " alone",
                           part(expected, group), alone->results, trial))
      return;
  }
}

// Weights that are zero but in one tap of each channel: the result is the source, moved.
void OneTapMovesTheSource(const ConvolutionCase& c, Trial& trial) {
  ComputedData data = DataOf(c);
  const int64_t width = c.terms();
  for (int64_t oc = 0; oc < c.channels(); ++oc) {
    const auto chosen = static_cast<int64_t>(Mix(c.seed * 64 + static_cast<uint64_t>(oc)) %
                                             static_cast<uint64_t>(width));
    for (int64_t k = 0; k < width; ++k)
      data[kWeights][static_cast<size_t>(oc * width + k)] =
          BitsOfInteger(c.uses[kWeights].type, k == chosen ? 1 : 0);
  }
  Cover(trial, c);
  const auto ran = Run(c, std::move(data), trial);
  if (ran) ExpectOracle(c, ran->data, ran->results, trial);
}

void UnitAxesChangeNothing(const ConvolutionCase& c, Trial& trial) {
  const auto ran = Run(c, trial);
  if (!ran) return;
  ConvolutionCase other = c;
  if (c.axes.size() == 3) return trial.Vacuous();
  while (other.axes.size() < 3) {
    other.axes.insert(other.axes.begin(), Axis(1, 1));
    other.ResetLayouts();
    const auto higher = Run(other, ran->data, trial);
    if (!higher || !ExpectSameResults(c, "with an axis more", ran->results, higher->results, trial))
      return;
  }
}

// The last axis of the source, moved by the stride with zeros behind.
void MovedSourcesMoveTheResult(const ConvolutionCase& c, Trial& trial) {
  const auto ran = Run(c, trial);
  if (!ran) return;
  ConvolutionAxis axis = c.axes.back();
  const int64_t width = axis.input, outputs = axis.RightOutput(), by = axis.stride;
  if (outputs < 2) return trial.Vacuous();
  ComputedData data = ran->data;
  for (size_t k = 0; k < data[kSrc].size(); ++k) {
    const auto at = static_cast<int64_t>(k) % width;
    data[kSrc][k] = at < by ? 0 : ran->data[kSrc][k - static_cast<size_t>(by)];
  }
  const auto moved = Run(c, std::move(data), trial);
  if (!moved) return;
  ComputedData expected = ran->results;
  for (size_t k = 0; k < expected[kDst].size(); ++k) {
    const auto at = static_cast<int64_t>(k) % outputs;
    // Where the first execution read what the second no longer sees, nothing is known.
    bool known = at > 0;
    for (int64_t tap = 0; known && tap < axis.kernel; ++tap)
      known = axis.Source(at, tap).has_value() || !axis.Source(at - 1, tap).has_value();
    expected[kDst][k] = known ? ran->results[kDst][k - 1] : moved->results[kDst][k];
  }
  ExpectSameResults(c, "of a source that was moved", expected, moved->results, trial);
}

// NaN in each place of the source that no tap reads.
void UnreadInputsDoNotMatter(const ConvolutionCase& c, Trial& trial) {
  ComputedData data = DataOf(c);
  const spec::Dims dims = c.DimsOf(kSrc);
  bool some = false;
  for (size_t k = 0; k < data[kSrc].size(); ++k) {
    const spec::Dims at = spec::Unravel(static_cast<int64_t>(k), dims);
    bool read = true;
    for (size_t i = 0; i < c.axes.size(); ++i) {
      const ConvolutionAxis& axis = c.axes[i];
      bool reached = false;
      for (int64_t o = 0; o < axis.RightOutput(); ++o)
        for (int64_t tap = 0; tap < axis.kernel; ++tap)
          reached = reached || axis.Source(o, tap) == at[2 + i];
      read = read && reached;
    }
    if (read) continue;
    some = true;
    data[kSrc][k] = BitsOf(c.uses[kSrc].type, std::numeric_limits<float>::quiet_NaN());
  }
  Cover(trial, c);
  if (!some) trial.Vacuous();
  ComputedData clean = DataOf(c);
  const auto ran = Run(c, std::move(data), trial);
  if (!ran) return;
  ExpectOracle(c, clean, ran->results, trial);
}

void LayoutsGiveTheSameBits(const ConvolutionCase& drawn, Trial& trial) {
  ConvolutionCase c = drawn;
  c.SetAny(false);
  const auto first = Run(c, trial);
  if (!first) return;
  for (int way = 0; way < 3; ++way) {
    ConvolutionCase other = c;
    if (way == 0) other.SetAny(true);
    if (way == 1) SetChannelsLast(&other);
    if (way == 2) {
      SetChannelsLast(&other);
      other.uses[kWeights].any = true;
    }
    const auto ran = Run(other, first->data, trial);
    const char* const names[] = {"as any", "with channels last", "with weights as any"};
    if (!ran || !ExpectSameResults(c, names[way], first->results, ran->results, trial)) return;
  }
}

// The vectors given to the operation descriptor are others before the primitive descriptor is made.
void VectorsAreCopied(const ConvolutionCase& c, Trial& trial) {
  const auto ran = Run(c, trial);
  if (!ran) return;
  Device& device = *DeviceFor(trial);
  const auto descs = DescsFor(c, trial);
  if (!descs) return;
  ComputationPd<ConvolutionCase> pd;
  pd.direction = c.direction;
  const auto made = Attempt([&] {
    ConvolutionNumbers numbers = NumbersOf(c);
    const auto spoil = [&numbers] {
      for (memory::dims* all :
           {&numbers.strides, &numbers.dilates, &numbers.padding_l, &numbers.padding_r})
        std::fill(all->begin(), all->end(), 77);
    };
    if (c.forward()) {
      const auto desc = MakeForwardDesc(numbers, dnnl::prop_kind::forward_training, *descs, c.bias);
      spoil();
      pd.forward = ConvolutionForward::primitive_desc(*desc, device.engine);
    } else if (c.direction == kData) {
      const auto desc = MakeDataDesc(numbers, *descs);
      spoil();
      pd.backward_data =
          ConvolutionBackwardData::primitive_desc(*desc, device.engine, HintFor(c, device.engine));
    } else {
      const auto desc = MakeWeightsDesc(numbers, *descs, c.bias);
      spoil();
      pd.backward_weights = ConvolutionBackwardWeights::primitive_desc(*desc, device.engine,
                                                                       HintFor(c, device.engine));
    }
  });
  if (!ExpectAccepted(trial, made, "the descriptor")) return;
  const auto primitive = PrimitiveOf(pd, trial);
  if (!primitive) return;
  const auto bench = BenchOf(c, pd, device);
  ComputedData data = ran->data;
  if (!bench->Fill(&data, trial) || !bench->Execute(*primitive, trial)) return;
  const auto results = bench->Read(trial);
  if (results) ExpectSameResults(c, "after the vectors changed", ran->results, *results, trial);
}

void BiasesTooManyDoNotMatter(const ConvolutionCase& c, Trial& trial) {
  const auto ran = Run(c, trial);
  if (!ran) return;
  Device& device = *DeviceFor(trial);
  memory bias({{c.channels()}, memory::data_type::f32, memory::format_tag::a}, device.engine);
  const std::vector<Bits> nans(static_cast<size_t>(c.channels()),
                               BitsOf(Type::kF32, std::numeric_limits<float>::quiet_NaN()));
  if (!WriteViaReorder(nans, Type::kF32, {c.channels()}, bias, device, trial)) return;
  auto arguments = ran->bench->Arguments();
  arguments.emplace(DNNL_ARG_BIAS, bias);
  const auto done = Attempt([&] {
    ran->primitive.execute(device.stream, arguments);
    device.stream.wait();
  });
  if (!done) {
    // Portable: an error is as good (PRIM-036).
    if (trial.project() || !done.refusal.is_error)
      trial.Fail("execution with a bias too many", "done", done.refusal);
    return;
  }
  const auto results = ran->bench->Read(trial);
  if (results) ExpectSameResults(c, "with a bias too many", ran->results, *results, trial);
}

// A kernel as large as the input: the primitive inner product, of the same elements.
void IsAnInnerProduct(const ConvolutionCase& c, Trial& trial) {
  const auto ran = Run(c, trial);
  if (!ran) return;
  if (!ExpectOracle(c, ran->data, ran->results, trial)) return;
  Device& device = *DeviceFor(trial);
  const auto plain = [](const spec::Dims& dims) {
    return MakeDesc({Type::kF32, dims, Plainest(dims)});
  };
  const spec::Dims dst_dims{c.mb, c.oc};
  const auto made = Attempt([&] {
    using Product = dnnl::inner_product_forward;
    const memory::desc src = plain(c.DimsOf(kSrc)), weights = plain(c.DimsOf(kWeights)),
                       bias = plain(c.DimsOf(kBias)), dst = plain(dst_dims);
    const auto kind = dnnl::prop_kind::forward_training;
    return Product::primitive_desc(c.bias ? Product::desc(kind, src, weights, bias, dst)
                                          : Product::desc(kind, src, weights, dst),
                                   device.engine);
  });
  if (!ExpectOffered(trial, made, "the inner product",
                     {"inner_product", "forward", {"f32"}, 4, {}}))
    return;
  const dnnl::inner_product_forward primitive(*made.value);
  memory src(made.value->src_desc(), device.engine), dst(made.value->dst_desc(), device.engine),
      weights(made.value->weights_desc(), device.engine),
      bias(plain(c.DimsOf(kBias)), device.engine);
  const auto write = [&](Role role, const memory& to) {
    return WriteViaReorder(ran->data[role], Type::kF32, c.DimsOf(role), to, device, trial);
  };
  if (!write(kSrc, src) || !write(kWeights, weights) || (c.bias && !write(kBias, bias))) return;
  std::unordered_map<int, memory> arguments{
      {DNNL_ARG_SRC, src}, {DNNL_ARG_WEIGHTS, weights}, {DNNL_ARG_DST, dst}};
  if (c.bias) arguments.emplace(DNNL_ARG_BIAS, bias);
  primitive.execute(device.stream, arguments);
  device.stream.wait();
  auto read = ReadViaReorder(dst, Type::kF32, dst_dims, device, trial);
  if (!read) return;
  ComputedData expected;
  expected[kDst] = std::move(*read);
  ExpectSameResults(c, "beside the inner product", expected, ran->results, trial);
}

// Portable: bits may differ between what two kinds choose (CONV-169).
void FloatsOfTrainingAreThoseOfInference(const ConvolutionCase& c, Trial& trial) {
  if (trial.portable()) return trial.NotRun("the bits of floats may differ");
  TrainingIsInference(c, trial);
}

ConvolutionLimits Of(std::vector<Direction> directions, int64_t count) {
  ConvolutionLimits limits;
  limits.directions = std::move(directions);
  limits.count = count;
  return limits;
}

Cases<ConvolutionCase> Ungrouped() {
  return Altered(
      OfEveryType(EachDirection(), 120),
      [](Random&, ConvolutionCase* c) {
        c->groups = 1;
        c->grouped = false;
      },
      [](const ConvolutionCase& c) { return !c.grouped; });
}

Cases<ConvolutionCase> Grouped(const ConvolutionLimits& limits) {
  return Altered(
      limits,
      [](Random& random, ConvolutionCase* c) {
        c->grouped = true;
        c->groups = random.Pick({2, 3, 5, 16});
        c->ic = std::min<int64_t>(c->ic, random.Between(1, 6));
        c->oc = std::min<int64_t>(c->oc, random.Between(1, 6));
      },
      [](const ConvolutionCase& c) { return c.groups > 1; });
}

// A kernel of some taps along the last axis, dilated as `dilated` says.
template <bool dilated>
Cases<ConvolutionCase> Taps() {
  return Altered(
      OfEveryType({kForward}, 120),
      [](Random& random, ConvolutionCase* c) {
        for (ConvolutionAxis& axis : c->axes) {
          const int64_t kernel = random.Between(2, 4);
          const int64_t dilation = dilated ? random.Between(1, 3) : 0;
          axis = Axis(1 + (kernel - 1) * (dilation + 1) + random.Between(0, 3), kernel,
                      random.Between(1, 2), 0, 0, dilation);
        }
        c->bias = false;
        if (c->axes.size() > 2) c->axes.pop_back();
      },
      [](const ConvolutionCase& c) {
        return c.axes.back().kernel > 1 && (c.axes.back().dilation > 0) == dilated;
      });
}

Cases<ConvolutionCase> Biased() {
  return Altered(
      OfEveryType({kForward}, 120),
      [](Random& random, ConvolutionCase* c) {
        c->bias = true;
        for (ConvolutionAxis& axis : c->axes) {
          axis.input = random.Between(1, 3);
          axis.kernel = random.Between(1, 3);
          axis.dilation = 0;
          axis.padding_l = axis.kernel + random.Between(0, 2);
          axis.padding_r = random.Between(0, 3);
        }
      },
      [](const ConvolutionCase& c) { return c.bias && c.axes.back().padding_l > 0; });
}

// Each channel has a bias of its own, also where other threads begin.
Cases<ConvolutionCase> BiasesOfThreads() {
  std::vector<ConvolutionCase> cases;
  for (const Cases<ConvolutionCase>& some :
       {WideDepthwise({kForward}), ThreadedConvolutions({kForward})})
    for (ConvolutionCase& c : OfEach(TypesOfEachKind(), some)) {
      c.bias = true;
      if (!c.uses[kBias].any) c.uses[kBias].layout = RowMajor(c.DimsOf(kBias));
      cases.push_back(std::move(c));
    }
  return Listed(std::move(cases));
}

Cases<ConvolutionCase> Sparse() {
  ConvolutionLimits limits = Of({kForward}, 100);
  for (const Types& types : FloatTypes(kForward)) limits.types.push_back(types);
  return Altered(
      limits,
      [](Random& random, ConvolutionCase* c) {
        for (ConvolutionAxis& axis : c->axes) {
          const int64_t input = random.Between(2, 9), kernel = random.Between(1, 2);
          axis = Axis(input, kernel, random.Between(2, 4));
        }
      },
      [](const ConvolutionCase&) { return true; });
}

Cases<ConvolutionCase> WholeKernels() {
  return Altered(
      Of({kForward}, 60),
      [](Random& random, ConvolutionCase* c) {
        c->grouped = false;
        c->groups = 1;
        for (ConvolutionAxis& axis : c->axes) {
          const int64_t size = random.Chance(30) ? 1 : random.Between(1, 4);
          axis = Axis(size, size);
        }
      },
      [](const ConvolutionCase& c) {
        for (const ConvolutionAxis& axis : c.axes)
          if (axis.kernel != axis.input || axis.RightOutput() != 1) return false;
        return !c.grouped;
      });
}

// Of every type, with chains in a third of the forwards.
ConvolutionLimits GroupsOfTypes() {
  ConvolutionLimits limits = OfEveryType(EachDirection(), 80);
  limits.scales = false;  // those of the channels of a group are others
  return limits;
}

// Executed twice: without sums.
ConvolutionLimits WithoutBias() {
  ConvolutionLimits limits = OfEveryType({kForward}, 80);
  limits.post_ops = false;
  limits.bias_percent = 0;
  return limits;
}

// Where the order of summation shows.
ConvolutionLimits Floats() {
  ConvolutionLimits limits = Of({kForward}, 60);
  limits.numbers = {Numbers::kFloats};
  return limits;
}

ConvolutionLimits Interior() {
  ConvolutionLimits limits = Of({kForward}, 60);
  limits.bias_percent = 0;
  return limits;
}

const bool kDefined[] = {
    Define<ConvolutionCase>(spec::CONV_011, "", Ungrouped(), OneGroupIsNone,
                            {"forward", "backward data", "backward weights"}),
    Define<ConvolutionCase>(spec::CONV_013, "", AnyConvolution(Of(EachDirection(), 40)),
                            VectorsAreCopied, {"forward", "backward data", "backward weights"}),
    Define<ConvolutionCase>(spec::CONV_015, "", AnyConvolution(WithoutBias()),
                            BiasesTooManyDoNotMatter),
    Define<ConvolutionCase>(spec::CONV_071, "", WholeKernels(), IsAnInnerProduct),
    Define<ConvolutionCase>(spec::CONV_082, "", Grouped(Of(EachDirection(), 40)),
                            GroupsAreIndependent, {"groups"}),
    Define<ConvolutionCase>(spec::CONV_082, "types", Grouped(GroupsOfTypes()), GroupsAreIndependent,
                            {"groups", "bf16 wei", "u8 src", "sum", "eltwise"}),
    Define<ConvolutionCase>(spec::CONV_082, "widths-of-types",
                            OfTypes(GroupConvolutions({kForward, kForward, kData, kGradient}), 50),
                            IsTheFormula, {"odd groups", "even groups", "bf16 wei", "u8 src"}),
    Define<ConvolutionCase>(
        spec::CONV_082, "widths", GroupConvolutions({kForward, kForward, kData, kGradient}),
        GroupsAreIndependent,
        {"odd groups", "even groups", "large image of groups", "padded by two"}),
    Define<ConvolutionCase>(spec::CONV_085, "", Taps<true>(), OneTapMovesTheSource, {"dilated"}),
    Define<ConvolutionCase>(spec::CONV_085, "channels", DilatedChannels({kForward, kData}),
                            IsTheFormula, {"dilated", "strided", "groups"}),
    Define<ConvolutionCase>(spec::CONV_085, "channels-of-types",
                            OfTypes(DilatedChannels(EachDirection()), 40), IsTheFormula,
                            {"dilated", "bf16 wei", "u8 src"}),
    Define<ConvolutionCase>(spec::CONV_085, "depthwise", DilatedDepthwise(EachDirection()),
                            IsTheFormula, {"depthwise", "dilated", "strided"}),
    Define<ConvolutionCase>(spec::CONV_085, "depthwise-of-types",
                            OfTypes(DilatedDepthwise(EachDirection()), 60), IsTheFormula,
                            {"depthwise", "dilated", "strided", "u8 src"}),
    Define<ConvolutionCase>(spec::CONV_086, "", Taps<false>(), OneTapMovesTheSource),
    Define<ConvolutionCase>(spec::CONV_087, "", Biased(), IsTheFormula, {"bias", "padded"}),
    Define<ConvolutionCase>(spec::CONV_087, "threads", BiasesOfThreads(), IsTheFormula,
                            {"bias", "vectors of depthwise", "u8 src", "s8 src"}),
    Define<ConvolutionCase>(spec::CONV_088, "", AnyConvolution(OfEveryType(EachDirection(), 100)),
                            UnitAxesChangeNothing, {"rank 3", "rank 4"}),
    Define<ConvolutionCase>(spec::CONV_089, "", AnyConvolution(Of({kForward}, 40)),
                            TrainingIsInference),
    Define<ConvolutionCase>(spec::CONV_089, "floats", AnyConvolution(Floats()),
                            FloatsOfTrainingAreThoseOfInference, {"floats"}),
    Define<ConvolutionCase>(spec::CONV_089, "types", AnyConvolution(OfEveryType({kForward}, 300)),
                            TrainingIsInference, {"sum", "eltwise", "bf16 src", "u8 src"}),
    Define<ConvolutionCase>(spec::CONV_090, "", NetworkConvolutions(0, 3), ForwardIsLinear),
    Define<ConvolutionCase>(spec::CONV_091, "", AnyConvolution(Interior()),
                            MovedSourcesMoveTheResult),
    Define<ConvolutionCase>(spec::CONV_093, "", Sparse(), UnreadInputsDoNotMatter),
    Define<ConvolutionCase>(spec::CONV_168, "", AnyConvolution(OfEveryType(EachDirection(), 100)),
                            LayoutsGiveTheSameBits),
};

}  // namespace
}  // namespace conformance
