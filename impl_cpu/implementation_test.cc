#include "impl_cpu/implementation.h"

#include <gtest/gtest.h>

#include <string>

#include "api/reorder/testing/reorder_operation.h"
#include "api/spi/implementation.h"
#include "api/spi/types.h"
#include "api/testing/plans.h"

namespace impl_cpu {
namespace {

TEST(Implementation, IsOneCpuEngine) {
  spi::Implementation& implementation = GetImplementation();
  EXPECT_STREQ(implementation.name(), "cpu");
  EXPECT_EQ(implementation.kind(), spi::EngineKind::kCpu);
  ASSERT_EQ(implementation.EngineCount(), 1u);
  auto first = implementation.MakeEngine(0), second = implementation.MakeEngine(0);
  ASSERT_TRUE(first.ok() && second.ok());
  EXPECT_EQ(*first, *second);
}

TEST(Implementation, StreamsHaveNothingToWaitFor) {
  auto engine = GetImplementation().MakeEngine(0);
  for (unsigned flags : {1u, 2u}) {
    auto stream = (*engine)->MakeStream(flags);
    ASSERT_TRUE(stream.ok());
    EXPECT_TRUE((*stream)->Wait().ok());
  }
}

TEST(Implementation, ReadsNoOpaqueLayout) {
  auto engine = GetImplementation().MakeEngine(0);
  spi::ReorderOperation operation;
  operation.src = spi::Opaque(spi::DataType::kF32, {3}, 1, 12);
  operation.dst = spi::Strided(spi::DataType::kF32, {3});
  const auto plan = spi::PlanOf(**engine, operation, 0);
  EXPECT_EQ(plan.status().code(), absl::StatusCode::kUnimplemented);
  EXPECT_EQ(plan.status().message(), "cpu: no layout of this engine is opaque");
}

TEST(Implementation, AnswersTheLastCandidateWithThePlainKernelAndThenUnimplemented) {
  auto engine = GetImplementation().MakeEngine(0);
  spi::ReorderOperation operation;
  operation.src.type = operation.dst.type = spi::DataType::kF32;
  operation.src.rank = operation.dst.rank = 1;
  operation.src.dims = operation.dst.dims = {3};
  operation.src.strides = operation.dst.strides = {1};
  std::string last;
  int candidate = 0;
  for (;; ++candidate) {
    auto plan = spi::PlanOf(**engine, operation, candidate);
    if (!plan.ok()) {
      EXPECT_EQ(plan.status().code(), absl::StatusCode::kUnimplemented);
      break;
    }
    last = (*plan)->Describe();
  }
  EXPECT_GE(candidate, 1);
  EXPECT_EQ(last, "cpu:plain f32->f32 3 (1)->(1)");
}

}  // namespace
}  // namespace impl_cpu
