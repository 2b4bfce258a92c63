#include "impl_vulkan/testing/device.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <vector>

#include "absl/strings/str_cat.h"
#include "impl_vulkan/device/snapshot.h"

namespace impl_vulkan {
namespace testing {
namespace {

// Room behind each tensor, where nothing may be written.
constexpr int64_t kGuardBytes = 16;

Bytes Fill(Generator* generator, spi::DataType type, const spi::Layout& layout) {
  Bytes bytes = generator->Data(type, ExtentOf(layout));
  for (int64_t i = 0; i < kGuardBytes; ++i) {
    bytes.push_back(static_cast<uint8_t>(generator->Below(256)));
  }
  return bytes;
}

}  // namespace

void KeepCachesHere() {
  if (const char* folder = std::getenv("TEST_TMPDIR")) setenv("XDG_CACHE_HOME", folder, 1);
}

Implementation& Keep(const Preferences& preferences) {
  KeepCachesHere();
  // Reachable, so no leak.
  static auto* const kept = new std::vector<Implementation*>;
  return *kept->emplace_back(new Implementation(preferences));
}

VkPhysicalDevice BestDevice(const Instance& instance, const Preferences& preferences) {
  const auto devices = instance.Devices();
  if (!devices.ok()) return VK_NULL_HANDLE;
  std::vector<DeviceSnapshot> snapshots;
  for (VkPhysicalDevice device : *devices) {
    snapshots.push_back(TakeSnapshot(instance.vk(), device));
  }
  const std::vector<size_t> order = RankDevices(snapshots, preferences);
  return order.empty() ? VK_NULL_HANDLE : (*devices)[order.front()];
}

std::shared_ptr<spi::Buffer> Upload(spi::Engine& engine, const Bytes& bytes) {
  auto buffer = engine.Allocate(bytes.size());
  EXPECT_TRUE(buffer.ok()) << buffer.status();
  auto mapped = (*buffer)->Map();
  EXPECT_TRUE(mapped.ok()) << mapped.status();
  std::memcpy(*mapped, bytes.data(), bytes.size());
  const absl::Status unmapped = (*buffer)->Unmap(*mapped);
  EXPECT_TRUE(unmapped.ok()) << unmapped;
  return *buffer;
}

Bytes Download(spi::Buffer& buffer, size_t size) {
  auto mapped = buffer.Map();
  EXPECT_TRUE(mapped.ok()) << mapped.status();
  const auto* const first = static_cast<const uint8_t*>(*mapped);
  Bytes bytes(first, first + size);
  const absl::Status unmapped = buffer.Unmap(*mapped);
  EXPECT_TRUE(unmapped.ok()) << unmapped;
  return bytes;
}

std::vector<std::pair<int, spi::ZeroPoint>> ZeroPointsOf(const spi::ReorderOperation& operation) {
  std::vector<std::pair<int, spi::ZeroPoint>> zeros;
  if (operation.src_zero_point.run_time)
    zeros.emplace_back(spi::kArgSrcZeroPoint, operation.src_zero_point);
  if (operation.dst_zero_point.run_time)
    zeros.emplace_back(spi::kArgDstZeroPoint, operation.dst_zero_point);
  return zeros;
}

std::vector<std::shared_ptr<spi::Buffer>> AddZeroPoints(spi::Engine& engine,
                                                        const spi::AnyOperation& operation,
                                                        std::vector<spi::Argument>* arguments) {
  std::vector<std::shared_ptr<spi::Buffer>> owned;
  const auto* const reorder = std::get_if<spi::ReorderOperation>(&operation);
  if (reorder == nullptr) return owned;
  for (const auto& [index, zero] : ZeroPointsOf(*reorder)) {
    Bytes value(sizeof zero.value);
    std::memcpy(value.data(), &zero.value, sizeof zero.value);
    owned.push_back(Upload(engine, value));
    arguments->push_back({index, owned.back().get()});
  }
  return owned;
}

Bytes RunOn(spi::Engine& engine, const spi::AnyOperation& operation, const Bytes& source,
            const Bytes& destination, const std::vector<float>& run_time_scales, int candidate) {
  const auto from = Upload(engine, source), to = Upload(engine, destination);
  const auto* const shuffle = std::get_if<spi::ShuffleOperation>(&operation);
  const bool backward = shuffle != nullptr && !shuffle->forward;
  std::vector<spi::Argument> arguments = {{backward ? spi::kArgDiffDst : spi::kArgSrc, from.get()},
                                          {backward ? spi::kArgDiffSrc : spi::kArgDst, to.get()}};
  std::shared_ptr<spi::Buffer> scales;
  if (!run_time_scales.empty()) {
    Bytes table(run_time_scales.size() * sizeof(float));
    std::memcpy(table.data(), run_time_scales.data(), table.size());
    scales = Upload(engine, table);
    arguments.push_back({spi::kArgOutputScales, scales.get()});
  }
  const auto zeros = AddZeroPoints(engine, operation, &arguments);
  const auto plan = spi::PlanOf(engine, operation, candidate);
  EXPECT_TRUE(plan.ok()) << plan.status();
  const auto stream = engine.MakeStream(spi::kInOrder);
  EXPECT_TRUE(stream.ok()) << stream.status();
  const absl::Status executed = (*plan)->Execute(**stream, spi::BuffersOf(operation, arguments));
  EXPECT_TRUE(executed.ok()) << executed;
  const absl::Status waited = (*stream)->Wait();
  EXPECT_TRUE(waited.ok()) << waited;
  EXPECT_EQ(Difference(Download(*from, source.size()), source), "") << "in the source";
  return Download(*to, destination.size());
}

Trial RandomReorder(uint32_t seed, int64_t most_elements) {
  Generator generator(seed);
  Trial trial;
  const spi::ReorderOperation operation = generator.Reorder(most_elements);
  trial.operation = operation;
  trial.source = Fill(&generator, operation.src.type, operation.src);
  trial.before = Fill(&generator, operation.dst.type, operation.dst);
  if (operation.run_time_scales) {
    trial.scales = generator.Scales(std::max<int64_t>(operation.scale_count, 1));
  }
  trial.after = trial.before;
  Run(operation, trial.scales, trial.source, &trial.after);
  return trial;
}

Trial RandomShuffle(uint32_t seed, int64_t most_elements) {
  Generator generator(seed);
  Trial trial;
  const spi::ShuffleOperation operation = generator.Shuffle(most_elements);
  trial.operation = operation;
  trial.source = Fill(&generator, operation.from.type, operation.from);
  trial.before = Fill(&generator, operation.to.type, operation.to);
  trial.after = trial.before;
  Run(operation, trial.source, &trial.after);
  return trial;
}

std::string Difference(const Bytes& got, const Bytes& expected) {
  if (got.size() != expected.size()) return "the sizes differ";
  for (size_t i = 0; i < got.size(); ++i) {
    if (got[i] == expected[i]) continue;
    return absl::StrCat("byte ", i, " is ", absl::Hex(got[i], absl::kZeroPad2), ", ",
                        absl::Hex(expected[i], absl::kZeroPad2), " expected");
  }
  return "";
}

}  // namespace testing
}  // namespace impl_vulkan
