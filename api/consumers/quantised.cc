// In the style of what ipex and itex do with quantised tensors: real = scale * (stored - zero
// point), by the attributes of a reorder, known beforehand or given at execution.
#include <cstdint>

#include "api/consumers/check.h"
#include "oneapi/dnnl/dnnl.hpp"

namespace {

using dnnl::memory;

struct OpKernelContext {
  dnnl::engine engine{dnnl::engine::kind::cpu, 0};
  dnnl::stream stream{engine};
};

memory CreateDnnlMemory(const memory::desc& md, const dnnl::engine& engine, void* data) {
  return memory(md, engine, data);
}

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

void Reorder(OpKernelContext* context, memory from, memory to, const attr_t& attr) {
  dnnl::reorder(dnnl::reorder::primitive_desc(from, to, attr)).execute(context->stream, from, to);
  context->stream.wait();
}

// real = scale * (stored - zero point), both ways.
void KnownBeforehand(OpKernelContext* context) {
  uint8_t stored[] = {0, 10, 255}, again[3];
  float real[3];
  const memory::desc u8({3}, memory::data_type::u8, memory::format_tag::a);
  const memory::desc f32({3}, memory::data_type::f32, memory::format_tag::a);
  attr_t dequantise;
  dequantise.set_scale(0.5f).set_zero_point(DNNL_ARG_SRC, 10);
  CHECK(dequantise.zero_point_of(DNNL_ARG_SRC) == 10);
  CHECK(dequantise.zero_point_of(DNNL_ARG_DST) == 0);
  Reorder(context, memory(u8, context->engine, stored), memory(f32, context->engine, real),
          dequantise);
  CHECK(real[0] == -5.f && real[1] == 0.f && real[2] == 122.5f);
  Reorder(context, memory(f32, context->engine, real), memory(u8, context->engine, again),
          attr_t().set_scale(2.f).set_zero_point(DNNL_ARG_DST, 10));
  CHECK(again[0] == 0 && again[1] == 10 && again[2] == 255);
}

std::vector<float> Dequantize(OpKernelContext* context, std::vector<uint8_t>* input, float scale,
                              int32_t min_code) {
  const memory::dim size = static_cast<memory::dim>(input->size());
  const memory::desc src_md({size}, memory::data_type::u8, memory::format_tag::x);
  const memory::desc dst_md({size}, memory::data_type::f32, memory::format_tag::x);
  dnnl::primitive_attr attr;
  attr.set_output_scales(0, {DNNL_RUNTIME_F32_VAL});
  attr.set_zero_points(DNNL_ARG_SRC, 0, {DNNL_RUNTIME_S32_VAL});
  const dnnl::reorder::primitive_desc pd(context->engine, src_md, context->engine, dst_md, attr);

  std::vector<float> output(input->size());
  memory scales({{1}, memory::data_type::f32, memory::format_tag::x}, context->engine, &scale);
  memory zero_points({{1}, memory::data_type::s32, memory::format_tag::x}, context->engine,
                     &min_code);
  dnnl::reorder(pd).execute(
      context->stream, {{DNNL_ARG_FROM, CreateDnnlMemory(src_md, context->engine, input->data())},
                        {DNNL_ARG_TO, CreateDnnlMemory(dst_md, context->engine, output.data())},
                        {DNNL_ARG_ATTR_OUTPUT_SCALES, scales},
                        {DNNL_ARG_ATTR_ZERO_POINTS | DNNL_ARG_SRC, zero_points}});
  context->stream.wait();
  return output;
}

}  // namespace

int main() {
  OpKernelContext context;
  KnownBeforehand(&context);
  std::vector<uint8_t> codes = {0, 10, 255};
  CHECK(Dequantize(&context, &codes, 0.5f, 10) == (std::vector<float>{-5.f, 0.f, 122.5f}));
  CHECK(Dequantize(&context, &codes, 2.f, 0) == (std::vector<float>{0.f, 20.f, 510.f}));
  return 0;
}
