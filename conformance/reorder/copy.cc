// REO-010, REO-013 to REO-016, REO-020, REO-021, REO-030, REO-040 to REO-043: without attributes a
// reorder is a copy.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "conformance/case/property.h"
#include "conformance/reorder/cases.h"
#include "conformance/reorder/run.h"
#include "conformance/subject/same_copy.h"
#include "spec/numeric/convert.h"
#include "spec/requirements.h"

namespace conformance {
namespace {

using spec::Bits;
using spec::Type;

void PermutingBothPermutesTheResult(const ReorderCase& c, Trial& trial) {
  const auto run = RunReorder(c, trial);
  if (!run) return;
  Random random(Mix(c.seed));
  const std::vector<int> permutation = AnyPermutation(random, c.dst.rank());
  ReorderCase moved = c;
  moved.src = PermuteTensor(c.src, permutation);
  moved.dst = PermuteTensor(c.dst, permutation);
  const std::vector<int64_t> before = NumbersBeforePermutation(c.dims(), permutation);
  const auto permute = [&](const std::vector<Bits>& values) {
    std::vector<Bits> result(values.size());
    for (size_t k = 0; k < values.size(); ++k) result[k] = values[before[k]];
    return result;
  };
  const auto again =
      RunReorder(moved, permute(run->set_up.source), permute(run->set_up.old), trial);
  if (!again) return;
  ExpectSameBits(trial, "dst", c.dst.type, moved.dims(), permute(run->result), again->result);
  if (std::is_sorted(permutation.begin(), permutation.end())) trial.Vacuous();
}

// The destination with a stride of 0 on an axis longer than 1, one of them by `seed`; empty dims if
// there is none.
TensorSpec Shared(const TensorSpec& tensor, uint64_t seed) {
  TensorSpec shared = tensor;
  shared.layout = RowMajor(tensor.dims);
  std::vector<size_t> longer;
  for (size_t j = 0; j < tensor.dims.size(); ++j)
    if (tensor.dims[j] > 1) longer.push_back(j);
  if (longer.empty()) return {};
  shared.layout.strides[longer[seed % longer.size()]] = 0;
  return shared;
}

// The same where something else comes with the execution: strides of the source, or another dim.
void OpenedOnesAreRefused(const ReorderCase& c, const TensorSpec& shared, const Device& device,
                          Trial& trial) {
  if (spec::IsEmpty(shared.dims)) return;
  const auto type_of = [](const TensorSpec& tensor) { return DataTypeOf(tensor.type); };
  const size_t rank = shared.dims.size();
  const spec::Dims open(rank, DNNL_RUNTIME_DIM_VAL);
  const spec::Dims& strides = shared.layout.strides;
  const auto is_refused = [&](const char* what, const spec::Dims& dims,
                              const spec::Dims& src_strides) {
    const auto made = Attempt([&] {
      const dnnl::memory::desc src(dims, type_of(c.src), src_strides);
      return ReorderPd(device.engine, src, device.engine,
                       dnnl::memory::desc(dims, type_of(shared), strides));
    });
    trial.Cover(what);
    return trial.Expect(!made.value && made.refusal.is_error,
                        "a destination " + ToString(shared) + ", " + what, "refused at creation",
                        made.value ? "accepted" : made.refusal.ToString());
  };
  if (!is_refused("beside run-time strides", shared.dims, open)) return;
  spec::Dims dims = shared.dims;
  for (size_t j = 0; j < rank; ++j)
    if (strides[j] != 0 && (c.seed / 2 >> j & 1) != 0) dims[j] = DNNL_RUNTIME_DIM_VAL;
  if (dims != shared.dims) is_refused("beside a run-time dim", dims, open);
}

void SharedDestinationsAreRefused(const ReorderCase& c, Trial& trial) {
  //
  if (trial.portable()) return trial.NotRun("pinned by the project profile only");
  Device* const device = DeviceFor(trial);
  const TensorSpec shared = Shared(c.dst, c.seed);
  if (device == nullptr) return;
  if (shared.dims.empty()) return trial.Vacuous();
  const auto refused = Attempt([&] {
    const auto src = MakeDesc({c.src.type, shared.dims, RowMajor(shared.dims)});
    return ReorderPd(device->engine, src, device->engine, MakeDesc(shared));
  });
  trial.Expect(!refused.value && refused.refusal.is_error, "a destination " + ToString(shared),
               "refused", refused.value ? "accepted" : refused.refusal.ToString());
  if (!trial.failed()) OpenedOnesAreRefused(c, shared, *device, trial);
}

void SameDescriptorIsACopy(const ReorderCase& c, Trial& trial) {
  const auto run = RunReorder(c, trial);
  if (run) ExpectSameCopy(trial, "dst", c.dst.type, c.dims(), run->set_up.source, run->result);
}

void ForthAndBackIsTheIdentity(const ReorderCase& c, Trial& trial) {
  const auto there = RunReorder(c, trial);
  if (!there) return;
  ReorderCase reverse = c;
  std::swap(reverse.src, reverse.dst);
  const auto back = RunReorder(reverse, there->result, there->set_up.source, trial);
  if (!back) return;
  ExpectSameCopy(trial, "the source, back", c.src.type, c.dims(), there->set_up.source,
                 back->result);
  if (IsByteCopy(c)) trial.Vacuous();
}

void ChainsEqualTheDirectReorder(const ReorderCase& c, Trial& trial) {
  const auto direct = RunReorder(c, trial);
  if (!direct) return;
  Random random(Mix(c.seed));
  std::vector<TensorSpec> stops{c.src};
  const int64_t length = random.Between(1, 3);
  for (int64_t i = 0; i < length; ++i) stops.push_back(AnyTensor(random, c.src.type, c.dims()));
  stops.push_back(c.dst);
  std::vector<Bits> values = direct->set_up.source;
  for (size_t i = 0; i + 1 < stops.size(); ++i) {
    ReorderCase step = c;
    step.src = stops[i];
    step.dst = stops[i + 1];
    const auto run = RunReorder(step, values, step.Old(), trial);
    if (!run) return;
    values = run->result;
  }
  ExpectSameCopy(trial, "dst of the chain", c.dst.type, c.dims(), direct->result, values);
}

// SHOULD: plain f32 to f32 is never refused. Only the creation is looked at.
void F32IsNeverRefused(const ReorderCase& c, Trial& trial) {
  SawTensor(trial, c.src);
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  const auto src = DescFor(c.src, trial);
  if (!src) return;
  const auto dst = DescFor(c.dst, trial);
  if (!dst) return;
  const auto pd = Attempt([&] { return ReorderPd(device->engine, *src, device->engine, *dst); });
  if (!pd) trial.Deviate("reorder::primitive_desc", "created", pd.refusal.ToString());
}

Attempted<ReorderPd> TryPlain(Type from, Type to, Device& device) {
  return Attempt([&] {
    const dnnl::memory::dims dims{2, 3};
    const dnnl::memory::desc src(dims, DataTypeOf(from), dnnl::memory::format_tag::ab);
    const dnnl::memory::desc dst(dims, DataTypeOf(to), dnnl::memory::format_tag::ab);
    return ReorderPd(device.engine, src, device.engine, dst);
  });
}

// SHOULD: all 36 pairs are offered on CPU engines.
void PairIsOffered(const ReorderCase& c, Trial& trial) {
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  if (trial.engine() == EngineChoice::kGpu) return trial.NotRun("speaks of CPU engines");
  const auto pd = TryPlain(c.src.type, c.dst.type, *device);
  const std::string name = AskedOf(c).Request();
  trial.Record("reorder " + name, pd ? "accepted" : "refused");
  if (!pd) trial.Deviate("reorder " + name, "accepted", pd.refusal.ToString());
}

// Project: the layout does not decide. Portable: recorded.
void SupportDoesNotDependOnLayout(const ReorderCase& c, Trial& trial) {
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  const auto src = DescFor(c.src, trial);
  if (!src) return;
  const auto dst = DescFor(c.dst, trial);
  if (!dst) return;
  const bool plain = static_cast<bool>(TryPlain(c.src.type, c.dst.type, *device));
  const auto here = Attempt([&] { return ReorderPd(device->engine, *src, device->engine, *dst); });
  if (!here && !here.refusal.is_error)
    return trial.Fail("reorder::primitive_desc", "a dnnl::error", here.refusal);
  const bool same = static_cast<bool>(here) == plain;
  trial.Record("the layout decides about " + AskedOf(c).Request(), same ? "no" : "yes");
  if (trial.project() && !same) {
    trial.Fail("reorder " + ToString(c.src) + " -> " + ToString(c.dst),
               plain ? "accepted, as 2x3:ab is" : "refused, as 2x3:ab is",
               here ? "accepted" : "refused");
  }
}

// Every element tells where it came from: what conversions do is REO-040's business.
ReorderLimits F32(Layouts layouts, int min_rank = 1, int max_rank = 12) {
  ReorderLimits limits;
  limits.from = limits.to = {Type::kF32};
  limits.values = {ValueKind::kIndex};
  limits.layouts = layouts;
  limits.transpositions = layouts == Layouts::kStrides || layouts == Layouts::kAll;
  limits.shape.min_rank = min_rank;
  limits.shape.max_rank = max_rank;
  return limits;
}

// Four axes in any two orders, as those of weights: what is contiguous on one side is two or three
// loops on the other, of up to 2000 steps together.
Cases<ReorderCase> Weights() {
  return {40,
          [](int64_t index, Random& random) {
            ReorderCase c;
            c.src.type = c.dst.type =
                random.Pick({Type::kF32, Type::kF32, Type::kU8, Type::kBF16, Type::kS8});
            const int64_t height = random.Pick({1, 3, 3, 5}), width = random.Pick({3, 3, 5, 7});
            const spec::Dims dims{random.Between(8, 80), random.Between(20, 130), height, width};
            c.src.dims = c.dst.dims = dims;
            c.src.layout = DenseInOrder(dims, {2, 3, 1, 0});
            c.dst.layout = RowMajor(dims);
            if (index % 4 == 1) std::swap(c.src.layout, c.dst.layout);
            if (index % 4 > 1) c.src.layout = DenseInOrder(dims, AnyPermutation(random, 4));
            if (index % 4 > 2) c.dst.layout = DenseInOrder(dims, AnyPermutation(random, 4));
            c.values = ValueKind::kBits;
            c.from = AnyPlacement(random);
            c.to = AnyPlacement(random);
            c.seed = static_cast<uint64_t>(random.Between(0, 9999));
            return c;
          },
          nullptr};
}

ReorderLimits Large() {
  ReorderLimits limits = F32(Layouts::kStrides);
  limits.shape.large = true;
  return limits;
}

ReorderLimits AllTypes(Layouts layouts) {
  ReorderLimits limits;
  limits.layouts = layouts;
  return limits;
}

// Exact in both types: what is compared are two results of the subject.
ReorderLimits Exact(Layouts layouts) {
  ReorderLimits limits = AllTypes(layouts);
  limits.values = {ValueKind::kIndex};
  return limits;
}

ReorderLimits Copies() {
  ReorderLimits limits = Exact(Layouts::kStrides);
  limits.transpositions = true;
  return limits;
}

ReorderLimits SameType(ValueKind values, bool same_layout = false) {
  ReorderLimits limits = AllTypes(Layouts::kAll);
  limits.same_type = true;
  limits.same_layout = same_layout;
  limits.values = {values};
  return limits;
}

ReorderLimits Chains() {
  ReorderLimits limits = SameType(ValueKind::kIndex);
  limits.shape.max_elements = 512;
  return limits;
}

ReorderLimits Broadcasts() {
  ReorderLimits limits = Exact(Layouts::kStrides);
  limits.zero_strides = true;
  return limits;
}

// A repeated source beside all that is computed.
Cases<ReorderCase> ComputedBroadcasts() {
  ReorderLimits limits = Broadcasts();
  limits.attributes = true;
  limits.values = {ValueKind::kFinite, ValueKind::kIndex};
  return {0, [limits](int64_t index, Random& random) {
            ReorderLimits some = limits;
            some.attribute_limits.zero_points = index % 2 == 1;
            return AnyReorderCase(random, some);
          }};
}

ReorderLimits Pair(const TypePair& pair) {
  ReorderLimits limits = AllTypes(Layouts::kAll);
  limits.transpositions = true;
  limits.from = {pair.from};
  limits.to = {pair.to};
  return limits;
}

// Regions that are converted: their starts count elements, whose sizes differ.
Cases<ReorderCase> ConvertedRegions() {
  return Drawn<ReorderCase>([](Random& random) {
    ReorderLimits limits = Exact(Layouts::kRegions);
    limits.shape.max_elements = 512;
    limits.from = {AnyType(random)};
    while (limits.to.empty() || limits.to == limits.from) limits.to = {AnyType(random)};
    return AnyReorderCase(random, limits);
  });
}

// Narrower integers, from everything wider.
ReorderLimits Saturating() {
  ReorderLimits limits = AllTypes(Layouts::kStrides);
  limits.from = {Type::kF32, Type::kBF16, Type::kF16, Type::kS32, Type::kS8, Type::kU8};
  limits.to = {Type::kS8, Type::kU8, Type::kS32};
  limits.values = {ValueKind::kMixed};
  return limits;
}

std::vector<ReorderCase> OneOfEachPair() {
  std::vector<ReorderCase> cases;
  for (const TypePair& pair : TypePairs()) {
    ReorderCase c;
    c.src = {pair.from, {2, 3}, Plainest({2, 3})};
    c.dst = {pair.to, {2, 3}, Plainest({2, 3})};
    cases.push_back(c);
  }
  return cases;
}

// REO-040/f32-s8 and so on: support and faults are of pairs.
bool DefinePairs() {
  for (const TypePair& pair : TypePairs()) {
    const std::string name =
        std::string(spec::NameOf(pair.from)) + "-" + std::string(spec::NameOf(pair.to));
    Define<ReorderCase>(spec::REO_040, name, AnyReorder(Pair(pair)), ValuesAreRight);
  }
  return true;
}

const std::vector<std::string> kStrided{"rank 1",      "gapped", "permuted",   "to gapped",
                                        "to permuted", "tail",   "size-1 dim", "large"};

const bool kDefined[] = {
    Define<ReorderCase>(spec::REO_010, "", AnyReorder(Copies()), ValuesAreRight, kStrided),
    Define<ReorderCase>(spec::REO_013, "tags", AnyReorder(F32(Layouts::kTags)), ValuesAreRight,
                        {"tag", "permuted", "rank 2", "rank 3", "rank 4", "rank 5", "rank 6"}),
    Define<ReorderCase>(spec::REO_013, "strides", AnyReorder(F32(Layouts::kStrides)),
                        ValuesAreRight, kStrided),
    Define<ReorderCase>(spec::REO_013, "large", AnyReorder(Large()), ValuesAreRight,
                        {"large", "gapped", "to gapped", "permuted", "to permuted"}),
    Define<ReorderCase>(spec::REO_013, "weights", Weights(), ValuesAreRight,
                        {"permuted", "to permuted", "f32", "u8", "bf16"}),
    Define<ReorderCase>(spec::REO_013, "regions", AnyReorder(F32(Layouts::kRegions)),
                        ValuesAreRight, {"region", "to region"}),
    Define<ReorderCase>(spec::REO_013, "ranks", AnyReorder(F32(Layouts::kAll, 7)), ValuesAreRight,
                        {"rank 7", "rank 8", "rank 9", "rank 10", "rank 11", "rank 12"}),
    Define<ReorderCase>(spec::MD_071, "converted", ConvertedRegions(), ValuesAreRight,
                        {"region", "to region", "to f32", "to s8", "to bf16"}),
    Define<ReorderCase>(spec::REO_014, "", AnyReorder(Exact(Layouts::kTags)),
                        PermutingBothPermutesTheResult, {"permuted"}),
    Define<ReorderCase>(spec::REO_015, "", AnyReorder(Broadcasts()), ValuesAreRight,
                        {"zero stride"}),
    Define<ReorderCase>(spec::REO_015, "destinations", AnyReorder(Broadcasts()),
                        SharedDestinationsAreRefused,
                        {"beside run-time strides", "beside a run-time dim"}),
    Define<ReorderCase>(spec::REO_015, "computed", ComputedBroadcasts(), ValuesAreRight,
                        {"zero stride", "mask", "sum", "run-time scales", "zero point of src"}),
    Define<ReorderCase>(spec::REO_016, "", AnyReorder(SameType(ValueKind::kIndex, true)),
                        SameDescriptorIsACopy, {"gapped", "permuted", "region", "tag"}),
    Define<ReorderCase>(spec::REO_020, "", AnyReorder(SameType(ValueKind::kBits)),
                        ForthAndBackIsTheIdentity, {"gapped", "permuted", "region", "tag"}),
    Define<ReorderCase>(spec::REO_021, "", AnyReorder(Chains()), ChainsEqualTheDirectReorder,
                        {"gapped", "permuted", "region", "tag"}),
    Define<ReorderCase>(spec::REO_030, "", AnyReorder(F32(Layouts::kAll)), F32IsNeverRefused,
                        {"rank 12", "gapped", "region", "tag", "odd size-1 stride"}),
    DefinePairs(),
    Define<ReorderCase>(spec::REO_041, "", Listed(OneOfEachPair()), PairIsOffered),
    Define<ReorderCase>(spec::REO_042, "", AnyReorder(Saturating()), ValuesAreRight,
                        {"to s8", "to u8", "to s32"}),
    Define<ReorderCase>(spec::REO_043, "", AnyReorder(), SupportDoesNotDependOnLayout),
};

}  // namespace
}  // namespace conformance
