// Runs a test body once for each instruction set that this machine has.
#ifndef DNNSPEC_IMPL_CPU_TESTING_TARGETS_H_
#define DNNSPEC_IMPL_CPU_TESTING_TARGETS_H_

#include <gtest/gtest.h>

#include <cstdint>

#include "hwy/targets.h"

namespace impl_cpu {

// Kernels that `body` looks up are those of one instruction set, or the best below it that they
// were compiled for.
template <typename Body>
void ForEachTarget(Body body) {
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

#endif  // DNNSPEC_IMPL_CPU_TESTING_TARGETS_H_
