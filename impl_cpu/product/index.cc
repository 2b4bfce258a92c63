#include "impl_cpu/product/index.h"

#include <algorithm>
#include <cstddef>

namespace impl_cpu {
namespace {

bool IsPlain(const spi::Digits& digits) { return digits.end() - digits.begin() == 1; }

}  // namespace

Index::Index(const spi::Layout& layout, absl::Span<const int> axes) {
  for (const int axis : axes) {
    const int64_t extent = layout.dims[static_cast<size_t>(axis)];
    size_ *= extent;
    if (extent != 1) axes_.push_back({extent, spi::Digits(layout, axis, extent)});
  }
  int64_t extent = 1;
  for (size_t j = axes_.size(); j-- > 0;) {
    const int64_t stride = axes_[j].digits.inner_stride();
    if (j == axes_.size() - 1) stride_ = stride;
    strided_ = strided_ && IsPlain(axes_[j].digits) && stride == stride_ * extent;
    extent *= axes_[j].extent;
  }
}

int64_t Index::LinesApart(int64_t line, int64_t step) const {
  if (strided_) return stride_ == step ? line * step : 0;
  if (axes_.size() != 1) return 0;
  const spi::Digits& digits = axes_[0].digits;
  const spi::Digit* const outer = digits.begin() + 1;
  const bool lines = digits.inner_stride() == step && digits.end() == outer + 1;
  return lines && outer->period == line ? outer->stride : 0;
}

Index::Run Index::RunFrom(int64_t begin, int64_t limit) const {
  if (strided_) return {begin * stride_, std::min(limit, size_ - begin), stride_};
  int64_t offset = 0, rest = begin;
  for (size_t j = axes_.size(); j-- > 0;) {
    offset += axes_[j].digits.OffsetOf(rest % axes_[j].extent);
    rest /= axes_[j].extent;
  }
  const Axis& last = axes_.back();
  const int64_t at = begin % last.extent;
  const int64_t left = std::min(last.extent - at, last.digits.LeftInBlock(at, last.extent - at));
  return {offset, std::min(limit, left), last.digits.inner_stride()};
}

void Index::Offsets(int64_t begin, int64_t count, int64_t* offsets) const {
  for (int64_t done = 0; done < count;) {
    const Run run = RunFrom(begin + done, count - done);
    int64_t at = run.offset;
    for (int64_t i = 0; i < run.count; ++i, at += run.stride) offsets[done + i] = at;
    done += run.count;
  }
}

}  // namespace impl_cpu
