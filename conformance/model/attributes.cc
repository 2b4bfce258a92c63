// Attributes and post-ops as containers: ATTR-001 to ATTR-007, ATTR-020, ATTR-026, ATTR-033,
// ATTR-040 to ATTR-046, ATTR-052, ATTR-060, ATTR-061.
#include <climits>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "conformance/case/property.h"
#include "conformance/gen/values.h"
#include "conformance/model/cases.h"
#include "conformance/subject/attempt.h"
#include "conformance/subject/expect.h"
#include "oneapi/dnnl/dnnl.hpp"
#include "spec/requirements.h"

namespace conformance {
namespace {

using dnnl::algorithm;
using dnnl::memory;
using dnnl::post_ops;
using dnnl::primitive_attr;
using dnnl::scratchpad_mode;

std::string Words(const std::vector<float>& values) {
  std::string text;
  for (float value : values) text += (text.empty() ? "" : ",") + std::to_string(WordOf(value));
  return "{" + text + "}";
}

struct Scales {
  int mask = -1;
  std::vector<float> values;
};

Scales ScalesOf(const primitive_attr& attr) {
  Scales scales;
  attr.get_output_scales(scales.mask, scales.values);
  return scales;
}

// Any bits but the run-time wildcard's.
std::vector<float> AnyScales(Random& random, int64_t most) {
  std::vector<float> values(random.Between(1, most));
  for (float& value : values) {
    uint32_t word = static_cast<uint32_t>(random.Bits());
    if (random.Chance(20)) word |= 0x7f800000;  // infinities and NaNs
    if (word == WordOf(DNNL_RUNTIME_F32_VAL)) word = 0;
    value = FloatOf(word);
  }
  return values;
}

bool ScalesAre(const primitive_attr& attr, int mask, const std::vector<float>& values,
               const std::string& where, Trial& trial) {
  const Scales got = ScalesOf(attr);
  return trial.Expect(got.mask == mask, where + ", mask", std::to_string(mask),
                      std::to_string(got.mask)) &&
         trial.Expect(Words(got.values) == Words(values), where + ", values", Words(values),
                      Words(got.values));
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
  if (!alone) return trial.NotRun("run-time scales are refused");
  const auto mixed = Attempt([&] { attr.set_output_scales(1, values); });
  if (mixed) {
    trial.Deviate("set_output_scales with the wildcard among other values", "dnnl::error",
                  "accepted");
  } else {
    trial.Expect(mixed.refusal.is_error, "set_output_scales with the wildcard among other values",
                 "dnnl::error", mixed.refusal.ToString());
  }
}

constexpr algorithm kEltwise[] = {
    algorithm::eltwise_relu,      algorithm::eltwise_tanh,     algorithm::eltwise_elu,
    algorithm::eltwise_square,    algorithm::eltwise_abs,      algorithm::eltwise_sqrt,
    algorithm::eltwise_swish,     algorithm::eltwise_linear,   algorithm::eltwise_bounded_relu,
    algorithm::eltwise_soft_relu, algorithm::eltwise_logistic, algorithm::eltwise_exp,
    algorithm::eltwise_gelu_tanh, algorithm::eltwise_gelu_erf, algorithm::eltwise_log,
    algorithm::eltwise_clip,      algorithm::eltwise_pow,      algorithm::eltwise_round};

// A post-op as it was appended.
struct Appended {
  bool sum;
  float scale, alpha, beta;
  algorithm kind;
  memory::data_type type;
};

// alpha and beta are such as every algorithm has a use for: 0 <= alpha <= beta.
Appended Append(Random& random, post_ops* ops) {
  Appended op{random.Chance(50),     AnyScales(random, 1)[0], 0, 0,
              random.Pick(kEltwise), memory::data_type::undef};
  op.alpha = static_cast<float>(random.Between(0, 8000)) / 8;
  op.beta = op.alpha + static_cast<float>(random.Between(0, 8000)) / 16;
  if (!op.sum) {
    ops->append_eltwise(op.scale, op.kind, op.alpha, op.beta);
  } else if (random.Chance(50)) {
    ops->append_sum(op.scale);
  } else {
    op.type = random.Pick({memory::data_type::s8, memory::data_type::u8, memory::data_type::f32});
    ops->append_sum(op.scale, op.type);
  }
  return op;
}

bool Holds(const post_ops& ops, const std::vector<Appended>& appended, const std::string& where,
           Trial& trial) {
  if (!trial.Expect(ops.len() == static_cast<int>(appended.size()), where + ", len()",
                    std::to_string(appended.size()), std::to_string(ops.len())))
    return false;
  for (size_t i = 0; i < appended.size(); ++i) {
    const Appended& op = appended[i];
    const int index = static_cast<int>(i);
    const std::string at = where + ", post-op " + std::to_string(i);
    const auto kind = op.sum ? dnnl::primitive::kind::sum : dnnl::primitive::kind::eltwise;
    if (!trial.Expect(ops.kind(index) == kind, at + ", kind", op.sum ? "sum" : "eltwise",
                      "another"))
      return false;
    float scale = 0, alpha = 0, beta = 0;
    if (op.sum) {
      memory::data_type type = memory::data_type::f16;
      float again = 0;
      ops.get_params_sum(index, scale, type);
      ops.get_params_sum(index, again);
      if (!trial.Expect(type == op.type, at + ", data type", "as appended", "another") ||
          !trial.Expect(WordOf(again) == WordOf(op.scale), at + ", scale alone", Words({op.scale}),
                        Words({again})))
        return false;
    } else {
      algorithm got = algorithm::undef;
      ops.get_params_eltwise(index, scale, got, alpha, beta);
      if (!trial.Expect(got == op.kind, at + ", algorithm", "as appended", "another") ||
          !trial.Expect(Words({alpha, beta}) == Words({op.alpha, op.beta}), at + ", alpha and beta",
                        Words({op.alpha, op.beta}), Words({alpha, beta})))
        return false;
    }
    if (!trial.Expect(WordOf(scale) == WordOf(op.scale), at + ", scale", Words({op.scale}),
                      Words({scale})))
      return false;
  }
  return true;
}

std::vector<Appended> AppendSome(Random& random, int64_t most, post_ops* ops) {
  std::vector<Appended> appended;
  for (int64_t k = random.Between(1, most); k-- > 0;) appended.push_back(Append(random, ops));
  return appended;
}

void AppendsAreCountedInOrder(const SeedCase& c, Trial& trial) {
  Random random(Mix(c.seed));
  post_ops ops;
  trial.Expect(ops.len() == 0, "len() of post_ops()", "0", std::to_string(ops.len()));
  for (int k = 1; k <= static_cast<int>(random.Between(1, 8)); ++k) {
    const bool sum = Append(random, &ops).sum;
    trial.Expect(ops.len() == k, "len()", std::to_string(k), std::to_string(ops.len()));
    const auto kind = sum ? dnnl::primitive::kind::sum : dnnl::primitive::kind::eltwise;
    trial.Expect(ops.kind(k - 1) == kind, "kind of the last", sum ? "sum" : "eltwise", "another");
  }
}

void KindsAndIndices(const SeedCase& c, Trial& trial) {
  Random random(Mix(c.seed));
  post_ops ops;
  const std::vector<Appended> appended = AppendSome(random, 6, &ops);
  for (size_t i = 0; i < appended.size(); ++i) {
    const auto kind = appended[i].sum ? dnnl::primitive::kind::sum : dnnl::primitive::kind::eltwise;
    trial.Expect(ops.kind(static_cast<int>(i)) == kind, "kind(" + std::to_string(i) + ")",
                 appended[i].sum ? "sum" : "eltwise", "another");
  }
  std::vector<int> outside = {ops.len(), ops.len() + 1, INT_MAX};
  if (trial.project()) outside.insert(outside.end(), {-1, INT_MIN});
  for (int index : outside) {
    const auto asked = Attempt([&] { return ops.kind(index); });
    trial.Expect(!asked && asked.refusal.is_error, "kind(" + std::to_string(index) + ")",
                 "dnnl::error", asked ? "a kind" : asked.refusal.ToString());
  }
}

void ParametersComeBack(const SeedCase& c, Trial& trial) {
  Random random(Mix(c.seed));
  post_ops ops, plain;
  const std::vector<Appended> appended = AppendSome(random, 6, &ops);
  Holds(ops, appended, "post_ops", trial);
  plain.append_sum();
  Holds(plain, {{true, 1.f, 0.f, 0.f, algorithm::undef, memory::data_type::undef}}, "append_sum()",
        trial);
}

void WrongParametersAreRefused(const SeedCase& c, Trial& trial) {
  Random random(Mix(c.seed));
  post_ops ops;
  const std::vector<Appended> appended = AppendSome(random, 6, &ops);
  const auto sum = [&](int index) {
    return Attempt([&] {
      float scale = 0;
      ops.get_params_sum(index, scale);
    });
  };
  const auto eltwise = [&](int index) {
    return Attempt([&] {
      float scale = 0, alpha = 0, beta = 0;
      algorithm got = algorithm::undef;
      ops.get_params_eltwise(index, scale, got, alpha, beta);
    });
  };
  for (size_t i = 0; i < appended.size(); ++i) {
    const int index = static_cast<int>(i);
    const auto done = appended[i].sum ? eltwise(index) : sum(index);
    ExpectRefused(trial, done,
                  appended[i].sum ? "get_params_eltwise of a sum" : "get_params_sum of an eltwise");
  }
  for (int index : {-1, ops.len(), ops.len() + 1, INT_MAX, INT_MIN}) {
    for (const bool of_sum : {true, false}) {
      const auto done = of_sum ? sum(index) : eltwise(index);
      ExpectRefused(trial, done,
                    std::string(of_sum ? "get_params_sum(" : "get_params_eltwise(") +
                        std::to_string(index) + ") of " + std::to_string(ops.len()));
    }
  }
}

void OnlyEltwiseAlgorithmsAreAppended(const NoParameters&, Trial& trial) {
  for (algorithm wrong : {algorithm::undef,
                          algorithm::convolution_auto,
                          algorithm::convolution_direct,
                          algorithm::convolution_winograd,
                          algorithm::deconvolution_direct,
                          algorithm::deconvolution_winograd,
                          algorithm::lrn_across_channels,
                          algorithm::lrn_within_channel,
                          algorithm::pooling_max,
                          algorithm::pooling_avg,
                          algorithm::vanilla_rnn,
                          algorithm::vanilla_lstm,
                          algorithm::vanilla_gru,
                          algorithm::lbr_gru,
                          algorithm::binary_add,
                          algorithm::binary_mul,
                          algorithm::binary_max,
                          algorithm::binary_min,
                          algorithm::resampling_nearest,
                          algorithm::resampling_linear}) {
    post_ops ops;
    const auto done = Attempt([&] { ops.append_eltwise(1.f, wrong, 0.f, 0.f); });
    ExpectRefused(trial, done,
                  "append_eltwise(algorithm " + std::to_string(static_cast<int>(wrong)) + ")");
    trial.Expect(ops.len() == 0, "len() afterwards", "0", std::to_string(ops.len()));
  }
  for (algorithm right : kEltwise) {
    post_ops ops;
    const auto done = Attempt([&] { ops.append_eltwise(1.f, right, 0.f, 0.f); });
    ExpectAccepted(trial, done,
                   "append_eltwise(algorithm " + std::to_string(static_cast<int>(right)) + ")");
  }
}

void SettingTakesASnapshot(const SeedCase& c, Trial& trial) {
  Random random(Mix(c.seed));
  post_ops ops;
  const std::vector<Appended> appended = AppendSome(random, 4, &ops);
  primitive_attr attr;
  attr.set_post_ops(ops);
  if (!Holds(ops, appended, "the post-ops that were given", trial)) return;
  ops.append_sum(5.f);
  const post_ops got = attr.get_post_ops();
  Holds(got, appended, "get_post_ops() after a later append", trial);
}

void PostOpsComeBack(const SeedCase& c, Trial& trial) {
  Random random(Mix(c.seed));
  primitive_attr attr;
  for (int k = 0; k < 2; ++k) {
    post_ops ops;
    const std::vector<Appended> appended = AppendSome(random, 8, &ops);
    attr.set_post_ops(ops);
    const post_ops got = attr.get_post_ops();
    if (!Holds(got, appended, "get_post_ops()", trial)) return;
  }
  attr.set_post_ops(post_ops());
  Holds(attr.get_post_ops(), {}, "get_post_ops() after none were set", trial);
}

void ThirtyTwoCanBeAppended(const NoParameters&, Trial& trial) {
  constexpr int kLeast = 32, kTried = 200;
  post_ops ops;
  for (int k = 0; k < kTried; ++k) {
    const auto done = Attempt([&] { ops.append_sum(static_cast<float>(k)); });
    if (!done) {
      trial.Record("post-ops", std::to_string(k) + " at most");
      trial.Expect(done.refusal.is_error, "append_sum", "dnnl::error", done.refusal.ToString());
      if (k < kLeast) trial.Deviate("append_sum", "32 times", std::to_string(k) + " times");
      trial.Expect(ops.len() == k, "len() after the refusal", std::to_string(k),
                   std::to_string(ops.len()));
      return;
    }
    trial.Expect(ops.len() == k + 1, "len()", std::to_string(k + 1), std::to_string(ops.len()));
  }
  trial.Record("post-ops", "200 or more");
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
    trial.Expect(got_mask == mask && Words(got) == Words(scales), "get_scales()", Words(scales),
                 Words(got));
    const int other = arg == DNNL_ARG_SRC_1 ? DNNL_ARG_SRC : DNNL_ARG_SRC_1;
    if (Attempt([&] { attr.set_scales(other, 0, {3.f}); })) {
      attr.get_scales(arg, got_mask, got);
      trial.Expect(got_mask == mask && Words(got) == Words(scales),
                   "get_scales() after those of another argument are set", Words(scales),
                   Words(got));
    }
    if (Attempt([&] { attr.set_scales(arg, other_mask, scales); })) {
      attr.get_scales(arg, got_mask, got);
      trial.Expect(got_mask == other_mask && Words(got) == Words(scales),
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
    std::vector<int32_t> got;
    attr.get_zero_points(arg, got_mask, got);
    trial.Expect(got_mask == mask && got == points, "get_zero_points()", "what was set", "another");
    const int other = arg == DNNL_ARG_DST ? DNNL_ARG_SRC : DNNL_ARG_DST;
    if (Attempt([&] { attr.set_zero_points(other, 0, {7}); })) {
      attr.get_zero_points(arg, got_mask, got);
      trial.Expect(got_mask == mask && got == points,
                   "get_zero_points() after those of another argument are set", "what was set",
                   "another");
    }
    if (Attempt([&] { attr.set_zero_points(arg, other_mask, points); })) {
      attr.get_zero_points(arg, got_mask, got);
      trial.Expect(got_mask == other_mask && got == points,
                   "get_zero_points() after the same are set with another mask",
                   std::to_string(other_mask), std::to_string(got_mask));
    }
  } else {
    trial.Expect(shifted.refusal.is_error, "set_zero_points", "dnnl::error",
                 shifted.refusal.ToString());
  }
}

void ExpectNeutral(const primitive_attr& attr, const std::vector<int>& unset, Trial& trial) {
  for (int arg : unset) {
    int mask = -1;
    std::vector<float> scales;
    std::vector<int32_t> points;
    const std::string of = " of argument " + std::to_string(arg);
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
  ExpectNeutral(attr, {DNNL_ARG_SRC, DNNL_ARG_DST, DNNL_ARG_WEIGHTS}, trial);
  // With values of another argument, where they are accepted.
  Attempt([&] { attr.set_scales(DNNL_ARG_SRC, 0, {2.f}); });
  Attempt([&] { attr.set_zero_points(DNNL_ARG_SRC, 0, {3}); });
  ExpectNeutral(attr, {DNNL_ARG_DST, DNNL_ARG_WEIGHTS}, trial);
}

const bool defined[] = {
    Define(spec::ATTR_001, "getters", DefaultsAreNeutral),
    Define(spec::ATTR_005, "", Seeds(), WellFormedIsTaken),
    Define(spec::ATTR_007, "", Seeds(), ModesComeBack),
    Define(spec::ATTR_020, "", Seeds(), OutputScalesComeBack, {"more than 16 values"}),
    Define(spec::ATTR_026, "", Seeds(), BadScalesAreRefused, {"no values", "negative mask"}),
    Define(spec::ATTR_033, "", Seeds(), WildcardStandsAlone),
    Define(spec::ATTR_040, "", Seeds(), AppendsAreCountedInOrder),
    Define(spec::ATTR_041, "", Seeds(), KindsAndIndices),
    Define(spec::ATTR_042, "", Seeds(), ParametersComeBack),
    Define(spec::ATTR_043, "", Seeds(), WrongParametersAreRefused),
    Define(spec::ATTR_044, "", OnlyEltwiseAlgorithmsAreAppended),
    Define(spec::ATTR_045, "", Seeds(), SettingTakesASnapshot),
    Define(spec::ATTR_046, "", Seeds(), PostOpsComeBack),
    Define(spec::ATTR_052, "", ThirtyTwoCanBeAppended),
    Define(spec::ATTR_060, "", Seeds(), PerArgumentValuesComeBack),
    Define(spec::ATTR_061, "", UnsetValuesAreNeutral),
};

}  // namespace
}  // namespace conformance
