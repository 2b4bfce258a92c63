#include "conformance/subject/device.h"

#include "conformance/subject/attempt.h"

namespace conformance {
namespace {

Device* Make(dnnl::engine::kind kind, Refusal* refusal) {
  auto device = Attempt([&] {
    Device made;
    made.engine = dnnl::engine(kind, 0);
    made.stream = dnnl::stream(made.engine);
    made.on_host = kind == dnnl::engine::kind::cpu;
    return made;
  });
  *refusal = device.refusal;
  return device ? new Device(*device) : nullptr;
}

}  // namespace

Device* DeviceFor(Trial& trial) {
  static Device* devices[2] = {};
  const bool gpu = trial.engine() == EngineChoice::kGpu;
  const auto kind = gpu ? dnnl::engine::kind::gpu : dnnl::engine::kind::cpu;
  Device*& device = devices[gpu ? 1 : 0];
  if (device != nullptr) return device;
  if (dnnl::engine::get_count(kind) == 0) {
    trial.NotRun(gpu ? "no GPU engine" : "no CPU engine");
    return nullptr;
  }
  Refusal refusal;
  device = Make(kind, &refusal);
  if (device == nullptr) trial.Fail("engine and stream", "created", refusal);
  return device;
}

bool ExpectRefusedByExecute(const std::string& what, const std::function<void()>& execute,
                            dnnl::stream& stream, Trial& trial) {
  const auto executed = Attempt(execute);
  const auto waited = Attempt([&] { stream.wait(); });
  if (executed) {
    trial.Fail(what, "dnnl::error by execute",
               waited ? "executed" : "executed; wait() " + waited.refusal.ToString());
    return false;
  }
  return trial.Expect(executed.refusal.is_error, what, "dnnl::error by execute",
                      executed.refusal.ToString()) &&
         trial.Expect(static_cast<bool>(waited), "wait() after " + what, "no exception",
                      waited.refusal.ToString());
}

}  // namespace conformance
