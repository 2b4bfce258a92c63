// Declares what an implementation provides: five small classes, seventeen functions.
//
//   dnnl:: call -> api builds an Operation and checks it -> Engine::MakePlan(request) -> Planned
//               -> api checks the answer and takes it over -> Plan::Execute(stream, buffers)
//
// An implementation never validates: an Operation that reaches MakePlan is legal, and Execute gets
// the buffers of all its tensors. Nor does it build operations: it answers what a request left
// open, and so cannot change the rest. It answers with a status:
//   kUnimplemented      a legal request that this implementation does not serve (MakePlan only)
//   kInvalidArgument    what cannot be taken over: another library's object, or a setting of the
//                       environment that has no meaning (WrapEngine, Wrap and the like, MakeEngine)
//   kResourceExhausted  no memory of the host or the device
//   kInternal           a device failed; the message says which call
// and never throws. api turns these into dnnl::error. Whatever fails leaves everything as it was.
//
// Threads: Implementation, Engine and Plan are immutable once made and are used from several
// threads at once. A Stream is used by one thread at a time, and so is a Buffer's Map / Unmap.
#ifndef DNNSPEC_API_SPI_IMPLEMENTATION_H_
#define DNNSPEC_API_SPI_IMPLEMENTATION_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "api/spi/operation.h"
#include "api/spi/types.h"

namespace spi {

// Where storage begins: a byte of a space of addresses. Bytes of two buffers of one engine are the
// same where the spaces are equal and the bytes too.
struct Place {
  const void* space;  // null: addresses of the host
  uintptr_t byte;
};

// Storage on one engine. Made by Engine::Allocate (owned) or Engine::Wrap (the caller's).
//
// Work in flight that uses a buffer keeps it alive by shared_from_this().
class Buffer : public std::enable_shared_from_this<Buffer> {
 public:
  virtual ~Buffer() = default;

  // What dnnl::memory::get_data_handle returns: the address of the data on a CPU engine.
  void* handle() const { return handle_; }

  const Place& place() const { return place_; }

  // A host address through which the whole contents are readable and writable until Unmap. All
  // work that was submitted before is finished when it returns.
  virtual absl::StatusOr<void*> Map() = 0;

  // Makes what was written through `mapped`, which came from Map, visible to later executions.
  virtual absl::Status Unmap(void* mapped) = 0;

 protected:
  // The handle is the address of the data.
  explicit Buffer(void* handle)
      : handle_(handle), place_{nullptr, reinterpret_cast<uintptr_t>(handle)} {}
  // The handle only names it: `place` tells what two handles share.
  Buffer(void* handle, const Place& place) : handle_(handle), place_(place) {}

 private:
  void* const handle_;
  const Place place_;
};

// An order of execution on one engine. api waits before it destroys one, and keeps the engine until
// then: no work outlives its stream.
class Stream {
 public:
  virtual ~Stream() = default;

  // Returns when everything submitted to this stream has finished, with its first failure.
  virtual absl::Status Wait() = 0;
};

// The tensors of an execution, in the order of the resolved operation's. None is null, all outlive
// the call, and one may have a null handle only if its tensor is empty.
using Buffers = absl::Span<Buffer* const>;

// Every decision about one operation, made before any data exists. Holds no pointer to data.
//
// The primitive, and with it the last use of its plan by api, may be gone while work of Execute is
// still in flight: work that needs the plan keeps it alive by shared_from_this().
class Plan : public std::enable_shared_from_this<Plan> {
 public:
  virtual ~Plan() = default;

  // One line that names the implementation and its decisions, for impl_info_str and the verbose
  // switch: "cpu:copy f32 12x64". Built on demand: creating a plan formats nothing.
  virtual std::string Describe() const = 0;

  // Runs, or submits to `stream`. Writes the elements of the destination layout, zeros to the
  // padding of its blocks (OPT-045), and no other byte. May be called from several threads at once.
  //
  // A buffer holds all that its argument's layout addresses, and may hold more: the layouts of the
  // operation say what is the tensor's. What is written shares no byte with the other arguments,
  // but for one case: where each element of the destination comes from one element of the source
  // alone, it may lie on exactly that element's bytes (PRIM-050).
  //
  // Executions on one stream may be given the same scratchpad: work that is submitted later writes
  // it once earlier work is done with it, on a stream out of order too.
  virtual absl::Status Execute(Stream& stream, Buffers buffers) const = 0;
};

// What MakePlan is asked.
struct Request {
  const Operation& operation;  // layouts may be kAny; no value is kRunTimeValue
  // For a backward operation, the forward one that it belongs to, resolved. If that one has a
  // workspace, it is a tensor of `operation`. Null where backward needs nothing of it: shuffle's.
  const Operation* forward = nullptr;
  int candidate = 0;  // 0 is the best; kUnimplemented when there are not that many
};

// What MakePlan answers. Where nothing was open and nothing more is wanted, that is the plan alone.
struct Planned {
  std::shared_ptr<const Plan> plan;
  // A layout for each kAny of the request, in their order, of its type and dims. A function of the
  // request alone: the same on every machine, with every number of threads, each time.
  std::vector<Layout> chosen;
  // What a forward training hands to its backward: kArgWorkspace, then a tensor of the operation.
  std::shared_ptr<const Layout> workspace;  // null: there is none
  // Temporary storage for the time of an execution: kArgScratchpad, the last tensor.
  size_t scratchpad_bytes = 0;
};

// One computational device.
class Engine {
 public:
  virtual ~Engine() = default;

  // `flags` is one of StreamFlags: in order, where the caller gave both.
  virtual absl::StatusOr<std::unique_ptr<Stream>> MakeStream(unsigned flags) = 0;

  // Storage of `bytes` > 0 bytes, aligned for every type. Contents are unspecified.
  virtual absl::StatusOr<std::shared_ptr<Buffer>> Allocate(size_t bytes) = 0;

  // A view of the caller's storage; `handle` may be null. Reads and writes nothing.
  // kInvalidArgument for what is known to be no storage of this engine; a CPU engine cannot know.
  virtual absl::StatusOr<std::shared_ptr<Buffer>> Wrap(void* handle, size_t bytes) = 0;

  // The plan for an operation all of whose tensors live on this engine.
  virtual absl::StatusOr<Planned> MakePlan(const Request& request) = 0;

  // The same for a reorder between two engines, one of which is this one. `src` and `dst` are the
  // engines of the two sides; the other is of the same implementation too, or a CPU engine, whose
  // handles are addresses of the host. All tensors but src and dst live on this one, whose streams
  // the plan gets. Unimplemented by default: api then goes through host memory.
  virtual absl::StatusOr<Planned> MakeTransferPlan(const Request& request, Engine& src,
                                                   Engine& dst);

  // Whether api may keep plans, and this engine with them, as long as the process lasts, and give
  // them to later requests that are equal: they hold no storage or other means of a device, and
  // nobody waits for the engine to end.
  virtual bool PlansMayBeKept() const { return false; }
};

// A set of engines of one kind.
class Implementation {
 public:
  virtual ~Implementation() = default;

  // Short and stable: "cpu", "vulkan".
  virtual const char* name() const = 0;

  // Of the library behind it, as it is released: "2.6.3"; null where there is none to tell.
  virtual const char* version() const { return nullptr; }

  virtual EngineKind kind() const = 0;

  // The instruction set that kernels on the CPU use, under whatever limit there is.
  virtual CpuIsa isa() const { return CpuIsa::kAll; }

  // How many engines there are. Asked often: cheap after the first time, and the answer is stable.
  // Never fails: where a driver or a device is missing it is 0.
  virtual size_t EngineCount() = 0;

  // The engine at `index` < EngineCount(). Two calls with one index denote one device.
  virtual absl::StatusOr<std::shared_ptr<Engine>> MakeEngine(size_t index) = 0;
};

// The implementations that are linked, in order, unless RunOn was called. Defined by the target
// behind //:implementation; see implementation_table in defs.bzl.
const std::vector<Implementation*>& Implementations();

// Makes Implementations() what `implementation` gives, alone; it is called once, when they are
// first asked for. For a program that learns at run time what it runs on, before it uses dnnl::.
void RunOn(Implementation& (*implementation)());

// For implementation_table: what RunOn was given, or null.
using ImplementationGetter = Implementation& (*)();
ImplementationGetter ChosenAtRunTime();

}  // namespace spi

#endif  // DNNSPEC_API_SPI_IMPLEMENTATION_H_
