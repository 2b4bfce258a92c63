// REO-051 to REO-054, REO-059, REO-060: the sum post-op.
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "conformance/case/property.h"
#include "conformance/gen/choice.h"
#include "conformance/reorder/cases.h"
#include "conformance/reorder/run.h"
#include "spec/requirements.h"

namespace conformance {
namespace {

using spec::Bits;
using spec::Type;

// The examples of REO-053: one element of source and old destination, and the result.
struct Example {
  const char* name;
  Type type;
  float alpha, beta;
  Bits source, old, result;
};
constexpr Example kExamples[] = {
    // 16777216 + 1 is a tie in f32 and goes to the even 16777216.
    {"s32:16777216+1", Type::kS32, 1, 1, 16777216, 1, 16777216},
    {"s32:16777217+0", Type::kS32, 1, 1, 16777217, 0, 16777216},
    {"s32:16777216+3", Type::kS32, 1, 1, 16777216, 3, 16777220},
    // 1.5 is rounded once, at the end; 3/2 rounded before the sum would be the same, 5/2 + 1/2 not.
    {"s8:3/2+0/2", Type::kS8, 0.5f, 0.5f, 3, 0, 2},
    {"s8:5/2+1/2", Type::kS8, 0.5f, 0.5f, 5, 1, 3},
    {"u8:1/2+1/2", Type::kU8, 0.5f, 0.5f, 1, 1, 1},
    {"u8:200*2-200", Type::kU8, 2, -1, 200, 200, 200},
    {"s8:100*2-100", Type::kS8, 2, -1, 100, 100, 100},
};

void IntermediatesAreF32(const Choice& choice, Trial& trial) {
  for (const Example& example : kExamples) {
    if (choice.what != example.name) continue;
    ReorderCase c;
    c.src = c.dst = {example.type, {1, 17}, Plainest({1, 17})};
    if (example.alpha != 1) {
      c.attributes.scales = ScaleKind::kLiteral;
      c.attributes.literal = example.alpha;
    }
    c.attributes.sum = true;
    c.attributes.beta = example.beta;
    const std::vector<Bits> source(17, example.source), old(17, example.old);
    const auto run = RunReorder(c, source, old, trial);
    if (!run) return;
    ExpectSameBits(trial, "dst", example.type, c.dims(), std::vector<Bits>(17, example.result),
                   run->result);
    return;
  }
}

void ExtremeBetasCount(const ReorderCase& c, Trial& trial) {
  const float size = std::fabs(c.attributes.beta);
  if (size > 0x1p40f) trial.Cover("huge");
  if (size < 0x1p-40f && size >= 0x1p-126f) trial.Cover("tiny");
  if (size < 0x1p-126f && size > 0) trial.Cover("subnormal");
  ValuesAreRight(c, trial);
}

// alpha = beta = 1: exactly the f32 sum, converted once.
void SumOfOnesIsExact(const ReorderCase& drawn, Trial& trial) {
  ReorderCase c = drawn;
  c.attributes = {};
  c.attributes.sum = true;
  ValuesAreRight(c, trial);
}

// The destination is read at each execution: three in a row accumulate, and new contents count.
void OldValuesAreReadAtExecution(const ReorderCase& c, Trial& trial) {
  auto set_up = SetUp(c, trial);
  if (!set_up) return;
  std::vector<Bits> old = set_up->old;
  for (int round = 0; round < 3; ++round) {
    if (!Execute(c, *set_up, trial)) return;
    const std::vector<Bits> result = set_up->to.Load();
    if (!ExpectReordered(c, set_up->source, old, set_up->scales, result, trial)) return;
    old = result;
  }
  old = Values(c.values, c.dst.type, c.dst.type, c.seed + 1, spec::ElementCount(c.dims()));
  set_up->to.Store(old);
  if (!Execute(c, *set_up, trial)) return;
  ExpectReordered(c, set_up->source, old, set_up->scales, set_up->to.Load(), trial);
}

// MAY: beta = 0 reads the old value or does not. Project: does not, whatever it is.
void ZeroBetaReadsNothing(const ReorderCase& drawn, Trial& trial) {
  ReorderCase c = drawn;
  c.attributes = {};
  c.attributes.sum = true;
  c.attributes.beta = 0;
  if (trial.portable()) return trial.NotRun("only the project profile has such values");
  std::vector<Bits> old = c.Old();
  if (spec::IsFloat(c.dst.type)) {
    const std::vector<Bits> bits =
        Values(ValueKind::kMixed, c.dst.type, c.dst.type, c.seed, spec::ElementCount(c.dims()));
    old = bits;
  }
  const auto run = RunReorder(c, c.Source(), old, trial);
  if (!run) return;
  ExpectReordered(c, run->set_up.source, old, run->set_up.scales, run->result, trial);
}

ReorderLimits Sums(std::vector<Type> to) {
  ReorderLimits limits;
  limits.to = std::move(to);
  limits.attributes = true;
  limits.attribute_limits.masks = Masks::kSingle;
  limits.values = {ValueKind::kFinite, ValueKind::kIndex};
  return limits;
}

// Always a sum: AnyReorder may give scales alone.
Cases<ReorderCase> AnySum(const ReorderLimits& limits) {
  return Drawn<ReorderCase>([limits](Random& random) {
    ReorderCase c = AnyReorderCase(random, limits);
    if (!c.attributes.sum) {
      c.attributes.sum = true;
      c.attributes.beta = AnyFactor(random, random.Chance(50));
    }
    return c;
  });
}

// Masks of several axes, most with a hole.
Cases<ReorderCase> MaskedSums() {
  return Drawn<ReorderCase>([](Random& random) {
    ReorderLimits limits = Sums({});
    limits.shape.min_rank = random.Chance(70) ? 3 : 2;
    limits.shape.max_elements = 4096;
    limits.attribute_limits.masks = Masks::kAny;
    ReorderCase c = AnyReorderCase(random, limits);
    AttributesSpec& a = c.attributes;
    const int rank = c.dst.rank(), all = (1 << rank) - 1;
    const int last = 1 << (rank - 1);
    a.mask = random.Chance(60) ? static_cast<int>(random.Between(1, all))
                               : last | 1 << random.Between(0, rank - 2);
    a.scales = random.Chance(70) ? ScaleKind::kPowersOfTwo : ScaleKind::kAny;
    if (!a.sum) a.beta = random.Pick({1.0f, -1.0f, 0.5f, 2.0f});
    a.sum = true;
    return c;
  });
}

// Factors that f32 hardly holds, on values that keep every product finite. A scale of the same size
// lets both terms count.
Cases<ReorderCase> ExtremeBetas() {
  return Drawn<ReorderCase>([](Random& random) {
    ReorderLimits limits = Sums({Type::kF32, Type::kF32, Type::kF32, Type::kBF16, Type::kBF16,
                                 Type::kF16, Type::kS32, Type::kS8, Type::kU8});
    limits.layouts = Layouts::kTags;
    limits.shape.max_elements = 4096;
    limits.attribute_limits.scales = false;
    limits.values = {ValueKind::kIndex};
    ReorderCase c = AnyReorderCase(random, limits);
    AttributesSpec& a = c.attributes;
    const int64_t style = random.Between(1, 100);
    // AnyFactor adds -10 to 9.
    int exponent = -116;
    if (style <= 70)
      exponent = static_cast<int>(style <= 40 ? random.Between(60, 92) : random.Between(-116, -60));
    a.sum = true;
    a.beta = style <= 70
                 ? std::ldexp(AnyFactor(random, false), exponent)
                 : FloatOf(random.Pick({0u, 0x80000000u}) |
                           static_cast<uint32_t>(random.Between(1, 0x7fffff)));  // subnormal
    if (random.Chance(60)) {
      a.scales = ScaleKind::kLiteral;
      a.literal = std::ldexp(AnyFactor(random, false), exponent);
    }
    return c;
  });
}

ReorderLimits Betas() {
  ReorderLimits limits = Sums({});
  limits.transpositions = true;
  limits.attribute_limits.scales = false;
  return limits;
}

ReorderLimits Floats() {
  ReorderLimits limits = Sums({Type::kF32, Type::kF32, Type::kBF16, Type::kF16});
  limits.from = limits.to;
  limits.transpositions = true;
  return limits;
}

ReorderLimits Integers() {
  ReorderLimits limits = Sums({Type::kS32, Type::kS8, Type::kU8});
  limits.from = limits.to;
  limits.transpositions = true;
  limits.attribute_limits.exact = true;
  return limits;
}

// Values that f32 cannot hold: with a beta of 0 nothing can overflow.
ReorderLimits WideIntegers() {
  ReorderLimits limits = Sums({Type::kS32});
  limits.from = limits.to;
  limits.values = {ValueKind::kMixed};
  return limits;
}

// All 32 bits of an integer to an integer of as many, whose low ones go on the way through f32 by
// whatever factor the sum has: 0 and 1 too, and with a scale that changes nothing.
Cases<ReorderCase> WideSums() {
  return Drawn<ReorderCase>([](Random& random) {
    ReorderLimits limits = WideIntegers();
    limits.values = {ValueKind::kMixed, ValueKind::kBits};
    limits.attribute_limits.scales = false;
    limits.transpositions = true;
    ReorderCase c = AnyReorderCase(random, limits);
    AttributesSpec& a = c.attributes;
    a.sum = true;
    a.beta = random.Pick({0.f, 0.f, 1.f, -1.f, 0.5f, AnyFactor(random, false)});
    const int64_t style = random.Between(1, 3);
    if (style == 1) return c;
    a.scales = style == 2 ? ScaleKind::kLiteral : ScaleKind::kPowersOfTwo;
    if (style == 2) a.run_time = random.Chance(50);
    if (style == 3) a.mask = 1 << random.Between(0, c.dst.rank() - 1);
    return c;
  });
}

void WideSumsPassThroughF32(const ReorderCase& c, Trial& trial) {
  if (c.attributes.beta == 0) trial.Cover("factor 0");
  ValuesAreRight(c, trial);
}

ReorderLimits Accumulating() {
  ReorderLimits limits = Sums({});
  limits.transpositions = true;
  limits.shape.max_elements = 512;
  // Powers of two on small integers stay finite over the rounds.
  limits.values = {ValueKind::kIndex};
  limits.attribute_limits.exact = true;
  return limits;
}

// NaN, infinities and what overflows, as source or in the destination before, where the result is
// an integer.
ReorderLimits SpecialSums() {
  ReorderLimits limits = Sums({Type::kS32, Type::kS8, Type::kU8});
  limits.attribute_limits.masks = Masks::kAny;
  limits.values = {ValueKind::kMixed, ValueKind::kBits};
  return limits;
}

std::vector<std::string> ExampleNames() {
  std::vector<std::string> names;
  for (const Example& example : kExamples) names.push_back(example.name);
  return names;
}

// REO-051/s8 and so on, by the type of the destination.
bool DefineTypes() {
  for (Type to : spec::kTypes)
    Define<ReorderCase>(spec::REO_051, spec::NameOf(to), AnySum(Sums({to})),
                        ValuesAreRightOnEveryPair, {"sum", "scales and sum"});
  return true;
}

const bool kDefined[] = {
    DefineTypes(),
    Define<ReorderCase>(spec::REO_051, "masks", MaskedSums(), ValuesAreRight,
                        {"sum", "mask with a hole"}),
    Define<ReorderCase>(spec::REO_051, "special", AnySum(SpecialSums()), ValuesAreRight,
                        {"sum", "mask", "to s32", "to s8", "to u8"}),
    Define<ReorderCase>(spec::REO_052, "", AnySum(Betas()), ValuesAreRightOnEveryPair,
                        {"sum", "sum factor beside 1"}),
    Define<ReorderCase>(spec::REO_052, "extreme", ExtremeBetas(), ExtremeBetasCount,
                        {"huge", "tiny", "subnormal", "scales and sum"}),
    Define<Choice>(spec::REO_053, "examples", Choices(ExampleNames()), IntermediatesAreF32),
    Define<ReorderCase>(spec::REO_053, "integers", AnySum(Integers()), ValuesAreRight, {"sum"}),
    Define<ReorderCase>(spec::REO_053, "wide", WideSums(), WideSumsPassThroughF32,
                        {"sum", "scales and sum", "factor 0", "gapped", "region", "large"}),
    Define<ReorderCase>(spec::REO_054, "", AnySum(Floats()), SumOfOnesIsExact),
    Define<ReorderCase>(spec::REO_059, "", AnySum(Accumulating()), OldValuesAreReadAtExecution),
    Define<ReorderCase>(spec::REO_060, "", AnySum(Sums({})), ZeroBetaReadsNothing),
    Define<ReorderCase>(spec::REO_060, "s32", AnySum(WideIntegers()), ZeroBetaReadsNothing),
};

}  // namespace
}  // namespace conformance
