// In the style of ipex, Intel's extension of PyTorch: its own copy of the tensor class, raw handles
// that may be empty, buffers that change hands below a memory, and quantised tensors whose scale
// and zero point go into the attributes of a reorder.
#include "api/consumers/check.h"
#include "oneapi/dnnl/dnnl.hpp"

namespace {

using dnnl::memory;

struct GpuEngineManager {
  static GpuEngineManager& Instance() {
    static GpuEngineManager instance;
    return instance;
  }
  dnnl::engine engine{dnnl::engine::kind::cpu, 0};
  dnnl::stream stream{engine};
};

class attr_t : public dnnl::primitive_attr {
 public:
  attr_t& set_scale(float scale) {
    set_output_scales(0, {scale});
    return *this;
  }
};

struct tensor : public memory {
  tensor() = default;
  tensor(const memory::desc& md, void* data) {
    dnnl_memory_t made = nullptr;
    dnnl::error::wrap_c_api(
        dnnl_memory_create(&made, &md.data, GpuEngineManager::Instance().engine.get(), data),
        "could not create a memory");
    reset(made);
  }

  bool is_empty() const { return get(true) == nullptr; }

  void* data() const {
    void* address = nullptr;
    dnnl::error::wrap_c_api(dnnl_memory_get_data_handle(get(), &address), "could not get a handle");
    return address;
  }
  void set_data(void* data) {
    dnnl::error::wrap_c_api(
        dnnl_memory_set_data_handle_v2(get(), data, GpuEngineManager::Instance().stream.get(true)),
        "could not set a handle");
  }
};

void Reorder(tensor from, tensor to, const attr_t& attr) {
  GpuEngineManager& manager = GpuEngineManager::Instance();
  dnnl::reorder(dnnl::reorder::primitive_desc(from, to, attr)).execute(manager.stream, from, to);
  manager.stream.wait();
}

void HandlesMayBeEmpty() {
  tensor none;
  CHECK(none.is_empty() && !none);
  bool refused = false;
  try {
    none.data();
  } catch (const dnnl::error& e) {
    refused = e.status == dnnl_invalid_arguments;
  }
  CHECK(refused);
}

void BuffersChangeHands() {
  float a[] = {1, 2}, b[] = {3, 4}, out[2];
  const memory::desc md({2}, memory::data_type::f32, memory::format_tag::a);
  tensor src(md, a);
  CHECK(src.data() == a);
  src.set_data(b);
  Reorder(src, tensor(md, out), attr_t().set_scale(10.f));
  CHECK(out[0] == 30.f && out[1] == 40.f);
}

}  // namespace

int main() {
  HandlesMayBeEmpty();
  BuffersChangeHands();
  return 0;
}
