// The axes of weights, and how tiles want to find them.
#ifndef DNNSPEC_IMPL_CPU_CONVOLUTION_WEIGHTS_LAYOUT_H_
#define DNNSPEC_IMPL_CPU_CONVOLUTION_WEIGHTS_LAYOUT_H_

#include "absl/container/inlined_vector.h"
#include "api/convolution/operation.h"
#include "api/spi/layout.h"
#include "api/spi/types.h"

namespace impl_cpu {

// As rows and columns of a matrix: rows are spatial axes and the channels that are read, columns
// the channels that are computed. `inputs`: the latter are those of the source.
struct WeightsAxes {
  absl::InlinedVector<int, 4> rows;
  absl::InlinedVector<int, 1> cols;
};
WeightsAxes AxesOf(const spi::ConvolutionView& view, bool inputs);

// Without gaps: groups, panels of columns, rows, `side` of the channels that are read side by side.
spi::Layout PanelsOf(const spi::ConvolutionView& view, bool inputs, spi::DataType type, int side);

// Taps, then the channels of a group that are read, each with all that are computed.
spi::Layout ChannelsInTaps(const spi::ConvolutionView& view, bool inputs, spi::DataType type);

}  // namespace impl_cpu

#endif  // DNNSPEC_IMPL_CPU_CONVOLUTION_WEIGHTS_LAYOUT_H_
