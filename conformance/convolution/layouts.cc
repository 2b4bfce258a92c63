// CONV-046, CONV-060, CONV-061, CONV-063, CONV-066 to CONV-070, CONV-072: plain layouts, and what
// `any` becomes.
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "conformance/case/property.h"
#include "conformance/convolution/cases.h"
#include "conformance/convolution/limits.h"
#include "conformance/convolution/run.h"
#include "conformance/gen/computation_blocks.h"
#include "conformance/subject/attempt.h"
#include "conformance/subject/computation_blocks.h"
#include "conformance/subject/computation_checks.h"
#include "conformance/subject/computation_layouts.h"
#include "conformance/subject/descriptor_text.h"
#include "conformance/subject/expect.h"
#include "conformance/subject/reorder_io.h"
#include "conformance/subject/same_copy.h"
#include "spec/requirements.h"

namespace conformance {
namespace {

using dnnl::memory;
using spec::Bits;
using spec::ConvolutionAxis;
using spec::Type;

// Every byte of a memory.
void FillBytes(memory* m, uint8_t byte) {
  const size_t size = m->get_desc().get_size();
  if (size == 0) return;
  auto* const mapped = m->map_data<uint8_t>();
  for (size_t i = 0; i < size; ++i) mapped[i] = byte;
  m->unmap_data(mapped);
}

// Two convolutions behind each other, by what `any` became, into memory full of `garbage`.
std::optional<std::vector<Bits>> Chained(const ConvolutionCase& first,
                                         const ConvolutionCase& second, const ComputedData& one,
                                         const ComputedData& two, uint8_t garbage, Trial& trial) {
  Device& device = *DeviceFor(trial);
  const auto descs_of_first = DescsFor(first, trial), descs_of_second = DescsFor(second, trial);
  if (!descs_of_first || !descs_of_second) return std::nullopt;
  const auto a = PdFor(first, *descs_of_first, device, trial);
  const auto b = PdFor(second, *descs_of_second, device, trial);
  if (!a || !b) return std::nullopt;
  const auto made = [&](const memory::desc& desc) {
    memory m(desc, device.engine);
    FillBytes(&m, garbage);
    return m;
  };
  memory src = made(a->DescOf(kSrc)), weights = made(a->DescOf(kWeights)),
         between = made(a->DescOf(kDst)), other = made(b->DescOf(kWeights)),
         dst = made(b->DescOf(kDst));
  const auto write = [&](const ConvolutionCase& c, Role role, const ComputedData& data,
                         const memory& to) {
    return WriteViaReorder(data[role], c.uses[role].type, c.DimsOf(role), to, device, trial);
  };
  if (!write(first, kSrc, one, src) || !write(first, kWeights, one, weights) ||
      !write(second, kWeights, two, other))
    return std::nullopt;
  const auto execute = [&](const dnnl::primitive& primitive, const memory& from, const memory& by,
                           const memory& to) {
    primitive.execute(device.stream,
                      {{DNNL_ARG_SRC, from}, {DNNL_ARG_WEIGHTS, by}, {DNNL_ARG_DST, to}});
    device.stream.wait();
  };
  execute(a->Primitive(), src, weights, between);
  memory given = between;
  if (b->DescOf(kSrc) != between.get_desc()) {
    given = made(b->DescOf(kSrc));
    dnnl::reorder(between, given).execute(device.stream, between, given);
    device.stream.wait();
  }
  execute(b->Primitive(), given, other, dst);
  return ReadViaReorder(dst, second.uses[kDst].type, second.DimsOf(kDst), device, trial);
}

// `c` is the second of the two; the first makes its source of two channels.
void PaddingAddsNothing(const ConvolutionCase& c, Trial& trial) {
  if (DeviceFor(trial) == nullptr) return;
  Cover(trial, c);
  std::vector<ConvolutionAxis> axes;
  for (const ConvolutionAxis& axis : c.axes) axes.push_back(Axis(axis.input, 1));
  ConvolutionCase first = ConvolutionOf(c.mb, 1, 2, c.groups * c.ic, axes);
  const Type type = c.uses[kSrc].type;
  for (const Role role : {kSrc, kDst}) first.uses[role].type = type;
  first.uses[kWeights].type = c.uses[kWeights].type;
  first.SetAny(true);
  const ComputedData one = DataOf(first);
  ComputedData two = DataOf(c);
  two[kSrc].clear();
  for (const ExpectedElement& element : ExpectedOf(first, kDst, one, trial.profile()))
    two[kSrc].push_back(spec::Convert(type, static_cast<float>(element.approx.value)));
  ComputedData results[2];
  for (const bool nans : {true, false}) {
    auto result = Chained(first, c, one, two, nans ? 0xff : 0x00, trial);
    if (!result) return;
    results[nans ? 0 : 1][kDst] = std::move(*result);
  }
  ExpectOracle(c, two, results[0], trial) &&
      ExpectSameResults(c, "in memory that held zeros", results[0], results[1], trial);
}

Cases<ConvolutionCase> OddChannels() {
  std::vector<ConvolutionCase> cases;
  for (const int64_t channels : {1, 3, 5, 7, 17, 30}) {
    for (const int64_t outputs : {3, 16, 19}) {
      for (const int rank : {3, 4, 5}) {
        std::vector<ConvolutionAxis> axes(static_cast<size_t>(rank - 2), Axis(4, 3, 1, 1, 1));
        ConvolutionCase c = ConvolutionOf(2, 1, channels, outputs, axes);
        c.SetAny(true);
        for (const Types& types : {EveryType(kForward).front(), FloatTypes(kForward)[1],
                                   IntegerTriples().front(), IntegerTriples().back()}) {
          c.SetTypes(types);
          c.seed = cases.size();
          cases.push_back(c);
        }
      }
    }
  }
  return Listed(std::move(cases));
}

void BiasesAreDense(const ConvolutionCase& c, Trial& trial) {
  const auto made = ResolvedOf(c, trial);
  if (!made) return;
  if (!c.Has(kBias) || !c.uses[kBias].any) return trial.Vacuous();
  const spec::Dims dims = c.DimsOf(kBias);
  ExpectDescriptor(trial, "what any became of " + c.NameOf(kBias), "the dense descriptor",
                   MakeDesc({c.uses[kBias].type, dims, Plainest(dims)}), made->pd.DescOf(kBias));
}

// Weights of a forward, brought to what a backward direction wants.
void WeightsOfDirectionsAreReordered(const ConvolutionCase& c, Trial& trial) {
  ConvolutionCase forward = c;
  forward.direction = kForward;
  const auto from = ResolvedOf(forward, trial), to = ResolvedOf(c, trial);
  if (!from || !to) return;
  const memory::desc first = from->pd.DescOf(kWeights), second = to->pd.DescOf(kWeights);
  trial.Cover(first == second ? "equal" : "different");
  Device& device = *from->device;
  memory a(first, device.engine), b(second, device.engine);
  const std::vector<Bits> values = DataOf(forward)[kWeights];
  const spec::Dims dims = c.DimsOf(kWeights);
  if (!WriteViaReorder(values, Type::kF32, dims, a, device, trial)) return;
  const auto reorder = Attempt([&] { return dnnl::reorder(a, b); });
  if (!reorder) {
    // Portable: may be missing (OPT-007).
    if (trial.project())
      return trial.Fail("reorder of weights between directions", "created", reorder.refusal);
    return trial.LeftOpen(reorder.refusal, "a reorder of weights between directions");
  }
  reorder.value->execute(device.stream, a, b);
  device.stream.wait();
  const auto read = ReadViaReorder(b, Type::kF32, dims, device, trial);
  if (read) ExpectSameCopy(trial, "weights", Type::kF32, dims, values, *read);
}

// Two convolutions into regions of one buffer, one behind the other in the channels, with channels
// beside them that belong to nobody. `c` is each of them.
void RegionsOfOneBufferAreConcatenated(const ConvolutionCase& c, Trial& trial) {
  const auto alone = Run(c, trial);
  if (!alone) return;
  Device& device = *DeviceFor(trial);
  const Type type = c.uses[kDst].type;
  const spec::Dims part = c.DimsOf(kDst);
  spec::Dims whole = part;
  whole[1] = 2 * part[1] + 2;
  const auto parent_desc = Attempt([&] {
    ConvolutionCase parent = c;
    if (c.seed % 2 == 1) {
      std::vector<int> order{0};
      for (size_t axis = 2; axis < whole.size(); ++axis) order.push_back(static_cast<int>(axis));
      order.push_back(1);
      return MakeDesc({type, whole, DenseInOrder(whole, order)});
    }
    return MakeDesc({type, whole, Plainest(whole)});
  });
  if (!ExpectAccepted(trial, parent_desc, "the buffer's descriptor")) return;
  memory parent(*parent_desc.value, device.engine);
  const int64_t count = spec::ElementCount(whole);
  std::vector<Bits> before;
  for (int64_t k = 0; k < count; ++k) before.push_back(BitsOfInteger(type, k % 1000));
  if (!WriteViaReorder(before, type, whole, parent, device, trial)) return;
  const int64_t starts[] = {1, 1 + part[1]};
  for (const int which : {c.seed % 4 < 2 ? 0 : 1, c.seed % 4 < 2 ? 1 : 0}) {
    spec::Dims offsets(whole.size(), 0);
    offsets[1] = starts[which];
    ComputationDescs descs = *DescsFor(c, trial);
    descs[kDst] = parent_desc.value->submemory_desc(part, offsets);
    const auto made = Attempt([&] { return MakePd(c, descs, device.engine); });
    if (!ExpectAccepted(trial, made, "a region as destination")) return;
    auto arguments = alone->bench->Arguments();
    arguments[DNNL_ARG_DST] = memory(descs[kDst], device.engine, parent.get_data_handle());
    for (const Role role : {kSrc, kWeights})
      if (!ExpectDescriptor(trial, c.NameOf(role), "the descriptor given", alone->pd.DescOf(role),
                            made.value->DescOf(role)))
        return;
    made.value->Primitive().execute(device.stream, arguments);
    device.stream.wait();
  }
  const auto after = ReadViaReorder(parent, type, whole, device, trial);
  if (!after) return;
  ComputedData expected, results;
  for (int64_t k = 0; k < count; ++k) {
    spec::Dims at = spec::Unravel(k, whole);
    const int64_t channel = at[1] - 1;
    Bits wanted = before[static_cast<size_t>(k)];
    if (channel >= 0 && channel < 2 * part[1]) {
      at[1] = channel % part[1];
      int64_t number = 0;
      for (size_t axis = 0; axis < part.size(); ++axis) number = number * part[axis] + at[axis];
      wanted = alone->results[kDst][static_cast<size_t>(number)];
    }
    const Bits got = (*after)[static_cast<size_t>(k)];
    if (wanted == got || (spec::IsZero(type, wanted) && spec::IsZero(type, got))) continue;
    return trial.Fail(ElementName("buffer", whole, k), spec::ToString(type, wanted),
                      spec::ToString(type, got));
  }
}

ConvolutionLimits Of(std::vector<Direction> directions, int64_t count) {
  ConvolutionLimits limits;
  limits.directions = std::move(directions);
  limits.count = count;
  limits.most_products = 1 << 12;
  return limits;
}

Cases<ConvolutionCase> Concatenated() {
  std::vector<ConvolutionCase> cases;
  std::vector<ConvolutionCase> shapes;
  for (const int64_t channels : {1, 3, 8, 16})
    shapes.push_back(ConvolutionOf(2, 1, 5, channels, {Axis(5, 3, 1, 1, 1), Axis(4, 2, 1, 0, 0)}));
  shapes.push_back(ConvolutionOf(1, 1, 3, 24, {Axis(4, 3, 2, 1, 1), Axis(5, 3, 2, 1, 1)}));
  for (const int64_t channels : {20, 32})
    shapes.push_back(ConvolutionOf(1, channels, 1, 1, {Axis(5, 3, 1, 1, 1), Axis(4, 3, 1, 1, 1)}));
  const std::vector<Types> bytes = IntegerTriples();
  for (const ConvolutionCase& shape : shapes) {
    for (int seed = 0; seed < 4; ++seed) {
      ConvolutionCase c = shape;
      if (seed % 2 == 1) SetChannelsLast(&c);
      c.seed = static_cast<uint64_t>(seed);
      for (const Types& types :
           {EveryType(kForward).front(), FloatTypes(kForward)[1], FloatTypes(kForward).back(),
            bytes[Mix(cases.size()) % bytes.size()], bytes.back()}) {
        c.SetTypes(types);
        cases.push_back(c);
      }
    }
  }
  return Listed(std::move(cases));
}

ConvolutionLimits Opaque(std::vector<Direction> directions, int64_t count) {
  ConvolutionLimits limits = Of(std::move(directions), count);
  limits.any_percent = 80;
  return limits;
}

// As Opaque, of all types that the tables have.
ConvolutionLimits OpaqueOfTypes(Direction direction) {
  ConvolutionLimits limits = Opaque({direction}, 120);
  for (const Types& types : NarrowTypes(direction)) limits.types.push_back(types);
  return limits;
}

// Of every direction; some types are of another one, and may be refused.
ConvolutionLimits OpaqueOfAllTypes() {
  ConvolutionLimits limits = Opaque(EachDirection(), 120);
  for (const Direction direction : EachDirection())
    for (const Types& types : FloatTypes(direction)) limits.types.push_back(types);
  return limits;
}

// Of every type, with what may be fused in a quarter of the forwards.
ConvolutionLimits AllLayouts(Direction direction) {
  ConvolutionLimits limits = Of({direction}, 200);
  limits.every_type = limits.scales = limits.post_ops = true;
  limits.attributes_percent = 25;
  limits.all_layouts = true;
  limits.any_percent = 15;
  return limits;
}

ConvolutionLimits InBlocks() {
  ConvolutionLimits limits = Of(EachDirection(), 300);
  limits.every_type = true;
  limits.any_percent = 100;
  return limits;
}

ConvolutionLimits Broadcasts() {
  ConvolutionLimits limits = Of(EachDirection(), 200);
  limits.all_layouts = limits.broadcasts = limits.every_type = true;
  return limits;
}

// Of every type and any shape, with what may be fused in a third of the forwards.
ConvolutionLimits HalfOpen() {
  ConvolutionLimits limits = Of(EachDirection(), 200);
  limits.every_type = limits.scales = limits.post_ops = true;
  limits.attributes_percent = 33;
  limits.any_percent = 50;
  return limits;
}

ConvolutionLimits OpenAndFused() {
  ConvolutionLimits limits = Opaque({kForward}, 60);
  limits.every_type = limits.scales = limits.post_ops = true;
  return limits;
}

ConvolutionLimits OpenBiases() {
  ConvolutionLimits limits = Opaque({kForward, kGradient}, 100);
  limits.every_type = true;
  limits.bias_percent = 100;
  return limits;
}

// Every subset of the tensors of each direction as `any`.
Cases<ConvolutionCase> AnySubsets() {
  std::vector<ConvolutionCase> cases;
  for (const Direction direction : EachDirection()) {
    const int roles = direction == kData ? 3 : 4;
    for (int subset = 0; subset < 1 << roles; ++subset) {
      for (const int64_t groups : {1, 3}) {
        ConvolutionCase c = ConvolutionOf(2, groups, 17, 19, {Axis(5, 3, 2, 1, 0), Axis(4, 2)});
        c.direction = direction;
        c.bias = roles == 4;
        int bit = 0;
        for (const Role role : kRoles)
          if (c.Has(role)) c.uses[role].any = (subset >> bit++ & 1) != 0;
        c.ResetLayouts();
        for (TensorUse& use : c.uses)
          if (use.any) use.layout = {};
        c.seed = cases.size();
        cases.push_back(c);
      }
    }
  }
  return Listed(std::move(cases));
}

// Axes of one element, with strides that a slice of a larger tensor leaves.
Cases<ConvolutionCase> OddStrides() {
  std::vector<ConvolutionCase> cases;
  for (const Direction direction : EachDirection()) {
    for (const int64_t channels : {1, 3}) {
      ConvolutionCase c =
          ConvolutionOf(1, 1, channels, channels, {Axis(4, 3, 1, 1, 1), Axis(5, 1)});
      c.direction = direction;
      for (const Role role : {kSrc, kDst}) {
        const spec::Dims dims = c.DimsOf(role);
        LayoutSpec odd;
        odd.strides = {7, dims[1] == 1 ? 3 : dims[2] * dims[3], dims[3], 1};
        c.uses[role].layout = odd;
      }
      c.seed = cases.size();
      cases.push_back(c);
    }
  }
  return Listed(std::move(cases));
}

const bool kDefined[] = {
    Define<ConvolutionCase>(spec::CONV_046, "", AnyConvolution(Broadcasts()), GivenLayoutsAreUsed,
                            {"zero stride src", "zero stride wei"}),
    Define<ConvolutionCase>(spec::CONV_060, "", AnySubsets(), IsTheFormula),
    Define<ConvolutionCase>(spec::CONV_060, "types", AnyConvolution(HalfOpen()), IsTheFormula,
                            {"any src", "any wei", "any bias", "any dst", "bf16 wei", "s8 wei"}),
    Define<ConvolutionCase>(spec::CONV_060, "resolved", AnyConvolution(OpaqueOfAllTypes()),
                            ResolvedIsADescriptor, {"any src", "any wei", "any dst", "any bias"}),
    Define<ConvolutionCase>(spec::CONV_060, "forward", AnyConvolution(OpaqueOfTypes(kForward)),
                            ReordersGoThereAndBack, {"any src", "any wei", "any dst"}),
    Define<ConvolutionCase>(spec::CONV_060, "data", AnyConvolution(OpaqueOfTypes(kData)),
                            ReordersGoThereAndBack, {"any src", "any wei", "any dst"}),
    Define<ConvolutionCase>(spec::CONV_060, "weights", AnyConvolution(OpaqueOfTypes(kGradient)),
                            ReordersGoThereAndBack, {"any src", "any wei", "any dst"}),
    Define<ConvolutionCase>(spec::CONV_061, "", AnyConvolution(OpenBiases()), BiasesAreDense,
                            {"any bias", "bf16 bias", "s32 bias"}),
    Define<ConvolutionCase>(spec::CONV_072, "types", OfTypes(OddStrides()), GivenLayoutsAreUsed,
                            {"bf16 wei", "u8 src"}),
    Define<ConvolutionCase>(spec::CONV_063, "outermost-of-types",
                            OfTypes(OuterRegions(EachDirection(), {kSrc, kWeights, kDst}), 80),
                            GivenLayoutsAreUsed, {"region src", "region wei", "region dst"}),
    Define<ConvolutionCase>(spec::CONV_063, "images-apart",
                            OfTypes(ImagesApart(EachDirection()), 72), GivenLayoutsAreUsed,
                            {"gapped src", "gapped dst", "u8 src", "bf16 wei"}),
    Define<ConvolutionCase>(spec::CONV_063, "regions-of-types",
                            OfTypes(InnerRegions(EachDirection(), {kSrc, kWeights, kDst}), 100),
                            GivenLayoutsAreUsed, {"region src", "region wei", "region dst"}),
    Define<ConvolutionCase>(spec::CONV_068, "attributes", AnyConvolution(OpenAndFused()),
                            ResolutionIsStable, {"any wei", "sum", "scale of each channel"}),
    Define<ConvolutionCase>(spec::CONV_063, "forward", AnyConvolution(AllLayouts(kForward)),
                            GivenLayoutsAreUsed,
                            {"permuted src", "permuted wei", "permuted dst", "gapped src",
                             "gapped wei", "gapped dst", "region src", "region dst"}),
    Define<ConvolutionCase>(spec::CONV_063, "data", AnyConvolution(AllLayouts(kData)),
                            GivenLayoutsAreUsed, {"permuted src", "permuted wei", "gapped src"}),
    Define<ConvolutionCase>(spec::CONV_063, "weights", AnyConvolution(AllLayouts(kGradient)),
                            GivenLayoutsAreUsed, {"permuted src", "permuted wei", "gapped wei"}),
    Define<ConvolutionCase>(
        spec::CONV_063, "outermost", OuterRegions(EachDirection(), {kSrc, kWeights, kBias, kDst}),
        GivenLayoutsAreUsed, {"region src", "region wei", "region dst", "depthwise"}),
    Define<ConvolutionCase>(
        spec::CONV_063, "regions", InnerRegions(EachDirection(), {kSrc, kWeights, kDst}),
        GivenLayoutsAreUsed, {"one by one of a region", "region wei", "region dst", "depthwise"}),
    Define<BlockedCase<ConvolutionCase>>(spec::CONV_063, "blocks",
                                         WithBlocks(AnyConvolution(InBlocks())), GivenBlocksAreUsed,
                                         {"src in blocks", "wei in blocks", "dst in blocks",
                                          "blocks of 3", "blocks of 5", "blocks of 16", "padding"}),
    Define<ConvolutionCase>(spec::CONV_063, "biases", StridedBiases(), GivenLayoutsAreUsed,
                            {"forward", "backward weights"}),
    Define<ConvolutionCase>(spec::CONV_066, "", AnyConvolution(AllLayouts(kForward)), IsTheFormula,
                            {"region src", "region wei"}),
    Define<ConvolutionCase>(spec::CONV_067, "", Concatenated(), RegionsOfOneBufferAreConcatenated),
    Define<ConvolutionCase>(spec::CONV_068, "", AnyConvolution(Opaque(EachDirection(), 40)),
                            ResolutionIsStable, {"any src", "any wei", "any dst"}),
    Define<ConvolutionCase>(spec::CONV_068, "forward", AnyConvolution(OpaqueOfTypes(kForward)),
                            ResolutionIsStable, {"any wei", "bf16 wei", "s8 wei"}),
    Define<ConvolutionCase>(spec::CONV_068, "data", AnyConvolution(OpaqueOfTypes(kData)),
                            ResolutionIsStable, {"any wei", "bf16 wei"}),
    Define<ConvolutionCase>(spec::CONV_068, "weights", AnyConvolution(OpaqueOfTypes(kGradient)),
                            ResolutionIsStable, {"any wei", "bf16 wei"}),
    Define<ConvolutionCase>(spec::CONV_069, "", OddChannels(), PaddingAddsNothing),
    Define<ConvolutionCase>(spec::CONV_070, "", AnyConvolution(Opaque({kData, kGradient}, 60)),
                            WeightsOfDirectionsAreReordered, {"any wei"}),
    Define<ConvolutionCase>(spec::CONV_072, "", OddStrides(), GivenLayoutsAreUsed),
};

}  // namespace
}  // namespace conformance
