// XENG: reorder is the one primitive that involves two engines. Which ones it takes and tells, and
// whose streams and memories. Most of it needs two devices; with one, two engine objects of that
// device are what there is (project), or one (portable). What is transferred: transfers.cc.
#include <optional>
#include <string>
#include <type_traits>

#include "conformance/case/property.h"
#include "conformance/reorder/cases.h"
#include "conformance/reorder/limits.h"
#include "conformance/reorder/run.h"
#include "conformance/reorder/transfer.h"
#include "conformance/subject/attempt.h"
#include "conformance/subject/device.h"
#include "conformance/subject/expect.h"
#include "conformance/subject/tensor.h"
#include "oneapi/dnnl/dnnl.hpp"
#include "spec/requirements.h"

namespace conformance {
namespace {

using dnnl::engine;

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
  if (!RunTransfer(c, *transfer, trial)) return;
  ExpectReordered(c, transfer->source, transfer->old, c.Scales(), transfer->to.Load(), trial);
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

const bool kDefined[] = {
    Define(spec::XENG_001, "", OtherPrimitivesTakeOneEngine),
    Define<ReorderCase>(spec::XENG_004, "", AnyReorder(EqualLayoutsOfF32()), DeviceToDevice),
    Define<ReorderCase>(spec::XENG_005, "", AnyReorder(EqualLayoutsOfF32()), EnginesAreReported,
                        {"made of memories"}),
    Define<ReorderCase>(spec::XENG_007, "", AnyReorder(EqualLayoutsOfF32()),
                        StreamOfEitherSideWorks),
    Define<ReorderCase>(spec::XENG_008, "", AnyReorder(EqualLayoutsOfF32()),
                        SwappedMemoriesAreRefused),
    Define<ReorderCase>(spec::XENG_014, "", AnyReorder(WithExactAttributes()), BetweenEngineObjects,
                        {"made of memories", "stream of another engine object",
                         "memories of another engine object"}),
};

}  // namespace
}  // namespace conformance
