#include "api/plugin/adapt.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "api/model/argument_names.h"
#include "api/plugin/translate.h"
#include "api/spi/signatures.h"
#include "api/spi/types.h"

namespace spi {
namespace {

using Table = dnnspec_plugin_table;

// Tables of this version are at least as long.
constexpr size_t kLeastTableBytes = offsetof(Table, last_error) + sizeof(Table::last_error);

// Executions in flight before Execute forces a Wait().
constexpr size_t kInFlight = 256;

constexpr size_t kLongestName = 64, kLongestVersion = 64;
constexpr char kOfVersions[] =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.+~_-";

absl::Status Answer(const Table& table, dnnspec_status status) {
  if (status == DNNSPEC_OK) return absl::OkStatus();
  return FromC(status, table.last_error());
}

// A status of anything but plan_create and transfer_create: to refuse is no answer there.
absl::Status Failure(const Table& table, dnnspec_status status, const char* call) {
  const absl::Status answer = Answer(table, status);
  if (answer.code() != absl::StatusCode::kUnimplemented) return answer;
  return absl::InternalError(std::string(call) +
                             " answered unimplemented: " + std::string(answer.message()));
}

// What a call that went well left behind is there.
absl::Status Made(const void* made, const char* call, const char* what) {
  if (made != nullptr) return absl::OkStatus();
  return absl::InternalError(std::string(call) + " answered OK and gave no " + what);
}

// What a _create function made, with the _destroy function that takes it back: owned from the
// moment that it is there, since all that follows may run out of memory.
template <class T>
using Owned = std::unique_ptr<T, void (*)(T*)>;

// Owned by everything that was made from it too.
struct PluginDevice {
  PluginDevice(const Table& a_table, Owned<dnnspec_engine> an_engine)
      : table(a_table), engine(std::move(an_engine)) {}

  const Table& table;
  const Owned<dnnspec_engine> engine;
};
using Device = std::shared_ptr<const PluginDevice>;

class PluginBuffer final : public Buffer {
 public:
  PluginBuffer(Device device, void* handle, Owned<dnnspec_buffer> buffer)
      : Buffer(handle, PlaceOf(device->table, handle, buffer.get())),
        device_(std::move(device)),
        buffer_(std::move(buffer)) {}

  absl::StatusOr<void*> Map() override {
    void* mapped = nullptr;
    absl::Status status =
        Failure(device_->table, device_->table.buffer_map(get(), &mapped), "buffer_map");
    if (status.ok()) status = Made(mapped, "buffer_map", "address");
    if (!status.ok()) return status;
    return mapped;
  }

  absl::Status Unmap(void* mapped) override {
    return Failure(device_->table, device_->table.buffer_unmap(get(), mapped), "buffer_unmap");
  }

  dnnspec_buffer* get() const { return buffer_.get(); }

 private:
  // A handle on a GPU names storage as a whole; without one, nothing else is in it.
  static Place PlaceOf(const Table& table, const void* handle, const void* buffer) {
    if (table.engine_kind == DNNSPEC_ENGINE_CPU)
      return {nullptr, reinterpret_cast<uintptr_t>(handle)};
    return {handle != nullptr ? handle : buffer, 0};
  }

  const Device device_;
  const Owned<dnnspec_buffer> buffer_;
};

class PluginStream final : public Stream {
 public:
  PluginStream(Device device, Owned<dnnspec_stream> stream)
      : device_(std::move(device)), stream_(std::move(stream)) {}

  absl::Status Wait() override {
    const absl::Status status =
        Failure(device_->table, device_->table.stream_wait(get()), "stream_wait");
    in_flight_.clear();
    return status;
  }

  // Keeps the plan and the buffers of an execution until the next wait.
  absl::Status Keep(std::shared_ptr<const Plan> plan, Buffers buffers) {
    if (in_flight_.size() >= kInFlight) {
      if (absl::Status status = Wait(); !status.ok()) return status;
    }
    Work work{std::move(plan), {}};
    for (Buffer* const buffer : buffers) work.buffers.push_back(buffer->shared_from_this());
    in_flight_.push_back(std::move(work));
    return absl::OkStatus();
  }

  dnnspec_stream* get() const { return stream_.get(); }

 private:
  struct Work {
    std::shared_ptr<const Plan> plan;
    absl::InlinedVector<std::shared_ptr<Buffer>, 4> buffers;
  };

  const Device device_;
  std::vector<Work> in_flight_;  // outlives the stream
  const Owned<dnnspec_stream> stream_;
};

class PluginPlan final : public Plan {
 public:
  // Its buffers are those of `arguments`, in their order; that of `on_host` is in host memory.
  PluginPlan(Device device, Owned<dnnspec_plan> plan, const char* text,
             absl::InlinedVector<int, 6> arguments, int on_host)
      : device_(std::move(device)),
        plan_(std::move(plan)),
        text_(text),
        arguments_(std::move(arguments)),
        on_host_(on_host) {}

  std::string Describe() const override {
    return text_ == nullptr ? device_->table.name : OneLine(text_);
  }

  absl::Status Execute(Stream& stream, Buffers buffers) const override {
    absl::InlinedVector<dnnspec_argument, 6> c;
    for (Buffer* const buffer : buffers) {
      const int argument = arguments_[c.size()];
      if (argument == on_host_)
        c.push_back({argument, 0, nullptr, buffer->handle()});
      else
        c.push_back({argument, 0, static_cast<PluginBuffer*>(buffer)->get(), nullptr});
    }
    auto& own = static_cast<PluginStream&>(stream);
    absl::Status kept = own.Keep(shared_from_this(), buffers);
    if (!kept.ok()) return kept;
    return Failure(device_->table,
                   device_->table.plan_execute(plan_.get(), own.get(), c.data(), c.size()),
                   "plan_execute");
  }

 private:
  const Device device_;
  const Owned<dnnspec_plan> plan_;
  const char* const text_;
  const absl::InlinedVector<int, 6> arguments_;
  const int on_host_;  // 0: none
};

template <typename... Args>
absl::Status Wrong(const Operation& operation, int argument, const Args&... args) {
  return absl::InternalError(absl::StrCat(
      SignatureOf(operation).name, ": the implementation's answer: ", api::NameOfArgument(argument),
      ": ", args...));
}

// The layout of an answer, which api judges further.
absl::StatusOr<Layout> Answered(const Operation& operation, int argument,
                                const dnnspec_layout& answer) {
  const std::optional<Layout> layout = FromC(answer);
  if (!layout.has_value()) return Wrong(operation, argument, "a ", ToString(answer), " is none");
  return *layout;
}

// What a plug-in is asked, with room for what it answers.
class Question {
 public:
  explicit Question(const Request& request) : operation_(request.operation) {
    if (request.forward != nullptr) forward_.emplace(*request.forward);
    request_ = {sizeof(request_), request.candidate, operation_.get(),
                forward_.has_value() ? forward_->get() : nullptr};
    for (const TensorArg& tensor : request.operation.tensors)
      if (tensor.layout.kind == LayoutKind::kAny) chosen_.emplace_back();
    planned.bytes = sizeof(planned);
    planned.chosen = chosen_.data();
    planned.chosen_count = static_cast<uint32_t>(chosen_.size());
  }

  const dnnspec_request* get() const { return &request_; }

  // All but the plan.
  absl::StatusOr<Planned> Answer(const Operation& operation) const {
    Planned answer;
    for (const TensorArg& tensor : operation.tensors) {
      if (tensor.layout.kind != LayoutKind::kAny) continue;
      const dnnspec_layout& c = chosen_[answer.chosen.size()];
      if (c.kind == DNNSPEC_LAYOUT_NONE)
        return Wrong(operation, tensor.argument, "no layout for ", ToString(tensor.layout));
      absl::StatusOr<Layout> layout = Answered(operation, tensor.argument, c);
      if (!layout.ok()) return layout.status();
      answer.chosen.push_back(*layout);
    }
    if (planned.workspace.kind != DNNSPEC_LAYOUT_NONE) {
      absl::StatusOr<Layout> layout = Answered(operation, kArgWorkspace, planned.workspace);
      if (!layout.ok()) return layout.status();
      answer.workspace = std::make_shared<const Layout>(*layout);
    }
    answer.scratchpad_bytes = planned.scratchpad_bytes;
    return answer;
  }

  dnnspec_planned planned = {};

 private:
  const COperation operation_;
  std::optional<COperation> forward_;
  dnnspec_request request_ = {};
  absl::InlinedVector<dnnspec_layout, 1> chosen_;
};

class PluginEngine final : public Engine {
 public:
  explicit PluginEngine(Device device) : device_(std::move(device)) {}

  absl::StatusOr<std::unique_ptr<Stream>> MakeStream(unsigned flags) override {
    dnnspec_stream* stream = nullptr;
    absl::Status status =
        Failure(table(), table().stream_create(engine(), flags, &stream), "stream_create");
    if (status.ok()) status = Made(stream, "stream_create", "stream");
    if (!status.ok()) return status;
    Owned<dnnspec_stream> owned(stream, table().stream_destroy);
    return std::unique_ptr<Stream>(std::make_unique<PluginStream>(device_, std::move(owned)));
  }

  absl::StatusOr<std::shared_ptr<Buffer>> Allocate(size_t bytes) override {
    return MakeBuffer(false, bytes, nullptr);
  }

  absl::StatusOr<std::shared_ptr<Buffer>> Wrap(void* handle, size_t bytes) override {
    return MakeBuffer(true, bytes, handle);
  }

  absl::StatusOr<Planned> MakePlan(const Request& request) override {
    Question question(request);
    return Take("plan_create", table().plan_create(engine(), question.get(), &question.planned),
                request, question, 0);
  }

  absl::StatusOr<Planned> MakeTransferPlan(const Request& request, Engine& src,
                                           Engine& dst) override {
    if (table().transfer_create == nullptr) return Engine::MakeTransferPlan(request, src, dst);
    dnnspec_engine *const from = OwnOf(src), *const to = OwnOf(dst);
    Question question(request);
    return Take("transfer_create",
                table().transfer_create(engine(), from, to, question.get(), &question.planned),
                request, question,
                from == nullptr ? kArgSrc
                : to == nullptr ? kArgDst
                                : 0);
  }

 private:
  const Table& table() const { return device_->table; }
  dnnspec_engine* engine() const { return device_->engine.get(); }

  // Null: an engine of another implementation, whose memory is the host's.
  dnnspec_engine* OwnOf(Engine& other) const {
    auto* const own = dynamic_cast<PluginEngine*>(&other);
    return own != nullptr && &own->table() == &table() ? own->engine() : nullptr;
  }

  // What became of a question. Whatever the answer says, a plan that is there goes back once.
  absl::StatusOr<Planned> Take(const char* call, dnnspec_status said, const Request& request,
                               const Question& question, int on_host) {
    absl::Status status = Answer(table(), said);
    if (status.ok()) status = Made(question.planned.plan, call, "plan");
    if (!status.ok()) return status;
    Owned<dnnspec_plan> owned(question.planned.plan, table().plan_destroy);
    absl::StatusOr<Planned> planned = question.Answer(request.operation);
    if (!planned.ok()) return planned;
    absl::InlinedVector<int, 6> arguments;
    for (const TensorArg& tensor : request.operation.tensors) arguments.push_back(tensor.argument);
    if (planned->workspace != nullptr) arguments.push_back(kArgWorkspace);
    arguments.push_back(kArgScratchpad);  // if there is one
    planned->plan = std::make_shared<const PluginPlan>(
        device_, std::move(owned), question.planned.text, std::move(arguments), on_host);
    return planned;
  }

  absl::StatusOr<std::shared_ptr<Buffer>> MakeBuffer(bool wraps, size_t bytes, void* handle) {
    dnnspec_buffer* buffer = nullptr;
    void* given = handle;
    absl::Status status =
        Failure(table(), table().buffer_create(engine(), wraps ? 1 : 0, bytes, &given, &buffer),
                "buffer_create");
    if (status.ok()) status = Made(buffer, "buffer_create", "buffer");
    if (!status.ok()) return status;
    Owned<dnnspec_buffer> owned(buffer, table().buffer_destroy);
    if (!wraps && table().engine_kind == DNNSPEC_ENGINE_CPU) {
      status = Made(given, "buffer_create", "address");
      if (!status.ok()) return status;
    }
    // A view keeps the address that it was made for, whatever the plug-in left there.
    return std::make_shared<PluginBuffer>(device_, wraps ? handle : given, std::move(owned));
  }

  const Device device_;
};

class PluginImplementation final : public Implementation {
 public:
  explicit PluginImplementation(const Table& table) : table_(table) {}

  const char* name() const override { return table_.name; }
  const char* version() const override { return table_.library_version; }
  EngineKind kind() const override { return static_cast<EngineKind>(table_.engine_kind); }
  size_t EngineCount() override { return table_.engine_count(); }

  absl::StatusOr<std::shared_ptr<Engine>> MakeEngine(size_t index) override {
    dnnspec_engine* engine = nullptr;
    absl::Status status = Failure(table_, table_.engine_create(index, &engine), "engine_create");
    if (status.ok()) status = Made(engine, "engine_create", "engine");
    if (!status.ok()) return status;
    Owned<dnnspec_engine> owned(engine, table_.engine_destroy);
    auto device = std::make_shared<const PluginDevice>(table_, std::move(owned));
    return std::shared_ptr<Engine>(std::make_shared<PluginEngine>(std::move(device)));
  }

 private:
  const Table& table_;
};

}  // namespace

std::string TableProblem(const dnnspec_plugin_table& table) {
  if (table.version != DNNSPEC_PLUGIN_VERSION)
    return "its ABI version is " + std::to_string(table.version) + ", and this program's is " +
           std::to_string(DNNSPEC_PLUGIN_VERSION);
  if (table.bytes < kLeastTableBytes)
    return "its table has " + std::to_string(table.bytes) + " bytes, and version " +
           std::to_string(DNNSPEC_PLUGIN_VERSION) + " has " + std::to_string(kLeastTableBytes);
  std::string missing;
  const auto need = [&missing](bool set, const char* entry) {
    if (!set) missing += (missing.empty() ? "" : ", ") + std::string(entry);
  };
  need(table.name != nullptr && *table.name != '\0', "name");
  need(table.engine_count != nullptr, "engine_count");
  need(table.engine_create != nullptr, "engine_create");
  need(table.engine_destroy != nullptr, "engine_destroy");
  need(table.stream_create != nullptr, "stream_create");
  need(table.stream_wait != nullptr, "stream_wait");
  need(table.stream_destroy != nullptr, "stream_destroy");
  need(table.buffer_create != nullptr, "buffer_create");
  need(table.buffer_map != nullptr, "buffer_map");
  need(table.buffer_unmap != nullptr, "buffer_unmap");
  need(table.buffer_destroy != nullptr, "buffer_destroy");
  need(table.plan_create != nullptr, "plan_create");
  need(table.plan_execute != nullptr, "plan_execute");
  need(table.plan_destroy != nullptr, "plan_destroy");
  need(table.last_error != nullptr, "last_error");
  if (!missing.empty()) return "its table lacks " + missing;
  // Reports, messages and names of files are made of it.
  if (const size_t length = strnlen(table.name, kLongestName + 1); length > kLongestName)
    return "its name is longer than " + std::to_string(kLongestName) + " characters";
  for (const char* c = table.name; *c != '\0'; ++c)
    if (*c < 0x21 || *c > 0x7e)
      return "its name has a character that is not printable ASCII, or a space";
  if (const char* const version = table.library_version; version != nullptr) {
    const size_t length = strnlen(version, kLongestVersion + 1);
    if (length == 0 || length > kLongestVersion || std::strspn(version, kOfVersions) != length)
      return "its library_version is not 1 to " + std::to_string(kLongestVersion) +
             " letters, digits and .+~_-";
  }
  if (table.engine_kind != DNNSPEC_ENGINE_CPU && table.engine_kind != DNNSPEC_ENGINE_GPU)
    return "its engine_kind is " + std::to_string(table.engine_kind) +
           ", neither 1 (CPU) nor 2 (GPU)";
  return "";
}

std::unique_ptr<Implementation> Adapt(const dnnspec_plugin_table& table) {
  return std::make_unique<PluginImplementation>(table);
}

}  // namespace spi
