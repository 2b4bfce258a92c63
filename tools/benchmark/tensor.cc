#include <cstddef>
#include <cstdint>
#include <string>

#include "tools/benchmark/cases.h"

namespace bench {

int64_t SizeOf(const std::string& type) {
  return type == "f32" || type == "s32" ? 4 : type == "bf16" || type == "f16" ? 2 : 1;
}

int64_t Tensor::bytes() const {
  int64_t count = 1;
  for (int64_t d : dims) count *= d;
  return count * SizeOf(type);
}

int64_t Tensor::span_bytes() const {
  int64_t last = 0;
  for (size_t i = 0; i < dims.size(); ++i) last += (dims[i] - 1) * strides[i];
  return (last + 1) * SizeOf(type);
}

Tensor Dense(const std::string& type, const Dims& dims, const std::string& word) {
  Tensor tensor{type, dims, Dims(dims.size())};
  int64_t stride = 1;
  for (size_t i = word.size(); i-- > 0;) {
    const size_t axis = static_cast<size_t>(word[i] - 'a');
    tensor.strides[axis] = stride;
    stride *= dims[axis];
  }
  return tensor;
}

}  // namespace bench
