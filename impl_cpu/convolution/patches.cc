#include "impl_cpu/convolution/patches.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "impl_cpu/product/index.h"
#include "impl_cpu/product/kernel.h"
#include "impl_cpu/product/pack.h"
#include "impl_cpu/product/product_plan.h"

namespace impl_cpu {
namespace {

// Of those whose places are known at once.
constexpr size_t kTapRows = 16;

// Few lines, for which a call would take longer.
inline void CopyBytes(const std::byte* from, int64_t bytes, std::byte* to) {
  constexpr int64_t kLine = 64;
  for (; bytes >= kLine; bytes -= kLine, from += kLine, to += kLine) std::memcpy(to, from, kLine);
  if (bytes > 0) std::memcpy(to, from, static_cast<size_t>(bytes));
}

}  // namespace

bool HasChannelRows(const spi::Layout& layout, ChannelRows* rows) {
  for (int axis = 0; axis < layout.rank; ++axis) {
    const Index index(layout, {axis});
    if (!index.strided()) return false;
    if (axis == 1 && index.stride() != 1) return false;
    const int64_t stride = layout.dims[static_cast<size_t>(axis)] > 1 ? index.stride() : 0;
    if (axis == 0) rows->batch = stride;
    if (axis > 1) rows->spatial[static_cast<size_t>(3 - layout.rank + axis)] = stride;
  }
  rows->type = layout.type;
  rows->offset = layout.offset;
  return true;
}

spi::Layout ChannelsLast(const spi::Layout& layout, int64_t side) {
  std::vector<int> axes{0};
  for (int axis = 2; axis < layout.rank; ++axis) axes.push_back(axis);
  axes.push_back(1);
  if (side == 1) return Ordered(layout, {}, axes);
  return Ordered(layout, {{1, static_cast<int>(side)}}, axes);
}

int64_t PlaceRow(int64_t channels) {
  constexpr int64_t kFar = kFarBytes / sizeof(float);
  const bool far = channels > 0 && channels % kFar == 0;
  return channels + (far ? kPanel : 0);
}

spi::Layout PlaceRows(const spi::Layout& layout) {
  spi::Layout rows = ChannelsLast(layout);
  rows.type = spi::DataType::kF32;
  const int64_t channels = layout.dims[1], row = PlaceRow(channels);
  if (row == channels) return rows;
  for (int axis = 0; axis < layout.rank; ++axis) {
    int64_t& stride = rows.strides[static_cast<size_t>(axis)];
    if (axis != 1) stride = stride / channels * row;
  }
  return rows;
}

PatchPacker::PatchPacker(spi::DataType type, PatchForm form)
    : source_bytes_(spi::SizeOf(type)),
      element_bytes_(form == PatchForm::kF32     ? 4
                     : form == PatchForm::kQuads ? 1
                                                 : 2),
      flips_(form == PatchForm::kQuads && type == spi::DataType::kS8),
      copies_(element_bytes_ == source_bytes_) {
  if (form == PatchForm::kPairs) {
    pairs_ = FindPairKernels(type);
  } else if (form == PatchForm::kF32 && type != spi::DataType::kF32) {
    widen_ = FindConvertKernel(type, spi::DataType::kF32, ConvertMode::kCopy, spi::DataType::kF32);
  }
}

void PatchPacker::Copy(const std::byte* from, int64_t count, std::byte* to) const {
  if (widen_ != nullptr) {
    ConvertShape shape;
    shape.cols = count;
    widen_(shape, from, to, nullptr);
  } else if (pairs_.widen != nullptr) {
    pairs_.widen(from, count, reinterpret_cast<int16_t*>(to));
  } else {
    std::memcpy(to, from, static_cast<size_t>(count * source_bytes_));
  }
}

// A place of the walk, and where what it reads would begin without taps.
struct PatchPacker::Place {
  std::array<int64_t, 3> at;  // j * step of each axis
  int64_t offset;             // of its batch and the group
};

void PatchPacker::Pack(const Piece& piece, const std::byte* from, int64_t row,
                       std::byte* to) const {
  const std::array<WalkAxis, 3>& axes = piece.walk->axes;
  const auto taps_h = static_cast<int64_t>(axes[1].taps.size());
  const int64_t of_row = static_cast<int64_t>(axes[2].taps.size()) * piece.padded;
  const int64_t end = piece.k0 + piece.depth;
  std::array<TapRow, kTapRows> tap_rows;
  for (int64_t k = piece.k0; k < end;) {
    std::byte* const at = to + (k - piece.k0) * element_bytes_;
    size_t count = 0;
    for (; k < end && count < kTapRows; ++count) {
      const int64_t tap = k / of_row, first = k % of_row, last = std::min(of_row, first + end - k);
      tap_rows[count] = {axes[0].taps[static_cast<size_t>(tap / taps_h)].base,
                         axes[1].taps[static_cast<size_t>(tap % taps_h)].base, first, last};
      k += last - first;
    }
    PackTapRows(piece, {tap_rows.data(), count}, from, row, at);
  }
}

void PatchPacker::PackTapRows(const Piece& piece, TapRows tap_rows, const std::byte* from,
                              int64_t row, std::byte* to) const {
  const std::array<WalkAxis, 3>& axes = piece.walk->axes;
  auto [batch, j] = piece.walk->PlaceOf(piece.begin);
  const ChannelRows& rows = *piece.rows;
  // Whether what neighbouring taps of a row read is one run.
  const auto taps_w = static_cast<int64_t>(axes[2].taps.size());
  const bool runs = rows.spatial[2] == piece.channels && piece.padded == piece.channels &&
                    axes[2].highest - axes[2].lowest == taps_w - 1 &&
                    axes[2].taps.front().base == axes[2].lowest;
  Place place;
  place.offset = rows.offset + piece.first + batch * rows.batch;
  for (int64_t i = 0; i < piece.count; ++i, to += row) {
    for (size_t a = 0; a < 3; ++a) place.at[a] = j[a] * axes[a].step;
    PackPlace(piece, tap_rows, runs, place, from, to);
    if (++j[2] < axes[2].count) continue;
    j[2] = 0;
    if (++j[1] < axes[1].count) continue;
    j[1] = 0;
    if (++j[0] < axes[0].count) continue;
    j[0] = 0;
    place.offset += rows.batch;
  }
}

void PatchPacker::PackPlace(const Piece& piece, TapRows tap_rows, bool runs, const Place& place,
                            const std::byte* from, std::byte* to) const {
  const std::array<WalkAxis, 3>& axes = piece.walk->axes;
  const ChannelRows& rows = *piece.rows;
  for (const TapRow& row : tap_rows) {
    const int64_t d = place.at[0] + row.depth, h = place.at[1] + row.down;
    const bool exists = d >= 0 && d < axes[0].extent && h >= 0 && h < axes[1].extent;
    const std::byte* const at =
        from + (place.offset + d * rows.spatial[0] + h * rows.spatial[1]) * source_bytes_;
    const int64_t base = place.at[2] + axes[2].lowest;
    if (!exists) {
      Clear(row.last - row.first, to);
    } else if (runs && copies_ && base >= 0 && place.at[2] + axes[2].highest < axes[2].extent) {
      CopyBytes(at + (base * piece.padded + row.first) * source_bytes_,
                (row.last - row.first) * source_bytes_, to);
    } else if (runs) {
      PackRun(piece, base, at, row.first, row.last, to);
    } else {
      PackTaps(piece, place.at[2], at, row.first, row.last, to);
    }
    if (flips_) AddSignBit(to, row.last - row.first);
    to += (row.last - row.first) * element_bytes_;
  }
}

void PatchPacker::PackRun(const Piece& piece, int64_t base, const std::byte* row, int64_t first,
                          int64_t last, std::byte* to) const {
  const int64_t depth = piece.padded, extent = piece.walk->axes[2].extent;
  const int64_t begin = std::clamp(-base * depth, first, last);
  const int64_t end = std::clamp((extent - base) * depth, begin, last);
  if (begin > first) Clear(begin - first, to);
  if (end > begin)
    Copy(row + (base * depth + begin) * source_bytes_, end - begin,
         to + (begin - first) * element_bytes_);
  if (last > end) Clear(last - end, to + (end - first) * element_bytes_);
}

void PatchPacker::PackTaps(const Piece& piece, int64_t at, const std::byte* row, int64_t first,
                           int64_t last, std::byte* to) const {
  const WalkAxis& axis = piece.walk->axes[2];
  for (int64_t k = first; k < last;) {
    const int64_t w = at + axis.taps[static_cast<size_t>(k / piece.padded)].base;
    const int64_t channel = k % piece.padded, count = std::min(piece.padded - channel, last - k);
    int64_t copied = 0;
    if (w >= 0 && w < axis.extent) {
      copied = std::clamp<int64_t>(piece.channels - channel, 0, count);
      Copy(row + (w * piece.rows->spatial[2] + channel) * source_bytes_, copied, to);
    }
    Clear(count - copied, to + copied * element_bytes_);
    to += count * element_bytes_;
    k += count;
  }
}

void PatchPacker::Clear(int64_t count, std::byte* to) const {
  std::memset(to, 0, static_cast<size_t>(count * element_bytes_));
}

}  // namespace impl_cpu
