// XENG: what a reorder between engines transfers, whichever of them converts. Most of it needs two
// devices; with one, two engine objects of that device are what there is (project), or one
// (portable). Zero points at execution (REO-ZP-019) are the same, within one device too.
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "conformance/case/property.h"
#include "conformance/case/random.h"
#include "conformance/reorder/cases.h"
#include "conformance/reorder/limits.h"
#include "conformance/reorder/run.h"
#include "conformance/reorder/transfer.h"
#include "conformance/subject/attempt.h"
#include "conformance/subject/expect.h"
#include "oneapi/dnnl/dnnl.hpp"
#include "spec/memory/oracle.h"
#include "spec/requirements.h"
#include "spec/shuffle/oracle.h"

namespace conformance {
namespace {

using dnnl::engine;
using spec::Bits;
using spec::Type;

// Project: what one engine object made, a reorder of another uses.
void WithinOneDevice(const ReorderCase& c, Trial& trial) {
  const auto src = SideOf(KindOf(trial), trial);
  if (!src) return;
  const auto dst = OtherSideOf(*src, trial);
  if (dst) CheckTransfer(c, *src, *dst, trial);
}

void BetweenDevices(const ReorderCase& c, Trial& trial) {
  const Kinds kinds = EnginesOf(c, trial);
  const auto src = SideOf(kinds.first, trial);
  if (!src) return;
  const auto dst = SideOf(kinds.second, trial);
  if (dst) CheckTransfer(c, *src, *dst, trial);
}

// Host to device and back, with the sides reported and the host's data intact in between.
void RoundTrip(const ReorderCase& c, Trial& trial) {
  const auto host = SideOf(engine::kind::cpu, trial);
  if (!host) return;
  const auto device = SideOf(engine::kind::gpu, trial);
  if (!device) return;
  auto there = SetUpTransfer(c, *host, *device, trial);
  if (!there || !RunTransfer(c, *there, trial)) return;
  ReorderCase reverse = c;
  std::swap(reverse.src, reverse.dst);
  auto back = SetUpTransfer(reverse, *device, *host, trial);
  if (!back) return;
  back->from = std::move(there->to);
  if (!RunTransfer(reverse, *back, trial)) return;
  ExpectSameBits(trial, "the source, back", c.src.type, c.dims(), there->source, back->to.Load());
}

// XENG-010: what is mapped on the device is what was sent.
void MappedDataIsTheSource(const ReorderCase& c, Trial& trial) {
  const auto host = SideOf(engine::kind::cpu, trial);
  if (!host) return;
  const auto device = SideOf(engine::kind::gpu, trial);
  if (!device) return;
  auto transfer = SetUpTransfer(c, *host, *device, trial);
  if (!transfer || !RunTransfer(c, *transfer, trial)) return;
  ExpectSameBits(trial, "the mapped device memory", c.dst.type, c.dims(), transfer->source,
                 transfer->to.Load());
}

void StreamOfTheOwnEngineWorks(const ReorderCase& c, Trial& trial) {
  if (c.attributes.src_zero.run_time || c.attributes.dst_zero.run_time)
    trial.Cover("run-time zero point");
  if (HasDevice(trial)) return BetweenDevices(c, trial);
  WithinOneDevice(c, trial);
}

void GapsStayUntouched(const ReorderCase& c, Trial& trial) {
  const Kinds kinds = EnginesOf(c, trial);
  const auto src = SideOf(kinds.first, trial);
  if (!src) return;
  const auto dst = SideOf(kinds.second, trial);
  if (!dst) return;
  auto transfer = SetUpTransfer(c, *src, *dst, trial);
  if (!transfer || !RunTransfer(c, *transfer, trial)) return;
  if (!ExpectReordered(c, transfer->source, transfer->old, c.Scales(), transfer->to.Load(), trial))
    return;
  const std::string gap = transfer->to.ChangedGap();
  if (!gap.empty()) trial.Fail("dst outside its elements", "untouched", gap);
}

ReorderCase EmptyCase(Random& random) {
  ReorderLimits limits;
  limits.from = limits.to = {Type::kF32};
  limits.layouts = Layouts::kTags;
  ReorderCase c = AnyReorderCase(random, limits);
  spec::Dims dims = c.dims();
  dims[random.Between(0, static_cast<int64_t>(dims.size()) - 1)] = 0;
  c.src.dims = c.dst.dims = dims;
  return c;
}

void EmptyTransfersSucceed(const ReorderCase& c, Trial& trial) {
  if (!spec::IsEmpty(c.dims())) return trial.Vacuous();
  StreamOfTheOwnEngineWorks(c, trial);
}

// The host and a GPU; without a GPU the engine there is, twice.
std::optional<std::pair<Side, Side>> HostAndDevice(Trial& trial) {
  const bool gpu = HasDevice(trial);
  trial.Cover(gpu ? "two devices" : "one device");
  const auto host = SideOf(engine::kind::cpu, trial);
  if (!host) return std::nullopt;
  const auto device = gpu ? SideOf(engine::kind::gpu, trial) : host;
  if (!device) return std::nullopt;
  return std::pair(*host, *device);
}

// Host to device, shuffle there, back to the host: one in-order stream, one wait.
void ChainsNeedNoWait(const ReorderCase& c, Trial& trial) {
  const auto sides = HostAndDevice(trial);
  if (!sides) return;
  const Side &host = sides->first, &device = sides->second;
  auto there = SetUpTransfer(c, host, device, trial);
  if (!there) return;
  const int64_t size = c.dims().back();
  const std::vector<int64_t> groups = Divisors(size);
  const int64_t group = groups[groups.size() / 2];
  const int axis = c.dst.rank() - 1;
  const auto done = Attempt([&] {
    const engine& own = device.device.engine;
    const dnnl::memory::desc& desc = there->pd.dst_desc();
    dnnl::memory middle(desc, own), shuffled(desc, own);
    const dnnl::shuffle_forward shuffle(
        {{dnnl::prop_kind::forward_training, desc, axis, static_cast<int>(group)}, own});
    dnnl::stream stream(own);
    dnnl::reorder(there->pd).execute(stream, there->from.memory(), middle);
    shuffle.execute(stream, {{DNNL_ARG_SRC, middle}, {DNNL_ARG_DST, shuffled}});
    const ReorderPd back(own, desc, host.device.engine, there->pd.src_desc());
    dnnl::reorder(back).execute(stream, shuffled, there->from.memory());
    stream.wait();
  });
  if (!done) return trial.Fail("the chain", "executed", done.refusal);
  std::vector<Bits> expected = there->source;
  for (size_t k = 0; k < expected.size(); ++k) {
    const int64_t at = static_cast<int64_t>(k) % size;
    expected[k] = there->source[k - at + spec::ShuffleSource(at, size, group)];
  }
  ExpectSameBits(trial, "the host's tensor", c.src.type, c.dims(), expected, there->from.Load());
  if (expected == there->source) trial.Vacuous();
}

// STR-003 for what ends in host memory: two destinations, a sum over what is on its way to the
// first, and a copy of that back, on one in-order stream with one wait. A library may deliver to
// the host as late as in wait().
void TransfersTakeTurns(const ReorderCase& c, Trial& trial) {
  const auto sides = HostAndDevice(trial);
  if (!sides) return;
  const Side &host = sides->first, &device = sides->second;
  ReorderCase plain = c;
  plain.attributes = {};
  ReorderCase other = plain, reverse = plain;
  ++other.seed;
  std::swap(reverse.src, reverse.dst);
  auto first = SetUpTransfer(plain, device, host, trial);
  if (!first) return;
  auto second = SetUpTransfer(other, device, host, trial);
  if (!second) return;
  const auto sum = SetUpTransfer(c, device, host, trial);
  if (!sum) return;
  auto back = SetUpTransfer(reverse, host, device, trial);
  if (!back) return;
  const auto done = Attempt([&] {
    dnnl::stream& stream = first->stream;
    dnnl::reorder(first->pd).execute(stream, first->from.memory(), first->to.memory());
    dnnl::reorder(second->pd).execute(stream, second->from.memory(), second->to.memory());
    dnnl::reorder(sum->pd).execute(stream, second->from.memory(), first->to.memory());
    dnnl::reorder(back->pd).execute(stream, first->to.memory(), back->to.memory());
    stream.wait();
  });
  if (!done) return trial.Fail("the reorders", "executed", done.refusal);
  const std::vector<Bits> summed = first->to.Load();
  ExpectReordered(c, second->source, first->source, {}, summed, trial, "the sum") &&
      ExpectSameBits(trial, "the second destination", c.dst.type, c.dims(), second->source,
                     second->to.Load()) &&
      ExpectSameBits(trial, "the sum, back", c.dst.type, c.dims(), summed, back->to.Load());
}

// Of one type, so that what is on its way is known to the bit.
Cases<ReorderCase> Sums() {
  return Drawn<ReorderCase>([](Random& random) {
    ReorderLimits limits = ExactReorders(Layouts::kStrides);
    limits.same_type = true;
    ReorderCase c = AnyReorderCase(random, limits);
    c.attributes.sum = true;
    c.attributes.beta = random.Pick<float>({1, 1, 2, -1});
    return c;
  });
}

// Sizes that a shuffle can do something with.
Cases<ReorderCase> Chains() {
  return Drawn<ReorderCase>([](Random& random) {
    ReorderCase c = AnyReorderCase(random, EqualLayoutsOfF32());
    spec::Dims dims = AnyShapeAround(random, c.dst.rank(), c.dst.rank() - 1,
                                     random.Pick<int64_t>({4, 6, 8, 12, 24, 64}), 4096);
    c.src.dims = c.dst.dims = dims;
    c.src.layout = c.dst.layout = Plainest(dims);
    return c;
  });
}

// Between the engines as within one: scales of single axes, factors and values that round.
ReorderLimits Converting() {
  ReorderLimits limits = WithExactAttributes();
  limits.attribute_limits.masks = Masks::kSingle;
  limits.attribute_limits.exact = false;
  limits.values = {ValueKind::kFinite};
  return limits;
}

// Whichever engine converts, the oracle is the same: ties, large values, NaN and subnormals too.
ReorderLimits AnyValues() {
  ReorderLimits limits = ExactReorders(Layouts::kAll);
  limits.values = {ValueKind::kMixed};
  return limits;
}

Cases<ReorderCase> RunTimeScaled() {
  return Drawn<ReorderCase>([](Random& random) {
    ReorderLimits limits = ExactReorders(Layouts::kTags);
    limits.attributes = true;
    limits.attribute_limits.sum = false;
    limits.attribute_limits.masks = Masks::kNone;
    ReorderCase c = AnyReorderCase(random, limits);
    c.attributes.run_time = true;
    return c;
  });
}

// Zero points, half of them at execution.
ReorderLimits WithZeroPoints() {
  ReorderLimits limits = ExactReorders(Layouts::kStrides);
  limits.attributes = true;
  limits.attribute_limits.zero_points = true;
  limits.attribute_limits.masks = Masks::kNone;
  limits.attribute_limits.exact = true;
  return limits;
}

const bool kDefined[] = {
    Define<ReorderCase>(spec::REO_ZP_019, "", AnyReorder(WithZeroPoints()),
                        StreamOfTheOwnEngineWorks, {"run-time zero point"}),
    Define<ReorderCase>(spec::STR_003, "transfers", Sums(), TransfersTakeTurns),
    Define<ReorderCase>(spec::XENG_002, "", AnyReorder(EqualLayoutsOfF32()), RoundTrip),
    Define<ReorderCase>(spec::XENG_003, "", AnyReorder(Converting()), BetweenDevices),
    Define<ReorderCase>(spec::XENG_006, "", AnyReorder(EqualLayoutsOfF32()),
                        StreamOfTheOwnEngineWorks),
    Define<ReorderCase>(spec::XENG_009, "", AnyReorder(EqualLayoutsOfF32()), BetweenDevices),
    Define<ReorderCase>(spec::XENG_010, "", AnyReorder(EqualLayoutsOfF32()), MappedDataIsTheSource),
    Define<ReorderCase>(spec::XENG_011, "", Chains(), ChainsNeedNoWait),
    Define<ReorderCase>(spec::XENG_012, "", AnyReorder(ExactReorders(Layouts::kAll)),
                        GapsStayUntouched),
    Define<ReorderCase>(spec::XENG_013, "", Drawn<ReorderCase>(EmptyCase), EmptyTransfersSucceed),
    Define<ReorderCase>(spec::XENG_015, "", RunTimeScaled(), StreamOfTheOwnEngineWorks),
    Define<ReorderCase>(spec::XENG_016, "", AnyReorder(AnyValues()), BetweenDevices),
};

}  // namespace
}  // namespace conformance
