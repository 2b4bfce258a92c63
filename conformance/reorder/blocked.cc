// OPT-045 for reorder: what lies beyond the dims of a destination in blocks. ATTR-022 and REO-058,
// whose scales belong to indices and not to padding. REO-010, MEM-007 and OPT-022, which hold for
// every layout.
#include "conformance/subject/blocked.h"

#include <cstdint>
#include <numeric>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "conformance/case/property.h"
#include "conformance/reorder/blocked_cases.h"
#include "conformance/reorder/run.h"
#include "conformance/subject/buffers_seen.h"
#include "conformance/subject/descriptor_text.h"
#include "conformance/subject/expect.h"
#include "spec/requirements.h"

namespace conformance {
namespace {

using dnnl::engine;
using dnnl::memory;
using spec::Bits;

// Several axes have scales of their own, and one of them has padding.
bool ScalesThePadded(const BlockedReorder& c) {
  const int mask = c.attributes.mask;
  if ((mask & (mask - 1)) == 0) return false;
  const spec::Dims padded = spec::PaddedDims(c.dst.layout);
  for (size_t j = 0; j < padded.size(); ++j)
    if ((mask >> j & 1) != 0 && padded[j] != c.dst.dims()[j]) return true;
  return false;
}

// Blocks of one axis on both sides, of which neither divides the other, and what the pattern that
// they make together leaves of the axis.
void SawUnevenBlocks(const BlockedReorder& c, Trial& trial) {
  for (size_t j = 0; j < c.dst.dims().size(); ++j) {
    const auto size_along = [&](const BlockedTensor& tensor) {
      int64_t size = 1;
      for (const spec::Block& block : tensor.layout.blocks)
        if (block.axis == static_cast<int>(j)) size *= block.size;
      return size;
    };
    const int64_t from = size_along(c.src), to = size_along(c.dst), both = std::lcm(from, to);
    if (both == from || both == to || c.dst.dims()[j] < 2 * both) continue;
    trial.Cover(c.dst.dims()[j] % both == 0 ? "uneven blocks" : "uneven blocks with a left-over");
  }
}

void SawCase(const BlockedReorder& c, Trial& trial) {
  SawBlocks(trial, c.dst);
  SawPlacement(trial, c.to);
  if (!c.src.layout.blocks.empty()) trial.Cover("from blocks");
  if (c.src.type != c.dst.type) trial.Cover("converted");
  if (c.attributes.scaled()) trial.Cover("scales");
  if (ScalesThePadded(c)) trial.Cover("mask of a padded axis");
  if (c.attributes.sum) trial.Cover("sum");
  if (c.attributes.zero_points()) trial.Cover("zero points");
  if (c.run_time) trial.Cover("run-time strides");
  SawUnevenBlocks(c, trial);
}

void CheckPadding(const BlockedReorder& c, const Device& src_device, const Device& dst_device,
                  Trial& trial) {
  SawCase(c, trial);
  const ReorderCase plain = c.AsPlain();
  const auto src = BlockedDesc(c.src, false, trial), dst = BlockedDesc(c.dst, false, trial);
  const auto promised = BlockedDesc(c.dst, c.run_time, trial);
  if (!src || !dst || !promised) return;
  // No document obliges anyone to take blocks that somebody wrote by hand.
  const auto pd = Attempt([&] {
    return ReorderPd(src_device.engine, *src, dst_device.engine, *promised, AttrOf(plain));
  });
  if (!pd) {
    Asked asked = AskedOf(plain);
    asked.features.emplace_back("blocks");
    return trial.Refused(pd.refusal, std::move(asked), LegalityOf(plain, trial));
  }
  const std::vector<Bits> source = plain.Source(), old = plain.Old();
  std::optional<BlockedMemory> from, to;
  const auto done = Attempt([&] {
    from.emplace(c.src, *src, src_device, c.from, c.seed);
    to.emplace(c.dst, *dst, dst_device, c.to, ~c.seed);
    from->Store(source);
    to->Store(old);
    const engine own = pd.value->get_engine();
    const RunTimeArguments run_time(plain, own, own.get_kind() == engine::kind::cpu);
    std::unordered_map<int, dnnl::memory> arguments{{DNNL_ARG_FROM, from->memory()},
                                                    {DNNL_ARG_TO, to->memory()}};
    run_time.AddTo(&arguments);
    const dnnl::reorder reorder(*pd.value);
    const dnnl::primitive& base = reorder;
    dnnl::stream stream(own);
    base.execute(stream, arguments);
    stream.wait();
  });
  if (!done) return trial.Fail("memories, execute and wait", "done", done.refusal);
  if (ExpectReordered(plain, source, old, plain.Scales(), to->Load(), trial, "the result") &&
      to->ExpectZeroPadding("dst", trial))
    from->ExpectUntouched("src", trial);
}

void PaddingIsZero(const BlockedReorder& c, Trial& trial) {
  if (trial.portable()) return trial.NotRun("pinned by the project profile only");
  Device* const device = DeviceFor(trial);
  if (device != nullptr) CheckPadding(c, *device, *device, trial);
}

// MEM-007: a memory gives the descriptor that it was given, and that serves in the other's place.
void MemoriesKeepTheirBlocks(const BlockedReorder& c, Trial& trial) {
  if (trial.portable()) return trial.NotRun("pinned by the project profile only");
  SawBlocks(trial, c.dst);
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  const auto desc = BlockedDesc(c.dst, false, trial);
  if (!desc) return;
  const auto made = Attempt([&] { return memory(*desc, device->engine, DNNL_MEMORY_NONE); });
  if (!made) return trial.LeftOpen(made.refusal, "a memory in blocks");
  const memory::desc got = made.value->get_desc();
  if (!ExpectDescriptor(trial, "get_desc()", "the descriptor given", *desc, got) ||
      !trial.Expect(got.get_size() == desc->get_size(), "get_desc().get_size()",
                    std::to_string(desc->get_size()), std::to_string(got.get_size())))
    return;
  const auto again = Attempt([&] { return memory(got, device->engine, DNNL_MEMORY_NONE); });
  if (ExpectAccepted(trial, again, "a memory of get_desc()"))
    ExpectDescriptor(trial, "get_desc() of a memory of get_desc()", "the descriptor given", *desc,
                     again.value->get_desc());
}

// OPT-022: the same of the queries of a reorder.
void QueriesKeepBlocks(const BlockedReorder& c, Trial& trial) {
  if (trial.portable()) return trial.NotRun("pinned by the project profile only");
  SawCase(c, trial);
  const ReorderCase plain = c.AsPlain();
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  const auto src = BlockedDesc(c.src, false, trial), dst = BlockedDesc(c.dst, c.run_time, trial);
  if (!src || !dst) return;
  const auto make = [&](const memory::desc& from, const memory::desc& to) {
    return Attempt(
        [&] { return ReorderPd(device->engine, from, device->engine, to, AttrOf(plain)); });
  };
  const auto given = make(*src, *dst);
  if (!given) {
    Asked asked = AskedOf(plain);
    asked.features.emplace_back("blocks");
    return trial.Refused(given.refusal, std::move(asked), LegalityOf(plain, trial));
  }
  const auto keeps = [&](const ReorderPd& pd, const std::string& how) {
    return ExpectDescriptor(trial, "src_desc()" + how, "the descriptor given", *src,
                            pd.src_desc()) &&
           ExpectDescriptor(trial, "dst_desc()" + how, "the descriptor given", *dst, pd.dst_desc());
  };
  if (!keeps(*given.value, "")) return;
  const auto again = make(given.value->src_desc(), given.value->dst_desc());
  if (ExpectAccepted(trial, again, "a reorder of src_desc() and dst_desc()"))
    keeps(*again.value, " of a reorder of both");
}

// There for an even seed, and back.
void PaddingIsZeroBetweenEngines(const BlockedReorder& c, Trial& trial) {
  if (trial.portable()) return trial.NotRun("pinned by the project profile only");
  if (trial.engine() == EngineChoice::kCpu)
    return trial.NotRun("two devices are judged with --engine=gpu");
  Device* const gpu = DeviceFor(trial);
  if (gpu == nullptr) return;
  if (engine::get_count(engine::kind::cpu) == 0) return trial.NotRun("no second engine: no cpu");
  Device cpu;
  cpu.engine = engine(engine::kind::cpu, 0);
  cpu.on_host = true;
  trial.Cover(c.seed % 2 == 0 ? "to the device" : "to the host");
  if (c.seed % 2 == 0) return CheckPadding(c, cpu, *gpu, trial);
  CheckPadding(c, *gpu, cpu, trial);
}

const std::vector<std::string> kSeen{
    "padding", "several blocks", "one axis twice",   "gapped blocks",
    "start",   "from blocks",    "converted",        "scales",
    "sum",     "zero points",    "run-time strides", "s8",
    "f16"};

const bool kDefined[] = {
    Define<BlockedReorder>(spec::OPT_045, "reorder", AnyBlockedReorder(), PaddingIsZero, kSeen),
    Define<BlockedReorder>(
        spec::REO_010, "blocks", UnevenBlocks(), PaddingIsZero,
        {"uneven blocks", "uneven blocks with a left-over", "converted", "several blocks"}),
    Define<BlockedReorder>(spec::MEM_007, "blocks", AnyBlockedReorder(), MemoriesKeepTheirBlocks,
                           {"padding", "several blocks", "one axis twice", "start"}),
    Define<BlockedReorder>(spec::OPT_022, "blocks", AnyBlockedReorder(), QueriesKeepBlocks,
                           {"padding", "from blocks", "run-time strides", "scales"}),
    Define<BlockedReorder>(spec::OPT_045, "long", LongBlockedReorders(), PaddingIsZero,
                           {"padding", "converted", "scales"}),
    Define<BlockedReorder>(spec::ATTR_022, "blocks", MaskedBlockedReorders(), PaddingIsZero,
                           {"mask of a padded axis", "sum", "from blocks"}),
    Define<BlockedReorder>(spec::REO_058, "blocks", GroupedBlockedWeights(), PaddingIsZero,
                           {"mask of a padded axis"}),
    Define<BlockedReorder>(spec::OPT_045, "engines", AnyBlockedReorder(),
                           PaddingIsZeroBetweenEngines,
                           {"padding", "several blocks", "to the device", "to the host"}),
};

}  // namespace
}  // namespace conformance
