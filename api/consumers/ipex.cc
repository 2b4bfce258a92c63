// In the style of ipex, Intel's extension of PyTorch: its own copy of the tensor class, raw handles
// that may be empty, buffers that change hands below a memory, and quantised tensors whose scale
// and zero point go into the attributes of a reorder.
#include <cstdint>

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
  attr_t& set_zero_point(int arg, int32_t zero_point) {
    set_zero_points(arg, 0, {zero_point});
    return *this;
  }
  int32_t zero_point_of(int arg) const {
    dnnl_dim_t count = 0;
    int mask = -1;
    const int32_t* values = nullptr;
    dnnl::error::wrap_c_api(dnnl_primitive_attr_get_zero_points(get(), arg, &count, &mask, &values),
                            "zero points");
    CHECK(count == 1 && mask == 0);
    return values[0];
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

// real = scale * (stored - zero point), both ways.
void QuantisedTensors() {
  uint8_t stored[] = {0, 10, 255}, again[3];
  float real[3];
  const memory::desc u8({3}, memory::data_type::u8, memory::format_tag::a);
  const memory::desc f32({3}, memory::data_type::f32, memory::format_tag::a);
  attr_t dequantise;
  dequantise.set_scale(0.5f).set_zero_point(DNNL_ARG_SRC, 10);
  CHECK(dequantise.zero_point_of(DNNL_ARG_SRC) == 10);
  CHECK(dequantise.zero_point_of(DNNL_ARG_DST) == 0);
  Reorder(tensor(u8, stored), tensor(f32, real), dequantise);
  CHECK(real[0] == -5.f && real[1] == 0.f && real[2] == 122.5f);
  Reorder(tensor(f32, real), tensor(u8, again),
          attr_t().set_scale(2.f).set_zero_point(DNNL_ARG_DST, 10));
  CHECK(again[0] == 0 && again[1] == 10 && again[2] == 255);
}

}  // namespace

int main() {
  HandlesMayBeEmpty();
  BuffersChangeHands();
  QuantisedTensors();
  return 0;
}
