// In the style of MXNet: its public header declares dnnl's classes by itself, before the library's
// header is seen; shapes are checked with memory::validate_dims; layouts are compared by their
// fields; memories are kept in a pool of the program.
#include "api/consumers/check.h"
#include "api/consumers/ndarray.h"
#include "oneapi/dnnl/dnnl.hpp"

namespace {

class CpuEngine {
 public:
  static CpuEngine* Get() {
    static CpuEngine instance;
    return &instance;
  }
  const dnnl::engine& get_engine() const { return engine_; }

 private:
  CpuEngine() : engine_(dnnl::engine::kind::cpu, 0) {}
  dnnl::engine engine_;
};

class DNNLStream {
 public:
  static DNNLStream* Get() {
    static thread_local DNNLStream stream;
    return &stream;
  }
  void RegisterPrimArgs(const dnnl::primitive& prim, std::unordered_map<int, dnnl::memory> args) {
    net_.emplace_back(prim, std::move(args));
  }
  void Submit() {
    dnnl::stream stream(CpuEngine::Get()->get_engine());
    for (auto& step : net_) step.first.execute(stream, step.second);
    net_.clear();
    stream.wait();
  }

 private:
  std::vector<std::pair<dnnl::primitive, std::unordered_map<int, dnnl::memory>>> net_;
};

dnnl::memory::desc DescOf(const std::vector<long>& shape, const dnnl::memory::dims& strides) {
  const dnnl::memory::dims dims(shape.begin(), shape.end());
  dnnl::memory::validate_dims(dims);
  return dnnl::memory::desc(dims, dnnl::memory::data_type::f32, strides);
}

bool SameLayout(const dnnl::memory& a, const dnnl::memory& b) {
  const dnnl_memory_desc_t &x = a.get_desc().data, &y = b.get_desc().data;
  if (x.format_kind != y.format_kind || x.ndims != y.ndims) return false;
  return std::equal(x.format_desc.blocking.strides, x.format_desc.blocking.strides + x.ndims,
                    y.format_desc.blocking.strides);
}

}  // namespace

NDArray::NDArray(std::vector<long> shape, const std::vector<float>& values)
    : shape_(std::move(shape)),
      values_(std::make_shared<std::vector<float>>(values)),
      memory_(std::make_shared<dnnl::memory>(DescOf(shape_, {}), CpuEngine::Get()->get_engine(),
                                             values_->data())) {}

const dnnl::memory* NDArray::GetDNNLData() const { return memory_.get(); }

NDArray NDArray::Reorder(const dnnl::memory& like) const {
  NDArray copy(shape_, std::vector<float>(size()));
  copy.memory_ = std::make_shared<dnnl::memory>(like.get_desc(), CpuEngine::Get()->get_engine(),
                                                copy.values_->data());
  DNNLStream* const stream = DNNLStream::Get();
  stream->RegisterPrimArgs(dnnl::reorder(*memory_, *copy.memory_),
                           {{DNNL_ARG_FROM, *memory_}, {DNNL_ARG_TO, *copy.memory_}});
  stream->Submit();
  return copy;
}

// Backward of a concat: each input's gradient is a region of the output's, whose memory goes in.
void ConcatBackward() {
  const dnnl::engine& engine = CpuEngine::Get()->get_engine();
  const NDArray gradient({2, 5}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
  const dnnl::memory::desc whole = gradient.GetDNNLData()->get_desc();
  std::vector<float> left(2 * 2), right(2 * 3);
  DNNLStream* const stream = DNNLStream::Get();
  long offset = 0;
  for (std::vector<float>* const input : {&left, &right}) {
    const long width = static_cast<long>(input->size() / 2);
    const auto from = whole.submemory_desc({2, width}, {0, offset});
    const dnnl::memory to(DescOf({2, width}, {}), engine, input->data());
    const dnnl::reorder::primitive_desc pd(engine, from, engine, to.get_desc());
    stream->RegisterPrimArgs(dnnl::reorder(pd),
                             {{DNNL_ARG_FROM, *gradient.GetDNNLData()}, {DNNL_ARG_TO, to}});
    offset += width;
  }
  stream->Submit();
  CHECK(left == (std::vector<float>{0, 1, 5, 6}));
  CHECK(right == (std::vector<float>{2, 3, 4, 7, 8, 9}));
}

int main() {
  ConcatBackward();
  const NDArray array({2, 3}, {0, 1, 2, 3, 4, 5});
  const dnnl::memory turned(DescOf({2, 3}, {1, 2}), CpuEngine::Get()->get_engine());
  CHECK(!SameLayout(*array.GetDNNLData(), turned));
  const NDArray copy = array.Reorder(turned);
  CHECK(SameLayout(*copy.GetDNNLData(), turned));
  const std::vector<float> expected = {0, 3, 1, 4, 2, 5};
  CHECK(std::equal(expected.begin(), expected.end(), copy.data()));

  bool refused = false;
  try {
    dnnl::memory::validate_dims(dnnl::memory::dims(13, 1));
  } catch (const dnnl::error& e) {
    refused = e.status == dnnl_invalid_arguments;
  }
  CHECK(refused);
  dnnl::memory::validate_dims(std::vector<int>(12, 1));
  refused = false;
  try {
    dnnl::memory::validate_dims(std::vector<int>(2, 1), 3);
  } catch (const dnnl::error&) {
    refused = true;
  }
  CHECK(refused);
  return 0;
}
