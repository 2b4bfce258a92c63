#include "impl_cpu/convert/to.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "impl_cpu/convert/to_f32.cc"
#include "hwy/foreach_target.h"  // must come before highway.h
#include "hwy/highway.h"
#include "impl_cpu/convert/rows-inl.h"

HWY_BEFORE_NAMESPACE();
namespace impl_cpu {
namespace HWY_NAMESPACE {

ConvertKernel ToF32(spi::DataType src, ConvertMode mode, bool other_old) {
  return KernelTo<float>(src, mode, other_old);
}

}  // namespace HWY_NAMESPACE
}  // namespace impl_cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace impl_cpu {

HWY_EXPORT(ToF32);

ConvertKernel FindConvertToF32(spi::DataType src, ConvertMode mode, bool other_old) {
  return HWY_DYNAMIC_DISPATCH(ToF32)(src, mode, other_old);
}

}  // namespace impl_cpu
#endif
