#include "oneapi/dnnl/engine/engine.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <mutex>
#include <new>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "api/engine/handle_state.h"
#include "api/fake/fake.h"
#include "api/fake/refusal.h"
#include "oneapi/dnnl/c_api/engine.h"
#include "oneapi/dnnl/engine/stream.hpp"

namespace {

using dnnl::engine;
using dnnl::stream;
using fake::counts;
using fake::Refusal;

TEST(Engine, CountsThoseOfItsKind) {
  EXPECT_EQ(engine::get_count(engine::kind::cpu), 1u);
  EXPECT_EQ(engine::get_count(engine::kind::gpu), 2u);
  EXPECT_EQ(engine::get_count(engine::kind::any), 0u);
  EXPECT_EQ(engine::get_count(static_cast<engine::kind>(77)), 0u);
}

TEST(Engine, ExistsBelowTheCountOnly) {
  EXPECT_EQ(engine(engine::kind::cpu, 0).get_kind(), engine::kind::cpu);
  EXPECT_EQ(engine(engine::kind::gpu, 1).get_kind(), engine::kind::gpu);
  EXPECT_EQ(Refusal([] { engine(engine::kind::gpu, 2); }),
            "invalid_arguments: engine: index = 2 is not below 2, the number of engines of kind "
            "gpu (ENG-002)");
  EXPECT_NE(Refusal([] { engine(engine::kind::cpu, SIZE_MAX); }), "");
  EXPECT_EQ(Refusal([] { engine(engine::kind::any, 0); }),
            "invalid_arguments: engine: index = 0 is not below 0, the number of engines of kind "
            "any (ENG-002)");
  EXPECT_NE(Refusal([] { engine(static_cast<engine::kind>(-1), 0); }), "");
}

TEST(Engine, OfOneIndexIsOneDevice) {
  ASSERT_EQ(counts().live_engines, 0);
  {
    const engine first(engine::kind::gpu, 0), again(engine::kind::gpu, 0);
    EXPECT_EQ(counts().live_engines, 1);
    const engine other(engine::kind::gpu, 1);
    EXPECT_EQ(counts().live_engines, 2);
    EXPECT_NE(first, again);
    EXPECT_EQ(first, engine(first));
  }
  EXPECT_EQ(counts().live_engines, 0);
}

TEST(Engine, IsNotCountedWhereMemoryIsShort) {
  fake::controls().on_engine_count = [] { throw std::bad_alloc(); };
  EXPECT_EQ(engine::get_count(engine::kind::cpu), 0u);
  EXPECT_EQ(dnnl_engine_get_count(dnnl_gpu), 0u);
  fake::Reset();
  EXPECT_EQ(engine::get_count(engine::kind::cpu), 1u);
  EXPECT_EQ(dnnl_engine_get_count(dnnl_gpu), 2u);
}

TEST(Engine, OfOneIndexIsMadeOnceByThreadsAtOnce) {
  std::atomic<int> made{0};
  fake::controls().on_make_engine = [&] {
    ++made;
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  };
  {
    std::vector<engine> engines(8);
    std::vector<std::thread> threads;
    for (engine& each : engines)
      threads.emplace_back([&each] { each = engine(engine::kind::gpu, 0); });
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(made, 1);
    EXPECT_EQ(counts().live_engines, 1);
  }
  fake::Reset();
}

TEST(Engine, IsMadeAnewAfterAFailure) {
  for (const bool of_memory : {true, false}) {
    fake::controls().on_make_engine = [&] {
      if (of_memory) throw std::bad_alloc();
    };
    if (!of_memory) fake::controls().engine_status = absl::InternalError("broken");
    EXPECT_EQ(Refusal([] { engine(engine::kind::cpu, 0); }),
              of_memory ? "out_of_memory: out of memory" : "runtime_error: broken");
    fake::Reset();
    EXPECT_EQ(Refusal([] { engine(engine::kind::cpu, 0); }), "");
  }
}

// What happens in a child of fork(), which has half a minute for it.
void InChild(const std::function<void()>& call) {
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    alarm(30);
    call();
    _exit(0);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

TEST(Engine, IsMadeByAChildWhateverItsParentIsMaking) {
  std::atomic<bool> making{false}, go_on{false};
  fake::controls().on_make_engine = [&] {
    making = true;
    while (!go_on) std::this_thread::yield();
  };
  std::thread maker([] { engine(engine::kind::gpu, 0); });
  std::thread waiter([] { engine(engine::kind::gpu, 0); });
  while (!making) std::this_thread::yield();
  InChild([] {
    fake::Reset();
    for (const size_t index : {0, 1}) engine(engine::kind::gpu, index);
  });
  go_on = true;
  maker.join();
  waiter.join();
  fake::Reset();
}

TEST(Engine, HasCHandlesInAChildWhateverItsParentDoesWithThem) {
  dnnl_engine_t first = nullptr;
  ASSERT_EQ(dnnl_engine_create(&first, dnnl_cpu, 0), dnnl_success);
  std::atomic<bool> held{false};
  std::thread holder([&] {
    std::lock_guard<std::mutex> lock(dnnl::state::c_reference_mutex());
    held = true;
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  });
  while (!held) std::this_thread::yield();
  InChild([&] {
    dnnl_engine_t second = nullptr;
    dnnl_engine_create(&second, dnnl_cpu, 0);
    dnnl_engine_destroy(second);
    dnnl_engine_destroy(first);
  });
  holder.join();
  EXPECT_EQ(dnnl_engine_destroy(first), dnnl_success);
}

TEST(Engine, EmptyIsGoodForNothing) {
  engine empty;
  EXPECT_FALSE(empty);
  EXPECT_EQ(empty, engine());
  EXPECT_EQ(Refusal([&] { empty.get_kind(); }),
            "invalid_arguments: engine::get_kind: the engine is empty (ERR-011)");
  EXPECT_EQ(Refusal([&] { stream s(empty); }),
            "invalid_arguments: stream: the engine is empty (ERR-011)");
  engine cpu(engine::kind::cpu, 0);
  const engine moved = std::move(cpu);
  EXPECT_TRUE(moved);
  cpu = moved;
  EXPECT_EQ(cpu.get_kind(), engine::kind::cpu);
}

TEST(Stream, BelongsToItsEngine) {
  const engine gpu(engine::kind::gpu, 0);
  stream s(gpu);
  EXPECT_EQ(s.get_engine(), gpu);
  EXPECT_EQ(&s.wait(), &s);
  EXPECT_EQ(&s.wait(), &s);
  static_assert(std::is_same<decltype(s.wait()), stream&>::value, "STR-006");
}

TEST(Stream, OutlivesTheEngineHandle) {
  stream s;
  { s = stream(engine(engine::kind::gpu, 1)); }
  EXPECT_EQ(counts().live_engines, 1);
  EXPECT_EQ(s.get_engine().get_kind(), engine::kind::gpu);
  s = stream();
  EXPECT_EQ(counts().live_engines, 0);
}

TEST(Stream, TakesOneOrBothFlags) {
  const engine cpu(engine::kind::cpu, 0);
  for (unsigned flags : {1u, 2u, 3u})
    EXPECT_EQ(Refusal([&] { stream(cpu, static_cast<stream::flags>(flags)).wait(); }), "");
  for (unsigned flags : {0u, 4u, 0xffffffffu})
    EXPECT_EQ(Refusal([&] { stream(cpu, static_cast<stream::flags>(flags)); }),
              "invalid_arguments: stream: flags = " + std::to_string(flags) +
                  " is not in [1, 3] (STR-004)");
}

TEST(Stream, EmptyIsGoodForNothing) {
  stream empty;
  EXPECT_FALSE(empty);
  EXPECT_EQ(Refusal([&] { empty.wait(); }),
            "invalid_arguments: stream::wait: the stream is empty (ERR-011)");
  EXPECT_EQ(Refusal([&] { empty.get_engine(); }),
            "invalid_arguments: stream::get_engine: the stream is empty (ERR-011)");
}

TEST(Stream, ReportsAFailedDeviceWhenItWaits) {
  fake::Reset();
  stream s(engine(engine::kind::gpu, 0));
  fake::controls().execution_status = absl::InternalError("device lost");
  EXPECT_EQ(Refusal([&] { s.wait(); }), "runtime_error: device lost");
  EXPECT_NO_THROW(s = stream());
  fake::Reset();
}

}  // namespace
