// In the style of itex, the TensorFlow plug-in: a slice is a reorder from a region, with the memory
// of the whole tensor as its source; dequantising takes its zero point at execution; scratchpads
// are the program's.
#include <cstdint>
#include <numeric>

#include "api/consumers/check.h"
#include "oneapi/dnnl/dnnl.hpp"

namespace {

using dnnl::memory;

struct OpKernelContext {
  dnnl::engine engine{dnnl::engine::kind::cpu, 0};
  dnnl::stream stream{engine};
};

memory CreateDnnlMemory(const memory::desc& md, const dnnl::engine& engine, void* data) {
  return data == nullptr ? memory(md, engine) : memory(md, engine, data);
}

// The parts of `input` from `begin`, of `size`, without copying the input's descriptor into a
// memory of its own.
std::vector<float> Slice(OpKernelContext* context, std::vector<float>* input,
                         const memory::dims& dims, const memory::dims& begin,
                         const memory::dims& size) {
  const memory::desc src_md(dims, memory::data_type::f32, memory::format_tag::nchw);
  const memory::desc dst_md(size, memory::data_type::f32, memory::format_tag::nchw);
  const memory::desc part_md = src_md.submemory_desc(size, begin);
  dnnl::primitive_attr attr;
  attr.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  const dnnl::reorder::primitive_desc pd(context->engine, part_md, context->engine, dst_md, attr);
  memory scratchpad(pd.scratchpad_desc(), context->engine);

  std::vector<float> output(dst_md.get_size() / sizeof(float));
  const memory src = CreateDnnlMemory(src_md, context->engine, input->data());
  const memory dst = CreateDnnlMemory(dst_md, context->engine, output.data());
  dnnl::reorder(pd).execute(
      context->stream,
      {{DNNL_ARG_SRC, src}, {DNNL_ARG_DST, dst}, {DNNL_ARG_SCRATCHPAD, scratchpad}});
  context->stream.wait();
  return output;
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
  std::vector<float> input(2 * 3 * 4 * 5);
  std::iota(input.begin(), input.end(), 0.f);
  const std::vector<float> part = Slice(&context, &input, {2, 3, 4, 5}, {1, 1, 2, 1}, {1, 2, 2, 3});
  CHECK(part == (std::vector<float>{91, 92, 93, 96, 97, 98, 111, 112, 113, 116, 117, 118}));
  const std::vector<float> front =
      Slice(&context, &input, {2, 3, 4, 5}, {0, 0, 0, 0}, {1, 1, 1, 2});
  CHECK(front == (std::vector<float>{0, 1}));

  std::vector<uint8_t> codes = {0, 10, 255};
  CHECK(Dequantize(&context, &codes, 0.5f, 10) == (std::vector<float>{-5.f, 0.f, 122.5f}));
  CHECK(Dequantize(&context, &codes, 2.f, 0) == (std::vector<float>{0.f, 20.f, 510.f}));
  return 0;
}
