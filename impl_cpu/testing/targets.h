// Runs a test body once for each instruction set that this machine has.
#ifndef DNNSPEC_IMPL_CPU_TESTING_TARGETS_H_
#define DNNSPEC_IMPL_CPU_TESTING_TARGETS_H_

#include <gtest/gtest.h>

#include <cstdint>

#include "hwy/targets.h"

namespace impl_cpu {

// Kernels that `body` looks up are those of one instruction set at a time.
template <typename Body>
void ForEachTarget(Body body) {
  for (int64_t target : hwy::SupportedAndGeneratedTargets()) {
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().Update(target);
    SCOPED_TRACE(hwy::TargetName(target));
    body();
    hwy::SetSupportedTargetsForTest(0);
    if (::testing::Test::HasFatalFailure()) break;
  }
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

}  // namespace impl_cpu

#endif  // DNNSPEC_IMPL_CPU_TESTING_TARGETS_H_
