// In the style of lc0, the chess engine: layers own their primitives and make them when the shapes
// are known; results of one layer are cut out of a larger tensor by region and reshape, and the
// primitive gets the memory of the whole one.
#include <numeric>

#include "api/consumers/check.h"
#include "oneapi/dnnl/dnnl.hpp"

namespace {

using dnnl::memory;

class BaseLayer {
 public:
  explicit BaseLayer(dnnl::engine engine) : engine_(engine) {}
  virtual ~BaseLayer() = default;
  virtual void Eval(const memory& input, const memory& output, dnnl::stream& stream) = 0;

 protected:
  dnnl::engine engine_;
};

// Columns [from, from + width) of a matrix, as a tensor of `to`.
class Cut : public BaseLayer {
 public:
  Cut(dnnl::engine engine, const memory::desc& whole, memory::dim from, memory::dim width,
      const memory::dims& to)
      : BaseLayer(engine) {
    const auto part = whole.submemory_desc({whole.dims()[0], width}, {0, from}).reshape(to);
    out_md_ = memory::desc(to, memory::data_type::f32, memory::format_tag::nchw);
    reorder_ = dnnl::reorder(dnnl::reorder::primitive_desc(engine_, part, engine_, out_md_));
  }
  const memory::desc& out_md() const { return out_md_; }
  void Eval(const memory& input, const memory& output, dnnl::stream& stream) override {
    reorder_.execute(stream, const_cast<memory&>(input), const_cast<memory&>(output));
  }

 private:
  memory::desc out_md_;
  dnnl::reorder reorder_;
};

// A region of one tensor to a region of another, with both whole memories.
class Patch : public BaseLayer {
 public:
  Patch(dnnl::engine engine, const memory::desc& from, const memory::desc& to) : BaseLayer(engine) {
    const auto in = from.submemory_desc({2, 2}, {0, 1}), out = to.submemory_desc({2, 2}, {1, 0});
    reorder_ = dnnl::reorder(dnnl::reorder::primitive_desc(engine_, in, engine_, out));
  }
  void Eval(const memory& input, const memory& output, dnnl::stream& stream) override {
    reorder_.execute(stream, {{DNNL_ARG_SRC, input}, {DNNL_ARG_DST, output}});
  }

 private:
  dnnl::reorder reorder_;
};

std::vector<float> Iota(size_t size) {
  std::vector<float> values(size);
  std::iota(values.begin(), values.end(), 0.f);
  return values;
}

}  // namespace

int main() {
  dnnl::set_primitive_cache_capacity(2048);
  CHECK(dnnl::get_primitive_cache_capacity() == 2048);
  const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  dnnl::stream stream(engine);

  std::vector<float> matrix = Iota(2 * 10), cut(2 * 4);
  const memory::desc whole({2, 10}, memory::data_type::f32, memory::format_tag::ab);
  Cut layer(engine, whole, 3, 4, {2, 1, 2, 2});
  layer.Eval(memory(whole, engine, matrix.data()), memory(layer.out_md(), engine, cut.data()),
             stream);
  stream.wait();
  CHECK(cut == (std::vector<float>{3, 4, 5, 6, 13, 14, 15, 16}));

  std::vector<float> from = Iota(2 * 3), to(3 * 2, -1.f);
  const memory::desc from_md({2, 3}, memory::data_type::f32, memory::format_tag::ab);
  const memory::desc to_md({3, 2}, memory::data_type::f32, memory::format_tag::ab);
  Patch patch(engine, from_md, to_md);
  patch.Eval(memory(from_md, engine, from.data()), memory(to_md, engine, to.data()), stream);
  stream.wait();
  CHECK(to == (std::vector<float>{-1, -1, 1, 2, 4, 5}));
  return 0;
}
