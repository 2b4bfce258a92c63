#include "conformance/reorder/cases.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <tuple>
#include <utility>

#include "conformance/gen/networks.h"
#include "conformance/gen/statements.h"

namespace conformance {
namespace {

using spec::Bits;
using spec::Type;

uint64_t AnySeed(Random& random) { return static_cast<uint64_t>(random.Between(0, 9999)); }

LayoutLimits LimitsOf(Layouts layouts, bool zero_strides) {
  LayoutLimits limits;
  limits.tags = layouts != Layouts::kStrides;
  limits.gaps = layouts != Layouts::kTags;
  limits.regions = layouts == Layouts::kRegions || layouts == Layouts::kAll;
  limits.odd_unit_strides = layouts == Layouts::kAll;
  limits.zero_strides = zero_strides;
  return limits;
}

LayoutSpec DrawLayout(Random& random, const spec::Dims& dims, Layouts layouts, bool zero_strides) {
  const LayoutLimits limits = LimitsOf(layouts, zero_strides);
  if (layouts == Layouts::kTags) {
    LayoutSpec layout;
    layout.tag = random.Pick(TagsOfRank(static_cast<int>(dims.size())));
    return layout;
  }
  if (layouts == Layouts::kRegions && random.Chance(80)) return AnyRegion(random, dims, limits);
  return AnyLayout(random, dims, limits);
}

ValueKind DrawKind(Random& random, const ReorderLimits& limits) {
  if (!limits.values.empty()) return random.Pick(limits.values);
  if (limits.attributes) return ValueKind::kFinite;
  return random.Chance(40) ? ValueKind::kIndex : ValueKind::kMixed;
}

// Changes both tensors alike.
ReorderCase Cutted(const ReorderCase& c, const Cut& cut) {
  ReorderCase smaller = c;
  smaller.src = CutTensor(c.src, cut);
  smaller.dst = CutTensor(c.dst, cut);
  if (cut.extent == Cut::kDrop) smaller.attributes = DropAxis(c.attributes, cut.axis);
  return smaller;
}

// The values of a zero point's attribute, and its memory where it comes at execution.
std::string ZeroPointCalls(const char* side, const ZeroPointSpec& zero, std::string* arguments) {
  if (!zero.present) return "";
  const std::string arg = std::string("DNNL_ARG_") + side;
  const std::string name = std::string(side[0] == 'S' ? "src" : "dst") + "_zero_point";
  std::string value = std::to_string(zero.value);
  if (zero.value == INT32_MIN) value = "-2147483647 - 1";
  if (!zero.run_time) return "  attr.set_zero_points(" + arg + ", 0, {" + value + "});\n";
  *arguments += ",\n      {DNNL_ARG_ATTR_ZERO_POINTS | " + arg + ", " + name + "_memory}";
  return "  attr.set_zero_points(" + arg + ", 0, {DNNL_RUNTIME_S32_VAL});\n" + "  static int32_t " +
         name + " = " + value + ";\n  memory " + name +
         "_memory({{1}, memory::data_type::s32, memory::format_tag::x}, engine, &" + name + ");\n";
}

// The attributes, the primitive and its execution.
std::string Calls(const ReorderCase& c, const std::vector<float>& scales) {
  const AttributesSpec& attributes = c.attributes;
  const std::string mask = std::to_string(attributes.mask);
  std::string calls = "  dnnl::primitive_attr attr;\n", arguments, values;
  for (float scale : scales) values += (values.empty() ? "" : ", ") + FloatLiteral(scale);
  if (attributes.run_time) {
    calls += "  attr.set_output_scales(" + mask + ", {DNNL_RUNTIME_F32_VAL});\n";
    calls += "  static float scales[] = {" + values + "};\n";
    calls += "  memory scales_memory({{" + std::to_string(scales.size()) +
             "}, memory::data_type::f32, memory::format_tag::x}, engine, scales);\n";
    arguments = ",\n      {DNNL_ARG_ATTR_OUTPUT_SCALES, scales_memory}";
  } else if (attributes.scaled()) {
    calls += "  attr.set_output_scales(" + mask + ", {" + values + "});\n";
  }
  if (attributes.sum)
    calls += "  dnnl::post_ops post_ops;\n  post_ops.append_sum(" + FloatLiteral(attributes.beta) +
             ");\n  attr.set_post_ops(post_ops);\n";
  calls += ZeroPointCalls("SRC", attributes.src_zero, &arguments);
  calls += ZeroPointCalls("DST", attributes.dst_zero, &arguments);
  return calls +
         "  const dnnl::reorder::primitive_desc pd(engine, src, engine, dst, attr);\n"
         "  const dnnl::primitive reorder = dnnl::reorder(pd);\n"
         "  reorder.execute(stream, {{DNNL_ARG_FROM, src_memory}, {DNNL_ARG_TO, dst_memory}" +
         arguments + "});\n";
}

}  // namespace

std::vector<Bits> ReorderCase::Source() const {
  return Values(values, src.type, dst.type, seed, spec::ElementCount(src.dims));
}

std::vector<Bits> ReorderCase::Old() const {
  // Without a sum nothing reads it, and any bits will do.
  const ValueKind kind = attributes.sum ? values : ValueKind::kBits;
  return Values(kind, dst.type, dst.type, ~seed, spec::ElementCount(dst.dims));
}

std::vector<float> ReorderCase::Scales() const { return ScaleValues(attributes, dst.dims, seed); }

spec::ReorderElement ReorderCase::Element(int64_t k, Bits source, Bits old,
                                          const std::vector<float>& scales) const {
  if (!attributes.scaled()) return ElementWith(1, source, old);
  if (attributes.mask == 0) return ElementWith(scales[0], source, old);
  const spec::Dims x = spec::Unravel(k, dst.dims);
  return ElementWith(scales[spec::ScaleIndex(attributes.mask, dst.dims, x)], source, old);
}

spec::ReorderElement ReorderCase::ElementWith(float alpha, Bits source, Bits old) const {
  spec::ReorderElement element;
  element.from = src.type;
  element.to = dst.type;
  element.source = source;
  if (attributes.scaled()) {
    element.alpha = alpha;
    // ATTR-035: a common scale of 1, known in advance, is no scale.
    const bool neutral = attributes.mask == 0 && !attributes.run_time && alpha == 1.0f;
    element.scaled = !neutral;
  }
  element.sum = attributes.sum;
  element.beta = attributes.beta;
  element.old_type = dst.type;
  element.old = old;
  element.src_zero = attributes.src_zero.effective();
  element.dst_zero = attributes.dst_zero.effective();
  return element;
}

void ReorderCase::Print(Fields* fields) const {
  SetTensor(fields, "src", src);
  SetTensor(fields, "dst", dst);
  SetAttributes(fields, attributes);
  fields->Set("values", NameOf(values));
  SetPlacement(fields, "from", from);
  SetPlacement(fields, "to", to);
  fields->SetInt("seed", static_cast<int64_t>(seed));
}

ReorderCase ReorderCase::Parse(const Fields& fields) {
  ReorderCase c;
  c.src = GetTensor(fields, "src");
  c.dst = GetTensor(fields, "dst");
  if (c.src.dims != c.dst.dims) {
    fields.Reject("dst", "has dims other than src");
    c.dst = c.src;
  }
  c.attributes = GetAttributes(fields);
  if (c.attributes.mask >= 1 << c.dst.rank()) {
    fields.Reject("mask", "names an axis that dst has not");
    c.attributes.mask = 0;
  } else if (spec::ScaleCount(c.attributes.mask, c.dims()) == 0) {
    fields.Reject("mask", "names an axis of extent 0, to which no scale belongs");
    c.attributes.mask = 0;
  }
  if (const auto kind = ParseValueKind(fields.Text("values"))) {
    c.values = *kind;
  } else {
    fields.Reject("values", "is none of index, bits, mixed, finite");
  }
  c.from = GetPlacement(fields, "from");
  c.to = GetPlacement(fields, "to");
  c.seed = static_cast<uint64_t>(fields.Int("seed"));
  return c;
}

std::vector<ReorderCase> ReorderCase::Simpler() const {
  std::vector<ReorderCase> simpler;
  const auto offer = [&](auto change) {
    simpler.push_back(*this);
    change(simpler.back());
  };
  for (const AttributesSpec& fewer : SimplerAttributes(attributes))
    offer([&](ReorderCase& c) { c.attributes = fewer; });
  if (ToString(from) != "mid") offer([](ReorderCase& c) { c.from = {}; });
  if (ToString(to) != "mid") offer([](ReorderCase& c) { c.to = {}; });
  for (const LayoutSpec& layout : PlainerLayouts(src.layout, src.dims))
    offer([&](ReorderCase& c) { c.src.layout = layout; });
  for (const LayoutSpec& layout : PlainerLayouts(dst.layout, dst.dims))
    offer([&](ReorderCase& c) { c.dst.layout = layout; });
  if (ToString(src.layout) == ToString(dst.layout))
    for (const LayoutSpec& layout : PlainerLayouts(src.layout, src.dims))
      offer([&](ReorderCase& c) { c.src.layout = c.dst.layout = layout; });
  for (const Cut& cut : Cuts(dims())) simpler.push_back(Cutted(*this, cut));
  if (src.type != Type::kF32 && dst.type != Type::kF32)
    offer([](ReorderCase& c) { c.src.type = c.dst.type = Type::kF32; });
  if (src.type != Type::kF32) offer([](ReorderCase& c) { c.src.type = Type::kF32; });
  if (dst.type != Type::kF32) offer([](ReorderCase& c) { c.dst.type = Type::kF32; });
  if (values != ValueKind::kIndex) offer([](ReorderCase& c) { c.values = ValueKind::kIndex; });
  if (seed != 0) offer([](ReorderCase& c) { c.seed = 0; });
  return simpler;
}

std::string ReorderCase::Statements(Profile profile, std::string_view where,
                                    std::string_view expected) const {
  const std::optional<int64_t> number = NumberOfElement(where, dims());
  if (!number || where.substr(0, 4) != "dst[" || where.find("] of src ") == std::string_view::npos)
    return "";
  const auto strictness =
      profile == Profile::kProject ? spec::Strictness::kProject : spec::Strictness::kPortable;
  ExecutionText execution{src, dst, from, to, Source(), Old(), {}, {}, ""};
  const std::vector<float> scales = Scales();
  for (size_t i = 0; i < execution.source.size(); ++i) {
    const auto k = static_cast<int64_t>(i);
    const spec::ReorderElement element =
        Element(k, execution.source[i], execution.before[i], scales);
    const Bits value = spec::Expected(element);
    // Where neighbours are accepted too, there is no one value to compare with.
    const bool exact = spec::Accepts(element, value, strictness) &&
                       !spec::Accepts(element, value + 1, strictness) &&
                       !spec::Accepts(element, value - 1, strictness);
    execution.after.push_back(value);
    execution.exact.push_back(exact);
    if (k == *number && (!exact || spec::ExpectedText(element, strictness) != expected)) return "";
  }
  execution.calls = Calls(*this, scales);
  return StatementsOf(execution);
}

bool IsByteCopy(const ReorderCase& c) {
  return c.src.type == c.dst.type && c.attributes.none() &&
         spec::SameLayout(PlainOf(c.src), PlainOf(c.dst));
}

bool IsFlushed(const ReorderCase& c, const spec::ReorderElement& element, Bits got) {
  const bool narrows = c.src.type != c.dst.type && spec::IsFloat(c.dst.type);
  if (!narrows || !c.attributes.none() || spec::IsZero(c.src.type, element.source)) return false;
  const Bits sign_bit = Bits{1} << (8 * spec::BytesOf(c.dst.type) - 1);
  return got == (spec::Expected(element) & sign_bit) &&
         spec::Accepts(element, got, spec::Strictness::kPortable);
}

ReorderCase AnyReorderCase(Random& random, const ReorderLimits& limits) {
  ReorderCase c;
  ShapeLimits shape = limits.shape;
  if (limits.layouts == Layouts::kTags) shape.max_rank = std::min(shape.max_rank, 6);
  spec::Dims dims = AnyShape(random, shape);
  c.src.dims = c.dst.dims = dims;
  c.src.type = limits.from.empty() ? AnyType(random) : random.Pick(limits.from);
  c.dst.type = limits.same_type    ? c.src.type
               : limits.to.empty() ? AnyType(random)
                                   : random.Pick(limits.to);
  c.src.layout = DrawLayout(random, dims, limits.layouts, limits.zero_strides);
  c.dst.layout =
      limits.same_layout ? c.src.layout : DrawLayout(random, dims, limits.layouts, false);
  if (limits.transpositions && random.Chance(25)) {
    std::tie(c.src.layout, c.dst.layout) =
        AnyTransposition(random, &dims, random.Chance(50), random.Chance(40));
    c.src.dims = c.dst.dims = dims;
  }
  if (limits.attributes) c.attributes = AnyAttributes(random, dims, limits.attribute_limits);
  c.values = DrawKind(random, limits);
  c.from = AnyPlacement(random);
  c.to = AnyPlacement(random);
  c.seed = AnySeed(random);
  return c;
}

bool Fits(const ReorderCase& c, const ReorderLimits& limits) {
  const auto is_in = [](const auto& list, const auto& item) {
    return list.empty() || std::find(list.begin(), list.end(), item) != list.end();
  };
  const auto rank = static_cast<int>(c.dims().size());
  const bool empty = std::find(c.dims().begin(), c.dims().end(), 0) != c.dims().end();
  return is_in(limits.from, c.src.type) && (limits.same_type || is_in(limits.to, c.dst.type)) &&
         (!limits.same_type || c.src.type == c.dst.type) &&
         (!limits.same_layout || ToString(c.src.layout) == ToString(c.dst.layout)) &&
         rank >= limits.shape.min_rank && rank <= limits.shape.max_rank &&
         (!empty || limits.shape.may_be_empty) && (limits.attributes || c.attributes.none()) &&
         (is_in(limits.values, c.values) || c.values == ValueKind::kIndex);
}

Cases<ReorderCase> AnyReorder(const ReorderLimits& limits) {
  Cases<ReorderCase> cases =
      Drawn<ReorderCase>([limits](Random& random) { return AnyReorderCase(random, limits); });
  cases.contains = [limits](const ReorderCase& c) { return Fits(c, limits); };
  return cases;
}

Cases<ReorderCase> NetworkReorders() {
  struct Computed {
    spec::Type from, to;
    ScaleKind scales = ScaleKind::kNone;
    bool masked = false, run_time = false, sum = false;
  };
  using spec::Type;
  const Computed kinds[] = {
      {Type::kF32, Type::kBF16},
      {Type::kF32, Type::kS8, ScaleKind::kPowersOfTwo, /*masked=*/true},
      {Type::kU8, Type::kF32, ScaleKind::kPowersOfTwo},
      {Type::kF32, Type::kF32, ScaleKind::kNone, false, false, /*sum=*/true},
      {Type::kS32, Type::kU8},
      {Type::kF32, Type::kF32, ScaleKind::kPowersOfTwo, /*masked=*/true},
      {Type::kBF16, Type::kF32},
      {Type::kS8, Type::kF32, ScaleKind::kPowersOfTwo, /*masked=*/true, /*run_time=*/true},
      {Type::kF16, Type::kF32},
      {Type::kF32, Type::kU8, ScaleKind::kPowersOfTwo, /*masked=*/true, false, /*sum=*/true},
      {Type::kF32, Type::kF16},
  };
  std::vector<ReorderCase> cases;
  for (const bool back : {false, true}) {
    for (const NetworkTensor& tensor : NetworkTensors()) {
      const Computed& kind = kinds[cases.size() % std::size(kinds)];
      ReorderCase c;
      c.src = {kind.from, tensor.dims, RowMajor(tensor.dims)};
      c.dst = {kind.to, tensor.dims, DenseInOrder(tensor.dims, tensor.other)};
      if (back) std::swap(c.src.layout, c.dst.layout);
      c.attributes.scales = kind.scales;
      c.attributes.mask = kind.masked ? 1 << tensor.axis : 0;
      c.attributes.run_time = kind.run_time;
      c.attributes.sum = kind.sum;
      if (kind.sum) c.attributes.beta = 0.5f;
      c.values = c.attributes.none() ? ValueKind::kMixed : ValueKind::kFinite;
      cases.push_back(c);
    }
  }
  return Listed(std::move(cases));
}

std::vector<TypePair> TypePairs() {
  std::vector<TypePair> pairs;
  for (Type from : spec::kTypes)
    for (Type to : spec::kTypes) pairs.push_back({from, to});
  return pairs;
}

void ShapePair::Print(Fields* fields) const {
  SetTensor(fields, "src", src);
  SetTensor(fields, "dst", dst);
}

ShapePair ShapePair::Parse(const Fields& fields) {
  return {GetTensor(fields, "src"), GetTensor(fields, "dst")};
}

std::vector<ShapePair> ShapePair::Simpler() const {
  std::vector<ShapePair> simpler;
  for (const LayoutSpec& layout : PlainerLayouts(src.layout, src.dims))
    simpler.push_back({{src.type, src.dims, layout}, dst});
  for (const LayoutSpec& layout : PlainerLayouts(dst.layout, dst.dims))
    simpler.push_back({src, {dst.type, dst.dims, layout}});
  return simpler;
}

Cases<ShapePair> OtherShapes() {
  return Drawn<ShapePair>([](Random& random) {
    const spec::Dims dims = AnyShape(random, {1, 12, 512, /*may_be_empty=*/true});
    spec::Dims other = dims;
    const int64_t axis = random.Between(0, static_cast<int64_t>(dims.size()) - 1);
    const int64_t style = random.Between(1, 4);
    if (style == 1 && dims.size() > 1) {
      other.erase(other.begin() + axis);
    } else if (style == 2 && dims.size() < 12) {
      other.insert(other.begin() + axis, random.Between(1, 2));
    } else if (style == 3 && dims[axis] != dims[0]) {
      std::swap(other[0], other[axis]);
    } else {
      other[axis] += random.Chance(50) || dims[axis] == 0 ? 1 : -1;
    }
    const Type from = AnyType(random), to = random.Chance(50) ? from : AnyType(random);
    const LayoutLimits limits = LimitsOf(Layouts::kStrides, false);
    ShapePair pair{AnyTensor(random, from, dims, limits), AnyTensor(random, to, other, limits)};
    if (random.Chance(50)) std::swap(pair.src, pair.dst);
    return pair;
  });
}

Cases<ShapePair> BroadcastShapes() {
  return Drawn<ShapePair>([](Random& random) {
    spec::Dims dims = AnyShape(random, {1, 12, 512, /*may_be_empty=*/false});
    spec::Dims one = dims;
    const int64_t axis = random.Between(0, static_cast<int64_t>(dims.size()) - 1);
    one[axis] = 1;
    if (dims[axis] == 1) dims[axis] = random.Between(2, 5);
    const LayoutLimits limits = LimitsOf(Layouts::kStrides, false);
    const Type from = AnyType(random), to = random.Chance(50) ? from : AnyType(random);
    ShapePair pair{AnyTensor(random, from, one, limits), AnyTensor(random, to, dims, limits)};
    // Any stride is legal along an axis of one index: 0 too, which is how others broadcast.
    if (random.Chance(50) && !pair.src.layout.is_region())
      pair.src.layout.strides[axis] = random.Pick({0, 0, 1, 2, 77});
    if (random.Chance(50)) std::swap(pair.src, pair.dst);
    return pair;
  });
}

}  // namespace conformance
