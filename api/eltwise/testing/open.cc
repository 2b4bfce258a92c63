#include "api/eltwise/testing/open.h"

#include <cstdint>

#include "api/eltwise/operation.h"
#include "api/spi/attributes.h"
#include "api/spi/layout.h"
#include "api/testing/open.h"

namespace spi {
namespace {

// Row-major, channels last, blocked with padding, every second row.
std::vector<Layout> DataLayouts(DataType type) {
  std::vector<Layout> layouts;
  for (const std::vector<int64_t>& dims :
       {std::vector<int64_t>{3, 17}, std::vector<int64_t>{2, 20, 5, 4}}) {
    layouts.push_back(Strided(type, dims));
    layouts.push_back(ChannelsLast(type, dims));
    layouts.push_back(Strided(type, dims, {{1, 16}}));
    layouts.push_back(Strided(type, dims));
    layouts.back().strides[0] *= 2;
    layouts.back().offset = 6;
  }
  return layouts;
}

}  // namespace

// Backward alone takes `any`, for its gradients.
std::vector<Operation> OpenEltwise() {
  std::vector<Operation> operations;
  for (const Algorithm algorithm : {Algorithm::kEltwiseRelu, Algorithm::kEltwiseTanhUseDstForBwd})
    for (const DataType type : {DataType::kF32, DataType::kBF16, DataType::kS32})
      for (const Layout& data : DataLayouts(type)) {
        const Layout open = Any(type, {data.dims.data(), data.rank});
        operations.push_back(MakeEltwiseBackward({algorithm, 0, 0}, data, open, open));
      }
  return operations;
}

}  // namespace spi
