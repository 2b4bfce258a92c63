// Output scales and zero points as reorders show them: ATTR-021 to ATTR-024, ATTR-027 to ATTR-035,
// ATTR-064.
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "conformance/case/property.h"
#include "conformance/gen/attributes.h"
#include "conformance/gen/layouts.h"
#include "conformance/gen/values.h"
#include "conformance/model/cases.h"
#include "conformance/model/one_scale.h"
#include "conformance/reorder/cases.h"
#include "conformance/reorder/run.h"
#include "conformance/subject/attempt.h"
#include "conformance/subject/device.h"
#include "conformance/subject/expect.h"
#include "oneapi/dnnl/dnnl.hpp"
#include "spec/requirements.h"

namespace conformance {
namespace {

using dnnl::memory;
using dnnl::primitive_attr;
using Desc = memory::desc;
using DataType = memory::data_type;
using FormatTag = memory::format_tag;

void CommonScaleMultiplies(const ReorderCase& c, Trial& trial) {
  if (!c.attributes.scaled() || c.attributes.mask != 0) return trial.Vacuous();
  ValuesAreRight(c, trial);
}

void MasksChooseScales(const ReorderCase& c, Trial& trial) {
  if (c.attributes.mask == 0) return trial.Vacuous();
  ValuesAreRight(c, trial);
}

// ATTR-023: the same scales for the same coordinates, however the destination lies. Portable: each
// result by itself, for the paths may differ in what decisions/0003 forgives.
void LayoutDoesNotMatter(const ReorderCase& c, Trial& trial) {
  if (c.attributes.mask == 0) return trial.Vacuous();
  ReorderCase rows = c;
  rows.dst.layout = RowMajor(c.dst.dims);
  const auto first = RunReorder(c, trial);
  if (!first) return;
  const auto second = RunReorder(rows, trial);
  if (!second) return;
  if (ToString(c.dst.layout) == ToString(rows.dst.layout)) trial.Vacuous();
  if (trial.project()) {
    ExpectSameBits(trial, "dst, row-major", c.dst.type, c.dst.dims, first->result, second->result);
    return;
  }
  const ReorderSetUp &one = first->set_up, &other = second->set_up;
  ExpectReordered(c, one.source, one.old, one.scales, first->result, trial) &&
      ExpectReordered(rows, other.source, other.old, other.scales, second->result, trial,
                      "the row-major result");
}

// A small reorder and a mask.
struct Masked {
  memory::dims dims;
  int mask;
  spec::Type from, to;
  Desc src, dst;
};

Masked DrawMasked(Random& random) {
  Masked m;
  m.dims = {random.Between(2, 5), random.Between(2, 5), random.Between(2, 5)};
  m.mask = static_cast<int>(random.Between(0, 7));
  m.from = AnyType(random);
  m.to = AnyType(random);
  m.src = Desc(m.dims, DataTypeOf(m.from), FormatTag::abc);
  m.dst = Desc(m.dims, DataTypeOf(m.to), random.Chance(50) ? FormatTag::abc : FormatTag::bca);
  return m;
}

primitive_attr WithScales(int mask, const std::vector<float>& values) {
  primitive_attr attr;
  attr.set_output_scales(mask, values);
  return attr;
}

ReorderPd Make(const Masked& m, const primitive_attr& attr, const Device& device) {
  return ReorderPd(device.engine, m.src, device.engine, m.dst, attr);
}

void OtherCountsAreRefused(const SeedCase& c, Trial& trial) {
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  Random random(Mix(c.seed));
  const Masked m = DrawMasked(random);
  const int64_t count = spec::ScaleCount(m.mask, m.dims);
  const auto right =
      Attempt([&] { return Make(m, WithScales(m.mask, std::vector<float>(count, 2.f)), *device); });
  if (!right)
    return trial.Refused(right.refusal, {"reorder",
                                         "",
                                         {spec::NameOf(m.from), spec::NameOf(m.to)},
                                         3,
                                         {m.mask == 0 ? "scale" : "mask"}});
  trial.Cover(m.mask == 0 ? "common" : "mask");
  trial.Cover(std::string("to ") + spec::NameOf(m.to));
  std::vector<int64_t> wrongs = {count + 1, count * m.dims[0]};
  // Those of another axis.
  for (const int64_t dim : m.dims)
    if (dim != count) wrongs.push_back(dim);
  if (count > 1) wrongs.insert(wrongs.end(), {count - 1, 1});
  for (int64_t wrong : wrongs) {
    const auto made = Attempt(
        [&] { return Make(m, WithScales(m.mask, std::vector<float>(wrong, 2.f)), *device); });
    if (!ExpectRefused(trial, made,
                       std::string("reorder with ") + (wrong < count ? "fewer" : "more") +
                           " scales than the mask asks for (" + std::to_string(wrong) + " of " +
                           std::to_string(count) + ")"))
      return;
  }
}

void RunTimeScalesAreArguments(const ReorderCase& c, Trial& trial) {
  if (!c.attributes.run_time) return trial.Vacuous();
  ValuesAreRight(c, trial);
}

void OtherNansAreOrdinaryValues(const SeedCase& c, Trial& trial) {
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  Random random(Mix(c.seed));
  const OneScale one(random);
  uint32_t word = 0x7f800000 | static_cast<uint32_t>(random.Between(1, 0x7fffff));
  if (random.Chance(30)) word = random.Pick({0x7fc00000u, 0x7fc000d1u, 0xffc000d0u, 0x7f8000d0u});
  if (word == WordOf(DNNL_RUNTIME_F32_VAL)) ++word;
  const bool product = random.Chance(30);
  const auto made = Attempt([&]() -> dnnl::primitive {
    const primitive_attr attr = WithScales(0, {FloatOf(word)});
    if (product) return ProductOf(one, attr, *device);
    return dnnl::reorder(ReorderPd(device->engine, one.desc, device->engine, one.desc, attr));
  });
  if (!made && product) return trial.LeftOpen(made.refusal, "an inner product of f32 with a scale");
  if (!made) return trial.Refused(made.refusal, {"reorder", "", {"f32", "f32"}, 1, {"scale"}});
  trial.Cover(product ? "product" : "reorder");
  auto arguments = product ? ArgumentsOfProduct(one, *device) : ArgumentsOf(one, *device);
  const auto done = Attempt([&] {
    made.value->execute(device->stream, arguments);
    device->stream.wait();
  });
  if (!trial.Expect(static_cast<bool>(done), "execute with a scale of NaN and no scales argument",
                    "done", done.refusal.ToString()))
    return;
  for (float value : FloatsIn(arguments[DNNL_ARG_DST], one.target.size()))
    if (!trial.Expect(value != value, "dst of NaN times a number", "NaN", std::to_string(value)))
      return;
}

// A reorder whose one scale is given at execution; nullopt after recording the outcome in `trial`
// when refused.
std::optional<dnnl::primitive> RunTimeReorder(const OneScale& one, Device& device, Trial& trial) {
  const auto made = Attempt([&] {
    return dnnl::reorder(ReorderPd(device.engine, one.desc, device.engine, one.desc,
                                   WithScales(0, {DNNL_RUNTIME_F32_VAL})));
  });
  trial.Record("run-time scales", made ? "offered" : "refused");
  if (made) return dnnl::primitive(*made.value);
  if (trial.project()) {
    trial.Fail("reorder with a run-time scale", "created", made.refusal);
  } else {
    trial.Refused(made.refusal, {"reorder", "", {"f32", "f32"}, 1, {"run-time scales"}});
  }
  return std::nullopt;
}

void MissingScalesAreAnError(const SeedCase& c, Trial& trial) {
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  Random random(Mix(c.seed));
  const OneScale one(random);
  const auto primitive = RunTimeReorder(one, *device, trial);
  if (!primitive) return;
  auto arguments = ArgumentsOf(one, *device);
  // Those of an execution before are no scales of this one.
  if (random.Chance(50)) {
    arguments[DNNL_ARG_ATTR_OUTPUT_SCALES] = NumberIn(one.scale, 2.f, *device);
    const auto done = Attempt([&] {
      primitive->execute(device->stream, arguments);
      device->stream.wait();
    });
    if (!trial.Expect(static_cast<bool>(done), "execute with the scales", "done",
                      done.refusal.ToString()))
      return;
    arguments.erase(DNNL_ARG_ATTR_OUTPUT_SCALES);
  }
  for (const bool empty : {false, true}) {
    if (empty) arguments[DNNL_ARG_ATTR_OUTPUT_SCALES] = memory();
    ExpectRefusedByExecute(
        empty ? "execute with memory() for the scales" : "execute without the scales",
        // No wait: refused.
        [&] { primitive->execute(device->stream, arguments); }, device->stream, trial);
  }
}

// The same of every type and mask, and that the destination is as it was.
void MissingScalesChangeNothing(const ReorderCase& c, Trial& trial) {
  if (!c.attributes.run_time) return trial.Vacuous();
  auto set_up = SetUp(c, trial);
  if (!set_up) return;
  if (c.seed % 2 == 0) {
    if (!Execute(c, *set_up, trial)) return;
    set_up->to.Store(set_up->old);
  }
  const dnnl::primitive& base = set_up->primitive;
  std::unordered_map<int, memory> arguments{{DNNL_ARG_FROM, set_up->from.memory()},
                                            {DNNL_ARG_TO, set_up->to.memory()}};
  for (const bool empty : {false, true}) {
    if (empty) arguments[DNNL_ARG_ATTR_OUTPUT_SCALES] = memory();
    const std::string call =
        empty ? "execute with memory() for the scales" : "execute without the scales";
    if (!ExpectRefusedByExecute(
            // No wait: refused.
            call, [&] { base.execute(set_up->device->stream, arguments); }, set_up->device->stream,
            trial))
      return;
    const std::string changed = set_up->to.ChangedByte(set_up->old);
    if (!changed.empty()) return trial.Fail("dst after " + call, "untouched", changed);
  }
}

// ATTR-032 of every type and mask: one primitive, other scales each time.
void OtherScalesEachTime(const ReorderCase& drawn, Trial& trial) {
  ReorderCase c = drawn;
  if (!c.attributes.run_time) return trial.Vacuous();
  auto set_up = SetUp(c, trial);
  if (!set_up) return;
  for (uint64_t round = 0; round < 3; ++round) {
    c.seed = drawn.seed + round;
    if (c.attributes.scales == ScaleKind::kLiteral)
      c.attributes.literal = 0.5f * static_cast<float>(round + 1);
    set_up->to.Store(set_up->old);
    if (!Execute(c, *set_up, trial)) return;
    if (!ExpectReordered(c, set_up->source, set_up->old, c.Scales(), set_up->to.Load(), trial))
      return;
  }
}

// Scales in a memory that is a value short, or of another type of four bytes.
void OtherScaleMemoriesAreRefused(const ReorderCase& c, Trial& trial) {
  if (trial.portable()) return trial.NotRun("pinned by the project profile only");
  if (!c.attributes.run_time) return trial.Vacuous();
  auto set_up = SetUp(c, trial);
  if (!set_up) return;
  const dnnl::primitive& base = set_up->primitive;
  const auto count = static_cast<int64_t>(c.Scales().size());
  const auto try_with = [&](const char* what, DataType type, int64_t size) {
    const memory scales(Desc({size}, type, FormatTag::x), set_up->device->engine);
    const std::unordered_map<int, memory> arguments{{DNNL_ARG_FROM, set_up->from.memory()},
                                                    {DNNL_ARG_TO, set_up->to.memory()},
                                                    {DNNL_ARG_ATTR_OUTPUT_SCALES, scales}};
    trial.Cover(what);
    if (!ExpectRefusedByExecute(
            std::string("execute with scales ") + what,
            // No wait: refused.
            [&] { base.execute(set_up->device->stream, arguments); }, set_up->device->stream,
            trial))
      return false;
    const std::string changed = set_up->to.ChangedByte(set_up->old);
    return trial.Expect(changed.empty(), "dst", "untouched", changed);
  };
  if (try_with("of type s32", DataType::s32, count) && count > 1)
    try_with("one too few", DataType::f32, count - 1);
}

void ScalesAreReadAtEachExecution(const SeedCase& c, Trial& trial) {
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  Random random(Mix(c.seed));
  const OneScale one(random);
  const auto primitive = RunTimeReorder(one, *device, trial);
  if (!primitive) return;
  auto arguments = ArgumentsOf(one, *device);
  const memory scales(one.scale, device->engine);
  arguments[DNNL_ARG_ATTR_OUTPUT_SCALES] = scales;
  for (const float scale : {2.f, -0.5f, 0.f, 8.f}) {
    float* const mapped = scales.map_data<float>();
    *mapped = scale;
    scales.unmap_data(mapped);
    primitive->execute(device->stream, arguments);
    device->stream.wait();
    const std::vector<float> got = FloatsIn(arguments[DNNL_ARG_TO], one.target.size());
    for (size_t i = 0; i < got.size(); ++i)
      if (!trial.Expect(got[i] == one.source[i] * scale, "dst with scale " + std::to_string(scale),
                        std::to_string(one.source[i] * scale), std::to_string(got[i])))
        return;
  }
}

// ATTR-035: the bits that come of a scale of 1 are those that come of none.
void OneIsLikeNone(const ReorderCase& c, Trial& trial) {
  ReorderCase none = c, one = c;
  none.attributes = AttributesSpec();
  one.attributes = AttributesSpec();
  one.attributes.scales = ScaleKind::kLiteral;
  one.attributes.literal = 1;
  const auto plain = RunReorder(none, trial);
  if (!plain) return;
  trial.Cover(spec::NameOf(c.src.type));
  // What is made without a scale is made with this one: a refusal would tell them apart.
  const dnnl::engine& engine = plain->set_up.device->engine;
  const auto made = Attempt(
      [&] { return ReorderPd(engine, MakeDesc(c.src), engine, MakeDesc(c.dst), AttrOf(one)); });
  if (!made) return trial.Fail("reorder with a scale of 1", "created, as without", made.refusal);
  const auto scaled = RunReorder(one, trial);
  if (!scaled) return;
  ExpectSameBits(trial, "dst with a scale of 1", c.dst.type, c.dst.dims, plain->result,
                 scaled->result);
}

void ScalesComeBeforeTheSum(const ReorderCase& c, Trial& trial) {
  if (!c.attributes.sum || !c.attributes.scaled()) return trial.Vacuous();
  ValuesAreRight(c, trial);
}

// ATTR-064: zero points given at execution, of the source, of the destination or of both.
void ZeroPointsAreArguments(const SeedCase& c, Trial& trial) {
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  Random random(Mix(c.seed));
  const OneScale one(random);
  const int64_t sides = random.Between(1, 3);
  primitive_attr attr;
  const auto made = Attempt([&] {
    for (const auto& [arg, side] : {std::pair(DNNL_ARG_SRC, 1), {DNNL_ARG_DST, 2}})
      if ((sides & side) != 0) attr.set_zero_points(arg, 0, {DNNL_RUNTIME_S32_VAL});
    return dnnl::reorder(ReorderPd(device->engine, one.desc, device->engine, one.desc, attr));
  });
  const std::string what = sides == 3 ? "both" : sides == 1 ? "the source" : "the destination";
  trial.Record("run-time zero points of " + what, made ? "offered" : "refused");
  if (!made)
    return trial.Refused(made.refusal, {"reorder", "", {"f32", "f32"}, 1, {"run-time zero points"}},
                         LegalityOfZeroPoints(true, trial));
  trial.Cover("zero points of " + what);
  auto arguments = ArgumentsOf(one, *device);
  const Desc point({1}, DataType::s32, FormatTag::x);
  for (const auto& [src, dst] : {std::pair(3, 11), {-7, 2}, {0, -5}, {4, 0}}) {
    if ((sides & 1) != 0)
      arguments[DNNL_ARG_ATTR_ZERO_POINTS | DNNL_ARG_SRC] = NumberIn(point, src, *device);
    if ((sides & 2) != 0)
      arguments[DNNL_ARG_ATTR_ZERO_POINTS | DNNL_ARG_DST] = NumberIn(point, dst, *device);
    static_cast<const dnnl::primitive&>(*made.value).execute(device->stream, arguments);
    device->stream.wait();
    const std::vector<float> got = FloatsIn(arguments[DNNL_ARG_TO], one.target.size());
    const int shift = ((sides & 2) != 0 ? dst : 0) - ((sides & 1) != 0 ? src : 0);
    for (size_t i = 0; i < got.size(); ++i) {
      const float expected = one.source[i] + static_cast<float>(shift);
      if (!trial.Expect(got[i] == expected,
                        "dst with zero points " + std::to_string(src) + " and " +
                            std::to_string(dst) + " of " + what,
                        std::to_string(expected), std::to_string(got[i])))
        return;
    }
  }
}

ReorderLimits With(bool scales, Masks masks, bool run_time, bool sum) {
  ReorderLimits limits;
  limits.shape.max_elements = 2048;
  limits.attributes = true;
  limits.attribute_limits.scales = scales;
  limits.attribute_limits.masks = masks;
  limits.attribute_limits.run_time = run_time;
  limits.attribute_limits.sum = sum;
  return limits;
}

Cases<ReorderCase> ToIntegers() {
  // What a mask with holes gives is ATTR-022's business.
  ReorderLimits limits = With(true, Masks::kSingle, false, false);
  limits.from = {spec::Type::kF32};
  limits.to = {spec::Type::kS8, spec::Type::kU8, spec::Type::kS32};
  return AnyReorder(limits);
}

// Scales and a sum in every case.
Cases<ReorderCase> ScalesAndSum() {
  const Cases<ReorderCase> any = AnyReorder(With(true, Masks::kSingle, false, true));
  return {0, [any](int64_t index, Random& random) {
            ReorderCase c = any.at(index, random);
            if (!c.attributes.scaled()) c.attributes.scales = ScaleKind::kPowersOfTwo;
            if (!c.attributes.sum) c.attributes.beta = AnyFactor(random, /*exact=*/false);
            c.attributes.sum = true;
            return c;
          }};
}

Cases<ReorderCase> AlwaysRunTime() {
  const Cases<ReorderCase> any = AnyReorder(With(true, Masks::kSingle, true, false));
  return {0, [any](int64_t index, Random& random) {
            ReorderCase c = any.at(index, random);
            c.attributes.run_time = c.attributes.scaled();
            return c;
          }};
}

// Small, of every mask.
Cases<ReorderCase> RunTimeOfAnyMask() {
  ReorderLimits limits = With(true, Masks::kAny, true, true);
  limits.shape.max_elements = 512;
  const Cases<ReorderCase> any = AnyReorder(limits);
  return {0, [any](int64_t index, Random& random) {
            ReorderCase c = any.at(index, random);
            c.attributes.run_time = c.attributes.scaled();
            return c;
          }};
}

// Zero points of every type and layout, all of which come with the execution.
Cases<ReorderCase> ZeroPointsAtExecution() {
  ReorderLimits limits = With(true, Masks::kSingle, true, true);
  limits.shape.max_elements = 512;
  limits.attribute_limits.zero_points = true;
  limits.values = {ValueKind::kFinite, ValueKind::kIndex};
  const Cases<ReorderCase> any = AnyReorder(limits);
  return {0,
          [any](int64_t index, Random& random) {
            ReorderCase c = any.at(index, random);
            for (ZeroPointSpec* zero : {&c.attributes.src_zero, &c.attributes.dst_zero})
              zero->run_time = zero->present;
            return c;
          },
          [](const ReorderCase& c) { return c.attributes.zero_points(); }};
}

Cases<ReorderCase> AlwaysMasked() {
  const Cases<ReorderCase> any = AnyReorder(With(true, Masks::kAny, false, false));
  return {0, [any](int64_t index, Random& random) {
            ReorderCase c = any.at(index, random);
            if (c.attributes.mask == 0) {
              c.attributes.mask = 1 << random.Between(0, c.dst.rank() - 1);
              if (c.attributes.scales == ScaleKind::kNone)
                c.attributes.scales = ScaleKind::kPowersOfTwo;
            }
            return c;
          }};
}

Cases<ReorderCase> Plain() {
  ReorderLimits limits;
  limits.shape.max_elements = 2048;
  return AnyReorder(limits);
}

const bool defined[] = {
    Define(spec::ATTR_021, "", AnyReorder(With(true, Masks::kNone, false, false)),
           CommonScaleMultiplies, {"common scale"}),
    Define(spec::ATTR_022, "", AlwaysMasked(), MasksChooseScales, {"mask", "mask with a hole"}),
    Define(spec::ATTR_023, "", AlwaysMasked(), LayoutDoesNotMatter, {"mask"}),
    Define(spec::ATTR_024, "", Seeds(), OtherCountsAreRefused, {"common", "to f32"}),
    Define(spec::ATTR_027, "", ToIntegers(), ValuesAreRight),
    Define(spec::ATTR_028, "", ScalesAndSum(), ScalesComeBeforeTheSum, {"scales and sum"}),
    Define(spec::ATTR_029, "", AlwaysRunTime(), RunTimeScalesAreArguments, {"run-time scales"}),
    Define(spec::ATTR_030, "payloads", Seeds(), OtherNansAreOrdinaryValues),
    Define(spec::ATTR_031, "", Seeds(), MissingScalesAreAnError),
    Define(spec::ATTR_031, "reorders", RunTimeOfAnyMask(), MissingScalesChangeNothing),
    Define(spec::ATTR_032, "", Seeds(), ScalesAreReadAtEachExecution),
    Define(spec::ATTR_032, "reorders", RunTimeOfAnyMask(), OtherScalesEachTime),
    Define(spec::ATTR_032, "memories", RunTimeOfAnyMask(), OtherScaleMemoriesAreRefused),
    Define(spec::ATTR_034, "", Seeds(), ScalesAreReadAtEachExecution),
    Define(spec::ATTR_035, "", Plain(), OneIsLikeNone, {"f32"}),
    Define(spec::ATTR_064, "", Seeds(), ZeroPointsAreArguments),
    Define(spec::ATTR_064, "reorders", ZeroPointsAtExecution(), ValuesAreRight),
};

}  // namespace
}  // namespace conformance
