// A plug-in's table: one with any fields is refused in one line, or taken; and behind a table that
// is taken, a plug-in that answers anything at any time. Whoever calls dnnl:: sees results or
// dnnl::error, and the plug-in sees the host keep its side of plugin_abi.h: whatever is passed is
// alive, and everything goes back once.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "api/plugin/adapt.h"
#include "api/spi/implementation.h"
#include "api/spi/plugin_abi.h"
#include "oneapi/dnnl/dnnl.hpp"
#include "tools/fuzz/bytes.h"

namespace {

using dnnl::memory;
using tools::Bytes;

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

// The plug-in: what it made and was not given back, what its answers are drawn from.
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
  Must(layout.block_count >= 0 && layout.block_count <= DNNSPEC_MAX_RANK, "blocks fit");
  for (int j = 0; j < layout.rank; ++j)
    Must(layout.dims[j] > 0 && layout.padded_dims[j] >= layout.dims[j], "a plan has elements");
}

dnnspec_status PlanCreate(dnnspec_engine* engine, const dnnspec_operation* operation,
                          int32_t candidate, dnnspec_plan** plan, dnnspec_plan_info* info) {
  Alive(engine, Kind::kEngine);
  Must(candidate >= 0, "candidates count from 0");
  if (operation->kind == DNNSPEC_REORDER) {
    Must(operation->shuffle == nullptr, "an operation is of one kind");
    Must(operation->bytes == sizeof(dnnspec_reorder), "an operation says how long it is");
    MustBeSound(operation->reorder->src);
    MustBeSound(operation->reorder->dst);
  } else {
    Must(operation->kind == DNNSPEC_SHUFFLE, "a kind is one of plugin_abi.h");
    Must(operation->reorder == nullptr, "an operation is of one kind");
    MustBeSound(operation->shuffle->from);
    MustBeSound(operation->shuffle->to);
  }
  const dnnspec_status status = Give(Answer(), Kind::kPlan, engine, plan);
  *info = {Text(), Size()};
  return status;
}

dnnspec_status PlanExecute(const dnnspec_plan* plan, dnnspec_stream* stream,
                           const dnnspec_argument* arguments, size_t count) {
  Alive(plan, Kind::kPlan);
  Thing& on = Alive(stream, Kind::kStream);
  Must(count >= 2, "source and destination are there");
  on.in_flight.insert(plan);
  for (size_t i = 0; i < count; ++i) {
    Must(Alive(arguments[i].buffer, Kind::kBuffer).data != nullptr, "an argument has storage");
    on.in_flight.insert(arguments[i].buffer);
  }
  return Answer();
}

void PlanDestroy(dnnspec_plan* plan) { Destroy(plan, Kind::kPlan); }

const char* LastError() { return Text(); }

dnnspec_plugin_table TableOf(int32_t kind) {
  return {DNNSPEC_PLUGIN_VERSION,
          sizeof(dnnspec_plugin_table),
          "fuzzed",
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
          PlanExecute,
          PlanDestroy,
          LastError,
          sizeof(dnnspec_reorder)};
}

// Any fields; as many are left as they should be as keep refusals and acceptances both frequent.
void LookAtATable(Bytes& bytes) {
  static const std::string long_name(65, 'n');
  dnnspec_plugin_table table = TableOf(DNNSPEC_ENGINE_CPU);
  bool right = true;
  if (bytes.Next() % 8 == 1) table.version = static_cast<uint32_t>(bytes.Word());
  right &= table.version == DNNSPEC_PLUGIN_VERSION;
  if (bytes.Next() % 8 == 1) table.table_bytes = static_cast<uint32_t>(bytes.Word());
  // Without the last field, a table is one of before there were zero points.
  constexpr size_t kEnd = offsetof(dnnspec_plugin_table, reorder_bytes);
  right &= table.table_bytes >= kEnd;
  if (const uint8_t name = bytes.Next() % 16; name < 6) {
    table.name = bytes.Pick<const char*>({nullptr, "", "a\nb", "\xff", long_name.c_str()});
    right = false;
  }
  if (bytes.Next() % 8 == 1) table.engine_kind = static_cast<int32_t>(bytes.Word());
  right &= table.engine_kind == DNNSPEC_ENGINE_CPU || table.engine_kind == DNNSPEC_ENGINE_GPU;
  if (bytes.Next() % 8 == 1) {
    // The entries follow one another up to that field.
    constexpr size_t kFirst = offsetof(dnnspec_plugin_table, engine_count);
    constexpr size_t kEntries = (kEnd - kFirst) / sizeof(void (*)());
    char* const entry =
        reinterpret_cast<char*>(&table) + kFirst + bytes.Next() % kEntries * sizeof(void (*)());
    std::memset(entry, 0, sizeof(void (*)()));
    right = false;
  }
  const std::string problem = spi::TableProblem(table);
  Must(problem.empty() == right, "a table is refused if something is wrong with it");
  Must(IsOneLine(problem) && problem.size() < 400, "a refusal is one line");
}

// True if `call` returns; false if it throws dnnl::error. Anything else ends the process.
template <class Call>
bool Holds(Call call) {
  try {
    call();
    return true;
  } catch (const dnnl::error& e) {
    const std::string what = e.what();
    Must(!what.empty() && IsOneLine(what), "an error says in one line what is wrong");
    return false;
  }
}

memory::desc DescFrom(Bytes& bytes) {
  const memory::dims dims = {bytes.Between(0, 4), bytes.Between(1, 4)};
  const auto type = bytes.Pick<memory::data_type>(
      {memory::data_type::f32, memory::data_type::s8, memory::data_type::bf16});
  return {dims, type, bytes.Flag() ? memory::format_tag::ab : memory::format_tag::ba};
}

memory MemoryFrom(Bytes& bytes, const memory::desc& desc, const dnnl::engine& engine) {
  alignas(64) static uint8_t storage[256];
  if (bytes.Next() % 4 == 1) return memory(desc, engine, storage);
  memory made(desc, engine);
  Must(made.get_data_handle() != nullptr || desc.get_size() == 0 ||
           engine.get_kind() == dnnl::engine::kind::gpu,
       "memory on a CPU has an address");
  return made;
}

void MapAndUnmap(memory& of) {
  auto* const mapped = of.map_data<uint8_t>();
  if (mapped != nullptr && of.get_desc().get_size() > 0) mapped[0] = 1;
  of.unmap_data(mapped);
}

void Run(Bytes& bytes, const dnnl::primitive& primitive, const dnnl::stream& stream, int from_arg,
         const memory& from, int to_arg, const memory& to, const dnnl::primitive_desc_base& desc,
         const dnnl::engine& engine) {
  std::unordered_map<int, memory> arguments = {{from_arg, from}, {to_arg, to}};
  const memory::desc scratchpad = desc.query_md(dnnl::query::scratchpad_md);
  if (scratchpad.get_size() > 0) arguments[DNNL_ARG_SCRATCHPAD] = memory(scratchpad, engine);
  for (int64_t times = bytes.Between(1, 4); times > 0; --times)
    Holds([&] { primitive.execute(stream, arguments); });
}

void Look(Bytes& bytes) {
  const auto kind = bytes.Flag() ? dnnl::engine::kind::cpu : dnnl::engine::kind::gpu;
  const dnnl::engine engine(kind, bytes.Next() % 2);
  dnnl::stream stream(
      engine, bytes.Flag() ? dnnl::stream::flags::in_order : dnnl::stream::flags::out_of_order);
  for (int64_t steps = bytes.Between(1, 6); steps > 0; --steps) {
    Holds([&] {
      const memory::desc desc = DescFrom(bytes);
      memory from = MemoryFrom(bytes, desc, engine);
      dnnl::primitive_attr attr;
      if (bytes.Flag()) attr.set_scratchpad_mode(dnnl::scratchpad_mode::user);
      Holds([&] { MapAndUnmap(from); });
      if (bytes.Flag()) {
        const memory::desc other(desc.dims(), memory::data_type::f32, memory::format_tag::ab);
        memory to = MemoryFrom(bytes, other, engine);
        dnnl::reorder::primitive_desc pd(engine, desc, engine, other, attr);
        Must(IsOneLine(pd.impl_info_str()), "a plan describes itself in one line");
        const dnnl::reorder primitive(pd);
        Run(bytes, primitive, stream, DNNL_ARG_FROM, from, DNNL_ARG_TO, to, pd, engine);
        if (bytes.Flag()) stream.wait();
        Holds([&] { MapAndUnmap(to); });
      } else {
        memory to = MemoryFrom(bytes, desc, engine);
        dnnl::shuffle_forward::primitive_desc pd({dnnl::prop_kind::forward_training, desc, 1, 1},
                                                 engine, attr);
        while (bytes.Flag() && pd.next_impl()) {
        }
        Must(IsOneLine(pd.impl_info_str()), "a plan describes itself in one line");
        const dnnl::shuffle_forward primitive(pd);
        Run(bytes, primitive, stream, DNNL_ARG_SRC, from, DNNL_ARG_DST, to, pd, engine);
      }
    });
  }
}

}  // namespace

namespace spi {

// In the place of implementation_table.
const std::vector<Implementation*>& Implementations() {
  static const dnnspec_plugin_table cpu = TableOf(DNNSPEC_ENGINE_CPU);
  static const dnnspec_plugin_table gpu = TableOf(DNNSPEC_ENGINE_GPU);
  static const auto* const both =
      new std::vector<Implementation*>{Adapt(cpu).release(), Adapt(gpu).release()};
  return *both;
}

}  // namespace spi

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Bytes bytes(data, size);
  std::map<const void*, Thing> things;
  g_things = &things;
  g_last = 0;
  g_answers = &bytes;
  LookAtATable(bytes);
  Holds([&] { Look(bytes); });
  Must(things.empty(), "everything that was made goes back");
  return 0;
}
