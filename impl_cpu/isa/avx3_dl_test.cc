// Files of one program may be compiled for different targets: this one for AVX3_DL too.
#include "impl_cpu/isa/avx3_dl.h"

#include <gtest/gtest.h>

#include <cstdint>

#include "impl_cpu/isa/avx3_test.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "impl_cpu/isa/avx3_dl_test.cc"
#include "hwy/foreach_target.h"  // must come before highway.h
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace impl_cpu {
namespace HWY_NAMESPACE {

int64_t TargetWithAvx3Dl() { return HWY_TARGET; }

}  // namespace HWY_NAMESPACE
}  // namespace impl_cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace impl_cpu {
namespace {

HWY_EXPORT(TargetWithAvx3Dl);

int64_t BestOf(int64_t targets) {
  const int64_t usable = targets & hwy::SupportedTargets();
  return usable & -usable;  // lower bits are better
}

TEST(Avx3Dl, EachFileCallsTheBestThatItIsCompiledFor) {
  for (int call = 0; call < 2; ++call) {  // the first chooses
    EXPECT_EQ(HWY_DYNAMIC_DISPATCH(TargetWithAvx3Dl)(), BestOf(HWY_TARGETS));
    EXPECT_EQ(CallTargetOfAvx3(), BestOf(TargetsOfAvx3()));
  }
}

}  // namespace
}  // namespace impl_cpu
#endif
