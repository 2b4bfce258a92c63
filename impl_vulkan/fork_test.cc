// fork() after a device was opened: the child is told so by whatever it calls, at once, and may
// drop what it got from its parent. The parent goes on.
#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "api/reorder/testing/reorder_operation.h"
#include "api/spi/vulkan_native.h"
#include "api/testing/plans.h"
#include "impl_vulkan/testing/child.h"
#include "impl_vulkan/testing/device.h"
#include "impl_vulkan/testing/host.h"

namespace impl_vulkan {
namespace {

using testing::Bytes;
using testing::Download;
using testing::HostBuffer;
using testing::HostEngine;
using testing::InChild;
using testing::Upload;

constexpr int64_t kElements = 1000;

spi::ReorderOperation Copy() {
  spi::ReorderOperation operation;
  operation.src = operation.dst = spi::Strided(spi::DataType::kS32, {kElements});
  return operation;
}

// Everything that a parent may have when it forks; a child gets copies of it.
struct Objects {
  std::shared_ptr<spi::Engine> engine;
  std::shared_ptr<const spi::Plan> plan, up, down;
  std::unique_ptr<spi::Stream> stream;
  std::shared_ptr<spi::Buffer> from, to, mapped;
  void* address = nullptr;
};

class Fork : public ::testing::Test {
 protected:
  void SetUp() override {
    static Implementation& implementation = testing::Keep(Preferences::FromEnvironment());
    SKIP_WITHOUT_DEVICE(implementation);
    implementation_ = &implementation;
    Make(&objects_);
  }

  void Make(Objects* o) {
    auto engine = implementation_->MakeEngine(0);
    ASSERT_TRUE(engine.ok()) << engine.status();
    o->engine = *engine;
    auto plan = spi::PlanOf(*o->engine, Copy(), 0);
    auto up = spi::TransferPlanOf(*o->engine, Copy(), host_, *o->engine);
    auto down = spi::TransferPlanOf(*o->engine, Copy(), *o->engine, host_);
    auto stream = o->engine->MakeStream(spi::kInOrder);
    ASSERT_TRUE(plan.ok() && up.ok() && down.ok() && stream.ok());
    o->plan = *plan;
    o->up = *up;
    o->down = *down;
    o->stream = *std::move(stream);
    o->from = Upload(*o->engine, Bytes(4 * kElements, std::byte{7}));
    o->to = Upload(*o->engine, Bytes(4 * kElements));
    o->mapped = Upload(*o->engine, Bytes(4 * kElements));
    auto mapped = o->mapped->Map();
    ASSERT_TRUE(mapped.ok());
    o->address = *mapped;
  }

  absl::Status Execute(const Objects& o, const spi::Plan& plan, spi::Buffer& from,
                       spi::Buffer& to) {
    spi::Buffer* const arguments[] = {&from, &to};
    return plan.Execute(*o.stream, arguments);
  }

  // "" if each call is refused with words about fork.
  std::string Calls() {
    Objects& o = objects_;
    Bytes host_bytes(4 * kElements);
    HostBuffer host(&host_bytes);
    std::vector<std::pair<const char*, absl::Status>> calls = {
        {"MakeEngine", implementation_->MakeEngine(0).status()},
        {"MakeEngineFrom", implementation_->MakeEngineFrom({}).status()},
        {"MakeStream", o.engine->MakeStream(spi::kInOrder).status()},
        {"Allocate", o.engine->Allocate(16).status()},
        {"Wrap", o.engine->Wrap(o.from->handle(), 16).status()},
        {"MakePlan", spi::PlanOf(*o.engine, Copy(), 0).status()},
        {"MakeTransferPlan", spi::TransferPlanOf(*o.engine, Copy(), host_, *o.engine).status()},
        {"Execute", Execute(o, *o.plan, *o.from, *o.to)},
        {"Execute from the host", Execute(o, *o.up, host, *o.to)},
        {"Execute to the host", Execute(o, *o.down, *o.from, host)},
        {"Map", o.to->Map().status()},
        {"Unmap", o.mapped->Unmap(o.address)},
        {"Wait", o.stream->Wait()}};
    auto& native = static_cast<Engine&>(*o.engine);
    calls.push_back({"AllocateVisible", native.AllocateVisible(16).status()});
    calls.push_back({"WrapRange", native.WrapRange({}, 16, 4).status()});
    calls.push_back(
        {"MakeStreamOn", native.MakeStreamOn(reinterpret_cast<VkQueue>(8), {}).status()});
    for (const auto& [call, status] : calls) {
      if (status.code() == absl::StatusCode::kInternal &&
          status.message().find("is a fork of process") != status.message().npos)
        continue;
      return std::string(call) + ": " + status.ToString();
    }
    return implementation_->EngineCount() == 0 ? "no engine is counted" : "";
  }

  Implementation* implementation_ = nullptr;
  HostEngine host_;
  Objects objects_;
};

TEST_F(Fork, AChildIsToldByEveryCall) {
  InChild([this] { return Calls(); });
  ASSERT_TRUE(objects_.mapped->Unmap(objects_.address).ok());
  ASSERT_TRUE(Execute(objects_, *objects_.plan, *objects_.from, *objects_.to).ok());
  ASSERT_TRUE(objects_.stream->Wait().ok());
  EXPECT_EQ(Download(*objects_.to, 4 * kElements), Bytes(4 * kElements, std::byte{7}));
}

TEST_F(Fork, AChildMayDropWhatItGot) {
  // With work in flight, on the device and of the host.
  Bytes host_bytes(4 * kElements);
  const auto host = std::make_shared<HostBuffer>(&host_bytes);
  ASSERT_TRUE(Execute(objects_, *objects_.plan, *objects_.from, *objects_.to).ok());
  ASSERT_TRUE(Execute(objects_, *objects_.down, *objects_.to, *host).ok());
  InChild([this] {
    objects_ = Objects();
    return std::string();
  });
  ASSERT_TRUE(objects_.stream->Wait().ok());
  EXPECT_EQ(host_bytes, Bytes(4 * kElements, std::byte{7}));
}

TEST_F(Fork, AChildMayEndAsProgramsDo) {
  InChild(
      [this] {
        const std::string wrong = Calls();
        objects_ = Objects();
        return wrong;
      },
      /*with_handlers=*/true);
}

TEST_F(Fork, AChildHasNoDeviceOfItsOwn) {
  InChild([] {
    Implementation& own = testing::Keep(Preferences::FromEnvironment());
    if (own.EngineCount() != 0) return std::string("an engine is counted");
    return own.MakeEngine(0).ok() ? std::string("an engine is made") : std::string();
  });
}

TEST_F(Fork, NoLockOfAnotherThreadKeepsAChild) {
  std::atomic<bool> stop{false};
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) {
    threads.emplace_back([&] {
      while (!stop) {
        Objects own;
        Make(&own);
        EXPECT_TRUE(Execute(own, *own.plan, *own.from, *own.to).ok());
        EXPECT_TRUE(implementation_->MakeEngine(0).ok());
      }
    });
  }
  for (int i = 0; i < 30; ++i) {
    InChild([this] {
      const std::string wrong = Calls();
      objects_ = Objects();
      return wrong;
    });
  }
  stop = true;
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace impl_vulkan
