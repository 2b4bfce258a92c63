#include "impl_vulkan/testing/device.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "absl/strings/str_cat.h"
#include "api/reorder/testing/random_reorder.h"
#include "api/shuffle/testing/random_shuffle.h"
#include "api/testing/random_operation.h"
#include "impl_vulkan/device/snapshot.h"

namespace impl_vulkan {
namespace testing {
namespace {

// Room behind each tensor, where nothing may be written.
constexpr size_t kGuardBytes = 16;

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
  const auto* const first = static_cast<const std::byte*>(*mapped);
  Bytes bytes(first, first + size);
  const absl::Status unmapped = buffer.Unmap(*mapped);
  EXPECT_TRUE(unmapped.ok()) << unmapped;
  return bytes;
}

absl::StatusOr<std::vector<Bytes>> Execute(spi::Engine& engine, const spi::Operation& operation,
                                           const std::vector<Bytes>& before, int candidate) {
  const auto planned = engine.MakePlan({operation, nullptr, candidate});
  if (!planned.ok()) return planned.status();
  std::vector<std::shared_ptr<spi::Buffer>> owned;
  for (const Bytes& bytes : before) owned.push_back(Upload(engine, bytes));
  if (planned->scratchpad_bytes > 0)  // of NaNs
    owned.push_back(Upload(engine, Bytes(planned->scratchpad_bytes, std::byte{0xff})));
  std::vector<spi::Buffer*> buffers;
  for (const auto& buffer : owned) buffers.push_back(buffer.get());
  const auto stream = engine.MakeStream(spi::kInOrder);
  if (!stream.ok()) return stream.status();
  // Twice, where nothing that is written is read: the second time the commands are there already.
  bool sums = false;
  for (const spi::TensorArg& tensor : operation.tensors)
    sums = sums || tensor.access == spi::Access::kReadWrite;
  for (int round = 0; round < (sums ? 1 : 2); ++round) {
    absl::Status status = planned->plan->Execute(**stream, buffers);
    if (status.ok()) status = (*stream)->Wait();
    if (!status.ok()) return status;
  }
  std::vector<Bytes> after;
  for (size_t i = 0; i < before.size(); ++i) after.push_back(Download(*owned[i], before[i].size()));
  return after;
}

Bytes BytesOf(const std::vector<float>& floats) {
  Bytes bytes(floats.size() * sizeof(float));
  std::memcpy(bytes.data(), floats.data(), bytes.size());
  return bytes;
}

std::vector<float> FloatsOf(const Bytes& bytes) {
  std::vector<float> floats(bytes.size() / sizeof(float));
  std::memcpy(floats.data(), bytes.data(), floats.size() * sizeof(float));
  return floats;
}

Bytes Integers(size_t count, uint8_t value) {
  Bytes bytes(4 * count);
  for (size_t i = 0; i < bytes.size(); i += 4) bytes[i] = std::byte{value};
  return bytes;
}

std::vector<float> ExecuteFloats(spi::Engine& engine, const spi::Operation& operation,
                                 const std::vector<std::vector<float>>& before, int candidate) {
  std::vector<Bytes> bytes;
  for (const std::vector<float>& floats : before) bytes.push_back(BytesOf(floats));
  const auto after = Execute(engine, operation, bytes, candidate);
  EXPECT_TRUE(after.ok()) << after.status();
  return after.ok() ? FloatsOf(after->back()) : std::vector<float>();
}

std::string Run(spi::Engine& engine, const spi::Interpretation& right, int candidate) {
  const spi::Operation& operation = right.operation();
  const auto got = Execute(engine, operation, right.before(), candidate);
  if (!got.ok()) return std::string(got.status().message());
  std::string mismatch = right.Mismatch(*got);
  const bool moves = operation.kind == spi::PrimitiveKind::kReorder ||
                     operation.kind == spi::PrimitiveKind::kShuffle;
  if (mismatch.empty() && moves && *got != right.after()) mismatch = "other bits of a NaN";
  if (mismatch.empty()) return "";
  return absl::StrCat(mismatch, " in ",
                      engine.MakePlan({operation, nullptr, candidate})->plan->Describe());
}

spi::Interpretation RandomReorder(uint32_t seed, int64_t most_elements) {
  spi::Random random(seed);
  const spi::DataType from = spi::Pick(random, spi::kTypes);
  const spi::DataType to = spi::Chance(random, 33) ? from : spi::Pick(random, spi::kTypes);
  const spi::Operation operation = spi::RandomReorder(random, from, to, most_elements);
  return {operation, spi::BuffersFor(random, operation, kGuardBytes)};
}

spi::Interpretation RandomShuffle(uint32_t seed, int64_t most_elements) {
  spi::Random random(seed);
  const spi::Operation operation = spi::RandomShuffle(random, most_elements);
  return {operation, spi::BuffersFor(random, operation, kGuardBytes)};
}

std::string Difference(const Bytes& got, const Bytes& expected) {
  if (got.size() != expected.size()) return "the sizes differ";
  for (size_t i = 0; i < got.size(); ++i) {
    if (got[i] == expected[i]) continue;
    return absl::StrCat("byte ", i, " is ",
                        absl::Hex(std::to_integer<int>(got[i]), absl::kZeroPad2), ", ",
                        absl::Hex(std::to_integer<int>(expected[i]), absl::kZeroPad2), " expected");
  }
  return "";
}

}  // namespace testing
}  // namespace impl_vulkan
