// Whole operations through the engine, every candidate against the interpreter.

#include <gtest/gtest.h>

#include <algorithm>
#include <cfenv>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "api/reorder/testing/random_reorder.h"
#include "api/reorder/testing/reorder_operation.h"
#include "api/shuffle/testing/random_shuffle.h"
#include "api/shuffle/testing/shuffle_operation.h"
#include "api/spi/implementation.h"
#include "api/spi/types.h"
#include "api/testing/interpreter.h"
#include "api/testing/plans.h"
#include "api/testing/random_operation.h"
#include "impl_cpu/implementation.h"
#include "impl_cpu/plain/problem.h"
#include "impl_cpu/testing/guarded_buffers.h"
#include "impl_cpu/testing/targets.h"

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace impl_cpu {
namespace {

using spi::BuffersFor;
using spi::kTypes;
using spi::Random;
using spi::RandomReorder;
using spi::RandomShuffle;
using spi::Uniform;

spi::Engine& TheEngine() {
  static const std::shared_ptr<spi::Engine> engine = *GetImplementation().MakeEngine(0);
  return *engine;
}

// Runs every candidate for `operation` and expects what the interpreter gives, to the byte.
void ExpectInterpreted(Random& random, const spi::Operation& operation) {
  const spi::Interpretation right(operation, BuffersFor(random, operation));
  const auto stream = *TheEngine().MakeStream(spi::kInOrder);
  int candidate = 0;
  for (;; ++candidate) {
    auto plan = spi::PlanOf(TheEngine(), operation, candidate);
    if (!plan.ok()) {
      ASSERT_EQ(plan.status().code(), absl::StatusCode::kUnimplemented);
      break;
    }
    GuardedBuffers buffers(random, operation, right.before());
    ASSERT_TRUE((*plan)->Execute(*stream, buffers.Arguments()).ok());
    ASSERT_EQ(right.Mismatch(buffers.contents()), "") << (*plan)->Describe();
    ASSERT_TRUE(buffers.intact()) << (*plan)->Describe();
  }
  ASSERT_GE(candidate, 1);
}

TEST(Execution, OfReorderIsInterpretedForEveryPairOfTypesOnEveryTarget) {
  ForEachTarget([] {
    Random random(1);
    for (spi::DataType src : kTypes) {
      for (spi::DataType dst : kTypes) {
        for (int i = 0; i < 50; ++i) {
          SCOPED_TRACE(i);
          ExpectInterpreted(random, RandomReorder(random, src, dst, i < 44 ? 600 : 6000));
          if (testing::Test::HasFatalFailure()) return;
        }
      }
    }
  });
}

TEST(Execution, OfShuffleIsInterpretedOnEveryTarget) {
  ForEachTarget([] {
    Random random(2);
    for (int i = 0; i < 600; ++i) {
      SCOPED_TRACE(i);
      ExpectInterpreted(random, RandomShuffle(random, i < 550 ? 600 : 6000));
      if (testing::Test::HasFatalFailure()) return;
    }
  });
}

// Blocks that do not nest along an axis that is too long for a list of its nests.
TEST(Execution, OfALongAxisIsInterpreted) {
  Random random(6);
  for (const bool shuffled : {false, true}) {
    const spi::Layout from =
        spi::Strided(spi::DataType::kF32, {32768, 3}, {{0, 7}, {1, 2}, {0, 11}});
    const spi::Layout to = spi::Strided(shuffled ? spi::DataType::kF32 : spi::DataType::kS8,
                                        {32768, 3}, {{0, 13}, {1, 2}, {0, 17}});
    spi::Operation operation;
    if (shuffled) {
      spi::ShuffleOperation shuffle;
      shuffle.from = from;
      shuffle.to = to;
      shuffle.group_size = 64;
      operation = shuffle;
    } else {
      spi::ReorderOperation reorder;
      reorder.src = from;
      reorder.dst = to;
      reorder.scale_mask = 2;
      reorder.scales = {0.5f, 2, 3};
      reorder.has_sum = true;
      reorder.beta = 1;
      operation = reorder;
    }
    ExpectInterpreted(random, operation);
    const auto plan = spi::PlanOf(TheEngine(), operation, 0);
    EXPECT_NE((*plan)->Describe().find("walk of 32768x3"), std::string::npos)
        << (*plan)->Describe();
  }
}

// Large enough for several boxes and threads.
TEST(Execution, OfLargeTensorsIsInterpreted) {
  Random random(4);
  for (int i = 0; i < 16; ++i) {
    SCOPED_TRACE(i);
    const spi::DataType src = kTypes[Uniform(random, 0, 5)], dst = kTypes[Uniform(random, 0, 5)];
    ExpectInterpreted(random, i % 4 == 0 ? spi::Operation(RandomShuffle(random, 500000))
                                         : spi::Operation(RandomReorder(
                                               random, i % 4 == 1 ? dst : src, dst, 500000)));
    if (testing::Test::HasFatalFailure()) return;
  }
}

#if defined(__x86_64__)
// Linked with -ffast-math, a program has every thread flush subnormals (DT-031).
TEST(Execution, KeepsSubnormalsWhereTheCallerFlushesThem) {
  constexpr unsigned kFlush = 0x8040;
  constexpr size_t kCount = 300000;  // several threads
  ForEachTarget([] {
    for (const bool sum : {false, true}) {
      spi::ReorderOperation operation;
      operation.src = operation.dst = spi::Strided(spi::DataType::kF32, {kCount});
      operation.scales = {2};
      operation.has_sum = sum;
      operation.beta = 1e-40f;
      std::vector<float> src(kCount, 3e-39f), dst(kCount, 2.0f);
      const float want = 2 * 3e-39f + (sum ? 1e-40f * 2.0f : 0);
      const auto from = *TheEngine().Wrap(src.data(), 4 * kCount);
      const auto to = *TheEngine().Wrap(dst.data(), 4 * kCount);
      const auto stream = *TheEngine().MakeStream(spi::kInOrder);
      const std::vector<spi::Buffer*> arguments =
          spi::BuffersOf(operation, {{spi::kArgSrc, from.get()}, {spi::kArgDst, to.get()}});
      for (int candidate = 0; candidate < 2; ++candidate) {
        dst.assign(kCount, 2.0f);
        const unsigned before = _mm_getcsr();
        _mm_setcsr((before & ~0x3fu) | kFlush);
        const auto plan = spi::PlanOf(TheEngine(), operation, candidate);
        const bool executed = plan.ok() && (*plan)->Execute(*stream, arguments).ok();
        const unsigned after = _mm_getcsr();
        _mm_setcsr(before);
        ASSERT_TRUE(executed || candidate > 0);
        EXPECT_EQ(after & ~0x3fu, (before & ~0x3fu) | kFlush);
        if (executed) {
          ASSERT_EQ(std::count(dst.begin(), dst.end(), want), static_cast<int64_t>(kCount))
              << (*plan)->Describe();
        }
      }
    }
  });
}
#endif

TEST(Execution, LeavesTheFloatingPointEnvironmentAlone) {
  Random random(3);
  const spi::Operation operation =
      RandomReorder(random, spi::DataType::kF32, spi::DataType::kS8, 600);
  for (int mode : {FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO, FE_TONEAREST}) {
    std::fesetround(mode);
    auto plan = spi::PlanOf(TheEngine(), operation, 0);
    GuardedBuffers buffers(random, operation, BuffersFor(random, operation));
    const auto stream = *TheEngine().MakeStream(spi::kInOrder);
    const bool ok = (*plan)->Execute(*stream, buffers.Arguments()).ok();
    const int after = std::fegetround();
    std::fesetround(FE_TONEAREST);
    EXPECT_TRUE(ok);
    EXPECT_EQ(after, mode);
  }
}

}  // namespace
}  // namespace impl_cpu
