// REO-ZP-005 to REO-ZP-008, REO-ZP-013, REO-ZP-015: what the examples show of one element, between
// any two types and layouts.
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "conformance/case/property.h"
#include "conformance/reorder/cases.h"
#include "conformance/reorder/limits.h"
#include "conformance/reorder/run.h"
#include "conformance/subject/descriptor_text.h"
#include "conformance/subject/expect.h"
#include "spec/requirements.h"

namespace conformance {
namespace {

using spec::Type;

// Of numbers that scales leave finite.
ReorderLimits OfNumbers(std::vector<Type> from, std::vector<Type> to) {
  ReorderLimits limits = Shifted(std::move(from), std::move(to), 2048);
  limits.values = {ValueKind::kFinite, ValueKind::kIndex};
  return limits;
}

// A zero point of the destination, and a sum that does not see it.
Cases<ReorderCase> SumsAndShifts() {
  auto cases = Drawn<ReorderCase>([](Random& random) {
    ReorderCase c = AnyReorderCase(random, OfNumbers({}, {}));
    ZeroPointSpec& zero = c.attributes.dst_zero;
    if (!zero.present) zero.run_time = random.Chance(40);
    zero.present = true;
    if (zero.value == 0) zero.value = static_cast<int32_t>(random.Between(1, 100));
    c.attributes.sum = true;
    c.attributes.beta = random.Pick({1.0f, 1.0f, -1.0f, 0.5f, 2.0f, AnyFactor(random, false)});
    return c;
  });
  cases.contains = [](const ReorderCase& c) {
    return c.attributes.sum && c.attributes.dst_zero.present;
  };
  return cases;
}

// Those that are there become values that `value` draws.
template <class Value>
Cases<ReorderCase> WithValues(ReorderLimits limits, Value value) {
  auto cases = Drawn<ReorderCase>([limits, value](Random& random) {
    ReorderCase c = AnyReorderCase(random, limits);
    for (ZeroPointSpec* zero : {&c.attributes.src_zero, &c.attributes.dst_zero})
      if (zero->present) zero->value = value(random);
    return c;
  });
  cases.contains = [](const ReorderCase& c) { return c.attributes.zero_points(); };
  return cases;
}

// Beyond 2^24, where f32 has no odd integers, most of them odd.
int32_t FarFromZero(Random& random) {
  const int64_t size = random.Chance(60) ? random.Between(1 << 24, (1 << 24) + 99)
                                         : random.Between(1 << 24, INT32_MAX);
  return static_cast<int32_t>(random.Chance(50) ? size : -size);
}

// Beyond what 8 bits hold, some of them beyond what 16 do.
int32_t BeyondBytes(Random& random) {
  const int64_t size = random.Chance(70) ? random.Between(129, 2000) : random.Between(2001, 99999);
  return static_cast<int32_t>(random.Chance(50) ? size : -size);
}

ReorderLimits OfBytes() {
  ReorderLimits limits = OfNumbers({}, {Type::kS8, Type::kU8, Type::kS32, Type::kF32});
  limits.from = {Type::kS8, Type::kU8, Type::kF32};
  return limits;
}

ReorderLimits OfFloats() {
  const std::vector<Type> floats = {Type::kF32, Type::kBF16, Type::kF16};
  return OfNumbers(floats, floats);
}

// What creation makes of zero points of `argument`: project, refused; portable, recorded.
void IsRefused(const ReorderCase& c, int argument, int mask, bool run_time, const std::string& what,
               bool always, Trial& trial) {
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  SawTensor(trial, c.src);
  trial.Cover(run_time ? "run-time" : "fixed");
  const auto src = DescFor(c.src, trial), dst = DescFor(c.dst, trial);
  if (!src || !dst) return;
  const size_t count = run_time ? 1 : static_cast<size_t>(spec::ScaleCount(mask, c.dims()));
  const auto made = Attempt([&] {
    dnnl::primitive_attr attr = AttrOf(c);
    attr.set_zero_points(argument, mask,
                         std::vector<int32_t>(count, run_time ? DNNL_RUNTIME_S32_VAL : 3));
    return ReorderPd(device->engine, *src, device->engine, *dst, attr);
  });
  trial.Record(what, made ? "accepted" : "refused");
  if (always || trial.project()) ExpectRefused(trial, made, what);
}

// Masks of axes of the tensor, for either side.
void MasksAreRefusedOfAnyReorder(const ReorderCase& c, Trial& trial) {
  const int rank = c.dst.rank();
  const int mask = 1 << (c.seed % static_cast<uint64_t>(rank)) |
                   (c.seed % 3 == 0 ? 1 << (c.seed / 7 % static_cast<uint64_t>(rank)) : 0);
  const int argument = c.seed / 2 % 2 == 0 ? DNNL_ARG_SRC : DNNL_ARG_DST;
  IsRefused(c, argument, mask, c.seed % 5 == 0, "zero points with a mask", false, trial);
}

// Arguments that reorder lacks.
void OtherArgumentsAreRefusedOfAnyReorder(const ReorderCase& c, Trial& trial) {
  const int arguments[] = {DNNL_ARG_WEIGHTS, DNNL_ARG_BIAS, DNNL_ARG_SRC_1, DNNL_ARG_DIFF_DST};
  const int argument = arguments[c.seed % 4];
  IsRefused(c, argument, 0, c.seed % 5 == 0, "a zero point of " + NameOfArgument(argument), true,
            trial);
}

// With scales, sums and zero points of reorder's own beside them at times.
Cases<ReorderCase> AnythingSmall() {
  return {0, [](int64_t index, Random& random) {
            ReorderLimits limits = Shifted({}, {}, 256);
            limits.attributes = index % 2 == 1;
            limits.attribute_limits.zero_points = index % 4 == 1;
            limits.values = {ValueKind::kIndex};
            return AnyReorderCase(random, limits);
          }};
}

const bool kDefined[] = {
    Define<ReorderCase>(spec::REO_ZP_005, "drawn", SumsAndShifts(), ValuesAreRight,
                        {"to f32", "to s32", "to s8", "to u8", "permuted", "run-time zero point"}),
    Define<ReorderCase>(spec::REO_ZP_006, "drawn", WithValues(OfNumbers({}, {}), FarFromZero),
                        ValuesAreRight, {"zero point of src", "zero point of dst", "permuted"}),
    Define<ReorderCase>(spec::REO_ZP_007, "drawn", WithValues(OfBytes(), BeyondBytes),
                        ValuesAreRight,
                        {"zero point of src", "zero point of dst", "to s8", "to u8", "permuted",
                         "run-time zero point"}),
    Define<ReorderCase>(spec::REO_ZP_008, "drawn", AnyReorder(OfFloats()), ValuesAreRight,
                        {"zero point of src", "zero point of dst", "to bf16", "to f16", "to f32",
                         "run-time zero point"}),
    Define<ReorderCase>(spec::REO_ZP_013, "everywhere", AnythingSmall(),
                        MasksAreRefusedOfAnyReorder, {"run-time", "fixed", "permuted", "region"}),
    Define<ReorderCase>(spec::REO_ZP_015, "everywhere", AnythingSmall(),
                        OtherArgumentsAreRefusedOfAnyReorder,
                        {"run-time", "fixed", "permuted", "region"}),
};

}  // namespace
}  // namespace conformance
