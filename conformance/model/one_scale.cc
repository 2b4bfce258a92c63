#include "conformance/model/one_scale.h"

#include <algorithm>

namespace conformance {

using dnnl::memory;

OneScale::OneScale(Random& random)
    : desc({16}, memory::data_type::f32, memory::format_tag::a),
      scale({1}, memory::data_type::f32, memory::format_tag::x),
      source(16),
      target(16, -1.f) {
  for (float& value : source) value = static_cast<float>(random.Between(-99, 99));
}

namespace {

memory Holding(const std::vector<float>& values, const memory::desc& desc, const Device& device) {
  const memory made(desc, device.engine);
  float* const mapped = made.map_data<float>();
  std::copy(values.begin(), values.end(), mapped);
  made.unmap_data(mapped);
  return made;
}

memory::desc Matrix(int64_t rows) {
  return memory::desc({rows, 1}, memory::data_type::f32, memory::format_tag::ab);
}

}  // namespace

std::unordered_map<int, memory> ArgumentsOf(const OneScale& one, const Device& device) {
  return {{DNNL_ARG_FROM, Holding(one.source, one.desc, device)},
          {DNNL_ARG_TO, Holding(one.target, one.desc, device)}};
}

dnnl::primitive ProductOf(const OneScale& one, const dnnl::primitive_attr& attr,
                          const Device& device) {
  using Product = dnnl::inner_product_forward;
  const memory::desc tensor = Matrix(static_cast<int64_t>(one.source.size()));
  const Product::desc op(dnnl::prop_kind::forward_inference, tensor, Matrix(1), tensor);
  return Product(Product::primitive_desc(op, attr, device.engine));
}

std::unordered_map<int, memory> ArgumentsOfProduct(const OneScale& one, const Device& device) {
  const memory::desc tensor = Matrix(static_cast<int64_t>(one.source.size()));
  return {{DNNL_ARG_SRC, Holding(one.source, tensor, device)},
          {DNNL_ARG_WEIGHTS, Holding({1.f}, Matrix(1), device)},
          {DNNL_ARG_DST, Holding(one.target, tensor, device)}};
}

std::vector<float> FloatsIn(const memory& m, size_t count) {
  float* const mapped = m.map_data<float>();
  std::vector<float> values(mapped, mapped + count);
  m.unmap_data(mapped);
  return values;
}

}  // namespace conformance
