// Threads with small stacks execute too: musl's have 128 KiB, and programs make smaller ones.
#include <gtest/gtest.h>
#include <pthread.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "api/spi/implementation.h"
#include "api/spi/types.h"
#include "impl_cpu/convolution/testing/random_convolution.h"
#include "impl_cpu/eltwise/testing/eltwise_call.h"
#include "impl_cpu/implementation.h"
#include "impl_cpu/inner_product/testing/product_call.h"
#include "impl_cpu/testing/random_operation.h"

namespace impl_cpu {
namespace {

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

TEST(Stack, Of64KilobytesIsEnoughToExecute) {
  spi::Engine& engine = **GetImplementation().MakeEngine(0);
  const auto stream = *engine.MakeStream(spi::kInOrder);
  Random random(41);
  for (spi::DataType from : kTypes) {
    for (spi::DataType to : kTypes) {
      for (int i = 0; i < 24; ++i) {
        const spi::AnyOperation operation = RandomReorder(random, from, to, 60000);
        const std::vector<float> scales = ScalesFor(random, operation);
        std::vector<std::byte> src(SizeInBytes(SourceOf(operation)) + 64);
        std::vector<std::byte> dst(SizeInBytes(DestinationOf(operation)) + 64);
        const auto src_buffer = *engine.Wrap(src.data(), src.size());
        const auto dst_buffer = *engine.Wrap(dst.data(), dst.size());
        const auto scales_buffer =
            *engine.Wrap(const_cast<float*>(scales.data()), 4 * scales.size());
        const ZeroPoints zeros(engine, operation);
        const std::vector<spi::Buffer*> arguments =
            spi::BuffersOf(operation, {{spi::kArgSrc, src_buffer.get()},
                                       {spi::kArgDst, dst_buffer.get()},
                                       {spi::kArgOutputScales, scales_buffer.get()},
                                       {spi::kArgSrcZeroPoint, zeros.src.get()},
                                       {spi::kArgDstZeroPoint, zeros.dst.get()}});
        for (int candidate = 0;; ++candidate) {
          const auto plan = spi::PlanOf(engine, operation, candidate);
          if (!plan.ok()) break;
          SCOPED_TRACE((*plan)->Describe());
          ExecuteOnSmallStack({plan->get(), stream.get(), &arguments, false});
        }
      }
    }
  }
}

TEST(Stack, Of64KilobytesIsEnoughForAnInnerProduct) {
  spi::Engine& engine = **GetImplementation().MakeEngine(0);
  const auto stream = *engine.MakeStream(spi::kInOrder);
  Random random(42);
  for (int i = 0; i < 200; ++i) {
    ProductCall call(engine, random, i);
    for (int candidate = 0; candidate < 2; ++candidate) {
      auto planned = engine.MakePlan({call.operation, nullptr, candidate});
      if (!planned.ok()) break;
      SCOPED_TRACE(planned->plan->Describe());
      const std::vector<spi::Buffer*> arguments = call.Arguments(*planned);
      ExecuteOnSmallStack({planned->plan.get(), stream.get(), &arguments, false});
    }
  }
}

TEST(Stack, Of64KilobytesIsEnoughForAConvolution) {
  spi::Engine& engine = **GetImplementation().MakeEngine(0);
  const auto stream = *engine.MakeStream(spi::kInOrder);
  Random random(44);
  for (int i = 0; i < 400; ++i) {
    ProductCall call(engine, random, ConvolutionFor(engine, random, i));
    for (int candidate = 0; candidate < 2; ++candidate) {
      auto planned = engine.MakePlan({call.operation, nullptr, candidate});
      if (!planned.ok()) break;
      SCOPED_TRACE(planned->plan->Describe());
      const std::vector<spi::Buffer*> arguments = call.Arguments(*planned);
      ExecuteOnSmallStack({planned->plan.get(), stream.get(), &arguments, false});
    }
  }
}

TEST(Stack, Of64KilobytesIsEnoughForAnEltwise) {
  spi::Engine& engine = **GetImplementation().MakeEngine(0);
  const auto stream = *engine.MakeStream(spi::kInOrder);
  Random random(43);
  for (int i = 0; i < 400; ++i) {
    const EltwiseCall call(engine, random, i, 20000);
    const std::vector<spi::Buffer*> arguments = call.Arguments();
    for (int candidate = 0; candidate < 2; ++candidate) {
      const auto planned = engine.MakePlan({call.operation, nullptr, candidate});
      ASSERT_TRUE(planned.ok()) << planned.status();
      SCOPED_TRACE(planned->plan->Describe());
      ExecuteOnSmallStack({planned->plan.get(), stream.get(), &arguments, false});
    }
  }
}

}  // namespace
}  // namespace impl_cpu
