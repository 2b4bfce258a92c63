#include "api/plugin/fuzzed_plugin.h"

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <set>
#include <vector>

namespace fuzzed {
namespace {

using tools::Bytes;

// What was made and not given back, and what answers are drawn from.
enum class Kind { kEngine, kStream, kBuffer, kPlan };
struct Thing {
  Kind kind;
  const void* parent = nullptr;          // its engine
  std::vector<uint8_t> storage;          // of a buffer that was allocated
  void* data = nullptr;                  // of a buffer
  std::multiset<const void*> in_flight;  // of a stream: plans and buffers
};
std::map<const void*, Thing>* g_things = nullptr;
uintptr_t g_last = 0;  // of the names that things were given
Bytes* g_answers = nullptr;

Thing& Alive(const void* thing, Kind kind) {
  const auto at = g_things->find(thing);
  Must(at != g_things->end() && at->second.kind == kind, "what the host passes is alive");
  return at->second;
}

template <class T>
T* Make(Kind kind, const void* parent) {
  auto* const made = reinterpret_cast<T*>(++g_last);
  (*g_things)[made] = {kind, parent, {}, nullptr, {}};
  return made;
}

void Destroy(const void* thing, Kind kind) {
  Alive(thing, kind);
  for (const auto& [other, held] : *g_things) {
    Must(held.parent != thing, "an engine outlives what was made on it");
    Must(held.in_flight.count(thing) == 0, "what is in flight outlives the next stream_wait");
  }
  g_things->erase(thing);
}

dnnspec_status Answer() {
  switch (g_answers->Next() % 16) {
    case 1:
      return DNNSPEC_OUT_OF_MEMORY;
    case 2:
      return DNNSPEC_UNIMPLEMENTED;
    case 3:
      return DNNSPEC_FAILED;
    case 4:
      return static_cast<dnnspec_status>(g_answers->Word());
    default:
      return DNNSPEC_OK;
  }
}

// True: make nothing, and say that it went well.
bool Forgets() { return g_answers->Next() % 16 == 1; }

const char* Text() {
  static const std::string long_text(5000, 'x');
  switch (g_answers->Next() % 8) {
    case 1:
      return nullptr;
    case 2:
      return "";
    case 3:
      return "two\nlines\tand \x1b[31m";
    case 4:
      return long_text.c_str();
    case 5:
      return "\xff\xc3(";
    default:
      return "vendor:copy";
  }
}

size_t Size() {
  switch (g_answers->Next() % 8) {
    case 1:
      return SIZE_MAX;
    case 2:
      return size_t{1} << 63;
    case 3:
      return (size_t{1} << 63) - 1;
    case 4:
      return 1 << 10;
    default:
      return 0;
  }
}

// What a call makes when it answers `status`; garbage beside a failure, which nobody looks at.
template <class T>
dnnspec_status Give(dnnspec_status status, Kind kind, const void* parent, T** out) {
  if (status != DNNSPEC_OK) {
    *out = reinterpret_cast<T*>(UINTPTR_MAX);
  } else {
    *out = Forgets() ? nullptr : Make<T>(kind, parent);
  }
  return status;
}

size_t EngineCount() { return g_answers->Next() % 8 == 1 ? SIZE_MAX : 2; }

dnnspec_status EngineCreate(size_t, dnnspec_engine** engine) {
  return Give(Answer(), Kind::kEngine, nullptr, engine);
}

void EngineDestroy(dnnspec_engine* engine) { Destroy(engine, Kind::kEngine); }

dnnspec_status StreamCreate(dnnspec_engine* engine, uint32_t flags, dnnspec_stream** stream) {
  Alive(engine, Kind::kEngine);
  Must(flags == DNNSPEC_IN_ORDER || flags == DNNSPEC_OUT_OF_ORDER, "a stream has one order");
  return Give(Answer(), Kind::kStream, engine, stream);
}

dnnspec_status StreamWait(dnnspec_stream* stream) {
  Alive(stream, Kind::kStream).in_flight.clear();
  return Answer();
}

void StreamDestroy(dnnspec_stream* stream) {
  Must(Alive(stream, Kind::kStream).in_flight.empty(), "the host waits before stream_destroy");
  Destroy(stream, Kind::kStream);
}

dnnspec_status BufferCreate(dnnspec_engine* engine, int32_t wraps, size_t bytes, void** handle,
                            dnnspec_buffer** buffer) {
  Alive(engine, Kind::kEngine);
  Must(wraps == 0 || wraps == 1, "wraps is 0 or 1");
  Must(wraps == 1 || bytes > 0, "new storage has bytes");
  dnnspec_status status = Answer();
  if (status == DNNSPEC_OK && bytes > 1 << 20) status = DNNSPEC_OUT_OF_MEMORY;
  if (Give(status, Kind::kBuffer, engine, buffer) != DNNSPEC_OK || *buffer == nullptr)
    return status;
  Thing& made = Alive(*buffer, Kind::kBuffer);
  made.data = *handle;
  if (wraps == 0) {
    made.storage.resize(bytes);
    made.data = made.storage.data();
    *handle = made.data;
  }
  if (Forgets()) *handle = nullptr;
  return status;
}

dnnspec_status BufferMap(dnnspec_buffer* buffer, void** mapped) {
  const dnnspec_status status = Answer();
  *mapped = Alive(buffer, Kind::kBuffer).data;
  if (status != DNNSPEC_OK || Forgets()) *mapped = nullptr;
  return status;
}

dnnspec_status BufferUnmap(dnnspec_buffer* buffer, void* mapped) {
  Must(Alive(buffer, Kind::kBuffer).data == mapped, "what was mapped is unmapped");
  return Answer();
}

void BufferDestroy(dnnspec_buffer* buffer) { Destroy(buffer, Kind::kBuffer); }

void MustBeSound(const dnnspec_layout& layout) {
  Must(layout.rank >= 1 && layout.rank <= DNNSPEC_MAX_RANK, "a rank is in [1, 12]");
  Must(layout.block_count >= 0 && layout.block_count <= DNNSPEC_MAX_BLOCKS, "blocks fit");
  for (int j = 0; j < layout.rank; ++j) Must(layout.dims[j] >= 0, "extents are known");
}

void MustBeSound(const dnnspec_operation& operation) {
  Must(operation.bytes == sizeof(operation), "an operation says how long it is");
  Must(operation.tensor_count >= 2, "something is read and something is written");
  for (uint32_t k = 0; k < operation.tensor_count; ++k) {
    Must(operation.tensors[k]->bytes == sizeof(dnnspec_tensor), "so does a tensor");
    MustBeSound(operation.tensors[k]->layout);
  }
  Must((operation.kind == DNNSPEC_SHUFFLE) == (operation.params != nullptr), "shuffle has params");
}

// What a plug-in may leave in a layout that it answers.
void Scribble(const dnnspec_layout& asked, dnnspec_layout* out) {
  const uint8_t how = g_answers->Next() % 8;
  if (how == 0) return;  // none
  *out = asked;
  out->kind = DNNSPEC_LAYOUT_STRIDED;
  int64_t step = 1;
  for (int j = asked.rank - 1; j >= 0; --j) {
    out->strides[j] = step;
    step *= asked.dims[j];
  }
  if (how < 4) return;  // row-major
  const auto number = [] {
    return g_answers->Pick<int64_t>(
        {0, -1, 1, 2, 7, 13, 200, INT32_MAX, INT32_MIN, INT64_MAX, INT64_MIN});
  };
  const auto narrow = [&] { return static_cast<int32_t>(number()); };
  for (int64_t changes = g_answers->Between(1, 4); changes > 0; --changes) {
    const auto at = static_cast<size_t>(g_answers->Next() % DNNSPEC_MAX_RANK);
    switch (g_answers->Next() % 9) {
      case 0:
        out->kind = narrow();
        break;
      case 1:
        out->data_type = narrow();
        break;
      case 2:
        out->rank = narrow();
        break;
      case 3:
        out->block_count = narrow();
        break;
      case 4:
        out->dims[at] = number();
        break;
      case 5:
        out->strides[at] = number();
        break;
      case 6:
        out->offset = number();
        break;
      case 7:
        out->block_count = g_answers->Next() % 4;
        out->blocks[at % DNNSPEC_MAX_BLOCKS] = {narrow() % 4, narrow()};
        break;
      default:
        out->kind = DNNSPEC_LAYOUT_OPAQUE;
        out->opaque_format = narrow();
        out->opaque_bytes = number();
        out->owner = narrow();
    }
  }
}

dnnspec_status Plan(dnnspec_engine* engine, const dnnspec_request* request,
                    dnnspec_planned* planned) {
  Alive(engine, Kind::kEngine);
  Must(request->bytes == sizeof(*request), "a request says how long it is");
  Must(request->candidate >= 0, "candidates count from 0");
  MustBeSound(*request->operation);
  if (request->forward != nullptr) MustBeSound(*request->forward);
  Must(planned->bytes == sizeof(*planned) && planned->plan == nullptr, "an answer is empty");
  uint32_t open = 0;
  for (uint32_t k = 0; k < request->operation->tensor_count; ++k) {
    const dnnspec_layout& layout = request->operation->tensors[k]->layout;
    if (layout.kind != DNNSPEC_LAYOUT_ANY) continue;
    Must(open < planned->chosen_count, "there is room for what is open");
    Scribble(layout, &planned->chosen[open++]);
  }
  Must(open == planned->chosen_count, "and for no more");
  if (g_answers->Next() % 8 == 1)
    Scribble(request->operation->tensors[0]->layout, &planned->workspace);
  const dnnspec_status status = Give(Answer(), Kind::kPlan, engine, &planned->plan);
  planned->text = Text();
  planned->scratchpad_bytes = Size();
  if (g_answers->Next() % 16 == 1) {
    planned->chosen = reinterpret_cast<dnnspec_layout*>(UINTPTR_MAX);
    planned->chosen_count = UINT32_MAX;
  }
  return status;
}

dnnspec_status PlanCreate(dnnspec_engine* engine, const dnnspec_request* request,
                          dnnspec_planned* planned) {
  return Plan(engine, request, planned);
}

dnnspec_status TransferCreate(dnnspec_engine* engine, dnnspec_engine* src, dnnspec_engine* dst,
                              const dnnspec_request* request, dnnspec_planned* planned) {
  Must(engine != nullptr && (engine == src || engine == dst), "one side is where it runs");
  Must(src != dst, "a transfer has two sides");
  for (dnnspec_engine* const side : {src, dst})
    if (side != nullptr) Alive(side, Kind::kEngine);
  Must(request->operation->kind == DNNSPEC_REORDER, "what is transferred is a reorder");
  return Plan(engine, request, planned);
}

dnnspec_status PlanExecute(const dnnspec_plan* plan, dnnspec_stream* stream,
                           const dnnspec_argument* arguments, size_t count) {
  Alive(plan, Kind::kPlan);
  Thing& on = Alive(stream, Kind::kStream);
  Must(count >= 2, "source and destination are there");
  on.in_flight.insert(plan);
  for (size_t i = 0; i < count; ++i) {
    Must((arguments[i].buffer == nullptr) != (arguments[i].host == nullptr), "it is in one place");
    if (arguments[i].buffer == nullptr) continue;
    Must(Alive(arguments[i].buffer, Kind::kBuffer).data != nullptr, "an argument has storage");
    on.in_flight.insert(arguments[i].buffer);
  }
  return Answer();
}

void PlanDestroy(dnnspec_plan* plan) { Destroy(plan, Kind::kPlan); }

const char* LastError() { return Text(); }

}  // namespace

void Must(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "not so: %s\n", what);
  std::abort();
}

bool IsOneLine(const std::string& text) {
  for (const char c : text)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) return false;
  return true;
}

dnnspec_plugin_table TableOf(int32_t kind) {
  return {DNNSPEC_PLUGIN_VERSION,
          sizeof(dnnspec_plugin_table),
          "fuzzed",
          "1.0",
          kind,
          0,
          EngineCount,
          EngineCreate,
          EngineDestroy,
          StreamCreate,
          StreamWait,
          StreamDestroy,
          BufferCreate,
          BufferMap,
          BufferUnmap,
          BufferDestroy,
          PlanCreate,
          TransferCreate,
          PlanExecute,
          PlanDestroy,
          LastError};
}

void Begin(Bytes* answers) {
  static std::map<const void*, Thing> things;
  things.clear();
  g_things = &things;
  g_last = 0;
  g_answers = answers;
}

void End() { Must(g_things->empty(), "everything that was made goes back"); }

}  // namespace fuzzed
