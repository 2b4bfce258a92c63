// Executing allocates nothing.
#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <variant>
#include <vector>

#include "api/spi/implementation.h"
#include "api/spi/types.h"
#include "api/testing/operations.h"
#include "impl_cpu/convolution/testing/random_convolution.h"
#include "impl_cpu/eltwise/testing/eltwise_call.h"
#include "impl_cpu/implementation.h"
#include "impl_cpu/inner_product/testing/product_call.h"
#include "impl_cpu/testing/random_operation.h"

namespace {

std::atomic<int64_t> allocations{0};

void* Count(size_t bytes) {
  ++allocations;
  if (void* const p = std::malloc(bytes == 0 ? 1 : bytes)) return p;
  throw std::bad_alloc();
}

}  // namespace

void* operator new(size_t bytes) { return Count(bytes); }
void* operator new[](size_t bytes) { return Count(bytes); }
void operator delete(void* p) noexcept { std::free(p); }
void operator delete[](void* p) noexcept { std::free(p); }
void operator delete(void* p, size_t) noexcept { std::free(p); }
void operator delete[](void* p, size_t) noexcept { std::free(p); }

namespace impl_cpu {
namespace {

TEST(Allocation, IsCounted) {
  const int64_t before = allocations;
  const auto p = std::make_unique<int>(1);
  EXPECT_EQ(allocations, before + 1);
}

TEST(Allocation, IsNoPartOfAnExecution) {
  spi::Engine& engine = **GetImplementation().MakeEngine(0);
  const auto stream = *engine.MakeStream(spi::kInOrder);
  Random random(31);
  for (int i = 0; i < 400; ++i) {
    const spi::DataType from = kTypes[Uniform(random, 0, 5)], to = kTypes[Uniform(random, 0, 5)];
    const spi::AnyOperation operation =
        i % 4 == 0 ? RandomShuffle(random, 2000) : RandomReorder(random, from, to, 2000);
    const std::vector<float> scales = ScalesFor(random, operation);
    std::vector<std::byte> src(SizeInBytes(SourceOf(operation)) + 64);
    std::vector<std::byte> dst(SizeInBytes(DestinationOf(operation)) + 64);
    const auto src_buffer = *engine.Wrap(src.data(), src.size());
    const auto dst_buffer = *engine.Wrap(dst.data(), dst.size());
    const auto scales_buffer = *engine.Wrap(const_cast<float*>(scales.data()), 4 * scales.size());
    const bool backward = std::holds_alternative<spi::ShuffleOperation>(operation) &&
                          !std::get<spi::ShuffleOperation>(operation).forward;
    const ZeroPoints zeros(engine, operation);
    const std::vector<spi::Buffer*> arguments =
        spi::BuffersOf(operation, {{backward ? spi::kArgDiffDst : spi::kArgSrc, src_buffer.get()},
                                   {backward ? spi::kArgDiffSrc : spi::kArgDst, dst_buffer.get()},
                                   {spi::kArgOutputScales, scales_buffer.get()},
                                   {spi::kArgSrcZeroPoint, zeros.src.get()},
                                   {spi::kArgDstZeroPoint, zeros.dst.get()}});
    for (int candidate = 0; candidate < 2; ++candidate) {
      const auto plan = spi::PlanOf(engine, operation, candidate);
      if (!plan.ok()) break;
      const int64_t before = allocations;
      ASSERT_TRUE((*plan)->Execute(*stream, arguments).ok());
      EXPECT_EQ(allocations, before) << (*plan)->Describe();
    }
  }
}

TEST(Allocation, IsNoPartOfAnInnerProduct) {
  spi::Engine& engine = **GetImplementation().MakeEngine(0);
  const auto stream = *engine.MakeStream(spi::kInOrder);
  Random random(32);
  for (int i = 0; i < 200; ++i) {
    ProductCall call(engine, random, i);
    for (int candidate = 0; candidate < 2; ++candidate) {
      auto planned = engine.MakePlan({call.operation, nullptr, candidate});
      if (!planned.ok()) break;
      const std::vector<spi::Buffer*> arguments = call.Arguments(*planned);
      const int64_t before = allocations;
      ASSERT_TRUE(planned->plan->Execute(*stream, arguments).ok());
      EXPECT_EQ(allocations, before) << planned->plan->Describe();
    }
  }
}

TEST(Allocation, IsNoPartOfAConvolution) {
  spi::Engine& engine = **GetImplementation().MakeEngine(0);
  const auto stream = *engine.MakeStream(spi::kInOrder);
  Random random(34);
  for (int i = 0; i < 400; ++i) {
    ProductCall call(engine, random, ConvolutionFor(engine, random, i));
    for (int candidate = 0; candidate < 2; ++candidate) {
      auto planned = engine.MakePlan({call.operation, nullptr, candidate});
      if (!planned.ok()) break;
      const std::vector<spi::Buffer*> arguments = call.Arguments(*planned);
      const int64_t before = allocations;
      ASSERT_TRUE(planned->plan->Execute(*stream, arguments).ok());
      EXPECT_EQ(allocations, before) << planned->plan->Describe();
    }
  }
}

TEST(Allocation, IsNoPartOfAnEltwise) {
  spi::Engine& engine = **GetImplementation().MakeEngine(0);
  const auto stream = *engine.MakeStream(spi::kInOrder);
  Random random(33);
  for (int i = 0; i < 400; ++i) {
    const EltwiseCall call(engine, random, i, 2000);
    const std::vector<spi::Buffer*> arguments = call.Arguments();
    for (int candidate = 0; candidate < 2; ++candidate) {
      const auto planned = engine.MakePlan({call.operation, nullptr, candidate});
      ASSERT_TRUE(planned.ok()) << planned.status();
      const int64_t before = allocations;
      ASSERT_TRUE(planned->plan->Execute(*stream, arguments).ok());
      EXPECT_EQ(allocations, before) << planned->plan->Describe();
    }
  }
}

}  // namespace
}  // namespace impl_cpu
