// A vector of the result takes its lanes from all vectors of the record: two of them at a time by
// one permutation, and the pairs are blended. The vectors of a record stay in registers.

#include "impl_cpu/move/record.h"

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "impl_cpu/isa/avx3_dl.h"  // the level of AVX-512 that permutes bytes
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "impl_cpu/move/record.cc"
#include "hwy/foreach_target.h"  // must come before highway.h
#include "hwy/highway.h"
#include "impl_cpu/move/tile-inl.h"

HWY_BEFORE_NAMESPACE();
namespace impl_cpu {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3

// Lane i of the result is lane index[i] of `lo` and `hi` in a row.
template <class V>
HWY_INLINE V PermutePair(V lo, V hi, V index) {
  constexpr size_t kWidth = sizeof(hn::TFromD<hn::DFromV<V>>);
#if HWY_TARGET <= HWY_AVX3_DL
  if constexpr (kWidth == 1) return V{_mm512_permutex2var_epi8(lo.raw, index.raw, hi.raw)};
#endif
  if constexpr (kWidth == 2) return V{_mm512_permutex2var_epi16(lo.raw, index.raw, hi.raw)};
  if constexpr (kWidth == 4) return V{_mm512_permutex2var_epi32(lo.raw, index.raw, hi.raw)};
  return lo;
}

// How many records of a row may be stored in whole vectors: the next record repairs what follows
// them.
template <size_t kWidth>
HWY_INLINE int64_t OverrunOf(const RecordShape& shape, size_t lanes) {
  if (shape.dst_col != shape.table->elements * static_cast<int64_t>(kWidth)) return 0;
  return shape.cols - (static_cast<int64_t>(lanes * kWidth) + shape.dst_col - 1) / shape.dst_col;
}

template <size_t kWidth, size_t kVectors>
void MoveRecords(const RecordShape& shape, const std::byte* src, std::byte* dst) {
  constexpr size_t kPairs = (kVectors + 1) / 2;
  const TileTag<kWidth, 64> d;
  using T = hn::TFromD<decltype(d)>;
  using V = hn::Vec<decltype(d)>;
  const size_t lanes = hn::Lanes(d);
  const RecordTable& table = *shape.table;
  const size_t in_last = static_cast<size_t>(table.elements) - (kVectors - 1) * lanes;
  const auto last = hn::FirstN(d, in_last);
  // Of short records the table stays in registers too: the compiler must suppose that stores change
  // it.
  constexpr bool kKeepsLanes = kVectors <= 6, kKeepsPairs = kVectors <= 4;
  const auto load_lanes = [&](size_t i) {
    return hn::Load(d, reinterpret_cast<const T*>(table.lanes[i].bytes));
  };
  const auto load_pairs = [&](size_t i) {
    return hn::LoadMaskBits(d, reinterpret_cast<const uint8_t*>(&table.from_pair[i]));
  };
  V kept_lanes[kKeepsLanes ? kVectors * kPairs : 1];
  hn::Mask<decltype(d)> kept_pairs[kKeepsPairs ? kVectors * kPairs : 1];
  HWY_UNROLL(18)
  for (size_t i = 0; kKeepsLanes && i < kVectors * kPairs; ++i) kept_lanes[i] = load_lanes(i);
  HWY_UNROLL(8)
  for (size_t i = 0; kKeepsPairs && i < kVectors * kPairs; ++i) kept_pairs[i] = load_pairs(i);
  const auto lanes_of = [&](size_t i) { return kKeepsLanes ? kept_lanes[i] : load_lanes(i); };
  const auto from_pair = [&](size_t i) { return kKeepsPairs ? kept_pairs[i] : load_pairs(i); };
  const int64_t overrun = OverrunOf<kWidth>(shape, lanes);
  for (int64_t b = 0; b < shape.batch; ++b) {
    for (int64_t r = 0; r < shape.rows; ++r) {
      const std::byte* const row_src = src + b * shape.src_batch + r * shape.src_row;
      std::byte* const row_dst = dst + b * shape.dst_batch + r * shape.dst_row;
      for (int64_t c = 0; c < shape.cols; ++c) {
        const T* const from = reinterpret_cast<const T*>(row_src + c * shape.src_col);
        T* const to = reinterpret_cast<T*>(row_dst + c * shape.dst_col);
        V v[2 * kPairs];
        HWY_UNROLL(8)
        for (size_t k = 0; k + 1 < kVectors; ++k) v[k] = hn::LoadU(d, from + k * lanes);
        v[kVectors - 1] = hn::MaskedLoad(last, d, from + (kVectors - 1) * lanes);
        if (kVectors < 2 * kPairs) v[2 * kPairs - 1] = v[kVectors - 1];
        HWY_UNROLL(8)
        for (size_t j = 0; j < kVectors; ++j) {
          V result = PermutePair(v[0], v[1], lanes_of(j * kPairs));
          HWY_UNROLL(4)
          for (size_t p = 1; p < kPairs; ++p) {
            const V other = PermutePair(v[2 * p], v[2 * p + 1], lanes_of(j * kPairs + p));
            result = hn::IfThenElse(from_pair(j * kPairs + p), other, result);
          }
          if (j + 1 < kVectors || c < overrun) {
            hn::StoreU(result, d, to + j * lanes);
          } else {
            hn::BlendedStore(result, last, d, to + j * lanes);
          }
        }
      }
    }
  }
}

template <size_t kWidth>
RecordMoveKernel KernelOfVectors(int64_t vectors) {
  switch (vectors) {
    case 1:
      return MoveRecords<kWidth, 1>;
    case 2:
      return MoveRecords<kWidth, 2>;
    case 3:
      return MoveRecords<kWidth, 3>;
    case 4:
      return MoveRecords<kWidth, 4>;
    case 5:
      return MoveRecords<kWidth, 5>;
    case 6:
      return MoveRecords<kWidth, 6>;
    case 7:
      return MoveRecords<kWidth, 7>;
    case 8:
      return MoveRecords<kWidth, 8>;
  }
  return nullptr;
}

RecordMoveKernel RecordKernel(int width, int64_t elements) {
  const int64_t vectors = (elements * width + 63) / 64;
#if HWY_TARGET <= HWY_AVX3_DL
  if (width == 1) return KernelOfVectors<1>(vectors);
#endif
  if (width == 2) return KernelOfVectors<2>(vectors);
  if (width == 4) return KernelOfVectors<4>(vectors);
  return nullptr;
}

#else

RecordMoveKernel RecordKernel(int, int64_t) { return nullptr; }

#endif

}  // namespace HWY_NAMESPACE
}  // namespace impl_cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace impl_cpu {

HWY_EXPORT(RecordKernel);

RecordMoveKernel FindRecordKernel(int width, int64_t elements) {
  return HWY_DYNAMIC_DISPATCH(RecordKernel)(width, elements);
}

bool HasRecordKernel(int width) { return FindRecordKernel(width, 1) != nullptr; }

std::shared_ptr<const RecordTable> MakeRecordTable(int width, const std::vector<int64_t>& source) {
  const int64_t elements = static_cast<int64_t>(source.size()), lanes = 64 / width;
  if (!HasRecordKernel(width) || elements * width > kMaxRecordBytes) return nullptr;
  const int64_t vectors = (elements + lanes - 1) / lanes, pairs = (vectors + 1) / 2;
  auto table = std::make_shared<RecordTable>();
  table->elements = elements;
  table->lanes.resize(static_cast<size_t>(vectors * pairs));
  table->from_pair.resize(static_cast<size_t>(vectors * pairs));
  for (int64_t i = 0; i < elements; ++i) {
    const int64_t from = source[static_cast<size_t>(i)];
    const size_t at = static_cast<size_t>(i / lanes * pairs + from / (2 * lanes));
    const size_t lane = static_cast<size_t>(i % lanes);
    // Little-endian lanes: the low byte is the index, which is below 256.
    table->lanes[at].bytes[lane * static_cast<size_t>(width)] =
        static_cast<uint8_t>(from % (2 * lanes));
    table->from_pair[at] |= uint64_t{1} << lane;
  }
  return table;
}

}  // namespace impl_cpu
#endif
