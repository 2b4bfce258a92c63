// A header of a framework that names the library's classes without including it, as MXNet's does.
#ifndef DNNSPEC_API_CONSUMERS_NDARRAY_H_
#define DNNSPEC_API_CONSUMERS_NDARRAY_H_

#include <cstddef>
#include <memory>
#include <vector>

namespace dnnl {
struct memory;
struct primitive;
struct convolution_forward;
}  // namespace dnnl

class NDArray {
 public:
  NDArray(std::vector<long> shape, const std::vector<float>& values);

  // Its memory, in its own layout.
  const dnnl::memory* GetDNNLData() const;
  // A copy in the layout of `like`.
  NDArray Reorder(const dnnl::memory& like) const;
  const float* data() const { return values_->data(); }
  std::size_t size() const { return values_->size(); }

 private:
  std::vector<long> shape_;
  std::shared_ptr<std::vector<float>> values_;
  std::shared_ptr<dnnl::memory> memory_;
};

#endif  // DNNSPEC_API_CONSUMERS_NDARRAY_H_
