// PRIM-030 where the memories stay and their contents change, as in a loop over frames: a library
// that keeps answers, or copies of inputs, by address is wrong from the second execution on.
#include <cstddef>
#include <cstring>
#include <string>
#include <vector>

#include "conformance/case/property.h"
#include "conformance/model/samples.h"
#include "conformance/subject/device.h"
#include "oneapi/dnnl/dnnl.hpp"
#include "spec/requirements.h"

namespace conformance {
namespace {

// The same bytes once more, through map_data and unmap_data; before, the memory holds others.
void StoreThroughMapping(Tensor& tensor, const std::vector<spec::Bits>& values) {
  const dnnl::memory& memory = tensor.memory();
  const auto bytes = static_cast<std::size_t>(tensor.bytes());
  tensor.Store(values);
  auto* mapped = memory.map_data<std::byte>();
  const std::vector<std::byte> wanted(mapped, mapped + bytes);
  for (std::size_t i = 0; i < bytes; ++i) mapped[i] ^= std::byte{0x55};
  memory.unmap_data(mapped);
  mapped = memory.map_data<std::byte>();
  std::memcpy(mapped, wanted.data(), bytes);
  memory.unmap_data(mapped);
}

void NewContentsAreRead(const SampleCase& c, Trial& trial) {
  const auto sample = SampleOf(c, trial);
  if (!sample) return;
  Bench bench(*sample, *DeviceFor(trial), c.seed);
  for (uint64_t round = 0; round < 5; ++round) {
    const bool mapped = (c.seed >> round) % 2 == 0;
    bench.values = bench.plan.Values(c.seed + 7 * round);
    if (mapped) {
      StoreThroughMapping(bench.from, bench.values);
    } else {
      bench.from.Store(bench.values);
    }
    bench.Reset();
    if (!RunBench(sample->primitive, bench, DeviceFor(trial)->stream, trial)) return;
    if (!bench.IsDone("execution " + std::to_string(round) + (mapped ? ", mapped" : ""), trial))
      return;
  }
}

const bool kDefined = Define(spec::PRIM_030, "refilled", Samples(), NewContentsAreRead,
                             {"reorder", "forward", "backward"});

}  // namespace
}  // namespace conformance
