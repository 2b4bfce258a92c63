#include "api/reorder/transfer.h"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "absl/container/inlined_vector.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "api/engine/throw.h"
#include "api/memory/bytes.h"
#include "api/model/resolve.h"
#include "oneapi/dnnl/engine/engine.hpp"

namespace api {
namespace {

using Device = dnnl::state::device;

bool IsCpu(const Device& device) { return device.implementation->kind() == spi::EngineKind::kCpu; }

// Whether MakeTransferPlan may be asked: two implementations share the host's memory only.
bool CanBeDirect(const Device& src, const Device& dst) {
  return IsCpu(src) || IsCpu(dst) || src.implementation == dst.implementation;
}

// Through host memory: maps every argument, runs a CPU engine's plan on what it sees, unmaps.
class HostTransferPlan final : public spi::Plan {
 public:
  HostTransferPlan(Device host, const spi::Planned& planned, const spi::Operation& operation)
      : host_(std::move(host)), plan_(planned.plan), scratchpad_bytes_(planned.scratchpad_bytes) {
    for (const spi::TensorArg& tensor : operation.tensors)
      bytes_.push_back(static_cast<std::size_t>(AddressedBytes(tensor.layout).end));
  }

  std::string Describe() const override { return absl::StrCat("host:", plan_->Describe()); }

  absl::Status Execute(spi::Stream&, spi::Buffers buffers) const override {
    absl::InlinedVector<Side, 5> sides;
    absl::Status status = absl::OkStatus();
    for (spi::Buffer* const buffer : buffers) {
      status = WithMemory([&] { return Open(buffer, bytes_[sides.size()], &sides); });
      if (!status.ok()) break;
    }
    if (status.ok()) status = WithMemory([&] { return Run(sides); });
    for (Side& side : sides) {
      if (!side.opened_here) continue;
      absl::Status closed = WithMemory([&side] { return side.origin->Unmap(side.mapped); });
      if (status.ok()) status = closed;
    }
    return status;
  }

 private:
  struct Side {
    spi::Buffer* origin;
    void* mapped;
    bool opened_here;  // false where an earlier tensor is in the same buffer
    std::shared_ptr<spi::Buffer> view;
  };
  using Sides = absl::InlinedVector<Side, 5>;

  absl::Status Open(spi::Buffer* buffer, std::size_t bytes, Sides* sides) const {
    Side side = {buffer, nullptr, true, nullptr};
    for (const Side& other : *sides) {
      if (other.origin != buffer) continue;
      side.mapped = other.mapped;
      side.opened_here = false;
    }
    if (side.opened_here) {
      absl::StatusOr<void*> mapped = buffer->Map();
      if (!mapped.ok()) return mapped.status();
      side.mapped = *mapped;
    }
    sides->push_back(side);
    absl::StatusOr<std::shared_ptr<spi::Buffer>> view = host_.spi_engine->Wrap(side.mapped, bytes);
    if (!view.ok()) return view.status();
    sides->back().view = *std::move(view);
    return absl::OkStatus();
  }

  absl::Status Run(const Sides& sides) const {
    absl::InlinedVector<spi::Buffer*, 6> buffers;
    for (const Side& side : sides) buffers.push_back(side.view.get());
    std::shared_ptr<spi::Buffer> scratchpad;
    if (scratchpad_bytes_ > 0) {
      absl::StatusOr<std::shared_ptr<spi::Buffer>> made =
          host_.spi_engine->Allocate(scratchpad_bytes_);
      if (!made.ok()) return made.status();
      scratchpad = *std::move(made);
      buffers.push_back(scratchpad.get());
    }
    absl::StatusOr<std::unique_ptr<spi::Stream>> stream =
        host_.spi_engine->MakeStream(spi::kInOrder);
    if (!stream.ok()) return stream.status();
    absl::Status status = plan_->Execute(**stream, buffers);
    absl::Status finished = (*stream)->Wait();
    return status.ok() ? finished : status;
  }

  const Device host_;
  const std::shared_ptr<const spi::Plan> plan_;
  const std::size_t scratchpad_bytes_;
  absl::InlinedVector<std::size_t, 5> bytes_;  // of each tensor
};

// A CPU to go through: a side if it is one.
absl::StatusOr<Device> HostFor(const Device& src, const Device& dst) {
  if (IsCpu(src)) return src;
  if (IsCpu(dst)) return dst;
  if (dnnl::engine::get_count(dnnl::engine::kind::cpu) == 0)
    return absl::UnimplementedError("reorder: no CPU engine to go through (XENG-004)");
  absl::StatusOr<std::shared_ptr<const dnnl::state::engine>> made =
      MakeEngine(spi::EngineKind::kCpu, 0);
  if (!made.ok()) return made.status();
  return Device(**made);
}

}  // namespace

bool ExecutesOnDst(const Device& src, const Device& dst) {
  return src.spi_engine != dst.spi_engine && IsCpu(src);
}

absl::StatusOr<spi::Planned> PlanReorder(const spi::Operation& operation, const Device& src,
                                         const Device& dst) {
  const spi::Request request = {operation, nullptr, 0};
  const Device& on = ExecutesOnDst(src, dst) ? dst : src;
  absl::Status readable = CheckOwner(operation, OwnerOf(*on.implementation));
  if (!readable.ok()) return readable;
  if (src.spi_engine == dst.spi_engine) return src.spi_engine->MakePlan(request);

  if (CanBeDirect(src, dst)) {
    absl::StatusOr<spi::Planned> direct =
        on.spi_engine->MakeTransferPlan(request, *src.spi_engine, *dst.spi_engine);
    if (direct.ok() || direct.status().code() != absl::StatusCode::kUnimplemented) return direct;
  }
  absl::StatusOr<Device> host = HostFor(src, dst);
  if (!host.ok()) return host.status();
  readable = CheckOwner(operation, OwnerOf(*host->implementation));
  if (!readable.ok()) return readable;
  absl::StatusOr<spi::Planned> planned = host->spi_engine->MakePlan(request);
  if (!planned.ok()) return planned;
  spi::Planned answer;
  answer.plan = std::make_shared<const HostTransferPlan>(*std::move(host), *planned, operation);
  return answer;
}

}  // namespace api
