// Tensors to dense storage and back: copies of rows.
#ifndef DNNSPEC_EXAMPLES_PLUGIN_XNNPACK_COPIES_H_
#define DNNSPEC_EXAMPLES_PLUGIN_XNNPACK_COPIES_H_

#include "api/spi/plugin_abi.h"
#include "examples/plugin-cpu/tensors.h"
#include "examples/plugin-xnnpack/operators.h"

namespace plugin {

// Bits go to the places with the same indices. Types are of one size.
void Copy(const Tensor& src, const dnnspec_argument& from, const Tensor& dst,
          const dnnspec_argument& to);

// All elements of a tensor of f32, the last axis innermost, and back.
Floats Gather(const Tensor& tensor, const dnnspec_argument& argument);
void Scatter(const Floats& values, const Tensor& tensor, const dnnspec_argument& argument);

}  // namespace plugin

#endif  // DNNSPEC_EXAMPLES_PLUGIN_XNNPACK_COPIES_H_
