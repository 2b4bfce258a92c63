// In the style of TVM's tensor requisites: a tensor is a chain of steps back to what the graph gave
// (reinterpretations of one buffer, then at most one reorder), layouts are made from words like
// "OIHW8i8o" by hand, and a broadcast has strides of 0.
#include <cctype>
#include <numeric>

#include "api/consumers/check.h"
#include "oneapi/dnnl/dnnl.hpp"

namespace {

using dnnl::memory;
using dims_t = memory::dims;

class TensorRequisite {
 public:
  static TensorRequisite AsIs(const memory::desc& desc, const memory& from) {
    TensorRequisite made;
    made.desc_ = desc;
    made.mem_ = from;
    return made;
  }

  dims_t dims() const { return desc_.dims(); }
  const memory::desc& desc() const { return desc_; }

  TensorRequisite Permute(const std::vector<int>& permutation) const {
    return View(desc_.permute_axes(permutation));
  }
  TensorRequisite Reshape(const dims_t& shape) const { return View(desc_.reshape(shape)); }
  TensorRequisite Crop(const dims_t& shape, const dims_t& offset) const {
    return View(desc_.submemory_desc(shape, offset));
  }
  TensorRequisite Squeeze() const {
    dims_t squeezed;
    for (const auto d : desc_.dims())
      if (d != 1) squeezed.push_back(d);
    return Reshape(squeezed.empty() ? dims_t{1} : squeezed);
  }

  // Dims of 1 repeat by a stride of 0.
  TensorRequisite Broadcast(const dims_t& shape) const {
    const size_t missing = shape.size() - desc_.dims().size();
    dims_t padded = desc_.dims();
    padded.insert(padded.begin(), missing, 1);
    memory::desc wide = desc_.reshape(padded);
    for (size_t j = 0; j < shape.size(); ++j) {
      if (padded[j] == shape[j]) continue;
      CHECK(padded[j] == 1);
      wide.data.dims[j] = wide.data.padded_dims[j] = shape[j];
      wide.data.format_desc.blocking.strides[j] = 0;
    }
    return View(wide);
  }

  // A layout by word: capitals are whole axes, "8c" is an inner block of 8 along axis C.
  TensorRequisite TreatAs(const std::string& word, const std::string& axes,
                          const dims_t& dims) const {
    return View(Layout(word, axes, dims));
  }
  TensorRequisite RequestLayout(const std::string& word, const std::string& axes) const {
    TensorRequisite made = View(Layout(word, axes, desc_.dims()));
    made.reordered_ = true;
    return made;
  }

  memory Solve(const dnnl::engine& engine, dnnl::stream stream) const {
    if (!reordered_) return memory(desc_, engine, mem_.get_data_handle());
    memory from(before_, engine, mem_.get_data_handle()), to(desc_, engine);
    dnnl::reorder(from, to).execute(stream, from, to);
    stream.wait();
    return to;
  }

 private:
  TensorRequisite View(const memory::desc& desc) const {
    TensorRequisite made = *this;
    made.before_ = desc_;
    made.desc_ = desc;
    return made;
  }

  static memory::desc Layout(const std::string& word, const std::string& axes, const dims_t& dims) {
    memory::desc made;
    dnnl_memory_desc_t& md = made.data;
    md.ndims = static_cast<int>(dims.size());
    md.data_type = dnnl_f32;
    md.format_kind = dnnl_blocked;
    dnnl_blocking_desc_t& blocking = md.format_desc.blocking;
    dims_t split(dims.size(), 1);
    std::vector<size_t> outer;
    for (size_t i = 0; i < word.size();) {
      dnnl_dim_t block = 0;
      for (; std::isdigit(word[i]); ++i) block = 10 * block + (word[i] - '0');
      const size_t axis = axes.find(static_cast<char>(std::toupper(word[i++])));
      if (block == 0) {
        outer.push_back(axis);
        continue;
      }
      blocking.inner_blks[blocking.inner_nblks] = block;
      blocking.inner_idxs[blocking.inner_nblks++] = static_cast<dnnl_dim_t>(axis);
      split[axis] *= block;
    }
    dnnl_dim_t stride =
        std::accumulate(split.begin(), split.end(), dnnl_dim_t{1}, std::multiplies<dnnl_dim_t>());
    for (size_t k = outer.size(); k-- > 0;) {
      const size_t j = outer[k];
      md.dims[j] = dims[j];
      md.padded_dims[j] = (dims[j] + split[j] - 1) / split[j] * split[j];
      blocking.strides[j] = stride;
      stride *= md.padded_dims[j] / split[j];
    }
    return made;
  }

  memory::desc desc_, before_;
  memory mem_;
  bool reordered_ = false;
};

std::vector<float> Iota(size_t size) {
  std::vector<float> values(size);
  std::iota(values.begin(), values.end(), 0.f);
  return values;
}

const float* DataOf(const memory& mem) { return static_cast<float*>(mem.get_data_handle()); }

void PlainChain(const dnnl::engine& engine, const dnnl::stream& stream) {
  std::vector<float> buffer = Iota(24);
  const memory::desc md({2, 3, 4}, memory::data_type::f32, memory::format_tag::abc);
  const TensorRequisite src = TensorRequisite::AsIs(md, memory(md, engine, buffer.data()));
  const TensorRequisite chain = src.Permute({1, 0, 2}).Crop({2, 1, 3}, {1, 1, 0}).Squeeze();
  CHECK(chain.dims() == (dims_t{2, 3}));
  const memory dense = chain.RequestLayout("AB", "AB").Solve(engine, stream);
  const std::vector<float> expected = {16, 17, 18, 20, 21, 22};
  CHECK(std::equal(expected.begin(), expected.end(), DataOf(dense)));
}

void Broadcast(const dnnl::engine& engine, const dnnl::stream& stream) {
  std::vector<float> bias = {5, 6, 7};
  const memory::desc md({3}, memory::data_type::f32, memory::format_tag::a);
  const TensorRequisite src = TensorRequisite::AsIs(md, memory(md, engine, bias.data()));
  const memory wide = src.Broadcast({2, 3}).RequestLayout("AB", "AB").Solve(engine, stream);
  const std::vector<float> expected = {5, 6, 7, 5, 6, 7};
  CHECK(std::equal(expected.begin(), expected.end(), DataOf(wide)));
}

// 5 channels in blocks of 8: the tail is zero in the blocked copy, and gone after the way back.
void Blocks(const dnnl::engine& engine, const dnnl::stream& stream) {
  std::vector<float> buffer = Iota(2 * 5 * 3);
  const memory::desc md({2, 5, 1, 3}, memory::data_type::f32, memory::format_tag::nchw);
  const TensorRequisite src = TensorRequisite::AsIs(md, memory(md, engine, buffer.data()));
  const TensorRequisite blocked = src.RequestLayout("NCHW8c", "NCHW");
  CHECK(blocked.desc().get_size() == 2 * 8 * 3 * sizeof(float));
  const memory inner = blocked.Solve(engine, stream);
  CHECK(DataOf(inner)[1] == 3.f && DataOf(inner)[5] == 0.f && DataOf(inner)[8] == 1.f);
  const TensorRequisite back = TensorRequisite::AsIs(inner.get_desc(), inner);
  const memory plain = back.RequestLayout("NCHW", "NCHW").Solve(engine, stream);
  CHECK(std::equal(buffer.begin(), buffer.end(), DataOf(plain)));

  std::vector<float> weights = Iota(16 * 8);
  const memory::desc oihw({16, 8, 1, 1}, memory::data_type::f32, memory::format_tag::oihw);
  const memory twice = TensorRequisite::AsIs(oihw, memory(oihw, engine, weights.data()))
                           .RequestLayout("OIHW8i8o", "OIHW")
                           .Solve(engine, stream);
  CHECK(DataOf(twice)[1] == 8.f && DataOf(twice)[8] == 1.f && DataOf(twice)[64] == 64.f);
}

}  // namespace

int main() {
  const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  const dnnl::stream stream(engine);
  PlainChain(engine, stream);
  Broadcast(engine, stream);
  Blocks(engine, stream);
  return 0;
}
