// PRIM-050 for shuffle: in place, each element stays on its own bytes, or none is moved.
#include <string>
#include <vector>

#include "conformance/case/property.h"
#include "conformance/shuffle/cases.h"
#include "conformance/shuffle/run.h"
#include "conformance/subject/buffers_seen.h"
#include "conformance/subject/expect.h"
#include "spec/memory/oracle.h"
#include "spec/requirements.h"

namespace conformance {
namespace {

// One group, and groups of one, leave all as it is: in place too. Others are refused, and change
// nothing.
void OnlyWhatStaysIsInPlace(const ShuffleCase& c, Trial& trial) {
  if (trial.portable()) return trial.NotRun("pinned by the project profile only");
  SawTensor(trial, c.data);
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  const auto desc = DescFor(c.data, trial);
  if (!desc) return;
  const auto primitive = PrimitiveFor(c, *desc, *device, trial);
  if (!primitive) return;
  Tensor data(c.data, *desc, *device, c.from, c.seed);
  const std::vector<spec::Bits> source = c.Source();
  data.Store(source);
  // One memory, or two on one buffer.
  const dnnl::memory from = data.memory();
  const bool one = c.seed % 2 == 0;
  const dnnl::memory to = one ? from : dnnl::memory(*desc, device->engine, from.get_data_handle());
  trial.Cover(one ? "1 memory" : "2 memories");
  trial.Cover(c.forward ? "forward" : "backward");
  const auto execute = [&] {
    primitive->execute(device->stream, {{c.forward ? DNNL_ARG_SRC : DNNL_ARG_DIFF_DST, from},
                                        {c.forward ? DNNL_ARG_DST : DNNL_ARG_DIFF_SRC, to}});
  };
  if (c.group == 1 || c.group == c.size()) {
    trial.Cover(c.group == 1 ? "group 1" : "group C");
    const auto done = Attempt([&] {
      execute();
      device->stream.wait();
    });
    if (!trial.Expect(static_cast<bool>(done), "execute in place, group " + std::to_string(c.group),
                      "done", done.refusal.ToString()))
      return;
  } else {
    trial.Cover("a group that moves");
    if (!ExpectRefusedByExecute("execute in place, group " + std::to_string(c.group), execute,
                                device->stream, trial))
      return;
  }
  const std::string changed = data.ChangedByte(source);
  trial.Expect(changed.empty(), "the buffer", "as before", changed);
}

// Each of the groups that move nothing as often as all that do.
Cases<ShuffleCase> InPlace() {
  ShuffleLimits limits;
  limits.all_layouts = true;
  return {400,
          [limits](int64_t index, Random& random) {
            ShuffleLimits own = limits;
            own.backward = index % 2 == 1;
            ShuffleCase c = AnyShuffleCase(random, own);
            if (index / 2 % 3 == 0) c.group = 1;
            if (index / 2 % 3 == 1) c.group = c.size();
            return c;
          },
          [](const ShuffleCase& c) { return spec::ElementCount(c.data.dims) > 0; }};
}

const bool kDefined =
    Define<ShuffleCase>(spec::PRIM_050, "shuffle", InPlace(), OnlyWhatStaysIsInPlace,
                        {"1 memory", "2 memories", "forward", "backward", "group 1", "group C",
                         "a group that moves", "gapped", "region"});

}  // namespace
}  // namespace conformance
