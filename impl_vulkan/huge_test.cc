// Tensors of more than 2^32 bytes, where the device has the memory: they are several boxes, and
// what lies beyond the reach of 32-bit offsets arrives like the rest. The same tensors in small go
// first, through windows as narrow in proportion.
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>

#include "api/reorder/testing/reorder_operation.h"
#include "api/testing/plans.h"
#include "impl_vulkan/testing/device.h"

namespace impl_vulkan {
namespace {

// A byte that tells its place.
uint8_t Mark(uint64_t i) { return static_cast<uint8_t>((i * 0x9e3779b97f4a7c15u) >> 56); }

// rows x columns bytes, from row after row to column after column.
spi::ReorderOperation Transposition(int64_t rows, int64_t columns) {
  spi::ReorderOperation operation;
  operation.src = operation.dst = spi::Strided(spi::DataType::kU8, {rows, columns});
  operation.dst.strides = {1, rows};
  return operation;
}

// Skips where the device is out of memory.
void Transpose(const Preferences& preferences, int64_t rows, int64_t columns) {
  Implementation& implementation = testing::Keep(preferences);
  SKIP_WITHOUT_DEVICE(implementation);
  const auto engine = implementation.MakeEngine(0);
  ASSERT_TRUE(engine.ok()) << engine.status();
  const auto bytes = static_cast<uint64_t>(rows * columns);
  const auto from = (*engine)->Allocate(bytes);
  if (absl::IsResourceExhausted(from.status())) GTEST_SKIP() << from.status();
  ASSERT_TRUE(from.ok()) << from.status();
  const auto to = (*engine)->Allocate(bytes);
  if (absl::IsResourceExhausted(to.status())) GTEST_SKIP() << to.status();
  ASSERT_TRUE(to.ok()) << to.status();

  auto mapped = (*from)->Map();
  if (absl::IsResourceExhausted(mapped.status())) GTEST_SKIP() << mapped.status();
  ASSERT_TRUE(mapped.ok()) << mapped.status();
  auto* place = static_cast<uint8_t*>(*mapped);
  for (uint64_t i = 0; i < bytes; ++i) place[i] = Mark(i);
  ASSERT_TRUE((*from)->Unmap(*mapped).ok());

  const auto plan = spi::PlanOf(**engine, Transposition(rows, columns), 0);
  ASSERT_TRUE(plan.ok()) << plan.status();
  EXPECT_NE((*plan)->Describe().find('*'), std::string::npos) << (*plan)->Describe();
  const auto stream = (*engine)->MakeStream(spi::kInOrder);
  ASSERT_TRUE(stream.ok()) << stream.status();
  spi::Buffer* const arguments[] = {from->get(), to->get()};
  ASSERT_TRUE((*plan)->Execute(**stream, arguments).ok());
  ASSERT_TRUE((*stream)->Wait().ok());

  mapped = (*to)->Map();
  ASSERT_TRUE(mapped.ok()) << mapped.status();
  place = static_cast<uint8_t*>(*mapped);
  for (int64_t column = 0; column < columns; ++column) {
    for (int64_t row = 0; row < rows; ++row) {
      ASSERT_EQ(*place++, Mark(static_cast<uint64_t>(row * columns + column)))
          << "row " << row << ", column " << column;
    }
  }
  ASSERT_TRUE((*to)->Unmap(*mapped).ok());
}

TEST(Huge, ASmallTensorBeyondTheWindowsIsWhole) {
  Preferences preferences = Preferences::FromEnvironment();
  preferences.window_bytes = 1 << 16;
  Transpose(preferences, 513, 1031);
}

TEST(Huge, ATensorBeyondFourGigabytesIsWhole) {
  Transpose(Preferences::FromEnvironment(), 65536 + 33, 65536 + 7);
}

}  // namespace
}  // namespace impl_vulkan
