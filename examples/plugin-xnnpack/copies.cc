#include "examples/plugin-xnnpack/copies.h"

#include <cstdint>
#include <vector>

namespace plugin {
namespace {

void CopyAxes(int64_t size, const uint8_t* from, const std::vector<Axis>& src, uint8_t* to,
              const std::vector<Axis>& dst) {
  const Split split = SplitOf(src, dst);
  ForEach(split.outer_a, split.outer_b, 0, 0, 0, [&](int64_t at_src, int64_t at_dst) {
    ForRows(split.a, split.b, [&](int64_t further_src, int64_t further_dst, const Rows& rows) {
      CopyRows(size, rows, from + (at_src + further_src) * size,
               to + (at_dst + further_dst) * size);
    });
  });
}

}  // namespace

void Copy(const Tensor& src, const dnnspec_argument& from, const Tensor& dst,
          const dnnspec_argument& to) {
  CopyAxes(SizeOf(src.type), StartOf(src, from), src.axes, StartOf(dst, to), dst.axes);
}

Floats Gather(const Tensor& tensor, const dnnspec_argument& argument) {
  Floats values(Elements(tensor.axes));
  CopyAxes(sizeof(float), StartOf(tensor, argument), tensor.axes,
           reinterpret_cast<uint8_t*>(values.data()), Dense(tensor.axes));
  return values;
}

void Scatter(const Floats& values, const Tensor& tensor, const dnnspec_argument& argument) {
  CopyAxes(sizeof(float), reinterpret_cast<const uint8_t*>(values.data()), Dense(tensor.axes),
           StartOf(tensor, argument), tensor.axes);
}

}  // namespace plugin
