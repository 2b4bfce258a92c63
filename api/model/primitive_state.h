// Declares the states behind primitive descriptors and primitives, the same for every kind: a topic
// fills in the operation, and the rest (arguments, queries, execution) follows from its tensors.
#ifndef DNNSPEC_API_MODEL_PRIMITIVE_STATE_H_
#define DNNSPEC_API_MODEL_PRIMITIVE_STATE_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "api/engine/engine_state.h"
#include "api/engine/handle_state.h"
#include "api/memory/bytes.h"
#include "api/model/attributes_state.h"
#include "api/spi/implementation.h"
#include "api/spi/signatures.h"
#include "oneapi/dnnl/engine/handle.hpp"
#include "oneapi/dnnl/model/attributes.hpp"
#include "oneapi/dnnl/model/primitive.hpp"
#include "oneapi/dnnl/types/enums.hpp"

namespace dnnspec {
namespace state {

// One mandatory argument of an execution.
struct argument {
  argument(const spi::TensorArg& tensor, spi::Engine* spi_engine);

  // A memory with this in usable_as serves if it has all bytes. 1, which no memory has, where more
  // is to be compared.
  std::uintptr_t wants;
  int index;                  // DNNL_ARG_
  dnnl::query what;           // its sort
  const spi::Layout* layout;  // inside the resolved operation of the same computation
  spi::Engine* spi_engine;    // where its memory lives
  bool written;
  bool open;             // the layout has run-time values: a memory's own layout counts
  api::ByteRange bytes;  // what the layout addresses in a memory's buffer; none where open
};

// Two arguments of which one is written, by their places. They share bytes only where the buffer of
// the second begins at one of `count` distances behind that of the first, from `least` on.
struct encounter {
  std::size_t first, second;
  std::uintptr_t least, count;  // bytes, modulo 2^64: a distance may be negative
};

// What a request became: the operation, resolved, and its plan. Immutable once a descriptor has it;
// those of equal requests may share it.
struct computation {
  // Not defaulted: std::make_shared would clear the kilobyte before the members are made.
  computation() {}                           // NOLINT(modernize-use-equals-default)
  computation(const computation&) = delete;  // arguments point into it

  dnnl::primitive::kind kind() const { return static_cast<dnnl::primitive::kind>(resolved.kind); }
  // undef where the kind has none.
  dnnl::prop_kind prop() const { return static_cast<dnnl::prop_kind>(resolved.prop); }

  state::device device;  // where it executes
  // The two sides of a reorder; none for every other primitive.
  state::device src_device, dst_device;

  dnnl::scratchpad_mode scratchpad_mode = dnnl::scratchpad_mode::library;
  std::shared_ptr<const dnnl_primitive_attr> attr;  // null: default but for the scratchpad mode

  // What the plan executes: what was asked for, with the layouts that the implementation chose, its
  // workspace and its scratchpad. With run-time values where `resolve` is not null.
  spi::Operation resolved;
  // How many of its tensors were asked for: a workspace and a scratchpad follow them. Which of
  // these, as bits, were open (kAny).
  std::size_t asked = 0;
  std::uint32_t open = 0;
  // Of a backward primitive, the resolved forward one that its hint describes, where it belongs to
  // that and the same implementation has both. Null otherwise.
  std::shared_ptr<const spi::Operation> forward;

  // Null where nothing is to be done (some extent is 0), or while run-time values are unknown.
  std::shared_ptr<const spi::Plan> plan;
  int candidate = 0;  // which plan of the engine
  // What the plan gets for tensors without elements, whose memories have no buffer. Null where all
  // have some.
  std::shared_ptr<spi::Buffer> nothing;

  // With run-time values: the plan for the memories of an execution, in the order of `arguments`,
  // or null if they have no elements. Null otherwise.
  using resolver = absl::StatusOr<spi::Planned> (*)(const computation& self,
                                                    const dnnl_memory* const* given);
  resolver resolve = nullptr;

  // The tensors of `resolved`, to which they point, but for a scratchpad that the library provides.
  // What follows is made of them, last.
  absl::InlinedVector<argument, 2> arguments;
  // Of which arguments the second, which is written, may lie exactly where the first one does.
  spi::InPlaceTensors in_place;
  std::vector<encounter> encounters;  // of the arguments; none where some are open
  bool serves_one_buffer = false;     // as arguments[0] and arguments[1] both

  bool has_sides() const { return src_device.spi_engine != nullptr; }
};

// The engines that the caller gave, of which a device may have several.
struct engines {
  using handle = std::shared_ptr<const dnnl_engine>;

  // NOLINTNEXTLINE(google-explicit-constructor): most have one
  engines(handle all) : engine(std::move(all)) {}
  engines(handle executing, handle src, handle dst)
      : engine(std::move(executing)), src_engine(std::move(src)), dst_engine(std::move(dst)) {}

  handle engine;  // where the primitive executes
  // The two sides of a reorder; null for every other primitive.
  handle src_engine, dst_engine;
};

}  // namespace state
}  // namespace dnnspec

struct dnnl_primitive_desc : dnnl::state::shared<dnnl_primitive_desc>, dnnl::state::engines {
  dnnl_primitive_desc(std::shared_ptr<const dnnl::state::computation> what,
                      dnnl::state::engines&& given)
      : engines(std::move(given)), computation(std::move(what)) {}
  ~dnnl_primitive_desc() { delete description.load(); }

  const std::shared_ptr<const dnnl::state::computation> computation;  // not null

  // impl_info_str: formatted when it is first asked for, by each thread that asks at once; the
  // first one's stays. Not std::call_once: an exception that passes through it ends the process
  // where memory is short.
  mutable std::atomic<const std::string*> description{nullptr};

  // What C queries pointed to, which lives as long as this; made when it is first asked for.
  mutable std::mutex c_mutex;
  mutable std::map<const spi::Layout*, dnnl_memory_desc_t> c_descs;
  mutable std::shared_ptr<const dnnl_primitive_attr> c_attr;
  mutable std::shared_ptr<const void> c_operation;
};

struct dnnl_primitive : dnnl::state::shared<dnnl_primitive> {
  std::shared_ptr<const dnnl_primitive_desc> desc;
  // Of desc->computation: fewer steps away.
  const dnnl::state::computation* computation = nullptr;
  absl::Span<const dnnl::state::argument> arguments;
  absl::Span<const dnnl::state::encounter> encounters;

  std::size_t scratchpad_bytes = 0;  // what an execution takes from its stream
  // The device on whose streams an execution runs the plan on its arguments, and nothing else. Null
  // where there is no plan, or not yet, and where it takes a scratchpad, too.
  spi::Engine* just_runs_on = nullptr;
};

namespace api {

// More than any primitive has, so that execute keeps them on the stack.
constexpr std::size_t kMaxArguments = 32;

using ArgumentMap = std::unordered_map<int, dnnl::memory>;

// Takes a snapshot of `attr` into `made`; fails if the handle is empty.
absl::Status CopyAttributes(const char* what, const dnnl::primitive_attr& attr,
                            dnnl::state::computation* made);

// Takes down what was asked for, before anything is chosen or added.
void NoteRequest(dnnl::state::computation* made);
// The operation as it was asked for.
spi::Operation RequestOf(const dnnl::state::computation& what);

// Lists the arguments of `made`, and what follows from them.
void ListArguments(dnnl::state::computation* made);

// Takes over what an implementation answered to the request in `made`, and lists its arguments.
absl::Status Adopt(absl::StatusOr<spi::Planned> planned, dnnl::state::computation* made);

// Checks the request in `made`, of known dims, and plans it on its engine.
absl::Status PlanRequest(dnnl::state::computation* made);

// All that is left to do once a request is there, but for its devices, which are those of
// `engines`: `plan`, unless an equal request came before (PRIM-049).
absl::StatusOr<std::shared_ptr<const dnnl::state::primitive_desc>> Complete(
    std::shared_ptr<dnnl::state::computation> made, dnnl::state::engines&& engines,
    absl::Status (*plan)(dnnl::state::computation*) = PlanRequest);

// Bytes of temporary storage that the library provides for an execution.
inline std::size_t LibraryScratchpad(const dnnl::state::computation& what) {
  if (what.scratchpad_mode == dnnl::scratchpad_mode::user) return 0;
  return static_cast<std::size_t>(spi::LayoutOf(what.resolved, spi::kArgScratchpad).dims[0]);
}

// Runs `primitive` on `given`, which has one entry for each of its arguments, null where absent.
// Checks everything first. Allocates nothing unless run-time values or a second device are
// involved, or the stream's scratchpad is smaller than what the plan wants. `map` is where `given`
// comes from, for messages; null where there was none.
absl::Status Execute(const dnnl::state::primitive& primitive, const dnnl::state::stream& stream,
                     const dnnl::state::memory* const* given, const ArgumentMap* map);

// What Execute checks before anything runs.
absl::Status CheckExecution(const dnnl::state::primitive& primitive,
                            const dnnl::state::stream& stream,
                            const dnnl::state::memory* const* given, const ArgumentMap* map);

// Whether what `what` writes shares bytes with its other arguments, where that makes results
// wrong: those are named. `given` serves.
absl::Status CheckSharing(const dnnl::state::computation& what,
                          const dnnl::state::memory* const* given);

// Where the arguments of `made` may share bytes with each other.
void FindEncounters(dnnl::state::computation* made);

// The memories for the arguments of `primitive`, at most kMaxArguments, in their order; null where
// absent.
void ListMemories(const dnnl::state::primitive& primitive, const ArgumentMap& args,
                  const dnnl::state::memory** given);

// "backward"; the number where it names none.
std::string NameOfPropKind(dnnl_prop_kind_t kind);

// "reorder", ...
inline const char* NameOf(const dnnl::state::computation& what) {
  return spi::SignatureOf(what.resolved).name;
}

}  // namespace api

#endif  // DNNSPEC_API_MODEL_PRIMITIVE_STATE_H_
