// Post-ops as containers: ATTR-040 to ATTR-046, ATTR-052.
#include <algorithm>
#include <cfloat>
#include <climits>
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
using dnnl::memory;
using dnnl::post_ops;
using dnnl::primitive_attr;

constexpr algorithm kEltwise[] = {algorithm::eltwise_relu,
                                  algorithm::eltwise_tanh,
                                  algorithm::eltwise_elu,
                                  algorithm::eltwise_square,
                                  algorithm::eltwise_abs,
                                  algorithm::eltwise_sqrt,
                                  algorithm::eltwise_swish,
                                  algorithm::eltwise_linear,
                                  algorithm::eltwise_bounded_relu,
                                  algorithm::eltwise_soft_relu,
                                  algorithm::eltwise_logistic,
                                  algorithm::eltwise_exp,
                                  algorithm::eltwise_gelu_tanh,
                                  algorithm::eltwise_gelu_erf,
                                  algorithm::eltwise_log,
                                  algorithm::eltwise_clip,
                                  algorithm::eltwise_pow,
                                  algorithm::eltwise_round,
                                  algorithm::eltwise_relu_use_dst_for_bwd,
                                  algorithm::eltwise_tanh_use_dst_for_bwd,
                                  algorithm::eltwise_elu_use_dst_for_bwd,
                                  algorithm::eltwise_sqrt_use_dst_for_bwd,
                                  algorithm::eltwise_logistic_use_dst_for_bwd,
                                  algorithm::eltwise_exp_use_dst_for_bwd};

// A post-op as it was appended.
struct Appended {
  bool sum;
  float scale, alpha, beta;
  algorithm kind;
  memory::data_type type;
};

// A number of any exponent, all bits of the fraction, and now and then zero or the largest.
float AnyPositive(Random& random) {
  if (random.Chance(10)) return random.Pick({0.f, 1.f, FLT_MAX, FLT_MIN});
  return FloatOf(static_cast<uint32_t>(random.Between(0x00000001, 0x7f7fffff)));
}

// alpha and beta are such as every algorithm has a use for: 0 <= alpha <= beta.
Appended Append(Random& random, post_ops* ops) {
  Appended op{random.Chance(50),     AnyScales(random, 1)[0], 0, 0,
              random.Pick(kEltwise), memory::data_type::undef};
  op.alpha = static_cast<float>(random.Between(0, 8000)) / 8;
  op.beta = op.alpha + static_cast<float>(random.Between(0, 8000)) / 16;
  if (random.Chance(50)) {
    op.alpha = AnyPositive(random);
    op.beta = AnyPositive(random);
    if (op.beta < op.alpha) std::swap(op.alpha, op.beta);
  }
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
      if (!ExpectType(trial, at + ", data type", op.type, type) ||
          !trial.Expect(WordOf(again) == WordOf(op.scale), at + ", scale alone",
                        WordsOf({op.scale}), WordsOf({again})))
        return false;
    } else {
      algorithm got = algorithm::undef;
      ops.get_params_eltwise(index, scale, got, alpha, beta);
      if (!trial.Expect(got == op.kind, at + ", algorithm", "as appended", "another") ||
          !trial.Expect(WordsOf({alpha, beta}) == WordsOf({op.alpha, op.beta}),
                        at + ", alpha and beta", WordsOf({op.alpha, op.beta}),
                        WordsOf({alpha, beta})))
        return false;
    }
    if (!trial.Expect(WordOf(scale) == WordOf(op.scale), at + ", scale", WordsOf({op.scale}),
                      WordsOf({scale})))
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

const bool defined[] = {
    Define(spec::ATTR_040, "", Seeds(), AppendsAreCountedInOrder),
    Define(spec::ATTR_041, "", Seeds(), KindsAndIndices),
    Define(spec::ATTR_042, "", Seeds(), ParametersComeBack),
    Define(spec::ATTR_043, "", Seeds(), WrongParametersAreRefused),
    Define(spec::ATTR_044, "", OnlyEltwiseAlgorithmsAreAppended),
    Define(spec::ATTR_045, "", Seeds(), SettingTakesASnapshot),
    Define(spec::ATTR_046, "", Seeds(), PostOpsComeBack),
    Define(spec::ATTR_052, "", ThirtyTwoCanBeAppended),
};

}  // namespace
}  // namespace conformance
