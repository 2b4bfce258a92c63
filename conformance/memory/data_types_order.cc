// DT-026, DT-028, DT-033: conversions keep the order of values, and depend on nothing but the
// element.
#include <algorithm>
#include <cstdint>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "conformance/case/fields.h"
#include "conformance/case/property.h"
#include "conformance/gen/attributes.h"
#include "conformance/gen/layouts.h"
#include "conformance/gen/shapes.h"
#include "conformance/gen/tensors.h"
#include "conformance/memory/data_types.h"
#include "conformance/memory/value_cases.h"
#include "conformance/subject/conversion.h"
#include "conformance/subject/tensor.h"
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
  c.seed = drawn.seed;
  InArrangements(c, trial, [&](const Converted& converted) {
    for (size_t k = 1; k < c.bits.size(); ++k) {
      const Bits before = converted.result[k - 1], after = converted.result[k];
      if (spec::Widen(c.from, c.bits[k - 1]) == spec::Widen(c.from, c.bits[k])) continue;
      if (spec::Widen(c.to, before) <= spec::Widen(c.to, after)) continue;
      return trial.Fail(NameOfElement(c, k, c.bits[k]),
                        "at least " + spec::ToString(c.to, before) + ", which is the result of " +
                            spec::ToString(c.from, c.bits[k - 1]),
                        spec::ToString(c.to, after));
    }
  });
}

// The shapes in which one element is looked at: every tail of the usual vector widths, rows shorter
// than a vector, and blocks.
const spec::Dims kShapes[] = {{1},    {7},      {15},    {17},     {31},
                              {33},   {64},     {3, 5},  {9, 7},   {16, 17},
                              {8, 8}, {24, 16}, {67, 3}, {40, 41}, {2, 9, 33}};

void SetArithmetic(const ArithmeticCase& c, Conversion* conversion) {
  conversion->scaled = c.attributes.scaled();
  conversion->alpha = c.attributes.literal;
  conversion->sum = c.attributes.sum;
  conversion->beta = c.attributes.beta;
}

// Rows of `cols` elements that lie dense, a little or twice as far apart, or as far as the other
// tensor's rows if those are longer.
LayoutSpec AnyRows(Random& random, const spec::Dims& dims, int bytes, int other_bytes) {
  LayoutSpec layout = RowMajor(dims);
  int64_t& pitch = layout.strides[0];
  switch (random.Between(0, 5)) {
    case 0:
      pitch += 3;
      break;
    case 1:
      pitch *= 2;
      break;
    case 2:
      pitch *= std::max(1, other_bytes / bytes);
      break;
    case 3: {  // elements apart, too
      const int64_t apart = random.Between(2, 4);
      for (int64_t& stride : layout.strides) stride *= apart;
      break;
    }
    default:
      break;
  }
  return layout;
}

// Lays out both tensors of `conversion`: transposed, or in rows with and without gaps.
void LayOut(Random& random, Conversion* conversion) {
  const spec::Dims& dims = conversion->src.dims;
  const int from = spec::BytesOf(conversion->src.type), to = spec::BytesOf(conversion->dst.type);
  conversion->src.layout = AnyRows(random, dims, from, to);
  conversion->dst.layout = AnyRows(random, dims, to, from);
  if (dims.size() == 2 && random.Chance(40)) conversion->dst.layout = DenseInOrder(dims, {1, 0});
  if (dims.size() == 3 && random.Chance(60))
    conversion->dst.layout = DenseInOrder(dims, AnyPermutation(random, 3));
}

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
    LayOut(random, &conversion);
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

// One element of a case with what is computed of it, among others: at any place of any shape, as in
// a tensor of itself alone.
void ComputedByItself(const ArithmeticCase& c, Trial& trial) {
  if (c.attributes.none()) return trial.Vacuous();
  if (c.attributes.scaled()) trial.Cover("scale");
  if (c.attributes.sum) trial.Cover("sum");
  Random random(Mix(c.seed));
  const Bits element = Values(c.values, c.from, c.to, c.seed, 1)[0];
  const Bits old = Values(c.values, c.to, c.to, ~c.seed, 1)[0];
  bool first = true;
  Bits reference = 0;
  for (const spec::Dims& dims : kShapes) {
    const int64_t count = spec::ElementCount(dims);
    const auto place = static_cast<size_t>(random.Between(0, count - 1));
    Conversion conversion =
        ConversionOf(c.from, c.to, Values(c.values, c.from, c.to, random.Bits(), count));
    SetArithmetic(c, &conversion);
    conversion.src = {c.from, dims, RowMajor(dims)};
    conversion.dst = {c.to, dims, RowMajor(dims)};
    LayOut(random, &conversion);
    conversion.old = Values(c.values, c.to, c.to, random.Bits(), count);
    conversion.source[place] = element;
    conversion.old[place] = old;
    const auto result = RunConversion(conversion, trial);
    if (!result) return;
    if (first) reference = (*result)[place];
    first = false;
    if (spec::SameValue(c.to, reference, (*result)[place])) continue;
    return trial.Fail(spec::ToString(c.from, element) + " beside old dst " +
                          spec::ToString(c.to, old) + " as element " + std::to_string(place) +
                          " of " + ToString(conversion.src) + " -> " + ToString(conversion.dst),
                      spec::ToString(c.to, reference) + ", as in a tensor of one element",
                      spec::ToString(c.to, (*result)[place]));
  }
}

// A tensor that is worth several threads, and its parts that are not.
void PartsGiveTheSame(const ValueCase& c, Trial& trial) {
  const auto whole = Convert(c, trial);
  if (!whole) return;
  const size_t part = whole->source.size() / 48 + c.seed % 37 + 1;
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

// In tiles of columns that several threads share, what becomes of the same elements in a row.
void ColumnsGiveTheSame(const ValueCase& c, Trial& trial) {
  ValueCase rounded = c;
  rounded.draw_count = c.draw_count / 256 * 256;
  const auto row = Convert(rounded, trial);
  if (!row) return;
  const auto columns = ConvertTransposed(rounded, trial, int64_t{1} << (4 + c.seed % 5));
  if (!columns) return;
  for (size_t k = 0; k < row->source.size(); ++k) {
    if (spec::SameValue(c.to, row->result[k], columns->result[k])) continue;
    return trial.Fail(NameOfElement(c, k, row->source[k]) + ", transposed",
                      spec::ToString(c.to, row->result[k]) + ", as in a row",
                      spec::ToString(c.to, columns->result[k]));
  }
}

// `count` elements of a conversion from `begin` on.
Conversion PartOf(const Conversion& whole, int64_t begin, int64_t count) {
  const auto part = [&](const std::vector<Bits>& all) {
    return std::vector<Bits>(all.begin() + begin, all.begin() + begin + count);
  };
  Conversion some = whole;
  some.src.dims = some.dst.dims = {count};
  some.source = part(whole.source);
  if (some.sum) some.old = part(whole.old);
  return some;
}

// The same with a scale, a sum or both: where results are an interval, as between a product that is
// fused and one that is rounded, it still is one of them for all.
void ComputedPartsGiveTheSame(const ArithmeticCase& c, Trial& trial) {
  if (c.attributes.none()) return trial.Vacuous();
  Conversion all = ConversionOf(c.from, c.to, Values(c.values, c.from, c.to, c.seed, c.count));
  SetArithmetic(c, &all);
  all.old = Values(c.values, c.to, c.to, ~c.seed, c.count);
  const auto whole = RunConversion(all, trial);
  if (!whole) return;
  if (c.attributes.scaled()) trial.Cover("scale");
  if (c.attributes.sum) trial.Cover("sum");
  const auto part = c.count / 48 + static_cast<int64_t>(c.seed % 37) + 1;
  for (int64_t at = 0; at < c.count; at += part) {
    const int64_t count = std::min(part, c.count - at);
    const Conversion some = PartOf(all, at, count);
    const auto again = RunConversion(some, trial);
    if (!again) return;
    for (int64_t k = 0; k < count; ++k) {
      if (spec::SameValue(c.to, (*whole)[at + k], (*again)[k])) continue;
      return trial.Fail("element " + std::to_string(at + k) + " of src " +
                            spec::ToString(c.from, some.source[k]) + ", computed in a part of " +
                            std::to_string(count),
                        spec::ToString(c.to, (*whole)[at + k]) + ", as in the whole",
                        spec::ToString(c.to, (*again)[k]));
    }
  }
}

// So many elements of both types that several threads are worth it to a library.
int64_t ManyOf(Random& random, Type from, Type to) {
  return 600000 / (spec::BytesOf(from) + spec::BytesOf(to)) + random.Between(0, 999);
}

// Rows that are worth several threads, and scales of their own for rows, columns or elements: as
// in parts that are not.
struct ScaledRowsCase {
  Type from = Type::kF32, to = Type::kF32;
  int64_t rows = 1, columns = 1, mask = 1;
  bool transposed = false;
  uint64_t seed = 0;

  void Print(Fields* fields) const {
    fields->Set("from", spec::NameOf(from));
    fields->Set("to", spec::NameOf(to));
    fields->SetInt("rows", rows);
    fields->SetInt("columns", columns);
    fields->SetInt("mask", mask);
    fields->SetInt("transposed", transposed ? 1 : 0);
    fields->SetInt("seed", static_cast<int64_t>(seed));
  }
  static ScaledRowsCase Parse(const Fields& fields) {
    ScaledRowsCase c;
    for (const auto& [key, type] : {std::pair("from", &c.from), {"to", &c.to}}) {
      if (const auto parsed = ParseType(fields.Text(key))) {
        *type = *parsed;
      } else {
        fields.Reject(key, "is none of f16, bf16, f32, s32, s8, u8");
      }
    }
    for (const auto& [key, value, least, most] : {std::tuple("rows", &c.rows, 1, 4096),
                                                  {"columns", &c.columns, 1, 8192},
                                                  {"mask", &c.mask, 1, 3}}) {
      *value = fields.Int(key);
      if (*value >= least && *value <= most) continue;
      fields.Reject(key, "is not in " + std::to_string(least) + " to " + std::to_string(most));
      *value = least;
    }
    c.transposed = fields.Int("transposed") != 0;
    c.seed = static_cast<uint64_t>(fields.Int("seed"));
    return c;
  }
  std::vector<ScaledRowsCase> Simpler() const {
    std::vector<ScaledRowsCase> simpler;
    const auto offer = [&](auto change) {
      simpler.push_back(*this);
      change(simpler.back());
    };
    if (transposed) offer([](ScaledRowsCase& c) { c.transposed = false; });
    if (rows > 1) offer([](ScaledRowsCase& c) { c.rows /= 2; });
    if (columns > 1) offer([](ScaledRowsCase& c) { c.columns /= 2; });
    return simpler;
  }

  // Rows [begin, end) of all.
  Conversion Part(int64_t begin, int64_t end) const {
    const std::vector<Bits> all = Values(ValueKind::kFinite, from, to, seed, rows * columns);
    Conversion part;
    const spec::Dims dims{end - begin, columns};
    part.src = {from, dims, RowMajor(dims)};
    part.dst = {to, dims, transposed ? DenseInOrder(dims, {1, 0}) : RowMajor(dims)};
    part.source.assign(all.begin() + begin * columns, all.begin() + end * columns);
    part.scaled = true;
    part.mask = static_cast<int>(mask);
    Random random(Mix(seed));
    std::vector<float> scales((mask & 1 ? rows : 1) * (mask & 2 ? columns : 1));
    for (float& scale : scales) scale = AnyFactor(random, /*exact=*/false);
    if (mask & 1) {
      const int64_t each = mask & 2 ? columns : 1;
      scales = {scales.begin() + begin * each, scales.begin() + end * each};
    }
    part.scales = std::move(scales);
    return part;
  }
};

void ScaledPartsGiveTheSame(const ScaledRowsCase& c, Trial& trial) {
  const auto whole = RunConversion(c.Part(0, c.rows), trial);
  if (!whole) return;
  trial.Cover("mask " + std::to_string(c.mask));
  constexpr int64_t kParts = 4;
  for (int64_t i = 0; i < kParts; ++i) {
    const int64_t begin = c.rows * i / kParts, end = c.rows * (i + 1) / kParts;
    if (begin == end) continue;
    const Conversion part = c.Part(begin, end);
    const auto again = RunConversion(part, trial);
    if (!again) return;
    for (size_t k = 0; k < again->size(); ++k) {
      const size_t at = static_cast<size_t>(begin * c.columns) + k;
      if (spec::SameValue(c.to, (*whole)[at], (*again)[k])) continue;
      return trial.Fail(ElementName("dst", {c.rows, c.columns}, static_cast<int64_t>(at)) +
                            " of src " + spec::ToString(c.from, part.source[k]) +
                            ", computed in rows " + std::to_string(begin) + " to " +
                            std::to_string(end),
                        spec::ToString(c.to, (*whole)[at]) + ", as in the whole",
                        spec::ToString(c.to, (*again)[k]));
    }
  }
}

// Each type as source, with each mask.
Cases<ScaledRowsCase> ScaledRows() {
  return {18, [](int64_t index, Random& random) {
            ScaledRowsCase c;
            c.from = spec::kTypes[index / 3];
            c.mask = 1 + index % 3;
            c.to = spec::kTypes[(index / 3 + c.mask) % 6];
            c.rows = random.Between(150, 300);
            c.columns = ManyOf(random, c.from, c.to) / c.rows + 1;
            c.transposed = random.Chance(25);
            c.seed = static_cast<uint64_t>(random.Between(0, 9999));
            return c;
          }};
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
            c.draw_count = ManyOf(random, c.from, c.to);
            return c;
          }};
}

// Each type as source with a scale, with a sum and with both, large. Few, since a device compiles
// something for each.
Cases<ArithmeticCase> LargeArithmetic() {
  return {18, [](int64_t index, Random& random) {
            ArithmeticCase c;
            const int64_t kind = index % 3;
            c.from = spec::kTypes[index / 3];
            c.to = spec::kTypes[(index / 3 + kind) % 6];
            if (kind != 1) {
              c.attributes.scales = ScaleKind::kLiteral;
              c.attributes.literal = AnyFactor(random, /*exact=*/false);
            }
            c.attributes.sum = kind != 0;
            if (c.attributes.sum) c.attributes.beta = AnyFactor(random, /*exact=*/false);
            c.seed = static_cast<uint64_t>(random.Between(0, 9999));
            c.count = ManyOf(random, c.from, c.to);
            return c;
          }};
}

const bool kDefined[] = {
    Define<ValueCase>(spec::DT_026, "", AnyPair(2, 300), IsMonotone),
    Define<ValueCase>(spec::DT_028, "", AnyPair(1, 1), DependsOnTheElementOnly),
    Define<ArithmeticCase>(spec::DT_028, "computed", AnyArithmetic(AllTypes(), AllTypes()),
                           ComputedByItself, {"scale", "sum"}),
    Define<ValueCase>(spec::DT_033, "", LargeOfEachPair(), PartsGiveTheSame),
    Define<ValueCase>(spec::DT_033, "transposed", LargeOfEachPair(), ColumnsGiveTheSame),
    Define<ArithmeticCase>(spec::DT_033, "computed", LargeArithmetic(), ComputedPartsGiveTheSame,
                           {"scale", "sum"}),
    Define<ScaledRowsCase>(spec::DT_033, "scales", ScaledRows(), ScaledPartsGiveTheSame),
};

}  // namespace
}  // namespace conformance
