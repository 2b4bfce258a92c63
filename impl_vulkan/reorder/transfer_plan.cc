#include "impl_vulkan/reorder/transfer_plan.h"

#include <algorithm>
#include <cstring>
#include <deque>
#include <utility>

#include "absl/strings/str_cat.h"
#include "api/reorder/operation.h"
#include "impl_vulkan/memory/buffer.h"
#include "impl_vulkan/reorder/plan.h"
#include "impl_vulkan/strided/move_plan.h"
#include "impl_vulkan/strided/plan.h"

namespace impl_vulkan {
namespace {

// A stage moves so much at most, so that the host fills one while the device empties another.
constexpr uint64_t kStageBytes = uint64_t{16} << 20;
// Staging that one execution may hold before it waits for the device.
constexpr uint64_t kHeldBytes = 4 * kStageBytes;

// 1 TiB. Only a source that repeats its elements could have more: no host has memory for the
// result.
constexpr int64_t kMostStages = int64_t{1} << 16;

// Whether a tensor has more elements than `most`.
bool HasMoreThan(int64_t most, const spi::Layout& tensor) {
  if (spi::IsEmpty(tensor)) return false;
  for (int axis = 0; axis < tensor.rank; ++axis) most /= tensor.dims[axis];
  return most == 0;
}

// One side is staging, so that copy commands may be used.
constexpr PlanOptions kStaged = {};

uint64_t ElementBytes(spi::DataType type) { return static_cast<uint64_t>(spi::SizeOf(type)); }

Bindings With(Bindings beside, const Binding& source, const Binding& destination) {
  beside.buffers.resize(std::max<size_t>(beside.buffers.size(), kDestination + 1));
  beside.buffers[kSource] = source;
  beside.buffers[kDestination] = destination;
  return beside;
}

absl::Status Submit(Stream& stream, const MovePrograms& programs, const Binding& source,
                    const Binding& destination, const Bindings& beside = {}) {
  const absl::StatusOr<std::shared_ptr<const Program>> program = programs.For(source, destination);
  return program.ok() ? stream.Submit(*program, With(beside, source, destination))
                      : program.status();
}

// Which submissions of one execution hold how much staging.
class Staged {
 public:
  void Add(Stream& stream, uint64_t bytes) {
    stages_.emplace_back(stream.submitter().timeline()->last(), bytes);
    bytes_ += bytes;
  }
  bool IsFull() const { return bytes_ >= kHeldBytes; }
  absl::Status WaitForOldest(Stream& stream) {
    const auto [value, bytes] = stages_.front();
    stages_.pop_front();
    bytes_ -= bytes;
    return stream.submitter().timeline()->WaitFor(value);
  }

 private:
  std::deque<std::pair<uint64_t, uint64_t>> stages_;  // value of the timeline, bytes
  uint64_t bytes_ = 0;
};

}  // namespace

absl::StatusOr<spi::Planned> TransferPlan::Create(std::shared_ptr<Context> source,
                                                  std::shared_ptr<Context> destination,
                                                  const spi::Operation& operation) {
  absl::StatusOr<Move> move = MoveOfReorder(operation);
  if (!move.ok()) return move.status();
  std::shared_ptr<TransferPlan> plan(
      new TransferPlan(std::move(source), std::move(destination), *std::move(move)));
  const absl::Status prepared = plan->Prepare(operation);
  if (!prepared.ok()) return prepared;
  spi::Planned planned;
  planned.plan = std::move(plan);
  return planned;
}

absl::Status TransferPlan::Prepare(const spi::Operation& operation) {
  const bool from_staging = destination_ != nullptr;
  const std::shared_ptr<Context>& computes = from_staging ? destination_ : source_;
  const spi::ReorderView reorder(operation);
  if (move_.arithmetic.scales == Arithmetic::Scales::kMany && !reorder.run_time_scales) {
    absl::StatusOr<std::shared_ptr<const Region>> table =
        UploadScales(*computes, {reorder.scales.begin(), reorder.scales.end()});
    if (!table.ok()) return table.status();
    scales_ = *std::move(table);
  }
  const auto most =
      static_cast<int64_t>(kStageBytes / ElementBytes(from_staging ? move_.from : move_.to));
  if (HasMoreThan(kMostStages * most, reorder.dst)) {
    return absl::ResourceExhaustedError(absl::StrCat("vulkan: ", spi::ToString(reorder.dst),
                                                     " has more than ", kMostStages * most,
                                                     " elements"));
  }
  for (Chunk& chunk : from_staging ? ChunksFromHost(move_, most) : ChunksToHost(move_, most)) {
    Stage stage;
    Move device = move_;
    device.nests = {chunk.device};
    device.padding.clear();
    absl::StatusOr<std::shared_ptr<const MovePrograms>> programs =
        MovePrograms::Create(computes, std::move(device), kStaged);
    if (!programs.ok()) return programs.status();
    stage.device = *std::move(programs);
    if (source_ != nullptr && destination_ != nullptr) {
      Move collect;
      collect.from = collect.to = move_.from;
      collect.nests = {chunk.host};
      programs = MovePrograms::Create(source_, std::move(collect), kStaged);
      if (!programs.ok()) return programs.status();
      stage.collect = *std::move(programs);
    }
    stage.chunk = std::move(chunk);
    staged_bytes_ += BytesOf(stage);
    stages_.push_back(std::move(stage));
  }
  if (destination_ == nullptr || move_.padding.empty()) return absl::OkStatus();
  Move padding;
  padding.from = padding.to = move_.to;
  padding.padding = move_.padding;
  absl::StatusOr<std::shared_ptr<const MovePrograms>> programs =
      MovePrograms::Create(destination_, std::move(padding), {});
  if (!programs.ok()) return programs.status();
  padding_ = *std::move(programs);
  return absl::OkStatus();
}

uint64_t TransferPlan::BytesOf(const Stage& stage) const {
  return static_cast<uint64_t>(stage.chunk.elements) *
         ElementBytes(destination_ != nullptr ? move_.from : move_.to);
}

std::string TransferPlan::Describe() const {
  const char* const way = source_ == nullptr        ? "from host"
                          : destination_ == nullptr ? "to host"
                                                    : "between devices";
  return absl::StrCat(
      "vulkan:transfer ", way, ", ", stages_.size(), " stage(s)",
      stages_.empty() ? "" : absl::StrCat(", ", stages_.front().device->Describe()));
}

absl::Status TransferPlan::Execute(spi::Stream& stream, spi::Buffers buffers) const {
  Context& context = source_ != nullptr ? *source_ : *destination_;
  if (context.device().forked()) return context.device().Alive();
  if (stages_.empty()) return context.device().Alive();
  auto* const ours = dynamic_cast<Stream*>(&stream);
  if (ours == nullptr || &ours->context() != &context) {
    return absl::InvalidArgumentError("vulkan: the stream is of another engine (STR-009)");
  }
  if (source_ == nullptr) return FromHost(*ours, buffers);
  if (destination_ == nullptr) return ToHost(*ours, buffers);
  return BetweenDevices(*ours, buffers);
}

absl::StatusOr<Binding> TransferPlan::Fetch(Stream& stream, const Binding& from,
                                            uint64_t bytes) const {
  const absl::StatusOr<std::shared_ptr<const Region>> left = stream.TakeStaging(bytes);
  if (!left.ok()) return left.status();
  const absl::Status copied = CopyBytes(*source_, from, {*left, 0}, bytes);
  if (!copied.ok()) return copied;
  absl::StatusOr<std::shared_ptr<const Region>> right =
      destination_->Allocate(bytes, Purpose::kParameters);
  if (!right.ok()) return right.status();
  std::memcpy((*right)->host(), (*left)->host(), bytes);
  return Binding{*std::move(right), 0};
}

absl::StatusOr<Bindings> TransferPlan::FetchBeside(Stream& stream, spi::Buffers buffers) const {
  const Arithmetic& arithmetic = move_.arithmetic;
  absl::StatusOr<Bindings> beside = BindBeside(move_, scales_, stream, buffers);
  if (!beside.ok()) return beside;
  const absl::Status done = stream.Wait();
  if (!done.ok()) return done;
  const auto fetch = [&](int position, uint64_t bytes) {
    Binding& binding = beside->buffers[static_cast<size_t>(position)];
    absl::StatusOr<Binding> fetched = Fetch(stream, binding, bytes);
    if (fetched.ok()) binding = *std::move(fetched);
    return fetched.status();
  };
  absl::Status status;
  if (arithmetic.scales == Arithmetic::Scales::kMany && scales_ == nullptr) {
    status = fetch(kScales, static_cast<uint64_t>(move_.scale_count) * sizeof(float));
  }
  if (status.ok() && arithmetic.src_zero.run_time) status = fetch(kSrcZero, sizeof(int32_t));
  if (status.ok() && arithmetic.dst_zero.run_time) status = fetch(kDstZero, sizeof(int32_t));
  if (status.ok() && arithmetic.both_at_run_time()) {
    absl::StatusOr<std::shared_ptr<const Region>> zeros =
        destination_->Allocate(kZeroPointsBytes, Purpose::kTensor);
    status = zeros.status();
    if (status.ok()) beside->buffers[kZeroPoints] = {*std::move(zeros), 0};
  }
  if (!status.ok()) return status;
  return beside;
}

absl::Status TransferPlan::FromHost(Stream& stream, spi::Buffers buffers) const {
  // What earlier work of this stream still has to write to host memory may be what is read now.
  if (stream.has_deferred()) {
    const absl::Status waited = stream.Wait();
    if (!waited.ok()) return waited;
  }
  const absl::StatusOr<Bindings> beside = BindBeside(move_, scales_, stream, buffers);
  if (!beside.ok()) return beside.status();
  spi::Buffer& from = *buffers[kSource];
  const absl::StatusOr<void*> mapped = from.Map();
  if (!mapped.ok()) return mapped.status();
  absl::Status status;
  Staged staged;
  for (const Stage& stage : stages_) {
    const absl::StatusOr<std::shared_ptr<const Region>> staging =
        stream.TakeStaging(BytesOf(stage));
    status = staging.status();
    if (!status.ok()) break;
    CopyOnHost(stage.chunk.host, spi::SizeOf(move_.from), static_cast<const char*>(*mapped),
               (*staging)->host());
    status =
        Submit(stream, *stage.device, {*staging, 0}, BindingOf(buffers, kDestination), *beside);
    if (status.ok()) {
      staged.Add(stream, BytesOf(stage));
      if (staged.IsFull()) status = staged.WaitForOldest(stream);
    }
    if (!status.ok()) break;
  }
  const absl::Status unmapped = from.Unmap(*mapped);
  if (status.ok()) status = unmapped;
  return status.ok() ? ClearPaddingOnDevice(stream, BindingOf(buffers, kDestination)) : status;
}

absl::Status TransferPlan::ClearPaddingOnDevice(Stream& stream, const Binding& to) const {
  if (padding_ == nullptr) return absl::OkStatus();
  // The program reads zeros of its own: any memory may stand where a source would.
  if (source_ == nullptr) return Submit(stream, *padding_, to, to);
  const absl::StatusOr<std::shared_ptr<const Program>> program = padding_->For(to, to);
  return program.ok() ? destination_->Serve(*program, {{to, to}}) : program.status();
}

absl::Status TransferPlan::ClearPaddingOnHost(spi::Buffer& to) const {
  if (move_.padding.empty()) return absl::OkStatus();
  const absl::StatusOr<void*> mapped = to.Map();
  if (!mapped.ok()) return mapped.status();
  for (const spi::LoopNest& nest : move_.padding) {
    ClearOnHost(nest, spi::SizeOf(move_.to), static_cast<char*>(*mapped));
  }
  return to.Unmap(*mapped);
}

absl::Status TransferPlan::Deliver(const Stage& stage, const Region& staging,
                                   spi::Buffer& to) const {
  const absl::StatusOr<void*> mapped = to.Map();
  if (!mapped.ok()) return mapped.status();
  CopyOnHost(stage.chunk.host, spi::SizeOf(move_.to), staging.host(), static_cast<char*>(*mapped));
  return to.Unmap(*mapped);
}

absl::Status TransferPlan::Fill(Stream& stream, const Stage& stage,
                                const std::shared_ptr<const Region>& staging, spi::Buffers buffers,
                                const Bindings& beside) const {
  if (move_.arithmetic.sum) {
    spi::Buffer& to = *buffers[kDestination];
    const absl::StatusOr<void*> mapped = to.Map();
    if (!mapped.ok()) return mapped.status();
    CopyOnHost(Reversed(stage.chunk.host), spi::SizeOf(move_.to), static_cast<const char*>(*mapped),
               staging->host());
    const absl::Status unmapped = to.Unmap(*mapped);
    if (!unmapped.ok()) return unmapped;
  }
  return Submit(stream, *stage.device, BindingOf(buffers, kSource), {staging, 0}, beside);
}

absl::Status TransferPlan::ToHostAtOnce(Stream& stream, spi::Buffers buffers,
                                        const Bindings& beside) const {
  spi::Buffer& to = *buffers[kDestination];
  Staged staged;
  std::deque<std::pair<const Stage*, std::shared_ptr<const Region>>> filled;
  const auto deliver_oldest = [&]() -> absl::Status {
    const absl::Status done = staged.WaitForOldest(stream);
    if (!done.ok()) return done;
    const auto [stage, staging] = std::move(filled.front());
    filled.pop_front();
    return Deliver(*stage, *staging, to);
  };
  for (const Stage& stage : stages_) {
    absl::Status status;
    if (staged.IsFull()) status = deliver_oldest();
    if (!status.ok()) return status;
    absl::StatusOr<std::shared_ptr<const Region>> staging = stream.TakeStaging(BytesOf(stage));
    if (!staging.ok()) return staging.status();
    status = Fill(stream, stage, *staging, buffers, beside);
    if (!status.ok()) return status;
    staged.Add(stream, BytesOf(stage));
    filled.emplace_back(&stage, *std::move(staging));
  }
  while (!filled.empty()) {
    const absl::Status delivered = deliver_oldest();
    if (!delivered.ok()) return delivered;
  }
  return ClearPaddingOnHost(to);
}

absl::Status TransferPlan::ToHost(Stream& stream, spi::Buffers buffers) const {
  const absl::StatusOr<Bindings> beside = BindBeside(move_, scales_, stream, buffers);
  if (!beside.ok()) return beside.status();
  const bool at_once = staged_bytes_ > kHeldBytes;
  // What earlier work of this stream still has to write to the host comes first.
  if ((at_once || move_.arithmetic.sum) && stream.has_deferred()) {
    const absl::Status waited = stream.Wait();
    if (!waited.ok()) return waited;
  }
  if (at_once) return ToHostAtOnce(stream, buffers, *beside);
  std::vector<std::shared_ptr<const Region>> filled;
  for (const Stage& stage : stages_) {
    absl::StatusOr<std::shared_ptr<const Region>> staging = stream.TakeStaging(BytesOf(stage));
    if (!staging.ok()) return staging.status();
    const absl::Status status = Fill(stream, stage, *staging, buffers, *beside);
    if (!status.ok()) return status;
    filled.push_back(*std::move(staging));
  }
  stream.Defer([plan = shared_from_this(), this, buffer = buffers[kDestination]->shared_from_this(),
                filled = std::move(filled)] {
    for (size_t i = 0; i < stages_.size(); ++i) {
      const absl::Status delivered = Deliver(stages_[i], *filled[i], *buffer);
      if (!delivered.ok()) return delivered;
    }
    return ClearPaddingOnHost(*buffer);
  });
  return absl::OkStatus();
}

absl::Status TransferPlan::BetweenDevices(Stream& stream, spi::Buffers buffers) const {
  const absl::StatusOr<Bindings> beside = FetchBeside(stream, buffers);
  if (!beside.ok()) return beside.status();
  const Binding from = BindingOf(buffers, kSource);
  const Binding to = BindingOf(buffers, kDestination);
  for (const Stage& stage : stages_) {
    const uint64_t bytes = BytesOf(stage);
    const absl::StatusOr<std::shared_ptr<const Region>> left = stream.TakeStaging(bytes);
    if (!left.ok()) return left.status();
    const absl::StatusOr<std::shared_ptr<const Region>> right =
        destination_->Allocate(bytes, Purpose::kHost);
    if (!right.ok()) return right.status();
    const Binding collected(*left, 0), staged(*right, 0);
    absl::Status status = Submit(stream, *stage.collect, from, collected);
    if (status.ok()) status = stream.Wait();
    if (!status.ok()) return status;
    std::memcpy((*right)->host(), (*left)->host(), bytes);
    const absl::StatusOr<std::shared_ptr<const Program>> program = stage.device->For(staged, to);
    if (!program.ok()) return program.status();
    status = destination_->Serve(*program, With(*beside, staged, to));
    if (!status.ok()) return status;
  }
  return ClearPaddingOnDevice(stream, to);
}

}  // namespace impl_vulkan
