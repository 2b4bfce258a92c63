// Gradients of weights of bf16 by the instructions that multiply pairs: of some places, channels of
// the source become rows, and those of the gradient of the result panels, of pairs of places.
#include <algorithm>
#include <cstring>

#include "api/spi/layout.h"
#include "impl_cpu/convolution/gradient.h"
#include "impl_cpu/product/kernel.h"
#include "impl_cpu/product/normal_bf16.h"

namespace impl_cpu {
namespace {

constexpr int64_t kBf16Bytes = 2;
// Fewer channels, of a group, do not fill tiles, of AMX and others.
constexpr int64_t kLeastRows = 16, kLeastJoined = 4, kLeastCols = 8;

// Places from `offsets` on, two by two, to rows of pairs: panels of channels, `panel` pairs apart.
void Join(JoinKernel join, const uint16_t* data, const int64_t* offsets, int64_t count,
          int64_t channels, int64_t to_row, int64_t panel, uint32_t* to) {
  for (int64_t i = 0; i < count;) {
    JoinShape shape;
    shape.row = i + 1 < count ? offsets[i + 1] - offsets[i] : 0;
    shape.rows = 1;
    while (i + shape.rows < count &&
           offsets[i + shape.rows] - offsets[i + shape.rows - 1] == shape.row)
      ++shape.rows;
    // The last one is joined to a place that lies elsewhere.
    if (i + shape.rows < count) shape.rows -= shape.rows % 2;
    shape.to_row = to_row;
    for (int64_t c = 0; c < channels; c += kPanel) {
      shape.cols = std::min<int64_t>(kPanel, channels - c);
      join(shape, data + offsets[i] + c, to + i / 2 * to_row + c / kPanel * panel);
    }
    i += shape.rows;
  }
}

}  // namespace

void WeightsGradient::PlanPairKernels(const spi::ConvolutionView& view) {
  if (view.src.type != spi::DataType::kBF16 || view.dst.type != spi::DataType::kBF16) return;
  const TileKernels widened = FindBf16PairTileKernels(/*widened=*/true);
  const AmxKernel amx = FindBf16AmxKernel();
  const bool fast = amx == nullptr && MultipliesBf16PairsFast();
  if (widened.max_rows == 0 || view.oc < kLeastCols) return;
  if (amx != nullptr ? view.ic < kLeastRows : !fast || view.ic < kLeastJoined) return;
  pairs_ = true;
  kernels_ = widened;
  kernels_.amx = amx;
  if (!fast) return;
  fast_ = FindBf16PairTileKernels(/*widened=*/false);
  join_ = FindJoinKernel();
}

void WeightsGradient::PlanStaged() {
  const spi::Layout source = spi::Strided(spi::DataType::kBF16, {kChunk, rows_}),
                    result = spi::Strided(spi::DataType::kBF16, {kChunk, cols_});
  turned_places_ = Index(source, {0});
  turned_rows_ = Index(source, {1});
  paired_places_ = Index(result, {0});
  paired_cols_ = Index(result, {1});
  pair_packer_ = StripPacker(spi::DataType::kBF16, /*integers=*/false);
  place_bytes_ = static_cast<size_t>(kChunk * (rows_ + cols_) * kBf16Bytes);
}

// For AMX, which wants the pairs of a row side by side.
uint16_t WeightsGradient::StagePairs(const Task& task, int64_t begin, int64_t count) const {
  int64_t from[kChunk], of[kChunk];
  LocatePlaces(task, begin, count, from, of);
  std::byte* const rows = task.staged;
  std::byte* const cols = rows + kChunk * rows_ * kBf16Bytes;
  if (task.rows < rows_) std::memset(rows, 0, static_cast<size_t>(count * rows_ * kBf16Bytes));
  for (int64_t i = 0; i < count; ++i) {
    std::memcpy(rows + i * rows_ * kBf16Bytes, task.src + from[i] * kBf16Bytes,
                static_cast<size_t>(task.rows * kBf16Bytes));
    std::memcpy(cols + i * cols_ * kBf16Bytes, task.dst + of[i] * kBf16Bytes,
                static_cast<size_t>(task.cols * kBf16Bytes));
  }
  const StripSource source = {spi::DataType::kBF16, rows, 0, &turned_places_, &turned_rows_};
  for (int64_t r = 0; r < task.rows; r += kPanel)
    pair_packer_.ToBf16Rows(source, {0, count, r, std::min<int64_t>(kPanel, task.rows - r)},
                            kPairsRow, reinterpret_cast<uint16_t*>(task.a + r * kPairsRow));
  const StripSource result = {spi::DataType::kBF16, cols, 0, &paired_places_, &paired_cols_};
  for (int64_t c = 0; c < task.cols; c += kPanel)
    pair_packer_.ToBf16Pairs(result,
                             {0, count, c, std::min<int64_t>(kPanel, task.cols - c), kPanel},
                             reinterpret_cast<uint16_t*>(task.b + c / kPanel * PanelOfChunk()));
  return LeastPartnerOf(LeastSizeOfBf16(reinterpret_cast<const uint16_t*>(rows), count * rows_));
}

uint16_t WeightsGradient::JoinPlaces(const Task& task, int64_t begin, int64_t count) const {
  int64_t from[kChunk], of[kChunk];
  LocatePlaces(task, begin, count, from, of);
  auto* const rows = reinterpret_cast<uint32_t*>(task.a);
  auto* const panels = reinterpret_cast<uint32_t*>(task.b);
  const int64_t row = FloatsRow(), pairs = (count + 1) / 2;
  Join(join_, reinterpret_cast<const uint16_t*>(task.src), from, count, task.rows, row, kPanel,
       rows);
  if (task.cols % kPanel != 0)
    std::memset(panels + task.cols / kPanel * PanelOfChunk(), 0,
                static_cast<size_t>(pairs * kPanel) * sizeof(*panels));
  Join(join_, reinterpret_cast<const uint16_t*>(task.dst), of, count, task.cols, kPanel,
       PanelOfChunk(), panels);
  return LeastPartnerOf(LeastSizeOfBf16(reinterpret_cast<const uint16_t*>(rows), 2 * pairs * row));
}

}  // namespace impl_cpu
