// In the style of flashlight: a tensor is a memory with a shape of its own. Reshape and transpose
// make a descriptor for what is wanted and run it on the memory as it is.
#include <numeric>

#include "api/consumers/check.h"
#include "oneapi/dnnl/dnnl.hpp"

namespace {

using dnnl::memory;
using dims_t = memory::dims;

struct Backend {
  static Backend& instance() {
    static Backend backend;
    return backend;
  }
  dnnl::engine engine{dnnl::engine::kind::cpu, 0};
  dnnl::stream stream{engine};
};

memory::desc Contiguous(const dims_t& dims) {
  return memory::desc(dims, memory::data_type::f32, dims_t());
}

class Tensor {
 public:
  explicit Tensor(const dims_t& dims) : memory_(Contiguous(dims), Backend::instance().engine) {}
  Tensor(const dims_t& dims, const std::vector<float>& values) : Tensor(dims) {
    auto* const to = memory_.map_data<float>();
    std::copy(values.begin(), values.end(), to);
    memory_.unmap_data(to);
  }

  std::vector<float> toHost() const {
    auto* const from = memory_.map_data<float>();
    const std::vector<float> values(from, from + memory_.get_desc().get_size() / sizeof(float));
    memory_.unmap_data(from);
    return values;
  }
  dims_t shape() const { return memory_.get_desc().dims(); }

  // The new tensor's memory, {6}, is written as the old one's {2, 3}.
  Tensor reshape(const dims_t& dims) const {
    Tensor made(dims);
    Run(memory_.get_desc(), memory_.get_desc(), made);
    return made;
  }

  // The new tensor's memory, {3, 2}, is written as {2, 3} with strides of its columns.
  Tensor transpose() const {
    const dims_t dims = shape();
    Tensor made({dims[1], dims[0]});
    Run(memory_.get_desc(), memory::desc(dims, memory::data_type::f32, dims_t{1, dims[0]}), made);
    return made;
  }

  // One element, from the memory of all.
  float scalar(const dims_t& at) const {
    const memory::desc one = memory_.get_desc().submemory_desc(dims_t(at.size(), 1), at);
    Tensor made(dims_t(at.size(), 1));
    Run(one, made.memory_.get_desc(), made);
    return made.toHost()[0];
  }

 private:
  void Run(const memory::desc& from, const memory::desc& to, Tensor& result) const {
    Backend& backend = Backend::instance();
    const dnnl::reorder::primitive_desc pd(backend.engine, from, backend.engine, to);
    dnnl::reorder(pd).execute(backend.stream,
                              {{DNNL_ARG_FROM, memory_}, {DNNL_ARG_TO, result.memory_}});
    backend.stream.wait();
  }

  memory memory_;
};

}  // namespace

int main() {
  const std::vector<float> values = {0, 1, 2, 3, 4, 5};
  const Tensor tensor({2, 3}, values);
  CHECK(tensor.reshape({6}).toHost() == values && tensor.reshape({6}).shape() == dims_t{6});
  CHECK(tensor.reshape({6}).reshape({3, 1, 2}).toHost() == values);
  CHECK(tensor.transpose().toHost() == (std::vector<float>{0, 3, 1, 4, 2, 5}));
  CHECK(tensor.transpose().shape() == (dims_t{3, 2}));
  CHECK(tensor.scalar({1, 2}) == 5.f && tensor.scalar({0, 0}) == 0.f);
  return 0;
}
