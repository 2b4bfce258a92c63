#include "impl_cpu/testing/random_operation.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <variant>
#include <vector>

#include "absl/types/span.h"
#include "api/spi/types.h"
#include "api/testing/operations.h"

namespace impl_cpu {
namespace {

using spi::DataType;
using spi::Layout;

bool Chance(Random& random, int percent) { return Uniform(random, 0, 99) < percent; }

template <typename T, size_t kSize>
T Pick(Random& random, const T (&values)[kSize]) {
  return values[Uniform(random, 0, static_cast<int64_t>(kSize) - 1)];
}

float RandomScale(Random& random) {
  constexpr float kEdges[] = {0, 1, -1, 2, 0.5f, 1e-3f, 1e3f, INFINITY, 3e38f};
  if (Chance(random, 40)) return Pick(random, kEdges);
  return std::normal_distribution<float>()(random);
}

int64_t MaskedCount(const spi::ReorderOperation& op) {
  int64_t count = 1;
  for (int j = 0; j < op.dst.rank; ++j)
    if (op.scale_mask >> j & 1) count *= op.dst.dims[j];
  return count;
}

}  // namespace

int64_t Uniform(Random& random, int64_t lo, int64_t hi) {
  return lo + static_cast<int64_t>(random() % static_cast<uint64_t>(hi - lo + 1));
}

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
      spi::Strided(type, absl::MakeConstSpan(shape.dims.data(), static_cast<size_t>(shape.rank)));
  layout.strides = {};
  if (Chance(random, 20)) layout.offset = Uniform(random, 1, 20);
  spi::Dims outer = shape.dims;
  int64_t stride = 1;
  if (blocked && !spi::IsEmpty(layout)) {
    layout.block_count = static_cast<uint8_t>(Uniform(random, 1, 3));
    for (int b = 0; b < layout.block_count; ++b) {
      constexpr int32_t kBlocks[] = {2, 4, 8, 16, 6};
      layout.blocks[b] = {static_cast<int>(Uniform(random, 0, shape.rank - 1)),
                          Pick(random, kBlocks)};
      stride *= layout.blocks[b].size;
    }
    for (int j = 0; j < shape.rank; ++j) outer[j] = spi::StepsAlong(layout, j);
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

spi::AnyOperation RandomReorder(Random& random, DataType src, DataType dst, int64_t max_elements) {
  spi::ReorderOperation op;
  const Shape shape = RandomShape(random, max_elements);
  op.src = RandomLayout(random, src, shape, Chance(random, 10), true);
  op.dst = RandomLayout(random, dst, shape, Chance(random, 10), false);
  if (Chance(random, 45)) {
    op.scale_mask = Chance(random, 40)
                        ? 0
                        : static_cast<int>(Uniform(random, 0, (int64_t{1} << shape.rank) - 1));
    op.scale_count = MaskedCount(op);
    op.run_time_scales = Chance(random, 30);
    if (!op.run_time_scales) {
      op.scales.resize(static_cast<size_t>(op.scale_count));
      for (float& scale : op.scales) scale = RandomScale(random);
    }
  }
  if (Chance(random, 30)) {
    op.has_sum = true;
    op.beta = RandomScale(random);
    if (std::isinf(op.beta)) op.beta = 0;
    if (Chance(random, 30)) {
      do {
        op.sum_type = Pick(random, kTypes);
      } while (spi::SizeOf(op.sum_type) != spi::SizeOf(dst));
    }
  }
  for (spi::ZeroPoint* zero : {&op.src_zero_point, &op.dst_zero_point}) {
    if (!Chance(random, 20)) continue;
    constexpr int32_t kValues[] = {0,   1,   -1,   5,        127,       128,
                                   255, 300, -128, 16777217, INT32_MIN, INT32_MAX};
    zero->value = Pick(random, kValues);
    zero->run_time = Chance(random, 40);
  }
  return op;
}

spi::AnyOperation RandomShuffle(Random& random, int64_t max_elements) {
  spi::ShuffleOperation op;
  const DataType type = Pick(random, kTypes);
  op.forward = Chance(random, 50);
  Shape shape = RandomShape(random, max_elements);
  op.axis = static_cast<int>(Uniform(random, 0, shape.rank - 1));
  constexpr int64_t kChannels[] = {2, 3, 4, 6, 8, 12, 16, 24, 30, 60, 64, 96};
  if (Chance(random, 80)) shape.dims[op.axis] = Pick(random, kChannels);
  const int64_t extent = shape.dims[op.axis];
  do {
    op.group_size = Uniform(random, 1, std::max<int64_t>(extent, 1));
  } while (extent % op.group_size != 0);
  op.from = RandomLayout(random, type, shape, Chance(random, 10), true);
  op.to = RandomLayout(random, type, shape, Chance(random, 10), false);
  return op;
}

std::vector<float> ScalesFor(Random& random, const spi::AnyOperation& operation) {
  const auto* op = std::get_if<spi::ReorderOperation>(&operation);
  if (op == nullptr) return {};
  if (!op->run_time_scales) return op->scales;
  std::vector<float> scales(static_cast<size_t>(MaskedCount(*op)));
  for (float& scale : scales) scale = RandomScale(random);
  return scales;
}

Bytes RandomData(Random& random, DataType type, size_t bytes) {
  constexpr float kEdges[] = {
      0.5f,    1.5f,        -2.5f,    127.5f,    -128.5f, 255.5f,        65504,
      65520,   1e6f,        1e-7f,    3e-8f,     3e-41f,  2.14748352e9f, 2.14748365e9f,
      -2.2e9f, 16777216.0f, INFINITY, -INFINITY, NAN,     -NAN,          -0.0f};
  Bytes data(bytes);
  const size_t step = static_cast<size_t>(spi::SizeOf(type));
  for (size_t at = 0; at + step <= bytes; at += step) {
    const int64_t kind = Uniform(random, 0, 9);
    uint32_t bits = static_cast<uint32_t>(random());
    if (type == DataType::kS32) {
      if (kind < 6) bits = static_cast<uint32_t>(Uniform(random, -300, 300));
      if (kind == 6) bits = static_cast<uint32_t>(INT32_MAX - Uniform(random, 0, 200));
    } else if (type == DataType::kF32 || type == DataType::kBF16) {
      const float value = kind == 7   ? Pick(random, kEdges)
                          : kind == 8 ? static_cast<float>(Uniform(random, -600, 600)) * 0.5f
                                      : 100 * std::normal_distribution<float>()(random);
      if (kind < 9) std::memcpy(&bits, &value, sizeof(bits));
      if (type == DataType::kBF16) bits >>= 16;
    }
    std::memcpy(&data[at], &bits, step);
  }
  return data;
}

ZeroPoints::ZeroPoints(spi::Engine& engine, const spi::AnyOperation& operation) {
  if (const auto* reorder = std::get_if<spi::ReorderOperation>(&operation))
    values = {reorder->src_zero_point.value, reorder->dst_zero_point.value};
  src = *engine.Wrap(&values[0], sizeof(int32_t));
  dst = *engine.Wrap(&values[1], sizeof(int32_t));
}

Bytes RandomBytes(Random& random, size_t bytes) {
  Bytes data(bytes);
  for (size_t at = 0; at < bytes; at += sizeof(uint64_t)) {
    const uint64_t word = random();
    std::memcpy(&data[at], &word, std::min(sizeof(word), bytes - at));
  }
  return data;
}

}  // namespace impl_cpu
