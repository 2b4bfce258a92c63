// REO-050, REO-055 to REO-058, REO-062, REO-063: output scales.
#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "conformance/case/property.h"
#include "conformance/reorder/cases.h"
#include "conformance/reorder/run.h"
#include "spec/requirements.h"

namespace conformance {
namespace {

using spec::Bits;
using spec::Type;

// The slice of `tensor` at index `i` of `axis`, as a region.
TensorSpec SliceOf(const TensorSpec& tensor, int axis, int64_t i) {
  TensorSpec slice = tensor;
  spec::Dims offsets(tensor.dims.size(), 0);
  offsets[axis] = i;
  slice.layout.parents.insert(slice.layout.parents.begin(), {tensor.dims, offsets});
  slice.dims[axis] = 1;
  return slice;
}

// The elements of that slice out of row-major `values`.
std::vector<Bits> SliceOf(const std::vector<Bits>& values, const spec::Dims& dims, int axis,
                          int64_t i) {
  int64_t inner = 1;
  for (size_t j = axis + 1; j < dims.size(); ++j) inner *= dims[j];
  std::vector<Bits> slice;
  for (size_t k = 0; k < values.size(); ++k)
    if (static_cast<int64_t>(k) / inner % dims[axis] == i) slice.push_back(values[k]);
  return slice;
}

// Scaling axis by axis equals reordering each slice with its own common scale. Portable: the whole
// and each slice by themselves, for the paths may differ in what decisions/0003 forgives.
void SlicesWithTheirOwnScale(const ReorderCase& drawn, Trial& trial) {
  ReorderCase c = drawn;
  const int axis = static_cast<int>(c.seed % c.dims().size());
  c.attributes = {};
  c.attributes.scales = ScaleKind::kPowersOfTwo;
  c.attributes.mask = 1 << axis;
  const auto whole = RunReorder(c, trial);
  if (!whole) return;
  const ReorderSetUp& s = whole->set_up;
  if (trial.portable() && !ExpectReordered(c, s.source, s.old, s.scales, whole->result, trial))
    return;
  for (int64_t i = 0; i < std::min<int64_t>(c.dims()[axis], 4); ++i) {
    ReorderCase slice = c;
    slice.src = SliceOf(c.src, axis, i);
    slice.dst = SliceOf(c.dst, axis, i);
    slice.attributes.mask = 0;
    slice.attributes.scales = ScaleKind::kLiteral;
    slice.attributes.literal = s.scales[i];
    const auto part = RunReorder(slice, SliceOf(s.source, c.dims(), axis, i),
                                 SliceOf(s.old, c.dims(), axis, i), trial);
    if (!part) return;
    const std::string name = "slice " + std::to_string(i) + " of axis " + std::to_string(axis);
    const ReorderSetUp& own = part->set_up;
    const bool same =
        trial.portable()
            ? ExpectReordered(slice, own.source, own.old, own.scales, part->result, trial, name)
            : ExpectSameBits(trial, name, c.dst.type, slice.dims(),
                             SliceOf(whole->result, c.dims(), axis, i), part->result);
    if (!same) return;
  }
}

// One value of s for a common scale.
float Quantum(const ReorderCase& c) {
  return std::ldexp(1.0f + 0.001f * static_cast<float>(c.seed % 900), -3);
}

// Scale 1/s to s8, then s back: at most s/2 away inside the range, plus the roundings of the scale
// itself and of the two products, 2^-22 of the value altogether.
void QuantiseAndBack(const ReorderCase& drawn, Trial& trial) {
  ReorderCase forth = drawn;
  const float s = Quantum(drawn);
  forth.dst.type = drawn.seed % 2 == 0 ? Type::kS8 : Type::kU8;
  forth.attributes = {};
  forth.attributes.scales = ScaleKind::kLiteral;
  forth.attributes.literal = 1.0f / s;
  const double low = forth.dst.type == Type::kS8 ? -128 : 0;
  const double high = forth.dst.type == Type::kS8 ? 127 : 255;
  Random random(Mix(drawn.seed));
  std::vector<Bits> source(spec::ElementCount(drawn.dims()));
  for (Bits& bits : source) {
    const double steps =
        low + (high - low) * static_cast<double>(random.Between(0, 1 << 20)) / (1 << 20);
    bits = WordOf(static_cast<float>(steps * s));
  }
  const auto quantised = RunReorder(forth, source, forth.Old(), trial);
  if (!quantised) return;
  ReorderCase back = forth;
  std::swap(back.src, back.dst);
  back.attributes.literal = s;
  const auto result = RunReorder(back, quantised->result, source, trial);
  if (!result) return;
  for (size_t k = 0; k < source.size(); ++k) {
    const double x = FloatOf(source[k]), y = FloatOf(result->result[k]);
    if (std::fabs(x - y) <= s / 2.0 + std::fabs(x) * 0x1p-22) continue;
    return trial.Fail(ElementName("dst", drawn.dims(), static_cast<int64_t>(k)) + ", s " +
                          spec::ToString(Type::kF32, WordOf(s)),
                      "within s/2 of " + spec::ToString(Type::kF32, source[k]),
                      spec::ToString(Type::kF32, result->result[k]));
  }
}

// NaN and infinities among the operands or the results; nothing else is looked at.
void SpecialValuesFollowIeee(const ReorderCase& c, Trial& trial) {
  const auto run = RunReorder(c, trial);
  if (!run) return;
  const ReorderSetUp& s = run->set_up;
  const spec::Strictness strictness = StrictnessOf(c, trial);
  bool any = false;
  for (size_t i = 0; i < s.source.size(); ++i) {
    const auto k = static_cast<int64_t>(i);
    const spec::ReorderElement element = c.Element(k, s.source[i], s.old[i], s.scales);
    const bool special = !std::isfinite(spec::Widen(c.src.type, s.source[i])) ||
                         (c.attributes.sum && !std::isfinite(spec::Widen(c.dst.type, s.old[i]))) ||
                         !std::isfinite(spec::Widen(c.dst.type, spec::Expected(element)));
    if (!special) continue;
    any = true;
    if (spec::IsNan(c.dst.type, spec::Expected(element))) trial.Cover("NaN");
    if (spec::IsInfinite(c.dst.type, spec::Expected(element))) trial.Cover("infinity");
    if (spec::IsInfinite(c.src.type, s.source[i]) && element.alpha == 0)
      trial.Cover("infinity x 0");
    if (spec::Accepts(element, run->result[i], strictness)) continue;
    return trial.Fail(
        ElementName("dst", c.dims(), k) + " of src " + spec::ToString(c.src.type, s.source[i]) +
            ", alpha " + spec::ToString(Type::kF32, WordOf(element.alpha)) + ", old dst " +
            spec::ToString(c.dst.type, s.old[i]),
        spec::ExpectedText(element, strictness), spec::ToString(c.dst.type, run->result[i]));
  }
  if (!any) trial.Vacuous();
}

ReorderLimits Scaled(std::vector<Type> from, std::vector<Type> to) {
  ReorderLimits limits;
  limits.from = std::move(from);
  limits.to = std::move(to);
  limits.attributes = true;
  limits.attribute_limits.sum = false;
  limits.attribute_limits.masks = Masks::kSingle;  // others are REO-056's business
  limits.values = {ValueKind::kFinite, ValueKind::kFinite, ValueKind::kIndex};
  return limits;
}

ReorderLimits Exact() {
  ReorderLimits limits = Scaled({}, {});
  limits.attribute_limits.exact = true;
  return limits;
}

// Products beyond the range of the destination, infinities and NaNs.
ReorderLimits Saturating() {
  ReorderLimits limits = Scaled({}, {Type::kS32, Type::kS8, Type::kU8});
  limits.attribute_limits.masks = Masks::kNone;
  limits.values = {ValueKind::kMixed};
  return limits;
}

// Masks only: of one axis, of several, of all.
Cases<ReorderCase> Masks(bool run_time) {
  return Drawn<ReorderCase>([run_time](Random& random) {
    ReorderLimits limits = Scaled({}, {});
    limits.shape.max_elements = 4096;
    ReorderCase c = AnyReorderCase(random, limits);
    if (random.Chance(12)) {
      // A matrix with room for the tiles of wide vectors, transposed.
      const int64_t rows = random.Between(64, 130), cols = random.Between(16, 40);
      c.src.dims = c.dst.dims = random.Chance(50) ? spec::Dims{rows, cols} : spec::Dims{cols, rows};
      c.src.layout = c.dst.layout = LayoutSpec();
      c.src.layout.strides = {c.src.dims[1], 1};
      c.dst.layout.strides = {1, c.dst.dims[0]};
      if (random.Chance(50)) std::swap(c.src.layout, c.dst.layout);
    }
    const int all = (1 << c.dst.rank()) - 1;
    const int64_t style = random.Between(1, 100);
    const auto bit = [&] { return 1 << random.Between(0, c.dst.rank() - 1); };
    c.attributes.mask = style <= 40   ? bit()
                        : style <= 60 ? bit() | bit()
                        : style <= 75 ? all
                                      : static_cast<int>(random.Between(1, all));
    c.attributes.scales = random.Chance(60) ? ScaleKind::kPowersOfTwo : ScaleKind::kAny;
    c.attributes.run_time = run_time;
    return c;
  });
}

// V:attributes, example 1: grouped weights, a scale for each output channel of each group.
Cases<ReorderCase> GroupedWeights() {
  return Drawn<ReorderCase>([](Random& random) {
    ReorderLimits limits = Scaled({Type::kF32}, {Type::kS8});
    limits.shape.min_rank = limits.shape.max_rank = 5;
    limits.shape.max_elements = 4096;
    ReorderCase c = AnyReorderCase(random, limits);
    c.src.layout = c.dst.layout = {};
    c.src.layout.tag = random.Pick({"goihw", "hwigo", "giohw"});
    c.dst.layout.tag = random.Pick({"goihw", "hwigo", "giohw"});
    c.attributes = {};
    c.attributes.mask = 3;
    c.attributes.scales = random.Chance(50) ? ScaleKind::kPowersOfTwo : ScaleKind::kAny;
    return c;
  });
}

void GroupedWeightsAreScaled(const ReorderCase& c, Trial& trial) {
  trial.Cover("from " + c.src.layout.tag);
  ValuesAreRight(c, trial);
}

// Tame values and moderate powers: the whole and its slices must agree in every bit.
ReorderLimits Slices() {
  ReorderLimits limits;
  limits.layouts = Layouts::kStrides;
  limits.shape.max_elements = 512;
  limits.values = {ValueKind::kIndex};
  return limits;
}

ReorderLimits Floats() {
  ReorderLimits limits;
  limits.from = {Type::kF32};
  limits.to = {Type::kF32};
  limits.transpositions = true;
  limits.shape.max_elements = 512;
  return limits;
}

// Among them infinities times a scale of zero, which only a common scale can be.
Cases<ReorderCase> Special() {
  ReorderLimits limits = Scaled({Type::kF32, Type::kF32, Type::kBF16, Type::kF16},
                                {Type::kF32, Type::kF32, Type::kBF16, Type::kF16});
  limits.transpositions = true;
  limits.attribute_limits.sum = true;
  limits.attribute_limits.masks = Masks::kNone;
  limits.values = {ValueKind::kMixed, ValueKind::kMixed, ValueKind::kBits};
  Cases<ReorderCase> cases = AnyReorder(limits);
  cases.at = [draw = cases.at](int64_t index, Random& random) {
    ReorderCase c = draw(index, random);
    if (c.attributes.scaled() && random.Chance(15)) c.attributes.literal = 0;
    return c;
  };
  return cases;
}

// NaN, infinities and what overflows, under masks, beside sums, and where the result is an integer.
ReorderLimits SpecialUnderMasks() {
  ReorderLimits limits = Scaled({Type::kF32, Type::kF32, Type::kBF16, Type::kF16, Type::kS32}, {});
  limits.attribute_limits.sum = true;
  limits.attribute_limits.masks = Masks::kAny;
  limits.values = {ValueKind::kMixed, ValueKind::kMixed, ValueKind::kBits};
  return limits;
}

// REO-050/s8 and so on, by the type of the destination.
bool DefineTypes() {
  for (Type to : spec::kTypes)
    Define<ReorderCase>(spec::REO_050, spec::NameOf(to), AnyReorder(Scaled({}, {to})),
                        ValuesAreRightOnEveryPair, {"common scale", "scale beside 1"});
  return true;
}

const bool kDefined[] = {
    DefineTypes(),
    Define<ReorderCase>(spec::REO_050, "saturating", AnyReorder(Saturating()),
                        ValuesAreRightOnEveryPair),
    Define<ReorderCase>(spec::REO_055, "", AnyReorder(Exact()), ValuesAreRight,
                        {"common scale", "mask"}),
    Define<ReorderCase>(spec::REO_056, "", Masks(false), ValuesAreRight, {"mask"}),
    Define<ReorderCase>(spec::REO_056, "run-time", Masks(true), ValuesAreRight),
    Define<ReorderCase>(spec::REO_056, "special", AnyReorder(SpecialUnderMasks()), ValuesAreRight,
                        {"mask", "sum", "to s32", "to s8", "to u8"}),
    Define<ReorderCase>(spec::REO_057, "", AnyReorder(Slices()), SlicesWithTheirOwnScale),
    Define<ReorderCase>(spec::REO_058, "", GroupedWeights(), GroupedWeightsAreScaled),
    Define<ReorderCase>(spec::REO_062, "", AnyReorder(Floats()), QuantiseAndBack),
    Define<ReorderCase>(spec::REO_063, "", Special(), SpecialValuesFollowIeee,
                        {"NaN", "infinity", "infinity x 0"}),
};

}  // namespace
}  // namespace conformance
