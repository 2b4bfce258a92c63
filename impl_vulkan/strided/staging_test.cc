#include "impl_vulkan/strided/staging.h"

#include <gtest/gtest.h>

#include "api/reorder/testing/random_reorder.h"
#include "api/reorder/testing/reorder_operation.h"
#include "api/testing/interpreter.h"
#include "api/testing/random_operation.h"
#include "impl_vulkan/reorder/plan.h"

namespace impl_vulkan {
namespace {

using spi::Bytes;

// A move without arithmetic between equal types, as a host would make it.
spi::ReorderOperation Plain(spi::Random& random) {
  const spi::DataType type = spi::Pick(random, spi::kTypes);
  const spi::ReorderOperation any = spi::RandomReorder(random, type, type, 500);
  spi::ReorderOperation operation;
  operation.src = any.src;
  operation.dst = any.dst;
  return operation;
}

char* Chars(Bytes* bytes) { return reinterpret_cast<char*>(bytes->data()); }
const char* Chars(const Bytes& bytes) { return reinterpret_cast<const char*>(bytes.data()); }

// `from_host`: the host holds the source; else the destination.
void ExpectMoves(uint32_t seed, int64_t most_elements, bool from_host) {
  spi::Random random(seed);
  const spi::ReorderOperation operation = Plain(random);
  const int64_t bytes = spi::SizeOf(operation.src.type);
  const spi::Interpretation right(operation, spi::BuffersFor(random, operation));
  const Bytes& source = right.before()[0];
  Bytes got = right.before()[1];

  const Move move = *MoveOfReorder(operation);
  const std::vector<Chunk> chunks =
      from_host ? ChunksFromHost(move, most_elements) : ChunksToHost(move, most_elements);
  for (const Chunk& chunk : chunks) {
    ASSERT_LE(chunk.elements, most_elements);
    Bytes staging(static_cast<size_t>(chunk.elements * bytes), std::byte{0xee});
    CopyOnHost(from_host ? chunk.host : chunk.device, bytes, Chars(source), Chars(&staging));
    CopyOnHost(from_host ? chunk.device : chunk.host, bytes, Chars(staging), Chars(&got));
  }
  for (const spi::LoopNest& nest : move.padding) ClearOnHost(nest, bytes, Chars(&got));
  ASSERT_EQ(got, right.after()[1]) << "seed " << seed;
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
