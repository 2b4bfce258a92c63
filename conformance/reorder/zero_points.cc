// REO-ZP-001 to REO-ZP-018, REO-ZP-021: zero points, their values.
#include <cmath>
#include <cstdint>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "conformance/case/property.h"
#include "conformance/gen/choice.h"
#include "conformance/reorder/cases.h"
#include "conformance/reorder/limits.h"
#include "conformance/reorder/run.h"
#include "conformance/subject/descriptor_text.h"
#include "spec/requirements.h"

namespace conformance {
namespace {

using spec::Bits;
using spec::Type;

ZeroPointSpec Fixed(int32_t value) { return {true, value, false}; }
ZeroPointSpec RunTime(int32_t value) { return {true, value, true}; }

Bits Of(Type type, double value) {
  return spec::IsFloat(type) ? BitsOf(type, static_cast<float>(value))
                             : static_cast<Bits>(static_cast<int64_t>(value)) &
                                   (spec::BytesOf(type) == 4 ? ~Bits{0} : Bits{0xff});
}

// One element, computed by hand. `name` begins with a data type, by which claims can leave it out,
// and the number of its requirement.
struct Example {
  const char* name;
  Type from, to;
  double source;
  ZeroPointSpec src_zero, dst_zero;
  double result;
  float alpha = 1;  // 1: no scale
  float beta = 0;   // 0: no sum
  double old = 0;
  double exact = 0;  // what exact arithmetic on integers gives, where portable takes that too; or 0
};

const std::vector<Example>& Examples() {
  static const auto* const all = new std::vector<Example>{
      // dequantising
      {"u8:002-u8-0", Type::kU8, Type::kF32, 0, Fixed(10), {}, -5, 0.5f},
      {"u8:002-u8-10", Type::kU8, Type::kF32, 10, Fixed(10), {}, 0, 0.5f},
      {"u8:002-u8-255", Type::kU8, Type::kF32, 255, Fixed(10), {}, 122.5, 0.5f},
      {"s8:002-all", Type::kS8, Type::kS32, 7, Fixed(3), Fixed(100), 118, 2, 0.5f, 20},
      // ties after the addition: rounded before it, they would end beside
      {"f32:003-half", Type::kF32, Type::kU8, 0.5, {}, Fixed(1), 2},
      {"f32:003-two-and-a-half", Type::kF32, Type::kU8, 2.5, {}, Fixed(1), 4},
      {"f32:003-below-zero", Type::kF32, Type::kS8, -0.5, {}, Fixed(3), 2},
      {"f32:003-saturating", Type::kF32, Type::kU8, 300, {}, Fixed(-100), 200},
      {"f32:003-to-s32", Type::kF32, Type::kS32, 6.5, {}, Fixed(7), 14},
      {"s8:004-s8", Type::kS8, Type::kS8, 4, Fixed(3), Fixed(10), 12, 2},
      {"f32:004-f32", Type::kF32, Type::kF32, 20, Fixed(10), Fixed(7), 12, 0.5f},
      {"f32:004-dst-alone", Type::kF32, Type::kF32, 8, {}, Fixed(7), 11, 0.5f},
      {"s8:005-s8", Type::kS8, Type::kS8, 1, {}, Fixed(10), 31, 1, 1, 20},
      {"f32:005-halved", Type::kF32, Type::kU8, 1, {}, Fixed(10), 21, 1, 0.5f, 20},
      {"f32:006-s32", Type::kF32, Type::kS32, 0, {}, Fixed(16777217), 16777216, 1, 0, 0, 16777217},
      {"f32:006-f32", Type::kF32, Type::kF32, 0, {}, Fixed(16777217), 16777216},
      {"f32:006-largest", Type::kF32, Type::kF32, 0, {}, Fixed(INT32_MAX), 2147483648.0},
      {"s32:006-src",
       Type::kS32,
       Type::kS32,
       33554432,
       Fixed(16777217),
       {},
       16777216,
       1,
       0,
       0,
       16777215},
      {"f32:006-src-far", Type::kF32, Type::kF32, 0, Fixed(33554432), {}, -33554432},
      {"f32:006-src-least", Type::kF32, Type::kF32, 0, Fixed(-INT32_MAX), {}, 2147483648.0},
      {"f32:006-src-at-run-time", Type::kF32, Type::kF32, 0, RunTime(33554432), {}, -33554432},
      {"f32:006-dst-at-run-time", Type::kF32, Type::kF32, 0, {}, RunTime(50331648), 50331648},
      {"f32:007-s8-at-run-time", Type::kF32, Type::kS8, -1000, {}, RunTime(1000), 0},
      {"u8:007-u8-at-run-time", Type::kU8, Type::kU8, 200, {}, RunTime(-300), 0},
      {"u8:007-s32-at-run-time", Type::kU8, Type::kS32, 255, RunTime(1000), {}, -745},
      {"s8:007-f32-at-run-time", Type::kS8, Type::kF32, 100, RunTime(-1000), {}, 1100},
      {"f32:007-s8", Type::kF32, Type::kS8, -1000, {}, Fixed(1000), 0},
      {"s8:007-s8-high", Type::kS8, Type::kS8, 0, {}, Fixed(1000), 127},
      {"u8:007-u8-low", Type::kU8, Type::kU8, 200, {}, Fixed(-300), 0},
      {"u8:007-u8-src", Type::kU8, Type::kS32, 255, Fixed(1000), {}, -745},
      {"f32:008-f32", Type::kF32, Type::kF32, 1.5, Fixed(3), {}, -1.5},
      {"bf16:008-bf16", Type::kBF16, Type::kBF16, 1.5, Fixed(3), Fixed(1), -0.5},
      {"f16:008-f16", Type::kF16, Type::kF16, 1.5, Fixed(-3), {}, 4.5},
      {"f16:008-f16-f32", Type::kF16, Type::kF32, 0.25, {}, Fixed(-3), -2.75},
      {"s32:010-s32", Type::kS32, Type::kS32, 16777218, Fixed(1), {}, 16777216, 1, 0, 0, 16777217},
      {"s32:010-s32-dst",
       Type::kS32,
       Type::kS32,
       16777217,
       {},
       Fixed(1),
       16777216,
       1,
       0,
       0,
       16777218},
      // saturated, never wrapped around
      {"s32:010-least", Type::kS32, Type::kS32, -2147483648.0, Fixed(1), {}, -2147483648.0},
      {"s32:010-far", Type::kS32, Type::kS32, -2147483648.0, Fixed(INT32_MAX), {}, -2147483648.0},
      {"s32:010-to-s8", Type::kS32, Type::kS8, -2147483648.0, Fixed(7), {}, -128},
      // a 0 that comes at execution takes part
      {"s32:011-src",
       Type::kS32,
       Type::kS32,
       16777217,
       RunTime(0),
       {},
       16777216,
       1,
       0,
       0,
       16777217},
      {"s32:011-dst",
       Type::kS32,
       Type::kS32,
       -16777219,
       {},
       RunTime(0),
       -16777220,
       1,
       0,
       0,
       -16777219},
      {"s32:011-s8", Type::kS32, Type::kS8, 5, RunTime(0), RunTime(0), 5},
      {"f32:021-infinity", Type::kF32, Type::kS8, HUGE_VAL, Fixed(3), Fixed(-200), 127},
      {"f32:021-minus-infinity", Type::kF32, Type::kU8, -HUGE_VAL, {}, Fixed(1000), 0},
      {"bf16:021-float", Type::kBF16, Type::kF32, -HUGE_VAL, {}, Fixed(INT32_MAX), -HUGE_VAL},
  };
  return *all;
}

void ExampleHolds(const Choice& choice, Trial& trial) {
  for (const Example& example : Examples()) {
    if (choice.what != example.name) continue;
    ReorderCase c;
    c.src = c.dst = {example.from, {3, 17}, Plainest({3, 17})};
    c.dst.type = example.to;
    // Square, and transposed, and through the tails of vectors.
    if (choice.what.size() % 2 == 0) c.dst.layout.tag = "ba";
    if (example.alpha != 1) {
      c.attributes.scales = ScaleKind::kLiteral;
      c.attributes.literal = example.alpha;
    }
    c.attributes.sum = example.beta != 0;
    c.attributes.beta = example.beta;
    c.attributes.src_zero = example.src_zero;
    c.attributes.dst_zero = example.dst_zero;
    const std::vector<Bits> source(51, Of(example.from, example.source));
    const std::vector<Bits> old(51, Of(example.to, example.old));
    const auto run = RunReorder(c, source, old, trial);
    if (!run) return;
    const Bits result = Of(example.to, example.result);
    const bool exactly =
        trial.portable() && example.exact != 0 && run->result[0] == Of(example.to, example.exact);
    const std::vector<Bits> expected(51, exactly ? Of(example.to, example.exact) : result);
    ExpectSameBits(trial, "dst", example.to, c.dims(), expected, run->result);
    return;
  }
}

Cases<Choice> ExamplesOf(const std::string& requirement) {
  std::vector<std::string> names;
  for (const Example& example : Examples())
    if (std::string(example.name).find(":" + requirement + "-") != std::string::npos)
      names.push_back(example.name);
  return Choices(names);
}

// REO-ZP-001: whether it is offered, by pair of types.
void PairsAreOffered(const ReorderCase& c, Trial& trial) {
  ValuesAreRight(c, trial);
  trial.Record(
      "zero points " + std::string(spec::NameOf(c.src.type)) + " -> " + spec::NameOf(c.dst.type),
      trial.result() == CaseResult::kNotRun ? "refused" : "offered");
}

Cases<ReorderCase> EveryPair() {
  std::vector<ReorderCase> cases;
  for (const TypePair& pair : TypePairs()) {
    for (int side = 1; side <= 3; ++side) {
      ReorderCase c;
      c.src = {pair.from, {3, 17}, Plainest({3, 17})};
      c.dst = {pair.to, {3, 17}, Plainest({3, 17})};
      if ((side & 1) != 0) c.attributes.src_zero = Fixed(5);
      if ((side & 2) != 0) c.attributes.dst_zero = Fixed(9);
      c.values = ValueKind::kIndex;
      cases.push_back(c);
    }
  }
  return Listed(std::move(cases));
}

// REO-ZP-009: zero points that are set, and 0.
void ExplicitZerosAreNone(const ReorderCase& drawn, Trial& trial) {
  ReorderCase c = drawn;
  const auto without = RunReorder(c, trial);
  if (!without) return;
  if (c.seed % 3 != 0) c.attributes.src_zero = Fixed(0);
  if (c.seed % 3 != 1) c.attributes.dst_zero = Fixed(0);
  const auto with = RunReorder(c, trial);
  if (!with) return;
  const ReorderSetUp& s = with->set_up;
  if (trial.portable()) {
    ExpectReordered(c, s.source, s.old, s.scales, with->result, trial);
  } else {
    ExpectSameBits(trial, "dst with zero points of 0", c.dst.type, c.dims(), without->result,
                   with->result);
  }
}

// The zero points that a case has, given at execution.
ReorderCase AtExecution(const ReorderCase& drawn) {
  ReorderCase c = drawn;
  for (ZeroPointSpec* zero : {&c.attributes.src_zero, &c.attributes.dst_zero})
    zero->run_time = zero->present;
  return c;
}

// REO-ZP-011: one primitive, other contents at each execution, and what fixed ones give.
void ValuesComeAtExecution(const ReorderCase& drawn, Trial& trial) {
  ReorderCase c = AtExecution(drawn);
  auto set_up = SetUp(c, trial);
  if (!set_up) return;
  std::vector<Bits> result;
  for (int32_t more : {3, -7, 0}) {
    for (ZeroPointSpec* zero : {&c.attributes.src_zero, &c.attributes.dst_zero}) {
      const int64_t value = int64_t{zero->value} + more;
      if (value >= INT32_MIN && value <= INT32_MAX) zero->value = static_cast<int32_t>(value);
    }
    set_up->to.Store(set_up->old);
    if (!Execute(c, *set_up, trial)) return;
    result = set_up->to.Load();
    if (!ExpectReordered(c, set_up->source, set_up->old, set_up->scales, result, trial,
                         "the result"))
      return;
  }
  ReorderCase fixed = c;
  for (ZeroPointSpec* zero : {&fixed.attributes.src_zero, &fixed.attributes.dst_zero}) {
    if (zero->present && (zero->value == 0 || zero->value == INT32_MIN)) return;
    zero->run_time = false;
  }
  const auto same = RunReorder(fixed, set_up->source, set_up->old, trial);
  if (same && trial.project())
    ExpectSameBits(trial, "dst with fixed zero points", c.dst.type, c.dims(), result, same->result);
}

// REO-ZP-012.
void MissingOnesAreRefused(const ReorderCase& drawn, Trial& trial) {
  const ReorderCase c = AtExecution(drawn);
  auto set_up = SetUp(c, trial);
  if (!set_up) return;
  const dnnl::primitive& base = set_up->primitive;
  const RunTimeArguments run_time(c, set_up->device->engine, set_up->device->on_host);
  for (int arg : {DNNL_ARG_SRC, DNNL_ARG_DST}) {
    const bool there =
        arg == DNNL_ARG_SRC ? c.attributes.src_zero.present : c.attributes.dst_zero.present;
    if (!there) continue;
    std::unordered_map<int, dnnl::memory> arguments{{DNNL_ARG_FROM, set_up->from.memory()},
                                                    {DNNL_ARG_TO, set_up->to.memory()}};
    run_time.AddTo(&arguments);
    arguments.erase(DNNL_ARG_ATTR_ZERO_POINTS | arg);
    if (!ExpectRefusedByExecute(
            "execute without the zero point of " + NameOfArgument(arg),
            // No wait: refused.
            [&] { base.execute(set_up->device->stream, arguments); }, set_up->device->stream,
            trial))
      return;
    const std::string changed = set_up->to.ChangedByte(set_up->old);
    if (!changed.empty()) return trial.Fail("dst", "untouched", changed);
  }
}

// REO-ZP-011: s32, and no other type of four bytes.
void OtherTypesAreRefused(const ReorderCase& drawn, Trial& trial) {
  if (trial.portable()) return trial.NotRun("pinned by the project profile only");
  const ReorderCase c = AtExecution(drawn);
  auto set_up = SetUp(c, trial);
  if (!set_up) return;
  const dnnl::primitive& base = set_up->primitive;
  const RunTimeArguments run_time(c, set_up->device->engine, set_up->device->on_host);
  const dnnl::memory::desc one({1}, dnnl::memory::data_type::f32, dnnl::memory::format_tag::x);
  for (int arg : {DNNL_ARG_SRC, DNNL_ARG_DST}) {
    std::unordered_map<int, dnnl::memory> arguments{{DNNL_ARG_FROM, set_up->from.memory()},
                                                    {DNNL_ARG_TO, set_up->to.memory()}};
    run_time.AddTo(&arguments);
    const auto found = arguments.find(DNNL_ARG_ATTR_ZERO_POINTS | arg);
    if (found == arguments.end()) continue;
    const dnnl::memory other(one, found->second.get_engine());
    found->second = other;
    if (!ExpectRefusedByExecute(
            "execute with an f32 zero point of " + NameOfArgument(arg),
            // No wait: refused.
            [&] { base.execute(set_up->device->stream, arguments); }, set_up->device->stream,
            trial))
      return;
    const std::string changed = set_up->to.ChangedByte(set_up->old);
    if (!changed.empty()) return trial.Fail("dst", "untouched", changed);
  }
}

// REO-ZP-017.
void LayoutsDoNotMatter(const ReorderCase& c, Trial& trial) {
  auto run = RunReorder(c, trial);
  if (!run) return;
  const ReorderSetUp& s = run->set_up;
  if (!ExpectReordered(c, s.source, s.old, s.scales, run->result, trial, "dst")) return;
  const std::string gap = run->set_up.to.ChangedGap();
  if (!gap.empty()) trial.Fail("dst outside its elements", "untouched", gap);
}

// REO-ZP-018: f32 to bytes with 1/s and z, and back: at most s/2 away, plus the roundings of
// scales, products and of what is added: 2^-22 of the sizes that occur.
void QuantiseAndBack(const ReorderCase& drawn, Trial& trial) {
  ReorderCase forth = drawn;
  const float s = std::ldexp(1.0f + 0.001f * static_cast<float>(drawn.seed % 900), -3);
  const bool is_signed = drawn.seed % 2 == 0;
  const int32_t zero = static_cast<int32_t>(drawn.seed / 2 % 256) - (is_signed ? 128 : 0);
  forth.dst.type = is_signed ? Type::kS8 : Type::kU8;
  forth.attributes = {};
  forth.attributes.scales = ScaleKind::kLiteral;
  forth.attributes.literal = 1.0f / s;
  forth.attributes.dst_zero = Fixed(zero);
  const int low = is_signed ? -128 : 0;
  Random random(Mix(drawn.seed));
  std::vector<Bits> source(spec::ElementCount(drawn.dims()));
  for (Bits& bits : source) {
    const double stored = low + 255.0 * static_cast<double>(random.Between(0, 1 << 20)) / (1 << 20);
    bits = WordOf(static_cast<float>((stored - zero) * s));
  }
  const auto quantised = RunReorder(forth, source, forth.Old(), trial);
  if (!quantised) return;
  ReorderCase back = forth;
  std::swap(back.src, back.dst);
  back.attributes.literal = s;
  back.attributes.src_zero = Fixed(zero);
  back.attributes.dst_zero = {};
  const auto result = RunReorder(back, quantised->result, source, trial);
  if (!result) return;
  for (size_t k = 0; k < source.size(); ++k) {
    const double x = FloatOf(source[k]), y = FloatOf(result->result[k]);
    if (std::fabs(x - y) <= s / 2.0 + (std::fabs(x) + 256.0 * s) * 0x1p-22) continue;
    return trial.Fail(ElementName("dst", drawn.dims(), static_cast<int64_t>(k)) + ", s " +
                          spec::ToString(Type::kF32, WordOf(s)) + ", z " + std::to_string(zero),
                      "within s/2 of " + spec::ToString(Type::kF32, source[k]),
                      spec::ToString(Type::kF32, result->result[k]));
  }
}

// Beside scales of single axes.
ReorderLimits ShiftedAndScaled(std::vector<Type> from, std::vector<Type> to) {
  ReorderLimits limits = Shifted(std::move(from), std::move(to), 4096);
  limits.attribute_limits.masks = Masks::kSingle;
  limits.values = {ValueKind::kFinite, ValueKind::kFinite, ValueKind::kIndex};
  return limits;
}

// Transpositions with a scale for each index of an axis that they move, alone or with others, and
// zero points: kernels that do all three at once read scales along their rows or their columns.
Cases<ReorderCase> ScaledAcross() {
  ReorderLimits limits = ShiftedAndScaled({}, {});
  limits.transpositions = false;
  limits.values = {ValueKind::kFinite};
  Cases<ReorderCase> cases = Drawn<ReorderCase>([limits](Random& random) {
    ReorderCase c = AnyReorderCase(random, limits);
    spec::Dims dims = AnyShape(random, {2, 4, 2048, /*may_be_empty=*/false});
    std::tie(c.src.layout, c.dst.layout) =
        AnyTransposition(random, &dims, random.Chance(30), random.Chance(70));
    c.src.dims = c.dst.dims = dims;
    const spec::Plain from = PlainOf(c.src), to = PlainOf(c.dst);
    std::vector<int> moved, others;
    for (int axis = 0; axis < c.dst.rank(); ++axis)
      (from.strides[axis] != to.strides[axis] && dims[axis] > 1 ? moved : others).push_back(axis);
    c.attributes.mask = 0;
    if (!moved.empty()) c.attributes.mask = 1 << random.Pick(moved);
    if (!others.empty() && random.Chance(20)) c.attributes.mask |= 1 << random.Pick(others);
    if (!moved.empty() && random.Chance(10)) c.attributes.mask |= 1 << random.Pick(moved);
    c.attributes.scales = random.Chance(50) ? ScaleKind::kPowersOfTwo : ScaleKind::kAny;
    c.attributes.run_time = random.Chance(25);
    c.attributes.sum = random.Chance(20);
    return c;
  });
  cases.contains = [](const ReorderCase& c) {
    return c.attributes.scaled() && c.attributes.zero_points();
  };
  return cases;
}

void ScalesGoWithTheirAxis(const ReorderCase& c, Trial& trial) {
  const spec::Plain from = PlainOf(c.src), to = PlainOf(c.dst);
  for (int axis = 0; axis < c.dst.rank(); ++axis) {
    if ((c.attributes.mask >> axis & 1) == 0 || from.strides[axis] == to.strides[axis]) continue;
    if (from.strides[axis] == 1) trial.Cover("mask along the source");
    if (to.strides[axis] == 1) trial.Cover("mask along the destination");
  }
  ValuesAreRight(c, trial);
}

ReorderLimits Layouts12() {
  ReorderLimits limits = ShiftedAndScaled({}, {});
  limits.shape.max_elements = 512;
  limits.attribute_limits.exact = true;
  limits.attribute_limits.run_time = false;
  limits.values = {ValueKind::kIndex};
  return limits;
}

ReorderLimits Copies() {
  ReorderLimits limits;
  limits.shape.max_elements = 512;
  limits.values = {ValueKind::kBits, ValueKind::kMixed};
  return limits;
}

ReorderLimits Special() {
  // bf16 is left out as destination: what a number beyond its largest becomes there is open.
  ReorderLimits limits =
      ShiftedAndScaled({Type::kF32, Type::kBF16, Type::kF16},
                       {Type::kF32, Type::kF16, Type::kS32, Type::kS8, Type::kU8});
  limits.shape.max_elements = 512;
  limits.values = {ValueKind::kMixed};
  return limits;
}

ReorderLimits Small() {
  ReorderLimits limits = ShiftedAndScaled({}, {});
  limits.shape.max_elements = 512;
  return limits;
}

ReorderLimits Floats() {
  ReorderLimits limits;
  limits.from = limits.to = {Type::kF32};
  limits.transpositions = true;
  limits.shape.max_elements = 512;
  return limits;
}

// REO-ZP-002/s8 and so on, by the type of the destination.
bool DefineTypes() {
  for (Type to : spec::kTypes) {
    ReorderLimits limits = ShiftedAndScaled({}, {to});
    limits.shape.max_elements = 65536;
    limits.attribute_limits.masks = Masks::kAny;
    limits.zero_strides = to == Type::kF32;
    Define<ReorderCase>(spec::REO_ZP_002, spec::NameOf(to), AnyReorder(limits), ValuesAreRight,
                        {"zero point of src", "zero point of dst", "mask", "mask with a hole"});
  }
  return true;
}

const bool kDefined[] = {
    DefineTypes(),
    Define<ReorderCase>(spec::REO_ZP_001, "", EveryPair(), PairsAreOffered),
    Define<Choice>(spec::REO_ZP_002, "examples", ExamplesOf("002"), ExampleHolds),
    Define<Choice>(spec::REO_ZP_003, "", ExamplesOf("003"), ExampleHolds),
    Define<Choice>(spec::REO_ZP_004, "", ExamplesOf("004"), ExampleHolds),
    Define<ReorderCase>(spec::REO_ZP_004, "across", ScaledAcross(), ScalesGoWithTheirAxis,
                        {"mask along the source", "mask along the destination", "zero point of src",
                         "zero point of dst"}),
    Define<Choice>(spec::REO_ZP_005, "", ExamplesOf("005"), ExampleHolds),
    Define<Choice>(spec::REO_ZP_006, "", ExamplesOf("006"), ExampleHolds),
    Define<Choice>(spec::REO_ZP_007, "", ExamplesOf("007"), ExampleHolds),
    Define<Choice>(spec::REO_ZP_008, "", ExamplesOf("008"), ExampleHolds),
    Define<ReorderCase>(spec::REO_ZP_009, "", AnyReorder(Copies()), ExplicitZerosAreNone),
    Define<Choice>(spec::REO_ZP_010, "", ExamplesOf("010"), ExampleHolds),
    Define<ReorderCase>(spec::REO_ZP_011, "", AnyReorder(Small()), ValuesComeAtExecution,
                        {"run-time zero point"}),
    Define<Choice>(spec::REO_ZP_011, "zero", ExamplesOf("011"), ExampleHolds),
    Define<ReorderCase>(spec::REO_ZP_011, "type", AnyReorder(Small()), OtherTypesAreRefused),
    Define<ReorderCase>(spec::REO_ZP_012, "", AnyReorder(Small()), MissingOnesAreRefused),
    Define<ReorderCase>(spec::REO_ZP_017, "", AnyReorder(Layouts12()), LayoutsDoNotMatter,
                        {"gapped", "region"}),
    Define<ReorderCase>(spec::REO_ZP_018, "", AnyReorder(Floats()), QuantiseAndBack),
    Define<Choice>(spec::REO_ZP_021, "examples", ExamplesOf("021"), ExampleHolds),
    Define<ReorderCase>(spec::REO_ZP_021, "", AnyReorder(Special()), ValuesAreRight),
};

}  // namespace
}  // namespace conformance
