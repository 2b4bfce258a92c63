#include <cstddef>
#include <cstdint>

#include "api/spi/types.h"
#include "impl_cpu/convert/kernel.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "impl_cpu/convert/add_bytes.cc"
#include "hwy/foreach_target.h"  // must come before highway.h
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace impl_cpu {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR

ConvertKernel AddBytesKernel(spi::DataType) { return nullptr; }

#else

template <class D>
HWY_INLINE size_t AddFrom(D d, const hn::TFromD<D>* from, hn::TFromD<D>* to, size_t i,
                          size_t count) {
  const size_t lanes = hn::Lanes(d);
  for (; i + lanes <= count; i += lanes)
    hn::StoreU(hn::SaturatedAdd(hn::LoadU(d, from + i), hn::LoadU(d, to + i)), d, to + i);
  return i;
}

template <typename T>
void AddBytes(const ConvertShape& shape, const std::byte* src, std::byte* dst, const float*) {
  const size_t cols = static_cast<size_t>(shape.cols);
  for (int64_t row = 0; row < shape.rows; ++row) {
    const T* const from = reinterpret_cast<const T*>(src + row * shape.src_row);
    T* const to = reinterpret_cast<T*>(dst + row * shape.dst_row);
    size_t i = AddFrom(hn::ScalableTag<T>(), from, to, 0, cols);
    i = AddFrom(hn::CappedTag<T, 8>(), from, to, i, cols);
    AddFrom(hn::CappedTag<T, 1>(), from, to, i, cols);
  }
}

ConvertKernel AddBytesKernel(spi::DataType type) {
  return type == spi::DataType::kS8   ? AddBytes<int8_t>
         : type == spi::DataType::kU8 ? AddBytes<uint8_t>
                                      : nullptr;
}

#endif

}  // namespace HWY_NAMESPACE
}  // namespace impl_cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace impl_cpu {

HWY_EXPORT(AddBytesKernel);

ConvertKernel FindAddBytesKernel(spi::DataType type) {
  return HWY_DYNAMIC_DISPATCH(AddBytesKernel)(type);
}

}  // namespace impl_cpu
#endif
