// In the style of oneDNN's own examples: an engine by word, and helpers that ask DNNL_CPU_RUNTIME
// and DNNL_GPU_RUNTIME how a buffer is reached. With DNNL_GPU_RUNTIME NONE they know no way to a
// GPU's; map_data is that way, and these helpers take it.
#include <cstring>
#include <iostream>
#include <numeric>

#include "api/consumers/check.h"
#include "oneapi/dnnl/dnnl.hpp"
#include "oneapi/dnnl/dnnl_debug.h"

namespace {

dnnl::engine::kind parse_engine_kind(const std::string& word) {
  if (word == "cpu") return dnnl::engine::kind::cpu;
  if (word == "gpu" && dnnl::engine::get_count(dnnl::engine::kind::gpu) > 0)
    return dnnl::engine::kind::gpu;
  return dnnl::engine::kind::any;
}

inline dnnl::memory::dim product(const dnnl::memory::dims& dims) {
  return std::accumulate(dims.begin(), dims.end(), dnnl::memory::dim{1},
                         std::multiplies<dnnl::memory::dim>());
}

bool has_address(const dnnl::engine& engine) {
#if DNNL_CPU_RUNTIME == DNNL_RUNTIME_SYCL || DNNL_GPU_RUNTIME == DNNL_RUNTIME_SYCL || \
    DNNL_GPU_RUNTIME == DNNL_RUNTIME_OCL
  (void)engine;
  return false;
#else
  return engine.get_kind() == dnnl::engine::kind::cpu;
#endif
}

void write_to_dnnl_memory(const void* handle, dnnl::memory& mem) {
  const size_t size = mem.get_desc().get_size();
  if (has_address(mem.get_engine())) {
    std::memcpy(mem.get_data_handle(), handle, size);
    return;
  }
  void* const mapped = mem.map_data();
  CHECK(mapped != nullptr);
  std::memcpy(mapped, handle, size);
  mem.unmap_data(mapped);
}

void read_from_dnnl_memory(void* handle, const dnnl::memory& mem) {
  const size_t size = mem.get_desc().get_size();
  if (has_address(mem.get_engine())) {
    std::memcpy(handle, mem.get_data_handle(), size);
    return;
  }
  void* const mapped = mem.map_data();
  CHECK(mapped != nullptr);
  std::memcpy(handle, mapped, size);
  mem.unmap_data(mapped);
}

void tutorial(dnnl::engine::kind kind) {
  const dnnl::engine engine(kind, 0);
  dnnl::stream stream(engine);
  const dnnl::memory::dims dims = {2, 3, 4, 5};
  std::vector<float> image(product(dims)), result(image.size());
  std::iota(image.begin(), image.end(), 0.f);
  const auto nchw =
      dnnl::memory::desc(dims, dnnl::memory::data_type::f32, dnnl::memory::format_tag::nchw);
  const auto nhwc =
      dnnl::memory::desc(dims, dnnl::memory::data_type::f32, dnnl::memory::format_tag::nhwc);
  auto src = dnnl::memory(nchw, engine), dst = dnnl::memory(nhwc, engine);
  write_to_dnnl_memory(image.data(), src);

  const auto pd = dnnl::reorder::primitive_desc(engine, nchw, engine, nhwc);
  const auto reorder = dnnl::reorder(pd);
  reorder.execute(stream, {{DNNL_ARG_FROM, src}, {DNNL_ARG_TO, dst}});
  stream.wait();
  read_from_dnnl_memory(result.data(), dst);
  CHECK(result[1] == 20.f && result[3] == 1.f && result.back() == image.back());

  // As oidn and OpenVINO ask a primitive for its descriptor.
  dnnl_primitive_kind_t primitive_kind;
  CHECK(dnnl_primitive_desc_query(reorder.get_primitive_desc(), dnnl_query_primitive_kind, 0,
                                  &primitive_kind) == dnnl_success);
  CHECK(primitive_kind == dnnl_reorder);
  CHECK(reorder.get_kind() == dnnl::primitive::kind::reorder);
  CHECK(dnnl::engine(pd).get_kind() == kind && dnnl::engine::query(pd) == pd.get_engine());
}

template <typename F>
int handle_example_errors(F&& example) {
  try {
    example();
  } catch (const dnnl::error& e) {
    std::cout << dnnl_status2str(e.status) << ": " << e.what() << "\n";
    return 1;
  }
  return 0;
}

}  // namespace

int main() {
  CHECK(parse_engine_kind("cpu") == dnnl::engine::kind::cpu);
  CHECK(dnnl::get_primitive_cache_capacity() > 0);  // 0 would say that reuse was switched off
  int failed = handle_example_errors([] { tutorial(dnnl::engine::kind::cpu); });
  if (parse_engine_kind("gpu") == dnnl::engine::kind::gpu)
    failed += handle_example_errors([] { tutorial(dnnl::engine::kind::gpu); });
  return failed;
}
