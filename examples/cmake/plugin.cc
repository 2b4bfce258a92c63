// A plug-in that uses the library for something large enough to be shared out among threads.
#include <cstdint>
#include <cstring>
#include <dnnl.hpp>
#include <exception>
#include <vector>

namespace {

using dnnl::memory;

// Transposes a matrix from the host and back on an engine. Returns how many elements are wrong.
int Transpose(dnnl::engine::kind kind, int64_t size) {
  const dnnl::engine host(dnnl::engine::kind::cpu, 0), engine(kind, 0);
  dnnl::stream stream(engine);
  const memory::desc rows({size, size}, memory::data_type::s32, memory::format_tag::ab);
  const memory::desc columns({size, size}, memory::data_type::s32, memory::format_tag::ba);
  std::vector<int32_t> values(size * size), back(size * size);
  for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<int32_t>(i);
  memory src(rows, host, values.data()), there(rows, engine), turned(columns, engine);
  memory dst(columns, host, back.data());
  dnnl::reorder(src, there).execute(stream, src, there);
  dnnl::reorder(there, turned).execute(stream, there, turned);
  dnnl::reorder(turned, dst).execute(stream, turned, dst);
  stream.wait();
  int wrong = 0;
  for (int64_t row = 0; row < size; ++row) {
    for (int64_t column = 0; column < size; ++column) {
      if (back[column * size + row] != values[row * size + column]) ++wrong;
    }
  }
  return wrong;
}

}  // namespace

// Returns how many elements are wrong, -1 for an error.
extern "C" int Work(int use_gpu) {
  try {
    if (use_gpu == 0) return Transpose(dnnl::engine::kind::cpu, 1200);
    if (dnnl::engine::get_count(dnnl::engine::kind::gpu) == 0) return 0;
    return Transpose(dnnl::engine::kind::gpu, 100);
  } catch (const std::exception&) {
    return -1;
  }
}
