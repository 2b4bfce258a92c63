// XENG: reorder is the one primitive that involves two engines. Most of it needs two devices; with
// one, two engine objects of that device are what there is (project), or one (portable).
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "conformance/case/property.h"
#include "conformance/reorder/cases.h"
#include "conformance/reorder/run.h"
#include "conformance/subject/expect.h"
#include "spec/requirements.h"
#include "spec/shuffle/oracle.h"

namespace conformance {
namespace {

using dnnl::engine;
using spec::Bits;
using spec::Type;

// One side of a reorder.
struct Side {
  engine::kind kind;
  Device device;
};

const char* NameOf(engine::kind kind) { return kind == engine::kind::gpu ? "gpu" : "cpu"; }

// A run of the CPU's engine is about that one: what involves a device belongs to the device's run.
bool HasDevice(const Trial& trial) {
  return trial.engine() == EngineChoice::kGpu && engine::get_count(engine::kind::gpu) > 0;
}

// An engine object of its own, not shared with any other side.
std::optional<Side> SideOf(engine::kind kind, Trial& trial, size_t index = 0) {
  if (kind == engine::kind::gpu && trial.engine() == EngineChoice::kCpu) {
    trial.NotRun("two devices are judged with --engine=gpu");
    return std::nullopt;
  }
  if (engine::get_count(kind) == 0) {
    trial.NotRun(std::string("no second engine: no ") + NameOf(kind));
    return std::nullopt;
  }
  auto made = Attempt([&] {
    Side side;
    side.kind = kind;
    side.device.engine = engine(kind, index);
    side.device.on_host = kind == engine::kind::cpu;
    return side;
  });
  if (!made) trial.Fail("engine", "created", made.refusal);
  return std::move(made.value);
}

// A reorder between two sides, ready to run.
struct Transfer {
  ReorderPd pd;
  dnnl::stream stream;
  Tensor from, to;
  std::vector<Bits> source, old;
};

Attempted<ReorderPd> PdOfMemories(const ReorderCase& c, Transfer& transfer) {
  return Attempt(
      [&] { return ReorderPd(transfer.from.memory(), transfer.to.memory(), AttrOf(c)); });
}

// MayRefuse: XENG-002 is MUST for f32 with equal layouts, XENG-003 is SHOULD.
std::optional<Transfer> SetUpTransfer(const ReorderCase& c, const Side& src_side,
                                      const Side& dst_side, Trial& trial) {
  const auto src = DescFor(c.src, trial);
  if (!src) return std::nullopt;
  const auto dst = DescFor(c.dst, trial);
  if (!dst) return std::nullopt;
  const engine &src_engine = src_side.device.engine, &dst_engine = dst_side.device.engine;
  auto pd = Attempt([&] { return ReorderPd(src_engine, *src, dst_engine, *dst, AttrOf(c)); });
  if (!pd) {
    const bool core = c.src.type == Type::kF32 && c.dst.type == Type::kF32 && c.attributes.none() &&
                      spec::SameLayout(PlainOf(c.src), PlainOf(c.dst));
    if (!core && trial.portable()) {
      Asked asked = AskedOf(c);
      asked.features.emplace_back("between engines");
      trial.Refused(pd.refusal, std::move(asked), LegalityOf(c, trial));
    } else {
      trial.Fail("reorder::primitive_desc", "created", pd.refusal);
    }
    return std::nullopt;
  }
  auto made = Attempt([&] {
    return Transfer{*pd,
                    dnnl::stream(pd.value->get_engine()),
                    Tensor(c.src, *src, src_side.device, c.from, c.seed),
                    Tensor(c.dst, *dst, dst_side.device, c.to, ~c.seed),
                    c.Source(),
                    c.Old()};
  });
  if (!made) {
    trial.Fail("memories and stream", "created", made.refusal);
    return std::nullopt;
  }
  Transfer& transfer = *made.value;
  transfer.from.Store(transfer.source);
  transfer.to.Store(transfer.old);
  // One in two is made of the memories, which know their engines.
  if (c.seed / 2 % 2 == 0) return std::move(made.value);
  trial.Cover("made of memories");
  const auto by_memories = PdOfMemories(c, transfer);
  if (!ExpectAccepted(trial, by_memories, "reorder::primitive_desc(src_memory, dst_memory, attr)"))
    return std::nullopt;
  transfer.pd = *by_memories.value;
  return std::move(made.value);
}

bool Run(const ReorderCase& c, Transfer& transfer, Trial& trial) {
  bool untouched = true;
  const auto done = Attempt([&] {
    const dnnl::reorder reorder(transfer.pd);
    const dnnl::primitive& base = reorder;
    std::unordered_map<int, dnnl::memory> arguments{{DNNL_ARG_FROM, transfer.from.memory()},
                                                    {DNNL_ARG_TO, transfer.to.memory()}};
    const engine own = transfer.pd.get_engine();
    const RunTimeArguments run_time(c, own, own.get_kind() == engine::kind::cpu);
    run_time.AddTo(&arguments);
    base.execute(transfer.stream, arguments);
    transfer.stream.wait();
    untouched = run_time.ExpectUnchanged(trial);
  });
  if (!done) trial.Fail("execute and wait", "done", done.refusal);
  return done && untouched;
}

void CheckTransfer(const ReorderCase& c, const Side& src, const Side& dst, Trial& trial) {
  auto transfer = SetUpTransfer(c, src, dst, trial);
  if (!transfer || !Run(c, *transfer, trial)) return;
  ExpectReordered(c, transfer->source, transfer->old, c.Scales(), transfer->to.Load(), trial);
}

using Kinds = std::pair<engine::kind, engine::kind>;
// The direction of a case between different devices: there, or back.
Kinds DirectionOf(const ReorderCase& c) {
  const bool there = c.seed % 2 == 0;
  return there ? Kinds(engine::kind::cpu, engine::kind::gpu)
               : Kinds(engine::kind::gpu, engine::kind::cpu);
}

engine::kind KindOf(const Trial& trial) {
  return trial.engine() == EngineChoice::kGpu ? engine::kind::gpu : engine::kind::cpu;
}

// The other side of `side` where both are of one device: another engine object, but in the portable
// profile, where nobody may rely on that (ENG-009, A-10), the same.
std::optional<Side> OtherSideOf(const Side& side, Trial& trial) {
  return trial.portable() ? side : SideOf(side.kind, trial);
}

// Project: what one engine object made, a reorder of another uses.
void WithinOneDevice(const ReorderCase& c, Trial& trial) {
  const auto src = SideOf(KindOf(trial), trial);
  if (!src) return;
  const auto dst = OtherSideOf(*src, trial);
  if (dst) CheckTransfer(c, *src, *dst, trial);
}

// Between different devices; without a second one, between two engine objects of the one there is
// (project).
Kinds EnginesOf(const ReorderCase& c, const Trial& trial) {
  if (HasDevice(trial) || trial.portable()) return DirectionOf(c);
  return {KindOf(trial), KindOf(trial)};
}

void BetweenDevices(const ReorderCase& c, Trial& trial) {
  const Kinds kinds = EnginesOf(c, trial);
  const auto src = SideOf(kinds.first, trial);
  if (!src) return;
  const auto dst = SideOf(kinds.second, trial);
  if (dst) CheckTransfer(c, *src, *dst, trial);
}

// XENG-014: the two sides, the stream and the memories are of one engine object, or each of its
// own.
void BetweenEngineObjects(const ReorderCase& c, Trial& trial) {
  if (trial.portable()) return trial.NotRun("only the project profile mixes engine objects");
  const auto side = [&] { return SideOf(KindOf(trial), trial); };
  const auto src = side(), dst = side(), other = side(), queue = side();
  if (!src || !dst || !other || !queue) return;
  auto transfer = SetUpTransfer(c, *src, *dst, trial);
  if (!transfer) return;
  const auto made = Attempt([&] {
    if (c.seed % 3 > 0) {
      trial.Cover("stream of another engine object");
      transfer->stream = dnnl::stream(queue->device.engine);
    }
    if (c.seed % 3 > 1) {
      trial.Cover("memories of another engine object");
      transfer->from = Tensor(c.src, transfer->pd.src_desc(), other->device, c.from, c.seed);
      transfer->to = Tensor(c.dst, transfer->pd.dst_desc(), other->device, c.to, ~c.seed);
      transfer->from.Store(transfer->source);
      transfer->to.Store(transfer->old);
    }
  });
  if (!made) return trial.Fail("stream and memories", "created", made.refusal);
  if (!Run(c, *transfer, trial)) return;
  ExpectReordered(c, transfer->source, transfer->old, c.Scales(), transfer->to.Load(), trial);
}

// Host to device and back, with the sides reported and the host's data intact in between.
void RoundTrip(const ReorderCase& c, Trial& trial) {
  const auto host = SideOf(engine::kind::cpu, trial);
  if (!host) return;
  const auto device = SideOf(engine::kind::gpu, trial);
  if (!device) return;
  auto there = SetUpTransfer(c, *host, *device, trial);
  if (!there || !Run(c, *there, trial)) return;
  ReorderCase reverse = c;
  std::swap(reverse.src, reverse.dst);
  auto back = SetUpTransfer(reverse, *device, *host, trial);
  if (!back) return;
  back->from = std::move(there->to);
  if (!Run(reverse, *back, trial)) return;
  ExpectSameBits(trial, "the source, back", c.src.type, c.dims(), there->source, back->to.Load());
}

// XENG-010: what is mapped on the device is what was sent.
void MappedDataIsTheSource(const ReorderCase& c, Trial& trial) {
  const auto host = SideOf(engine::kind::cpu, trial);
  if (!host) return;
  const auto device = SideOf(engine::kind::gpu, trial);
  if (!device) return;
  auto transfer = SetUpTransfer(c, *host, *device, trial);
  if (!transfer || !Run(c, *transfer, trial)) return;
  ExpectSameBits(trial, "the mapped device memory", c.dst.type, c.dims(), transfer->source,
                 transfer->to.Load());
}

// The sides, and that the descriptor's own engine is of kind `own`.
void ExpectSides(const ReorderPd& pd, const Side& src, const Side& dst, engine::kind own,
                 Trial& trial) {
  const auto reports = [&](const char* name, const engine& got, const engine& wanted) {
    return trial.Expect(got.get_kind() == wanted.get_kind(), name, NameOf(wanted.get_kind()),
                        NameOf(got.get_kind())) &&
           trial.Expect(EqualIfComparable(got, wanted), name, "equal to the engine given",
                        "unequal");
  };
  const engine::kind reported = pd.get_engine().get_kind();
  reports("get_src_engine()", pd.get_src_engine(), src.device.engine) &&
      reports("get_dst_engine()", pd.get_dst_engine(), dst.device.engine) &&
      trial.Expect(reported == own, "get_engine()", NameOf(own), NameOf(reported));
}

void EnginesAreReported(const ReorderCase& c, Trial& trial) {
  const bool gpu = HasDevice(trial);
  const Kinds kinds = gpu ? DirectionOf(c) : Kinds(engine::kind::cpu, engine::kind::cpu);
  trial.Cover(gpu ? "two devices" : "one device");
  const auto src = SideOf(kinds.first, trial);
  if (!src) return;
  const auto dst = gpu ? SideOf(kinds.second, trial) : OtherSideOf(*src, trial);
  if (!dst) return;
  const auto transfer = SetUpTransfer(c, *src, *dst, trial);
  if (!transfer) return;
  const engine::kind own = gpu ? engine::kind::gpu : engine::kind::cpu;  // XENG-006
  ExpectSides(transfer->pd, *src, *dst, own, trial);
}

void StreamOfTheOwnEngineWorks(const ReorderCase& c, Trial& trial) {
  if (c.attributes.src_zero.run_time || c.attributes.dst_zero.run_time)
    trial.Cover("run-time zero point");
  if (HasDevice(trial)) return BetweenDevices(c, trial);
  WithinOneDevice(c, trial);
}

// Project: a stream of either side is accepted.
void StreamOfEitherSideWorks(const ReorderCase& c, Trial& trial) {
  const Kinds kinds = DirectionOf(c);
  const auto src = SideOf(kinds.first, trial);
  if (!src) return;
  const auto dst = SideOf(kinds.second, trial);
  if (!dst) return;
  for (const Side* side : {&*src, &*dst}) {
    auto transfer = SetUpTransfer(c, *src, *dst, trial);
    if (!transfer) return;
    const auto done = Attempt([&] {
      dnnl::stream stream(side->device.engine);
      dnnl::reorder(transfer->pd).execute(stream, transfer->from.memory(), transfer->to.memory());
      stream.wait();
    });
    if (!done)
      return trial.Deviate(std::string("a stream of the ") + NameOf(side->kind) + " side",
                           "accepted", done.refusal.ToString());
    if (!ExpectReordered(c, transfer->source, transfer->old, c.Scales(), transfer->to.Load(),
                         trial))
      return;
  }
}

// Project: memories on the wrong sides are an argument fault.
void SwappedMemoriesAreRefused(const ReorderCase& c, Trial& trial) {
  if (trial.portable()) return trial.NotRun("only the project profile has such arguments");
  const Kinds kinds = DirectionOf(c);
  const auto src = SideOf(kinds.first, trial);
  if (!src) return;
  const auto dst = SideOf(kinds.second, trial);
  if (!dst) return;
  auto transfer = SetUpTransfer(c, *src, *dst, trial);
  if (!transfer) return;
  const auto swapped = Attempt([&] {
    dnnl::memory from(transfer->pd.src_desc(), dst->device.engine);
    dnnl::memory to(transfer->pd.dst_desc(), src->device.engine);
    // No wait: refused.
    dnnl::reorder(transfer->pd).execute(transfer->stream, from, to);
  });
  trial.Expect(!swapped && swapped.refusal.is_error, "memories of the other sides",
               "a dnnl::error at execute", swapped ? "accepted" : swapped.refusal.ToString());
}

void GapsStayUntouched(const ReorderCase& c, Trial& trial) {
  const Kinds kinds = EnginesOf(c, trial);
  const auto src = SideOf(kinds.first, trial);
  if (!src) return;
  const auto dst = SideOf(kinds.second, trial);
  if (!dst) return;
  auto transfer = SetUpTransfer(c, *src, *dst, trial);
  if (!transfer || !Run(c, *transfer, trial)) return;
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

// Of the primitives that the suite knows, only reorder takes two engines.
void OtherPrimitivesTakeOneEngine(const NoParameters&, Trial& trial) {
  using Pd = dnnl::shuffle_forward::primitive_desc;
  using Desc = const dnnl::shuffle_forward::desc&;
  trial.Expect(std::is_constructible_v<Pd, Desc, const engine&>,
               "shuffle_forward::primitive_desc(desc, engine)") &&
      trial.Expect(!std::is_constructible_v<Pd, Desc, const engine&, const engine&>,
                   "shuffle_forward::primitive_desc(desc, engine, engine)", "no such constructor",
                   "a constructor") &&
      trial.Expect(std::is_constructible_v<ReorderPd, const engine&, const dnnl::memory::desc&,
                                           const engine&, const dnnl::memory::desc&>,
                   "reorder::primitive_desc(engine, md, engine, md)");
}

// Host to device, shuffle there, back to the host: one in-order stream, one wait. Without a second
// device all on the engine there is.
void ChainsNeedNoWait(const ReorderCase& c, Trial& trial) {
  const bool gpu = HasDevice(trial);
  trial.Cover(gpu ? "two devices" : "one device");
  const auto host = SideOf(engine::kind::cpu, trial);
  if (!host) return;
  const auto device = gpu ? SideOf(engine::kind::gpu, trial) : host;
  if (!device) return;
  auto there = SetUpTransfer(c, *host, *device, trial);
  if (!there) return;
  const int64_t size = c.dims().back();
  const std::vector<int64_t> groups = Divisors(size);
  const int64_t group = groups[groups.size() / 2];
  const int axis = c.dst.rank() - 1;
  const auto done = Attempt([&] {
    const engine& own = device->device.engine;
    const dnnl::memory::desc& desc = there->pd.dst_desc();
    dnnl::memory middle(desc, own), shuffled(desc, own);
    const dnnl::shuffle_forward shuffle(
        {{dnnl::prop_kind::forward_training, desc, axis, static_cast<int>(group)}, own});
    dnnl::stream stream(own);
    dnnl::reorder(there->pd).execute(stream, there->from.memory(), middle);
    shuffle.execute(stream, {{DNNL_ARG_SRC, middle}, {DNNL_ARG_DST, shuffled}});
    const ReorderPd back(own, desc, host->device.engine, there->pd.src_desc());
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

// MAY: neither side on a CPU engine.
void DeviceToDevice(const ReorderCase& c, Trial& trial) {
  if (engine::get_count(engine::kind::gpu) < 2) return trial.NotRun("no two devices");
  const size_t from = c.seed % 2;
  const auto src = SideOf(engine::kind::gpu, trial, from);
  if (!src) return;
  const auto dst = SideOf(engine::kind::gpu, trial, 1 - from);
  if (!dst) return;
  const auto pd = Attempt([&] {
    return ReorderPd(src->device.engine, MakeDesc(c.src), dst->device.engine, MakeDesc(c.dst));
  });
  trial.Record("a reorder between two devices", pd ? "accepted" : "refused");
  if (pd) return CheckTransfer(c, *src, *dst, trial);
  trial.Expect(pd.refusal.is_error, "device to device", "a dnnl::error", pd.refusal.ToString());
}

// Values that every type has.
ReorderLimits Exact(Layouts layouts) {
  ReorderLimits limits;
  limits.layouts = layouts;
  limits.shape.max_elements = 4096;
  limits.values = {ValueKind::kIndex};
  return limits;
}

ReorderLimits EqualLayouts() {
  ReorderLimits limits = Exact(Layouts::kStrides);
  limits.from = limits.to = {Type::kF32};
  limits.same_layout = true;
  limits.shape.max_rank = 6;
  return limits;
}

// Sizes that a shuffle can do something with.
Cases<ReorderCase> Chains() {
  return Drawn<ReorderCase>([](Random& random) {
    ReorderCase c = AnyReorderCase(random, EqualLayouts());
    spec::Dims dims = AnyShapeAround(random, c.dst.rank(), c.dst.rank() - 1,
                                     random.Pick<int64_t>({4, 6, 8, 12, 24, 64}), 4096);
    c.src.dims = c.dst.dims = dims;
    c.src.layout = c.dst.layout = Plainest(dims);
    return c;
  });
}

ReorderLimits WithAttributes() {
  ReorderLimits limits = Exact(Layouts::kStrides);
  limits.attributes = true;
  limits.attribute_limits.masks = Masks::kNone;
  limits.attribute_limits.exact = true;
  return limits;
}

// Between the engines as within one: scales of single axes, factors and values that round.
ReorderLimits Converting() {
  ReorderLimits limits = WithAttributes();
  limits.attribute_limits.masks = Masks::kSingle;
  limits.attribute_limits.exact = false;
  limits.values = {ValueKind::kFinite};
  return limits;
}

// Whichever engine converts, the oracle is the same: ties, large values, NaN and subnormals too.
ReorderLimits AnyValues() {
  ReorderLimits limits = Exact(Layouts::kAll);
  limits.values = {ValueKind::kMixed};
  return limits;
}

Cases<ReorderCase> RunTimeScaled() {
  return Drawn<ReorderCase>([](Random& random) {
    ReorderLimits limits = Exact(Layouts::kTags);
    limits.attributes = true;
    limits.attribute_limits.sum = false;
    limits.attribute_limits.masks = Masks::kNone;
    ReorderCase c = AnyReorderCase(random, limits);
    c.attributes.run_time = true;
    return c;
  });
}

// Zero points, half of them at execution.
ReorderLimits Shifted() {
  ReorderLimits limits = Exact(Layouts::kStrides);
  limits.attributes = true;
  limits.attribute_limits.zero_points = true;
  limits.attribute_limits.masks = Masks::kNone;
  limits.attribute_limits.exact = true;
  return limits;
}

const bool kDefined[] = {
    Define<ReorderCase>(spec::REO_ZP_019, "", AnyReorder(Shifted()), StreamOfTheOwnEngineWorks,
                        {"run-time zero point"}),
    Define(spec::XENG_001, "", OtherPrimitivesTakeOneEngine),
    Define<ReorderCase>(spec::XENG_002, "", AnyReorder(EqualLayouts()), RoundTrip),
    Define<ReorderCase>(spec::XENG_003, "", AnyReorder(Converting()), BetweenDevices),
    Define<ReorderCase>(spec::XENG_004, "", AnyReorder(EqualLayouts()), DeviceToDevice),
    Define<ReorderCase>(spec::XENG_005, "", AnyReorder(EqualLayouts()), EnginesAreReported,
                        {"made of memories"}),
    Define<ReorderCase>(spec::XENG_006, "", AnyReorder(EqualLayouts()), StreamOfTheOwnEngineWorks),
    Define<ReorderCase>(spec::XENG_007, "", AnyReorder(EqualLayouts()), StreamOfEitherSideWorks),
    Define<ReorderCase>(spec::XENG_008, "", AnyReorder(EqualLayouts()), SwappedMemoriesAreRefused),
    Define<ReorderCase>(spec::XENG_009, "", AnyReorder(EqualLayouts()), BetweenDevices),
    Define<ReorderCase>(spec::XENG_010, "", AnyReorder(EqualLayouts()), MappedDataIsTheSource),
    Define<ReorderCase>(spec::XENG_011, "", Chains(), ChainsNeedNoWait),
    Define<ReorderCase>(spec::XENG_012, "", AnyReorder(Exact(Layouts::kAll)), GapsStayUntouched),
    Define<ReorderCase>(spec::XENG_013, "", Drawn<ReorderCase>(EmptyCase), EmptyTransfersSucceed),
    Define<ReorderCase>(spec::XENG_014, "", AnyReorder(WithAttributes()), BetweenEngineObjects,
                        {"made of memories", "stream of another engine object",
                         "memories of another engine object"}),
    Define<ReorderCase>(spec::XENG_015, "", RunTimeScaled(), StreamOfTheOwnEngineWorks),
    Define<ReorderCase>(spec::XENG_016, "", AnyReorder(AnyValues()), BetweenDevices),
};

}  // namespace
}  // namespace conformance
