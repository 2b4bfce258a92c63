// Attributes as containers: ATTR-001, ATTR-005, ATTR-007, ATTR-020, ATTR-026, ATTR-033, ATTR-060,
// ATTR-061.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "conformance/case/property.h"
#include "conformance/gen/values.h"
#include "conformance/model/any_scales.h"
#include "conformance/model/cases.h"
#include "conformance/subject/attempt.h"
#include "conformance/subject/descriptor_text.h"
#include "conformance/subject/expect.h"
#include "oneapi/dnnl/dnnl.hpp"
#include "spec/requirements.h"

namespace conformance {
namespace {

using dnnl::algorithm;
using dnnl::post_ops;
using dnnl::primitive_attr;
using dnnl::scratchpad_mode;

struct Scales {
  int mask = -1;
  std::vector<float> values;
};

// What the vector held before does not matter to a getter.
Scales ScalesOf(const primitive_attr& attr) {
  Scales scales;
  scales.values = {-5.f, 7.f, 9.f};
  attr.get_output_scales(scales.mask, scales.values);
  return scales;
}

bool ScalesAre(const primitive_attr& attr, int mask, const std::vector<float>& values,
               const std::string& where, Trial& trial) {
  const Scales got = ScalesOf(attr);
  return trial.Expect(got.mask == mask, where + ", mask", std::to_string(mask),
                      std::to_string(got.mask)) &&
         trial.Expect(WordsOf(got.values) == WordsOf(values), where + ", values", WordsOf(values),
                      WordsOf(got.values));
}

struct ZeroPoints {
  int mask;
  std::vector<int32_t> values;
};

// "mask 2, 7, 7, 7".
std::string PointsText(const ZeroPoints& points) {
  std::string text = "mask " + std::to_string(points.mask);
  for (const int32_t value : points.values) text += ", " + std::to_string(value);
  return text;
}

// Reads into what *got held before.
void ExpectZeroPoints(const primitive_attr& attr, int arg, const ZeroPoints& expected,
                      const std::string& when, ZeroPoints* got, Trial& trial) {
  attr.get_zero_points(arg, got->mask, got->values);
  trial.Expect(got->mask == expected.mask && got->values == expected.values,
               "get_zero_points(" + NameOfArgument(arg) + ")" + when, PointsText(expected),
               PointsText(*got));
}

void DefaultsAreNeutral(const NoParameters&, Trial& trial) {
  const primitive_attr attr;
  trial.Expect(attr.get_scratchpad_mode() == scratchpad_mode::library, "get_scratchpad_mode()",
               "library", "user");
  ScalesAre(attr, 0, {1.f}, "get_output_scales()", trial);
  trial.Expect(attr.get_post_ops().len() == 0, "get_post_ops().len()", "0",
               std::to_string(attr.get_post_ops().len()));
}

// ATTR-005: whatever is well formed is taken, whether or not a primitive could honour it.
void WellFormedIsTaken(const SeedCase& c, Trial& trial) {
  Random random(Mix(c.seed));
  primitive_attr attr;
  const int mask = static_cast<int>(random.Between(0, 4095));
  const std::vector<float> values = AnyScales(random, 64);
  post_ops ops;
  const auto done = Attempt([&] {
    attr.set_scratchpad_mode(random.Chance(50) ? scratchpad_mode::user : scratchpad_mode::library);
    attr.set_output_scales(mask, values);
    for (int64_t k = random.Between(0, 5); k-- > 0;) {
      if (random.Chance(50))
        ops.append_sum(static_cast<float>(k));
      else
        ops.append_eltwise(1.f, algorithm::eltwise_tanh, 0.f, 0.f);
    }
    attr.set_post_ops(ops);
    attr.set_rnn_data_qparams(2.f, 3.f);
    attr.set_rnn_weights_qparams(0, {4.f});
  });
  ExpectAccepted(trial, done, "setters");
}

void ModesComeBack(const SeedCase& c, Trial& trial) {
  Random random(Mix(c.seed));
  primitive_attr attr;
  for (int k = 0; k < 6; ++k) {
    const bool user = random.Chance(50);
    attr.set_scratchpad_mode(user ? scratchpad_mode::user : scratchpad_mode::library);
    const bool got = attr.get_scratchpad_mode() == scratchpad_mode::user;
    if (!trial.Expect(got == user, "get_scratchpad_mode() after set " + std::to_string(k),
                      user ? "user" : "library", got ? "user" : "library"))
      return;
  }
}

void OutputScalesComeBack(const SeedCase& c, Trial& trial) {
  Random random(Mix(c.seed));
  primitive_attr attr;
  int mask = 0;
  std::vector<float> values;
  // Both new, then one of them, the other, and none.
  for (const auto& [new_mask, new_values] :
       {std::pair(true, true), {true, false}, {false, true}, {false, false}}) {
    if (new_mask) mask = static_cast<int>(random.Between(0, 4095));
    if (new_values) values = AnyScales(random, 64);
    if (values.size() > 16) trial.Cover("more than 16 values");
    if (values.size() > 1 && std::count(values.begin(), values.end(), values[0]) ==
                                 static_cast<std::ptrdiff_t>(values.size()))
      trial.Cover("equal values");
    attr.set_output_scales(mask, values);
    if (!ScalesAre(attr, mask, values, "get_output_scales()", trial)) return;
  }
}

// The requirement asks for the error at the setter, the portable profile for one in the end.
void BadScalesAreRefused(const SeedCase& c, Trial& trial) {
  Random random(Mix(c.seed));
  const bool empty = random.Chance(50);
  const int mask = static_cast<int>(empty ? random.Between(0, 3) : random.Between(-9, -1));
  const std::vector<float> values(empty ? 0 : random.Between(1, 4), 2.f);
  trial.Cover(empty ? "no values" : "negative mask");
  primitive_attr attr;
  const auto done = Attempt([&] { attr.set_output_scales(mask, values); });
  const std::string call = "set_output_scales(" + std::to_string(mask) + ", " +
                           std::to_string(values.size()) + " values)";
  if (done) return trial.Deviate(call, "dnnl::error", "accepted");
  trial.Expect(done.refusal.is_error, call, "dnnl::error", done.refusal.ToString());
  ScalesAre(attr, 0, {1.f}, "after the refusal", trial);
}

void WildcardStandsAlone(const SeedCase& c, Trial& trial) {
  Random random(Mix(c.seed));
  std::vector<float> values(random.Between(2, 6), 1.f);
  values[random.Between(0, static_cast<int64_t>(values.size()) - 1)] = DNNL_RUNTIME_F32_VAL;
  primitive_attr attr;
  const auto alone = Attempt([&] { attr.set_output_scales(1, {DNNL_RUNTIME_F32_VAL}); });
  if (!alone) return trial.LeftOpen(alone.refusal, "set_output_scales with the wildcard");
  const auto mixed = Attempt([&] { attr.set_output_scales(1, values); });
  if (mixed) {
    trial.Deviate("set_output_scales with the wildcard among other values", "dnnl::error",
                  "accepted");
  } else {
    trial.Expect(mixed.refusal.is_error, "set_output_scales with the wildcard among other values",
                 "dnnl::error", mixed.refusal.ToString());
  }
}

// Per-argument scales and zero points: what is accepted comes back, the rest is an error.
void PerArgumentValuesComeBack(const SeedCase& c, Trial& trial) {
  Random random(Mix(c.seed));
  const int arg = random.Pick(
      {DNNL_ARG_SRC, DNNL_ARG_DST, DNNL_ARG_WEIGHTS, DNNL_ARG_SRC_1, DNNL_ARG_DIFF_SRC});
  const int mask = random.Chance(60) ? 0 : static_cast<int>(random.Between(1, 15));
  const int64_t count = mask == 0 && random.Chance(80) ? 1 : random.Between(1, 6);
  const int other_mask = mask ^ 2;
  primitive_attr attr;
  int got_mask = -1;
  const std::vector<float> scales(count,
                                  FloatOf(static_cast<uint32_t>(random.Between(1, 1 << 30))));
  const auto scaled = Attempt([&] { attr.set_scales(arg, mask, scales); });
  if (scaled) {
    trial.Cover("scales");
    std::vector<float> got;
    attr.get_scales(arg, got_mask, got);
    trial.Expect(got_mask == mask && WordsOf(got) == WordsOf(scales), "get_scales()",
                 WordsOf(scales), WordsOf(got));
    const int other = arg == DNNL_ARG_SRC_1 ? DNNL_ARG_SRC : DNNL_ARG_SRC_1;
    if (Attempt([&] { attr.set_scales(other, 0, {3.f}); })) {
      attr.get_scales(arg, got_mask, got);
      trial.Expect(got_mask == mask && WordsOf(got) == WordsOf(scales),
                   "get_scales() after those of another argument are set", WordsOf(scales),
                   WordsOf(got));
    }
    if (Attempt([&] { attr.set_scales(arg, other_mask, scales); })) {
      attr.get_scales(arg, got_mask, got);
      trial.Expect(got_mask == other_mask && WordsOf(got) == WordsOf(scales),
                   "get_scales() after the same are set with another mask",
                   std::to_string(other_mask), std::to_string(got_mask));
    }
  } else {
    trial.Expect(scaled.refusal.is_error, "set_scales", "dnnl::error", scaled.refusal.ToString());
  }
  const std::vector<int32_t> points(count, static_cast<int32_t>(random.Between(-99, 99)));
  const auto shifted = Attempt([&] { attr.set_zero_points(arg, mask, points); });
  if (shifted) {
    trial.Cover("zero points");
    ZeroPoints got{got_mask, {}};
    ExpectZeroPoints(attr, arg, {mask, points}, "", &got, trial);
    const int other = arg == DNNL_ARG_DST ? DNNL_ARG_SRC : DNNL_ARG_DST;
    if (Attempt([&] { attr.set_zero_points(other, 0, {7}); })) {
      ExpectZeroPoints(attr, arg, {mask, points},
                       " after those of " + NameOfArgument(other) + " are set", &got, trial);
    }
    if (Attempt([&] { attr.set_zero_points(arg, other_mask, points); })) {
      ExpectZeroPoints(attr, arg, {other_mask, points}, " after the same are set with another mask",
                       &got, trial);
    }
  } else {
    trial.Expect(shifted.refusal.is_error, "set_zero_points", "dnnl::error",
                 shifted.refusal.ToString());
  }
}

// Into vectors that held `held` values before.
void ExpectNeutral(const primitive_attr& attr, const std::vector<int>& unset, size_t held,
                   Trial& trial) {
  for (int arg : unset) {
    int mask = -1;
    std::vector<float> scales(held, 7.f);
    std::vector<int32_t> points(held, 9);
    const std::string of =
        " of " + NameOfArgument(arg) + ", into a vector of " + std::to_string(held) + " values";
    const auto scaled = Attempt([&] { attr.get_scales(arg, mask, scales); });
    if (scaled) {
      trial.Expect(mask == 0 && scales == std::vector<float>({1.f}), "scales" + of,
                   "mask 0, value 1", "mask " + std::to_string(mask));
    } else {
      trial.Expect(scaled.refusal.is_error, "scales" + of, "dnnl::error",
                   scaled.refusal.ToString());
    }
    const auto shifted = Attempt([&] { attr.get_zero_points(arg, mask, points); });
    if (shifted) {
      trial.Expect(mask == 0 && points == std::vector<int32_t>({0}), "zero points" + of,
                   "mask 0, value 0", "mask " + std::to_string(mask));
    } else {
      trial.Expect(shifted.refusal.is_error, "zero points" + of, "dnnl::error",
                   shifted.refusal.ToString());
    }
  }
}

void UnsetValuesAreNeutral(const NoParameters&, Trial& trial) {
  primitive_attr attr;
  for (const size_t held : {0, 1, 3})
    ExpectNeutral(attr, {DNNL_ARG_SRC, DNNL_ARG_DST, DNNL_ARG_WEIGHTS}, held, trial);
  // With values of another argument, where they are accepted.
  Attempt([&] { attr.set_scales(DNNL_ARG_SRC, 0, {2.f}); });
  Attempt([&] { attr.set_zero_points(DNNL_ARG_SRC, 0, {3}); });
  for (const size_t held : {0, 1, 3})
    ExpectNeutral(attr, {DNNL_ARG_DST, DNNL_ARG_WEIGHTS}, held, trial);
}

const bool defined[] = {
    Define(spec::ATTR_001, "getters", DefaultsAreNeutral),
    Define(spec::ATTR_005, "", Seeds(), WellFormedIsTaken),
    Define(spec::ATTR_007, "", Seeds(), ModesComeBack),
    Define(spec::ATTR_020, "", Seeds(), OutputScalesComeBack,
           {"more than 16 values", "equal values"}),
    Define(spec::ATTR_026, "", Seeds(), BadScalesAreRefused, {"no values", "negative mask"}),
    Define(spec::ATTR_033, "", Seeds(), WildcardStandsAlone),
    Define(spec::ATTR_060, "", Seeds(), PerArgumentValuesComeBack),
    Define(spec::ATTR_061, "", UnsetValuesAreNeutral),
};

}  // namespace
}  // namespace conformance
