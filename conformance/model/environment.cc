// DT-030 for the calls around a computation: every kind of object, made and used.
#include "conformance/subject/environment.h"

#include <optional>
#include <string>

#include "conformance/case/property.h"
#include "conformance/model/samples.h"
#include "conformance/subject/attempt.h"
#include "conformance/subject/device.h"
#include "oneapi/dnnl/dnnl.hpp"
#include "spec/requirements.h"

namespace conformance {
namespace {

void NoCallChangesTheEnvironment(const SampleCase& c, Trial& trial) {
  const auto plan = PlanFor(c, trial);
  if (!plan) return;
  Device* const device = DeviceFor(trial);
  for (const char* what : kEnvironments) {
    EnvironmentWatch watch(what);
    const auto done = Attempt([&] {
      std::optional<Sample> sample;
      std::optional<Bench> bench;
      std::optional<dnnl::stream> stream;
      watch.Step("engine", [&] { dnnl::engine(device->engine.get_kind(), 0).get_kind(); });
      watch.Step("stream", [&] { stream.emplace(device->engine); });
      watch.Step("descriptors and primitive",
                 [&] { sample.emplace(MakeSample(*plan, device->engine)); });
      watch.Step("impl_info_str", [&] { sample->pd.impl_info_str(); });
      watch.Step("memories", [&] { bench.emplace(*sample, *device, c.seed); });
      watch.Step("map_data and unmap_data", [&] {
        void* const mapped = bench->to.memory().map_data();
        bench->to.memory().unmap_data(mapped);
      });
      watch.Step("execute", [&] { sample->primitive.execute(*stream, bench->arguments()); });
      watch.Step("wait", [&] { stream->wait(); });
      watch.Step("a call that fails", [&] {
        Attempt([&] { return sample->from.permute_axes({0, 0, 0}); });
      });
      watch.Step("destruction", [&] {
        bench.reset();
        sample.reset();
        stream.reset();
      });
    });
    if (!done) return trial.Fail(c.kind, "made and executed", done.refusal);
    if (watch.culprit().empty()) continue;
    return trial.Fail(
        "the environment after " + watch.culprit() + " of " + c.kind + ", set before: " + what,
        watch.before().ToString(), watch.after().ToString());
  }
}

const bool defined = Define(spec::DT_030, "calls", Samples(), NoCallChangesTheEnvironment,
                            {"reorder", "forward", "backward"});

}  // namespace
}  // namespace conformance
