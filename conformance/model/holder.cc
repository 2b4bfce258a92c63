#include "conformance/model/holder.h"

#include <cstring>

#include "conformance/case/random.h"
#include "conformance/subject/tensor.h"
#include "spec/memory/oracle.h"

namespace conformance {

using dnnl::memory;

int64_t Reach(const TensorSpec& tensor) { return spec::LeastSizeInBytes(PlainOf(tensor), 1); }

memory::desc Flat(spec::Type type, int64_t elements) {
  return memory::desc({elements}, DataTypeOf(type), memory::format_tag::a);
}

memory::desc Rows(const memory::dims& dims) {
  memory::dims strides(dims.size(), 1);
  for (size_t axis = dims.size(); axis-- > 1;) strides[axis - 1] = strides[axis] * dims[axis];
  return memory::desc(dims, memory::data_type::f32, strides);
}

Holder::Holder(const memory::desc& desc, const Device& device, uint64_t seed)
    : held(desc, device.engine), bytes(desc.get_size()) {
  for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<uint8_t>(Mix(seed + i));
  Upload();
}

void Holder::Put(const TensorSpec& tensor, const std::vector<spec::Bits>& values) {
  const std::vector<int64_t> offsets = OffsetsOf(PlainOf(tensor));
  const int size = spec::BytesOf(tensor.type);
  for (size_t k = 0; k < values.size(); ++k)
    std::memcpy(&bytes[static_cast<size_t>(offsets[k] * size)], &values[k],
                static_cast<size_t>(size));
}

void Holder::Upload() {
  if (bytes.empty()) return;
  auto* const mapped = held.map_data<uint8_t>();
  std::memcpy(mapped, bytes.data(), bytes.size());
  held.unmap_data(mapped);
}

bool Holder::Holds(const std::string& name, Trial& trial) const {
  if (bytes.empty()) return true;
  auto* const mapped = held.map_data<uint8_t>();
  const std::vector<uint8_t> got(mapped, mapped + bytes.size());
  held.unmap_data(mapped);
  for (size_t i = 0; i < got.size(); ++i)
    if (!trial.Expect(got[i] == bytes[i], name + ", byte " + std::to_string(i),
                      std::to_string(bytes[i]), std::to_string(got[i])))
      return false;
  return true;
}

memory Holder::As(const memory::desc& desc, const Device& device) const {
  return memory(desc, device.engine, held.get_data_handle());
}

}  // namespace conformance
