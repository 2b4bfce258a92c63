#include "conformance/mutants/reach.h"

#include <gtest/gtest.h>

#include "hwy/targets.h"

namespace conformance {
namespace {

constexpr int64_t kOld = HWY_SCALAR | HWY_SSE4;
constexpr int64_t kUsual = kOld | HWY_AVX2;
constexpr int64_t kNew = kUsual | HWY_AVX3 | HWY_AVX3_DL;

TEST(Reach, OfCodeForAllIsEverywhere) {
  for (const int64_t usable : {kOld, kUsual, kNew}) {
    const Reach reach = ReachOf("", usable);
    EXPECT_EQ(reach.beyond + reach.cap + reach.error, "");
  }
}

TEST(Reach, EndsBelowWhatTheCodeNeeds) {
  EXPECT_EQ(ReachOf(">=AVX3", kUsual).beyond, "its code is for >=AVX3, the best here is AVX2");
  EXPECT_EQ(ReachOf(">=AVX3", kNew).beyond, "");
  EXPECT_EQ(ReachOf(">=AVX3", kNew).cap, "");
  EXPECT_EQ(ReachOf(">=AVX3_DL", kUsual | HWY_AVX3).beyond,
            "its code is for >=AVX3_DL, the best here is AVX3");
}

TEST(Reach, OfCodeForLessIsThroughACap) {
  EXPECT_EQ(ReachOf("<=AVX2", kNew).cap, "AVX2");
  EXPECT_EQ(ReachOf("<=AVX2", kUsual).cap, "");
  EXPECT_EQ(ReachOf("<=SSE4", kUsual).cap, "SSE4");
  EXPECT_EQ(ReachOf("<=AVX2", kOld).beyond, "");
  EXPECT_EQ(ReachOf(">=AVX2 <=AVX2", kNew).cap, "AVX2");
  EXPECT_EQ(ReachOf(">=AVX2 <=AVX2", kOld).beyond,
            "its code is for >=AVX2 <=AVX2, the best here is SSE4");
  EXPECT_EQ(ReachOf("<=SCALAR", kNew).cap, "SCALAR");
}

TEST(Reach, OfAmxIsTheBest) {
  EXPECT_EQ(ReachOf(">=AMX", kNew).beyond, "its code is for >=AMX, the best here is AVX3_DL");
  EXPECT_EQ(ReachOf(">=AMX", kNew | kAmx).cap, "");
  EXPECT_EQ(ReachOf(">=AVX3_DL", kNew | kAmx).cap, "");
  EXPECT_EQ(ReachOf(">=AVX3_DL <=AVX3_DL", kNew | kAmx).cap, "AVX3_DL");
  EXPECT_EQ(ReachOf("<=SSE4", kNew | kAmx).cap, "SSE4");
}

TEST(Reach, OfZen4IsBetweenAvx3AndAmx) {
  constexpr int64_t kPairs = kNew | kZen4;
  EXPECT_EQ(ReachOf(">=AVX3_ZEN4", kNew).beyond,
            "its code is for >=AVX3_ZEN4, the best here is AVX3_DL");
  for (const int64_t usable : {kPairs, kNew | kAmx, kPairs | kAmx}) {
    const Reach reach = ReachOf(">=AVX3_ZEN4", usable);
    EXPECT_EQ(reach.beyond + reach.cap + reach.error, "");
  }
  EXPECT_EQ(ReachOf(">=AMX", kPairs).beyond, "its code is for >=AMX, the best here is AVX3_ZEN4");
  const char* const only = ">=AVX3_ZEN4 <=AVX3_ZEN4";
  EXPECT_NE(ReachOf(only, kNew | kAmx).beyond, "");
  EXPECT_EQ(ReachOf(only, kPairs).beyond + ReachOf(only, kPairs).cap, "");
  EXPECT_EQ(ReachOf(only, kPairs | kAmx).cap, "AVX3_DL");
  EXPECT_EQ(ReachOf("<=AVX3", kPairs).cap, "AVX3");
}

TEST(Reach, OfNoKnownSetIsAnError) {
  EXPECT_EQ(ReachOf(">=AVX9", kNew).error, "there is no instruction set AVX9");
}

TEST(UsableTargets, AreCapped) {
  EXPECT_EQ(UsableTargets(nullptr) & ~(kAmx | kZen4), hwy::SupportedTargets() & HWY_TARGETS);
  EXPECT_EQ(UsableTargets("amx"), UsableTargets(nullptr));
  EXPECT_EQ(UsableTargets("AVX3_DL") & kAmx, 0);
  EXPECT_EQ(UsableTargets("AVX3_DL") & kZen4, UsableTargets(nullptr) & kZen4);
  EXPECT_EQ(UsableTargets("AVX3") & kZen4, 0);
  EXPECT_EQ(UsableTargets("SSE4") & (HWY_AVX2 | HWY_AVX3), 0);
  EXPECT_EQ(UsableTargets("sse4"), UsableTargets("SSE4"));
  EXPECT_EQ(UsableTargets("SSE4") & HWY_SSE4, hwy::SupportedTargets() & HWY_SSE4);
}

}  // namespace
}  // namespace conformance
