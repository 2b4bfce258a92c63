// Enumerators that a call does not take, and numbers that are none: PRIM-017, PRIM-018.
#include <algorithm>
#include <climits>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "conformance/case/property.h"
#include "conformance/gen/choice.h"
#include "conformance/model/cases.h"
#include "conformance/model/holder.h"
#include "conformance/model/samples.h"
#include "conformance/subject/attempt.h"
#include "conformance/subject/device.h"
#include "conformance/subject/expect.h"
#include "oneapi/dnnl/dnnl.hpp"
#include "spec/requirements.h"

namespace conformance {
namespace {

using dnnl::memory;
using dnnl::prop_kind;
using dnnl::query;
using Desc = memory::desc;
using Forward = dnnl::shuffle_forward;

void KindsOutsideTheListAreRefused(const SeedCase& c, Trial& trial) {
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  Random random(Mix(c.seed));
  const Desc data({random.Between(1, 4), random.Between(1, 12)}, memory::data_type::f32,
                  memory::format_tag::ab);
  const auto make = [&](prop_kind kind) {
    return Attempt(
        [&] { return Forward::primitive_desc(Forward::desc(kind, data, 1, 1), device->engine); });
  };
  for (const prop_kind kind : {prop_kind::forward_training, prop_kind::forward_inference,
                               prop_kind::forward_scoring, prop_kind::forward}) {
    const auto made = make(kind);
    trial.Expect(static_cast<bool>(made),
                 "shuffle_forward with prop_kind " + std::to_string(static_cast<int>(kind)),
                 "created", made.refusal.ToString());
  }
  for (const prop_kind kind : {prop_kind::undef, prop_kind::backward, prop_kind::backward_data,
                               prop_kind::backward_weights, prop_kind::backward_bias}) {
    const auto made = make(kind);
    ExpectRefused(trial, made,
                  "shuffle_forward with prop_kind " + std::to_string(static_cast<int>(kind)));
  }
}

// PRIM-018: integers that name no enumerator of the 2.6.3 header, nor of the specification's.
void UnknownEnumeratorsAreErrors(const SeedCase& c, Trial& trial) {
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  Random random(Mix(c.seed));
  const int value =
      static_cast<int>(random.Pick({random.Between(100000, 9999999), random.Between(-1000, -1),
                                    int64_t{INT_MAX}, int64_t{INT_MIN}}));
  // Just behind the types that there are, other headers have more.
  const int type =
      trial.project() && random.Chance(60) ? static_cast<int>(random.Between(8, 255)) : value;
  const auto data_type = static_cast<memory::data_type>(type);
  // Just behind the kinds of engine and the modes of scratchpads.
  const bool near = trial.project() && random.Chance(60);
  const int kind = near ? static_cast<int>(random.Between(3, 255)) : value;
  const memory::dims dims{random.Between(1, 4), random.Between(1, 4)};
  const Desc desc(dims, memory::data_type::f32, memory::format_tag::ab);
  const auto sample = SampleOf({"reorder", c.seed}, trial);
  if (!sample) return;
  const std::pair<const char*, std::function<void()>> calls[] = {
      {"desc(.., data_type)", [&] { Desc(dims, data_type, memory::format_tag::ab); }},
      {"desc(.., data_type, strides)",
       [&] {
         Desc(dims, data_type, memory::dims{dims[1], 1});
       }},
      {"desc(.., data_type, any)", [&] { Desc(dims, data_type, memory::format_tag::any); }},
      // Refused when it is appended, or where it is used.
      {"append_sum(.., data_type)",
       [&] {
         dnnl::post_ops ops;
         ops.append_sum(1.f, data_type);
         dnnl::primitive_attr attr;
         attr.set_post_ops(ops);
         dnnl::reorder::primitive_desc(device->engine, desc, device->engine, desc, attr);
       }},
      {"desc(.., format_tag)",
       [&] { Desc(dims, memory::data_type::f32, static_cast<memory::format_tag>(value)); }},
      {"engine(kind, 0)", [&] { dnnl::engine(static_cast<dnnl::engine::kind>(kind), 0); }},
      {"shuffle_forward(prop_kind, ..)",
       [&] {
         Forward::primitive_desc(Forward::desc(static_cast<dnnl::prop_kind>(value), desc, 1, 1),
                                 device->engine);
       }},
      {"query_md(what)", [&] { sample->pd.query_md(static_cast<query>(value)); }},
      {"set_scratchpad_mode(mode)",
       [&] {
         dnnl::primitive_attr().set_scratchpad_mode(static_cast<dnnl::scratchpad_mode>(kind));
       }},
      {"append_eltwise(.., algorithm)",
       [&] {
         dnnl::post_ops().append_eltwise(1.f, static_cast<dnnl::algorithm>(value), 0.f, 0.f);
       }},
  };
  for (const auto& [name, call] : calls) {
    const auto done = Attempt(call);
    ExpectRefused(trial, done, std::string(name) + " with a number that names none");
    if (trial.failed()) return;
  }
}

// A primitive that has a propagation kind, made for a number of one; may throw.
struct Directed {
  const char* name;
  const char* topic;
  void (*make)(prop_kind kind, const dnnl::engine& engine);
};

constexpr Directed kDirected[] = {
    {"shuffle", "shuffle",
     [](prop_kind kind, const dnnl::engine& engine) {
       Forward::primitive_desc(Forward::desc(kind, Rows({2, 6}), 1, 3), engine);
     }},
    {"eltwise", "eltwise",
     [](prop_kind kind, const dnnl::engine& engine) {
       using Eltwise = dnnl::eltwise_forward;
       Eltwise::primitive_desc(
           Eltwise::desc(kind, dnnl::algorithm::eltwise_relu, Rows({2, 6}), 0.f, 0.f), engine);
     }},
    {"inner-product", "inner_product",
     [](prop_kind kind, const dnnl::engine& engine) {
       using Product = dnnl::inner_product_forward;
       Product::primitive_desc(Product::desc(kind, Rows({2, 6}), Rows({3, 6}), Rows({2, 3})),
                               engine);
     }},
    {"inner-product-with-bias", "inner_product",
     [](prop_kind kind, const dnnl::engine& engine) {
       using Product = dnnl::inner_product_forward;
       Product::primitive_desc(
           Product::desc(kind, Rows({2, 6}), Rows({3, 6}), Rows({3}), Rows({2, 3})), engine);
     }},
    {"convolution", "convolution",
     [](prop_kind kind, const dnnl::engine& engine) {
       using Convolution = dnnl::convolution_forward;
       const memory::dims ones{1, 1}, none{0, 0};
       Convolution::primitive_desc(
           Convolution::desc(kind, dnnl::algorithm::convolution_direct, Rows({1, 2, 3, 3}),
                             Rows({4, 2, 1, 1}), Rows({1, 4, 3, 3}), ones, none, none),
           engine);
     }},
    {"convolution-with-bias", "convolution",
     [](prop_kind kind, const dnnl::engine& engine) {
       using Convolution = dnnl::convolution_forward;
       const memory::dims ones{1, 1}, none{0, 0};
       Convolution::primitive_desc(
           Convolution::desc(kind, dnnl::algorithm::convolution_direct, Rows({1, 2, 3, 3}),
                             Rows({4, 2, 1, 1}), Rows({4}), Rows({1, 4, 3, 3}), ones, none, none),
           engine);
     }},
};

constexpr prop_kind kForwardKinds[] = {prop_kind::forward_training, prop_kind::forward_inference};

// A group of numbers: 16 from a start on, or those of forward kinds with one more bit.
struct Numbers {
  std::string name;
  std::vector<int> numbers;
};

const std::vector<Numbers>& GroupsOfNumbers() {
  static const auto* const all = [] {
    auto* const groups = new std::vector<Numbers>;
    for (int start = -16; start < 0x110; start += 16) {
      groups->push_back({"from" + std::to_string(start), {}});
      for (int k = 0; k < 16; ++k) groups->back().numbers.push_back(start + k);
    }
    groups->push_back({"bits", {INT_MIN, INT_MAX, -1}});
    for (int bit = 8; bit < 31; ++bit)
      for (const prop_kind kind : kForwardKinds)
        groups->back().numbers.push_back(static_cast<int>(kind) | 1 << bit);
    return groups;
  }();
  return *all;
}

std::vector<std::string> NamesOfNumbers() {
  std::vector<std::string> names;
  for (const Directed& primitive : kDirected)
    for (const Numbers& group : GroupsOfNumbers())
      names.push_back(primitive.name + (":" + group.name));
  return names;
}

// Every number around those of propagation kinds, backward ones among them.
void OnlyForwardKindsAreForward(const Choice& choice, Trial& trial) {
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  const std::string name = choice.what.substr(0, choice.what.find(':'));
  const auto primitive = std::find_if(std::begin(kDirected), std::end(kDirected),
                                      [&](const Directed& one) { return one.name == name; });
  const auto made = [&](prop_kind kind) {
    return Attempt([&] {
      primitive->make(kind, device->engine);
      return true;
    });
  };
  for (const prop_kind kind : kForwardKinds)
    if (const auto known = made(kind); !known)
      return trial.Refused(known.refusal, {primitive->topic, "forward", {"f32"}, 2, {}});
  for (const Numbers& group : GroupsOfNumbers()) {
    if (name + ":" + group.name != choice.what) continue;
    for (const int number : group.numbers) {
      const auto kind = static_cast<prop_kind>(number);
      if (std::count(std::begin(kForwardKinds), std::end(kForwardKinds), kind) > 0) continue;
      if (!ExpectRefused(trial, made(kind), name + " with prop_kind " + std::to_string(number)))
        return;
    }
  }
}

std::vector<std::string> NamesOfDirected() {
  std::vector<std::string> names;
  for (const Directed& primitive : kDirected) names.emplace_back(primitive.name);
  return names;
}

// PRIM-017 of every primitive that has one: the enumerators.
void ListedKindsAreForward(const Choice& choice, Trial& trial) {
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  const auto* const primitive =
      std::find_if(std::begin(kDirected), std::end(kDirected),
                   [&](const Directed& one) { return one.name == choice.what; });
  const auto made = [&](prop_kind kind) {
    return Attempt([&] {
      primitive->make(kind, device->engine);
      return true;
    });
  };
  for (const prop_kind kind : {prop_kind::forward_training, prop_kind::forward_inference,
                               prop_kind::forward_scoring, prop_kind::forward})
    if (const auto known = made(kind); !known)
      return trial.LeftOpen(known.refusal, std::string(primitive->name));
  for (const prop_kind kind : {prop_kind::undef, prop_kind::backward, prop_kind::backward_data,
                               prop_kind::backward_weights, prop_kind::backward_bias})
    if (!ExpectRefused(trial, made(kind),
                       choice.what + " with prop_kind " + std::to_string(static_cast<int>(kind))))
      return;
}

// PRIM-018: an algorithm of a number that names none of the primitive's; may throw.
struct OfAlgorithm {
  const char* name;
  dnnl::algorithm known;
  void (*make)(dnnl::algorithm algorithm, const dnnl::engine& engine);
};

constexpr OfAlgorithm kOfAlgorithm[] = {
    {"eltwise", dnnl::algorithm::eltwise_relu,
     [](dnnl::algorithm algorithm, const dnnl::engine& engine) {
       using Eltwise = dnnl::eltwise_forward;
       Eltwise::primitive_desc(
           Eltwise::desc(prop_kind::forward_training, algorithm, Rows({2, 6}), 1.f, 1.f), engine);
     }},
    {"eltwise-backward", dnnl::algorithm::eltwise_relu,
     [](dnnl::algorithm algorithm, const dnnl::engine& engine) {
       using Hint = dnnl::eltwise_forward;
       using Backward = dnnl::eltwise_backward;
       const Hint::primitive_desc hint(
           Hint::desc(prop_kind::forward_training, dnnl::algorithm::eltwise_relu, Rows({2, 6}), 1.f,
                      1.f),
           engine);
       Backward::primitive_desc(Backward::desc(algorithm, Rows({2, 6}), Rows({2, 6}), 1.f, 1.f),
                                engine, hint);
     }},
    {"post-op", dnnl::algorithm::eltwise_relu,
     [](dnnl::algorithm algorithm, const dnnl::engine&) {
       dnnl::post_ops().append_eltwise(1.f, algorithm, 1.f, 1.f);
     }},
    {"convolution", dnnl::algorithm::convolution_direct,
     [](dnnl::algorithm algorithm, const dnnl::engine& engine) {
       using Convolution = dnnl::convolution_forward;
       const memory::dims ones{1, 1}, none{0, 0};
       Convolution::primitive_desc(
           Convolution::desc(prop_kind::forward_training, algorithm, Rows({1, 2, 3, 3}),
                             Rows({4, 2, 1, 1}), Rows({1, 4, 3, 3}), ones, none, none),
           engine);
     }},
};

std::vector<std::string> NamesOfAlgorithms() {
  std::vector<std::string> names;
  for (const OfAlgorithm& primitive : kOfAlgorithm) names.emplace_back(primitive.name);
  return names;
}

// Numbers that no header gives to an algorithm, most of them a known one with another bit.
void OnlyAlgorithmsAreTaken(const Choice& choice, Trial& trial) {
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  const auto* const primitive =
      std::find_if(std::begin(kOfAlgorithm), std::end(kOfAlgorithm),
                   [&](const OfAlgorithm& one) { return one.name == choice.what; });
  const auto made = [&](int number) {
    return Attempt([&] {
      primitive->make(static_cast<dnnl::algorithm>(number), device->engine);
      return true;
    });
  };
  const int known = static_cast<int>(primitive->known);
  if (const auto right = made(known); !right) return trial.LeftOpen(right.refusal, choice.what);
  // The headers' numbers are below 2^18: the highest are of resampling and reduction.
  std::vector<int> numbers = {0, -1, INT_MAX, INT_MIN, ~known, -known};
  for (int bit = 19; bit < 31; ++bit) numbers.insert(numbers.end(), {known | 1 << bit, 1 << bit});
  for (const int number : numbers)
    if (!ExpectRefused(trial, made(number),
                       choice.what + " with algorithm " + std::to_string(number)))
      return;
}

const bool defined[] = {
    Define(spec::PRIM_017, "", Seeds(), KindsOutsideTheListAreRefused),
    Define<Choice>(spec::PRIM_017, "kinds", Choices(NamesOfDirected()), ListedKindsAreForward),
    Define(spec::PRIM_018, "", Seeds(), UnknownEnumeratorsAreErrors),
    Define<Choice>(spec::PRIM_018, "algorithms", Choices(NamesOfAlgorithms()),
                   OnlyAlgorithmsAreTaken),
    Define<Choice>(spec::PRIM_018, "prop-kinds", Choices(NamesOfNumbers()),
                   OnlyForwardKindsAreForward),
};

}  // namespace
}  // namespace conformance
