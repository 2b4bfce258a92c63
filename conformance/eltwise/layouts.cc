// ELT-009, ELT-070, ELT-073: plain layouts, and what `any` becomes.
#include <algorithm>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "conformance/case/property.h"
#include "conformance/eltwise/cases.h"
#include "conformance/eltwise/run.h"
#include "conformance/subject/descriptor_text.h"
#include "conformance/subject/expect.h"
#include "spec/requirements.h"

namespace conformance {
namespace {

constexpr EltwiseDirection kForward = EltwiseDirection::kForward,
                           kBackward = EltwiseDirection::kBackward,
                           kByResult = EltwiseDirection::kBackwardByResult;

// A hint that is row-major, or in the opposite order, or as the data; of the algorithm or another.
ForwardEltwise::primitive_desc OtherHint(const EltwiseCase& c, const dnnl::engine& engine) {
  EltwiseCase hint = c;
  hint.direction = kForward;
  if (c.seed % 2 == 0) hint.function = {spec::EltwiseAlgorithm::kSquare};
  std::vector<int> order(c.data.dims.size());
  std::iota(order.rbegin(), order.rend(), 0);
  if (c.seed % 3 == 0) hint.data.layout = RowMajor(c.data.dims);
  if (c.seed % 3 == 1) hint.data.layout = DenseInOrder(c.data.dims, order);
  return ForwardPd(hint, MakeDesc(hint.data), engine);
}

// Whatever the layout of the hint is. What is made of it is executed: in ranks whose gaps are not
// ELT-070's business alone.
void AnyGradientIsLaidOutAsTheData(const EltwiseCase& c, Trial& trial) {
  Cover(trial, c);
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  const auto descs = DescsOf(c, trial);
  if (!descs || !PrimitiveOf(c, *descs, *device, trial)) return;
  const auto made = Attempt([&] {
    EltwiseMaking making;
    making.hint = OtherHint(c, device->engine);
    return BackwardPd(c, WithAny(c.data.type, c.data.dims), descs->data, device->engine, making);
  });
  if (!ExpectAccepted(trial, made, "a gradient with any")) return;
  const char* const wanted = "the layout of the data";
  if (!ExpectDescriptor(trial, "diff_src_desc()", wanted, descs->data,
                        made.value->diff_src_desc()) ||
      !ExpectDescriptor(trial, "diff_dst_desc()", wanted, descs->data, made.value->diff_dst_desc()))
    return;
  if (trial.portable() && (c.data.rank() < 2 || c.data.rank() > 5)) return;
  EltwiseBench bench(c, *descs, *device, false);
  const std::vector<spec::Bits> source = c.Source(), gradient = c.Gradient();
  bench.Fill(source, gradient);
  if (bench.Execute(BackwardEltwise(*made.value), trial))
    ExpectOracle(c, source, gradient, bench.Result(), trial);
}

using spec::Type;

// Of f32 as often as of all others.
std::vector<Type> TypesOf(const std::vector<EltwiseDirection>& directions) {
  if (directions[0] != kForward) return {Type::kF32, Type::kBF16};
  return {Type::kF32, Type::kF32,  Type::kF32, Type::kF32, Type::kF32,
          Type::kF16, Type::kBF16, Type::kS32, Type::kS8,  Type::kU8};
}

EltwiseDraws Ranks(std::vector<EltwiseDirection> directions) {
  EltwiseDraws draws;
  draws.directions = std::move(directions);
  draws.values = {EltwiseValues::kSmall};
  draws.max_rank = 12;
  draws.all_layouts = draws.placements = true;
  draws.types = TypesOf(draws.directions);
  return draws;
}

// One layout for data and gradients.
EltwiseDraws Layouts() { return Ranks({kBackward, kByResult}); }

EltwiseDraws TwoLayouts() {
  EltwiseDraws draws = Ranks({kBackward, kByResult});
  draws.own_gradient = true;
  // Others are ELT-070's.
  draws.min_rank = 2;
  draws.max_rank = 5;
  return draws;
}

// Axes of one element among them, whose strides say nothing.
EltwiseDraws UnitStrides() {
  EltwiseDraws draws = Ranks({kForward, kBackward, kByResult});
  draws.all_types = draws.own_gradient = draws.odd_unit_strides = true;
  return draws;
}

// Project: of such descriptors it is open whether they are legal.
void StridesOfOneElementDoNotMatter(const EltwiseCase& c, Trial& trial) {
  if (trial.portable()) return trial.NotRun("pinned by the project profile only");
  ResultIsTheFunction(c, trial);
}

// Forward and backward of functions that are exact.
void AddBoth(const TensorSpec& data, std::vector<EltwiseCase>* cases) {
  for (const EltwiseDirection direction : {kForward, kBackward}) {
    EltwiseCase c;
    c.direction = direction;
    c.function = {spec::EltwiseAlgorithm::kLinear, 2, 1};
    if (!c.forward()) c.function = {spec::EltwiseAlgorithm::kRelu, 0.5f};
    c.data = data;
    if (!c.forward()) c.gradient = data.layout;
    c.seed = cases->size();
    cases->push_back(std::move(c));
  }
}

// Extents of at least 2 at each rank, of at least 3, and long axes in each place; with the axes in
// order, in the opposite order, and the first one innermost.
Cases<EltwiseCase> ShapesOfAllRanks() {
  std::vector<spec::Dims> shapes;
  for (size_t rank = 2; rank <= 12; ++rank) {
    shapes.emplace_back(rank, 2);
    shapes.back().back() = 3;
    if (rank > 6) continue;
    shapes.emplace_back(rank, 3);
    shapes.back().front() = 5;
  }
  for (const int64_t extent : {257, 1025, 65537}) {
    for (size_t axis = 0; axis < 3; ++axis) {
      shapes.emplace_back(3, 2);
      shapes.back()[axis] = extent;
    }
  }
  std::vector<EltwiseCase> cases;
  for (const spec::Dims& dims : shapes) {
    std::vector<int> order(dims.size());
    std::iota(order.begin(), order.end(), 0);
    AddBoth({spec::Type::kF32, dims, RowMajor(dims)}, &cases);
    std::rotate(order.begin(), order.begin() + 1, order.end());
    AddBoth({spec::Type::kF32, dims, DenseInOrder(dims, order)}, &cases);
    std::iota(order.rbegin(), order.rend(), 0);
    AddBoth({spec::Type::kF32, dims, DenseInOrder(dims, order)}, &cases);
  }
  return Listed(std::move(cases));
}

// Elements of each type that lie apart, whichever axis is innermost, in rows longer than vectors;
// and such rows of elements side by side, with gaps behind them and behind groups of them.
Cases<EltwiseCase> SpreadEltwise() {
  std::vector<EltwiseCase> cases;
  for (const Type type : {Type::kF32, Type::kBF16, Type::kF16, Type::kS32, Type::kS8, Type::kU8}) {
    for (const char* data : {"100:s3", "3x33:s70,2", "35x2:s2,80", "2x17x3:s1000,5,100",
                             "2x40:s1,2", "2x3x20:s3,1000,6", "2x3x70:s1000,80,1"}) {
      std::vector<EltwiseCase> both;
      AddBoth(*ParseTensor(std::string(spec::NameOf(type)) + ":" + data), &both);
      for (EltwiseCase& c : both) {
        if (!c.forward() && type != Type::kF32 && type != Type::kBF16) continue;
        c.seed = cases.size();
        cases.push_back(std::move(c));
      }
    }
  }
  return Listed(std::move(cases));
}

// More elements than caches hold, without gaps and with; no vector length divides the rows.
Cases<EltwiseCase> LargeEltwise() {
  std::vector<EltwiseCase> cases;
  for (const char* data :
       {"f32:3145749:a", "f32:3x1048583:s1048600,1", "f32:2x1021x1031:s1052661,1031,1"})
    AddBoth(*ParseTensor(data), &cases);
  // Gaps behind rows and behind slices of them, which threads share.
  for (const char* data :
       {"f32:4x100x300:s30704,304,1", "bf16:7x61x331:s20500,332,1", "f32:5x300x101:s30800,1,303"})
    AddBoth(*ParseTensor(data), &cases);
  // As long as several threads share them, side by side and apart.
  for (const char* data : {"bf16:2x70003:ab", "f16:2x70003:s70010,1", "s8:2x140009:ab",
                           "u8:2x140009:s2,5", "s32:2x70003:ba", "f32:70003x2:s5,2"})
    AddBoth(*ParseTensor(data), &cases);
  return Listed(std::move(cases));
}

const std::vector<std::string> kLayouts{"gapped", "region", "permuted", "tag", "rank 1", "rank 6"};

const bool kDefined[] = {
    Define<EltwiseCase>(spec::ELT_009, "", SomeEltwise(500, Layouts()),
                        AnyGradientIsLaidOutAsTheData, {"gapped", "permuted"}),
    Define<EltwiseCase>(spec::ELT_070, "", SomeEltwise(1000, Ranks({kForward})),
                        ResultIsTheFunction, kLayouts),
    Define<EltwiseCase>(spec::ELT_070, "backward", SomeEltwise(1000, Ranks({kBackward, kByResult})),
                        ResultIsTheFunction, kLayouts),
    Define<EltwiseCase>(spec::ELT_070, "unit-strides", SomeEltwise(400, UnitStrides()),
                        StridesOfOneElementDoNotMatter, {"odd size-1 stride"}),
    Define<EltwiseCase>(spec::ELT_070, "ranks", ShapesOfAllRanks(), ResultIsTheFunction,
                        {"rank 12 with extents >= 2", "extent over 65534"}),
    Define<EltwiseCase>(spec::ELT_070, "spread", SpreadEltwise(), ResultIsTheFunction,
                        {"gapped", "bf16", "f16", "s32", "s8", "u8"}),
    Define<EltwiseCase>(spec::ELT_070, "large", LargeEltwise(), ResultIsTheFunction,
                        {"over 2^20 elements"}),
    Define<EltwiseCase>(spec::ELT_073, "", AnyEltwise(TwoLayouts()), ResultIsTheFunction,
                        {"layouts differ", "gapped", "permuted"}),
};

}  // namespace
}  // namespace conformance
