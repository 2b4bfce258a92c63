#include <array>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "api/memory/layout.h"
#include "api/memory/memory_state.h"
#include "api/model/primitive_state.h"

namespace api {
namespace {

namespace state = dnnl::state;

template <typename... Args>
absl::Status Invalid(const state::primitive_desc& desc, const Args&... args) {
  return absl::InvalidArgumentError(absl::StrCat(NameOf(desc.kind), "::execute: ", args...));
}

// Says what Check found, once it has found something.
[[gnu::cold, gnu::noinline]] absl::Status Explain(const state::primitive_desc& desc,
                                                  const state::argument& argument,
                                                  const state::memory* given) {
  const int index = argument.index;
  if (given == nullptr) return Invalid(desc, "argument ", index, " is missing (PRIM-035)");
  if (given->device != argument.device)
    return Invalid(desc, "the memory of argument ", index,
                   " is on another device than its side of ", "the primitive ",
                   desc.src_engine == nullptr ? "(ENG-010)" : "(XENG-008)");
  if (!Matches(*argument.layout, given->layout))
    return Invalid(desc, "the memory of argument ", index, " is ", spi::ToString(given->layout),
                   ", not ", spi::ToString(*argument.layout), " (PRIM-033)");
  return Invalid(desc, "the memory of argument ", index, " has no buffer (MEM-030)");
}

bool Serves(const state::argument& argument, const state::memory* given) {
  return given != nullptr && given->device == argument.device &&
         Matches(*argument.layout, given->layout) &&
         (given->buffer != nullptr || given->bytes == 0);
}

bool Serves(const state::primitive_desc& desc, const state::stream& stream) {
  return stream.device == desc.on->device.get() ||
         (desc.src_engine != nullptr && (stream.device == desc.src_engine->device.get() ||
                                         stream.device == desc.dst_engine->device.get()));
}

[[gnu::cold, gnu::noinline]] absl::Status ForeignStream(const state::primitive_desc& desc) {
  return Invalid(desc, "the stream is of another engine (STR-009)");
}

// With the other side's stream: what it holds comes first, and all is done on return (XENG-007).
[[gnu::cold, gnu::noinline]] absl::Status RunOnSecondStream(const state::primitive_desc& desc,
                                                            const spi::Plan& plan,
                                                            const state::stream& stream,
                                                            spi::Arguments arguments) {
  absl::Status status = stream.queue->Wait();
  if (!status.ok()) return status;
  absl::StatusOr<std::unique_ptr<spi::Stream>> second = desc.on->device->MakeStream(spi::kInOrder);
  if (!second.ok()) return second.status();
  status = plan.Execute(**second, arguments);
  absl::Status finished = (*second)->Wait();
  return status.ok() ? finished : status;
}

// The plan is made now, for the shapes of these memories.
[[gnu::cold, gnu::noinline]] absl::Status RunResolved(const state::primitive_desc& desc,
                                                      const state::stream& stream,
                                                      const state::memory* const* given,
                                                      spi::Argument* arguments, std::size_t count) {
  absl::StatusOr<std::shared_ptr<const spi::Plan>> plan = desc.resolve(desc, given);
  if (!plan.ok()) return plan.status();
  if (*plan == nullptr) return absl::OkStatus();
  std::shared_ptr<spi::Buffer> scratchpad;
  if ((*plan)->scratchpad_bytes() > 0) {
    absl::StatusOr<std::shared_ptr<spi::Buffer>> made =
        desc.on->device->Allocate((*plan)->scratchpad_bytes());
    if (!made.ok()) return made.status();
    scratchpad = *std::move(made);
    arguments[count++] = {spi::kArgScratchpad, scratchpad.get()};
  }
  const spi::Arguments all(arguments, count);
  if (stream.device != desc.on->device.get()) return RunOnSecondStream(desc, **plan, stream, all);
  return (*plan)->Execute(*stream.queue, all);
}

}  // namespace

absl::Status CheckExecution(const state::primitive& primitive, const state::stream& stream,
                            const state::memory* const* given) {
  const state::primitive_desc& desc = *primitive.desc;
  if (!Serves(desc, stream)) return ForeignStream(desc);
  const state::memory* const* next = given;
  for (const state::argument& argument : desc.arguments) {
    if (!Serves(argument, *next)) return Explain(desc, argument, *next);
    ++next;
  }
  return desc.resolve == nullptr ? absl::OkStatus() : desc.resolve(desc, given).status();
}

absl::Status Execute(const state::primitive& primitive, const state::stream& stream,
                     const state::memory* const* given) {
  const state::primitive_desc& desc = *primitive.desc;
  if (!Serves(desc, stream)) return ForeignStream(desc);
  const bool own_stream = stream.device == desc.on->device.get();

  std::array<spi::Argument, kMaxArguments + 1> arguments;
  std::size_t count = 0;
  for (const state::argument& argument : desc.arguments) {
    const state::memory* const memory = *given++;
    if (!Serves(argument, memory)) return Explain(desc, argument, memory);
    arguments[count++] = {argument.index, memory->buffer.get()};
  }

  if (desc.resolve != nullptr)
    return RunResolved(desc, stream, given - count, arguments.data(), count);
  if (desc.plan == nullptr) return absl::OkStatus();
  if (primitive.scratchpad != nullptr)
    arguments[count++] = {spi::kArgScratchpad, primitive.scratchpad.get()};
  const spi::Arguments all(arguments.data(), count);
  if (!own_stream) return RunOnSecondStream(desc, *desc.plan, stream, all);
  return desc.plan->Execute(*stream.queue, all);
}

}  // namespace api
