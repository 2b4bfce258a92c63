// Whole operations through the engine, every candidate against brute force.

#include <gtest/gtest.h>

#include <algorithm>
#include <cfenv>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "api/shuffle/operation.h"
#include "api/spi/implementation.h"
#include "api/spi/types.h"
#include "impl_cpu/implementation.h"
#include "impl_cpu/testing/guarded.h"
#include "impl_cpu/testing/random_operation.h"
#include "impl_cpu/testing/reference.h"
#include "impl_cpu/testing/targets.h"

namespace impl_cpu {
namespace {

spi::Engine& TheEngine() {
  static const std::shared_ptr<spi::Engine> engine = *GetImplementation().MakeEngine(0);
  return *engine;
}

std::shared_ptr<spi::Buffer> Wrap(Guarded& contents) {
  return *TheEngine().Wrap(contents.data(), contents.contents().size());
}

// Runs every candidate for `operation` and expects what brute force gives, to the byte.
void ExpectReference(Random& random, const spi::Operation& operation) {
  const spi::Layout &from = SourceOf(operation), &to = DestinationOf(operation);
  const Bytes src = RandomData(random, from.type, SizeInBytes(from));
  const Bytes old = RandomData(random, to.type, SizeInBytes(to));
  const std::vector<float> scales = ScalesFor(random, operation);
  const Bytes want = Reference(operation, src, old, scales);
  Bytes scale_bytes(scales.size() * sizeof(float));
  if (!scales.empty()) std::memcpy(scale_bytes.data(), scales.data(), scale_bytes.size());
  const auto stream = *TheEngine().MakeStream(spi::kInOrder);
  int candidate = 0;
  for (;; ++candidate) {
    auto plan = TheEngine().MakePlan(operation, candidate);
    if (!plan.ok()) {
      ASSERT_EQ(plan.status().code(), absl::StatusCode::kUnimplemented);
      break;
    }
    const auto misalignment = [&random](const spi::Layout& layout) {
      return static_cast<size_t>(Uniform(random, 0, 15) * spi::SizeOf(layout.type));
    };
    Guarded from_buffer(src, misalignment(from)), to_buffer(old, misalignment(to));
    Guarded scales_buffer(scale_bytes, 4);
    const bool backward = std::holds_alternative<spi::ShuffleOperation>(operation) &&
                          !std::get<spi::ShuffleOperation>(operation).forward;
    const auto src_handle = Wrap(from_buffer), dst_handle = Wrap(to_buffer);
    const auto scales_handle = Wrap(scales_buffer);
    const std::vector<spi::Argument> arguments = {
        {backward ? spi::kArgDiffDst : spi::kArgSrc, src_handle.get()},
        {backward ? spi::kArgDiffSrc : spi::kArgDst, dst_handle.get()},
        {spi::kArgOutputScales, scales_handle.get()}};
    ASSERT_TRUE((*plan)->Execute(*stream, arguments).ok());
    const Bytes got = to_buffer.contents();
    ASSERT_EQ(FirstDifference(operation, want, got), -1) << (*plan)->Describe();
    ASSERT_TRUE(to_buffer.intact()) << (*plan)->Describe();
    ASSERT_EQ(from_buffer.contents(), src) << (*plan)->Describe();
  }
  ASSERT_GE(candidate, 1);
}

TEST(Execution, OfReorderIsBruteForceForEveryPairOfTypesOnEveryTarget) {
  ForEachTarget([] {
    Random random(1);
    for (spi::DataType src : kTypes) {
      for (spi::DataType dst : kTypes) {
        for (int i = 0; i < 50; ++i) {
          SCOPED_TRACE(i);
          ExpectReference(random, RandomReorder(random, src, dst, i < 44 ? 600 : 6000));
          if (testing::Test::HasFatalFailure()) return;
        }
      }
    }
  });
}

TEST(Execution, OfShuffleIsBruteForceOnEveryTarget) {
  ForEachTarget([] {
    Random random(2);
    for (int i = 0; i < 600; ++i) {
      SCOPED_TRACE(i);
      ExpectReference(random, RandomShuffle(random, i < 550 ? 600 : 6000));
      if (testing::Test::HasFatalFailure()) return;
    }
  });
}

// Large enough for several boxes and threads.
TEST(Execution, OfLargeTensorsIsBruteForce) {
  Random random(4);
  for (int i = 0; i < 16; ++i) {
    SCOPED_TRACE(i);
    const spi::DataType src = kTypes[Uniform(random, 0, 5)], dst = kTypes[Uniform(random, 0, 5)];
    ExpectReference(random, i % 4 == 0
                                ? RandomShuffle(random, 500000)
                                : RandomReorder(random, i % 4 == 1 ? dst : src, dst, 500000));
    if (testing::Test::HasFatalFailure()) return;
  }
}

TEST(Execution, LeavesTheFloatingPointEnvironmentAlone) {
  Random random(3);
  spi::Operation operation = RandomReorder(random, spi::DataType::kF32, spi::DataType::kS8, 600);
  for (int mode : {FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO, FE_TONEAREST}) {
    std::fesetround(mode);
    auto plan = TheEngine().MakePlan(operation, 0);
    const std::vector<float> scales = ScalesFor(random, operation);
    Guarded from(Bytes(SizeInBytes(SourceOf(operation))), 0);
    Guarded to(Bytes(SizeInBytes(DestinationOf(operation))), 0);
    Guarded scale_bytes(Bytes(scales.size() * sizeof(float)), 0);
    const auto src = Wrap(from), dst = Wrap(to), scale = Wrap(scale_bytes);
    const auto stream = *TheEngine().MakeStream(spi::kInOrder);
    const std::vector<spi::Argument> arguments = {
        {spi::kArgSrc, src.get()}, {spi::kArgDst, dst.get()}, {spi::kArgOutputScales, scale.get()}};
    const bool ok = (*plan)->Execute(*stream, arguments).ok();
    const int after = std::fegetround();
    std::fesetround(FE_TONEAREST);
    EXPECT_TRUE(ok);
    EXPECT_EQ(after, mode);
  }
}

}  // namespace
}  // namespace impl_cpu
