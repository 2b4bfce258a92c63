#include "network/steps.h"

#include <algorithm>
#include <chrono>
#include <iomanip>
#include <iostream>
#include <numeric>

namespace network {

Steps::Steps(const dnnl::engine& engine, Layouts layouts, bool verbose)
    : engine_(engine),
      host_(engine.get_kind() == dnnl::engine::kind::cpu
                ? engine
                : dnnl::engine(dnnl::engine::kind::cpu, 0)),
      stream_(engine),
      layouts_(layouts),
      verbose_(verbose) {}

View View::Channels(memory::dim begin, memory::dim end) const {
  memory::dims dims = desc.dims(), offsets(dims.size());
  dims[1] = end - begin;
  offsets[1] = begin;
  return {buffer, desc.submemory_desc(dims, offsets)};
}

std::string FormatName(const memory::desc& desc) {
  const auto& blocks = desc.data.format_desc.blocking;
  std::vector<int> order(desc.data.ndims);
  std::iota(order.begin(), order.end(), 0);
  std::vector<memory::dim> outer(desc.data.padded_dims, desc.data.padded_dims + order.size());
  std::string inner, letters = std::string("abcdefghijkl").substr(0, order.size());
  for (int block = 0; block < blocks.inner_nblks; ++block) {
    const auto axis = static_cast<size_t>(blocks.inner_idxs[block]);
    outer[axis] /= blocks.inner_blks[block];
    inner += std::to_string(blocks.inner_blks[block]) + static_cast<char>('a' + axis);
    letters[axis] = static_cast<char>('A' + axis);
  }
  std::stable_sort(order.begin(), order.end(), [&blocks, &outer](int a, int b) {
    // Where strides are equal, one of the two is of extent 1.
    if (blocks.strides[a] != blocks.strides[b]) return blocks.strides[a] > blocks.strides[b];
    return outer[a] > outer[b];
  });
  std::string name;
  size_t dense = sizeof(float);
  for (int axis : order) {
    name += letters[axis];
    dense *= desc.data.padded_dims[axis];
  }
  const bool region = desc.data.offset0 != 0 || desc.get_size() > dense;
  return name + inner + (region ? " region" : "");
}

memory::desc RowMajor(const memory::dims& dims) {
  return {dims, memory::data_type::f32, memory::dims()};
}

memory::desc Steps::Open(const memory::dims& dims) const {
  if (layouts_ == Layouts::kPlain) return RowMajor(dims);
  return {dims, memory::data_type::f32, memory::format_tag::any};
}

View Steps::New(const memory::desc& desc) const { return {memory(desc, engine_), desc}; }

View Steps::Put(const plain::Tensor& tensor, const memory::desc& desc) {
  std::vector<float> values = tensor.values;
  memory from(RowMajor(tensor.dims), host_, values.data());
  View to = New(desc);
  dnnl::reorder(from, to.buffer).execute(stream_, from, to.buffer);
  stream_.wait();
  return to;
}

plain::Tensor Steps::Get(const View& view) {
  plain::Tensor tensor{view.desc.dims(), {}};
  tensor.values.resize(plain::Elements(tensor.dims));
  memory from = view.buffer, to(RowMajor(tensor.dims), host_, tensor.values.data());
  dnnl::reorder(dnnl::reorder::primitive_desc(engine_, view.desc, host_, to.get_desc()))
      .execute(stream_, from, to);
  stream_.wait();
  return tensor;
}

void Steps::Add(const dnnl::primitive& primitive,
                const std::unordered_map<int, memory>& arguments) {
  steps_.push_back({primitive, arguments});
}

void Steps::Reorder(const View& from, const View& to) {
  const dnnl::reorder::primitive_desc pd(engine_, from.desc, engine_, to.desc);
  Add(dnnl::reorder(pd), {{DNNL_ARG_FROM, from.buffer}, {DNNL_ARG_TO, to.buffer}});
}

void Steps::Accumulate(const View& from, const View& to, float scale) {
  dnnl::post_ops post_ops;
  post_ops.append_sum(1);
  dnnl::primitive_attr attr;
  attr.set_output_scales(0, {scale});
  attr.set_post_ops(post_ops);
  const dnnl::reorder::primitive_desc pd(engine_, from.desc, engine_, to.desc, attr);
  Add(dnnl::reorder(pd), {{DNNL_ARG_FROM, from.buffer}, {DNNL_ARG_TO, to.buffer}});
}

View Steps::As(const std::string& name, const View& from, const memory::desc& wanted) {
  Edge(name, from.desc, wanted);
  if (from.desc == wanted) return from;
  const View to = New(wanted);
  Reorder(from, to);
  return to;
}

void Steps::Edge(const std::string& name, const memory::desc& from, const memory::desc& to) {
  edges_ += "  " + name + " " + FormatName(from);
  if (from != to) edges_ += " -> " + FormatName(to);
}

void Steps::Show(const std::string& name, const memory::desc& desc) { Edge(name, desc, desc); }

void Steps::EndLayer(const std::string& layer, const char* implementation) {
  if (verbose_) {
    std::cout << "  " << std::left << std::setw(14) << layer << edges_ << "  (" << implementation
              << ")\n";
  }
  edges_.clear();
}

void Steps::Run() {
  for (const Step& step : steps_) step.primitive.execute(stream_, step.arguments);
  stream_.wait();
}

double Steps::MedianMilliseconds(int runs) {
  std::vector<double> times;
  for (int run = 0; run < runs; ++run) {
    const auto begin = std::chrono::steady_clock::now();
    Run();
    const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - begin;
    times.push_back(time.count());
  }
  std::nth_element(times.begin(), times.begin() + runs / 2, times.end());
  return times[runs / 2];
}

std::vector<dnnl::engine> Engines() {
  std::vector<dnnl::engine> engines = {{dnnl::engine::kind::cpu, 0}};
  if (dnnl::engine::get_count(dnnl::engine::kind::gpu) > 0) {
    engines.emplace_back(dnnl::engine::kind::gpu, 0);
  } else {
    std::cout << "there is no gpu engine here\n";
  }
  return engines;
}

const char* Name(const dnnl::engine& engine) {
  return engine.get_kind() == dnnl::engine::kind::cpu ? "cpu" : "gpu";
}

}  // namespace network
