// Executing primitives: PRIM-030 to PRIM-049.
#include <algorithm>
#include <cstring>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "conformance/case/property.h"
#include "conformance/gen/layouts.h"
#include "conformance/gen/shapes.h"
#include "conformance/gen/values.h"
#include "conformance/memory/descriptor_case.h"
#include "conformance/memory/tensor_cases.h"
#include "conformance/model/foreign.h"
#include "conformance/model/one_scale.h"
#include "conformance/model/sample_attributes.h"
#include "conformance/model/samples.h"
#include "conformance/subject/attempt.h"
#include "conformance/subject/descriptor_text.h"
#include "conformance/subject/device.h"
#include "conformance/subject/expect.h"
#include "oneapi/dnnl/dnnl.hpp"
#include "spec/memory/oracle.h"
#include "spec/requirements.h"

namespace conformance {
namespace {

using dnnl::memory;
using Desc = memory::desc;
using DataType = memory::data_type;
using FormatTag = memory::format_tag;

void EachExecutionStandsAlone(const SampleCase& c, Trial& trial) {
  const auto sample = SampleOf(c, trial);
  if (!sample) return;
  Device& device = *DeviceFor(trial);
  std::vector<Bench> benches;
  for (uint64_t k = 0; k < 4; ++k) benches.emplace_back(*sample, device, c.seed + 5 * k);
  Random random(Mix(c.seed));
  for (int round = 0; round < 2; ++round) {
    for (const int k : AnyPermutation(random, static_cast<int>(benches.size()))) {
      benches[k].Reset();
      if (!RunBench(sample->primitive, benches[k], device.stream, trial)) return;
      if (!benches[k].IsDone("execution with input " + std::to_string(k), trial)) return;
    }
  }
}

void OneDescriptorManyPrimitives(const SampleCase& c, Trial& trial) {
  const auto sample = SampleOf(c, trial);
  if (!sample) return;
  Device& device = *DeviceFor(trial);
  Bench bench(*sample, device, c.seed);
  int number = 0;
  const auto pd = MakePd(sample->plan, device.engine);
  const dnnl::primitive primitives[] = {pd->Primitive(), pd->Primitive(), pd->Primitive()};
  for (const dnnl::primitive& primitive : primitives) {
    bench.Reset();
    if (!RunBench(primitive, bench, device.stream, trial)) return;
    if (!bench.IsDone("primitive " + std::to_string(number++), trial)) return;
  }
}

void OrderOfArgumentsIsNothing(const SampleCase& c, Trial& trial) {
  const auto sample = SampleOf(c, trial);
  if (!sample) return;
  Device& device = *DeviceFor(trial);
  Bench bench(*sample, device, c.seed);
  const Arguments all = bench.arguments();
  std::vector<int> order = ArgumentsOf(sample->plan);
  for (const bool source_first : {true, false}) {
    for (const size_t buckets : {size_t{1}, size_t{64}}) {
      Arguments arguments(buckets);
      for (const int arg : order) arguments.emplace(arg, all.at(arg));
      std::reverse(order.begin(), order.end());
      bench.Reset();
      sample->primitive.execute(device.stream, arguments);
      device.stream.wait();
      if (!bench.IsDone(source_first ? "source first" : "destination first", trial)) return;
    }
  }
}

void MismatchesAreRefused(const SampleCase& c, Trial& trial) {
  if (trial.portable()) return trial.NotRun("pinned by the project profile only");
  const auto sample = SampleOf(c, trial);
  if (!sample) return;
  Device& device = *DeviceFor(trial);
  Bench bench(*sample, device, c.seed);
  for (const int arg : ArgumentsOf(sample->plan)) {
    const TensorSpec& right = *sample->plan.TensorOf(arg);
    TensorSpec type = right, same_size = right, fewer = right;
    type.type = right.type == spec::Type::kS32 ? spec::Type::kF32 : spec::Type::kS32;
    same_size.type = TypeOfTheSameSize(right.type);
    fewer.dims = {spec::LeastSizeInBytes(PlainOf(right), 1) - 1};
    fewer.layout = RowMajor(fewer.dims);
    const std::vector<std::pair<const char*, TensorSpec>> wrongs = {
        {"of another type", type},
        {"of another type of the same size", same_size},
        {"one element too short", fewer}};
    for (const auto& [what, wrong] : wrongs) {
      // The element that is missing is there all the same, for whoever executes.
      Arguments arguments = bench.arguments();
      const Desc desc = MakeDesc(wrong);
      arguments[arg] = device.on_host
                           ? memory(desc, device.engine, arguments[arg].get_data_handle())
                           : memory(desc, device.engine);
      RefusedUntouched(*sample, arguments, bench, device,
                       "with " + NameOfArgument(arg) + " " + what, trial);
      if (trial.failed()) return;
    }
  }
}

// Descriptors that differ in the strides of dims of 1 are equal (MD-043): they match.
void OnesNeedNotMatch(const SampleCase& c, Trial& trial) {
  if (trial.portable()) return trial.NotRun("pinned by the project profile only");
  Random random(Mix(c.seed));
  const auto drawn = PlanFor(c, random, trial);
  if (!drawn) return;
  Device* const device = DeviceFor(trial);
  SamplePlan plan = *drawn;
  const int axis = random.Chance(50) ? 0 : 2;  // not the shuffled one
  plan.from.dims[axis] = plan.to.dims[axis] = 1;
  plan.from.layout.strides = plan.to.layout.strides = RowMajorStrides(plan.from.dims);
  const auto sample = Attempt([&] { return MakeSample(plan, device->engine); });
  if (!sample) return SampleRefused(plan, sample.refusal, trial);
  Bench bench(*sample.value, *device, c.seed);
  Arguments arguments = bench.arguments();
  for (const int arg : {plan.from_arg(), plan.to_arg()}) {
    TensorSpec other = arg == plan.from_arg() ? plan.from : plan.to;
    other.layout.strides[axis] += random.Between(1, 99);
    memory& m = arguments[arg];
    m = device->on_host ? memory(MakeDesc(other), device->engine, m.get_data_handle()) : m;
  }
  if (!device->on_host) return trial.NotRun("the engine takes no host pointers");
  const auto done = Attempt([&] {
    sample.value->primitive.execute(device->stream, arguments);
    device->stream.wait();
  });
  if (trial.Expect(static_cast<bool>(done), "execute with other strides of dims of 1", "done",
                   done.refusal.ToString()))
    bench.IsDone(c.kind + " with other strides of dims of 1", trial);
}

void MissingArgumentsAreRefused(const SampleCase& c, Trial& trial) {
  const auto sample = SampleOf(c, trial);
  if (!sample) return;
  Device& device = *DeviceFor(trial);
  Bench bench(*sample, device, c.seed);
  // An execution before, that had all of them, changes nothing.
  if (c.seed % 2 == 0) {
    if (!RunBench(sample->primitive, bench, device.stream, trial)) return;
    bench.Reset();
  }
  const Arguments all = bench.arguments();
  for (const auto& [missing, given] : all) {
    Arguments arguments = all;
    arguments.erase(missing);
    RefusedUntouched(*sample, arguments, bench, device, "without " + NameOfArgument(missing),
                     trial);
    if (trial.failed()) return;
  }
  RefusedUntouched(*sample, {}, bench, device, "without arguments", trial);
  if (trial.failed()) return;
  if (RunBench(sample->primitive, bench, device.stream, trial)) bench.IsDone(c.kind, trial);
}

// The same of what attributes leave to the execution, beside the tensors: none of it may be
// missing.
void MissingAttributesAreRefused(const SampleCase& c, Trial& trial) {
  Random random(Mix(c.seed));
  const auto plan = PlanFor(c, random, trial);
  if (!plan) return;
  Device* const device = DeviceFor(trial);
  Arguments numbers;
  std::vector<std::string> features;
  const auto sample = Attempt([&] {
    dnnl::primitive_attr attr;
    if (random.Chance(60)) {
      features.emplace_back("run-time scales");
      const int axes = plan->kind->scaled_axes & ((1 << plan->to.rank()) - 1);
      numbers[DNNL_ARG_ATTR_OUTPUT_SCALES] =
          ScaleAtExecution(*plan, random.Chance(50) ? 0 : axes, 2.f, *device, &attr);
    }
    for (const int arg : {DNNL_ARG_SRC, DNNL_ARG_DST}) {
      // What else takes any is another chapter's.
      if (random.Chance(50) || !plan->kind->is_mandatory) continue;
      features.emplace_back("run-time zero points");
      attr.set_zero_points(arg, 0, {DNNL_RUNTIME_S32_VAL});
      numbers[DNNL_ARG_ATTR_ZERO_POINTS | arg] =
          NumberIn(Desc({1}, DataType::s32, FormatTag::x), 3, *device);
    }
    return MakeSample(*plan, device->engine, attr);
  });
  if (!sample) return SampleRefusedWith(*plan, std::move(features), sample.refusal, trial);
  if (numbers.empty()) return trial.Vacuous();
  Bench bench(*sample.value, *device, c.seed);
  Arguments all = bench.arguments();
  all.insert(numbers.begin(), numbers.end());
  if (random.Chance(50)) {
    const auto done = Attempt([&] {
      sample.value->primitive.execute(device->stream, all);
      device->stream.wait();
    });
    if (!ExpectAccepted(trial, done, "execute with all arguments")) return;
    bench.Reset();
  }
  for (const auto& [missing, given] : all) {
    Arguments arguments = all;
    if (random.Chance(50))
      arguments.erase(missing);
    else
      arguments[missing] = memory();
    RefusedUntouched(*sample.value, arguments, bench, *device, "without " + NameOfArgument(missing),
                     trial);
    if (trial.failed()) return;
  }
}

// Indices that no sample has a use for, beside its own.
std::vector<int> OtherIndices() {
  std::vector<int> indices = {DNNL_ARG_WEIGHTS,   DNNL_ARG_BIAS,          DNNL_ARG_SRC_1,
                              DNNL_ARG_SRC_2,     DNNL_ARG_DST_1,         DNNL_ARG_DST_2,
                              DNNL_ARG_MEAN,      DNNL_ARG_VARIANCE,      DNNL_ARG_WORKSPACE,
                              DNNL_ARG_DIFF_SRC,  DNNL_ARG_DIFF_DST,      DNNL_ARG_DIFF_WEIGHTS,
                              DNNL_ARG_SRC,       DNNL_ARG_DST,           DNNL_ARG_DIFF_BIAS,
                              DNNL_ARG_WEIGHTS_1, DNNL_ARG_DIFF_SRC_ITER, DNNL_ARG_DIFF_DST_ITER};
  for (int i = 0; i < 24; ++i) indices.push_back(DNNL_ARG_MULTIPLE_SRC + i);
  indices.insert(indices.end(), {DNNL_ARG_SCRATCHPAD, DNNL_ARG_ATTR_OUTPUT_SCALES,
                                 DNNL_ARG_ATTR_ZERO_POINTS | DNNL_ARG_SRC,
                                 DNNL_ARG_ATTR_ZERO_POINTS | DNNL_ARG_DST,
                                 DNNL_ARG_ATTR_MULTIPLE_POST_OP(0) | DNNL_ARG_SRC_1});
  return indices;
}

// From one to more than any primitive has of its own, in a map of any number of buckets.
void SuperfluousArgumentsAreIgnored(const SampleCase& c, Trial& trial) {
  const auto sample = SampleOf(c, trial);
  if (!sample) return;
  Device& device = *DeviceFor(trial);
  Bench bench(*sample, device, c.seed), spare(*sample, device, c.seed + 3);
  Random random(Mix(c.seed + 1));
  const Arguments own = bench.arguments();
  const std::vector<int> others = OtherIndices();
  const int64_t count = random.Between(1, random.Chance(50) ? 6 : 42);
  Arguments arguments(static_cast<size_t>(random.Between(1, 64)));
  if (random.Chance(50)) arguments.insert(own.begin(), own.end());
  for (const int k : AnyPermutation(random, static_cast<int>(others.size())))
    if (static_cast<int64_t>(arguments.size()) < count && own.count(others[k]) == 0)
      arguments.emplace(others[k], spare.to.memory());
  arguments.insert(own.begin(), own.end());
  if (arguments.size() > 16) trial.Cover("many arguments");
  const auto done = Attempt([&] {
    sample->primitive.execute(device.stream, arguments);
    device.stream.wait();
  });
  trial.Record("superfluous arguments", done ? "ignored" : "refused");
  if (!done) {
    trial.Expect(trial.portable() && done.refusal.is_error, "execute with superfluous arguments",
                 "done", done.refusal.ToString());
    return;
  }
  if (!bench.IsDone(c.kind, trial)) return;
  const std::string changed = spare.to.ChangedByte(spare.old);
  trial.Expect(changed.empty(), "superfluous argument", "untouched", changed);
}

void InputsAreNotModified(const SampleCase& c, Trial& trial) {
  const auto sample = SampleOf(c, trial);
  if (!sample) return;
  Device& device = *DeviceFor(trial);
  Bench bench(*sample, device, c.seed);
  if (!RunBench(sample->primitive, bench, device.stream, trial)) return;
  const std::string changed = bench.from.ChangedByte(bench.values);
  trial.Expect(changed.empty(), "source", "untouched", changed);
  for (size_t i = 0; i < bench.others.size(); ++i) {
    const std::string other = bench.others[i].ChangedByte(bench.other_values[i]);
    trial.Expect(other.empty(), NameOfArgument(bench.plan.others[i].arg), "untouched", other);
  }
}

void OutputsDependOnInputsOnly(const SampleCase& c, Trial& trial) {
  const auto sample = SampleOf(c, trial);
  if (!sample) return;
  Device& device = *DeviceFor(trial);
  Bench bench(*sample, device, c.seed);
  std::vector<spec::Bits> first;
  for (const spec::Bits garbage : {0u, 0x7fc00001u, 0xffffffffu, 0x3f800000u}) {
    const spec::Bits held = 0xffffffffu >> (32 - 8 * spec::BytesOf(sample->plan.to.type));
    bench.to.Store(std::vector<spec::Bits>(bench.old.size(), garbage & held));
    if (!RunBench(sample->primitive, bench, device.stream, trial)) return;
    const std::vector<spec::Bits> got = bench.to.Load();
    if (first.empty()) first = got;
    if (!ExpectSameBits(trial, "again", sample->plan.to.type, sample->plan.to.dims, first, got))
      return;
  }
}

void WritesTheDestinationOnly(const Sample& sample, uint64_t seed, Trial& trial) {
  Device& device = *DeviceFor(trial);
  Bench bench(sample, device, seed);
  SawTensor(trial, sample.plan.to);
  if (!RunBench(sample.primitive, bench, device.stream, trial)) return;
  const std::string changed = bench.to.ChangedGap();
  trial.Expect(changed.empty(), "outside the destination", "untouched", changed);
}

void OnlyTheDestinationIsWritten(const SampleCase& c, Trial& trial) {
  const auto sample = SampleOf(c, trial);
  if (sample) WritesTheDestinationOnly(*sample, c.seed, trial);
}

// The same where no two elements of the destination, and of what lies as it does, are neighbours:
// every element of a run has a gap behind it.
void NothingBetweenIsWritten(const SampleCase& c, Trial& trial) {
  Random random(Mix(c.seed));
  const auto drawn = PlanFor(c, random, trial);
  if (!drawn) return;
  SamplePlan plan = *drawn;
  const int64_t step = random.Pick<int64_t>({2, 2, 3, 4, 8});
  const auto spread = [&](TensorSpec* tensor) {
    if (tensor->dims != drawn->to.dims || tensor->layout.strides != drawn->to.layout.strides)
      return;
    for (int64_t& stride : tensor->layout.strides) stride *= step;
  };
  spread(&plan.from);
  spread(&plan.to);
  for (SamplePlan::Input& input : plan.others) spread(&input.tensor);
  trial.Cover(step == 2 ? "every second element" : "every third element or fewer");
  const auto sample = Attempt([&] { return MakeSample(plan, DeviceFor(trial)->engine); });
  if (!sample) return SampleRefused(plan, sample.refusal, trial);
  WritesTheDestinationOnly(*sample.value, c.seed, trial);
}

// No handle may be used: they point nowhere.
void EmptyArgumentsAreNotTouched(const SampleCase& c, Trial& trial) {
  Random random(Mix(c.seed));
  const auto drawn = PlanFor(c, random, trial);
  if (!drawn) return;
  Device* const device = DeviceFor(trial);
  SamplePlan plan = *drawn;
  const int axis = random.Chance(50) ? 0 : 2;  // not the shuffled one
  plan.from.dims[axis] = plan.to.dims[axis] = 0;
  // A shuffle has one descriptor for both.
  plan.from.layout.strides = DrawStrides(random, plan.from.dims, /*gaps=*/random.Chance(50));
  plan.to.layout.strides = plan.kind->has_own_layouts
                               ? DrawStrides(random, plan.to.dims, /*gaps=*/random.Chance(50))
                               : plan.from.layout.strides;
  auto sample = Attempt([&] { return MakeSample(plan, device->engine); });
  if (!sample) return SampleRefused(plan, sample.refusal, trial);
  if (plan.kind->has_own_layouts && random.Chance(50)) {
    // That it is empty, the execution tells.
    memory::dims dims = plan.from.dims;
    dims[axis] = DNNL_RUNTIME_DIM_VAL;
    const auto open = [&dims](const TensorSpec& tensor) {
      return Desc(dims, DataTypeOf(tensor.type), memory::dims(dims.size(), DNNL_RUNTIME_DIM_VAL));
    };
    const auto made = Attempt([&] {
      return dnnl::reorder(dnnl::reorder::primitive_desc(device->engine, open(plan.from),
                                                         device->engine, open(plan.to)));
    });
    if (!made) return trial.LeftOpen(made.refusal, "a reorder with run-time shapes");
    trial.Cover("run-time dim");
    sample.value->primitive = *made.value;
  }
  void* const nowhere = reinterpret_cast<void*>(uintptr_t{16});
  for (void* const handle : {static_cast<void*>(nullptr), nowhere}) {
    if (handle != nullptr && !device->on_host) continue;
    const auto done = Attempt([&] {
      sample.value->primitive.execute(
          device->stream, {{plan.from_arg(), memory(sample.value->from, device->engine, handle)},
                           {plan.to_arg(), memory(sample.value->to, device->engine, handle)}});
      device->stream.wait();
    });
    trial.Expect(static_cast<bool>(done), "execute on empty tensors", "done",
                 done.refusal.ToString());
  }
}

void OnlyShapesAreFixed(const SampleCase& c, Trial& trial) {
  const auto sample = SampleOf(c, trial);
  if (!sample) return;
  Device& device = *DeviceFor(trial);
  // All stay: new memories must be elsewhere, and what was written before must stay as it is.
  std::vector<Bench> benches;
  for (uint64_t k = 0; k < 3; ++k) benches.emplace_back(*sample, device, c.seed + 7 * k);
  for (size_t done = 0; done < benches.size(); ++done) {
    if (!RunBench(sample->primitive, benches[done], device.stream, trial)) return;
    for (size_t k = 0; k <= done; ++k)
      if (!benches[k].IsDone("execution on new memories " + std::to_string(k), trial)) return;
  }
}

// PRIM-049: what is cached must not be mixed up.
void CachesAreNotMixedUp(const SeedCase& c, Trial& trial) {
  const auto plan = PlanFor({"reorder", c.seed}, trial);
  if (!plan) return;
  Device* const device = DeviceFor(trial);
  const auto run = [&](float scale) {
    dnnl::primitive_attr attr;
    attr.set_output_scales(0, {scale});
    const Sample sample = MakeSample(*plan, device->engine, attr);
    Bench bench(sample, *device, c.seed);
    sample.primitive.execute(device->stream, bench.arguments());
    device->stream.wait();
    const std::vector<spec::Bits> got = bench.to.Load();
    for (size_t k = 0; k < got.size(); ++k) {
      float value = 0, result = 0;
      std::memcpy(&value, &bench.values[k], sizeof(value));
      std::memcpy(&result, &got[k], sizeof(result));
      if (!trial.Expect(result == value * scale,
                        "element " + std::to_string(k) + " with scale " + std::to_string(scale),
                        std::to_string(value * scale), std::to_string(result)))
        return;
    }
  };
  // Powers of two: exact. Twice each, so that the second may come from a cache.
  for (const float scale : {2.f, 0.5f, 2.f, -4.f, 0.5f}) {
    run(scale);
    if (trial.failed()) return;
  }
}

void StreamMustBeOfTheEngine(const SampleCase& c, Trial& trial) {
  const auto sample = SampleOf(c, trial);
  if (!sample) return;
  Device& device = *DeviceFor(trial);
  using Kind = dnnl::engine::kind;
  const Kind other = device.engine.get_kind() == Kind::cpu ? Kind::gpu : Kind::cpu;
  if (dnnl::engine::get_count(other) == 0) return trial.NotRun("one device only");
  const dnnl::stream elsewhere(dnnl::engine(other, 0));
  Bench bench(*sample, device, c.seed);
  // No wait: refused.
  const auto done = Attempt([&] { sample->primitive.execute(elsewhere, bench.arguments()); });
  ExpectRefused(trial, done, "execute on a stream of another device");
}

Cases<SampleCase> ScaledSamples() {
  SampleDraws draws;
  draws.of = [](const SampleKind& kind) { return kind.scaled_axes != 0; };
  return Samples(draws);
}

const std::vector<std::string> kEveryKind = {"reorder", "forward", "backward"};

const bool defined[] = {
    Define(spec::PRIM_030, "", Samples(), EachExecutionStandsAlone, kEveryKind),
    Define(spec::PRIM_031, "", Samples(), OneDescriptorManyPrimitives, kEveryKind),
    Define(spec::PRIM_032, "", Samples(), OrderOfArgumentsIsNothing, kEveryKind),
    Define(spec::PRIM_033, "", Samples(), MismatchesAreRefused),
    Define(spec::PRIM_033, "ones", ReshapableSamples(), OnesNeedNotMatch),
    Define(spec::PRIM_035, "", Samples(), MissingArgumentsAreRefused, kEveryKind),
    Define(spec::PRIM_035, "attributes", ScaledSamples(), MissingAttributesAreRefused),
    Define(spec::PRIM_036, "", Samples(), SuperfluousArgumentsAreIgnored, {"many arguments"}),
    Define(spec::PRIM_037, "", SamplesWithOperation(), StreamMustBeOfTheEngine),
    Define(spec::PRIM_038, "", Samples(), InputsAreNotModified, kEveryKind),
    Define(spec::PRIM_039, "", Samples(), OutputsDependOnInputsOnly, kEveryKind),
    Define(spec::PRIM_040, "", Samples(), OnlyTheDestinationIsWritten, {"gapped"}),
    Define(spec::PRIM_040, "between", Costly(Samples(), 4), NothingBetweenIsWritten,
           {"every second element", "every third element or fewer"}),
    Define(spec::PRIM_041, "", ReshapableSamples(), EmptyArgumentsAreNotTouched, kEveryKind),
    Define(spec::PRIM_048, "", Samples(), OnlyShapesAreFixed, kEveryKind),
    Define(spec::PRIM_049, "", Seeds(), CachesAreNotMixedUp),
};

}  // namespace
}  // namespace conformance
