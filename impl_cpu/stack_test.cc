// Threads with small stacks execute too: musl's have 128 KiB, and programs make smaller ones.
#include <gtest/gtest.h>
#include <pthread.h>

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "api/reorder/testing/random_reorder.h"
#include "api/spi/implementation.h"
#include "api/spi/types.h"
#include "api/testing/interpreter.h"
#include "api/testing/random_operation.h"
#include "impl_cpu/convolution/testing/random_convolution.h"
#include "impl_cpu/eltwise/testing/random_eltwise.h"
#include "impl_cpu/implementation.h"
#include "impl_cpu/inner_product/testing/random_product.h"
#include "impl_cpu/testing/buffers.h"

namespace impl_cpu {
namespace {

using spi::kTypes;
using spi::Random;
using spi::RandomReorder;

constexpr size_t kStackBytes = 64 << 10;

struct Execution {
  const spi::Plan* plan;
  spi::Stream* stream;
  const std::vector<spi::Buffer*>* arguments;
  bool ok;
};

void* ExecuteOn(void* execution) {
  auto* const self = static_cast<Execution*>(execution);
  self->ok = self->plan->Execute(*self->stream, *self->arguments).ok();
  return nullptr;
}

void ExecuteOnSmallStack(Execution execution) {
  pthread_attr_t attributes;
  ASSERT_EQ(pthread_attr_init(&attributes), 0);
  ASSERT_EQ(pthread_attr_setstacksize(&attributes, kStackBytes), 0);
  pthread_t thread;
  ASSERT_EQ(pthread_create(&thread, &attributes, ExecuteOn, &execution), 0);
  ASSERT_EQ(pthread_join(thread, nullptr), 0);
  ASSERT_TRUE(execution.ok);
  pthread_attr_destroy(&attributes);
}

void ExpectEnough(spi::Engine& engine, const spi::Operation& operation,
                  std::vector<spi::Bytes> contents) {
  const auto stream = *engine.MakeStream(spi::kInOrder);
  Buffers buffers(std::move(contents));
  for (int candidate = 0;; ++candidate) {
    const auto planned = engine.MakePlan({operation, nullptr, candidate});
    if (!planned.ok()) break;
    SCOPED_TRACE(planned->plan->Describe());
    const std::vector<spi::Buffer*> arguments = buffers.Arguments(*planned);
    ExecuteOnSmallStack({planned->plan.get(), stream.get(), &arguments, false});
  }
}

TEST(Stack, Of64KilobytesIsEnoughToExecute) {
  spi::Engine& engine = **GetImplementation().MakeEngine(0);
  Random random(41);
  for (spi::DataType from : kTypes)
    for (spi::DataType to : kTypes)
      for (int i = 0; i < 24; ++i) {
        const spi::Operation operation = RandomReorder(random, from, to, 60000);
        ExpectEnough(engine, operation, ZerosFor(operation));
      }
}

TEST(Stack, Of64KilobytesIsEnoughForAnInnerProduct) {
  spi::Engine& engine = **GetImplementation().MakeEngine(0);
  Random random(42);
  for (int i = 0; i < 200; ++i) {
    const spi::Operation operation = InnerProductFor(engine, random, i);
    ExpectEnough(engine, operation, spi::IntegersFor(random, operation, true));
  }
}

TEST(Stack, Of64KilobytesIsEnoughForAConvolution) {
  spi::Engine& engine = **GetImplementation().MakeEngine(0);
  Random random(44);
  for (int i = 0; i < 400; ++i) {
    const spi::Operation operation = ConvolutionFor(engine, random, i);
    ExpectEnough(engine, operation, spi::IntegersFor(random, operation, true));
  }
}

TEST(Stack, Of64KilobytesIsEnoughForAnEltwise) {
  spi::Engine& engine = **GetImplementation().MakeEngine(0);
  Random random(43);
  for (int i = 0; i < 400; ++i) {
    const spi::Operation operation = EltwiseFor(random, i, 20000);
    ExpectEnough(engine, operation, ZerosFor(operation));
  }
}

}  // namespace
}  // namespace impl_cpu
