#include "impl_cpu/isa/avx3_test.h"

#include <cstdint>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "impl_cpu/isa/avx3_test.cc"
#include "hwy/foreach_target.h"  // must come before highway.h
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace impl_cpu {
namespace HWY_NAMESPACE {

int64_t TargetOfAvx3() { return HWY_TARGET; }

}  // namespace HWY_NAMESPACE
}  // namespace impl_cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace impl_cpu {

HWY_EXPORT(TargetOfAvx3);

int64_t CallTargetOfAvx3() { return HWY_DYNAMIC_DISPATCH(TargetOfAvx3)(); }
int64_t TargetsOfAvx3() { return HWY_TARGETS; }

}  // namespace impl_cpu
#endif
