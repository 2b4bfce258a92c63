#include "impl_cpu/convolution/tensor_copy.h"

#include <cstdint>
#include <utility>

#include "absl/status/statusor.h"
#include "api/spi/strided/nest.h"
#include "impl_cpu/plain/problem.h"
#include "impl_cpu/product/rounding.h"
#include "impl_cpu/strided/plan.h"

namespace impl_cpu {
namespace {

class Memory final : public spi::Buffer {
 public:
  explicit Memory(void* handle) : spi::Buffer(handle) {}
  absl::StatusOr<void*> Map() override { return handle(); }
  absl::Status Unmap(void*) override { return absl::OkStatus(); }
};

class NoStream final : public spi::Stream {
 public:
  absl::Status Wait() override { return absl::OkStatus(); }
};

}  // namespace

TensorCopy::TensorCopy(const spi::Layout& from, const spi::Layout& to) {
  Problem problem;
  problem.arithmetic.src = from.type;
  problem.arithmetic.dst = to.type;
  PlanNests(from, to, spi::AxisMap(), &problem);
  absl::StatusOr<spi::Planned> planned = PlanStrided(std::move(problem), 0);
  plan_ = std::move(planned->plan);
  int64_t bytes = 0;
  spi::SizeInBytes(to, &bytes);
  bytes_ = RoundUp(static_cast<size_t>(bytes), kCacheLine);
}

TensorCopy CopyToChannelRows(const spi::Layout& layout, ChannelRows* rows) {
  if (HasChannelRows(layout, rows)) return {};
  const spi::Layout copy = ChannelsLast(layout);
  HasChannelRows(copy, rows);
  return {layout, copy};
}

const std::byte* TensorCopy::Read(const std::byte* from, std::byte** scratchpad) const {
  if (plan_ == nullptr) return from;
  std::byte* const to = *scratchpad;
  *scratchpad += bytes_;
  Memory src(const_cast<std::byte*>(from)), dst(to);
  spi::Buffer* const buffers[] = {&src, &dst};
  NoStream stream;
  plan_->Execute(stream, buffers).IgnoreError();
  return to;
}

}  // namespace impl_cpu
