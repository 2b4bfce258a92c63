// Eight threads, ten thousand executions: memories made and dropped at random, streams dropped
// while busy, plans shared by all. Every tensor must end with the right contents and nothing may be
// left.
#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "api/reorder/testing/reorder_operation.h"
#include "api/testing/plans.h"
#include "impl_vulkan/testing/device.h"
#include "impl_vulkan/testing/generator.h"
#include "impl_vulkan/testing/host.h"

namespace impl_vulkan {
namespace {

using testing::Bytes;
using testing::Generator;

constexpr int kThreads = 8;
constexpr int kExecutions = 1250;  // of each thread
constexpr int64_t kRows = 12, kColumns = 35;
constexpr size_t kBytes = kRows * kColumns * 4;

spi::Layout Matrix(bool transposed) {
  spi::Layout layout = spi::Strided(spi::DataType::kS32, {kRows, kColumns});
  if (transposed) layout.strides = {1, kRows};
  return layout;
}

spi::ReorderOperation Reorder(bool from_transposed, bool to_transposed, bool sum) {
  spi::ReorderOperation operation;
  operation.src = Matrix(from_transposed);
  operation.dst = Matrix(to_transposed);
  operation.has_sum = sum;
  operation.beta = 1;
  return operation;
}

using PlanPointer = std::shared_ptr<const spi::Plan>;

struct Plans {
  PlanPointer transpose, back, accumulate;
  PlanPointer upload, download;
};

// What one thread does; answers with the first thing that was wrong.
class Worker {
 public:
  Worker(spi::Engine& engine, const Plans& plans, uint32_t seed)
      : engine_(engine), plans_(plans), generator_(seed) {}

  std::string Run() {
    while (executions_ < kExecutions) {
      const std::string wrong = Round();
      if (!wrong.empty()) return wrong;
    }
    return "";
  }

 private:
  // A chain on one stream: value -> transposed -> back -> added to itself a few times.
  std::string Round() {
    std::vector<int32_t> values(kRows * kColumns);
    for (int32_t& value : values) value = static_cast<int32_t>(generator_.Below(1000));
    Bytes bytes(kBytes);
    std::memcpy(bytes.data(), values.data(), kBytes);
    auto stream = engine_.MakeStream(spi::kInOrder);
    auto result = engine_.Allocate(kBytes);
    if (!stream.ok() || !result.ok()) return "no stream or no memory";
    int32_t factor = 1;
    {
      auto source = engine_.Allocate(kBytes), turned = engine_.Allocate(kBytes);
      if (!source.ok() || !turned.ok()) return "no memory";
      if (!Fill(**stream, bytes, source->get())) return "cannot fill";
      Execute(*plans_.transpose, **stream, **source, **turned);
      Execute(*plans_.back, **stream, **turned, **result);
      const uint32_t additions = generator_.Below(12);
      for (uint32_t i = 0; i < additions; ++i) {
        Execute(*plans_.accumulate, **stream, **source, **result);
        ++factor;
      }
      if (generator_.OneIn(3)) Clutter();
      // Source and the one in between are dropped while in use.
    }
    if (!first_failure_.ok()) return std::string(first_failure_.message());
    switch (generator_.Below(3)) {
      case 0:
        if (!(*stream)->Wait().ok()) return "cannot wait";
        break;
      case 1:
        stream = absl::UnknownError("dropped while busy");
        break;
      default:
        break;  // Map waits for everything
    }
    const Bytes got = Take(stream, **result);
    for (size_t i = 0; i < values.size(); ++i) {
      int32_t value = 0;
      std::memcpy(&value, &got[4 * i], 4);
      if (value != values[i] * factor) {
        return "element " + std::to_string(i) + " is " + std::to_string(value) + ", not " +
               std::to_string(values[i] * factor);
      }
    }
    return "";
  }

  // Through map, or by a reorder from host memory that is gone when this returns.
  bool Fill(spi::Stream& stream, const Bytes& bytes, spi::Buffer* to) {
    if (generator_.OneIn(2)) {
      Bytes copy = bytes;
      const auto host = std::make_shared<testing::HostBuffer>(&copy);
      Execute(*plans_.upload, stream, *host, *to);
      return true;
    }
    auto mapped = to->Map();
    if (!mapped.ok()) return false;
    std::memcpy(*mapped, bytes.data(), kBytes);
    return to->Unmap(*mapped).ok();
  }

  Bytes Take(absl::StatusOr<std::unique_ptr<spi::Stream>>& stream, spi::Buffer& from) {
    if (stream.ok() && generator_.OneIn(2)) {
      Bytes bytes(kBytes);
      const auto host = std::make_shared<testing::HostBuffer>(&bytes);
      Execute(*plans_.download, **stream, from, *host);
      EXPECT_TRUE((*stream)->Wait().ok());
      return bytes;
    }
    return testing::Download(from, kBytes);
  }

  // Memory and streams that nobody uses.
  void Clutter() {
    std::vector<std::shared_ptr<spi::Buffer>> buffers;
    for (uint32_t i = 0; i < 1 + generator_.Below(8); ++i) {
      auto buffer = engine_.Allocate(1 + generator_.Below(200000));
      if (buffer.ok()) buffers.push_back(*buffer);
    }
    if (generator_.OneIn(2)) engine_.MakeStream(spi::kInOrder).IgnoreError();
  }

  void Execute(const spi::Plan& plan, spi::Stream& stream, spi::Buffer& from, spi::Buffer& to) {
    ++executions_;
    spi::Buffer* const arguments[] = {&from, &to};
    const absl::Status status = plan.Execute(stream, arguments);
    if (first_failure_.ok()) first_failure_ = status;
  }

  spi::Engine& engine_;
  const Plans& plans_;
  Generator generator_;
  int executions_ = 0;
  absl::Status first_failure_;
};

TEST(Stress, EndsWithCorrectDataAndNothingLeft) {
  static Implementation& implementation = testing::Keep(Preferences::FromEnvironment());
  SKIP_WITHOUT_DEVICE(implementation);
  auto engine = implementation.MakeEngine(0);
  ASSERT_TRUE(engine.ok()) << engine.status();
  testing::HostEngine host;
  Plans plans;
  const auto make = [&](const spi::ReorderOperation& operation) {
    auto plan = spi::PlanOf(**engine, operation, 0);
    EXPECT_TRUE(plan.ok()) << plan.status();
    return *plan;
  };
  plans.transpose = make(Reorder(false, true, false));
  plans.back = make(Reorder(true, false, false));
  plans.accumulate = make(Reorder(false, false, true));
  const spi::ReorderOperation copy = Reorder(false, false, false);
  auto upload = spi::TransferPlanOf(**engine, copy, host, **engine);
  auto download = spi::TransferPlanOf(**engine, copy, **engine, host);
  ASSERT_TRUE(upload.ok() && download.ok());
  plans.upload = *upload;
  plans.download = *download;

  const MemoryPool& memory = static_cast<Engine&>(**engine).context()->memory();
  const uint64_t before = memory.usage().used_bytes;
  std::vector<std::string> wrong(kThreads);
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&, i] {
      wrong[static_cast<size_t>(i)] = Worker(**engine, plans, static_cast<uint32_t>(i + 1)).Run();
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, std::vector<std::string>(kThreads));
  EXPECT_EQ(memory.usage().used_bytes, before);
}

}  // namespace
}  // namespace impl_vulkan
