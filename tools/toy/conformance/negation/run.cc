#include "conformance/negation/run.h"

#include "conformance/subject/attempt.h"
#include "conformance/subject/device.h"
#include "conformance/subject/tensor.h"
#include "oneapi/dnnl/dnnl.hpp"

namespace conformance {

std::optional<std::vector<spec::Bits>> RunNegation(const NegationCase& c, Trial& trial) {
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return std::nullopt;
  const auto src = DescFor(c.src, trial), dst = DescFor(c.dst, trial);
  if (!src || !dst) return std::nullopt;
  SawTensor(trial, c.src);
  SawTensor(trial, c.dst);
  const std::vector<spec::Bits> source = c.Source();
  std::vector<spec::Bits> result;
  const auto done = Attempt([&] {
    const dnnl::negation negation({device->engine, *src, *dst});
    Tensor from(c.src, *src, *device, {}, c.seed), to(c.dst, *dst, *device, {}, ~c.seed);
    from.Store(source);
    to.Store(source);  // what an execution that does nothing leaves
    negation.execute(device->stream, {{DNNL_ARG_SRC, from.memory()}, {DNNL_ARG_DST, to.memory()}});
    device->stream.wait();
    result = to.Load();
  });
  if (done) return result;
  trial.Fail("negation", "done", done.refusal.ToString());
  return std::nullopt;
}

}  // namespace conformance
