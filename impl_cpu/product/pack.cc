#include "impl_cpu/product/pack.h"

#include <algorithm>
#include <cstring>

#include "impl_cpu/numeric/element.h"
#include "impl_cpu/numeric/storage.h"
#include "impl_cpu/product/kernel.h"

namespace impl_cpu {
namespace {

constexpr int64_t kF32Bytes = sizeof(float);

// The distance of neighbours, if it is the same for all; 0 if not. One has the distance 1.
int64_t StepOf(const int64_t* offsets, int64_t count) {
  if (count == 1) return 1;
  const int64_t step = offsets[1] - offsets[0];
  for (int64_t i = 2; i < count; ++i)
    if (offsets[i] - offsets[i - 1] != step) return 0;
  return step;
}

// Elements of one row after the other, k by k. `columns` are offsets from `from`, and `first` is
// the k of the strip at which it begins.
template <typename T, typename To>
void PairRun(const T* from, int64_t k_stride, const Strip& strip, const int64_t* columns,
             int64_t first, int64_t count, To* to) {
  for (int64_t i = 0; i < count; ++i) {
    const int64_t k = first + i;
    To* const row = to + k / 2 * strip.width * 2 + k % 2;
    const T* const src = from + i * k_stride;
    for (int64_t c = 0; c < strip.cols; ++c) row[2 * c] = src[columns[c]];
  }
}

// How many k are transposed at once, on the stack.
constexpr int64_t kPairChunk = 128;

}  // namespace

StripPacker::StripPacker(spi::DataType type, bool integers) {
  if (integers) {
    pairs_ = FindPairKernels(type);
    transpose_ = FindTransposeKernel(2);
  } else if (type == spi::DataType::kF32) {
    rows_ = FindRowsKernel(kF32Bytes, false);
    transpose_ = FindTransposeKernel(kF32Bytes);
  } else {
    widen_ = FindConvertKernel(type, spi::DataType::kF32, ConvertMode::kCopy, spi::DataType::kF32);
    widen_transposed_ =
        FindWideningTranspose(type, spi::DataType::kF32, TransposeScale::kNone, false);
    if (type == spi::DataType::kBF16) {
      join_ = FindJoinKernel();
      widen_bf16_ = FindWideningKernel();
      transpose_pairs_ = FindTransposeKernel(sizeof(uint32_t));
    }
  }
}

void StripPacker::RunToF32(const StripSource& source, const Strip& strip, const Index::Run& run,
                           const int64_t* columns, float* to) const {
  const int64_t bytes = spi::SizeOf(source.type);
  const std::byte* const from = source.data + (source.offset + run.offset + columns[0]) * bytes;
  const int64_t step = StepOf(columns, strip.cols);
  // One column of neighbours is a row.
  const bool row = strip.cols == 1 && strip.width == 1 && run.stride == 1;
  const int64_t rows = row ? 1 : run.count, cols = row ? run.count : strip.cols;
  auto* const bytes_to = reinterpret_cast<std::byte*>(to);
  if (step == 1 && rows_ != nullptr) {
    BoxShape shape;
    shape.rows = rows;
    shape.cols = cols;
    shape.src_row = run.stride * bytes;
    shape.dst_row = strip.width * kF32Bytes;
    shape.src_col = shape.dst_col = kF32Bytes;
    return rows_(shape, from, bytes_to);
  }
  if (step == 1 && widen_bf16_ != nullptr)
    return widen_bf16_({rows, cols, run.stride, strip.width},
                       reinterpret_cast<const uint16_t*>(from), to);
  if (step == 1 && widen_ != nullptr) {
    ConvertShape shape;
    shape.rows = rows;
    shape.cols = cols;
    shape.src_row = run.stride * bytes;
    shape.dst_row = strip.width * kF32Bytes;
    return widen_(shape, from, bytes_to, nullptr);
  }
  if (step != 0 && run.stride == 1 && transpose_ != nullptr) {
    MatrixShape shape;
    shape.rows = strip.cols;
    shape.cols = run.count;
    shape.src_row = step * bytes;
    shape.src_col = shape.dst_row = kF32Bytes;
    shape.dst_col = strip.width * kF32Bytes;
    return transpose_(shape, from, bytes_to);
  }
  if (step != 0 && run.stride == 1 && widen_transposed_.kernel != nullptr &&
      strip.cols >= widen_transposed_.rows && run.count >= widen_transposed_.cols) {
    TransposeShape shape;
    shape.rows = strip.cols;
    shape.cols = run.count;
    shape.src_row = step * bytes;
    shape.dst_col = strip.width * kF32Bytes;
    return widen_transposed_.kernel(shape, from, bytes_to, nullptr);
  }
  for (int64_t i = 0; i < run.count; ++i)
    for (int64_t c = 0; c < strip.cols; ++c)
      to[i * strip.width + c] =
          LoadWidened(source.type, from + (i * run.stride + columns[c] - columns[0]) * bytes);
}

void StripPacker::ToF32(const StripSource& source, const Strip& strip, float* to) const {
  int64_t columns[kPanel];
  source.c_side->Offsets(strip.c0, strip.cols, columns);
  if (strip.cols < strip.width)
    std::memset(to, 0, static_cast<size_t>(strip.depth * strip.width * kF32Bytes));
  for (int64_t done = 0; done < strip.depth;) {
    const Index::Run run = source.k_side->RunFrom(strip.k0 + done, strip.depth - done);
    RunToF32(source, strip, run, columns, to + done * strip.width);
    done += run.count;
  }
}

int64_t StripPacker::RunToPairs(const std::byte* from, const Strip& strip, const Index::Run& run,
                                const int64_t* columns, int16_t* to) const {
  const int64_t step = StepOf(columns, strip.cols), count = run.count / 2 * 2;
  if (strip.cols != strip.width || pairs_.widen == nullptr) return 0;
  if (step == 1 && strip.width == kPanel) {
    pairs_.interleave(from + columns[0], run.stride, count, to);
    return count;
  }
  if (step == 0 || run.stride != 1) return 0;
  // Two bytes side by side are one element.
  std::byte bytes[kPairChunk * kPanel];
  MatrixShape shape;
  shape.rows = strip.cols;
  shape.src_row = step;
  shape.src_col = shape.dst_row = 2;
  shape.dst_col = strip.width * 2;
  for (int64_t k = 0; k < count; k += kPairChunk) {
    shape.cols = std::min(kPairChunk, count - k) / 2;
    transpose_(shape, from + columns[0] + k, bytes);
    pairs_.widen(bytes, shape.cols * strip.width * 2, to + k * strip.width);
  }
  return count;
}

void StripPacker::ToPairs(const StripSource& source, const Strip& strip, int16_t* to) const {
  int64_t columns[kPanel];
  source.c_side->Offsets(strip.c0, strip.cols, columns);
  if (strip.cols < strip.width || strip.depth % 2 != 0)
    std::memset(to, 0, static_cast<size_t>((strip.depth + 1) / 2 * strip.width * 4));
  for (int64_t done = 0; done < strip.depth;) {
    Index::Run run = source.k_side->RunFrom(strip.k0 + done, strip.depth - done);
    const std::byte* from = source.data + source.offset + run.offset;
    if (done % 2 == 0) {
      const int64_t fast = RunToPairs(from, strip, run, columns, to + done * strip.width);
      done += fast;
      run.count -= fast;
      from += fast * run.stride;
    }
    if (source.type == spi::DataType::kS8) {
      PairRun(reinterpret_cast<const int8_t*>(from), run.stride, strip, columns, done, run.count,
              to);
    } else {
      PairRun(reinterpret_cast<const uint8_t*>(from), run.stride, strip, columns, done, run.count,
              to);
    }
    done += run.count;
  }
}

void StripPacker::QuadsToPairs(const StripSource& source, const Strip& strip, int16_t* to) const {
  const int64_t first = source.offset + source.c_side->OffsetOf(strip.c0);
  pairs_.split(source.data + first + strip.k0 * kPanel, strip.depth / 4, to);
}

void StripPacker::ToUnsigned(const StripSource& source, int64_t c, int64_t depth,
                             std::byte* to) const {
  const std::byte* const column = source.data + source.offset + source.c_side->OffsetOf(c);
  for (int64_t k = 0; k < depth;) {
    const Index::Run run = source.k_side->RunFrom(k, depth - k);
    const std::byte* const from = column + run.offset;
    if (run.stride == 1) {
      std::memcpy(to + k, from, static_cast<size_t>(run.count));
    } else {
      for (int64_t i = 0; i < run.count; ++i) to[k + i] = from[i * run.stride];
    }
    k += run.count;
  }
  if (source.type == spi::DataType::kS8) AddSignBit(to, depth);
}

int64_t StripPacker::RunToBf16Pairs(const uint16_t* from, const Strip& strip, const Index::Run& run,
                                    const int64_t* columns, bool last, uint16_t* to) const {
  const int64_t step = StepOf(columns, strip.cols), count = run.count / 2 * 2;
  if (step == 1) {
    const int64_t rows = last ? run.count : count;
    join_({rows, strip.cols, run.stride, strip.width}, from + columns[0],
          reinterpret_cast<uint32_t*>(to));
    return rows;
  }
  if (step == 0 || run.stride != 1 || count == 0) return 0;
  // Two elements side by side are one.
  constexpr int64_t kElement = sizeof(uint16_t), kPair = sizeof(uint32_t);
  MatrixShape shape;
  shape.rows = strip.cols;
  shape.cols = count / 2;
  shape.src_row = step * kElement;
  shape.src_col = shape.dst_row = kPair;
  shape.dst_col = strip.width * kPair;
  transpose_pairs_(shape, reinterpret_cast<const std::byte*>(from + columns[0]),
                   reinterpret_cast<std::byte*>(to));
  return count;
}

void StripPacker::ToBf16Pairs(const StripSource& source, const Strip& strip, uint16_t* to) const {
  int64_t columns[kPanel];
  source.c_side->Offsets(strip.c0, strip.cols, columns);
  const auto line = static_cast<size_t>(strip.width) * sizeof(uint32_t);
  if (strip.cols < strip.width) {
    std::memset(to, 0, static_cast<size_t>((strip.depth + 1) / 2) * line);
  } else if (strip.depth % 2 == 1) {
    std::memset(to + (strip.depth - 1) * strip.width, 0, line);
  }
  for (int64_t done = 0; done < strip.depth;) {
    Index::Run run = source.k_side->RunFrom(strip.k0 + done, strip.depth - done);
    const bool last = done + run.count == strip.depth;
    const auto* from = reinterpret_cast<const uint16_t*>(source.data) + source.offset + run.offset;
    if (done % 2 == 0) {
      const int64_t fast = RunToBf16Pairs(from, strip, run, columns, last, to + done * strip.width);
      done += fast;
      run.count -= fast;
      from += fast * run.stride;
    }
    PairRun(from, run.stride, strip, columns, done, run.count, to);
    done += run.count;
  }
}

void StripPacker::ToBf16Rows(const StripSource& source, Strip strip, int64_t row,
                             uint16_t* to) const {
  constexpr int64_t kDepth = 128, kPair = sizeof(uint32_t);
  uint16_t pairs[kDepth * kPanel];
  const int64_t end = strip.k0 + strip.depth;
  strip.width = kPanel;
  for (; strip.k0 < end; strip.k0 += kDepth, to += kDepth) {
    strip.depth = std::min(kDepth, end - strip.k0);
    ToBf16Pairs(source, strip, pairs);
    MatrixShape shape;
    shape.rows = (strip.depth + 1) / 2;
    shape.cols = strip.cols;
    shape.src_row = kPanel * kPair;
    shape.src_col = shape.dst_row = kPair;
    shape.dst_col = row * kPair;
    transpose_pairs_(shape, reinterpret_cast<const std::byte*>(pairs),
                     reinterpret_cast<std::byte*>(to));
  }
}

void AddSignBit(std::byte* bytes, int64_t count) {
  constexpr int64_t kWord = sizeof(uint64_t);
  int64_t i = 0;
  for (; i + kWord <= count; i += kWord) {
    uint64_t word;
    std::memcpy(&word, bytes + i, kWord);
    word ^= 0x8080808080808080u;
    std::memcpy(bytes + i, &word, kWord);
  }
  for (; i < count; ++i) bytes[i] ^= std::byte{0x80};
}

}  // namespace impl_cpu
