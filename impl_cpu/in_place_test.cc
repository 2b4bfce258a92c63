// One buffer as source and destination: each element is replaced on its own bytes.

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "api/spi/implementation.h"
#include "api/spi/signatures.h"
#include "api/spi/types.h"
#include "api/testing/operations.h"
#include "impl_cpu/implementation.h"
#include "impl_cpu/testing/guarded.h"
#include "impl_cpu/testing/random_operation.h"
#include "impl_cpu/testing/reference.h"
#include "impl_cpu/testing/targets.h"

namespace impl_cpu {
namespace {

// Runs every candidate for `operation` in place and expects what brute force gives.
void ExpectReference(Random& random, const spi::AnyOperation& operation, spi::Engine& engine) {
  const spi::Layout& layout = SourceOf(operation);
  const Bytes data = RandomData(random, layout.type, SizeInBytes(layout));
  const std::vector<float> scales = ScalesFor(random, operation);
  const Bytes want = Reference(operation, data, data, scales);
  Bytes scale_bytes(scales.size() * sizeof(float));
  if (!scales.empty()) std::memcpy(scale_bytes.data(), scales.data(), scale_bytes.size());
  const auto stream = *engine.MakeStream(spi::kInOrder);
  for (int candidate = 0;; ++candidate) {
    const auto plan = spi::PlanOf(engine, operation, candidate);
    if (!plan.ok()) {
      ASSERT_GE(candidate, 1);
      return;
    }
    Guarded buffer(data, static_cast<size_t>(Uniform(random, 0, 15) * spi::SizeOf(layout.type)));
    Guarded factors(scale_bytes, 4);
    const auto both = *engine.Wrap(buffer.data(), data.size());
    const auto scale = *engine.Wrap(factors.data(), scale_bytes.size());
    const ZeroPoints zeros(engine, operation);
    const std::vector<spi::Buffer*> arguments =
        spi::BuffersOf(operation, {{spi::kArgSrc, both.get()},
                                   {spi::kArgDst, both.get()},
                                   {spi::kArgOutputScales, scale.get()},
                                   {spi::kArgSrcZeroPoint, zeros.src.get()},
                                   {spi::kArgDstZeroPoint, zeros.dst.get()}});
    ASSERT_TRUE((*plan)->Execute(*stream, arguments).ok());
    ASSERT_EQ(FirstDifference(operation, want, buffer.contents()), -1) << (*plan)->Describe();
    ASSERT_TRUE(buffer.intact()) << (*plan)->Describe();
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
          spi::AnyOperation operation = RandomReorder(random, src, dst, i < 140 ? 600 : 20000);
          if (!MakeInPlace(&std::get<spi::ReorderOperation>(operation))) continue;
          SCOPED_TRACE(spi::ToString(spi::Operation(operation)));
          ExpectReference(random, operation, *engine);
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
      ExpectReference(random, scale, *engine);
      if (testing::Test::HasFatalFailure()) return;
    }
  });
}

}  // namespace
}  // namespace impl_cpu
