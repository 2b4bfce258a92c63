// Gives a library that is wrong on purpose access to the tensors of an execution, by the C API of
// stock oneDNN: copies of memory, elements of plain layouts, arguments.
#ifndef DNNSPEC_CONFORMANCE_TESTING_TENSORS_H_
#define DNNSPEC_CONFORMANCE_TESTING_TENSORS_H_

#include <cstdint>
#include <cstring>
#include <vector>

#include "oneapi/dnnl/dnnl.h"

namespace wrong {

// A memory object of the library's own.
class Scratch {
 public:
  Scratch() = default;
  ~Scratch() {
    if (memory_ != nullptr) dnnl_memory_destroy(memory_);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  // Like `from`, with the same contents.
  dnnl_memory_t CopyOf(const_dnnl_memory_t from) {
    const dnnl_memory_desc_t* desc = nullptr;
    dnnl_engine_t engine = nullptr;
    void *source = nullptr, *copy = nullptr;
    dnnl_memory_get_memory_desc(from, &desc);
    dnnl_memory_get_engine(from, &engine);
    dnnl_memory_create(&memory_, desc, engine, DNNL_MEMORY_ALLOCATE);
    dnnl_memory_get_data_handle(from, &source);
    dnnl_memory_get_data_handle(memory_, &copy);
    std::memcpy(copy, source, dnnl_memory_desc_get_size(desc));
    return memory_;
  }

 private:
  dnnl_memory_t memory_ = nullptr;
};

// One f32 tensor in a plain layout, by its elements.
class Tensor {
 public:
  explicit Tensor(const_dnnl_memory_t memory) {
    const dnnl_memory_desc_t* desc = nullptr;
    if (memory == nullptr || dnnl_memory_get_memory_desc(memory, &desc) != dnnl_success) return;
    desc_ = *desc;
    void* handle = nullptr;
    dnnl_memory_get_data_handle(memory, &handle);
    data_ = static_cast<float*>(handle);
    plain_ = desc_.data_type == dnnl_f32 && desc_.format_kind == dnnl_blocked &&
             desc_.format_desc.blocking.inner_nblks == 0 && desc_.extra.flags == 0;
  }

  bool plain() const { return plain_; }
  int rank() const { return desc_.ndims; }
  dnnl_dim_t dim(int axis) const { return desc_.dims[axis]; }
  dnnl_dim_t stride(int axis) const { return desc_.format_desc.blocking.strides[axis]; }
  float* data() const { return data_ + desc_.offset0; }

  int64_t count() const {
    int64_t count = 1;
    for (int axis = 0; axis < rank(); ++axis) count *= dim(axis);
    return count;
  }
  // Element number `k`, row-major.
  float& operator[](int64_t k) const {
    int64_t offset = 0;
    for (int axis = rank(); axis-- > 0; k /= dim(axis)) offset += k % dim(axis) * stride(axis);
    return data()[offset];
  }
  std::vector<float> Values() const {
    std::vector<float> values;
    for (int64_t k = 0; k < count(); ++k) values.push_back((*this)[k]);
    return values;
  }

 private:
  dnnl_memory_desc_t desc_ = {};
  float* data_ = nullptr;
  bool plain_ = false;
};

inline dnnl_memory_t Find(const std::vector<dnnl_exec_arg_t>& arguments, int number) {
  for (const dnnl_exec_arg_t& argument : arguments)
    if (argument.arg == number) return argument.memory;
  return nullptr;
}

inline void Replace(std::vector<dnnl_exec_arg_t>* arguments, int number, dnnl_memory_t memory) {
  for (dnnl_exec_arg_t& argument : *arguments)
    if (argument.arg == number) argument.memory = memory;
}

}  // namespace wrong

#endif  // DNNSPEC_CONFORMANCE_TESTING_TENSORS_H_
