#include "impl_cpu/testing/targets.h"

#include <gtest/gtest.h>

#include <cstdint>

#include "impl_cpu/isa/avx3_dl.h"  // all that any kernel is compiled for

// After what says which targets there are.
#include "hwy/targets.h"

namespace impl_cpu {

void ForEachTarget(const std::function<void()>& body) {
  for (int64_t target : hwy::SupportedAndGeneratedTargets()) {
    // Lower bits are better instruction sets.
    const int64_t allowed = hwy::SupportedTargets() & ~(target - 1);
    hwy::SetSupportedTargetsForTest(allowed);
    hwy::GetChosenTarget().Update(allowed);
    SCOPED_TRACE(hwy::TargetName(target));
    body();
    hwy::SetSupportedTargetsForTest(0);
    if (::testing::Test::HasFatalFailure()) break;
  }
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

}  // namespace impl_cpu
