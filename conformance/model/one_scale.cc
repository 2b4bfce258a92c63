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

std::unordered_map<int, memory> ArgumentsOf(const OneScale& one, const Device& device) {
  const memory from(one.desc, device.engine), to(one.desc, device.engine);
  float* mapped = from.map_data<float>();
  std::copy(one.source.begin(), one.source.end(), mapped);
  from.unmap_data(mapped);
  mapped = to.map_data<float>();
  std::copy(one.target.begin(), one.target.end(), mapped);
  to.unmap_data(mapped);
  return {{DNNL_ARG_FROM, from}, {DNNL_ARG_TO, to}};
}

std::vector<float> FloatsIn(const memory& m, size_t count) {
  float* const mapped = m.map_data<float>();
  std::vector<float> values(mapped, mapped + count);
  m.unmap_data(mapped);
  return values;
}

}  // namespace conformance
