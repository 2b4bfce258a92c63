#include "conformance/memory/transfer.h"

#include "conformance/subject/attempt.h"
#include "conformance/subject/reorder_io.h"

namespace conformance {

std::optional<Filled> Fill(const TensorCase& c, Trial& trial) {
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return std::nullopt;
  const auto desc = DescFor(c.tensor, trial);
  if (!desc) return std::nullopt;
  auto tensor = Attempt([&] { return Tensor(c.tensor, *desc, *device, c.at, c.seed); });
  if (!tensor) {
    trial.Fail("memory", "created", tensor.refusal);
    return std::nullopt;
  }
  Filled filled{c.tensor, *desc, device, std::move(*tensor), c.Values()};
  filled.tensor.Store(filled.values);
  return filled;
}

std::vector<spec::Bits> OtherValues(const TensorCase& c) { return c.Values(/*salt=*/1); }

void ReadsAndWrites(const dnnl::memory& memory, const spec::Dims& dims, const Seen& seen,
                    Filled& behind, Trial& trial) {
  const spec::Type type = behind.spec.type;
  const auto read = ReadViaReorder(memory, type, dims, *behind.device, trial);
  if (!read || !ExpectSameBits(trial, "read", type, dims, seen.shown, *read)) return;
  if (!WriteViaReorder(seen.written, type, dims, memory, *behind.device, trial)) return;
  ExpectSameBits(trial, "written", type, behind.spec.dims, seen.others, behind.tensor.Load());
}

}  // namespace conformance
