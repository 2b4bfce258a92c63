// Where the arguments of primitives of every kind lie: MEM-009, PRIM-033, PRIM-038, PRIM-041,
// PRIM-050.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "conformance/case/property.h"
#include "conformance/gen/layouts.h"
#include "conformance/model/holder.h"
#include "conformance/model/sample_attributes.h"
#include "conformance/model/samples.h"
#include "conformance/subject/attempt.h"
#include "conformance/subject/descriptor_text.h"
#include "conformance/subject/device.h"
#include "conformance/subject/expect.h"
#include "conformance/subject/tensor.h"
#include "oneapi/dnnl/dnnl.hpp"
#include "spec/memory/oracle.h"
#include "spec/requirements.h"

namespace conformance {
namespace {

using dnnl::memory;
using dnnl::primitive_attr;

// PRIM-033: each argument is a line of elements, of which none is behind the tensor's last one.
void LinesOfElementsServe(const SampleCase& c, Trial& trial) {
  if (trial.portable()) return trial.NotRun("pinned by the project profile only");
  const auto sample = SampleOf(c, trial);
  if (!sample) return;
  Device& device = *DeviceFor(trial);
  Bench bench(*sample, device, c.seed);
  Random random(Mix(c.seed + 1));
  Arguments arguments = bench.arguments();
  for (const int arg : ArgumentsOf(sample->plan)) {
    if (random.Chance(30)) continue;
    const TensorSpec& tensor = *sample->plan.TensorOf(arg);
    memory& given = arguments[arg];
    given = memory(Flat(tensor.type, Reach(tensor)), device.engine, given.get_data_handle());
  }
  const auto done = Attempt([&] {
    sample->primitive.execute(device.stream, arguments);
    device.stream.wait();
  });
  if (trial.Expect(static_cast<bool>(done), "execute on lines of elements", "done",
                   done.refusal.ToString()))
    bench.IsDone(c.kind + " on lines of elements", trial);
}

primitive_attr UserMode() {
  primitive_attr attr;
  attr.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  return attr;
}

// A scratchpad that lacks its last byte, or is of another type.
void OtherScratchpadsAreRefused(const SampleCase& c, Trial& trial) {
  if (trial.portable()) return trial.NotRun("pinned by the project profile only");
  const auto sample = SampleOf(c, trial, UserMode());
  if (!sample) return;
  Device& device = *DeviceFor(trial);
  const memory::desc need = sample->pd.scratchpad_desc();
  const auto bytes = static_cast<int64_t>(need.get_size());
  if (bytes == 0) return trial.Vacuous();
  Bench bench(*sample, device, c.seed);
  Arguments arguments = bench.arguments();
  const auto refused = [&](const char* what, const memory::desc& wrong) {
    arguments[DNNL_ARG_SCRATCHPAD] = memory(wrong, device.engine);
    RefusedUntouched(*sample, arguments, bench, device, what, trial);
    return !trial.failed();
  };
  const int64_t fewer = bytes / spec::BytesOf(spec::Type::kF32) * spec::BytesOf(spec::Type::kF32);
  if (need.data_type() == memory::data_type::u8 &&
      !refused("with a scratchpad that is one byte short", Flat(spec::Type::kU8, bytes - 1)))
    return;
  if (fewer == bytes && need.data_type() != memory::data_type::f32)
    refused("with a scratchpad of f32", Flat(spec::Type::kF32, bytes / 4));
}

// MEM-009: every argument gets the buffer of another, through a copy and with a stream or without.
void LaterExecutionsUseTheNewBuffers(const SampleCase& c, Trial& trial) {
  const auto sample = SampleOf(c, trial);
  if (!sample) return;
  Device& device = *DeviceFor(trial);
  Bench first(*sample, device, c.seed), second(*sample, device, c.seed + 5);
  const Arguments arguments = first.arguments(), others = second.arguments();
  const auto execute = [&] {
    sample->primitive.execute(device.stream, arguments);
    device.stream.wait();
  };
  execute();
  if (!first.IsDone(c.kind, trial)) return;
  for (const auto& [arg, given] : arguments) {
    memory copy = given;
    if ((c.seed + static_cast<uint64_t>(arg)) % 2 == 0) {
      copy.set_data_handle(others.at(arg).get_data_handle());
    } else {
      copy.set_data_handle(others.at(arg).get_data_handle(), device.stream);
    }
  }
  execute();
  if (second.IsDone(c.kind + " in other buffers", trial) && device.on_host)
    first.IsDone(c.kind + " in the first buffers, later", trial);
}

// PRIM-038 of what attributes leave to the execution.
void NumbersAreNotModified(const SampleCase& c, Trial& trial) {
  Random random(Mix(c.seed));
  const auto plan = PlanFor(c, random, trial);
  if (!plan) return;
  Device& device = *DeviceFor(trial);
  const int axes = plan->kind->scaled_axes & ((1 << plan->to.rank()) - 1);
  const int mask = random.Chance(50) ? 0 : axes;
  primitive_attr attr;
  const memory scales = ScaleAtExecution(*plan, mask, 2.f, device, &attr);
  const auto sample = Attempt([&] { return MakeSample(*plan, device.engine, attr); });
  if (!sample) return SampleWithAttributesRefused(*plan, attr, sample.refusal, trial);
  Bench bench(*sample.value, device, c.seed);
  Arguments arguments = bench.arguments();
  arguments[DNNL_ARG_ATTR_OUTPUT_SCALES] = scales;
  sample.value->primitive.execute(device.stream, arguments);
  device.stream.wait();
  const auto count = static_cast<size_t>(CountOfScales(*plan, mask));
  const float* const mapped = scales.map_data<float>();
  const bool same = std::all_of(mapped, mapped + count, [](float scale) { return scale == 2; });
  scales.unmap_data(const_cast<float*>(mapped));
  const std::string changed = bench.from.ChangedByte(bench.values);
  trial.Expect(same, "scales that came with the execution", "untouched", "others");
  trial.Expect(changed.empty(), "source", "untouched", changed);
}

// PRIM-041 of primitives that compute, for a batch of none. Of the tensors without elements no
// handle may be used.
void BatchesOfNoneAreNotTouched(const SampleCase& c, Trial& trial) {
  const auto drawn = PlanFor(c, trial);
  if (!drawn) return;
  Device& device = *DeviceFor(trial);
  SamplePlan plan = *drawn;
  std::vector<int> empty = {plan.from_arg(), plan.to_arg()};
  const auto take_all = [](TensorSpec* tensor) {
    tensor->dims[0] = 0;
    tensor->layout = RowMajor(tensor->dims);
  };
  take_all(&plan.from);
  take_all(&plan.to);
  for (SamplePlan::Input& input : plan.others) {
    if (input.arg != DNNL_ARG_SRC) continue;
    take_all(&input.tensor);
    empty.push_back(input.arg);
  }
  // The first number of a convolution is its batch.
  if (plan.numbers.size() > 4) plan.numbers[0] = 0;
  const auto sample = Attempt([&] { return MakeSample(plan, device.engine); });
  if (!sample) return SampleRefused(plan, sample.refusal, trial);
  Arguments arguments;
  for (const SamplePlan::Input& input : plan.others)
    arguments[input.arg] = memory(MakeDesc(input.tensor), device.engine);
  void* const nowhere = reinterpret_cast<void*>(uintptr_t{16});
  for (void* const handle : {static_cast<void*>(nullptr), nowhere}) {
    if (handle != nullptr && !device.on_host) continue;
    for (const int arg : empty) arguments[arg] = memory(DescOf(plan, arg), device.engine, handle);
    const auto done = Attempt([&] {
      sample.value->primitive.execute(device.stream, arguments);
      device.stream.wait();
    });
    if (!trial.Expect(static_cast<bool>(done), "execute of " + c.kind + " on a batch of none",
                      "done", done.refusal.ToString()))
      return;
  }
}

int64_t BytesOf(const TensorSpec& tensor) { return Reach(tensor) * spec::BytesOf(tensor.type); }

// PRIM-050: one of the inputs, or the scratchpad, lies where the result will be written.
void ResultsOverwriteNothing(const SampleCase& c, Trial& trial) {
  if (trial.portable()) return trial.NotRun("pinned by the project profile only");
  const auto sample = SampleOf(c, trial, UserMode());
  if (!sample) return;
  Device& device = *DeviceFor(trial);
  const SamplePlan& plan = sample->plan;
  Bench bench(*sample, device, c.seed);
  const Arguments all = bench.ArgumentsFor(*sample, device);
  for (const auto& [arg, given] : all) {
    if (arg == plan.to_arg()) continue;
    const memory::desc desc =
        arg == DNNL_ARG_SCRATCHPAD ? sample->pd.scratchpad_desc() : DescOf(plan, arg);
    const auto bytes = static_cast<int64_t>(desc.get_size());
    if (arg == DNNL_ARG_SCRATCHPAD) trial.Cover("scratchpad");
    const Holder whole(Flat(spec::Type::kU8, bytes + BytesOf(plan.to)), device, c.seed);
    Arguments arguments = all;
    arguments[arg] = whole.As(desc, device);
    arguments[plan.to_arg()] = whole.As(sample->to, device);
    const std::string what =
        "execute of " + c.kind + " whose result is written over " + NameOfArgument(arg);
    if (!ExpectRefusedByExecute(
            what,
            // No wait: refused.
            [&] { sample->primitive.execute(device.stream, arguments); }, device.stream, trial) ||
        !whole.Holds("the buffer after " + what, trial))
      return;
  }
}

// Of dense tensors, of which no element is made of one alone.
Cases<SampleCase> Products() {
  constexpr int64_t kCases = 300;
  SampleDraws draws;
  draws.of = [](const SampleKind& kind) {
    return kind.primitive == dnnl::primitive::kind::inner_product ||
           kind.primitive == dnnl::primitive::kind::convolution;
  };
  Cases<SampleCase> some = Samples(draws);
  some.count = kCases;
  return some;
}

Cases<SampleCase> OfBatches() {
  SampleDraws draws;
  draws.of = [](const SampleKind& kind) {
    return !kind.is_reshapable && kind.to_arg != DNNL_ARG_DIFF_WEIGHTS;
  };
  return Samples(draws);
}

Cases<SampleCase> ScaledSamples() {
  SampleDraws draws;
  draws.of = [](const SampleKind& kind) { return kind.scaled_axes != 0; };
  return Samples(draws);
}

const bool defined[] = {
    Define(spec::MEM_009, "kinds", Samples(), LaterExecutionsUseTheNewBuffers),
    Define(spec::PRIM_033, "lines", Samples(), LinesOfElementsServe),
    Define(spec::PRIM_033, "scratchpad", Products(), OtherScratchpadsAreRefused),
    Define(spec::PRIM_038, "scales", ScaledSamples(), NumbersAreNotModified),
    Define(spec::PRIM_041, "kinds", OfBatches(), BatchesOfNoneAreNotTouched),
    Define(spec::PRIM_050, "kinds", Products(), ResultsOverwriteNothing),
};

}  // namespace
}  // namespace conformance
