// Two, three or four streams into one, and back, per target.

#include <algorithm>
#include <cstdint>

#include "hwy/highway.h"
#include "impl_cpu/move/tile-inl.h"

#if defined(DNNSPEC_IMPL_CPU_MOVE_INTERLEAVE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef DNNSPEC_IMPL_CPU_MOVE_INTERLEAVE_INL_H_
#undef DNNSPEC_IMPL_CPU_MOVE_INTERLEAVE_INL_H_
#else
#define DNNSPEC_IMPL_CPU_MOVE_INTERLEAVE_INL_H_
#endif

#if HWY_TARGET != HWY_SCALAR

HWY_BEFORE_NAMESPACE();
namespace impl_cpu {
namespace HWY_NAMESPACE {

// Instruction sets that permute all lanes of a whole vector by one instruction.
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3_DL
constexpr size_t kLeastPermutable = 1;
#elif HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
constexpr size_t kLeastPermutable = 2;
#else
constexpr size_t kLeastPermutable = 4;
#endif
template <size_t kWidth>
constexpr bool kPermutable = kWidth >= kLeastPermutable&& kWidth <= 4;

// Lane i of the result is lane index[i] of `v`; a whole vector.
template <class D, class V>
HWY_INLINE V PermuteLanes(D d, V v, V index) {
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3_DL
  if constexpr (sizeof(hn::TFromD<D>) == 1) return V{_mm512_permutexvar_epi8(index.raw, v.raw)};
#endif
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
  if constexpr (sizeof(hn::TFromD<D>) == 2) return V{_mm512_permutexvar_epi16(index.raw, v.raw)};
#endif
  if constexpr (sizeof(hn::TFromD<D>) == 4)
    return hn::TableLookupLanes(v, hn::IndicesFromVec(d, index));
  return v;
}

// ---- two streams

template <class D, class V>
HWY_INLINE void SplitTwo(D d, V v0, V v1, V& even, V& odd) {
  even = hn::ConcatEven(d, v1, v0);
  odd = hn::ConcatOdd(d, v1, v0);
}

template <class D, class V>
HWY_INLINE void JoinTwo(D d, V a, V b, V& v0, V& v1) {
  const V lower = hn::InterleaveLower(d, a, b), upper = hn::InterleaveUpper(d, a, b);
  if constexpr (hn::MaxLanes(D()) * sizeof(hn::TFromD<D>) == 16) {
    v0 = lower;
    v1 = upper;
  } else if constexpr (hn::MaxLanes(D()) * sizeof(hn::TFromD<D>) == 32) {
    v0 = hn::ConcatLowerLower(d, upper, lower);
    v1 = hn::ConcatUpperUpper(d, upper, lower);
  } else {
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
    HWY_ALIGN static constexpr uint64_t kFirst[8] = {0, 1, 8, 9, 2, 3, 10, 11};
    HWY_ALIGN static constexpr uint64_t kSecond[8] = {4, 5, 12, 13, 6, 7, 14, 15};
    v0 = V{_mm512_permutex2var_epi64(lower.raw, _mm512_load_si512(kFirst), upper.raw)};
    v1 = V{_mm512_permutex2var_epi64(lower.raw, _mm512_load_si512(kSecond), upper.raw)};
#endif
  }
}

// ---- three streams
//
// Three vectors in a row hold the elements of stream s at the lanes l of vector k for which k * L +
// l is s modulo 3. As 3 does not divide the number of lanes L, these lanes are different ones in
// each of the three vectors: one blend brings a stream together, one permutation puts it in order.
template <typename T, size_t kLanes>
struct ThreeTables {
  alignas(64) T holds[3][kLanes], to_stream[3][kLanes], from_stream[3][kLanes];

  constexpr ThreeTables() : holds(), to_stream(), from_stream() {
    for (size_t s = 0; s < 3; ++s) {
      for (size_t l = 0; l < kLanes; ++l) {
        holds[s][l] = l % 3 == s ? static_cast<T>(~T{0}) : T{0};
        to_stream[s][l] = static_cast<T>((3 * l + s) % kLanes);
        size_t at = l;
        while (at % 3 != s) at += kLanes;
        from_stream[s][l] = static_cast<T>(at / 3);
      }
    }
  }
};

template <class D>
struct ThreeStreams {
  using V = hn::Vec<D>;
  using M = hn::Mask<D>;
  V to_stream[3], from_stream[3];
  M holds[3];  // holds[s]: lanes l with l % 3 == s

  explicit HWY_INLINE ThreeStreams(D d) {
    static constexpr ThreeTables<hn::TFromD<D>, hn::MaxLanes(D())> kTables;
    for (size_t s = 0; s < 3; ++s) {
      holds[s] = hn::MaskFromVec(hn::Load(d, kTables.holds[s]));
      to_stream[s] = hn::Load(d, kTables.to_stream[s]);
      from_stream[s] = hn::Load(d, kTables.from_stream[s]);
    }
  }

  // The vector of `v` that holds stream s at the lanes l with l % 3 == m: its number k has
  // k * L + m == s modulo 3.
  static constexpr size_t VectorWith(size_t s, size_t m) {
    constexpr size_t kStep = hn::MaxLanes(D()) % 3;
    return kStep == 1 ? (s + 3 - m) % 3 : (m + 3 - s) % 3;
  }

  HWY_INLINE V Bring(size_t s, const V (&v)[4]) const {
    return hn::IfThenElse(holds[0], v[VectorWith(s, 0)],
                          hn::IfThenElse(holds[1], v[VectorWith(s, 1)], v[VectorWith(s, 2)]));
  }

  HWY_INLINE void Split(D d, V (&v)[4]) const {
    const V a = PermuteLanes(d, Bring(0, v), to_stream[0]);
    const V b = PermuteLanes(d, Bring(1, v), to_stream[1]);
    const V c = PermuteLanes(d, Bring(2, v), to_stream[2]);
    v[0] = a;
    v[1] = b;
    v[2] = c;
  }

  HWY_INLINE void Join(D d, V (&v)[4]) const {
    V s[4];
    for (size_t k = 0; k < 3; ++k) s[k] = PermuteLanes(d, v[k], from_stream[k]);
    // Vector k takes stream (k * L + m) % 3 at the lanes m.
    constexpr size_t kStep = hn::MaxLanes(D()) % 3;
    for (size_t k = 0; k < 3; ++k)
      v[k] =
          hn::IfThenElse(holds[0], s[k * kStep % 3],
                         hn::IfThenElse(holds[1], s[(k * kStep + 1) % 3], s[(k * kStep + 2) % 3]));
  }
};

// ---- kCount streams of whole vectors, by what suits the instruction set best

template <size_t kWidth, size_t kCount, size_t kBytes>
struct Streams {
  using D = TileTag<kWidth, kBytes>;
  using T = hn::TFromD<D>;
  using V = hn::Vec<D>;
  static constexpr bool kByPermutation =
      kCount == 3 && kPermutable<kWidth> && kBytes == kVectorBytes;
  // Splitting bytes in two takes as many instructions as Highway's own way.
  static constexpr bool kByHalves = kCount != 3 && (kWidth > 1 || kLeastPermutable == 1);

  struct Nothing {
    explicit HWY_INLINE Nothing(D) {}
  };
  std::conditional_t<kByPermutation, ThreeStreams<D>, Nothing> three;

  explicit HWY_INLINE Streams(D d) : three(d) {}

  HWY_INLINE void Load(D d, const T* from, V (&v)[4]) const {
    if constexpr (kByPermutation || kByHalves) {
      for (size_t k = 0; k < kCount; ++k) v[k] = hn::LoadU(d, from + k * hn::Lanes(d));
    }
    if constexpr (kByPermutation) {
      three.Split(d, v);
    } else if constexpr (kCount == 2 && kByHalves) {
      SplitTwo(d, v[0], v[1], v[0], v[1]);
    } else if constexpr (kCount == 4 && kByHalves) {
      V even0, odd0, even1, odd1;
      SplitTwo(d, v[0], v[1], even0, odd0);
      SplitTwo(d, v[2], v[3], even1, odd1);
      SplitTwo(d, even0, even1, v[0], v[2]);
      SplitTwo(d, odd0, odd1, v[1], v[3]);
    } else if constexpr (kCount == 2) {
      hn::LoadInterleaved2(d, from, v[0], v[1]);
    } else if constexpr (kCount == 3) {
      hn::LoadInterleaved3(d, from, v[0], v[1], v[2]);
    } else {
      hn::LoadInterleaved4(d, from, v[0], v[1], v[2], v[3]);
    }
  }

  HWY_INLINE void Store(D d, V (&v)[4], T* to) const {
    if constexpr (kByPermutation) {
      three.Join(d, v);
    } else if constexpr (kCount == 2) {
      JoinTwo(d, v[0], v[1], v[0], v[1]);
    } else if constexpr (kCount == 4) {
      V lo0, lo1, hi0, hi1;
      JoinTwo(d, v[0], v[2], lo0, lo1);
      JoinTwo(d, v[1], v[3], hi0, hi1);
      JoinTwo(d, lo0, hi0, v[0], v[1]);
      JoinTwo(d, lo1, hi1, v[2], v[3]);
    } else {
      return hn::StoreInterleaved3(v[0], v[1], v[2], d, to);
    }
    for (size_t k = 0; k < kCount; ++k) hn::StoreU(v[k], d, to + k * hn::Lanes(d));
  }
};

// kCount rows become neighbours; dst_col is kCount elements. At least as many columns as lanes.
template <size_t kWidth, size_t kCount, size_t kBytes>
HWY_NOINLINE void Interleave(const Batch& batch) {
  using S = Streams<kWidth, kCount, kBytes>;
  const typename S::D d;
  using T = typename S::T;
  const size_t lanes = hn::Lanes(d);
  const S streams(d);
  ForEachMatrix(batch, [&](const Matrix& m) HWY_ATTR {
    for (size_t c = 0; c < m.cols; c += lanes) {
      const size_t column = std::min(c, m.cols - lanes);
      typename S::V v[4];
      for (size_t k = 0; k < kCount; ++k)
        v[k] = hn::LoadU(
            d, reinterpret_cast<const T*>(m.src + static_cast<int64_t>(k) * m.src_row) + column);
      streams.Store(d, v, reinterpret_cast<T*>(m.dst) + column * kCount);
    }
  });
}

// Whole lines of kCount streams, as many as there are, by non-temporal stores. Gives how many rows
// these were.
template <size_t kWidth, size_t kCount, size_t kBytes, class S>
HWY_INLINE size_t DeinterleaveLines(const S& streams, const Matrix& m) {
  constexpr size_t kVectors = 64 / kBytes;
  const typename S::D d;
  using T = typename S::T;
  const size_t lanes = hn::Lanes(d);
  size_t r = 0;
  for (; r + kVectors * lanes <= m.rows; r += kVectors * lanes) {
    typename S::V v[kVectors][4];
    HWY_UNROLL(4)
    for (size_t i = 0; i < kVectors; ++i)
      streams.Load(d, reinterpret_cast<const T*>(m.src) + (r + i * lanes) * kCount, v[i]);
    HWY_UNROLL(4)
    for (size_t k = 0; k < kCount; ++k) {
      T* const to = reinterpret_cast<T*>(m.dst + static_cast<int64_t>(k) * m.dst_col) + r;
      HWY_UNROLL(4)
      for (size_t i = 0; i < kVectors; ++i) hn::Stream(v[i][k], d, to + i * lanes);
    }
  }
  return r;
}

// kCount neighbours become columns; src_row is kCount elements. At least as many rows as lanes.
template <size_t kWidth, size_t kCount, size_t kBytes>
HWY_NOINLINE void Deinterleave(const Batch& batch) {
  using S = Streams<kWidth, kCount, kBytes>;
  const typename S::D d;
  using T = typename S::T;
  const size_t lanes = hn::Lanes(d);
  const S streams(d);
  ForEachMatrix(batch, [&](const Matrix& m) HWY_ATTR {
    size_t begin = 0;
    if (CanStream(m)) begin = DeinterleaveLines<kWidth, kCount, kBytes>(streams, m);
    for (size_t r = begin; r < m.rows; r += lanes) {
      const size_t row = std::min(r, m.rows - lanes);
      typename S::V v[4];
      streams.Load(d, reinterpret_cast<const T*>(m.src) + row * kCount, v);
      for (size_t k = 0; k < kCount; ++k)
        hn::StoreU(v[k], d,
                   reinterpret_cast<T*>(m.dst + static_cast<int64_t>(k) * m.dst_col) + row);
    }
  });
}

template <size_t kWidth, size_t kCount, size_t kBytes>
HWY_INLINE void TransposeStreams(const Batch& batch, bool interleave) {
  interleave ? Interleave<kWidth, kCount, kBytes>(batch)
             : Deinterleave<kWidth, kCount, kBytes>(batch);
}

// By the widest vector that the rows or columns fill; false if they fill none.
template <size_t kWidth, size_t kCount>
bool TransposeCount(const Batch& batch, bool interleave) {
  const size_t bytes = (interleave ? batch.first.cols : batch.first.rows) * kWidth;
  if (bytes >= kVectorBytes) {
    TransposeStreams<kWidth, kCount, kVectorBytes>(batch, interleave);
  } else if (kVectorBytes > 32 && bytes >= 32) {
    TransposeStreams<kWidth, kCount, std::min<size_t>(32, kVectorBytes)>(batch, interleave);
  } else if (bytes >= 16) {
    TransposeStreams<kWidth, kCount, 16>(batch, interleave);
  } else {
    return false;
  }
  return true;
}

// Two, three or four rows that become neighbours, or columns that are; false if that is not what
// the matrices are.
template <size_t kWidth>
HWY_INLINE bool TransposeNeighbours(const Batch& batch) {
  const Matrix& m = batch.first;
  const bool join = m.dst_col == static_cast<int64_t>(m.rows * kWidth);
  const bool split = m.src_row == static_cast<int64_t>(m.cols * kWidth);
  if (join && m.rows == 2) return TransposeCount<kWidth, 2>(batch, true);
  if (join && m.rows == 3) return TransposeCount<kWidth, 3>(batch, true);
  if (join && m.rows == 4) return TransposeCount<kWidth, 4>(batch, true);
  if (split && m.cols == 2) return TransposeCount<kWidth, 2>(batch, false);
  if (split && m.cols == 3) return TransposeCount<kWidth, 3>(batch, false);
  if (split && m.cols == 4) return TransposeCount<kWidth, 4>(batch, false);
  return false;
}

}  // namespace HWY_NAMESPACE
}  // namespace impl_cpu
HWY_AFTER_NAMESPACE();

#endif  // HWY_TARGET != HWY_SCALAR
#endif  // per-target include guard
