#include "conformance/fuzz/tensors.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace conformance {

spec::Dims DimsFrom(tools::Bytes& bytes) {
  constexpr int64_t kMostElements = 4096;
  spec::Dims dims(static_cast<size_t>(bytes.Between(1, 12)));
  int64_t count = 1;
  for (int64_t& dim : dims) {
    dim = bytes.Pick<int64_t>({1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 33, 64, 65, 0});
    if (dim > 1 && count * dim > kMostElements) dim = 1;
    count *= std::max<int64_t>(dim, 1);
  }
  return dims;
}

TensorSpec TensorFrom(tools::Bytes& bytes, const spec::Dims& dims) {
  TensorSpec tensor;
  tensor.type = bytes.Pick<spec::Type>({spec::Type::kF32, spec::Type::kBF16, spec::Type::kF16,
                                        spec::Type::kS32, spec::Type::kS8, spec::Type::kU8});
  tensor.dims = dims;
  spec::Dims outer = dims;
  if (bytes.Next() % 4 == 0) {
    LayoutSpec::Parent parent;
    for (int64_t dim : dims) {
      const int64_t before = bytes.Between(0, 2);
      parent.offsets.push_back(before);
      parent.dims.push_back(before + std::max<int64_t>(dim, 1) + bytes.Between(0, 1));
    }
    outer = parent.dims;
    // Twelve axes that all grow are more than memory holds.
    int64_t count = 1;
    for (int64_t dim : outer) count = std::min<int64_t>(count * dim, int64_t{1} << 40);
    if (count <= 1 << 20) {
      tensor.layout.parents.push_back(std::move(parent));
    } else {
      outer = dims;
    }
  }
  std::vector<int> order(dims.size());
  std::iota(order.begin(), order.end(), 0);
  for (size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[bytes.Next() % i]);
  tensor.layout.strides.resize(dims.size());
  int64_t stride = bytes.Next() % 8 == 0 ? bytes.Between(2, 5) : 1;
  int gaps = 3;
  for (int axis : order) {
    tensor.layout.strides[axis] = stride;
    stride *= std::max<int64_t>(outer[axis], 1);
    if (gaps > 0 && bytes.Next() % 8 == 0) {
      --gaps;
      stride += bytes.Between(1, 9);
    }
  }
  return tensor;
}

void MustHold(const Trial& trial, const std::string& line) {
  if (!trial.failed()) return;
  std::fprintf(stderr, "%s\nat        %s\nexpected  %s\ngot       %s\n", line.c_str(),
               trial.where().c_str(), trial.expected().c_str(), trial.got().c_str());
  std::abort();
}

}  // namespace conformance
