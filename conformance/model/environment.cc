// DT-030 for the calls around a computation: every kind of object, made and used.
#include "conformance/subject/environment.h"

#include <optional>
#include <string>

#include "conformance/harness/property.h"
#include "conformance/model/samples.h"
#include "conformance/subject/attempt.h"
#include "conformance/subject/device.h"
#include "oneapi/dnnl/dnnl.hpp"
#include "spec/requirements.h"

namespace conformance {
namespace {

void NoCallChangesTheEnvironment(const SampleCase& c, Trial& trial) {
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  Random random(Mix(c.seed));
  const SamplePlan plan = DrawSample(c.kind, random);
  trial.Saw(c.kind);
  for (const char* what : kEnvironments) {
    const SavedEnvironment saved;
    SetEnvironment(what);
    const Environment before = Environment::Current();
    std::string call;
    Environment after = before;
    const auto step = [&](const char* name, auto action) {
      if (!call.empty()) return;
      action();
      after = Environment::Current();
      if (!(after == before)) call = name;
    };
    const auto done = Attempt([&] {
      std::optional<Sample> sample;
      std::optional<Bench> bench;
      std::optional<dnnl::stream> stream;
      step("engine", [&] { dnnl::engine(device->engine.get_kind(), 0).get_kind(); });
      step("stream", [&] { stream.emplace(device->engine); });
      step("descriptors and primitive", [&] { sample.emplace(MakeSample(plan, device->engine)); });
      step("impl_info_str", [&] { sample->pd.impl_info_str(); });
      step("memories", [&] { bench.emplace(*sample, *device, c.seed); });
      step("map_data and unmap_data", [&] {
        void* const mapped = bench->to.memory().map_data();
        bench->to.memory().unmap_data(mapped);
      });
      step("execute", [&] { sample->primitive.execute(*stream, bench->arguments()); });
      step("wait", [&] { stream->wait(); });
      step("a call that fails", [&] {
        Attempt([&] { return sample->from.permute_axes({0, 0, 0}); });
      });
      step("destruction", [&] {
        bench.reset();
        sample.reset();
        stream.reset();
      });
    });
    if (!done) return trial.Fail(c.kind, "made and executed", done.refusal.ToString());
    if (call.empty()) continue;
    return trial.Fail("the environment after " + call + " of " + c.kind + ", set before: " + what,
                      before.ToString(), after.ToString());
  }
}

const bool defined = Define(spec::DT_030, "calls", Samples(), NoCallChangesTheEnvironment,
                            {"reorder", "forward", "backward"});

}  // namespace
}  // namespace conformance
