#include "impl_cpu/strided/pipeline.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "api/spi/strided/nest.h"
#include "api/spi/types.h"
#include "api/testing/random_operation.h"
#include "impl_cpu/move/kernel.h"
#include "impl_cpu/plain/problem.h"
#include "impl_cpu/strided/loops.h"
#include "impl_cpu/testing/targets.h"

namespace impl_cpu {
namespace {

using spi::DataType;
using spi::kTypes;
using spi::Random;
using spi::RandomLayout;
using spi::RandomShape;
using spi::Shape;
using spi::Uniform;

struct Request {
  DataType src = DataType::kF32, dst = DataType::kF32;
  spi::LoopDims loops;
  bool scaled = false;
  bool sum = false;
  float beta = 0.5f;
};

// Nothing if this machine has no vector instruction set.
std::optional<Pipeline> Plan(const Request& request) {
  Arithmetic a;
  a.src = request.src;
  a.dst = a.sum_type = request.dst;
  a.scale = request.scaled ? Arithmetic::Scale::kMany : Arithmetic::Scale::kNone;
  a.sum = request.sum;
  a.beta = request.beta;
  a.computed = request.scaled || request.sum;
  spi::LoopNest nest;
  nest.loops = request.loops;
  std::optional<Pipeline> pipeline(std::in_place);
  if (!PlanPipeline(a, nest, &*pipeline)) pipeline.reset();
  return pipeline;
}

std::string NameFor(const Request& request) {
  const std::optional<Pipeline> pipeline = Plan(request);
  return pipeline.has_value() ? NameOf(*pipeline) : "";
}

bool HasVectors() { return Plan({DataType::kF32, DataType::kS8, {{100, 1, 1, 0}}}).has_value(); }

class PipelineTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!HasVectors()) GTEST_SKIP() << "no vector instruction set";
  }
};

// 64 channels of 28 x 28.
const spi::LoopDims kNchwToNhwc = {{784, 1, 64, 0}, {64, 784, 1, 0}};
const spi::LoopDims kNhwcToNchw = {{64, 1, 784, 0}, {784, 64, 1, 0}};
const spi::LoopDims kDense = {{50176, 1, 1, 0}};

TEST_F(PipelineTest, CopiesAndConvertsWhatIsContiguousInOneStep) {
  EXPECT_EQ(NameFor({DataType::kF32, DataType::kF32, kDense}), "copy");
  EXPECT_EQ(NameFor({DataType::kU8, DataType::kU8, {}}), "copy");
  EXPECT_EQ(NameFor({DataType::kF32, DataType::kU8, kDense}), "convert");
  EXPECT_EQ(NameFor({DataType::kF32, DataType::kF32, kDense, true}), "convert");
}

TEST_F(PipelineTest, TransposesInTheNarrowerType) {
  EXPECT_EQ(NameFor({DataType::kF32, DataType::kF32, kNchwToNhwc}), "transpose");
  EXPECT_EQ(NameFor({DataType::kBF16, DataType::kU8, kNchwToNhwc}), "convert+transpose");
  EXPECT_EQ(NameFor({DataType::kU8, DataType::kBF16, kNchwToNhwc}), "transpose+convert");
}

TEST_F(PipelineTest, ConvertsOnTilesWhereOneOfTheTypesHas32Bits) {
  EXPECT_EQ(NameFor({DataType::kF32, DataType::kU8, kNchwToNhwc}), "compute+transpose");
  EXPECT_EQ(NameFor({DataType::kU8, DataType::kF32, kNchwToNhwc}), "compute+transpose");
  EXPECT_EQ(NameFor({DataType::kS32, DataType::kBF16, kNhwcToNchw}), "compute+transpose");
  EXPECT_EQ(NameFor({DataType::kS32, DataType::kF32, kNhwcToNchw}), "compute+transpose");
  // Scales of the columns that the vectors of the source lie along, and of the rows.
  const spi::LoopDims columns = {{784, 1, 64, 1}, {64, 784, 1, 0}},
                      rows = {{784, 1, 64, 0}, {64, 784, 1, 1}};
  EXPECT_EQ(NameFor({DataType::kF32, DataType::kU8, columns, true}), "compute+transpose");
  EXPECT_EQ(NameFor({DataType::kU8, DataType::kF32, rows, true}), "compute+transpose");
  // A scale for each element; fewer rows than a tile has.
  const spi::LoopDims both = {{784, 1, 64, 64}, {64, 784, 1, 1}},
                      few = {{784, 1, 12, 0}, {12, 784, 1, 0}};
  EXPECT_EQ(NameFor({DataType::kF32, DataType::kU8, both, true}), "transpose+convert");
  EXPECT_EQ(NameFor({DataType::kF32, DataType::kU8, few}), "convert+transpose");
}

TEST_F(PipelineTest, StoresPastTheCachesWhatIsTooLargeForThem) {
  const spi::LoopDims large = {{16 << 20, 1, 1, 0}}, rows = {{16 << 20, 12, 8, 0}, {8, 1, 1, 0}};
  EXPECT_EQ(NameFor({DataType::kF32, DataType::kF32, large}), "stream");
  EXPECT_EQ(NameFor({DataType::kF32, DataType::kS8, large}), "convert+stream");
  // What is read is not streamed, nor are rows shorter than some lines.
  EXPECT_EQ(NameFor({DataType::kF32, DataType::kF32, large, false, true}), "convert");
  EXPECT_EQ(NameFor({DataType::kF32, DataType::kF32, rows}), "copy");
}

TEST_F(PipelineTest, FetchesRowsAheadThatTheHardwareDoesNotFollow) {
  // Rows a multiple of 4 KiB apart, in the own cache and not; rows that are not; a sum.
  const spi::LoopDims near = {{1024, 1, 64, 0}, {64, 1024, 1, 0}},
                      far = {{8192, 1, 64, 0}, {64, 8192, 1, 0}},
                      even = {{7840, 1, 64, 0}, {64, 7840, 1, 0}};
  const auto prefetch = [](const Request& request) {
    const Strategy strategy = Plan(request).value().strategy;
    if (const auto* move = std::get_if<Transpose>(&strategy)) return move->shape.traversal.prefetch;
    return std::get<ConvertTransposed>(strategy).shape.traversal.prefetch;
  };
  EXPECT_EQ(prefetch({DataType::kBF16, DataType::kBF16, near}), 0);
  EXPECT_GT(prefetch({DataType::kF32, DataType::kBF16, far}), 0);
  EXPECT_GT(prefetch({DataType::kBF16, DataType::kBF16, far}), 0);
  EXPECT_EQ(prefetch({DataType::kBF16, DataType::kBF16, even}), 0);
  // Tiles of whole lines, in the caches and past them.
  const spi::LoopDims past = {{1 << 18, 1, 64, 0}, {64, 1 << 18, 1, 0}};
  EXPECT_EQ(prefetch({DataType::kF32, DataType::kF32, far}), 0);
  EXPECT_GT(prefetch({DataType::kF32, DataType::kF32, past}), 0);
  EXPECT_GT(prefetch({DataType::kF32, DataType::kF32, even, false, true}), 0);
  EXPECT_EQ(prefetch({DataType::kF32, DataType::kF32, kNchwToNhwc, false, true}), 0);
}

TEST_F(PipelineTest, FollowsTheRowsThatLieAskewToLinesOrAreLonger) {
  const auto along_rows = [](const spi::LoopDims& loops) {
    const Pipeline p = Plan({DataType::kF32, DataType::kF32, loops}).value();
    return std::get<Transpose>(p.strategy).shape.traversal.along_rows;
  };
  EXPECT_TRUE(along_rows(kNchwToNhwc));
  EXPECT_FALSE(along_rows(kNhwcToNchw));
  // 240 channels of 14 x 14, of which a row takes 12.25 lines.
  EXPECT_TRUE(along_rows({{196, 1, 240, 0}, {240, 196, 1, 0}}));
  EXPECT_FALSE(along_rows({{240, 1, 196, 0}, {196, 240, 1, 0}}));
  // Rows of the destination that lie a power of two apart.
  EXPECT_FALSE(along_rows({{256, 1, 256, 0}, {256, 256, 1, 0}}));
}

TEST_F(PipelineTest, SumsWhereTheDestinationIsContiguous) {
  EXPECT_EQ(NameFor({DataType::kF32, DataType::kU8, kNchwToNhwc, false, true}),
            "transpose+convert");
  EXPECT_EQ(NameFor({DataType::kF32, DataType::kF32, kNchwToNhwc, false, true}),
            "compute+transpose");
}

TEST_F(PipelineTest, TakesARunOfBytesForOneElement) {
  const std::optional<Pipeline> four =
      Plan({DataType::kU8, DataType::kU8, {{100, 4, 200, 0}, {50, 400, 4, 0}, {4, 1, 1, 0}}});
  EXPECT_EQ(NameOf(four.value()), "transpose");
  EXPECT_EQ(four->src_width, 4);
  const std::optional<Pipeline> three =
      Plan({DataType::kU8, DataType::kU8, {{100, 3, 150, 0}, {50, 300, 3, 0}, {3, 1, 1, 0}}});
  EXPECT_EQ(NameOf(three.value()), "copy");
  EXPECT_EQ(three->src_width, 1);
}

TEST_F(PipelineTest, JoinsShortLoopsToWholeLines) {
  // oihw to hwio: the 9 taps and the input channels are one run of the source.
  const std::optional<Pipeline> p =
      Plan({DataType::kF32, DataType::kF32, {{9, 1, 4096, 0}, {64, 9, 64, 0}, {64, 576, 1, 0}}});
  EXPECT_EQ(NameOf(p.value()), "transpose-split");
  EXPECT_EQ(p->boxes.cols.extent, 576);
  EXPECT_EQ(p->boxes.cols.chunk % 9, 0);
  const SplitShape& shape = std::get<TransposeSplit>(p->strategy).shape;
  EXPECT_EQ(shape.cols_inner, 9);
  EXPECT_EQ(shape.dst_outer_col, 64 * 4);
}

TEST_F(PipelineTest, GathersWhereNothingIsContiguous) {
  EXPECT_EQ(NameFor({DataType::kF32, DataType::kF32, {{100, 2, 3, 0}}}), "generic");
  EXPECT_EQ(NameFor({DataType::kF32, DataType::kS8, {{100, 2, 3, 0}}}), "generic+convert+generic");
  EXPECT_EQ(NameFor({DataType::kF32, DataType::kS8, {{100, 2, 1, 0}}}), "generic+convert");
  EXPECT_EQ(NameFor({DataType::kF32, DataType::kS8, {{100, 1, 2, 0}}}), "convert+generic");
}

TEST_F(PipelineTest, ConvertsShortRowsTogether) {
  const std::optional<Pipeline> p =
      Plan({DataType::kF32, DataType::kS8, {{1000, 8, 5, 0}, {5, 1, 1, 0}}});
  EXPECT_EQ(NameOf(p.value()), "pack+convert");
  EXPECT_TRUE(std::get<StagedPlan>(p->strategy)->one_row);
}

TEST_F(PipelineTest, MovesScalesTogetherThatLieApart) {
  const auto strategy = [](int64_t scale_step) {
    const spi::LoopDims loops = {{64, 100, 100, 0}, {100, 1, 1, scale_step}};
    return Plan({DataType::kF32, DataType::kS8, loops, true}).value().strategy;
  };
  EXPECT_TRUE(std::get<StagedPlan>(strategy(7))->pack_scales.has_value());
  EXPECT_TRUE(std::holds_alternative<Convert>(strategy(1)));
}

// Any layouts of one shape, and any arithmetic.
Problem RandomProblem(Random& random) {
  Problem problem;
  Arithmetic& a = problem.arithmetic;
  a.src = kTypes[Uniform(random, 0, 5)];
  a.dst = a.sum_type = kTypes[Uniform(random, 0, 5)];
  a.scale = Arithmetic::Scale{static_cast<int>(Uniform(random, 0, 2))};
  a.sum = Uniform(random, 0, 3) == 0;
  a.beta = a.sum ? 0.5f : 0.0f;
  a.shifted = Uniform(random, 0, 3) == 0;
  a.computed = a.scale != Arithmetic::Scale::kNone || a.sum || a.shifted;
  const Shape shape = RandomShape(random, 100000);
  spi::AxisMap map;
  if (a.scale == Arithmetic::Scale::kMany) {
    int64_t stride = 1;
    for (int j = shape.rank; j-- > 0;) {
      if (Uniform(random, 0, 1) == 0) continue;
      map.scale_strides[static_cast<size_t>(j)] = stride;
      stride *= shape.dims[static_cast<size_t>(j)];
    }
  }
  PlanNests(RandomLayout(random, a.src, shape, Uniform(random, 0, 2) == 0, true),
            RandomLayout(random, a.dst, shape, Uniform(random, 0, 2) == 0, false), map, &problem);
  return problem;
}

// The elements of one step of the innermost loops.
int64_t ElementsOf(const Pipeline& p, DataType src) {
  const auto* permute = std::get_if<Permute>(&p.strategy);
  return p.src_width / spi::SizeOf(src) * (permute != nullptr ? permute->table->elements : 1);
}

void ExpectFits(const Arithmetic& arithmetic, const spi::LoopNest& nest) {
  Pipeline p;
  if (!PlanPipeline(arithmetic, nest, &p)) return;
  const Boxes& b = p.boxes;
  int64_t elements = ElementsOf(p, arithmetic.src), expected = 1;
  for (const Loop& loop : b.outer) elements *= loop.extent;
  for (const ChunkedLoop* loop : {&b.batch, &b.rows, &b.cols}) {
    int64_t steps = 0;
    for (int64_t k = 0; k < loop->chunks; ++k) {
      ASSERT_GT(loop->size(k), 0);
      steps += loop->size(k);
    }
    ASSERT_EQ(steps, loop->extent);
    elements *= loop->extent;
  }
  for (const spi::LoopDim& loop : nest.loops) expected *= loop.extent;
  ASSERT_EQ(elements, expected);
  const auto* staged = std::get_if<StagedPlan>(&p.strategy);
  if (staged == nullptr || (*staged)->buffers.end == 0) return;
  ASSERT_EQ(b.batch.chunk, 1);
  ASSERT_LE(b.rows.chunk * b.cols.chunk, kStageElements) << NameOf(p);
  ASSERT_LE((*staged)->buffers.end, kStageBytes + 4 * kStageAlignment) << NameOf(p);
}

// Every box fits its buffers, and the chunks of a loop cover it exactly.
TEST_F(PipelineTest, CutsEveryProblemIntoBoxesThatFit) {
  ForEachTarget([] {
    Random random(21);
    for (int i = 0; i < 3000; ++i) {
      const Problem problem = RandomProblem(random);
      for (const spi::LoopNest& nest : problem.nests) {
        ExpectFits(problem.arithmetic, nest);
        if (HasFatalFailure()) FAIL() << ToString(problem);
      }
    }
  });
}

}  // namespace
}  // namespace impl_cpu
