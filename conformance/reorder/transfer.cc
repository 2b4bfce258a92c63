#include "conformance/reorder/transfer.h"

#include <string>
#include <unordered_map>

#include "conformance/subject/attempt.h"
#include "conformance/subject/expect.h"
#include "spec/memory/oracle.h"

namespace conformance {
namespace {

using dnnl::engine;
using spec::Type;

Attempted<ReorderPd> PdOfMemories(const ReorderCase& c, Transfer& transfer) {
  return Attempt(
      [&] { return ReorderPd(transfer.from.memory(), transfer.to.memory(), AttrOf(c)); });
}

}  // namespace

const char* NameOf(engine::kind kind) { return kind == engine::kind::gpu ? "gpu" : "cpu"; }

bool HasDevice(const Trial& trial) {
  return trial.engine() == EngineChoice::kGpu && engine::get_count(engine::kind::gpu) > 0;
}

std::optional<Side> SideOf(engine::kind kind, Trial& trial, size_t index) {
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

std::optional<Side> OtherSideOf(const Side& side, Trial& trial) {
  return trial.portable() ? side : SideOf(side.kind, trial);
}

engine::kind KindOf(const Trial& trial) {
  return trial.engine() == EngineChoice::kGpu ? engine::kind::gpu : engine::kind::cpu;
}

Kinds DirectionOf(const ReorderCase& c) {
  const bool there = c.seed % 2 == 0;
  return there ? Kinds(engine::kind::cpu, engine::kind::gpu)
               : Kinds(engine::kind::gpu, engine::kind::cpu);
}

Kinds EnginesOf(const ReorderCase& c, const Trial& trial) {
  if (HasDevice(trial) || trial.portable()) return DirectionOf(c);
  return {KindOf(trial), KindOf(trial)};
}

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

bool RunTransfer(const ReorderCase& c, Transfer& transfer, Trial& trial) {
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
  if (!transfer || !RunTransfer(c, *transfer, trial)) return;
  ExpectReordered(c, transfer->source, transfer->old, c.Scales(), transfer->to.Load(), trial);
}

}  // namespace conformance
