// DT-026, DT-028, DT-033: conversions keep the order of values, and depend on nothing but the
// element.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "conformance/case/property.h"
#include "conformance/memory/data_types.h"
#include "conformance/memory/value_cases.h"
#include "conformance/subject/conversion.h"
#include "spec/numeric/compare.h"
#include "spec/requirements.h"

namespace conformance {
namespace {

using spec::Bits;
using spec::Type;

void IsMonotone(const ValueCase& drawn, Trial& trial) {
  ValueCase c = These(drawn.from, drawn.to, {});
  for (Bits bits : drawn.Elements())
    if (!spec::IsNan(c.from, bits)) c.bits.push_back(bits);
  // As f32, which is monotone itself: equal values stay in any order.
  std::sort(c.bits.begin(), c.bits.end(),
            [&](Bits a, Bits b) { return spec::Widen(c.from, a) < spec::Widen(c.from, b); });
  const auto converted = Convert(c, trial);
  if (!converted) return;
  for (size_t k = 1; k < c.bits.size(); ++k) {
    const Bits before = converted->result[k - 1], after = converted->result[k];
    if (spec::Widen(c.from, c.bits[k - 1]) == spec::Widen(c.from, c.bits[k])) continue;
    if (spec::Widen(c.to, before) <= spec::Widen(c.to, after)) continue;
    return trial.Fail(NameOfElement(c, k, c.bits[k]),
                      "at least " + spec::ToString(c.to, before) + ", which is the result of " +
                          spec::ToString(c.from, c.bits[k - 1]),
                      spec::ToString(c.to, after));
  }
}

// The shapes in which one element is looked at: every tail of the usual vector widths, and blocks.
const spec::Dims kShapes[] = {{1},  {7},    {15},     {17},   {31},    {33},
                              {64}, {3, 5}, {16, 17}, {8, 8}, {24, 16}};

void DependsOnTheElementOnly(const ValueCase& c, Trial& trial) {
  const std::vector<Bits> elements = c.Elements();
  if (elements.empty()) return trial.Vacuous();
  Random random(Mix(c.seed));
  const Bits element = elements[random.Between(0, static_cast<int64_t>(elements.size()) - 1)];
  bool first = true;
  Bits reference = 0;
  for (const spec::Dims& dims : kShapes) {
    const int64_t count = spec::ElementCount(dims);
    const auto place = static_cast<size_t>(random.Between(0, count - 1));
    Conversion conversion;
    conversion.src = {c.from, dims, Plainest(dims)};
    conversion.dst = {c.to, dims, Plainest(dims)};
    if (dims.size() == 2 && random.Chance(70)) conversion.dst.layout = DenseInOrder(dims, {1, 0});
    conversion.source = Values(ValueKind::kMixed, c.from, c.to, random.Bits(), count);
    conversion.source[place] = element;
    const auto result = RunConversion(conversion, trial);
    if (!result) return;
    if (first) reference = (*result)[place];
    first = false;
    if (spec::SameValue(c.to, reference, (*result)[place])) continue;
    return trial.Fail(spec::ToString(c.from, element) + " as element " + std::to_string(place) +
                          " of " + ToString(conversion.src) + " -> " + ToString(conversion.dst),
                      spec::ToString(c.to, reference) + ", as in a tensor of one element",
                      spec::ToString(c.to, (*result)[place]));
  }
}

// A tensor that is worth several threads, and its parts that are not.
void PartsGiveTheSame(const ValueCase& c, Trial& trial) {
  const auto whole = Convert(c, trial);
  if (!whole) return;
  const size_t part = 1000 + c.seed % 37;
  for (size_t at = 0; at < whole->source.size(); at += part) {
    const size_t end = std::min(at + part, whole->source.size());
    const ValueCase some =
        These(c.from, c.to, {whole->source.begin() + at, whole->source.begin() + end});
    const auto again = Convert(some, trial);
    if (!again) return;
    for (size_t k = at; k < end; ++k) {
      if (spec::SameValue(c.to, whole->result[k], again->result[k - at])) continue;
      return trial.Fail(NameOfElement(c, k, whole->source[k]) + ", converted in a part of " +
                            std::to_string(end - at),
                        spec::ToString(c.to, whole->result[k]) + ", as in the whole",
                        spec::ToString(c.to, again->result[k - at]));
    }
  }
}

Cases<ValueCase> AnyPair(int64_t least, int64_t most) {
  return Drawn<ValueCase>([least, most](Random& random) {
    ValueCase c;
    c.from = random.Pick(spec::kTypes);
    c.to = random.Pick(spec::kTypes);
    c.kind = random.Chance(70) ? ValueKind::kMixed : ValueKind::kBits;
    c.seed = static_cast<uint64_t>(random.Between(0, 9999));
    c.draw_count = random.Between(least, most);
    return c;
  });
}

// Each pair of types once, large.
Cases<ValueCase> LargeOfEachPair() {
  return {36, [](int64_t index, Random& random) {
            ValueCase c;
            c.from = spec::kTypes[index / 6];
            c.to = spec::kTypes[index % 6];
            c.seed = static_cast<uint64_t>(random.Between(0, 9999));
            c.draw_count = 40000 + random.Between(0, 20000);
            return c;
          }};
}

const bool kDefined[] = {
    Define<ValueCase>(spec::DT_026, "", AnyPair(2, 300), IsMonotone),
    Define<ValueCase>(spec::DT_028, "", AnyPair(1, 1), DependsOnTheElementOnly),
    Define<ValueCase>(spec::DT_033, "", LargeOfEachPair(), PartsGiveTheSame),
};

}  // namespace
}  // namespace conformance
