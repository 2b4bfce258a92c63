// ELT-005, ELT-016, ELT-071, ELT-074, ELT-075, ELT-077, ELT-082, ELT-083: executions.
#include <cmath>
#include <iterator>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "conformance/case/property.h"
#include "conformance/eltwise/cases.h"
#include "conformance/eltwise/run.h"
#include "spec/requirements.h"

namespace conformance {
namespace {

using spec::Bits;

constexpr EltwiseDirection kForward = EltwiseDirection::kForward,
                           kBackward = EltwiseDirection::kBackward,
                           kByResult = EltwiseDirection::kBackwardByResult;

// An execution with `arguments` is refused and leaves the output as it was.
bool ExpectRefusedWith(const EltwiseCase& c, EltwiseRan& ran,
                       const std::unordered_map<int, dnnl::memory>& arguments,
                       const std::string& what, Device& device, Trial& trial) {
  ran.bench->Fill(ran.source, ran.gradient);
  const std::vector<Bits> before = ran.bench->Result();
  return ExpectRefusedByExecute(
             what,
             // No wait: refused.
             [&] { ran.primitive.execute(device.stream, arguments); }, device.stream, trial) &&
         ExpectSameResult(c, "after " + what, before, ran.bench->Result(), trial);
}

void ArgumentsAreChecked(const EltwiseCase& c, Trial& trial) {
  auto ran = Run(c, trial);
  if (!ran) return;
  Device& device = *DeviceFor(trial);
  const auto all = ran->bench->Arguments();
  for (const auto& [argument, memory] : all) {
    auto fewer = all;
    fewer.erase(argument);
    if (!ExpectRefusedWith(c, *ran, fewer,
                           "an execution without argument " + std::to_string(argument), device,
                           trial))
      return;
  }
  if (c.forward()) return;
  // The other data tensor in its place.
  const int own = c.by_result() ? DNNL_ARG_DST : DNNL_ARG_SRC,
            other = c.by_result() ? DNNL_ARG_SRC : DNNL_ARG_DST;
  auto swapped = all;
  swapped.erase(own);
  swapped.emplace(other, all.at(own));
  ExpectRefusedWith(c, *ran, swapped, "an execution with the other data tensor", device, trial);
}

// With null handles, which nothing may follow.
void EmptyIsNoOperation(const EltwiseCase& c, Trial& trial) {
  Cover(trial, c);
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  const auto descs = DescsOf(c, trial);
  if (!descs) return;
  const auto primitive = PrimitiveOf(c, *descs, *device, trial);
  if (!primitive) return;
  const auto done = Attempt([&] {
    const auto nothing = [&](const dnnl::memory::desc& desc) {
      return dnnl::memory(desc, device->engine, DNNL_MEMORY_NONE);
    };
    const int data = c.by_result() ? DNNL_ARG_DST : DNNL_ARG_SRC;
    std::unordered_map<int, dnnl::memory> arguments{{data, nothing(descs->data)}};
    if (c.forward()) {
      arguments.emplace(DNNL_ARG_DST, nothing(descs->data));
    } else {
      arguments.emplace(DNNL_ARG_DIFF_DST, nothing(descs->gradient));
      arguments.emplace(DNNL_ARG_DIFF_SRC, nothing(descs->gradient));
    }
    primitive->execute(device->stream, arguments);
    device->stream.wait();
  });
  trial.Expect(static_cast<bool>(done), "an execution without elements", "done",
               done.refusal.ToString());
}

void OnlyElementsAreWritten(const EltwiseCase& c, Trial& trial) {
  const auto ran = Run(c, trial);
  if (ran) ran->bench->ExpectFootprint(trial);
}

void InPlaceIsOutOfPlace(const EltwiseCase& c, Trial& trial) {
  const auto apart = Run(c, trial);
  if (!apart) return;
  EltwiseMaking making;
  making.in_place = true;
  const auto in_place = Run(c, apart->source, apart->gradient, trial, making);
  if (in_place && ExpectSameResult(c, "in place", apart->result, in_place->result, trial))
    in_place->bench->ExpectFootprint(trial);
}

// The forward in place leaves its destination where its source was; the backward reads it there.
void InPlaceThenByResult(const EltwiseCase& c, Trial& trial) {
  EltwiseCase forward = c;
  forward.direction = kForward;
  const std::vector<Bits> source = forward.Source(), gradient = c.Gradient();
  Cover(trial, c);
  const auto apart = Run(forward, source, {}, trial);
  if (!apart) return;
  EltwiseMaking making;
  making.in_place = true;
  const auto in_place = Run(forward, source, {}, trial, making);
  if (!in_place) return;
  const auto expected = Run(c, apart->result, gradient, trial),
             got = Run(c, in_place->result, gradient, trial, making);
  if (expected && got)
    ExpectSameResult(c, "after a forward in place", expected->result, got->result, trial);
}

void RepetitionsAreEqual(const EltwiseCase& c, Trial& trial) {
  const auto first = Run(c, trial);
  if (!first) return;
  for (int round = 0; round < 3; ++round) {
    first->bench->Fill(first->source, first->gradient);
    if (!first->bench->Execute(first->primitive, trial) ||
        !ExpectSameResult(c, "again", first->result, first->bench->Result(), trial))
      return;
  }
  EltwiseCase moved = c;
  const auto shift = static_cast<int64_t>(c.seed % 7 + 1);
  moved.data_at = moved.gradient_at = {Placement::Edge::kMiddle, shift};
  moved.output_at = {Placement::Edge::kMiddle, shift / 2};
  const auto other = Run(moved, first->source, first->gradient, trial);
  if (other) ExpectSameResult(c, "at other addresses", first->result, other->result, trial);
}

bool IsExact(const EltwiseCase& c) {
  return c.forward() ? spec::IsExactForward(c.function) : spec::IsExactBackward(c.function);
}

constexpr int kMostImplementations = 20;

// All after the first, which gave `first`.
template <class Pd, class Make>
void EachImplementation(const EltwiseCase& c, const EltwiseDescs& descs, const EltwiseRan& first,
                        Pd pd, Make make, Trial& trial) {
  Device& device = *DeviceFor(trial);
  for (int number = 1; pd.next_impl(); ++number) {
    if (number == kMostImplementations)
      return trial.Fail("next_impl()", "an end", "none after twenty");
    trial.Cover("several implementations");
    const dnnl::primitive primitive = make(pd);
    EltwiseBench bench(c, descs, device, false);
    bench.Fill(first.source, first.gradient);
    if (!bench.Execute(primitive, trial)) return;
    const std::vector<Bits> result = bench.Result();
    if (!ExpectOracle(c, first.source, first.gradient, result, trial)) return;
    if (IsExact(c) && !ExpectSameResult(c, "of implementation " + std::to_string(number),
                                        first.result, result, trial))
      return;
  }
}

// What descriptors are made of lives as long: whether it may go is OBJ-012's business.
void ImplementationsAgree(const EltwiseCase& c, Trial& trial) {
  const auto first = Run(c, trial);
  if (!first || !ExpectOracle(c, first->source, first->gradient, first->result, trial)) return;
  const auto descs = DescsOf(c, trial);
  if (!descs) return;
  const dnnl::engine& engine = DeviceFor(trial)->engine;
  const spec::Eltwise& function = c.function;
  const ForwardEltwise::desc forward(dnnl::prop_kind::forward_training,
                                     AlgorithmOf(function.algorithm), descs->data, function.alpha,
                                     function.beta);
  const ForwardEltwise::primitive_desc forward_pd(forward, engine);
  if (c.forward())
    return EachImplementation(
        c, *descs, *first, forward_pd,
        [](const auto& pd) { return dnnl::primitive(ForwardEltwise(pd)); }, trial);
  const BackwardEltwise::desc backward(AlgorithmOf(function.algorithm, c.by_result()),
                                       descs->gradient, descs->data, function.alpha, function.beta);
  EachImplementation(
      c, *descs, *first, BackwardEltwise::primitive_desc(backward, engine, forward_pd),
      [](const auto& pd) { return dnnl::primitive(BackwardEltwise(pd)); }, trial);
}

EltwiseDraws Of(std::vector<EltwiseDirection> directions, bool all_layouts) {
  EltwiseDraws draws;
  draws.directions = std::move(directions);
  draws.all_layouts = all_layouts;
  // Gaps in rank 1, and in rank 6 and more, are ELT-070's.
  if (all_layouts) draws.min_rank = 2;
  draws.values.push_back(EltwiseValues::kSpecial);
  return draws;
}

EltwiseDraws Everywhere() {
  EltwiseDraws draws = Of({kForward, kBackward, kByResult}, true);
  draws.own_gradient = draws.placements = true;
  draws.max_rank = 5;
  return draws;
}

EltwiseDraws Empty() {
  EltwiseDraws draws = Of({kForward, kBackward, kByResult}, false);
  draws.empty = true;
  return draws;
}

EltwiseDraws ByResultAfterForward() {
  EltwiseDraws draws = Of({kByResult}, false);
  draws.values = {EltwiseValues::kSmall};
  return draws;
}

EltwiseDraws Finite(std::vector<EltwiseDirection> directions) {
  EltwiseDraws draws = Of(std::move(directions), false);
  draws.values = {EltwiseValues::kSmall};
  return draws;
}

// The last implementation is the one of gaps in rank 1.
EltwiseDraws Planes() {
  EltwiseDraws draws = Finite({kForward, kBackward, kByResult});
  draws.values.push_back(EltwiseValues::kSeams);
  draws.min_rank = 2;
  return draws;
}

// Rows whose ends vectors of no length meet, and behind them gaps shorter and longer than vectors.
Cases<EltwiseCase> RowsWithGaps() {
  std::vector<EltwiseCase> cases;
  for (const int64_t length : {7, 33, 65, 100, 257}) {
    for (const int64_t gap : {1, 9, 64}) {
      for (const EltwiseDirection direction : {kForward, kBackward}) {
        EltwiseCase c;
        c.direction = direction;
        c.function = {spec::EltwiseAlgorithm::kRelu, 0.5f};
        const spec::Type types[] = {spec::Type::kF32, spec::Type::kF32, spec::Type::kBF16,
                                    spec::Type::kS8};
        c.data.type = c.forward() ? types[cases.size() / 2 % std::size(types)] : spec::Type::kF32;
        c.data.dims = {3, length};
        c.data.layout.strides = {length + gap, 1};
        if (!c.forward()) c.gradient = c.data.layout;
        c.seed = cases.size();
        cases.push_back(std::move(c));
      }
    }
  }
  return Listed(std::move(cases));
}

const std::vector<std::string> kDirections{"forward", "backward", "backward by dst"};

const bool kDefined[] = {
    Define<EltwiseCase>(spec::ELT_005, "",
                        SomeEltwise(400, Finite({kForward, kBackward, kByResult})),
                        ArgumentsAreChecked, kDirections),
    Define<EltwiseCase>(spec::ELT_016, "", SomeEltwise(400, Empty()), EmptyIsNoOperation,
                        {"empty", "forward", "backward", "backward by dst"}),
    Define<EltwiseCase>(spec::ELT_071, "", AnyEltwise(Everywhere()), OnlyElementsAreWritten,
                        {"gapped", "region", "forward", "backward"}),
    Define<EltwiseCase>(spec::ELT_071, "rows", RowsWithGaps(), OnlyElementsAreWritten,
                        {"gapped", "forward", "backward"}),
    Define<EltwiseCase>(spec::ELT_074, "", AnyEltwise(Of({kForward}, true)), InPlaceIsOutOfPlace,
                        {"gapped", "region", "permuted"}),
    Define<EltwiseCase>(spec::ELT_075, "", AnyEltwise(Of({kBackward, kByResult}, true)),
                        InPlaceIsOutOfPlace, {"gapped", "region", "permuted"}),
    Define<EltwiseCase>(spec::ELT_077, "", SomeEltwise(500, ByResultAfterForward()),
                        InPlaceThenByResult, {"relu", "tanh", "elu", "sqrt", "logistic", "exp"}),
    Define<EltwiseCase>(spec::ELT_082, "",
                        SomeEltwise(1000, Of({kForward, kBackward, kByResult}, false)),
                        RepetitionsAreEqual, kDirections),
    Define<EltwiseCase>(spec::ELT_082, "implementations", SomeEltwise(500, Planes()),
                        ImplementationsAgree, kDirections),
};

}  // namespace
}  // namespace conformance
