// Where two features of a reorder meet: kernels that are right for each may be wrong for both.
// REO-013, REO-015, REO-051, REO-053, REO-056, REO-059, REO-060, REO-ZP-010, REO-ZP-021, ATTR-050,
// DT-030.
#include <algorithm>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "conformance/case/property.h"
#include "conformance/gen/values.h"
#include "conformance/reorder/cases.h"
#include "conformance/reorder/limits.h"
#include "conformance/reorder/run.h"
#include "conformance/subject/environment.h"
#include "conformance/subject/expect.h"
#include "spec/requirements.h"

namespace conformance {
namespace {

using spec::Bits;
using spec::Type;

// Two axes as long as the tiles that kernels cut transpositions into, and one off; one layout in
// three has a gap behind each line.
Cases<ReorderCase> Tiles() {
  return {0,
          [](int64_t index, Random& random) {
            const auto size = [&] { return random.Pick<int64_t>({31, 32, 33, 63, 64, 65}); };
            spec::Dims dims{size(), size()};
            if (random.Chance(20)) dims.insert(dims.begin(), random.Between(2, 3));
            const int rank = static_cast<int>(dims.size());
            std::vector<int> order(rank);
            for (int j = 0; j < rank; ++j) order[j] = j;
            const auto layout = [&] {
              spec::Dims wider = dims;
              if (random.Chance(33)) wider[order[rank - 1]] += random.Between(1, 5);
              return DenseInOrder(wider, order);
            };
            ReorderCase c;
            const Type type = spec::kTypes[index % 6];
            c.src = {type, dims, layout()};
            std::swap(order[rank - 1], order[rank - 2]);
            c.dst = {index % 5 == 4 ? spec::kTypes[index / 5 % 6] : type, dims, layout()};
            if (index / 6 % 2 == 1) std::swap(c.src.layout, c.dst.layout);
            c.values = ValueKind::kIndex;
            c.from = AnyPlacement(random);
            c.to = AnyPlacement(random);
            c.seed = static_cast<uint64_t>(random.Between(0, 9999));
            return c;
          },
          nullptr};
}

Cases<ReorderCase> SumsOnTiles() {
  return {0,
          [tiles = Tiles()](int64_t index, Random& random) {
            ReorderCase c = tiles.at(index, random);
            c.attributes.sum = true;
            c.attributes.beta = random.Chance(50) ? 1.0f : 0.5f;
            return c;
          },
          nullptr};
}

ReorderLimits Scaled(std::vector<Type> from, std::vector<Type> to) {
  ReorderLimits limits;
  limits.from = std::move(from);
  limits.to = std::move(to);
  limits.layouts = Layouts::kStrides;
  limits.shape.max_elements = 2048;
  limits.values = {ValueKind::kIndex};
  return limits;
}

int AnyMask(Random& random, const spec::Dims& dims) {
  const int all = (1 << dims.size()) - 1;
  return random.Chance(50) ? 1 << random.Between(0, static_cast<int64_t>(dims.size()) - 1)
                           : static_cast<int>(random.Between(1, all));
}

// More scales than 16 bits count, in a row and over several axes.
Cases<ReorderCase> ManyScales() {
  Cases<ReorderCase> cases = {
      12,
      [](int64_t index, Random& random) {
        const spec::Dims shapes[] = {{2, 70001}, {3, 40009},   {301, 257},
                                     {70001, 2}, {41, 43, 53}, {2, 3, 5, 3001}};
        const spec::Dims& dims = shapes[index % 6];
        ReorderCase c;
        c.src = {Type::kF32, dims, RowMajor(dims)};
        c.dst = {index % 2 == 0 ? Type::kF32 : Type::kS8, dims, RowMajor(dims)};
        if (index >= 6) {
          std::vector<int> order(dims.size());
          for (size_t j = 0; j < order.size(); ++j)
            order[j] = static_cast<int>(order.size() - 1 - j);
          c.src.layout = DenseInOrder(dims, order);
        }
        c.attributes.scales = ScaleKind::kPowersOfTwo;
        c.attributes.mask = (1 << dims.size()) - 1;
        c.values = ValueKind::kIndex;
        c.seed = static_cast<uint64_t>(random.Between(0, 9999));
        return c;
      },
      nullptr};
  return cases;
}

// A source that repeats elements, with scales along some axes.
Cases<ReorderCase> BroadcastsWithMasks() {
  return Drawn<ReorderCase>([](Random& random) {
    ReorderLimits limits = Scaled({}, {});
    limits.zero_strides = true;
    ReorderCase c = AnyReorderCase(random, limits);
    c.attributes.scales = ScaleKind::kPowersOfTwo;
    c.attributes.mask = AnyMask(random, c.dims());
    // Most scales lie along an axis that repeats.
    const spec::Plain plain = PlainOf(c.src);
    for (size_t j = 0; j < plain.dims.size(); ++j)
      if (plain.strides[j] == 0 && plain.dims[j] > 1 && random.Chance(70))
        c.attributes.mask |= 1 << j;
    return c;
  });
}

// A source that repeats elements and does not begin where its buffer does.
Cases<ReorderCase> BroadcastRegions() {
  return Drawn<ReorderCase>([](Random& random) {
    ReorderLimits limits = Scaled({}, {});
    limits.shape.max_elements = 512;
    ReorderCase c = AnyReorderCase(random, limits);
    LayoutLimits layouts;
    layouts.tags = layouts.odd_unit_strides = false;
    layouts.zero_strides = true;
    c.src.layout = AnyRegion(random, c.dims(), layouts);
    return c;
  });
}

void BroadcastRegionIsRead(const ReorderCase& c, Trial& trial) {
  const spec::Plain plain = PlainOf(c.src);
  const bool repeats = std::count(plain.strides.begin(), plain.strides.end(), 0) > 0;
  if (repeats && plain.offset > 0) trial.Cover("start of a broadcast");
  ValuesAreRight(c, trial);
  if (!repeats) trial.Vacuous();
}

// Scales that are all 1 under a mask are scales: s32 passes through f32.
Cases<ReorderCase> MaskedOnes() {
  return Drawn<ReorderCase>([](Random& random) {
    ReorderLimits limits = Scaled({Type::kS32}, {Type::kS32});
    limits.values = {ValueKind::kBits};
    ReorderCase c = AnyReorderCase(random, limits);
    c.attributes.scales = ScaleKind::kLiteral;
    c.attributes.literal = 1;
    c.attributes.mask = AnyMask(random, c.dims());
    return c;
  });
}

// A sum with beta 0 beside scales.
Cases<ReorderCase> ScaledSumsOfNothing() {
  auto cases = Drawn<ReorderCase>([](Random& random) {
    ReorderCase c = AnyReorderCase(random, Scaled({}, {Type::kF32, Type::kBF16, Type::kF16}));
    c.attributes.scales = ScaleKind::kPowersOfTwo;
    c.attributes.mask = random.Chance(70) ? AnyMask(random, c.dims()) : 0;
    c.attributes.run_time = random.Chance(30);
    c.attributes.sum = true;
    c.attributes.beta = random.Chance(70) ? 0.0f : -0.0f;
    return c;
  });
  cases.contains = [](const ReorderCase& c) { return c.attributes.sum && c.attributes.beta == 0; };
  return cases;
}

void ScaledSumReadsNothing(const ReorderCase& c, Trial& trial) {
  if (trial.portable()) return trial.NotRun("only the project profile has such values");
  const std::vector<Bits> old =
      Values(ValueKind::kMixed, c.dst.type, c.dst.type, c.seed, spec::ElementCount(c.dims()));
  const auto run = RunReorder(c, c.Source(), old, trial);
  if (!run) return;
  ExpectReordered(c, run->set_up.source, old, run->set_up.scales, run->result, trial);
}

// A sum that reads the destination as another type of its size, from sources of every type and
// beside all that is computed.
Cases<ReorderCase> TypedSums() {
  auto cases = Drawn<ReorderCase>([](Random& random) {
    ReorderLimits limits = Scaled({}, {});
    limits.transpositions = true;
    limits.attributes = random.Chance(70);
    limits.attribute_limits.exact = true;
    limits.attribute_limits.zero_points = random.Chance(50);
    ReorderCase c = AnyReorderCase(random, limits);
    c.attributes.sum = true;
    c.attributes.beta = random.Pick({1.0f, 2.0f, -1.0f});
    return c;
  });
  cases.contains = [](const ReorderCase& c) { return c.attributes.sum; };
  return cases;
}

// The attributes of `c`, with a sum that reads the destination as `as`; may throw.
dnnl::primitive_attr AttrReadingAs(Type as, const ReorderCase& c) {
  dnnl::primitive_attr attr = AttrOf(c);
  dnnl::post_ops ops;
  ops.append_sum(c.attributes.beta, DataTypeOf(as));
  attr.set_post_ops(ops);
  return attr;
}

// The result, or nothing after the failure of what `c` asks of `pd` with these values.
std::optional<std::vector<Bits>> Result(const ReorderCase& c, const ReorderPd& pd,
                                        const std::vector<Bits>& source,
                                        const std::vector<Bits>& old, Device& device,
                                        Trial& trial) {
  Tensor from(c.src, pd.src_desc(), device, c.from, c.seed);
  Tensor to(c.dst, pd.dst_desc(), device, c.to, ~c.seed);
  from.Store(source);
  to.Store(old);
  const auto done = Attempt([&] {
    const RunTimeArguments run_time(c, device.engine, device.on_host);
    std::unordered_map<int, dnnl::memory> arguments{{DNNL_ARG_FROM, from.memory()},
                                                    {DNNL_ARG_TO, to.memory()}};
    run_time.AddTo(&arguments);
    const dnnl::reorder reorder(pd);
    const dnnl::primitive& base = reorder;
    base.execute(device.stream, arguments);
    device.stream.wait();
  });
  if (done) return to.Load();
  trial.Fail("execute and wait", "done", done.refusal);
  return std::nullopt;
}

void SumReadsTheTypeGiven(const ReorderCase& c, Trial& trial) {
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  const auto src = DescFor(c.src, trial), dst = DescFor(c.dst, trial);
  if (!src || !dst) return;
  const Type as = TypeOfTheSameSize(c.dst.type);
  const auto pd = Attempt(
      [&] { return ReorderPd(device->engine, *src, device->engine, *dst, AttrReadingAs(as, c)); });
  const std::string request = AskedOf(c).Request() + " read as " + spec::NameOf(as);
  trial.Record("typed sum, reorder " + request, pd ? "offered" : "refused");
  trial.Cover(std::string("from ") + spec::NameOf(c.src.type));
  if (c.attributes.zero_points()) trial.Cover("zero points");
  if (c.attributes.mask != 0) trial.Cover("mask");
  if (!pd) {
    if (!ExpectRefusal(trial, pd.refusal, "reorder " + request, LegalityOf(c, trial))) return;
    return trial.LeftOpen(pd.refusal, "typed sums");
  }
  const std::vector<Bits> source = c.Source();
  // Small integers in the other type.
  const std::vector<Bits> old =
      Values(ValueKind::kIndex, as, Type::kS8, ~c.seed, spec::ElementCount(c.dims()));
  const auto got = Result(c, *pd.value, source, old, *device, trial);
  if (!got) return;
  const std::vector<float> scales = c.Scales();
  const spec::Strictness strictness = StrictnessOf(c, trial);
  for (size_t i = 0; i < got->size(); ++i) {
    const auto k = static_cast<int64_t>(i);
    spec::ReorderElement element = c.Element(k, source[i], old[i], scales);
    element.old_type = as;
    if (spec::Accepts(element, (*got)[i], strictness)) continue;
    return trial.Fail(ElementName("a sum that reads dst", c.dims(), k) + " as " + spec::NameOf(as),
                      spec::ExpectedText(element, strictness),
                      spec::ToString(c.dst.type, (*got)[i]));
  }
}

// NaN to bf16, whose conversion adds before it cuts. What a number beyond the largest becomes there
// is open and not looked at.
void NansStayNans(const ReorderCase& c, Trial& trial) {
  const auto run = RunReorder(c, trial);
  if (!run) return;
  const ReorderSetUp& s = run->set_up;
  bool any = false;
  for (size_t i = 0; i < run->result.size(); ++i) {
    const auto k = static_cast<int64_t>(i);
    const spec::ReorderElement element = c.Element(k, s.source[i], s.old[i], s.scales);
    if (!spec::IsNan(c.dst.type, spec::Expected(element))) continue;
    any = true;
    if (!trial.Expect(
            spec::IsNan(c.dst.type, run->result[i]),
            ElementName("dst", c.dims(), k) + " of src " + spec::ToString(c.src.type, s.source[i]),
            "NaN", spec::ToString(c.dst.type, run->result[i])))
      return;
  }
  if (any) trial.Cover("NaN");
  if (!any) trial.Vacuous();
}

ReorderLimits ToBF16() {
  ReorderLimits limits = Shifted({Type::kF32, Type::kBF16, Type::kF16}, {Type::kBF16}, 512);
  limits.values = {ValueKind::kMixed, ValueKind::kBits};
  return limits;
}

// All 32 bits of an integer, to integers, with nothing but zero points.
ReorderLimits WideIntegers() {
  ReorderLimits limits = Shifted({Type::kS32}, {Type::kS32, Type::kS8, Type::kU8}, 16384);
  limits.attribute_limits.scales = limits.attribute_limits.sum = false;
  limits.values = {ValueKind::kBits};
  return limits;
}

// Whatever the attributes are, no call leaves the environment changed.
Cases<ReorderCase> AnyAttributesAtAll() {
  ReorderLimits limits = Scaled({}, {});
  limits.attributes = true;
  return AnyReorder(limits);
}

void EnvironmentStaysWithAttributes(const ReorderCase& c, Trial& trial) {
  auto set_up = SetUp(c, trial);
  if (!set_up) return;
  for (const char* what : kEnvironments) {
    const SavedEnvironment saved;
    SetEnvironment(what);
    const Environment before = Environment::Current();
    if (!Execute(c, *set_up, trial)) return;
    const Environment after = Environment::Current();
    if (!trial.Expect(after == before,
                      std::string("the environment after execute and wait, set before: ") + what,
                      before.ToString(), after.ToString()))
      return;
  }
}

const bool kDefined[] = {
    Define<ReorderCase>(spec::REO_013, "tiles", Tiles(), ValuesAreRight, {"large", "permuted"}),
    Define<ReorderCase>(spec::REO_051, "tiles", SumsOnTiles(), ValuesAreRightOnEveryPair, {"sum"}),
    Define<ReorderCase>(spec::REO_015, "regions", BroadcastRegions(), BroadcastRegionIsRead,
                        {"start of a broadcast"}),
    Define<ReorderCase>(spec::REO_053, "ones", MaskedOnes(), ValuesAreRight, {"mask"}),
    Define<ReorderCase>(spec::REO_056, "many", ManyScales(), ValuesAreRight),
    Define<ReorderCase>(spec::REO_056, "broadcasts", BroadcastsWithMasks(), ValuesAreRight,
                        {"zero stride", "mask"}),
    Define<ReorderCase>(spec::REO_059, "types", TypedSums(), SumReadsTheTypeGiven,
                        {"zero points", "mask", "from s8", "from u8", "from f32"}),
    Define<ReorderCase>(spec::REO_060, "scaled", ScaledSumsOfNothing(), ScaledSumReadsNothing),
    Define<ReorderCase>(spec::REO_ZP_010, "drawn", AnyReorder(WideIntegers()), ValuesAreRight,
                        {"gapped", "region", "to s8", "to u8", "to s32"}),
    Define<ReorderCase>(spec::REO_ZP_021, "bf16", AnyReorder(ToBF16()), NansStayNans, {"NaN"}),
    Define<ReorderCase>(spec::ATTR_050, "types", TypedSums(), SumReadsTheTypeGiven),
    Define<ReorderCase>(spec::DT_030, "attributes", AnyAttributesAtAll(),
                        EnvironmentStaysWithAttributes, {"mask", "sum"}),
};

}  // namespace
}  // namespace conformance
