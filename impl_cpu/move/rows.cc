// Contiguous rows: vectors for short ones without a call for each, four vectors at a time for long
// ones.

#include "impl_cpu/isa/avx3_dl.h"  // the level of AVX-512 that permutes bytes
#include "impl_cpu/move/kernel.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "impl_cpu/move/rows.cc"
#include "hwy/cache_control.h"
#include "hwy/foreach_target.h"  // must come before highway.h
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace impl_cpu {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Two loads of kSize bytes that overlap cover every length from kSize to 2 * kSize.
template <size_t kSize>
HWY_INLINE void CopyTwo(const uint8_t* HWY_RESTRICT from, uint8_t* HWY_RESTRICT to, size_t bytes) {
  const hn::CappedTag<uint8_t, kSize> d;
  const size_t lanes = hn::Lanes(d);
  if (lanes < kSize) {
    // Vectors of half that size: two for each.
    const auto v0 = hn::LoadU(d, from), v1 = hn::LoadU(d, from + kSize / 2);
    const auto v2 = hn::LoadU(d, from + bytes - kSize), v3 = hn::LoadU(d, from + bytes - kSize / 2);
    hn::StoreU(v0, d, to);
    hn::StoreU(v1, d, to + kSize / 2);
    hn::StoreU(v2, d, to + bytes - kSize);
    hn::StoreU(v3, d, to + bytes - kSize / 2);
  } else {
    const auto head = hn::LoadU(d, from), tail = hn::LoadU(d, from + bytes - kSize);
    hn::StoreU(head, d, to);
    hn::StoreU(tail, d, to + bytes - kSize);
  }
}

template <typename T>
HWY_INLINE void CopyTwoScalars(const uint8_t* from, uint8_t* to, size_t bytes) {
  T head, tail;
  hwy::CopyBytes<sizeof(T)>(from, &head);
  hwy::CopyBytes<sizeof(T)>(from + bytes - sizeof(T), &tail);
  hwy::CopyBytes<sizeof(T)>(&head, to);
  hwy::CopyBytes<sizeof(T)>(&tail, to + bytes - sizeof(T));
}

HWY_INLINE void CopyUpTo16(const uint8_t* from, uint8_t* to, size_t bytes) {
  if (bytes >= 8) return CopyTwoScalars<uint64_t>(from, to, bytes);
  if (bytes >= 4) return CopyTwoScalars<uint32_t>(from, to, bytes);
  if (bytes >= 2) return CopyTwoScalars<uint16_t>(from, to, bytes);
  if (bytes == 1) *to = *from;
}

// Calls `copy` for each row. A loop of its own for each way to copy: short rows must not decide
// again and again what they are.
template <class F>
HWY_INLINE void ForEachRow(const BoxShape& shape, const std::byte* src, std::byte* dst, F copy) {
  for (int64_t b = 0; b < shape.batch; ++b) {
    const uint8_t* from = reinterpret_cast<const uint8_t*>(src + b * shape.src_batch);
    uint8_t* to = reinterpret_cast<uint8_t*>(dst + b * shape.dst_batch);
    for (int64_t r = 0; r < shape.rows; ++r) {
      copy(from, to);
      from += shape.src_row;
      to += shape.dst_row;
    }
  }
}

#if HWY_TARGET == HWY_SCALAR

HWY_INLINE void CopyRow(const uint8_t* from, uint8_t* to, size_t bytes) {
  size_t i = 0;
  for (; i + 16 <= bytes; i += 16) hwy::CopyBytes<16>(from + i, to + i);
  if (i == bytes) return;
  if (bytes >= 16) return hwy::CopyBytes<16>(from + bytes - 16, to + bytes - 16);
  CopyUpTo16(from, to, bytes);
}

HWY_INLINE void StreamRow(const uint8_t* from, uint8_t* to, size_t bytes) {
  CopyRow(from, to, bytes);
}

#else

HWY_INLINE void CopyRow(const uint8_t* from, uint8_t* to, size_t bytes) {
  const hn::ScalableTag<uint8_t> d;
  const size_t lanes = hn::Lanes(d);
  if (bytes <= 16) return CopyUpTo16(from, to, bytes);
  if (bytes <= 32) return CopyTwo<16>(from, to, bytes);
  if (bytes < 2 * lanes && bytes <= 64) return CopyTwo<32>(from, to, bytes);
  size_t i = 0;
  for (; i + 4 * lanes <= bytes; i += 4 * lanes) {
    const auto v0 = hn::LoadU(d, from + i);
    const auto v1 = hn::LoadU(d, from + i + lanes);
    const auto v2 = hn::LoadU(d, from + i + 2 * lanes);
    const auto v3 = hn::LoadU(d, from + i + 3 * lanes);
    hn::StoreU(v0, d, to + i);
    hn::StoreU(v1, d, to + i + lanes);
    hn::StoreU(v2, d, to + i + 2 * lanes);
    hn::StoreU(v3, d, to + i + 3 * lanes);
  }
  for (; i + lanes <= bytes; i += lanes) hn::StoreU(hn::LoadU(d, from + i), d, to + i);
  if (i < bytes) hn::StoreU(hn::LoadU(d, from + bytes - lanes), d, to + bytes - lanes);
}

HWY_INLINE void StreamLines(const uint8_t* from, uint8_t* to, size_t bytes) {
  const hn::ScalableTag<uint8_t> d;
  const size_t lanes = hn::Lanes(d);
  for (size_t i = 0; i < bytes; i += lanes) hn::Stream(hn::LoadU(d, from + i), d, to + i);
}

// Non-temporal stores of whole lines, in bursts of two lines from each of four pages in turn:
// between 5 and 30 % faster than one stream on a Zen 4; the ends that are not whole lines the
// ordinary way. Without AVX-512 each page begins elsewhere: a load waits for stores that are
// pending at the same place of any page, which took a Zen 3 four times as long. A Zen 5 has no such
// wait, and pages that begin elsewhere take it 18 % longer.
HWY_INLINE void StreamRow(const uint8_t* from, uint8_t* to, size_t bytes) {
  constexpr size_t kLine = 64, kBurst = 2 * kLine, kPage = 4096;
  constexpr size_t kApart = HWY_TARGET <= HWY_AVX3 ? 0 : kPage / 8;
  if (bytes < 4 * kLine) return CopyRow(from, to, bytes);
  const size_t head = (kLine - reinterpret_cast<uintptr_t>(to) % kLine) % kLine;
  CopyUpTo16(from, to, head % 16);
  for (size_t i = head % 16; i < head; i += 16) hwy::CopyBytes<16>(from + i, to + i);
  from += head;
  to += head;
  bytes -= head;
  for (; bytes >= 4 * kPage; from += 4 * kPage, to += 4 * kPage, bytes -= 4 * kPage) {
    for (size_t i = 0; i < kPage; i += kBurst)
      for (size_t page = 0; page < 4; ++page) {
        const size_t at = page * kPage + (i + page * kApart) % kPage;
        StreamLines(from + at, to + at, kBurst);
      }
  }
  const size_t lines = bytes / kLine * kLine;
  StreamLines(from, to, lines);
  CopyRow(from + lines, to + lines, bytes - lines);
}

#endif

// The ways to copy a row.
using From = const uint8_t* HWY_RESTRICT;
using To = uint8_t* HWY_RESTRICT;
struct Any {
  HWY_INLINE void operator()(From from, To to, size_t bytes) const { CopyRow(from, to, bytes); }
};
template <size_t kSize>
struct Vectors {
  HWY_INLINE void operator()(From from, To to, size_t bytes) const {
    CopyTwo<kSize>(from, to, bytes);
  }
};
template <typename T>
struct Scalars {
  HWY_INLINE void operator()(From from, To to, size_t bytes) const {
    CopyTwoScalars<T>(from, to, bytes);
  }
};

// Calls `use` with the way for rows of so many bytes.
template <class F>
HWY_INLINE void WithCopy(size_t bytes, F use) {
  if (bytes > 64) {
    use(Any());
#if HWY_TARGET != HWY_SCALAR
  } else if (bytes > 32) {
    use(Vectors<32>());
  } else if (bytes > 16) {
    use(Vectors<16>());
#endif
  } else if (bytes >= 8 && bytes <= 16) {
    use(Scalars<uint64_t>());
  } else if (bytes >= 4 && bytes < 8) {
    use(Scalars<uint32_t>());
  } else {
    use(Any());
  }
}

template <bool kStream>
void MoveRows(const BoxShape& shape, const std::byte* src, std::byte* dst, size_t bytes) {
  if (kStream) {
    ForEachRow(shape, src, dst, [bytes](From f, To t) HWY_ATTR { StreamRow(f, t, bytes); });
  } else {
    WithCopy(bytes, [&](auto copy) HWY_ATTR {
      ForEachRow(shape, src, dst, [copy, bytes](From f, To t) HWY_ATTR { copy(f, t, bytes); });
    });
  }
}

template <size_t kWidth, bool kStream>
void MoveRowsOf(const BoxShape& shape, const std::byte* src, std::byte* dst) {
  MoveRows<kStream>(shape, src, dst, static_cast<size_t>(shape.cols) * kWidth);
}

BoxKernel RowsKernel(int width, bool non_temporal) {
  switch (width) {
    case 1:
      return non_temporal ? MoveRowsOf<1, true> : MoveRowsOf<1, false>;
    case 2:
      return non_temporal ? MoveRowsOf<2, true> : MoveRowsOf<2, false>;
    case 4:
      return non_temporal ? MoveRowsOf<4, true> : MoveRowsOf<4, false>;
    case 8:
      return non_temporal ? MoveRowsOf<8, true> : MoveRowsOf<8, false>;
    default:
      return non_temporal ? MoveRowsOf<16, true> : MoveRowsOf<16, false>;
  }
}

template <class Copy>
void MoveRow(const BoxShape& shape, const std::byte* src, std::byte* dst) {
  Copy()(reinterpret_cast<const uint8_t*>(src), reinterpret_cast<uint8_t*>(dst),
         static_cast<size_t>(shape.cols));
}

BoxKernel RowKernel(int64_t bytes) {
  BoxKernel kernel = nullptr;
  WithCopy(static_cast<size_t>(bytes), [&](auto copy) { kernel = MoveRow<decltype(copy)>; });
  return kernel;
}

}  // namespace HWY_NAMESPACE
}  // namespace impl_cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace impl_cpu {

HWY_EXPORT(RowsKernel);
HWY_EXPORT(RowKernel);

BoxKernel FindRowsKernel(int width, bool non_temporal) {
  return HWY_DYNAMIC_DISPATCH(RowsKernel)(width, non_temporal);
}

BoxKernel FindRowKernel(int64_t bytes) { return HWY_DYNAMIC_DISPATCH(RowKernel)(bytes); }

void FenceNonTemporalStores() { hwy::FlushStream(); }

}  // namespace impl_cpu
#endif
