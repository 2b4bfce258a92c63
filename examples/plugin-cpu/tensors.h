// Tensors as a plug-in reads them: plain layouts as lists of axes, and walks over two of them at
// once. Extents, strides and offsets count elements.
#ifndef DNNSPEC_EXAMPLES_PLUGIN_CPU_TENSORS_H_
#define DNNSPEC_EXAMPLES_PLUGIN_CPU_TENSORS_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "api/spi/plugin_abi.h"

struct dnnspec_buffer {
  void* data;
  bool owned;
};

namespace plugin {

struct Axis {
  int64_t extent, stride;
};

// A plain layout: axes from the outermost on.
struct Tensor {
  int32_t type = 0;
  std::vector<Axis> axes;
  int64_t offset = 0;
};

bool IsEmpty(const Tensor& tensor);

int64_t Elements(const std::vector<Axis>& axes);

// Of an element, in bytes.
int64_t SizeOf(int32_t type);

// The tensor of an argument; nothing where it is absent, not plain, or newer than this plug-in.
std::optional<Tensor> Read(const dnnspec_operation& operation, int32_t argument);
std::optional<Tensor> ReadLayout(const dnnspec_layout& layout);

// Axes of a dense tensor, the last one innermost.
std::vector<Axis> Dense(const std::vector<Axis>& axes);

// Calls f(a, b) with the offsets of each index of the axes, which have equal extents.
template <typename F>
void ForEach(const std::vector<Axis>& a, const std::vector<Axis>& b, size_t axis, int64_t at_a,
             int64_t at_b, const F& f) {
  if (axis == a.size()) return f(at_a, at_b);
  for (int64_t i = 0; i < a[axis].extent; ++i)
    ForEach(a, b, axis + 1, at_a + i * a[axis].stride, at_b + i * b[axis].stride, f);
}

// Takes the two axes out of which matrices are made: the one that is densest in either.
struct Split {
  std::vector<Axis> outer_a, outer_b;
  std::array<Axis, 2> a = {{{1, 0}, {1, 0}}}, b = {{{1, 0}, {1, 0}}};
};

Split SplitOf(std::vector<Axis> a, std::vector<Axis> b);

// Whether elements of a row are adjacent, and rows are apart.
bool AreRows(const Axis& rows, const Axis& elements);

// As many rows of elements in either of two tensors; steps lie between rows.
struct Rows {
  int64_t count, length, src_step, dst_step;
};

// Calls f(at source, at destination, rows) for two axes, the first one that of rows; where they are
// none, each element is one.
template <typename F>
void ForRows(const std::array<Axis, 2>& src, const std::array<Axis, 2>& dst, const F& f) {
  if (AreRows(src[0], src[1]) && AreRows(dst[0], dst[1]))
    return f(0, 0, Rows{src[0].extent, src[1].extent, src[0].stride, dst[0].stride});
  for (int64_t i = 0; i < src[0].extent; ++i) {
    const int64_t at_src = i * src[0].stride, at_dst = i * dst[0].stride;
    // What repeats an element has no rows that are apart.
    const bool apart = src[1].stride > 0 || src[1].extent == 1;
    if (apart) f(at_src, at_dst, Rows{src[1].extent, 1, src[1].stride, dst[1].stride});
    for (int64_t j = 0; j < src[1].extent && !apart; ++j)
      f(at_src, at_dst + j * dst[1].stride, Rows{1, 1, 1, 1});
  }
}

// Runs f with a pointer to an integer of the size of the type: what only moves is bits.
template <typename F>
void ForBits(int32_t type, const F& f) {
  if (type == DNNSPEC_U8 || type == DNNSPEC_S8) return f(static_cast<uint8_t*>(nullptr));
  if (type == DNNSPEC_F16 || type == DNNSPEC_BF16) return f(static_cast<uint16_t*>(nullptr));
  f(static_cast<uint32_t*>(nullptr));
}

template <typename T>
T* DataOf(const dnnspec_argument& argument, const Tensor& tensor) {
  return static_cast<T*>(argument.buffer->data) + tensor.offset;
}

uint8_t* StartOf(const Tensor& tensor, const dnnspec_argument& argument);

}  // namespace plugin

#endif  // DNNSPEC_EXAMPLES_PLUGIN_CPU_TENSORS_H_
