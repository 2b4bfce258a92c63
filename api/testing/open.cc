#include "api/testing/open.h"

namespace spi {

Layout ChannelsLast(DataType type, absl::Span<const int64_t> dims) {
  Layout layout = Strided(type, dims);
  int64_t stride = dims[1];
  layout.strides[1] = 1;
  for (size_t axis = dims.size(); axis-- > 2; stride *= dims[axis]) layout.strides[axis] = stride;
  layout.strides[0] = stride;
  return layout;
}

Layout LayoutFor(DataType type, absl::Span<const int64_t> dims, bool open, bool channels_last) {
  if (open) return Any(type, dims);
  return channels_last ? ChannelsLast(type, dims) : Strided(type, dims);
}

}  // namespace spi
