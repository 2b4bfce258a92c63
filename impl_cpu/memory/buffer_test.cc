#include "impl_cpu/memory/buffer.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <limits>

#include "absl/status/status.h"

// Under a sanitizer, an allocation that is too large fails as it does elsewhere.
extern "C" const char* __asan_default_options() { return "allocator_may_return_null=1"; }
extern "C" const char* __tsan_default_options() { return "allocator_may_return_null=1"; }

namespace impl_cpu {
namespace {

TEST(Buffer, IsAlignedAndWritableToItsLastByte) {
  for (size_t bytes : {1, 63, 64, 65, 4097}) {
    auto buffer = AllocateBuffer(bytes);
    ASSERT_TRUE(buffer.ok());
    EXPECT_EQ(reinterpret_cast<uintptr_t>((*buffer)->handle()) % kBufferAlignment, 0u);
    std::memset((*buffer)->handle(), 0x5a, bytes);
    auto mapped = (*buffer)->Map();
    ASSERT_TRUE(mapped.ok());
    EXPECT_EQ(*mapped, (*buffer)->handle());
    EXPECT_TRUE((*buffer)->Unmap(*mapped).ok());
  }
}

TEST(Buffer, OfMoreThanTheHostHasIsResourceExhausted) {
  auto buffer = AllocateBuffer(std::numeric_limits<size_t>::max() / 4);
  ASSERT_FALSE(buffer.ok());
  EXPECT_EQ(buffer.status().code(), absl::StatusCode::kResourceExhausted);
}

TEST(Buffer, WrapsTheCallersStorage) {
  char storage[3] = {1, 2, 3};
  EXPECT_EQ(WrapBuffer(storage)->handle(), storage);
  EXPECT_EQ(WrapBuffer(nullptr)->handle(), nullptr);
  EXPECT_EQ(storage[0], 1);
}

}  // namespace
}  // namespace impl_cpu
