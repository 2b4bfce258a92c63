// Where memory runs out on either side of the ABI, the host hears of it, nothing leaves a function,
// and what a plug-in made goes back to it.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>

#include "absl/status/status.h"
#include "api/fake/fake.h"
#include "api/plugin/adapt.h"
#include "api/plugin/export.h"
#include "api/reorder/testing/reorder_operation.h"
#include "api/shuffle/operation.h"
#include "api/spi/implementation.h"
#include "api/spi/plugin_abi.h"
#include "api/spi/types.h"
#include "api/testing/plans.h"
#include "tools/testing/scarce_memory.h"

namespace fake_cpu {
spi::Implementation& GetImplementation();
}

namespace {

const dnnspec_plugin_table& Right() {
  static const dnnspec_plugin_table table = spi::Export<fake_cpu::GetImplementation>();
  return table;
}

// Objects that the plug-in made and nobody gave back.
int live = 0;

template <class... T>
dnnspec_status Count(dnnspec_status status, T...) {
  live += status == DNNSPEC_OK;
  return status;
}

// A plug-in that counts what it makes.
dnnspec_plugin_table Counting() {
  dnnspec_plugin_table table = Right();
  table.engine_create = [](size_t index, dnnspec_engine** engine) {
    return Count(Right().engine_create(index, engine));
  };
  table.stream_create = [](dnnspec_engine* engine, uint32_t flags, dnnspec_stream** stream) {
    return Count(Right().stream_create(engine, flags, stream));
  };
  table.buffer_create = [](dnnspec_engine* engine, int32_t wraps, size_t bytes, void** handle,
                           dnnspec_buffer** buffer) {
    return Count(Right().buffer_create(engine, wraps, bytes, handle, buffer));
  };
  table.plan_create = [](dnnspec_engine* engine, const dnnspec_request* request,
                         dnnspec_planned* planned) {
    return Count(Right().plan_create(engine, request, planned));
  };
  table.engine_destroy = [](dnnspec_engine* engine) { Right().engine_destroy(engine), --live; };
  table.stream_destroy = [](dnnspec_stream* stream) { Right().stream_destroy(stream), --live; };
  table.buffer_destroy = [](dnnspec_buffer* buffer) { Right().buffer_destroy(buffer), --live; };
  table.plan_destroy = [](dnnspec_plan* plan) { Right().plan_destroy(plan), --live; };
  return table;
}

// Calls `make` with memory for none of its allocations, for one, and so on until that is enough.
template <class Make>
void ExpectNothingLost(const Make& make) {
  const int before = live;
  for (int64_t enough = 0;; ++enough) {
    ASSERT_LT(enough, 100);
    bool made = false;
    tools::LimitAllocations(enough);
    try {
      const auto result = make();
      tools::UnlimitAllocations();
      made = result.ok();
      if (!made) {
        EXPECT_EQ(result.status().code(), absl::StatusCode::kResourceExhausted) << result.status();
      }
    } catch (const std::bad_alloc&) {
      tools::UnlimitAllocations();
    }
    EXPECT_EQ(live, before) << "allocation " << enough;
    if (!made) continue;
    EXPECT_GE(enough, 2);
    return;
  }
}

TEST(OutOfMemory, IsToldAndLosesNothing) {
  fake::Reset();
  const dnnspec_plugin_table table = Counting();
  const auto implementation = spi::Adapt(table);
  ExpectNothingLost([&] { return implementation->MakeEngine(0); });
  const auto engine = *implementation->MakeEngine(0);
  ExpectNothingLost([&] { return engine->MakeStream(spi::kInOrder); });
  ExpectNothingLost([&] { return engine->Allocate(16); });
  char bytes[16];
  ExpectNothingLost([&] { return engine->Wrap(bytes, sizeof bytes); });
  spi::ReorderOperation reorder;
  reorder.src = reorder.dst = spi::Strided(spi::DataType::kF32, {4});
  reorder.scales = {2};
  ExpectNothingLost([&] { return spi::PlanOf(*engine, reorder, 0); });
  fake::controls().workspace = spi::Strided(spi::DataType::kU8, {64});
  const spi::Layout open = spi::Any(spi::DataType::kF32, {2, 6});
  const spi::Operation shuffle =
      spi::MakeShuffle(spi::PropKind::kForwardTraining, open, open, {1, 3});
  ExpectNothingLost([&] { return engine->MakePlan({shuffle, &shuffle, 0}); });
  fake::Reset();
}

// Throws what it is told to, whatever it is asked.
enum class Throws { kNoMemory, kError, kNumber } throws = Throws::kNoMemory;
const std::string* const kText = new std::string(1000, 'x');

class Throwing final : public spi::Implementation {
 public:
  const char* name() const override { return "throwing"; }
  spi::EngineKind kind() const override { return spi::EngineKind::kCpu; }
  size_t EngineCount() override { throw std::bad_alloc(); }
  absl::StatusOr<std::shared_ptr<spi::Engine>> MakeEngine(size_t) override {
    if (throws == Throws::kNoMemory) throw std::bad_alloc();
    if (throws == Throws::kNumber) throw 7;
    static const std::runtime_error error(*kText);
    tools::LimitAllocations(0);  // for what is said of it
    throw error;
  }
};

spi::Implementation& GetThrowing() {
  static auto* const throwing = new Throwing;
  return *throwing;
}

TEST(Export, LetsNoExceptionOut) {
  const dnnspec_plugin_table table = spi::Export<GetThrowing>();
  EXPECT_EQ(table.engine_count(), 0u);
  dnnspec_engine* engine = nullptr;
  throws = Throws::kNumber;
  EXPECT_EQ(table.engine_create(0, &engine), DNNSPEC_FAILED);
  EXPECT_STREQ(table.last_error(), "exception: of no standard type");
  throws = Throws::kNoMemory;
  EXPECT_EQ(table.engine_create(0, &engine), DNNSPEC_OUT_OF_MEMORY);
  EXPECT_EQ(table.last_error(), nullptr);
  throws = Throws::kError;
  const dnnspec_status status = table.engine_create(0, &engine);
  tools::UnlimitAllocations();
  EXPECT_EQ(status, DNNSPEC_FAILED);
  EXPECT_EQ(table.last_error(), nullptr);
}

}  // namespace
