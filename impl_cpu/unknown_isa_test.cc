// With DNNSPEC_MAX_ISA=AVX9: a limit that means nothing is not ignored. In a program of its own,
// since the limit is read once.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "absl/status/status.h"
#include "api/spi/implementation.h"
#include "impl_cpu/implementation.h"

namespace impl_cpu {
namespace {

TEST(UnknownIsa, IsRefusedByNameWhenAnEngineIsMade) {
  // Here and not by the target: what `bazel test --test_env` hands through would win.
  ASSERT_EQ(setenv("DNNSPEC_MAX_ISA", "AVX9", /*overwrite=*/1), 0);
  spi::Implementation& implementation = GetImplementation();
  EXPECT_EQ(implementation.EngineCount(), 1u);
  for (int i = 0; i < 2; ++i) {
    const absl::Status status = implementation.MakeEngine(0).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(std::string(status.message()),
                testing::MatchesRegex("cpu: DNNSPEC_MAX_ISA = AVX9 is no instruction set of this "
                                      "library; it has( [A-Z0-9_]+)+"));
  }
}

}  // namespace
}  // namespace impl_cpu
