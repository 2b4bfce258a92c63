// One buffer as source and destination: each element is replaced on its own bytes.

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "api/reorder/testing/random_reorder.h"
#include "api/reorder/testing/reorder_operation.h"
#include "api/spi/implementation.h"
#include "api/spi/signatures.h"
#include "api/spi/types.h"
#include "api/testing/interpreter.h"
#include "api/testing/plans.h"
#include "api/testing/random_operation.h"
#include "impl_cpu/implementation.h"
#include "impl_cpu/testing/guarded_buffers.h"
#include "impl_cpu/testing/targets.h"

namespace impl_cpu {
namespace {

using spi::BuffersFor;
using spi::Bytes;
using spi::kTypes;
using spi::Random;
using spi::RandomReorder;

// Runs every candidate for `operation` in place and expects what the interpreter gives.
void ExpectInterpreted(Random& random, const spi::Operation& operation, spi::Engine& engine) {
  std::vector<Bytes> before = BuffersFor(random, operation);
  before[1] = before[0];
  const spi::Interpretation right(operation, before);
  const auto stream = *engine.MakeStream(spi::kInOrder);
  for (int candidate = 0;; ++candidate) {
    const auto plan = spi::PlanOf(engine, operation, candidate);
    if (!plan.ok()) {
      ASSERT_GE(candidate, 1);
      return;
    }
    GuardedBuffers buffers(random, operation, before);
    std::vector<spi::Buffer*> arguments = buffers.Arguments();
    arguments[0] = arguments[1];
    ASSERT_TRUE((*plan)->Execute(*stream, arguments).ok());
    ASSERT_EQ(right.Mismatch(buffers.contents()), "") << (*plan)->Describe();
    ASSERT_TRUE(buffers.intact()) << (*plan)->Describe();
  }
}

// No sum, and the source's layout on both sides.
bool MakeInPlace(spi::ReorderOperation* reorder) {
  for (int j = 0; j < reorder->src.rank; ++j)
    if (reorder->src.strides[j] == 0) return false;
  const spi::DataType type = reorder->dst.type;
  reorder->dst = reorder->src;
  reorder->dst.type = type;
  reorder->has_sum = false;
  return true;
}

TEST(InPlace, EveryElementIsReplacedOnceOnEveryTarget) {
  const std::shared_ptr<spi::Engine> engine = *GetImplementation().MakeEngine(0);
  ForEachTarget([&] {
    Random random(1);
    for (const spi::DataType src : kTypes) {
      for (const spi::DataType dst : kTypes) {
        if (spi::SizeOf(src) != spi::SizeOf(dst)) continue;
        for (int i = 0; i < 150; ++i) {
          SCOPED_TRACE(i);
          spi::ReorderOperation operation = RandomReorder(random, src, dst, i < 140 ? 600 : 20000);
          if (!MakeInPlace(&operation)) continue;
          SCOPED_TRACE(spi::ToString(spi::Operation(operation)));
          ExpectInterpreted(random, operation, *engine);
          if (testing::Test::HasFatalFailure()) return;
        }
      }
    }
  });
}

// The last vectors of a row would overlap the ones before.
TEST(InPlace, NoElementIsScaledTwice) {
  const std::shared_ptr<spi::Engine> engine = *GetImplementation().MakeEngine(0);
  ForEachTarget([&] {
    Random random(2);
    for (int64_t size = 1; size < 300; ++size) {
      spi::ReorderOperation scale;
      scale.src = scale.dst = spi::Strided(spi::DataType::kF32, {size});
      scale.scales = {2.f};
      ExpectInterpreted(random, scale, *engine);
      if (testing::Test::HasFatalFailure()) return;
    }
  });
}

}  // namespace
}  // namespace impl_cpu
