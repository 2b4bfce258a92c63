#include <array>
#include <cstddef>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "api/engine/throw.h"
#include "api/memory/bytes.h"
#include "api/memory/layout.h"
#include "api/memory/memory_state.h"
#include "api/model/argument_names.h"
#include "api/model/primitive_state.h"
#include "oneapi/dnnl/model/primitive.hpp"

namespace api {
namespace {

namespace state = dnnl::state;

template <typename... Args>
absl::Status Invalid(const state::computation& what, const Args&... args) {
  return absl::InvalidArgumentError(absl::StrCat(NameOf(what), "::execute: ", args...));
}

// Whether the tensor of `argument` can lie in the buffer of `given`.
bool Fits(const state::argument& argument, const state::memory& given) {
  if (argument.open) return Matches(*argument.layout, given.layout);
  return given.layout.type == argument.layout->type &&
         static_cast<std::size_t>(argument.bytes.end) <= given.bytes;
}

// Mapped to something else than the storage: unmapping will overwrite what an execution writes.
bool IsMappedElsewhere(const state::memory& given) {
  return given.map_count > 0 && given.mapped != given.handle;
}

bool Serves(const state::argument& argument, const state::memory* given) {
  return given != nullptr && given->spi_engine == argument.spi_engine && Fits(argument, *given) &&
         !IsMappedElsewhere(*given) &&
         (given->buffer != nullptr ||
          (argument.open ? given->bytes == 0 : argument.bytes.end == 0));
}

// "; given: DNNL_ARG_SRC, DNNL_ARG_WEIGHTS", in the order of their numbers.
std::string ListGiven(const state::computation& what, const state::memory* const* given,
                      const ArgumentMap* map) {
  std::set<int> indices;
  for (const state::argument& argument : what.arguments)
    if (*given++ != nullptr) indices.insert(argument.index);
  if (map != nullptr)
    for (const auto& [index, memory] : *map)
      if (memory) indices.insert(index);
  std::string text = indices.empty() ? "; none was given" : "; given:";
  for (const int index : indices)
    absl::StrAppend(&text, index == *indices.begin() ? " " : ", ", NameOfArgument(index));
  return text;
}

// Says what Serves found, once it has found something.
[[gnu::cold, gnu::noinline]] absl::Status Explain(const state::computation& what,
                                                  const state::argument& argument,
                                                  const state::memory* const* all,
                                                  const ArgumentMap* map) {
  const std::string name = NameOfArgument(argument.index);
  const state::memory* const given = all[&argument - what.arguments.data()];
  if (given == nullptr)
    return Invalid(what, name, " is missing", ListGiven(what, all, map), " (PRIM-035)");
  if (given->spi_engine != argument.spi_engine)
    return Invalid(what, "the memory of ", name, " is on another device than its side of ",
                   "the primitive ", what.has_sides() ? "(XENG-008)" : "(ENG-010)");
  if (argument.open ? !Fits(argument, *given) : given->layout.type != argument.layout->type)
    return Invalid(what, "the memory of ", name, " is ", spi::ToString(given->layout), ", not ",
                   spi::ToString(*argument.layout), " (PRIM-033)");
  if (!Fits(argument, *given))
    return Invalid(what, "the memory of ", name, ", ", spi::ToString(given->layout), ", has ",
                   given->bytes, " bytes, and ", spi::ToString(*argument.layout), " needs ",
                   argument.bytes.end, " (PRIM-033)");
  if (IsMappedElsewhere(*given))
    return Invalid(what, "the memory of ", name, " is mapped (MEM-022)");
  return Invalid(what, "the memory of ", name, " has no buffer (MEM-030)");
}

// Whether what is written lies wholly before or behind the other arguments, as it nearly always
// does: else CheckSharing looks closer.
[[gnu::always_inline]] inline bool Apart(const state::primitive& primitive,
                                         spi::Buffer* const* buffers) {
  for (const state::encounter& pair : primitive.encounters) {
    const spi::Place &a = buffers[pair.first]->place(), &b = buffers[pair.second]->place();
    if (b.byte - a.byte - pair.least < pair.count && a.space == b.space) return false;
  }
  return true;
}

bool IsInOneBuffer(const state::primitive& primitive, spi::Buffer* const* buffers) {
  return primitive.computation->serves_one_buffer && primitive.arguments.size() == 2 &&
         buffers[0] == buffers[1];
}

[[gnu::always_inline]] inline absl::Status RunPlan(const state::primitive& primitive,
                                                   const state::stream& stream, std::size_t count,
                                                   spi::Buffer** buffers) {
  const state::computation& what = *primitive.computation;
  const spi::Buffers all(buffers, count);
  return what.plan->Execute(*stream.spi_stream, all);
}

bool Serves(const state::computation& what, const state::stream& stream) {
  return stream.spi_engine == what.device.spi_engine.get() ||
         (what.has_sides() && (stream.spi_engine == what.src_device.spi_engine.get() ||
                               stream.spi_engine == what.dst_device.spi_engine.get()));
}

[[gnu::cold, gnu::noinline]] absl::Status ForeignStream(const state::computation& what) {
  return Invalid(what, "the stream is of another engine (STR-009)");
}

// What the library provides an execution with: the stream's, which grows to what is wanted, or one
// for this execution where it runs on another device than the stream.
[[gnu::noinline]] absl::StatusOr<std::shared_ptr<spi::Buffer>> ScratchpadFor(
    const state::computation& what, const state::stream& stream, std::size_t bytes) {
  spi::Engine* const spi_engine = what.device.spi_engine.get();
  const bool of_stream = stream.spi_engine == spi_engine;
  if (of_stream && stream.scratchpad_bytes >= bytes) return stream.scratchpad;
  absl::StatusOr<std::shared_ptr<spi::Buffer>> made = spi_engine->Allocate(bytes);
  if (!made.ok())
    return absl::Status(made.status().code(),
                        absl::StrCat(NameOf(what), "::execute: allocating ", bytes,
                                     " bytes of scratchpad: ", made.status().message()));
  if (of_stream) {
    stream.scratchpad = *made;
    stream.scratchpad_bytes = bytes;
  }
  return made;
}

// With the other side's stream: what it holds comes first, and all is done on return (XENG-007).
[[gnu::cold, gnu::noinline]] absl::Status RunOnSecondStream(const state::computation& what,
                                                            const spi::Plan& plan,
                                                            const state::stream& stream,
                                                            spi::Buffers buffers) {
  absl::Status status = stream.spi_stream->Wait();
  if (!status.ok()) return status;
  absl::StatusOr<std::unique_ptr<spi::Stream>> second =
      what.device.spi_engine->MakeStream(spi::kInOrder);
  if (!second.ok()) return second.status();
  status = plan.Execute(**second, buffers);
  absl::Status finished = (*second)->Wait();
  return status.ok() ? finished : status;
}

// The plan is made now, for the shapes of these memories.
[[gnu::cold, gnu::noinline]] absl::Status RunResolved(const state::computation& what,
                                                      const state::stream& stream,
                                                      const state::memory* const* given,
                                                      spi::Buffer** buffers, std::size_t count) {
  absl::StatusOr<spi::Planned> planned = what.resolve(what, given);
  if (!planned.ok()) return planned.status();
  const spi::Plan* const plan = planned->plan.get();
  if (plan == nullptr) return absl::OkStatus();
  absl::Status status = CheckSharing(what, given);
  if (!status.ok()) return status;
  std::shared_ptr<spi::Buffer> scratchpad;
  if (const std::size_t bytes = planned->scratchpad_bytes) {
    absl::StatusOr<std::shared_ptr<spi::Buffer>> found = ScratchpadFor(what, stream, bytes);
    if (!found.ok()) return found.status();
    scratchpad = *std::move(found);
    buffers[count++] = scratchpad.get();
  }
  const spi::Buffers all(buffers, count);
  if (stream.spi_engine != what.device.spi_engine.get())
    return RunOnSecondStream(what, *plan, stream, all);
  return plan->Execute(*stream.spi_stream, all);
}

// Every check, and every way to run.
[[gnu::noinline]] absl::Status CheckAndRun(const state::primitive& primitive,
                                           const state::stream& stream,
                                           const state::memory* const* given,
                                           const ArgumentMap* map) {
  const state::computation& what = *primitive.computation;
  if (!Serves(what, stream)) return ForeignStream(what);
  const bool own_stream = stream.spi_engine == what.device.spi_engine.get();

  std::array<spi::Buffer*, kMaxArguments + 1> buffers;
  std::size_t count = 0;
  for (const state::argument& argument : what.arguments) {
    const state::memory* const memory = given[count];
    if (!Serves(argument, memory)) return Explain(what, argument, given, map);
    const bool exists = memory->buffer != nullptr;
    buffers[count++] = exists ? memory->buffer.get() : what.nothing.get();
  }

  if (what.resolve != nullptr) return RunResolved(what, stream, given, buffers.data(), count);
  if (what.plan == nullptr) return absl::OkStatus();
  if (!Apart(primitive, buffers.data()) && !IsInOneBuffer(primitive, buffers.data())) {
    absl::Status status = CheckSharing(what, given);
    if (!status.ok()) return status;
  }
  std::shared_ptr<spi::Buffer> scratchpad;
  if (primitive.scratchpad_bytes > 0) {
    absl::StatusOr<std::shared_ptr<spi::Buffer>> found =
        ScratchpadFor(what, stream, primitive.scratchpad_bytes);
    if (!found.ok()) return found.status();
    scratchpad = *std::move(found);
    buffers[count++] = scratchpad.get();
  }
  if (!own_stream) return RunOnSecondStream(what, *what.plan, stream, {buffers.data(), count});
  return RunPlan(primitive, stream, count, buffers.data());
}

[[gnu::noinline]] ArgumentMap::const_iterator FindAmongMany(const ArgumentMap& args, int index) {
  return args.find(index);
}

// As args.find(index). Most maps have few entries, and looking at all of them costs less than the
// divisions by the number of buckets.
[[gnu::always_inline]] inline ArgumentMap::const_iterator Find(const ArgumentMap& args, int index) {
  constexpr std::size_t kFew = 8;
  if (args.size() > kFew) return FindAmongMany(args, index);
  auto found = args.begin();
  while (found != args.end() && found->first != index) ++found;
  return found;
}

// What ListMemories lists, one by one.
struct InMap {
  const state::primitive& primitive;
  const ArgumentMap& args;

  const state::memory* operator[](std::size_t place) const {
    const state::argument& argument = primitive.arguments.data()[place];
    const auto found = Find(args, argument.index);
    return found == args.end() ? nullptr : state::access::of(found->second).get();
  }
};

// The buffers of an execution that nothing speaks against, and that just runs: what CheckAndRun
// would find of nearly every one, with fewer looks. False: CheckAndRun has to look.
template <class Given>
[[gnu::always_inline]] inline bool FindBuffers(const state::primitive& primitive,
                                               const state::stream& stream, const Given& given,
                                               spi::Buffer** buffers) {
  if (stream.spi_engine != primitive.just_runs_on) return false;
  for (std::size_t place = 0; place < primitive.arguments.size(); ++place) {
    const state::argument& argument = primitive.arguments.data()[place];
    const state::memory* const memory = given[place];
    if (memory == nullptr || memory->usable_as != argument.wants ||
        memory->bytes < static_cast<std::size_t>(argument.bytes.end))
      return false;
    buffers[place] = memory->buffer.get();
  }
  return Apart(primitive, buffers) || IsInOneBuffer(primitive, buffers);
}

[[gnu::noinline]] absl::Status CheckAndRun(const state::primitive& primitive,
                                           const state::stream& stream, const ArgumentMap& args) {
  std::array<const state::memory*, kMaxArguments> given;
  ListMemories(primitive, args, given.data());
  return CheckAndRun(primitive, stream, given.data(), &args);
}

// Execute, of the memories in `args`.
[[gnu::always_inline]] inline absl::Status Run(const state::primitive& primitive,
                                               const state::stream& stream,
                                               const ArgumentMap& args) {
  std::array<spi::Buffer*, kMaxArguments> buffers;
  if (!FindBuffers(primitive, stream, InMap{primitive, args}, buffers.data()))
    return CheckAndRun(primitive, stream, args);
  return RunPlan(primitive, stream, primitive.arguments.size(), buffers.data());
}

[[noreturn]] void ThrowEmpty(const char* argument) {
  Throw(absl::InvalidArgumentError(
      absl::StrCat("primitive::execute: the ", argument, " is empty (ERR-011)")));
}

}  // namespace

void ListMemories(const state::primitive& primitive, const ArgumentMap& args,
                  const state::memory** given) {
  const InMap all{primitive, args};
  for (std::size_t i = 0; i < primitive.arguments.size(); ++i) given[i] = all[i];
}

absl::Status CheckExecution(const state::primitive& primitive, const state::stream& stream,
                            const state::memory* const* given, const ArgumentMap* map) {
  const state::computation& what = *primitive.computation;
  if (!Serves(what, stream)) return ForeignStream(what);
  const state::memory* const* next = given;
  for (const state::argument& argument : what.arguments)
    if (!Serves(argument, *next++)) return Explain(what, argument, given, map);
  if (what.resolve != nullptr) {
    absl::Status status = what.resolve(what, given).status();
    if (!status.ok()) return status;
  }
  return CheckSharing(what, given);
}

absl::Status Execute(const state::primitive& primitive, const state::stream& stream,
                     const state::memory* const* given, const ArgumentMap* map) {
  std::array<spi::Buffer*, kMaxArguments> buffers;
  if (!FindBuffers(primitive, stream, given, buffers.data()))
    return CheckAndRun(primitive, stream, given, map);
  return RunPlan(primitive, stream, primitive.arguments.size(), buffers.data());
}

}  // namespace api

namespace dnnl {

void primitive::execute(const stream& astream, const std::unordered_map<int, memory>& args) const
    try {
  if (state_ == nullptr) api::ThrowEmpty("primitive");
  const state::stream* const queue = state::access::of(astream).get();
  if (queue == nullptr) api::ThrowEmpty("stream");
  api::ThrowUnlessOk(api::Run(*state_, *queue, args));
} catch (...) {
  api::RethrowAsDnnlError();
}

}  // namespace dnnl
