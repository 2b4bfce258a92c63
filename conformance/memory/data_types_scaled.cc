// DT-006, DT-007, DT-031: intermediates are f32, no less, and subnormals too.
#include <string>
#include <utility>
#include <vector>

#include "conformance/case/property.h"
#include "conformance/memory/data_types.h"
#include "conformance/memory/value_cases.h"
#include "conformance/subject/conversion.h"
#include "conformance/subject/environment.h"
#include "spec/reorder/oracle.h"
#include "spec/requirements.h"

namespace conformance {
namespace {

using spec::Bits;
using spec::Type;

// How the elements of a case lie: in every second case in a row. What is listed has seed 1.
Arrangement AnyArrangement(const ArithmeticCase& c) {
  constexpr Arrangement kOthers[] = {Arrangement::kTransposed, Arrangement::kTiles,
                                     Arrangement::kApart, Arrangement::kRows};
  return c.seed % 2 == 1 ? Arrangement::kDense : kOthers[c.seed / 2 % 4];
}

// With `environment` (conformance/subject/environment.h) set in the calling thread.
void ExpectF32(const ArithmeticCase& c, const char* environment, Trial& trial) {
  if (c.attributes.none()) return trial.Vacuous();
  // In a row, and in the other arrangements.
  const Arrangement arrangement = AnyArrangement(c);
  ValueCase elements;
  elements.from = c.from;
  elements.to = c.to;
  elements.kind = c.values;
  elements.seed = c.seed;
  elements.draw_count = c.count;
  Conversion conversion = ConversionIn(arrangement, elements);
  const auto count = static_cast<int64_t>(conversion.source.size());
  if (arrangement != Arrangement::kDense) trial.Cover("arranged");
  conversion.scaled = c.attributes.scaled();
  conversion.alpha = ScaleValues(c.attributes, {c.count}, c.seed)[0];
  conversion.sum = c.attributes.sum;
  conversion.beta = c.attributes.beta;
  conversion.old = Values(c.values, c.to, c.to, ~c.seed, count);
  trial.Cover(std::string(spec::NameOf(c.from)) + " to " + spec::NameOf(c.to));
  const auto result = [&] {
    const SavedEnvironment saved;
    SetEnvironment(environment);
    return RunConversion(conversion, trial);
  }();
  if (!result) return;
  const bool gpu = trial.engine() == EngineChoice::kGpu;
  const spec::Strictness strictness =
      trial.portable() || gpu ? spec::Strictness::kPortable : spec::Strictness::kProject;
  for (size_t k = 0; k < result->size(); ++k) {
    spec::ReorderElement element{c.from, c.to, conversion.source[k]};
    element.scaled = conversion.scaled && conversion.alpha != 1;
    element.alpha = conversion.alpha;
    element.sum = conversion.sum;
    element.beta = conversion.beta;
    element.old_type = c.to;
    element.old = conversion.old[k];
    if (spec::IsSubnormal(c.to, (*result)[k])) trial.Cover("subnormal");
    if (spec::Accepts(element, (*result)[k], strictness)) continue;
    return trial.Fail("element " + std::to_string(k) + " of src " +
                          spec::ToString(c.from, element.source) + ", old dst " +
                          spec::ToString(c.to, element.old),
                      spec::ExpectedText(element, strictness), spec::ToString(c.to, (*result)[k]));
  }
}

void IntermediatesAreF32(const ArithmeticCase& c, Trial& trial) { ExpectF32(c, "nothing", trial); }

constexpr const char* kFlags[] = {"flush", "flush results", "flush operands"};

// If not, `trial` has the reason.
bool FlagsAreJudged(Trial& trial) {
  if (trial.portable()) {
    trial.NotRun("pinned by the project profile only");
  } else if (trial.engine() == EngineChoice::kGpu) {
    trial.NotRun("the flags of the calling thread are the CPU's");
  } else {
    return true;
  }
  return false;
}

// What a program that was linked with -ffast-math has set, and either half of it.
void FlagsOfTheCallerFlushNothing(const ArithmeticCase& c, Trial& trial) {
  if (!FlagsAreJudged(trial)) return;
  for (const char* flags : kFlags)
    if (!trial.failed()) ExpectF32(c, flags, trial);
}

// The same without arithmetic, by rows and by blocks.
void FlagsOfTheCallerChangeNoConversion(const ValueCase& c, Trial& trial) {
  if (!FlagsAreJudged(trial)) return;
  for (const char* flags : kFlags) {
    for (const bool transposed : {false, true}) {
      const auto converted = [&] {
        const SavedEnvironment saved;
        SetEnvironment(flags);
        return transposed ? ConvertTransposed(c, trial) : Convert(c, trial);
      }();
      if (!converted || !ExpectConverted(c, *converted, trial)) return;
    }
  }
}

Cases<ValueCase> Subnormals() {
  std::vector<ValueCase> listed;
  for (Type to : {Type::kF32, Type::kBF16, Type::kF16}) {
    const Type halves[] = {Type::kBF16, Type::kF16};
    for (Type from : halves)
      listed.push_back(These(from, to, {1, 2, 0x40, 0x7f, 0x3ff, 0x8001, 0x807f, 0x83ff}));
    listed.push_back(TheseFloats(to, {1e-40f, -1e-40f, 1e-45f, 1.17e-38f, 6e-8f, -3e-5f, 1e-6f}));
  }
  return ListedThenDrawn(std::move(listed), FloatTypes(), FloatTypes());
}

// Few of them, and so many that several threads are worth it.
std::vector<ArithmeticCase> ScaledSubnormals() {
  std::vector<ArithmeticCase> cases;
  for (bool sum : {false, true}) {
    for (int64_t count : {100, 300000}) {
      ArithmeticCase c;
      c.attributes.scales = ScaleKind::kLiteral;
      c.attributes.literal = 0.75f;
      c.attributes.sum = sum;
      c.seed = 1;
      c.count = count;
      cases.push_back(c);
    }
  }
  return cases;
}

// The catalogue's example: f16 with alpha = 1/3 and beta = 1; the same for each narrower type.
std::vector<ArithmeticCase> ThirdsAndSums() {
  std::vector<ArithmeticCase> cases;
  for (Type type : spec::kTypes) {
    ArithmeticCase c;
    c.from = c.to = type;
    c.attributes.scales = ScaleKind::kLiteral;
    c.attributes.literal = 1.0f / 3;
    c.attributes.sum = true;
    c.seed = 1;
    c.count = 200;
    cases.push_back(c);
  }
  return cases;
}

const bool kDefined[] = {
    Define<ArithmeticCase>(spec::DT_006, "", AnyArithmetic({Type::kF32}, {Type::kF32}),
                           IntermediatesAreF32, {"arranged"}),
    Define<ArithmeticCase>(spec::DT_007, "examples", Listed(ThirdsAndSums()), IntermediatesAreF32),
    Define<ArithmeticCase>(spec::DT_007, "", AnyArithmetic(AllTypes(), AllTypes()),
                           IntermediatesAreF32, {"arranged"}),
    Define<ArithmeticCase>(spec::DT_031, "flags", Listed(ScaledSubnormals()),
                           FlagsOfTheCallerFlushNothing, {"subnormal"}),
    Define<ValueCase>(spec::DT_031, "conversions", Subnormals(),
                      FlagsOfTheCallerChangeNoConversion),
    Define<ArithmeticCase>(spec::DT_031, "any-flags", AnyArithmetic(AllTypes(), AllTypes()),
                           FlagsOfTheCallerFlushNothing),
};

}  // namespace
}  // namespace conformance
