#include "api/testing/random_operation.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <utility>

#include "absl/types/span.h"
#include "api/spi/attributes.h"
#include "api/spi/types.h"

namespace spi {
namespace {

// Calls `use(x)` for each coordinate of an element, or, where `padded`, of a whole block.
template <typename Use>
void ForCoordinates(const Layout& layout, bool padded, Use use) {
  Dims x{};
  if (IsEmpty(layout)) return;
  for (;;) {
    use(std::as_const(x));
    int j = layout.rank;
    while (j > 0 && ++x[j - 1] == (padded ? PaddedDim(layout, j - 1) : layout.dims[j - 1]))
      x[--j] = 0;
    if (j == 0) return;
  }
}

}  // namespace

int64_t Uniform(Random& random, int64_t lo, int64_t hi) {
  return lo + static_cast<int64_t>(random() % static_cast<uint64_t>(hi - lo + 1));
}

bool Chance(Random& random, int percent) { return Uniform(random, 0, 99) < percent; }

Shape RandomShape(Random& random, int64_t max_elements) {
  constexpr int64_t kSizes[] = {1,  2,  3,  4,  5,  7,  8,  9,   15,  16,
                                17, 31, 32, 33, 63, 64, 65, 100, 128, 130};
  Shape shape{static_cast<int>(Chance(random, 90) ? Uniform(random, 1, 5) : Uniform(random, 6, 12)),
              {}};
  int64_t left = max_elements;
  for (int j = 0; j < shape.rank; ++j) {
    int64_t size = Pick(random, kSizes);
    while (size > left) size = Uniform(random, 1, left);
    shape.dims[j] = size;
    left /= size;
  }
  std::shuffle(shape.dims.begin(), shape.dims.begin() + shape.rank, random);
  if (Chance(random, 3)) shape.dims[Uniform(random, 0, shape.rank - 1)] = 0;
  return shape;
}

Layout RandomLayout(Random& random, DataType type, const Shape& shape, bool blocked, bool source) {
  Layout layout =
      Strided(type, absl::MakeConstSpan(shape.dims.data(), static_cast<size_t>(shape.rank)));
  layout.strides = {};
  if (Chance(random, 20)) layout.offset = Uniform(random, 1, 20);
  Dims outer = shape.dims;
  int64_t stride = 1;
  if (blocked && !IsEmpty(layout)) {
    // Three are rare: beside more than a few of them a narrow window has no room for other digits.
    constexpr uint8_t kCounts[] = {1, 1, 1, 1, 2, 2, 2, 3};
    layout.block_count = Pick(random, kCounts);
    for (int b = 0; b < layout.block_count; ++b) {
      constexpr int32_t kBlocks[] = {2, 3, 4, 6, 8, 16};
      layout.blocks[b] = {static_cast<int>(Uniform(random, 0, shape.rank - 1)),
                          Pick(random, kBlocks)};
      stride *= layout.blocks[b].size;
    }
    for (int j = 0; j < shape.rank; ++j) outer[j] = StepsAlong(layout, j);
  } else if (Chance(random, 15)) {
    stride = Uniform(random, 2, 4);
  }
  std::vector<int> order(static_cast<size_t>(shape.rank));
  std::iota(order.begin(), order.end(), 0);
  if (Chance(random, 70)) std::shuffle(order.begin(), order.end(), random);
  const bool gaps = Chance(random, 25), repeats = source && !blocked && Chance(random, 10);
  for (int j : order) {
    if (repeats && Chance(random, 40)) continue;  // stride 0
    layout.strides[j] = stride;
    stride *= std::max<int64_t>(outer[j], 1);
    if (gaps && Chance(random, 50)) stride += Uniform(random, 1, 7);
  }
  return layout;
}

float RandomScale(Random& random) {
  constexpr float kEdges[] = {0, 1, -1, 2, 0.5f, 0.1f, 1e-3f, 1e3f, 1e20f, 1e-20f, INFINITY, 3e38f};
  if (Chance(random, 40)) return Pick(random, kEdges);
  return std::normal_distribution<float>()(random);
}

Bytes RandomData(Random& random, DataType type, size_t bytes) {
  // f32 around ties, bounds and special values of every type.
  constexpr uint32_t kEdges[] = {
      0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x000053a4, 0x007fffff, 0x00800000,
      0x33000000, 0x33000001, 0x3300d959, 0x33d6bf95, 0x38800000, 0x387fe000, 0x387fffff,
      0x3f000000, 0x3f801000, 0x3f803000, 0x3f808000, 0x3f818000, 0x3fc00000, 0x40200000,
      0xbf000000, 0xc0200000, 0x42fe0000, 0x42ff0000, 0x43000000, 0xc3000000, 0xc3008000,
      0x437f0000, 0x437f8000, 0x43800000, 0x477fe000, 0x477fefff, 0x477ff000, 0x47800000,
      0x49742400, 0x4b7fffff, 0x4b800000, 0x4b800001, 0x4effffff, 0x4f000000, 0xcf000000,
      0xcf000001, 0xcf0318a0, 0x7f7f7fff, 0x7f7f8000, 0x7f7fffff, 0x7f800000, 0xff800000,
      0x7fc00000, 0xffc00000, 0x7fa00001, 0xffc12345};
  Bytes data(bytes);
  const size_t step = static_cast<size_t>(SizeOf(type));
  for (size_t at = 0; at + step <= bytes; at += step) {
    const int64_t kind = Uniform(random, 0, 9);
    uint32_t bits = static_cast<uint32_t>(random());
    if (type == DataType::kS32) {
      if (kind < 6) bits = static_cast<uint32_t>(Uniform(random, -300, 300));
      if (kind == 6) bits = static_cast<uint32_t>(INT32_MAX - Uniform(random, 0, 200));
    } else if (type == DataType::kF32 || type == DataType::kBF16) {
      const float value = kind == 8 ? static_cast<float>(Uniform(random, -600, 600)) * 0.5f
                                    : 100 * std::normal_distribution<float>()(random);
      if (kind == 7) bits = Pick(random, kEdges);
      if (kind < 7 || kind == 8) std::memcpy(&bits, &value, sizeof(bits));
      if (type == DataType::kBF16) bits >>= 16;
    }
    std::memcpy(&data[at], &bits, step);
  }
  return data;
}

Bytes RandomBytes(Random& random, size_t bytes) {
  Bytes data(bytes);
  for (size_t at = 0; at < bytes; at += sizeof(uint64_t)) {
    const uint64_t word = random();
    std::memcpy(&data[at], &word, std::min(sizeof(word), bytes - at));
  }
  return data;
}

std::vector<Bytes> BuffersFor(Random& random, const Operation& operation, size_t beyond) {
  std::vector<Bytes> buffers;
  for (const TensorArg& tensor : operation.tensors) {
    Bytes buffer = RandomData(random, tensor.layout.type, BytesOf(tensor.layout));
    if (tensor.argument == kArgOutputScales) {
      for (size_t at = 0; at < buffer.size(); at += sizeof(float)) {
        const float scale = RandomScale(random);
        std::memcpy(&buffer[at], &scale, sizeof(scale));
      }
    }
    if (operation.attributes != nullptr)
      for (const ZeroPoint& zero : operation.attributes->zero_points)
        if (tensor.argument == (kArgZeroPoints | zero.argument))
          std::memcpy(buffer.data(), &zero.value, sizeof(zero.value));
    const Bytes behind = RandomBytes(random, beyond);
    buffer.insert(buffer.end(), behind.begin(), behind.end());
    buffers.push_back(std::move(buffer));
  }
  return buffers;
}

std::vector<Bytes> IntegersFor(Random& random, const Operation& operation, bool clean_padding,
                               size_t beyond) {
  std::vector<Bytes> buffers;
  for (const TensorArg& tensor : operation.tensors) {
    const Layout& layout = tensor.layout;
    Bytes& buffer = buffers.emplace_back(BytesOf(layout) + beyond, std::byte{0xff});
    if (tensor.access == Access::kWrite) continue;
    const auto size = static_cast<size_t>(SizeOf(layout.type));
    const auto set = [&](const Dims& x, uint32_t bits) {
      std::memcpy(&buffer[static_cast<size_t>(OffsetOf(layout, x)) * size], &bits, size);
    };
    if (clean_padding) ForCoordinates(layout, true, [&](const Dims& x) { set(x, 0); });
    ForCoordinates(layout, false, [&](const Dims& x) {
      auto value = static_cast<float>(Uniform(random, layout.type == DataType::kU8 ? 0 : -5, 5));
      if (tensor.argument == kArgOutputScales) value = 0.5f * (value + 6);
      uint32_t bits;
      std::memcpy(&bits, &value, sizeof(bits));
      set(x, Convert(DataType::kF32, layout.type, bits));
    });
  }
  return buffers;
}

}  // namespace spi
