#include "impl_cpu/convolution/weights_layout.h"

#include "impl_cpu/product/kernel.h"
#include "impl_cpu/product/product_plan.h"

namespace impl_cpu {

WeightsAxes AxesOf(const spi::ConvolutionView& view, bool inputs) {
  const int first = view.grouped ? 1 : 0, outputs = first, ins = first + 1;
  WeightsAxes axes;
  for (int j = 0; j < view.spatial; ++j) axes.rows.push_back(first + 2 + j);
  axes.rows.push_back(inputs ? outputs : ins);
  axes.cols.push_back(inputs ? ins : outputs);
  return axes;
}

spi::Layout PanelsOf(const spi::ConvolutionView& view, bool inputs, spi::DataType type, int side) {
  const WeightsAxes axes = AxesOf(view, inputs);
  absl::InlinedVector<spi::Block, 2> blocks{{axes.cols[0], kPanel}};
  if (side > 1) blocks.push_back({axes.rows.back(), side});
  absl::InlinedVector<int, 6> order;
  if (view.grouped) order.push_back(0);
  order.push_back(axes.cols[0]);
  order.insert(order.end(), axes.rows.begin(), axes.rows.end());
  spi::Layout layout = view.weights;
  layout.type = type;
  return Ordered(layout, blocks, order);
}

spi::Layout ChannelsInTaps(const spi::ConvolutionView& view, bool inputs, spi::DataType type) {
  const WeightsAxes axes = AxesOf(view, inputs);
  absl::InlinedVector<int, 6> order(axes.rows.begin(), axes.rows.end());
  if (view.grouped) order.push_back(0);
  order.push_back(axes.cols[0]);
  spi::Layout layout = view.weights;
  layout.type = type;
  return Ordered(layout, {}, order);
}

}  // namespace impl_cpu
