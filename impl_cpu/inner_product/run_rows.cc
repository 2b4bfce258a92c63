// The rows of a product as tiles read them, where they do not lie so.
#include <algorithm>
#include <cstring>

#include "impl_cpu/inner_product/run.h"
#include "impl_cpu/product/normal_bf16.h"
#include "impl_cpu/threads/parallel_for.h"

namespace impl_cpu {
namespace {

constexpr int64_t kElementBytes = 4;  // of what tiles read

}  // namespace

void TiledProduct::PackRows(spi::Buffers buffers, std::byte* to) const {
  const Product& p = product_;
  if (p.a.buffer < 0) {
    std::fill_n(reinterpret_cast<float*>(to), p.m * p.k, 1.0f);
    return;
  }
  const StripSource source = {
      p.a.type, static_cast<const std::byte*>(buffers[static_cast<size_t>(p.a.buffer)]->handle()),
      p.a.offset, &p.a.cols, &p.a.rows};
  ParallelFor(blocking_.blocks, blocking_.threads, [&](int64_t block) {
    blocking_.a_in_rows ? PackRowsOfBlock(source, block, to) : PackTilesOfBlock(source, block, to);
  });
}

// Tile after tile, each k by k, so that rows of any layout end where kernels read them in order.
void TiledProduct::PackTilesOfBlock(const StripSource& source, int64_t block, std::byte* to) const {
  const int64_t k = product_.k, elements = blocking_.elements;
  const int64_t begin = block * blocking_.rows, end = std::min(begin + blocking_.rows, product_.m);
  const TileCut cut = CutRows(end - begin, kernels_.max_rows);
  int64_t tile = 0;
  for (int64_t row = begin; row < end; ++tile) {
    const int64_t height = tile < cut.tall ? cut.height : cut.height - 1;
    std::byte* const strip = to + row * elements * kElementBytes;
    if (product_.integers) {
      a_packer_.ToPairs(source, {0, k, row, height, height}, reinterpret_cast<int16_t*>(strip));
    } else if (blocking_.form == Form::kBf16Pairs) {
      a_packer_.ToBf16Pairs(source, {0, k, row, height, height},
                            reinterpret_cast<uint16_t*>(strip));
    } else {
      auto* const numbers = reinterpret_cast<float*>(strip);
      a_packer_.ToF32(source, {0, k, row, height, height}, numbers);
      std::fill(numbers + k * height, numbers + elements * height, 0.0f);
    }
    row += height;
  }
}

void TiledProduct::PackRowsOfBlock(const StripSource& source, int64_t block, std::byte* to) const {
  const int64_t begin = block * blocking_.rows, end = std::min(begin + blocking_.rows, product_.m);
  const bool turns = blocking_.form == Form::kBf16Pairs && !RowsAlongK();
  for (int64_t row = begin; turns && row < end; row += kPanel) {
    const int64_t count = std::min<int64_t>(kPanel, end - row);
    a_packer_.ToBf16Rows(source, {0, product_.k, row, count}, blocking_.a_row,
                         reinterpret_cast<uint16_t*>(to + row * blocking_.a_row * kElementBytes));
  }
  for (int64_t row = begin; !turns && row < end; ++row) {
    std::byte* const at = to + row * blocking_.a_row * kElementBytes;
    if (blocking_.elements > 0)  // beyond k
      std::memset(at + (blocking_.elements - 1) * kElementBytes, 0, kElementBytes);
    if (product_.integers) {
      a_packer_.ToUnsigned(source, row, product_.k, at);
    } else if (blocking_.form == Form::kBf16Pairs) {
      constexpr int64_t kBytes = sizeof(uint16_t);
      std::memcpy(at, source.data + (source.offset + row * product_.a.rows.stride()) * kBytes,
                  static_cast<size_t>(product_.k * kBytes));
    } else {
      a_packer_.ToF32(source, {0, product_.k, row, 1, 1}, reinterpret_cast<float*>(at));
    }
  }
}

uint16_t TiledProduct::LeastOfRows(const std::byte* a) const {
  const int64_t row =
      2 * (blocking_.packs_a && !blocking_.a_in_rows ? blocking_.elements : blocking_.a_row);
  // What is packed has zeros beyond k.
  const int64_t count = blocking_.packs_a ? 2 * blocking_.elements : product_.k;
  const auto* const from = reinterpret_cast<const uint16_t*>(a);
  LeastBf16 least;
  ParallelFor(blocking_.blocks, blocking_.threads, [&](int64_t block) {
    const int64_t begin = block * blocking_.rows,
                  end = std::min(begin + blocking_.rows, product_.m);
    if (row == count) return least.Look(from + begin * row, (end - begin) * row);
    for (int64_t i = begin; i < end; ++i) least.Look(from + i * row, count);
  });
  return least.size();
}

}  // namespace impl_cpu
