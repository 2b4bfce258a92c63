#include "impl_vulkan/strided/staging.h"

#include <gtest/gtest.h>

#include <cstring>

#include "api/testing/operations.h"
#include "impl_vulkan/reorder/plan.h"
#include "impl_vulkan/testing/reference.h"

namespace impl_vulkan {
namespace {

using testing::Bytes;
using testing::Generator;

// A move without arithmetic between equal types, as a host would make it.
spi::ReorderOperation Plain(uint32_t seed) {
  Generator generator(seed);
  spi::ReorderOperation operation = generator.Reorder(500);
  operation.dst.type = operation.src.type;
  operation.scales.clear();
  operation.run_time_scales = operation.has_sum = false;
  operation.src_zero_point = operation.dst_zero_point = {};
  return operation;
}

char* Chars(Bytes* bytes) { return reinterpret_cast<char*>(bytes->data()); }
const char* Chars(const Bytes& bytes) { return reinterpret_cast<const char*>(bytes.data()); }

// `from_host`: the host holds the source; else the destination.
void ExpectMoves(uint32_t seed, int64_t most_elements, bool from_host) {
  const spi::ReorderOperation operation = Plain(seed);
  const int64_t bytes = spi::SizeOf(operation.src.type);
  Generator generator(seed + 1);
  const Bytes source = generator.Data(operation.src.type, testing::ExtentOf(operation.src));
  Bytes expected = generator.Data(operation.dst.type, testing::ExtentOf(operation.dst));
  Bytes got = expected;
  testing::Run(operation, {}, source, &expected);

  const Move move = *MoveOfReorder(operation);
  const std::vector<Chunk> chunks =
      from_host ? ChunksFromHost(move, most_elements) : ChunksToHost(move, most_elements);
  for (const Chunk& chunk : chunks) {
    ASSERT_LE(chunk.elements, most_elements);
    Bytes staging(static_cast<size_t>(chunk.elements * bytes), 0xee);
    CopyOnHost(from_host ? chunk.host : chunk.device, bytes, Chars(source), Chars(&staging));
    CopyOnHost(from_host ? chunk.device : chunk.host, bytes, Chars(staging), Chars(&got));
  }
  for (const spi::LoopNest& nest : move.padding) ClearOnHost(nest, bytes, Chars(&got));
  ASSERT_EQ(got, expected) << "seed " << seed;
}

TEST(Chunks, FromTheHostMoveEachElement) {
  for (uint32_t seed = 0; seed < 600; ++seed) {
    ExpectMoves(seed, 1 << 20, true);
    ExpectMoves(seed, 7, true);
  }
}

TEST(Chunks, ToTheHostMoveEachElement) {
  for (uint32_t seed = 0; seed < 600; ++seed) {
    ExpectMoves(seed, 1 << 20, false);
    ExpectMoves(seed, 7, false);
  }
}

TEST(Chunks, StageARepeatedElementOnce) {
  spi::ReorderOperation operation;
  operation.src = operation.dst = spi::Strided(spi::DataType::kF32, {1000, 3});
  operation.src.strides = {0, 1};
  const std::vector<Chunk> chunks = ChunksFromHost(*MoveOfReorder(operation), 100);
  ASSERT_EQ(chunks.size(), 1u);
  EXPECT_EQ(chunks[0].elements, 3);
}

TEST(Chunks, OfADenseTensorAreStretchesOfIt) {
  spi::ReorderOperation operation;
  operation.src = operation.dst = spi::Strided(spi::DataType::kF32, {10, 100});
  operation.dst.strides = {1, 10};
  for (const Chunk& chunk : ChunksFromHost(*MoveOfReorder(operation), 300)) {
    EXPECT_LE(chunk.host.loops.size(), 1u);
  }
}

}  // namespace
}  // namespace impl_vulkan
