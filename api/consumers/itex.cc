// In the style of itex, the TensorFlow plug-in: a slice is a reorder from a region, with the memory
// of the whole tensor as its source; scratchpads are the program's.
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
  return 0;
}
