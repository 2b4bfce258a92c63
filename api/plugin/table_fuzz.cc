// A plug-in's table: one with any fields is refused in one line, or taken; and behind a table that
// is taken, a plug-in that answers anything at any time. Whoever calls dnnl:: sees results or
// dnnl::error, and the plug-in sees the host keep its side of plugin_abi.h: whatever is passed is
// alive, and everything goes back once.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <unordered_map>
#include <vector>

#include "absl/status/status.h"
#include "api/model/resolve.h"
#include "api/plugin/adapt.h"
#include "api/plugin/fuzzed_plugin.h"
#include "api/shuffle/operation.h"
#include "api/spi/implementation.h"
#include "api/spi/plugin_abi.h"
#include "oneapi/dnnl/dnnl.hpp"
#include "tools/fuzz/bytes.h"

namespace {

using dnnl::memory;
using fuzzed::IsOneLine;
using fuzzed::Must;
using fuzzed::TableOf;
using tools::Bytes;

// Any fields; as many are left as they should be as keep refusals and acceptances both frequent.
void LookAtATable(Bytes& bytes) {
  static const std::string long_name(65, 'n');
  dnnspec_plugin_table table = TableOf(DNNSPEC_ENGINE_CPU);
  bool right = true;
  if (bytes.Next() % 8 == 1) table.version = static_cast<uint32_t>(bytes.Word());
  right &= table.version == DNNSPEC_PLUGIN_VERSION;
  if (bytes.Next() % 8 == 1) table.bytes = static_cast<uint32_t>(bytes.Word());
  right &= table.bytes >= sizeof(table);
  if (const uint8_t name = bytes.Next() % 16; name < 6) {
    table.name = bytes.Pick<const char*>({nullptr, "", "a\nb", "\xff", long_name.c_str()});
    right = false;
  }
  if (const uint8_t version = bytes.Next() % 16; version < 6) {
    table.library_version =
        bytes.Pick<const char*>({nullptr, "", "1 2", "\n", "\xff", long_name.c_str()});
    right &= table.library_version == nullptr;
  }
  if (bytes.Next() % 8 == 1) table.engine_kind = static_cast<int32_t>(bytes.Word());
  right &= table.engine_kind == DNNSPEC_ENGINE_CPU || table.engine_kind == DNNSPEC_ENGINE_GPU;
  if (bytes.Next() % 8 == 1) {
    // The entries follow one another.
    constexpr size_t kFirst = offsetof(dnnspec_plugin_table, engine_count);
    constexpr size_t kEntries = (sizeof(table) - kFirst) / sizeof(void (*)());
    char* const entry =
        reinterpret_cast<char*>(&table) + kFirst + bytes.Next() % kEntries * sizeof(void (*)());
    std::memset(entry, 0, sizeof(void (*)()));
    right &= table.transfer_create == nullptr;
  }
  const std::string problem = spi::TableProblem(table);
  Must(problem.empty() == right, "a table is refused if something is wrong with it");
  Must(IsOneLine(problem) && problem.size() < 400, "a refusal is one line");
}

// A request that leaves layouts open, as primitives with `any` have, and what api makes of the
// answer: layouts that can be computed with, or one line.
void LookAtAnswers(Bytes& bytes) {
  static const dnnspec_plugin_table table = TableOf(DNNSPEC_ENGINE_CPU);
  const auto implementation = spi::Adapt(table);
  const auto engine = implementation->MakeEngine(0);
  if (!engine.ok()) return;
  const spi::Layout open = spi::Any(spi::DataType::kF32, {bytes.Between(0, 3), 20, 3});
  spi::Operation operation = spi::MakeShuffle(
      bytes.Flag() ? spi::PropKind::kForwardTraining : spi::PropKind::kForwardInference, open,
      bytes.Flag() ? open : spi::Strided(open.type, {open.dims.data(), 3}), {1, 4});
  const spi::Operation forward = operation;
  const auto planned = (*engine)->MakePlan({operation, bytes.Flag() ? &forward : nullptr, 0});
  const absl::Status status =
      planned.ok() ? api::Resolve(*planned, 1, &operation) : planned.status();
  Must(IsOneLine(std::string(status.message())), "a refusal is one line");
  if (!status.ok()) return;
  for (const spi::TensorArg& tensor : operation.tensors) {
    int64_t size = 0;
    Must(tensor.layout.kind == spi::LayoutKind::kStrided ||
             tensor.layout.kind == spi::LayoutKind::kOpaque,
         "nothing is left open");
    Must(spi::SizeInBytes(tensor.layout, &size) && size >= 0, "what is chosen has a size");
  }
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

// Within one engine, or to another one.
void LookAtReorder(Bytes& bytes, const dnnl::engine& engine, dnnl::stream& stream,
                   const memory::desc& desc, const memory& from, const dnnl::primitive_attr& attr) {
  const memory::desc other(desc.dims(), memory::data_type::f32, memory::format_tag::ab);
  const dnnl::engine there =
      bytes.Flag() ? engine
                   : dnnl::engine(bytes.Flag() ? dnnl::engine::kind::cpu : dnnl::engine::kind::gpu,
                                  bytes.Next() % 2);
  memory to = MemoryFrom(bytes, other, there);
  dnnl::reorder::primitive_desc pd(engine, desc, there, other, attr);
  Must(IsOneLine(pd.impl_info_str()), "a plan describes itself in one line");
  const dnnl::reorder primitive(pd);
  Run(bytes, primitive, stream, DNNL_ARG_FROM, from, DNNL_ARG_TO, to, pd, pd.get_engine());
  if (bytes.Flag()) stream.wait();
  Holds([&] { MapAndUnmap(to); });
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
        LookAtReorder(bytes, engine, stream, desc, from, attr);
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
  static const dnnspec_plugin_table cpu = fuzzed::TableOf(DNNSPEC_ENGINE_CPU);
  static const dnnspec_plugin_table gpu = fuzzed::TableOf(DNNSPEC_ENGINE_GPU);
  static const auto* const both =
      new std::vector<Implementation*>{Adapt(cpu).release(), Adapt(gpu).release()};
  return *both;
}

}  // namespace spi

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Bytes bytes(data, size);
  fuzzed::Begin(&bytes);
  LookAtATable(bytes);
  LookAtAnswers(bytes);
  Holds([&] { Look(bytes); });
  fuzzed::End();
  return 0;
}
