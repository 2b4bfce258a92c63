// XNNPACK's operators, each made and run at once: XNNPACK packs weights when an operator is made,
// and here weights come at execution. Strides and steps count elements.
#ifndef DNNSPEC_EXAMPLES_PLUGIN_XNNPACK_OPERATORS_H_
#define DNNSPEC_EXAMPLES_PLUGIN_XNNPACK_OPERATORS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "examples/plugin-cpu/tensors.h"

namespace plugin {

// False on a processor that XNNPACK does not run on.
bool Initialize();

// Elements of `size` bytes, whatever they mean.
void CopyRows(int64_t size, const Rows& rows, const void* src, void* dst);
// Pixels whose channels are a matrix of groups, transposed. `size` is 1 or 4, and there are at
// least two groups of two channels.
void ShuffleChannels(int64_t size, size_t groups, size_t group_channels, const Rows& pixels,
                     const void* src, void* dst);

// Storage beyond whose end XNNPACK may read.
class Floats {
 public:
  explicit Floats(int64_t count);

  size_t size() const { return count_; }
  float* data() { return values_.data(); }
  const float* data() const { return values_.data(); }

 private:
  size_t count_;
  std::vector<float> values_;
};

// One number.
Floats Only(float value);

enum class Unary { kAbs, kClamp, kRound, kSquare };
// Of a clamp, which differ.
struct Bounds {
  float low, high;
};
void Apply(Unary unary, const Bounds& bounds, const Floats& src, Floats* dst);

enum class Binary { kAdd, kMultiply };
// Of two operands the second one may have a single element.
void Apply(Binary binary, const Floats& a, const Floats& b, Floats* dst);

// src {rows, inputs}, weights {outputs, inputs}, dst {rows, outputs}; no bias is null.
void Multiply(size_t rows, size_t inputs, size_t outputs, const Floats& src, const Floats& weights,
              const float* bias, Floats* dst);

// Of a picture whose channels are innermost.
struct Convolution2d {
  struct Axis {
    uint32_t before, after;  // padding
    uint32_t taps, stride, step;
    size_t extent;  // of the source
  };
  Axis rows, columns;
  size_t batch;
  uint32_t groups;
  size_t inputs, outputs;  // channels of a group
};

// weights {groups, outputs, rows, columns, inputs}
void Convolve(const Convolution2d& convolution, const Floats& src, const Floats& weights,
              const float* bias, Floats* dst);

}  // namespace plugin

#endif  // DNNSPEC_EXAMPLES_PLUGIN_XNNPACK_OPERATORS_H_
