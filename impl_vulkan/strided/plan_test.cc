#include "impl_vulkan/strided/plan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <set>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "api/reorder/testing/random_reorder.h"
#include "api/reorder/testing/reorder_operation.h"
#include "api/shuffle/testing/random_shuffle.h"
#include "api/shuffle/testing/shuffle_operation.h"
#include "api/testing/interpreter.h"
#include "api/testing/random_operation.h"
#include "impl_vulkan/reorder/plan.h"
#include "impl_vulkan/shuffle/plan.h"
#include "impl_vulkan/testing/generator.h"
#include "impl_vulkan/testing/places.h"

namespace impl_vulkan {
namespace {

using spi::DataType;
using testing::Generator;

// Byte of the destination -> byte of the source and place of the scale.
using Journey = std::unordered_map<int64_t, std::pair<int64_t, int64_t>>;

Limits Usual() { return {uint64_t{1} << 27, 256, 256, 32768, 65535}; }

// Where each element goes, by the loops of the shaders.
void Follow(const Dispatch& dispatch, Journey* journey) {
  const Parameters& p = dispatch.parameters;
  const auto& uses = dispatch.step.uses;
  if (IsOfZeroPoint(dispatch)) return;
  const bool scaled = uses.size() > kScales && uses[kScales].position == kScales;
  const auto add = [&](int64_t source, int64_t destination, int64_t scale) {
    const auto at = [](const BufferUse& use, int64_t element) {
      EXPECT_LE((element + 1) * use.element_bytes, static_cast<int64_t>(use.range.bytes));
      return static_cast<int64_t>(use.range.offset) + element * use.element_bytes;
    };
    for (int64_t b = 0; b < uses[1].element_bytes; ++b) {
      // Conversions have no bytes in common: count those of an element from its own start.
      const int64_t from = at(uses[0], source), to = at(uses[1], destination);
      const bool moved = uses[0].element_bytes == uses[1].element_bytes;
      const int64_t source_byte = IsPadding(dispatch) ? -1 : from + (moved ? b : 0);
      if (IsPadding(dispatch)) {
        EXPECT_EQ(from, 0) << "of the zeros";
      }
      const int64_t scale_at = scaled ? at(uses[2], scale) / 4 : scale;
      const bool fresh = journey->emplace(to + b, std::make_pair(source_byte, scale_at)).second;
      EXPECT_TRUE(fresh) << "byte " << to + b << " is written twice";
    }
  };
  if (dispatch.kernel == Kernel::kCopy) {
    for (uint64_t i = 0; i < uses[0].range.bytes / uses[0].element_bytes; ++i) {
      add(static_cast<int64_t>(i), static_cast<int64_t>(i), 0);
    }
    return;
  }
  std::function<void(uint32_t, int64_t, int64_t, int64_t)> loop = [&](uint32_t depth, int64_t s,
                                                                      int64_t d, int64_t c) {
    if (depth == p.outer + p.inner) return add(s, d, c);
    const LoopParameters& dim = p.loops[depth];
    for (uint32_t i = 0; i < dim.extent; ++i) {
      loop(depth + 1, s + int64_t{i} * dim.source, d + int64_t{i} * dim.destination,
           c + int64_t{i} * dim.scale);
    }
  };
  loop(0, 0, 0, 0);
}

void ExpectFits(const Move& move, const Dispatch& dispatch, const Limits& limits) {
  if (dispatch.kernel == Kernel::kCopy) return;
  const Parameters& p = dispatch.parameters;
  const auto& uses = dispatch.step.uses;
  const bool computes = !IsPadding(dispatch) && !IsOfZeroPoint(dispatch) && !move.arithmetic.none();
  EXPECT_EQ(uses.size(), computes ? 4u : 3u) << "as the shaders are declared";
  for (const BufferUse& use : uses) {
    const uint64_t lead = use.range.offset % limits.alignment;
    EXPECT_LE((lead + use.range.bytes + 3) / 4 * 4, limits.window_bytes);
  }
  EXPECT_LE(p.outer + p.inner, static_cast<uint32_t>(kMaxLoops));
  EXPECT_LE(dispatch.step.groups[0], limits.groups);
  EXPECT_LE(dispatch.step.groups[1], limits.groups);
  const uint64_t groups = uint64_t{dispatch.step.groups[0]} * dispatch.step.groups[1];
  const uint32_t wg = limits.invocations;
  switch (dispatch.kernel) {
    case Kernel::kGeneric:
      EXPECT_GE(groups * wg, uint64_t{p.rows} * p.columns);
      break;
    case Kernel::kRow:
      EXPECT_GE(groups * (wg / dispatch.constants[7]), uint64_t{p.rows} * p.columns);
      EXPECT_GE(uint64_t{p.columns} * 4 * dispatch.constants[7],
                (p.run * uses[1].element_bytes + 3) / 4);
      break;
    case Kernel::kTile:
      EXPECT_GE(groups, p.rows);
      break;
    case Kernel::kPacked:
      EXPECT_GE(groups * p.columns, p.rows);
      EXPECT_LE(p.columns * p.run * uses[0].element_bytes + 3, 4 * dispatch.constants[7]);
      break;
    case Kernel::kCopy:
      break;
  }
}

Journey PlanAndFollow(const Move& move, const Limits& limits, const PlanOptions& options) {
  Journey journey;
  for (const Dispatch& dispatch : PlanMove(move, limits, options)) {
    ExpectFits(move, dispatch, limits);
    Follow(dispatch, &journey);
  }
  return journey;
}

// What is beyond the elements of a destination comes from nowhere.
constexpr int64_t kZeros = -1;

void AddPadding(const spi::Layout& destination, Journey* journey) {
  const int64_t bytes = spi::SizeOf(destination.type);
  if (spi::IsEmpty(destination)) return;
  const spi::Layout whole = testing::WithPadding(destination);
  testing::ForEach(whole, [&](const spi::Dims& x) {
    for (int64_t b = 0; b < bytes; ++b) {
      journey->emplace(spi::OffsetOf(whole, x) * bytes + b, std::make_pair(kZeros, 0));
    }
  });
}

Journey Expected(const spi::ReorderOperation& operation) {
  Journey journey;
  const int64_t from = spi::SizeOf(operation.src.type), to = spi::SizeOf(operation.dst.type);
  const bool many = operation.run_time_scales || operation.scales.size() > 1;
  testing::ForEach(operation.dst, [&](const spi::Dims& x) {
    int64_t scale = 0;
    for (size_t j = 0; j < operation.dst.rank; ++j)
      if (operation.scale_mask >> j & 1) scale = scale * operation.dst.dims[j] + x[j];
    for (int64_t b = 0; b < to; ++b) {
      journey[spi::OffsetOf(operation.dst, x) * to + b] = {
          spi::OffsetOf(operation.src, x) * from + (from == to ? b : 0), many ? scale : 0};
    }
  });
  AddPadding(operation.dst, &journey);
  return journey;
}

// By the interpreter, moving the places themselves: each element of the source holds its own.
Journey Expected(spi::ShuffleOperation operation) {
  const DataType type = operation.to.type;
  const int64_t bytes = spi::SizeOf(type);
  operation.from.type = operation.to.type = DataType::kS32;
  std::vector<spi::Bytes> places = {spi::Bytes(spi::BytesOf(operation.from)),
                                    spi::Bytes(spi::BytesOf(operation.to))};
  for (size_t i = 0; i < places[0].size() / 4; ++i) std::memcpy(&places[0][4 * i], &i, 4);
  const spi::Interpretation right(operation, places);
  Journey journey;
  testing::ForEach(operation.to, [&](const spi::Dims& x) {
    const int64_t to = spi::OffsetOf(operation.to, x);
    int32_t from = 0;
    std::memcpy(&from, &right.after()[1][static_cast<size_t>(4 * to)], 4);
    for (int64_t b = 0; b < bytes; ++b) journey[to * bytes + b] = {from * bytes + b, 0};
  });
  operation.to.type = type;
  AddPadding(operation.to, &journey);
  return journey;
}

spi::Layout Plain(DataType type, const std::vector<int64_t>& dims,
                  const std::vector<int64_t>& strides, int64_t offset = 0) {
  spi::Layout layout = spi::Strided(type, dims);
  std::copy(strides.begin(), strides.end(), layout.strides.begin());
  layout.offset = offset;
  return layout;
}

spi::Layout Dense(DataType type, const std::vector<int64_t>& dims) {
  return spi::Strided(type, dims);
}

spi::Layout Blocked(DataType type, const std::vector<int64_t>& dims, int axis, int32_t size) {
  return spi::Strided(type, dims, {{axis, size}});
}

spi::ReorderOperation Between(const spi::Layout& source, const spi::Layout& destination) {
  spi::ReorderOperation operation;
  operation.src = source;
  operation.dst = destination;
  return operation;
}

std::vector<Kernel> KernelsOf(const Move& move, const Limits& limits = Usual(),
                              const PlanOptions& options = {}) {
  std::vector<Kernel> kernels;
  for (const Dispatch& dispatch : PlanMove(move, limits, options)) {
    kernels.push_back(dispatch.kernel);
  }
  return kernels;
}

using Kernels = std::vector<Kernel>;

TEST(Plan, CopiesWhatIsDenseInOneOrder) {
  const spi::Layout nhwc = Plain(DataType::kF16, {2, 8, 5, 5}, {200, 1, 40, 8});
  EXPECT_EQ(KernelsOf(*MoveOfReorder(Between(nhwc, nhwc))), Kernels{Kernel::kCopy});
  PlanOptions no_copies;
  no_copies.copies = false;
  EXPECT_EQ(KernelsOf(*MoveOfReorder(Between(nhwc, nhwc)), Usual(), no_copies),
            Kernels{Kernel::kRow});
}

TEST(Plan, ConvertsRowsWhereBothSidesRunAlongOneAxis) {
  EXPECT_EQ(KernelsOf(*MoveOfReorder(Between(Dense(DataType::kF32, {4, 100}),
                                             Plain(DataType::kU8, {4, 100}, {128, 1})))),
            Kernels{Kernel::kRow});
}

TEST(Plan, TilesATransposition) {
  const Move move = *MoveOfReorder(
      Between(Dense(DataType::kF32, {100, 200}), Plain(DataType::kF32, {100, 200}, {1, 100})));
  EXPECT_EQ(KernelsOf(move), Kernels{Kernel::kTile});
}

TEST(Plan, PacksAShuffleOfChannelsLast) {
  spi::ShuffleOperation shuffle;
  shuffle.from = shuffle.to = Plain(DataType::kBF16, {2, 24, 7, 7}, {1176, 1, 168, 24});
  shuffle.axis = 1;
  shuffle.group_size = 3;
  EXPECT_EQ(KernelsOf(*MoveOfShuffle(shuffle)), Kernels{Kernel::kPacked});
}

TEST(Plan, TakesRowsForAShuffleOfChannelsFirst) {
  spi::ShuffleOperation shuffle;
  shuffle.from = shuffle.to = Dense(DataType::kS8, {2, 24, 7, 7});
  shuffle.axis = 1;
  shuffle.group_size = 3;
  EXPECT_EQ(KernelsOf(*MoveOfShuffle(shuffle)), Kernels{Kernel::kRow});
}

TEST(Plan, CutsAPaddedBlockIntoWholeBlocksAndARest) {
  const spi::Layout blocked = Blocked(DataType::kF32, {1, 40, 10, 10}, 1, 16);
  const Move move = *MoveOfReorder(Between(Dense(DataType::kF32, {1, 40, 10, 10}), blocked));
  EXPECT_EQ(move.nests.size(), 2u);
  EXPECT_EQ(move.padding.size(), 1u);
  EXPECT_EQ(Describe(move, PlanMove(move, Usual(), {})), "tile+packed f32->f32 padding");
}

TEST(Plan, CopiesNothingBesidePadding) {
  const spi::Layout whole = Blocked(DataType::kF32, {2, 32, 3}, 1, 16);
  EXPECT_EQ(KernelsOf(*MoveOfReorder(Between(whole, whole))), Kernels{Kernel::kCopy});
  // A copy owns every byte of its first and last word, and padding may be in them.
  const spi::Layout padded = Blocked(DataType::kF32, {1, 16, 3}, 1, 32);
  for (const Kernel kernel : KernelsOf(*MoveOfReorder(Between(padded, padded)))) {
    EXPECT_NE(kernel, Kernel::kCopy);
  }
}

TEST(Plan, HasNothingToDoForAnEmptyTensor) {
  EXPECT_TRUE(KernelsOf(*MoveOfReorder(Between(Dense(DataType::kF32, {3, 0, 2}),
                                               Dense(DataType::kS8, {3, 0, 2}))))
                  .empty());
}

TEST(Plan, MovesPairsOfBytesAsOneElement) {
  // Rows of 8 bytes change places: two words each.
  const Move move = *MoveOfReorder(
      Between(Dense(DataType::kU8, {16, 16, 8}), Plain(DataType::kU8, {16, 16, 8}, {8, 128, 1})));
  for (const Dispatch& dispatch : PlanMove(move, Usual(), {})) {
    EXPECT_EQ(dispatch.step.uses[0].element_bytes, 4u);
  }
  PlanOptions odd;
  odd.words_aligned = false;
  for (const Dispatch& dispatch : PlanMove(move, Usual(), odd)) {
    EXPECT_EQ(dispatch.step.uses[0].element_bytes, 1u);
  }
}

TEST(Plan, ReadsOneScaleOfOneAsNoScale) {
  spi::ReorderOperation operation =
      Between(Dense(DataType::kS32, {4, 64}), Dense(DataType::kS32, {4, 64}));
  operation.scales = {1};
  EXPECT_TRUE(MoveOfReorder(operation)->arithmetic.none());
  operation.scales = {1.5f};
  EXPECT_FALSE(MoveOfReorder(operation)->arithmetic.none());
  operation.scales = {1, 1, 1, 1};
  operation.scale_mask = 1;
  operation.scale_count = 4;
  EXPECT_EQ(MoveOfReorder(operation)->arithmetic.scales, Arithmetic::Scales::kMany);
}

TEST(Plan, DoesNotReadTheDestinationForABetaOfZero) {
  spi::ReorderOperation operation = Between(Dense(DataType::kF32, {4}), Dense(DataType::kF32, {4}));
  operation.has_sum = true;
  operation.beta = -0.0f;
  EXPECT_FALSE(MoveOfReorder(operation)->arithmetic.sum);
  operation.beta = 1e-30f;
  EXPECT_TRUE(MoveOfReorder(operation)->arithmetic.sum);
}

TEST(Plan, PassesThroughF32ForABetaOfZero) {
  spi::ReorderOperation operation = Between(Dense(DataType::kS32, {4}), Dense(DataType::kS32, {4}));
  EXPECT_EQ(KernelsOf(*MoveOfReorder(operation)), Kernels{Kernel::kCopy});
  operation.has_sum = true;
  for (const std::vector<float>& scales : {std::vector<float>{}, std::vector<float>{1}}) {
    operation.scales = scales;
    EXPECT_EQ(MoveOfReorder(operation)->arithmetic.alpha, 1);
    EXPECT_EQ(KernelsOf(*MoveOfReorder(operation)), Kernels{Kernel::kRow});
  }
}

TEST(EndsBeyond, CountsTheBytesUpToTheLastElement) {
  for (uint32_t seed = 0; seed < 300; ++seed) {
    Generator generator(seed);
    const spi::Layout layout =
        generator.Layout(generator.OneOf(spi::kTypes), generator.Dims(1500), false, true);
    const uint64_t bytes = spi::BytesOf(layout);
    EXPECT_FALSE(EndsBeyond(layout, bytes)) << spi::ToString(layout);
    if (bytes == 0) continue;
    EXPECT_TRUE(EndsBeyond(layout, bytes - 1)) << spi::ToString(layout);
  }
}

TEST(EndsBeyond, CountsWholeBlocks) {
  const spi::Layout padded = Blocked(DataType::kS32, {2, 17, 3}, 1, 8);
  EXPECT_FALSE(EndsBeyond(padded, 2 * 24 * 3 * 4));
  EXPECT_TRUE(EndsBeyond(padded, 2 * 24 * 3 * 4 - 1));
}

TEST(EndsBeyond, CountsBeyond64Bits) {
  const int64_t far = int64_t{1} << 62;
  EXPECT_TRUE(EndsBeyond(Plain(DataType::kU8, {4, 3}, {far, far / 2}), uint64_t{1} << 40));
  EXPECT_TRUE(EndsBeyond(Dense(DataType::kU8, {int64_t{1} << 60}), (uint64_t{1} << 60) - 1));
  EXPECT_FALSE(EndsBeyond(Dense(DataType::kU8, {int64_t{1} << 60}), uint64_t{1} << 60));
}

TEST(Plan, CutsTensorsBeyondFourGigabytes) {
  // A transposition of 6 GiB, planned without moving a byte of it.
  const int64_t rows = 49152, columns = 32768;
  const Move move = *MoveOfReorder(Between(Dense(DataType::kF32, {rows, columns}),
                                           Plain(DataType::kF32, {rows, columns}, {1, rows})));
  uint64_t bytes = 0;
  for (const Dispatch& dispatch : PlanMove(move, Usual(), {})) {
    ExpectFits(move, dispatch, Usual());
    EXPECT_EQ(dispatch.kernel, Kernel::kTile);
    const Parameters& p = dispatch.parameters;
    bytes += uint64_t{p.loops[0].extent} * p.loops[1].extent * 4;
  }
  EXPECT_EQ(bytes, uint64_t{6} << 30);
}

TEST(Plan, MovesEachElementOfAnyReorderOnceToItsPlace) {
  std::set<Kernel> seen;
  for (uint32_t seed = 0; seed < 1000; ++seed) {
    Generator generator(seed);
    const spi::ReorderOperation operation = spi::RandomReorder(
        generator.random(), generator.OneOf(spi::kTypes), generator.OneOf(spi::kTypes), 1500);
    const Move move = *MoveOfReorder(operation);
    Limits limits = Usual();
    if (seed % 2 == 0) limits.window_bytes = 2048;
    PlanOptions options;
    options.words_aligned = !generator.OneIn(4);
    options.copies = !generator.OneIn(4);
    options.generic_only = generator.OneIn(8);
    ASSERT_EQ(PlanAndFollow(move, limits, options), Expected(operation))
        << "seed " << seed << ": " << Describe(move, PlanMove(move, limits, options));
    for (const Kernel kernel : KernelsOf(move, limits, options)) seen.insert(kernel);
  }
  EXPECT_EQ(seen.size(), static_cast<size_t>(kKernels)) << "some kernel was never chosen";
}

TEST(Plan, MovesEachElementOfAnyShuffleOnceToItsPlace) {
  for (uint32_t seed = 0; seed < 700; ++seed) {
    Generator generator(seed);
    const spi::ShuffleOperation operation = spi::RandomShuffle(generator.random(), 1500);
    const Move move = *MoveOfShuffle(operation);
    Limits limits = Usual();
    if (seed % 2 == 0) limits.window_bytes = 2048;
    PlanOptions options;
    options.words_aligned = !generator.OneIn(4);
    ASSERT_EQ(PlanAndFollow(move, limits, options), Expected(operation)) << "seed " << seed;
  }
}

TEST(Divisor, DividesEveryNumberBelowTwoToThe31) {
  std::vector<uint32_t> numbers = {0, 1, 2, 3, 0x3fffffff, 0x40000000, 0x7ffffffe, 0x7fffffff};
  Generator generator(1);
  for (int i = 0; i < 2000; ++i) numbers.push_back(generator.Below(0x80000000u));
  for (uint32_t d = 1; d != 0 && d < 0x80000000u; d += d < 300 ? 1 : d / 7) {
    const Divisor divisor = DivisorOf(d);
    for (const uint32_t near : {d, d - 1, 2 * d, 3 * d - 1, 0x7fffffff / d * d}) {
      numbers.push_back(near & 0x7fffffff);
    }
    for (const uint32_t v : numbers) {
      const uint64_t high = uint64_t{v} * divisor.magic >> 32;
      ASSERT_EQ(divisor.magic == 0 ? v : high >> divisor.shift, v / d) << v << " / " << d;
    }
  }
}

}  // namespace
}  // namespace impl_vulkan
