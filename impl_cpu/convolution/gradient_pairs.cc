// Gradients of weights of bf16 by AMX: of some places, channels of the source become rows, and
// those of the gradient of the result panels, of pairs of places.
#include <algorithm>
#include <cstring>

#include "api/spi/layout.h"
#include "impl_cpu/convolution/gradient.h"
#include "impl_cpu/product/normal_bf16.h"

namespace impl_cpu {
namespace {

constexpr int64_t kBf16Bytes = 2;
// Fewer channels, of a group, do not fill tiles.
constexpr int64_t kLeastRows = 16, kLeastCols = 8;

}  // namespace

bool WeightsGradient::IsForAmx(const spi::ConvolutionView& view) {
  return view.src.type == spi::DataType::kBF16 && view.dst.type == spi::DataType::kBF16 &&
         view.ic >= kLeastRows && view.oc >= kLeastCols && FindBf16AmxKernel() != nullptr;
}

void WeightsGradient::PlanPairs() {
  const spi::Layout source = spi::Strided(spi::DataType::kBF16, {kChunk, rows_}),
                    result = spi::Strided(spi::DataType::kBF16, {kChunk, cols_});
  turned_places_ = Index(source, {0});
  turned_rows_ = Index(source, {1});
  paired_places_ = Index(result, {0});
  paired_cols_ = Index(result, {1});
  pair_packer_ = StripPacker(spi::DataType::kBF16, /*integers=*/false);
  place_bytes_ = static_cast<size_t>(kChunk * (rows_ + cols_) * kBf16Bytes);
}

uint16_t WeightsGradient::PackPairs(const Task& task, int64_t begin, int64_t count) const {
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

}  // namespace impl_cpu
