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

namespace dnnl {
namespace state {

// One mandatory argument of an execution.
struct argument {
  argument(const spi::TensorArg& tensor, spi::Engine* spi_engine);

  // A memory with this in usable_as serves if it has all bytes. 1, which no memory has, where more
  // is to be compared.
  std::uintptr_t wants;
  int index;                  // DNNL_ARG_
  query what;                 // its sort
  const spi::Layout* layout;  // inside the resolved operation of the same primitive_desc
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

}  // namespace state
}  // namespace dnnl

// Immutable once it is behind a handle.
struct dnnl_primitive_desc : dnnl::state::shared<dnnl_primitive_desc> {
  // Not defaulted: std::make_shared would clear the kilobyte before the members are made.
  dnnl_primitive_desc() {}  // NOLINT(modernize-use-equals-default)
  ~dnnl_primitive_desc() { delete description.load(); }
  dnnl_primitive_desc(const dnnl_primitive_desc&) = delete;  // arguments point into it

  dnnl::primitive::kind kind() const { return static_cast<dnnl::primitive::kind>(resolved.kind); }
  // undef where the kind has none.
  dnnl::prop_kind prop() const { return static_cast<dnnl::prop_kind>(resolved.prop); }

  std::shared_ptr<const dnnl_engine> engine;  // where it executes
  // The two sides of a reorder; null for every other primitive.
  std::shared_ptr<const dnnl_engine> src_engine, dst_engine;

  dnnl::scratchpad_mode scratchpad_mode = dnnl::scratchpad_mode::library;
  std::shared_ptr<const dnnl_primitive_attr> attr;  // null: default but for the scratchpad mode

  // What the plan executes: what was asked for, with the layouts that the implementation chose, its
  // workspace and its scratchpad. With run-time values where `resolve` is not null.
  spi::Operation resolved;
  // What was asked for, where the implementation chose something; else null.
  std::shared_ptr<const spi::Operation> request;
  // Of a backward primitive, the resolved forward one that its hint describes, where it belongs to
  // that and the same implementation has both. Null otherwise.
  std::shared_ptr<const spi::Operation> forward;
  // The tensors of `resolved`, to which they point, but for a scratchpad that the library provides.
  // Made last.
  absl::InlinedVector<dnnl::state::argument, 2> arguments;
  // Of which arguments the second, which is written, may lie exactly where the first one does.
  spi::InPlaceTensors in_place;

  // Null where nothing is to be done (some extent is 0), or while run-time values are unknown.
  std::shared_ptr<const spi::Plan> plan;
  int candidate = 0;  // which plan of the engine
  // What the plan gets for tensors without elements, whose memories have no buffer. Null where all
  // have some.
  std::shared_ptr<spi::Buffer> nothing;

  // With run-time values: the plan for the memories of an execution, in the order of `arguments`,
  // or null if they have no elements. Null otherwise.
  using resolver = absl::StatusOr<spi::Planned> (*)(const dnnl_primitive_desc& self,
                                                    const dnnl_memory* const* given);
  resolver resolve = nullptr;

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
  std::size_t scratchpad_bytes = 0;  // what an execution takes from its stream
  bool serves_one_buffer = false;    // as arguments[0] and arguments[1] both

  // The device on whose streams an execution runs the plan on its arguments, and nothing else. Null
  // where there is no plan, or not yet, and where it takes a scratchpad, too.
  spi::Engine* just_runs_on = nullptr;
  absl::Span<const dnnl::state::argument> arguments;  // desc->arguments: fewer steps away
  std::vector<dnnl::state::encounter> encounters;     // of the arguments; none where some are open
};

namespace api {

// More than any primitive has, so that execute keeps them on the stack.
constexpr std::size_t kMaxArguments = 32;

using ArgumentMap = std::unordered_map<int, dnnl::memory>;

// Takes a snapshot of `attr` into `desc`; fails if the handle is empty.
absl::Status CopyAttributes(const char* what, const dnnl::primitive_attr& attr,
                            dnnl::state::primitive_desc* desc);

// Lists the arguments of `desc`, which has no plan, and needs none yet.
void ListArguments(dnnl::state::primitive_desc* desc);

// Takes over what an implementation answered to the request in `desc`, and lists its arguments.
absl::Status Adopt(absl::StatusOr<spi::Planned> planned, dnnl::state::primitive_desc* desc);

// Checks the request in `desc` and plans it on its engine: all that is left to do once a request of
// known dims is there.
absl::Status Complete(dnnl::state::primitive_desc* desc);

// Bytes of temporary storage that the library provides for an execution.
inline std::size_t LibraryScratchpad(const dnnl::state::primitive_desc& desc) {
  if (desc.scratchpad_mode == dnnl::scratchpad_mode::user) return 0;
  return static_cast<std::size_t>(spi::LayoutOf(desc.resolved, spi::kArgScratchpad).dims[0]);
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

// Whether what `desc` writes shares bytes with its other arguments, where that makes results
// wrong: those are named. `given` serves.
absl::Status CheckSharing(const dnnl::state::primitive_desc& desc,
                          const dnnl::state::memory* const* given);

// Where arguments of `desc` may share bytes; those that are open are left out.
std::vector<dnnl::state::encounter> EncountersOf(const dnnl::state::primitive_desc& desc);

// Whether one buffer may be arguments[0] and arguments[1] of `desc`, of which no value is open.
bool ServesOneBuffer(const dnnl::state::primitive_desc& desc);

// The memories for the arguments of `primitive`, at most kMaxArguments, in their order; null where
// absent.
void ListMemories(const dnnl::state::primitive& primitive, const ArgumentMap& args,
                  const dnnl::state::memory** given);

// "backward"; the number where it names none.
std::string NameOfPropKind(dnnl_prop_kind_t kind);

// "reorder", ...
inline const char* NameOf(const dnnl::state::primitive_desc& desc) {
  return spi::SignatureOf(desc.resolved).name;
}

}  // namespace api

#endif  // DNNSPEC_API_MODEL_PRIMITIVE_STATE_H_
