// Reorders between a host and a device and between two devices, against the interpreter.
#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <vector>

#include "api/reorder/testing/reorder_operation.h"
#include "api/shuffle/testing/shuffle_operation.h"
#include "api/testing/interpreter.h"
#include "api/testing/plans.h"
#include "api/testing/random_operation.h"
#include "impl_vulkan/testing/device.h"
#include "impl_vulkan/testing/host.h"

namespace impl_vulkan {
namespace {

using testing::Bytes;
using testing::Difference;
using testing::Download;
using testing::HostBuffer;
using testing::HostEngine;
using testing::Upload;

enum class Place { kHost, kFirst, kSecond };

class Transfer : public ::testing::Test {
 protected:
  void SetUp() override {
    // Two implementations open the same device twice: as good as two devices.
    static Implementation& first = testing::Keep(Preferences::FromEnvironment());
    static Implementation& second = testing::Keep(Preferences::FromEnvironment());
    SKIP_WITHOUT_DEVICE(first);
    first_ = Engine(first);
    second_ = Engine(second);
  }

  static std::shared_ptr<spi::Engine> Engine(Implementation& implementation) {
    auto engine = implementation.MakeEngine(0);
    EXPECT_TRUE(engine.ok()) << engine.status();
    return *engine;
  }

  spi::Engine& At(Place place) {
    return place == Place::kHost ? host_ : place == Place::kFirst ? *first_ : *second_;
  }

  std::shared_ptr<spi::Buffer> Put(Place place, Bytes* bytes) {
    if (place == Place::kHost) return std::make_shared<HostBuffer>(bytes);
    return Upload(At(place), *bytes);
  }

  std::shared_ptr<const spi::Plan> Plan(const spi::Operation& operation, Place from, Place to) {
    spi::Engine& owner = At(from == Place::kHost ? to : from);
    auto plan = spi::TransferPlanOf(owner, operation, At(from), At(to));
    EXPECT_TRUE(plan.ok()) << plan.status();
    return *plan;
  }

  std::unique_ptr<spi::Stream> Stream(Place place) {
    auto stream = At(place).MakeStream(spi::kInOrder);
    EXPECT_TRUE(stream.ok()) << stream.status();
    return *std::move(stream);
  }

  void Check(uint32_t seed, Place from, Place to) {
    const spi::Interpretation right = testing::RandomReorder(seed, 3000);
    std::vector<Bytes> got = right.before();
    const Place owner = from == Place::kHost ? to : from;
    std::vector<std::shared_ptr<spi::Buffer>> owned;
    std::vector<spi::Buffer*> buffers;
    for (size_t i = 0; i < got.size(); ++i) {
      owned.push_back(Put(i == 0 ? from : i == 1 ? to : owner, &got[i]));
      buffers.push_back(owned.back().get());
    }
    const auto stream = Stream(owner);
    const auto plan = Plan(right.operation(), from, to);
    ASSERT_TRUE(plan->Execute(*stream, buffers).ok());
    ASSERT_TRUE(stream->Wait().ok());
    if (to != Place::kHost) got[1] = Download(*owned[1], got[1].size());
    ASSERT_EQ(Difference(got[1], right.after()[1]), "")
        << "seed " << seed << ": " << plan->Describe();
  }

  HostEngine host_;
  std::shared_ptr<spi::Engine> first_, second_;
};

TEST_F(Transfer, FromTheHostConvertsAndRearranges) {
  for (uint32_t seed = 0; seed < 30 && !HasFatalFailure(); ++seed) {
    Check(seed, Place::kHost, Place::kFirst);
  }
}

TEST_F(Transfer, ToTheHostConvertsAndRearranges) {
  for (uint32_t seed = 100; seed < 130 && !HasFatalFailure(); ++seed) {
    Check(seed, Place::kFirst, Place::kHost);
  }
}

TEST_F(Transfer, BetweenDevicesConvertsAndRearranges) {
  for (uint32_t seed = 200; seed < 220 && !HasFatalFailure(); ++seed) {
    Check(seed, Place::kFirst, Place::kSecond);
  }
}

spi::Layout Dense(spi::DataType type, int64_t rows, int64_t columns, bool transposed = false) {
  spi::Layout layout = spi::Strided(type, {rows, columns});
  if (transposed) layout.strides = {1, rows};
  return layout;
}

spi::ReorderOperation Reorder(const spi::Layout& src, const spi::Layout& dst) {
  spi::ReorderOperation operation;
  operation.src = src;
  operation.dst = dst;
  return operation;
}

TEST_F(Transfer, ThereAndBackNeedsOneWaitOnly) {
  const spi::Layout plain = Dense(spi::DataType::kF32, 30, 50);
  spi::ShuffleOperation shuffle;
  shuffle.from = shuffle.to = plain;
  shuffle.axis = 1;
  shuffle.group_size = 5;
  spi::Random random(3);
  const spi::Interpretation once(shuffle, spi::BuffersFor(random, shuffle));
  const Bytes& expected = once.after()[1];
  const spi::Interpretation twice(shuffle, {expected, expected});
  Bytes source = once.before()[0], middle = source, got = source;

  const auto from = Put(Place::kHost, &source), to = Put(Place::kHost, &got);
  const auto half = Put(Place::kHost, &middle);
  const auto a = Upload(*first_, Bytes(source.size())), b = Upload(*first_, Bytes(source.size()));
  const auto up = Plan(Reorder(plain, plain), Place::kHost, Place::kFirst);
  const auto down = Plan(Reorder(plain, plain), Place::kFirst, Place::kHost);
  auto step = spi::PlanOf(*first_, shuffle, 0);
  ASSERT_TRUE(step.ok());
  const auto stream = Stream(Place::kFirst);
  const auto run = [&](const spi::Plan& plan, spi::Buffer& s, spi::Buffer& d) {
    spi::Buffer* const arguments[] = {&s, &d};
    ASSERT_TRUE(plan.Execute(*stream, arguments).ok());
  };
  run(*up, *from, *a);
  run(**step, *a, *b);
  run(*down, *b, *half);
  run(*up, *half, *a);  // reads on the host what the step before writes there
  run(**step, *a, *b);
  run(*down, *b, *to);
  ASSERT_TRUE(stream->Wait().ok());
  EXPECT_EQ(Difference(middle, expected), "");
  EXPECT_EQ(Difference(got, twice.after()[1]), "");
}

TEST_F(Transfer, OfMoreThanStagingHoldsGoesInStages) {
  if (Preferences::FromEnvironment().window_bytes != 0) {
    GTEST_SKIP() << "narrow windows cut a tensor of this size into millions of boxes";
  }
  // 96 MiB to the device, transposed, and back.
  const int64_t rows = 3072, columns = 8192;
  const spi::Layout plain = Dense(spi::DataType::kF32, rows, columns);
  const spi::Layout transposed = Dense(spi::DataType::kF32, rows, columns, true);
  Bytes source(static_cast<size_t>(rows * columns * 4));
  for (size_t i = 0; i < source.size(); i += 4) {
    const auto value = static_cast<uint32_t>(i * 2654435761u);
    std::memcpy(&source[i], &value, 4);
  }
  Bytes got(source.size());
  const auto from = Put(Place::kHost, &source), to = Put(Place::kHost, &got);
  auto device = first_->Allocate(source.size());
  ASSERT_TRUE(device.ok()) << device.status();
  const auto up = Plan(Reorder(plain, transposed), Place::kHost, Place::kFirst);
  const auto down = Plan(Reorder(transposed, plain), Place::kFirst, Place::kHost);
  const auto stream = Stream(Place::kFirst);
  spi::Buffer* const there[] = {from.get(), device->get()};
  ASSERT_TRUE(up->Execute(*stream, there).ok());
  spi::Buffer* const back[] = {device->get(), to.get()};
  ASSERT_TRUE(down->Execute(*stream, back).ok());
  ASSERT_TRUE(stream->Wait().ok());
  EXPECT_EQ(std::memcmp(source.data(), got.data(), got.size()), 0);
}

TEST_F(Transfer, OfNothingTouchesNothing) {
  const spi::Layout empty = Dense(spi::DataType::kF32, 0, 5);
  const auto plan = Plan(Reorder(empty, empty), Place::kHost, Place::kFirst);
  const auto stream = Stream(Place::kFirst);
  auto none = first_->Wrap(nullptr, 0);
  ASSERT_TRUE(none.ok());
  spi::Buffer* const arguments[] = {none->get(), none->get()};
  EXPECT_TRUE(plan->Execute(*stream, arguments).ok());
  EXPECT_TRUE(stream->Wait().ok());
}

TEST_F(Transfer, OfAnAbsurdSizeIsOutOfMemory) {
  const int64_t absurd = int64_t{1} << 30;
  const spi::Layout large = Dense(spi::DataType::kS8, absurd, absurd);
  spi::Layout repeated = large;
  repeated.type = spi::DataType::kU8;
  repeated.strides = {0, 0};
  const auto status = [&](const spi::Layout& src, Place from, Place to) {
    spi::Engine& owner = At(from == Place::kHost ? to : from);
    return spi::TransferPlanOf(owner, Reorder(src, large), At(from), At(to)).status().code();
  };
  EXPECT_EQ(status(large, Place::kHost, Place::kFirst), absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(status(large, Place::kFirst, Place::kHost), absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(status(repeated, Place::kFirst, Place::kHost), absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(status(repeated, Place::kFirst, Place::kSecond), absl::StatusCode::kResourceExhausted);
}

TEST_F(Transfer, OutlivesItsPlanAndItsMemory) {
  const spi::Layout plain = Dense(spi::DataType::kF32, 30, 50);
  spi::Random random(4);
  const Bytes source = spi::RandomData(random, spi::DataType::kF32, 6000);
  Bytes got(source.size());
  const auto to = Put(Place::kHost, &got);
  const auto stream = Stream(Place::kFirst);
  {
    const auto device = Upload(*first_, source);
    const auto plan = Plan(Reorder(plain, plain), Place::kFirst, Place::kHost);
    spi::Buffer* const arguments[] = {device.get(), to.get()};
    ASSERT_TRUE(plan->Execute(*stream, arguments).ok());
  }
  ASSERT_TRUE(stream->Wait().ok());
  EXPECT_EQ(Difference(got, source), "");
}

}  // namespace
}  // namespace impl_vulkan
