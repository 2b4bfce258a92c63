// MEM-030 and DT-001 for every primitive: memories without buffers, and f32.
#include <string>

#include "conformance/case/property.h"
#include "conformance/model/samples.h"
#include "conformance/subject/descriptor_text.h"
#include "conformance/subject/device.h"
#include "oneapi/dnnl/dnnl.hpp"
#include "spec/requirements.h"

namespace conformance {
namespace {

// Each argument in turn, a scratchpad of the caller's too, on a memory that never had a buffer or
// on one that lost it.
void EveryArgumentWantsABuffer(const SampleCase& c, Trial& trial) {
  if (trial.portable()) return trial.NotRun("pinned by the project profile only");
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  dnnl::primitive_attr attr;
  attr.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  const auto sample = SampleOf(c, trial, attr);
  if (!sample) return;
  Bench bench(*sample, *device, c.seed);
  const Arguments all = bench.ArgumentsFor(*sample, *device);
  for (const auto& [number, argument] : all) {
    if (number == DNNL_ARG_SCRATCHPAD) trial.Cover("scratchpad");
    for (const bool detached : {false, true}) {
      const dnnl::memory none(argument.get_desc(), device->engine,
                              detached ? DNNL_MEMORY_ALLOCATE : DNNL_MEMORY_NONE);
      if (detached) none.set_data_handle(DNNL_MEMORY_NONE);
      Arguments without = all;
      without[number] = none;
      RefusedUntouched(*sample, without, bench, *device,
                       "with " + NameOfArgument(number) +
                           (detached ? " on a buffer that was taken away" : " without a buffer"),
                       trial);
      if (trial.failed()) return;
    }
  }
  // The accepted neighbour.
  const dnnl::stream& stream = device->stream;
  const auto done = Attempt([&] {
    sample->primitive.execute(stream, all);
    dnnl::stream(stream).wait();
  });
  if (trial.Expect(static_cast<bool>(done), "execute with all buffers", "done",
                   done.refusal.ToString()))
    bench.IsDone("execute with all buffers", trial);
}

void F32IsOffered(const SampleCase& drawn, Trial& trial) {
  SampleCase c = drawn;
  c.type = spec::Type::kF32;
  SampleOf(c, trial);
}

const bool defined[] = {
    Define(spec::MEM_030, "primitives", Samples(), EveryArgumentWantsABuffer),
    Define(spec::DT_001, "primitives", Samples(), F32IsOffered),
};

}  // namespace
}  // namespace conformance
