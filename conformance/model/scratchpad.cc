// Scratchpads: ATTR-008 to ATTR-012, ATTR-014, ATTR-015, ERR-015, PRIM-035.
#include <optional>
#include <string>
#include <vector>

#include "conformance/case/property.h"
#include "conformance/gen/layouts.h"
#include "conformance/gen/placement.h"
#include "conformance/model/samples.h"
#include "conformance/subject/attempt.h"
#include "conformance/subject/descriptor_text.h"
#include "conformance/subject/device.h"
#include "conformance/subject/tensor.h"
#include "oneapi/dnnl/dnnl.hpp"
#include "spec/requirements.h"

namespace conformance {
namespace {

using dnnl::memory;
using dnnl::primitive_attr;
using dnnl::query;
using dnnl::scratchpad_mode;

constexpr char kNoNeed[] = "the subject needs no scratchpad";

primitive_attr InMode(scratchpad_mode mode) {
  primitive_attr attr;
  attr.set_scratchpad_mode(mode);
  return attr;
}

void BothModesAreAccepted(const SampleCase& c, Trial& trial) {
  for (const auto mode : {scratchpad_mode::library, scratchpad_mode::user})
    if (!SampleOf(c, trial, InMode(mode))) return;
}

void LibraryModeAsksForNothing(const SampleCase& c, Trial& trial) {
  const auto sample = SampleOf(c, trial, InMode(scratchpad_mode::library));
  if (!sample) return;
  const memory::desc need = sample->pd.scratchpad_desc();
  ExpectDescriptor(trial, need.is_zero(), "scratchpad_desc() in mode library",
                   "the zero descriptor", memory::desc(), need);
}

void UserModeConsumesNothing(const SampleCase& c, Trial& trial) {
  const auto sample = SampleOf(c, trial, InMode(scratchpad_mode::user));
  if (!sample) return;
  const int64_t bytes = sample->pd.query_s64(query::memory_consumption_s64);
  trial.Expect(bytes == 0, "memory_consumption_s64 in mode user", "0", std::to_string(bytes));
  const memory::desc need = sample->pd.scratchpad_desc();
  trial.Cover(need.is_zero() ? "no need" : "a need");
  trial.Expect(need.is_zero() || need.get_size() > 0, "scratchpad_desc() in mode user",
               "the zero descriptor, or one with a size", "one without");
}

// Executes in mode user with a scratchpad that holds these bytes, anywhere between guard zones: it
// is asked for in bytes, so that one may begin at any of them.
bool RunWithScratchpad(const Sample& sample, Bench& bench, Device& device, uint8_t filling,
                       const Placement& placement, Trial& trial) {
  const memory::desc need = sample.pd.scratchpad_desc();
  const auto bytes = static_cast<int64_t>(need.get_size());
  Arguments arguments = bench.arguments();
  std::optional<Tensor> scratchpad;
  if (bytes > 0) {
    scratchpad.emplace(TensorSpec{spec::Type::kU8, {bytes}, RowMajor({bytes})}, need, device,
                       placement, uint64_t{filling});
    scratchpad->Store(std::vector<spec::Bits>(static_cast<size_t>(bytes), filling));
    arguments[DNNL_ARG_SCRATCHPAD] = scratchpad->memory();
  }
  const auto done = Attempt([&] {
    sample.primitive.execute(device.stream, arguments);
    device.stream.wait();
  });
  if (!trial.Expect(static_cast<bool>(done), "execute in mode user", "done",
                    done.refusal.ToString()))
    return false;
  const std::string changed = scratchpad ? scratchpad->ChangedGap() : "";
  return trial.Expect(changed.empty(), "outside the scratchpad", "untouched", changed);
}

Placement AnyByte(Random& random) {
  const Placement::Edge edge = random.Pick({Placement::Edge::kMiddle, Placement::Edge::kMiddle,
                                            Placement::Edge::kStart, Placement::Edge::kEnd});
  return {edge, edge == Placement::Edge::kMiddle ? random.Between(0, 63) : 0};
}

void UserScratchpadsWork(const SampleCase& c, Trial& trial) {
  const auto sample = SampleOf(c, trial, InMode(scratchpad_mode::user));
  if (!sample) return;
  Device& device = *DeviceFor(trial);
  Bench bench(*sample, device, c.seed);
  Random random(Mix(c.seed + 1));
  for (int round = 0; round < 2; ++round) {
    bench.Reset();
    if (!RunWithScratchpad(*sample, bench, device, 0, AnyByte(random), trial)) return;
    if (!bench.IsDone("in mode user", trial)) return;
    if (sample->pd.scratchpad_desc().get_size() == 0) break;
  }
  if (sample->pd.scratchpad_desc().get_size() > 0) return;
  // Nothing is needed: a null handle does as well as none, where such a memory can be made
  // (MEM-016).
  const auto null = Attempt(
      [&] { return memory(sample->pd.scratchpad_desc(), device.engine, DNNL_MEMORY_NONE); });
  trial.Record("a scratchpad memory of size 0", null ? "created" : "refused");
  if (!null) return;
  bench.Reset();
  Arguments arguments = bench.arguments();
  arguments[DNNL_ARG_SCRATCHPAD] = *null.value;
  const auto done = Attempt([&] {
    sample->primitive.execute(device.stream, arguments);
    device.stream.wait();
  });
  if (trial.Expect(static_cast<bool>(done), "execute with a null scratchpad", "done",
                   done.refusal.ToString()))
    bench.IsDone("with a null scratchpad", trial);
}

// PRIM-035: a scratchpad that is needed is an argument like others.
void NeededScratchpadsMustBeThere(const SampleCase& c, Trial& trial) {
  if (trial.portable()) return trial.NotRun("pinned by the project profile only");
  const auto sample = SampleOf(c, trial, InMode(scratchpad_mode::user));
  if (!sample) return;
  if (sample->pd.scratchpad_desc().get_size() == 0) return trial.NotRun(kNoNeed);
  Device& device = *DeviceFor(trial);
  Bench bench(*sample, device, c.seed);
  if (c.seed % 2 == 0) {
    // That of an execution before is none of this one.
    if (!RunWithScratchpad(*sample, bench, device, 0, {}, trial)) return;
    bench.Reset();
  }
  Arguments arguments = bench.arguments();
  RefusedUntouched(*sample, arguments, bench, device, "without the scratchpad", trial);
  arguments[DNNL_ARG_SCRATCHPAD] = memory();
  RefusedUntouched(*sample, arguments, bench, device, "with memory() as scratchpad", trial);
}

// ERR-015, MEM-030: one argument after the other, a scratchpad among them, has a memory without a
// buffer.
void BuffersMustBeThere(const SampleCase& c, Trial& trial) {
  if (trial.portable()) return trial.NotRun("pinned by the project profile only");
  const auto sample = SampleOf(c, trial, InMode(scratchpad_mode::user));
  if (!sample) return;
  Device& device = *DeviceFor(trial);
  Bench bench(*sample, device, c.seed);
  const Arguments all = bench.ArgumentsFor(*sample, device);
  const auto execute = [&] {
    const auto done = Attempt([&] {
      sample->primitive.execute(device.stream, all);
      device.stream.wait();
    });
    return trial.Expect(static_cast<bool>(done), "execute with all buffers", "done",
                        done.refusal.ToString()) &&
           bench.IsDone("with all buffers", trial);
  };
  if (c.seed % 2 == 0 && !execute()) return;
  for (const auto& [arg, given] : all) {
    if (arg == DNNL_ARG_SCRATCHPAD) trial.Cover("a need");
    Arguments arguments = all;
    arguments[arg] = memory(given.get_desc(), device.engine, DNNL_MEMORY_NONE);
    bench.Reset();
    RefusedUntouched(*sample, arguments, bench, device, "with no buffer for " + NameOfArgument(arg),
                     trial);
    if (trial.failed()) return;
  }
  bench.Reset();
  execute();
}

// Scales and a sum, both or one of them, of what takes them, in some cases.
primitive_attr FusedInMode(const SamplePlan& plan, const SampleCase& c, scratchpad_mode mode) {
  primitive_attr attr = InMode(mode);
  const uint64_t style = c.seed % 4;
  if (plan.kind->scaled_axes == 0 || style == 0) return attr;
  if (style != 3) attr.set_output_scales(0, {0.5f});
  dnnl::post_ops ops;
  ops.append_sum(2);
  if (style != 2) attr.set_post_ops(ops);
  return attr;
}

void ModesGiveOneResult(const SampleCase& c, Trial& trial) {
  const auto plan = PlanFor(c, trial);
  if (!plan) return;
  Device& device = *DeviceFor(trial);
  const auto in_mode = [&](scratchpad_mode mode) {
    return Attempt([&] { return MakeSample(*plan, device.engine, FusedInMode(*plan, c, mode)); });
  };
  auto library = in_mode(scratchpad_mode::library), user = in_mode(scratchpad_mode::user);
  if (!library) return trial.NotRun("the attributes are refused");
  if (!user) return trial.Fail("mode user", "created", user.refusal.ToString());
  Bench first(*library, device, c.seed), second(*user, device, c.seed);
  if (!RunBench(library->primitive, first, device.stream, trial) ||
      !RunWithScratchpad(*user, second, device, 0x5a, {}, trial))
    return;
  ExpectSameBits(trial, "mode user", library->plan.to.type, library->plan.to.dims, first.to.Load(),
                 second.to.Load());
}

void ScratchpadContentsDoNotMatter(const SampleCase& c, Trial& trial) {
  const auto sample = SampleOf(c, trial, InMode(scratchpad_mode::user));
  if (!sample) return;
  Device& device = *DeviceFor(trial);
  trial.Cover(sample->pd.scratchpad_desc().is_zero() ? "no need" : "a need");
  for (const uint8_t filling : {uint8_t{0}, uint8_t{0xff}, uint8_t{0x7f}}) {
    Bench bench(*sample, device, c.seed);
    if (!RunWithScratchpad(*sample, bench, device, filling, {}, trial)) return;
    if (!bench.IsDone("with scratchpad bytes " + std::to_string(filling), trial)) return;
  }
}

// The same beside scales and sums: what comes of one filling, comes of all.
void ContentsDoNotMatterBesideAttributes(const SampleCase& c, Trial& trial) {
  const auto plan = PlanFor(c, trial);
  if (!plan) return;
  Device& device = *DeviceFor(trial);
  const primitive_attr attr = FusedInMode(*plan, c, scratchpad_mode::user);
  const auto sample = Attempt([&] { return MakeSample(*plan, device.engine, attr); });
  if (!sample) return trial.NotRun("the attributes are refused");
  if (sample.value->pd.scratchpad_desc().is_zero()) return trial.NotRun(kNoNeed);
  Bench first(*sample.value, device, c.seed);
  if (!RunWithScratchpad(*sample.value, first, device, 0, {}, trial)) return;
  for (const uint8_t filling : {uint8_t{0xff}, uint8_t{0x7f}}) {
    Bench bench(*sample.value, device, c.seed);
    if (!RunWithScratchpad(*sample.value, bench, device, filling, {}, trial)) return;
    if (!ExpectSameBits(trial, "with scratchpad bytes " + std::to_string(filling), plan->to.type,
                        plan->to.dims, first.to.Load(), bench.to.Load()))
      return;
  }
}

void ScratchpadEngineIsThePrimitives(const SampleCase& c, Trial& trial) {
  const auto sample = SampleOf(
      c, trial, InMode(c.seed % 2 == 0 ? scratchpad_mode::user : scratchpad_mode::library));
  if (!sample) return;
  Device& device = *DeviceFor(trial);
  const auto engine = Attempt([&] { return sample->pd.scratchpad_engine(); });
  if (!trial.Expect(static_cast<bool>(engine), "scratchpad_engine()", "the engine",
                    engine.refusal.ToString()))
    return;
  trial.Expect(engine.value->get_kind() == device.engine.get_kind(),
               "scratchpad_engine().get_kind()", "the engine's", "another");
  trial.Expect(EqualIfComparable(*engine.value, device.engine), "scratchpad_engine()",
               "equal to the engine", "unequal");
}

// The same of reorders between two engine objects: of one device, or with a CPU's on one side.
void ScratchpadEngineOfTwo(const SeedCase& c, Trial& trial) {
  if (trial.portable()) return trial.NotRun("only the project profile mixes engine objects");
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  Random random(Mix(c.seed));
  using Kind = dnnl::engine::kind;
  const bool is_gpu = device->engine.get_kind() == Kind::gpu;
  const bool mixed = is_gpu && dnnl::engine::get_count(Kind::cpu) > 0 && random.Chance(50);
  trial.Cover(mixed ? "two devices" : "one device");
  const dnnl::engine other(is_gpu && !mixed ? Kind::gpu : Kind::cpu, 0);
  const dnnl::engine &from = random.Chance(50) ? device->engine : other,
                     &to = &from == &other ? device->engine : other;
  const memory::dims dims{random.Between(1, 5), random.Between(1, 5)};
  const memory::desc src(dims, memory::data_type::f32, memory::format_tag::ab);
  const memory::desc dst(dims, memory::data_type::f32,
                         random.Pick({memory::format_tag::ab, memory::format_tag::ba}));
  const auto mode = random.Pick({scratchpad_mode::library, scratchpad_mode::user});
  const auto pd =
      Attempt([&] { return dnnl::reorder::primitive_desc(from, src, to, dst, InMode(mode)); });
  if (!pd) return trial.Vacuous();  // XENG-014
  trial.Expect(EqualIfComparable(pd.value->scratchpad_engine(), pd.value->get_engine()),
               "scratchpad_engine()", "equal to get_engine()", "unequal");
}

// Those that compute: others seldom want a scratchpad.
Cases<SampleCase> WithOthers() {
  SampleDraws draws;
  draws.of = [](const SampleKind& kind) { return !kind.is_mandatory; };
  return Samples(draws);
}

const std::vector<std::string> kEveryKind = {"reorder", "forward", "backward"};

const bool defined[] = {
    Define(spec::ATTR_008, "", Samples(), BothModesAreAccepted, kEveryKind),
    Define(spec::ATTR_009, "", Samples(), LibraryModeAsksForNothing, kEveryKind),
    Define(spec::ATTR_010, "", Samples(), UserModeConsumesNothing, kEveryKind),
    Define(spec::ATTR_011, "", Samples(), UserScratchpadsWork, kEveryKind),
    Define(spec::ATTR_012, "", Samples(), ModesGiveOneResult, kEveryKind),
    Define(spec::ATTR_014, "", Samples(), ScratchpadContentsDoNotMatter, kEveryKind),
    Define(spec::ATTR_014, "attributes", WithOthers(), ContentsDoNotMatterBesideAttributes),
    Define(spec::ATTR_015, "", Samples(), ScratchpadEngineIsThePrimitives, kEveryKind),
    Define(spec::ATTR_015, "two", Seeds(), ScratchpadEngineOfTwo),
    Define(spec::ERR_015, "buffers", Samples(), BuffersMustBeThere, kEveryKind),
    Define(spec::MEM_030, "kinds", Samples(), BuffersMustBeThere, kEveryKind),
    Define(spec::PRIM_035, "scratchpad", WithOthers(), NeededScratchpadsMustBeThere),
};

}  // namespace
}  // namespace conformance
