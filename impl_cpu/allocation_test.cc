// Executing allocates nothing.
#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#include "api/reorder/testing/random_reorder.h"
#include "api/shuffle/testing/random_shuffle.h"
#include "api/spi/implementation.h"
#include "api/spi/types.h"
#include "api/testing/interpreter.h"
#include "api/testing/random_operation.h"
#include "impl_cpu/convolution/testing/random_convolution.h"
#include "impl_cpu/eltwise/testing/random_eltwise.h"
#include "impl_cpu/implementation.h"
#include "impl_cpu/inner_product/testing/random_product.h"
#include "impl_cpu/testing/buffers.h"

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

using spi::kTypes;
using spi::Random;
using spi::RandomReorder;
using spi::RandomShuffle;

TEST(Allocation, IsCounted) {
  const int64_t before = allocations;
  const auto p = std::make_unique<int>(1);
  EXPECT_EQ(allocations, before + 1);
}

void ExpectNone(spi::Engine& engine, const spi::Operation& operation,
                std::vector<spi::Bytes> contents) {
  const auto stream = *engine.MakeStream(spi::kInOrder);
  Buffers buffers(std::move(contents));
  int candidate = 0;
  for (; candidate < 2; ++candidate) {
    const auto planned = engine.MakePlan({operation, nullptr, candidate});
    if (!planned.ok()) break;
    const std::vector<spi::Buffer*> arguments = buffers.Arguments(*planned);
    const int64_t before = allocations;
    ASSERT_TRUE(planned->plan->Execute(*stream, arguments).ok());
    EXPECT_EQ(allocations, before) << planned->plan->Describe();
  }
  ASSERT_GE(candidate, 1);
}

TEST(Allocation, IsNoPartOfAnExecution) {
  spi::Engine& engine = **GetImplementation().MakeEngine(0);
  Random random(31);
  for (int i = 0; i < 400; ++i) {
    const spi::DataType from = spi::Pick(random, kTypes), to = spi::Pick(random, kTypes);
    const spi::Operation operation = i % 4 == 0
                                         ? spi::Operation(RandomShuffle(random, 2000))
                                         : spi::Operation(RandomReorder(random, from, to, 2000));
    ExpectNone(engine, operation, ZerosFor(operation));
  }
}

TEST(Allocation, IsNoPartOfAnInnerProduct) {
  spi::Engine& engine = **GetImplementation().MakeEngine(0);
  Random random(32);
  for (int i = 0; i < 200; ++i) {
    const spi::Operation operation = InnerProductFor(engine, random, i);
    ExpectNone(engine, operation, spi::IntegersFor(random, operation, true));
  }
}

TEST(Allocation, IsNoPartOfAConvolution) {
  spi::Engine& engine = **GetImplementation().MakeEngine(0);
  Random random(34);
  for (int i = 0; i < 400; ++i) {
    const spi::Operation operation = ConvolutionFor(engine, random, i);
    ExpectNone(engine, operation, spi::IntegersFor(random, operation, true));
  }
}

// Kernels of many rows, whose taps are copied.
TEST(Allocation, IsNoPartOfAConvolutionByManyRowsOfTaps) {
  constexpr spi::DataType kU8 = spi::DataType::kU8, kS8 = spi::DataType::kS8,
                          kF32 = spi::DataType::kF32, kBF16 = spi::DataType::kBF16;
  spi::Engine& engine = **GetImplementation().MakeEngine(0);
  Random random(35);
  ConvolutionShape volume, tall;
  volume.axes = {AxisOf(4, 3), AxisOf(4, 3), AxisOf(4, 3)};
  tall.axes = {AxisOf(40, 37), AxisOf(5, 3)};
  for (const ProductTypes& types :
       {kAllF32, ProductTypes{kBF16, kBF16, kF32, kF32}, ProductTypes{kU8, kS8, kF32, kF32},
        ProductTypes{kS8, kS8, kF32, kF32}})
    for (ConvolutionShape shape : {volume, tall})
      for (const int64_t channels : {6, 33}) {
        shape.ic = channels;
        shape.oc = 8;
        const spi::Operation open = RandomConvolution(random, spi::PropKind::kForwardInference,
                                                      types, shape, Presented::kAny, false);
        const spi::Operation operation =
            WithChosen(open, engine.MakePlan({open, nullptr, 0})->chosen);
        ExpectNone(engine, operation, spi::IntegersFor(random, operation, true));
      }
}

TEST(Allocation, IsNoPartOfAnEltwise) {
  spi::Engine& engine = **GetImplementation().MakeEngine(0);
  Random random(33);
  for (int i = 0; i < 400; ++i) {
    const spi::Operation operation = EltwiseFor(random, i, 2000);
    ExpectNone(engine, operation, ZerosFor(operation));
  }
}

}  // namespace
}  // namespace impl_cpu
