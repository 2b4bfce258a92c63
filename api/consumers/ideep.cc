// In the style of ideep, PyTorch's glue: a tensor is a memory and a descriptor is a descriptor, by
// inheritance; what the C++ API has no getter for comes from the C function on get(); the number of
// groups of a weights tensor lives in extra.reserved; parts are read and written with the memory of
// the whole tensor.
#include <cstdint>
#include <cstring>
#include <memory>
#include <numeric>
#include <unordered_map>
#include <utility>
#include <vector>

#include "api/consumers/check.h"
#include "oneapi/dnnl/dnnl.hpp"

namespace {

using dims_t = dnnl::memory::dims;
using type_t = dnnl::memory::data_type;
using tag_t = dnnl::memory::format_tag;
using scale_t = std::vector<float>;

struct engine : public dnnl::engine {
  explicit engine(kind akind = dnnl::engine::kind::cpu, size_t index = 0)
      : dnnl::engine(akind, index) {}
  static engine& cpu() {
    static engine instance;
    return instance;
  }
};

struct stream : public dnnl::stream {
  static dnnl::stream& main() {
    static dnnl::stream s(engine::cpu());
    return s;
  }
};

struct attr_t : public dnnl::primitive_attr {
  attr_t() = default;
  attr_t(int mask, const scale_t& scales) { set_output_scales(mask, scales); }

  std::pair<scale_t, int> get_output_scales() const {
    dnnl_dim_t count;
    int mask;
    const float* scales;
    dnnl::error::wrap_c_api(dnnl_primitive_attr_get_output_scales(get(), &count, &mask, &scales),
                            "could not get int8 scales");
    return std::make_pair(scale_t(scales, scales + count), mask);
  }
};

class tensor : public dnnl::memory {
 public:
  struct desc : public dnnl::memory::desc {
    desc() = default;
    desc(const dnnl::memory::desc& adesc) : dnnl::memory::desc(adesc) {}
    desc(const dims_t& adims, type_t adata_type, tag_t aformat_tag)
        : dnnl::memory::desc(adims, adata_type, aformat_tag) {
      set_g(1);
    }

    int get_ndims() const { return data.ndims; }
    dims_t get_strides() const {
      const auto& strides = data.format_desc.blocking.strides;
      return dims_t(strides, strides + data.ndims);
    }
    bool is_plain() const {
      return data.format_kind == dnnl_blocked && data.format_desc.blocking.inner_nblks == 0;
    }
    dnnl_dim_t g() const {
      int32_t groups;
      std::memcpy(&groups, data.extra.reserved, sizeof(groups));
      return groups;
    }
    desc to_grouped(int groups) const {
      dims_t grouped = dims();
      grouped.insert(grouped.begin(), groups);
      grouped[1] /= groups;
      desc made(reshape(grouped));
      made.set_g(groups);
      return made;
    }
    desc transpose(dnnl_dim_t dim0, dnnl_dim_t dim1) const {
      std::vector<int> axes(data.ndims);
      std::iota(axes.begin(), axes.end(), 0);
      std::swap(axes[dim0], axes[dim1]);
      return desc(permute_axes(axes));
    }

   private:
    void set_g(int32_t groups) { std::memcpy(data.extra.reserved, &groups, sizeof(groups)); }
  };

  tensor() = default;
  tensor(const desc& adesc, void* ahandle) { reinit(adesc, ahandle); }
  explicit tensor(const desc& adesc) { reinit(adesc, nullptr); }

  desc get_desc() const {
    const dnnl_memory_desc_t* cdesc;
    dnnl::error::wrap_c_api(dnnl_memory_get_memory_desc(get(), &cdesc),
                            "could not get memory descriptor from a memory");
    return desc(*cdesc);
  }

  size_t get_size() const { return get_desc().get_size(); }

  template <typename T>
  T* data() const {
    return static_cast<T*>(get_data_handle());
  }

  // The part of `adims` at `offsets`, out of this tensor and into it.
  tensor extract_submemory(const dims_t& adims, const dims_t& offsets) const {
    const desc view(get_desc().submemory_desc(adims, offsets));
    tensor part(desc(adims, view.data_type(), tag_t::nchw));
    const dnnl::reorder::primitive_desc pd(engine::cpu(), view, engine::cpu(), part.get_desc());
    dnnl::reorder(pd).execute(stream::main(), const_cast<tensor&>(*this), part);
    return part;
  }
  void insert_submemory(const tensor& part, const dims_t& offsets) {
    const desc view(get_desc().submemory_desc(part.get_desc().dims(), offsets));
    const dnnl::reorder::primitive_desc pd(engine::cpu(), part.get_desc(), engine::cpu(), view);
    dnnl::reorder(pd).execute(stream::main(), const_cast<tensor&>(part), *this);
  }

  void reorder_to(tensor& dst, const attr_t& attr = attr_t()) const {
    const dnnl::reorder::primitive_desc pd(*this, dst, attr);
    dnnl::reorder(pd).execute(stream::main(), const_cast<tensor&>(*this), dst);
  }

 private:
  void reinit(const desc& adesc, void* ahandle) {
    if (ahandle == nullptr) {
      buffer_.reset(std::malloc(adesc.get_size()), std::free);
      ahandle = buffer_.get();
    }
    dnnl_memory_t result;
    dnnl::error::wrap_c_api(dnnl_memory_create(&result, &adesc.data, engine::cpu().get(), ahandle),
                            "could not create a memory");
    reset(result);
  }

  std::shared_ptr<void> buffer_;
};

void TensorsKeepTheirGroups() {
  const tensor::desc weights({8, 4, 3, 3}, type_t::f32, tag_t::oihw);
  CHECK(weights.g() == 1);
  const tensor grouped(weights.to_grouped(2));
  CHECK(grouped.get_desc().g() == 2);
  CHECK(grouped.get_desc().get_ndims() == 5 && grouped.get_desc().is_plain());
  CHECK(grouped.get_size() == weights.get_size());
  CHECK(grouped.get_desc().get_strides() == (dims_t{144, 36, 9, 3, 1}));
}

void DirectCopyAndQuantise() {
  std::vector<float> from(24);
  std::iota(from.begin(), from.end(), -12.f);
  const tensor src({{2, 3, 2, 2}, type_t::f32, tag_t::nchw}, from.data());
  tensor nhwc({{2, 3, 2, 2}, type_t::f32, tag_t::nhwc});
  src.reorder_to(nhwc);
  const attr_t attr(1 << 1, {2.f, 4.f, 0.5f});
  CHECK(attr.get_output_scales().first == (scale_t{2.f, 4.f, 0.5f}));
  CHECK(attr.get_output_scales().second == 2);
  CHECK(attr_t().get_output_scales().first == scale_t{1.f});
  tensor s8({{2, 3, 2, 2}, type_t::s8, tag_t::nhwc});
  nhwc.reorder_to(s8, attr);
  stream::main().wait();
  CHECK(nhwc.data<float>()[1] == -8.f);
  CHECK(s8.data<int8_t>()[0] == -24 && s8.data<int8_t>()[1] == -32 && s8.data<int8_t>()[2] == -2);
}

void TransposedViewsShareTheBuffer() {
  std::vector<float> buffer = {0, 1, 2, 3, 4, 5};
  const tensor rows({{2, 3}, type_t::f32, tag_t::ab}, buffer.data());
  const tensor columns(rows.get_desc().transpose(0, 1), rows.get_data_handle());
  tensor dense({{3, 2}, type_t::f32, tag_t::ab});
  columns.reorder_to(dense);
  stream::main().wait();
  CHECK(dense.data<float>()[1] == 3.f && dense.data<float>()[4] == 2.f);
}

struct channel_shuffle_forward : public dnnl::shuffle_forward {
  using super = dnnl::shuffle_forward;

  static void compute(const tensor& src, tensor& dst, int group, int axis) {
    const int size = static_cast<int>(src.get_desc().dims()[axis] / group);
    const super::primitive_desc pd({dnnl::prop_kind::forward_inference, src.get_desc(), axis, size},
                                   engine::cpu());
    CHECK(tensor::desc(pd.dst_desc()) == src.get_desc());
    super(pd).execute(stream::main(), {{DNNL_ARG_SRC, src}, {DNNL_ARG_DST, dst}});
  }
};

void ChannelShuffle() {
  std::vector<float> from = {0, 1, 2, 3, 4, 5};
  const tensor src({{1, 6, 1, 1}, type_t::f32, tag_t::nchw}, from.data());
  tensor dst(src.get_desc());
  channel_shuffle_forward::compute(src, dst, 2, 1);
  stream::main().wait();
  const float expected[] = {0, 3, 1, 4, 2, 5};
  CHECK(std::memcmp(dst.data<float>(), expected, sizeof(expected)) == 0);
}

// Splits a tensor along its channels, and puts the parts back in the other order.
void SplitAndConcat() {
  std::vector<float> from(2 * 3 * 2 * 2), to(from.size());
  std::iota(from.begin(), from.end(), 0.f);
  const tensor whole({{2, 3, 2, 2}, type_t::f32, tag_t::nchw}, from.data());
  const tensor front = whole.extract_submemory({2, 1, 2, 2}, {0, 0, 0, 0});
  const tensor back = whole.extract_submemory({2, 2, 2, 2}, {0, 1, 0, 0});
  tensor turned(whole.get_desc(), to.data());
  turned.insert_submemory(back, {0, 0, 0, 0});
  turned.insert_submemory(front, {0, 2, 0, 0});
  stream::main().wait();
  CHECK(front.data<float>()[4] == 12.f && back.data<float>()[0] == 4.f);
  CHECK(to[0] == 4.f && to[8] == 0.f && to[12] == 16.f && to[23] == 15.f);
}

}  // namespace

int main() {
  TensorsKeepTheirGroups();
  DirectCopyAndQuantise();
  TransposedViewsShareTheBuffer();
  ChannelShuffle();
  SplitAndConcat();
  return 0;
}
