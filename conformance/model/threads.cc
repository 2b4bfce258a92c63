// Several threads at once: OBJ-025, STR-014, ATTR-013, PRIM-043.
#include <array>
#include <atomic>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "conformance/case/property.h"
#include "conformance/model/sample_attributes.h"
#include "conformance/model/samples.h"
#include "conformance/subject/attempt.h"
#include "conformance/subject/device.h"
#include "oneapi/dnnl/dnnl.hpp"
#include "spec/numeric/convert.h"
#include "spec/requirements.h"

namespace conformance {
namespace {

using dnnl::memory;

constexpr int kThreads = 4;

// Runs work(t) in 4 threads that start together; what one of them throws fails the case.
template <class Work>
bool InThreads(Work work, Trial& trial) {
  std::array<std::thread, kThreads> threads;
  std::array<std::optional<Refusal>, kThreads> refusals;
  std::atomic<int> ready{0};
  for (int t = 0; t < kThreads; ++t) {
    threads[t] = std::thread([&, t] {
      ++ready;
      while (ready < kThreads) std::this_thread::yield();
      const auto done = Attempt([&] { work(t); });
      if (!done) refusals[t] = done.refusal;
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (int t = 0; t < kThreads; ++t) {
    if (refusals[t]) {
      trial.Fail("thread " + std::to_string(t), "done", refusals[t]->ToString());
      return false;
    }
  }
  return true;
}

// What a thread made, with the engine that it belongs to.
struct MadeByAThread {
  dnnl::engine engine;
  Sample sample;
};

// What is made by several threads at once computes what it should, in one thread.
void AllCompute(const std::vector<MadeByAThread>& all, uint64_t seed, bool on_host, Trial& trial) {
  for (const MadeByAThread& made : all) {
    Device on{made.engine, dnnl::stream(made.engine), on_host};
    Bench bench(made.sample, on, seed);
    made.sample.primitive.execute(on.stream, bench.ArgumentsFor(made.sample, on));
    on.stream.wait();
    if (!bench.IsDone("what a thread made beside others", trial)) return;
  }
}

// OBJ-025: objects of every class, each used by the thread that makes it. At times two threads make
// the same.
void CreationIsSafe(const SampleCase& c, Trial& trial) {
  constexpr size_t kRounds = 4;
  std::vector<SamplePlan> plans;
  Random random(Mix(c.seed));
  while (plans.size() < kRounds * kThreads) {
    auto plan = PlanFor(c, random, trial);
    if (!plan) return;
    plans.push_back(*std::move(plan));
  }
  if (random.Chance(50))
    for (int t = 1; t < kThreads; t += 2)
      plans[kRounds * static_cast<size_t>(t)] = plans[kRounds * static_cast<size_t>(t - 1)];
  const auto kind = DeviceFor(trial)->engine.get_kind();
  std::array<std::atomic<int>, kThreads> wrong{};
  std::array<std::optional<MadeByAThread>, kThreads> first;
  InThreads(
      [&](int t) {
        for (size_t round = 0; round < kRounds; ++round) {
          const SamplePlan& plan = plans[kRounds * static_cast<size_t>(t) + round];
          const dnnl::engine engine(kind, 0);
          dnnl::stream stream(engine);
          dnnl::primitive_attr attr;
          attr.set_scratchpad_mode(dnnl::scratchpad_mode::user);
          dnnl::post_ops ops;
          ops.append_sum(2.f);
          const Sample sample = MakeSample(plan, engine, attr);
          const memory from(sample.from, engine), to(sample.to, engine);
          if (sample.pd.query_md(dnnl::query::exec_arg_md, plan.from_arg()) != sample.from ||
              from.get_desc() != sample.from || ops.len() != 1 ||
              to.get_engine().get_kind() != kind || engine.get_kind() != kind) {
            ++wrong[t];
          }
          stream.wait();
          if (round == 0) first[t] = MadeByAThread{engine, sample};
        }
      },
      trial);
  for (int t = 0; t < kThreads; ++t) {
    trial.Expect(wrong[t] == 0, "objects of thread " + std::to_string(t), "as made",
                 std::to_string(wrong[t]) + " others");
  }
  std::vector<MadeByAThread> made;
  for (std::optional<MadeByAThread>& one : first)
    if (one) made.push_back(*std::move(one));
  AllCompute(made, c.seed, DeviceFor(trial)->on_host, trial);
}

dnnl::primitive_attr UserMode() {
  dnnl::primitive_attr attr;
  attr.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  return attr;
}

// Each thread executes its primitive several times on its own memories and stream; the benches
// belong to the thread that makes and drops them. What is computed is looked at each time: the
// next execution would cover up what another thread did to its scratchpad.
void ExecuteInThreads(const std::vector<Sample>& samples, const SampleCase& c, Device& device,
                      Trial& trial) {
  if (samples.empty()) return;
  std::vector<Bench> benches;
  std::vector<Arguments> arguments;
  for (int t = 0; t < kThreads; ++t) {
    const Sample& sample = samples[t % samples.size()];
    benches.emplace_back(sample, device, c.seed + 10 * static_cast<uint64_t>(t));
    arguments.push_back(benches.back().ArgumentsFor(sample, device));
  }
  std::array<bool, kThreads> wrong{};
  const bool done = InThreads(
      [&](int t) {
        dnnl::stream stream(device.engine);
        Bench& bench = benches[t];
        const bool computes = !bench.others.empty();
        for (int round = 0; round < 8 && !wrong[t]; ++round) {
          samples[t % samples.size()].primitive.execute(stream, arguments[t]);
          if (!computes) continue;
          stream.wait();
          wrong[t] = bench.Holds() != bench.Results();
        }
        stream.wait();
      },
      trial);
  for (int t = 0; done && t < kThreads; ++t)
    if (!benches[t].IsDone("thread " + std::to_string(t), trial) ||
        !trial.Expect(!wrong[t], "each result of thread " + std::to_string(t), "right", "wrong"))
      return;
}

// None, with the outcome in `trial`, where the kind is refused.
std::vector<Sample> SamplesOf(const SampleCase& c, int count, Device& device, Trial& trial) {
  std::vector<Sample> samples;
  Random random(Mix(c.seed));
  while (count-- > 0) {
    const auto plan = PlanFor(c, random, trial);
    if (!plan) return {};
    auto made = Attempt([&] { return MakeSample(*plan, device.engine, UserMode()); });
    if (!made) {
      SampleRefused(*plan, made.refusal, trial);
      return {};
    }
    samples.push_back(*std::move(made.value));
  }
  return samples;
}

void StreamsWorkSideBySide(const SampleCase& c, Trial& trial) {
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  ExecuteInThreads(SamplesOf(c, kThreads, *device, trial), c, *device, trial);
}

void OnePrimitiveInUserMode(const SampleCase& c, Trial& trial) {
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  ExecuteInThreads(SamplesOf(c, 1, *device, trial), c, *device, trial);
}

// ATTR-013 with attributes, some of which come with the execution and are others in each thread.
void OnePrimitiveWithAttributes(const SampleCase& c, Trial& trial) {
  Random random(Mix(c.seed));
  const auto plan = PlanFor(c, random, trial);
  if (!plan) return;
  Device& device = *DeviceFor(trial);
  dnnl::primitive_attr attr = AnyAttributesFor(*plan, random);
  attr.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  const int axes = plan->kind->scaled_axes & ((1 << plan->to.rank()) - 1);
  const int mask = random.Chance(50) ? 0 : axes;
  std::vector<memory> scales;
  if (axes != 0 && random.Chance(60))
    for (int t = 0; t < kThreads; ++t)
      scales.push_back(ScaleAtExecution(*plan, mask, static_cast<float>(1 << t), device, &attr));
  const auto sample = Attempt([&] { return MakeSample(*plan, device.engine, attr); });
  if (!sample) return SampleWithAttributesRefused(*plan, attr, sample.refusal, trial);
  if (!scales.empty()) trial.Cover("scales of each thread");
  std::vector<Bench> benches;
  std::vector<Arguments> arguments;
  std::vector<std::vector<spec::Bits>> expected;
  for (int t = 0; t < kThreads; ++t) {
    benches.emplace_back(*sample.value, device, c.seed + 10 * static_cast<uint64_t>(t));
    arguments.push_back(benches.back().ArgumentsFor(*sample.value, device));
    if (!scales.empty()) arguments.back()[DNNL_ARG_ATTR_OUTPUT_SCALES] = scales[t];
    sample.value->primitive.execute(device.stream, arguments.back());
    device.stream.wait();
    expected.push_back(benches.back().Holds());
  }
  std::array<bool, kThreads> wrong{};
  InThreads(
      [&](int t) {
        dnnl::stream stream(device.engine);
        for (int round = 0; round < 6 && !wrong[t]; ++round) {
          benches[t].Reset();
          sample.value->primitive.execute(stream, arguments[t]);
          stream.wait();
          wrong[t] = benches[t].Holds() != expected[t];
        }
      },
      trial);
  for (int t = 0; t < kThreads; ++t)
    trial.Expect(!wrong[t], "results of thread " + std::to_string(t), "as in one thread", "others");
}

// PRIM-043: primitives of all kinds together.
void DifferentPrimitivesTogether(const SeedCase& c, Trial& trial) {
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  Random random(Mix(c.seed));
  std::vector<Sample> samples;
  const size_t kinds = SampleKinds().size();
  const auto first = static_cast<size_t>(random.Between(0, 99));
  for (size_t i = 0; i < kinds && samples.size() < kThreads; ++i) {
    SampleCase each{SampleKinds()[(first + i) % kinds]->name, c.seed};
    if (c.seed % 50 == 0) each.size = SampleSize::kLarge;
    // What one kind is refused for says nothing of the others.
    Trial of_kind(trial.profile(), trial.engine());
    const auto plan = PlanFor(each, random, of_kind);
    if (!plan) continue;
    // In mode library a primitive may have to run in the thread that made it.
    const bool user = trial.portable() || c.seed % 2 == 0;
    samples.push_back(
        MakeSample(*plan, device->engine, user ? UserMode() : dnnl::primitive_attr()));
  }
  if (c.seed % 50 == 0) trial.Cover("large sample");
  ExecuteInThreads(samples, {"", c.seed}, *device, trial);
}

// A transposition with a scale, from f32 to a narrower type or to itself: what kernels do in
// buffers of their own. Every scale is a power of two, so that results are exact.
struct Scaled {
  memory::desc from, to;
  dnnl::primitive primitive;
  memory source, target;
  int64_t rows, cols;
  float scale;
  bool narrow;

  Scaled(Random& random, int thread, Device& device)
      : rows(random.Between(8, 40)),
        cols(random.Between(8, 40)),
        scale(static_cast<float>(1 << thread)),
        narrow(random.Chance(60)) {
    using Type = memory::data_type;
    from = {{rows, cols}, Type::f32, memory::format_tag::ab};
    to = {{rows, cols}, narrow ? Type::s32 : Type::f32, memory::format_tag::ba};
    dnnl::primitive_attr attr;
    attr.set_scratchpad_mode(dnnl::scratchpad_mode::user);
    attr.set_output_scales(0, {scale});
    const dnnl::reorder::primitive_desc pd(device.engine, from, device.engine, to, attr);
    primitive = dnnl::reorder(pd);
    source = memory(from, device.engine);
    target = memory(to, device.engine);
    float* const mapped = source.map_data<float>();
    for (int64_t i = 0; i < rows * cols; ++i) mapped[i] = static_cast<float>(i);
    source.unmap_data(mapped);
  }

  // The first wrong element, or -1.
  int64_t Wrong() const {
    void* const mapped = target.map_data();
    int64_t wrong = -1;
    for (int64_t i = 0; i < rows * cols && wrong < 0; ++i) {
      const int64_t at = i % cols * rows + i / cols;
      const float got = narrow ? static_cast<float>(static_cast<const int32_t*>(mapped)[at])
                               : static_cast<const float*>(mapped)[at];
      if (got != scale * static_cast<float>(i)) wrong = i;
    }
    target.unmap_data(mapped);
    return wrong;
  }
};

// PRIM-043: scaled transpositions of different shapes, each looked at after each execution.
void ScaledPrimitivesTogether(const SeedCase& c, Trial& trial) {
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  Random random(Mix(c.seed));
  std::vector<Scaled> work;
  const auto made = Attempt([&] {
    for (int t = 0; t < kThreads; ++t) work.emplace_back(random, t, *device);
  });
  if (!made && (trial.portable() || !device->on_host))
    return trial.Refused(made.refusal, {"reorder", "", {"f32", "s32"}, 1, {"scale"}});
  if (!made) return trial.Fail("reorder with a scale", "created", made.refusal);
  std::array<int64_t, kThreads> wrong;
  wrong.fill(-1);
  InThreads(
      [&](int t) {
        dnnl::stream stream(device->engine);
        for (int round = 0; round < 40 && wrong[t] < 0; ++round) {
          work[t].primitive.execute(
              stream, {{DNNL_ARG_FROM, work[t].source}, {DNNL_ARG_TO, work[t].target}});
          stream.wait();
          wrong[t] = work[t].Wrong();
        }
      },
      trial);
  for (int t = 0; t < kThreads; ++t)
    trial.Expect(wrong[t] < 0, "results of thread " + std::to_string(t), "right",
                 "element " + std::to_string(wrong[t]) + " is wrong");
}

// OBJ-025: what different descriptors say of themselves, asked for the first time at once.
void DescriptorsAnswerForThemselves(const SampleCase& c, Trial& trial) {
  constexpr int kEach = 8;
  std::vector<std::string> expected;
  std::vector<Sample> samples;
  for (int round = 0; round < 2; ++round) {
    Random random(Mix(c.seed));
    for (int i = 0; i < kThreads * kEach; ++i) {
      const auto plan = PlanFor(c, random, trial);
      if (!plan) return;
      samples.push_back(MakeSample(*plan, DeviceFor(trial)->engine));
      if (round == 0) expected.push_back(samples.back().pd.impl_info_str());
    }
    if (round == 0) samples.clear();
  }
  std::array<std::string, kThreads> wrong;
  InThreads(
      [&](int t) {
        for (int i = t; i < kThreads * kEach; i += kThreads) {
          const std::string got = samples[i].pd.impl_info_str();
          if (got != expected[i]) wrong[t] = got + " for " + expected[i];
        }
      },
      trial);
  for (int t = 0; t < kThreads; ++t)
    trial.Expect(wrong[t].empty(), "impl_info_str() in thread " + std::to_string(t),
                 "as in one thread", wrong[t]);
}

// Libraries share the work of a large one among threads of their own.
Cases<SampleCase> SometimesLarge() {
  SampleDraws draws;
  draws.one_large_in = 25;
  return Samples(draws);
}

Cases<SampleCase> SomeSamples() {
  constexpr int64_t kCases = 300;
  Cases<SampleCase> some = Samples();
  some.count = kCases;
  return some;
}

const bool defined[] = {
    Define(spec::ATTR_013, "", Costly(SometimesLarge(), 4), OnePrimitiveInUserMode,
           {"reorder", "forward", "backward", "large sample"}),
    Define(spec::ATTR_013, "attributes", SomeSamples(), OnePrimitiveWithAttributes,
           {"reorder", "forward", "backward"}),
    Define(spec::OBJ_025, "", Samples(), CreationIsSafe, {"reorder", "forward", "backward"}),
    Define(spec::OBJ_025, "texts", Costly(Samples(), 4), DescriptorsAnswerForThemselves),
    Define(spec::PRIM_043, "", Costly(Seeds(), 2), DifferentPrimitivesTogether, {"large sample"}),
    Define(spec::PRIM_043, "scaled", Costly(Seeds(), 4), ScaledPrimitivesTogether),
    Define(spec::STR_014, "", Costly(SometimesLarge(), 4), StreamsWorkSideBySide,
           {"reorder", "forward", "backward", "large sample"}),
};

}  // namespace
}  // namespace conformance
