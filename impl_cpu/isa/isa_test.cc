#include "impl_cpu/isa/isa.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "api/spi/types.h"
#include "hwy/targets.h"
#include "impl_cpu/isa/amx.h"

namespace impl_cpu {
namespace {

TEST(Isa, LimitsToANameInAnyCase) {
  for (const char* name : {"SSE4", "sse4"}) {
    const std::optional<int64_t> better = TargetsBetterThan(name);
    if (!better) GTEST_SKIP() << "not compiled for SSE4";
    EXPECT_EQ(*better & HWY_SSE4, 0);
    EXPECT_NE(*better & HWY_AVX2, 0);
    EXPECT_NE(*better & HWY_AVX3, 0);
    EXPECT_EQ(*better & HWY_SSSE3, 0);
  }
}

TEST(Isa, IsNotFoundByAnUnknownName) {
  for (const char* name : {"", "AVX9", "AVX2 ", "Unknown"}) EXPECT_FALSE(TargetsBetterThan(name));
}

// Asking for the name must not let kernels use what is disabled.
TEST(Isa, KeepsItsLimitWhenItIsNamed) {
  const std::optional<int64_t> better = TargetsBetterThan("SSE4");
  if (!better) GTEST_SKIP() << "not compiled for SSE4";
  hwy::DisableTargets(*better);
  const int64_t targets = hwy::SupportedTargets();
  hwy::GetChosenTarget().Update(targets);
  const size_t chosen = hwy::GetChosenTarget().GetIndex();
  EXPECT_STREQ(IsaName(), hwy::TargetName(targets & -targets));
  EXPECT_EQ(hwy::GetChosenTarget().GetIndex(), chosen);
  hwy::DisableTargets(0);
}

// Naming it meanwhile is what another thread does that asks for impl_info_str.
TEST(Isa, NeverUsesWhatIsDisabled) {
  const std::optional<int64_t> better = TargetsBetterThan("SSE4");
  if (!better) GTEST_SKIP() << "not compiled for SSE4";
  hwy::DisableTargets(*better);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  const size_t chosen = hwy::GetChosenTarget().GetIndex();
  std::atomic<bool> done{false};
  std::thread other([&done] {
    for (int i = 0; i < 100'000; ++i) IsaName();
    done = true;
  });
  int wrong = 0;
  while (!done) wrong += hwy::GetChosenTarget().GetIndex() != chosen;
  other.join();
  EXPECT_EQ(wrong, 0);
  hwy::DisableTargets(0);
}

TEST(Isa, IsNotLimitedByTheBest) {
  const char* const before = std::getenv("DNNSPEC_MAX_ISA");
  const std::string kept = before == nullptr ? "" : before;
  for (const auto& [name, limited] : {std::pair("", false), std::pair("AMX", false),
                                      std::pair("amx", false), std::pair("AVX2", true)}) {
    setenv("DNNSPEC_MAX_ISA", name, 1);
    EXPECT_EQ(IsaIsLimited(), limited) << name;
  }
  before == nullptr ? unsetenv("DNNSPEC_MAX_ISA") : setenv("DNNSPEC_MAX_ISA", kept.c_str(), 1);
}

// Asked twice it says the same, and never that there is what a limit forbids.
TEST(Amx, IsUsedWithoutALimitAlone) {
  const bool may = MayUseAmx();
  EXPECT_EQ(MayUseAmx(), may);
  if (IsaIsLimited()) {
    EXPECT_FALSE(may);
  }
}

TEST(Isa, HasTheNameOfOneDnnThatItsTargetHas) {
  const std::vector<std::pair<const char*, spi::CpuIsa>> known = {
      {"SSE4", spi::CpuIsa::kSse41},
      {"AVX2", spi::CpuIsa::kAvx2},
      {"AVX3", spi::CpuIsa::kAvx512Core}};
  const spi::CpuIsa best = IsaInUse();
  for (const auto& [name, isa] : known) {
    const std::optional<int64_t> better = TargetsBetterThan(name);
    if (!better) GTEST_SKIP() << "not compiled for " << name;
    hwy::DisableTargets(*better);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    if (std::string(IsaName()) == name) {
      EXPECT_EQ(IsaInUse(), isa) << name;
      // All that a machine has, it has with what is less.
      EXPECT_EQ(static_cast<int>(best) & static_cast<int>(isa), static_cast<int>(isa)) << name;
    }
    hwy::DisableTargets(0);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  }
  EXPECT_EQ(IsaInUse(), best);
}

TEST(Isa, IsBestWhereMoreThanAvx3IsInUse) {
  if (std::string(IsaName()) != "AVX3_DL") GTEST_SKIP() << IsaName() << " is in use";
  const spi::CpuIsa isa = IsaInUse();
  EXPECT_EQ(isa == spi::CpuIsa::kAvx512CoreAmx, MayUseAmx());
  if (!MayUseAmx()) {
    EXPECT_EQ(isa, __builtin_cpu_supports("avx512bf16") ? spi::CpuIsa::kAvx512CoreBf16
                                                        : spi::CpuIsa::kAvx512CoreVnni);
  }
}

TEST(Isa, HasAName) { EXPECT_NE(std::string(IsaName()), "Unknown"); }

}  // namespace
}  // namespace impl_cpu
