#include "spec/memory/blocks.h"

namespace spec {

Dims PaddedDims(const Blocked& layout) {
  Dims padded = layout.dims;
  for (size_t j = 0; j < padded.size(); ++j) {
    int64_t size = 1;
    for (const Block& block : layout.blocks) {
      if (block.axis == static_cast<int>(j)) size *= block.size;
    }
    padded[j] = (padded[j] + size - 1) / size * size;
  }
  return padded;
}

int64_t OffsetOf(const Blocked& layout, const Dims& x) {
  Dims rest = x;
  int64_t offset = layout.offset, step = 1;
  for (size_t k = layout.blocks.size(); k-- > 0;) {
    const Block& block = layout.blocks[k];
    int64_t& index = rest[static_cast<size_t>(block.axis)];
    offset += index % block.size * step;
    index /= block.size;
    step *= block.size;
  }
  for (size_t j = 0; j < rest.size(); ++j) offset += rest[j] * layout.strides[j];
  return offset;
}

Places PlacesOf(const Blocked& layout) {
  Places places;
  if (IsEmpty(layout.dims)) return places;
  const Dims padded = PaddedDims(layout);
  Dims x(layout.dims.size(), 0);
  do {
    bool inside = true;
    for (size_t j = 0; j < x.size(); ++j) inside = inside && x[j] < layout.dims[j];
    (inside ? places.elements : places.padding).push_back(OffsetOf(layout, x));
  } while (Next(padded, &x));
  return places;
}

}  // namespace spec
