#include "conformance/subject/reorder_io.h"

#include <cstdint>
#include <string>

#include "conformance/gen/layouts.h"
#include "conformance/gen/placement.h"
#include "conformance/gen/tensors.h"
#include "conformance/subject/attempt.h"
#include "conformance/subject/tensor.h"

namespace conformance {
namespace {

constexpr uint64_t kCanarySeed = 0x5eed;

std::optional<Tensor> Rows(spec::Type type, const spec::Dims& dims, Device& device, Trial& trial) {
  const TensorSpec rows{type, dims, RowMajor(dims)};
  const auto desc = DescFor(rows, trial);
  if (!desc) return std::nullopt;
  return std::optional<Tensor>(std::in_place, rows, *desc, device, Placement(), kCanarySeed);
}

bool Reorder(dnnl::memory from, dnnl::memory to, spec::Type type, const spec::Dims& dims,
             Device& device, Trial& trial) {
  const auto reorder = Attempt([&] { return dnnl::reorder(from, to); });
  if (!reorder) {
    trial.Refused(reorder.refusal,
                  {"reorder", "", {spec::NameOf(type)}, static_cast<int>(dims.size()), {}});
    return false;
  }
  const auto done = Attempt([&] {
    reorder.value->execute(device.stream, from, to);
    device.stream.wait();
  });
  if (!done) trial.Fail("reorder.execute", "executed", done.refusal);
  return static_cast<bool>(done);
}

}  // namespace

std::optional<std::vector<spec::Bits>> ReadViaReorder(const dnnl::memory& memory, spec::Type type,
                                                      const spec::Dims& dims, Device& device,
                                                      Trial& trial) {
  auto rows = Rows(type, dims, device, trial);
  if (!rows) return std::nullopt;
  rows->Store(std::vector<spec::Bits>(spec::ElementCount(dims), 0x55555555));
  if (!Reorder(memory, rows->memory(), type, dims, device, trial)) return std::nullopt;
  return rows->Load();
}

bool WriteViaReorder(const std::vector<spec::Bits>& values, spec::Type type, const spec::Dims& dims,
                     const dnnl::memory& memory, Device& device, Trial& trial) {
  auto rows = Rows(type, dims, device, trial);
  if (!rows) return false;
  rows->Store(values);
  return Reorder(rows->memory(), memory, type, dims, device, trial);
}

}  // namespace conformance
