// ELT-005, ELT-016, ELT-071, ELT-074, ELT-075, ELT-077, ELT-082, ELT-083: executions.
#include <cmath>
#include <iterator>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "conformance/case/property.h"
#include "conformance/eltwise/cases.h"
#include "conformance/eltwise/run.h"
#include "conformance/subject/descriptor_text.h"
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

// What it takes gives the result, and only the output is written; less is refused, and so is
// another tensor in the place of one.
void ArgumentsAreChecked(const EltwiseCase& c, Trial& trial) {
  EltwiseMaking making;
  making.use_dst = trial.project() && c.forward() && c.seed % 2 == 0 &&
                   spec::HasDerivativeByResult(c.function.algorithm) && IsLegal(c.function, true);
  auto ran = Run(c, trial, making);
  if (!ran || !ExpectOracle(c, ran->source, ran->gradient, ran->result, trial) ||
      !ran->bench->ExpectFootprint(trial))
    return;
  Device& device = *DeviceFor(trial);
  const auto all = ran->bench->Arguments();
  for (const auto& [argument, memory] : all) {
    auto fewer = all;
    fewer.erase(argument);
    const std::string name = NameOfArgument(argument);
    if (!ExpectRefusedWith(c, *ran, fewer, "an execution without " + name, device, trial)) return;
    for (const int other : {DNNL_ARG_SRC, DNNL_ARG_DST, DNNL_ARG_DIFF_SRC, DNNL_ARG_DIFF_DST}) {
      if (all.count(other) > 0) continue;
      auto swapped = fewer;
      swapped.emplace(other, memory);
      if (!ExpectRefusedWith(c, *ran, swapped,
                             "an execution with " + NameOfArgument(other) + " for " + name, device,
                             trial))
        return;
    }
  }
}

// With null handles, which nothing may follow, or with such as lead to no memory that may be
// touched.
void EmptyIsNoOperation(const EltwiseCase& c, Trial& trial) {
  Cover(trial, c);
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  const auto descs = DescsOf(c, trial);
  if (!descs) return;
  // A gradient is `any` in some.
  const bool any = !c.forward() && c.seed % 3 == 0;
  const dnnl::memory::desc gradient = any ? descs->data : descs->gradient;
  const auto primitive = PrimitiveOf(
      c, {descs->data, any ? WithAny(c.data.type, c.data.dims) : gradient}, *device, trial);
  if (!primitive) return;
  void* const none =
      c.seed % 2 == 0 || !device->on_host ? DNNL_MEMORY_NONE : reinterpret_cast<void*>(1);
  const auto done = Attempt([&] {
    const auto nothing = [&](const dnnl::memory::desc& desc) {
      return dnnl::memory(desc, device->engine, none);
    };
    const int data = c.by_result() ? DNNL_ARG_DST : DNNL_ARG_SRC;
    std::unordered_map<int, dnnl::memory> arguments{{data, nothing(descs->data)}};
    if (c.forward()) {
      arguments.emplace(DNNL_ARG_DST, nothing(descs->data));
    } else {
      arguments.emplace(DNNL_ARG_DIFF_DST, nothing(gradient));
      arguments.emplace(DNNL_ARG_DIFF_SRC, nothing(gradient));
    }
    primitive->execute(device->stream, arguments);
    device->stream.wait();
  });
  trial.Expect(static_cast<bool>(done), "an execution without elements", "done",
               done.refusal.ToString());
}

// By every implementation.
void OnlyElementsAreWritten(const EltwiseCase& c, Trial& trial) {
  const auto ran = Run(c, trial);
  if (!ran || !ran->bench->ExpectFootprint(trial) || c.seed % 4 != 0) return;
  ForOtherImplementations(c, *ran, trial, [&](const std::string&, EltwiseBench& bench) {
    return bench.ExpectFootprint(trial);
  });
}

void InPlaceIsOutOfPlace(const EltwiseCase& c, Trial& trial) {
  const auto apart = Run(c, trial);
  if (!apart) return;
  EltwiseMaking making;
  making.in_place = true;
  const auto in_place = Run(c, apart->source, apart->gradient, trial, making);
  if (in_place && ExpectSameElsewhere(c, "in place", *apart, in_place->result, trial))
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
  if (!expected || !got) return;
  if (AsksForBits(c, trial)) {
    ExpectSameResult(c, "after a forward in place", expected->result, got->result, trial);
  } else if (FirstOther(c.data.type, expected->result, got->result)) {
    // The two forwards may differ, and so may what is made of them.
    ExpectOracle(c, in_place->result, gradient, got->result, trial, "after a forward in place");
  }
}

// The same memories with other contents, of which the result is another.
bool ExpectOthers(const EltwiseCase& c, const EltwiseRan& first, Trial& trial) {
  EltwiseCase other = c;
  other.seed = c.seed + 10000;
  other.values = EltwiseValues::kSmall;
  const std::vector<Bits> source = other.Source(), gradient = other.Gradient();
  first.bench->Fill(source, gradient);
  return first.bench->Execute(first.primitive, trial) &&
         ExpectOracle(c, source, gradient, first.bench->Result(), trial, "of other contents");
}

void RepetitionsAreEqual(const EltwiseCase& c, Trial& trial) {
  const auto first = Run(c, trial);
  if (!first) return;
  if (spec::ElementCount(c.data.dims) < 10000 && !ExpectOthers(c, *first, trial)) return;
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
  if (other) ExpectSameElsewhere(c, "at other addresses", *first, other->result, trial);
}

void ImplementationsAgree(const EltwiseCase& c, Trial& trial) {
  const auto first = Run(c, trial);
  if (!first || !ExpectOracle(c, first->source, first->gradient, first->result, trial)) return;
  ForOtherImplementations(c, *first, trial, [&](const std::string& what, EltwiseBench& bench) {
    const std::vector<Bits> result = bench.Result();
    return ExpectOracle(c, first->source, first->gradient, result, trial, what) &&
           (!IsExact(c) || ExpectSameResult(c, what, first->result, result, trial));
  });
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
  draws.own_gradient = draws.placements = draws.all_types = true;
  draws.max_rank = 5;
  return draws;
}

EltwiseDraws Empty() {
  EltwiseDraws draws = Of({kForward, kBackward, kByResult}, true);
  draws.min_rank = 1;
  draws.max_rank = 12;
  draws.types.assign(std::begin(spec::kTypes), std::end(spec::kTypes));
  draws.empty = draws.own_gradient = true;
  return draws;
}

// f32 in half of the cases.
EltwiseDraws InPlace(std::vector<EltwiseDirection> directions, std::vector<spec::Type> others) {
  EltwiseDraws draws = Of(std::move(directions), true);
  draws.types.assign(others.size(), spec::Type::kF32);
  draws.types.insert(draws.types.end(), others.begin(), others.end());
  return draws;
}

// In the layout of the data, or in one of their own.
EltwiseDraws InPlaceGradients() {
  EltwiseDraws draws = InPlace({kBackward, kByResult}, {spec::Type::kBF16});
  draws.own_gradient = true;
  return draws;
}

EltwiseDraws ByResultAfterForward() {
  EltwiseDraws draws = Of({kByResult}, true);
  draws.all_types = true;
  draws.values = {EltwiseValues::kSmall};
  return draws;
}

// Of every type, in any layout.
EltwiseDraws Executed(std::vector<EltwiseDirection> directions) {
  EltwiseDraws draws = Of(std::move(directions), true);
  draws.values = {EltwiseValues::kSmall};
  draws.all_types = draws.own_gradient = true;
  return draws;
}

EltwiseDraws Repeated() {
  EltwiseDraws draws = Of({kForward, kBackward, kByResult}, false);
  draws.all_types = true;
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
  draws.types = {spec::Type::kF32,  spec::Type::kF32, spec::Type::kF32,
                 spec::Type::kBF16, spec::Type::kS8,  spec::Type::kU8};
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
        const spec::Type types[] = {spec::Type::kF32, spec::Type::kBF16, spec::Type::kF16,
                                    spec::Type::kS8,  spec::Type::kU8,   spec::Type::kS32};
        c.data.type = types[cases.size() / 2 % (c.forward() ? std::size(types) : 2)];
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

// More than caches hold, and in parts of several threads.
Cases<EltwiseCase> LargeWithin() {
  std::vector<EltwiseCase> cases;
  for (const EltwiseDirection direction : {kForward, kBackward}) {
    for (const char* data : {"f32:3145749:a", "f32:3x100003:s100020,1", "bf16:3x70003:s70010,1"}) {
      EltwiseCase c;
      c.direction = direction;
      c.function = {spec::EltwiseAlgorithm::kRelu, 0.5f};
      c.data = *ParseTensor(data);
      if (!c.forward()) c.gradient = c.data.layout;
      c.seed = cases.size() + 1;
      c.output_at = {Placement::Edge::kMiddle, static_cast<int64_t>(c.seed)};
      cases.push_back(std::move(c));
    }
  }
  return Listed(std::move(cases));
}

// In parts of several threads.
Cases<EltwiseCase> LargeInPlace(bool forward) {
  std::vector<EltwiseCase> cases;
  for (const char* data : {"f32:200003:a", "bf16:300007:a", "f32:3x50021:s50030,1", "s8:600011:a",
                           "f32:3145749:a", "f16:300007:a", "bf16:3x50021:s2,7"}) {
    EltwiseCase c;
    c.direction = forward ? kForward : kBackward;
    c.function = {spec::EltwiseAlgorithm::kRelu, 0.5f};
    c.data = *ParseTensor(data);
    if (!forward) c.gradient = c.data.layout;
    if (!forward && c.data.type != spec::Type::kF32 && c.data.type != spec::Type::kBF16) continue;
    c.seed = cases.size();
    cases.push_back(std::move(c));
  }
  return Listed(std::move(cases));
}

// What several threads share, and what bypasses the caches: side by side and with gaps, of every
// width, with functions of one operation and of many.
Cases<EltwiseCase> Large() {
  using A = spec::EltwiseAlgorithm;
  const std::tuple<EltwiseDirection, spec::Eltwise, const char*> all[] = {
      {kForward, {A::kRelu, 0.5f}, "f32:2097341:a"},
      {kBackward, {A::kRelu, 0.5f}, "f32:2097341:a"},
      {kForward, {A::kExp}, "f32:3x50021:s2,7"},
      {kBackward, {A::kTanh}, "f32:3x50021:s2,7"},
      {kForward, {A::kExp}, "bf16:300007:a"},
      {kByResult, {A::kLogistic}, "bf16:300007:a"},
      {kForward, {A::kAbs}, "f16:300007:a"},
      {kForward, {A::kLinear, 0.5f, 3}, "s32:300007:a"},
      {kForward, {A::kRelu, 0.5f}, "s8:600011:a"}};
  std::vector<EltwiseCase> cases;
  for (const auto& [direction, function, data] : all) {
    EltwiseCase c;
    c.direction = direction;
    c.function = function;
    c.data = *ParseTensor(data);
    if (!c.forward()) c.gradient = c.data.layout;
    // RepetitionsAreEqual moves outputs by half of what it moves inputs: by 1 to 3 elements.
    c.seed = cases.size() % 4 + 1;
    cases.push_back(std::move(c));
  }
  return Listed(std::move(cases));
}

const std::vector<std::string> kDirections{"forward", "backward", "backward by dst"};

const bool kDefined[] = {
    Define<EltwiseCase>(spec::ELT_005, "",
                        SomeEltwise(400, Executed({kForward, kBackward, kByResult})),
                        ArgumentsAreChecked, kDirections),
    Define<EltwiseCase>(spec::ELT_016, "", SomeEltwise(400, Empty()), EmptyIsNoOperation,
                        {"empty", "forward", "backward", "backward by dst"}),
    Define<EltwiseCase>(spec::ELT_071, "", AnyEltwise(Everywhere()), OnlyElementsAreWritten,
                        {"gapped", "region", "forward", "backward", "bf16", "u8"}),
    Define<EltwiseCase>(spec::ELT_071, "rows", RowsWithGaps(), OnlyElementsAreWritten,
                        {"gapped", "forward", "backward"}),
    Define<EltwiseCase>(spec::ELT_071, "large", LargeWithin(), OnlyElementsAreWritten,
                        {"gapped", "over 2^20 elements"}),
    Define<EltwiseCase>(
        spec::ELT_074, "",
        AnyEltwise(InPlace({kForward}, {spec::Type::kBF16, spec::Type::kF16, spec::Type::kS32,
                                        spec::Type::kS8, spec::Type::kU8})),
        InPlaceIsOutOfPlace, {"gapped", "region", "permuted", "bf16", "f16", "s32", "s8", "u8"}),
    Define<EltwiseCase>(spec::ELT_075, "", AnyEltwise(InPlaceGradients()), InPlaceIsOutOfPlace,
                        {"gapped", "region", "permuted", "bf16", "layouts differ"}),
    Define<EltwiseCase>(spec::ELT_074, "large", LargeInPlace(true), InPlaceIsOutOfPlace, {"large"}),
    Define<EltwiseCase>(spec::ELT_075, "large", LargeInPlace(false), InPlaceIsOutOfPlace,
                        {"large"}),
    Define<EltwiseCase>(spec::ELT_077, "", SomeEltwise(500, ByResultAfterForward()),
                        InPlaceThenByResult,
                        {"bf16", "gapped", "relu", "tanh", "elu", "sqrt", "logistic", "exp"}),
    Define<EltwiseCase>(spec::ELT_082, "", SomeEltwise(1000, Repeated()), RepetitionsAreEqual,
                        kDirections),
    Define<EltwiseCase>(spec::ELT_082, "large", Large(), RepetitionsAreEqual,
                        {"over 2^20 elements", "gapped"}),
    Define<EltwiseCase>(spec::ELT_082, "implementations", SomeEltwise(500, Planes()),
                        ImplementationsAgree, kDirections),
};

}  // namespace
}  // namespace conformance
