// Forward hints of backward primitives that are empty: PRIM-016, ERR-018.
#include <string>
#include <type_traits>
#include <vector>

#include "conformance/case/property.h"
#include "conformance/gen/choice.h"
#include "conformance/model/holder.h"
#include "conformance/subject/attempt.h"
#include "conformance/subject/device.h"
#include "conformance/subject/expect.h"
#include "oneapi/dnnl/dnnl.hpp"
#include "spec/requirements.h"

namespace conformance {
namespace {

using dnnl::memory;
using dnnl::prop_kind;
using Desc = memory::desc;

// Each makes the operation descriptors of a backward primitive and of its hint; may throw.
struct OfShuffle {
  static constexpr const char* kTopic = "shuffle";
  using Forward = dnnl::shuffle_forward;
  static constexpr const char* kDirection = "backward";
  using Backward = dnnl::shuffle_backward;
  static Forward::desc Hint() { return {prop_kind::forward_training, Rows({2, 6}), 1, 3}; }
  static Backward::desc Of() { return {Rows({2, 6}), 1, 3}; }
};

struct OfEltwise {
  static constexpr const char* kTopic = "eltwise";
  using Forward = dnnl::eltwise_forward;
  static constexpr const char* kDirection = "backward";
  using Backward = dnnl::eltwise_backward;
  static constexpr auto kWhat = dnnl::algorithm::eltwise_relu;
  static Forward::desc Hint() {
    return {prop_kind::forward_training, kWhat, Rows({2, 6}), 0.f, 0.f};
  }
  static Backward::desc Of() { return {kWhat, Rows({2, 6}), Rows({2, 6}), 0.f, 0.f}; }
};

struct OfProduct {
  static constexpr const char* kTopic = "inner_product";
  using Forward = dnnl::inner_product_forward;
  static Forward::desc Hint() {
    return {prop_kind::forward_training, Rows({2, 6}), Rows({3, 6}), Rows({2, 3})};
  }
};

struct OfProductData : OfProduct {
  static constexpr const char* kDirection = "backward data";
  using Backward = dnnl::inner_product_backward_data;
  static Backward::desc Of() { return {Rows({2, 6}), Rows({3, 6}), Rows({2, 3})}; }
};

struct OfProductWeights : OfProduct {
  static constexpr const char* kDirection = "backward weights";
  using Backward = dnnl::inner_product_backward_weights;
  static Backward::desc Of() { return {Rows({2, 6}), Rows({3, 6}), Rows({2, 3})}; }
};

struct OfProductBias : OfProduct {
  static constexpr const char* kDirection = "backward weights";
  using Backward = dnnl::inner_product_backward_weights;
  static Backward::desc Of() { return {Rows({2, 6}), Rows({3, 6}), Rows({3}), Rows({2, 3})}; }
};

struct OfConvolution {
  static constexpr const char* kTopic = "convolution";
  using Forward = dnnl::convolution_forward;
  static constexpr auto kWhat = dnnl::algorithm::convolution_direct;
  static memory::dims Ones() { return {1, 1}; }
  static memory::dims None() { return {0, 0}; }
  static Desc Src() { return Rows({1, 2, 3, 3}); }
  static Desc Weights() { return Rows({4, 2, 1, 1}); }
  static Desc Dst() { return Rows({1, 4, 3, 3}); }
  static Forward::desc Hint() {
    return {prop_kind::forward_training, kWhat, Src(), Weights(), Dst(), Ones(), None(), None()};
  }
};

struct OfConvolutionData : OfConvolution {
  static constexpr const char* kDirection = "backward data";
  using Backward = dnnl::convolution_backward_data;
  static Backward::desc Of() { return {kWhat, Src(), Weights(), Dst(), Ones(), None(), None()}; }
};

struct OfConvolutionWeights : OfConvolution {
  static constexpr const char* kDirection = "backward weights";
  using Backward = dnnl::convolution_backward_weights;
  static Backward::desc Of() { return {kWhat, Src(), Weights(), Dst(), Ones(), None(), None()}; }
};

struct OfConvolutionBias : OfConvolution {
  static constexpr const char* kDirection = "backward weights";
  using Backward = dnnl::convolution_backward_weights;
  static Backward::desc Of() {
    return {kWhat, Src(), Weights(), Rows({4}), Dst(), Ones(), None(), None()};
  }
};

// How a hint becomes empty.
const std::vector<std::string>& Ways() {
  static const auto* const ways = new std::vector<std::string>{"default", "assigned", "allowed"};
  return *ways;
}

template <class Forward>
typename Forward::primitive_desc EmptyHint(const std::string& way,
                                           const typename Forward::primitive_desc& full,
                                           const typename Forward::desc& op,
                                           const dnnl::engine& engine) {
  if (way == "default") return {};
  if (way == "assigned") {
    const typename Forward::primitive_desc none;
    typename Forward::primitive_desc hint = full;
    hint = none;
    return hint;
  }
  // What could not be made (ATTR-062), and was allowed to be empty.
  dnnl::primitive_attr of_rnn;
  of_rnn.set_rnn_data_qparams(2, 3);
  using ForwardPd = typename Forward::primitive_desc;
  if constexpr (std::is_constructible_v<ForwardPd, decltype(op), dnnl::primitive_attr, dnnl::engine,
                                        bool>) {
    return ForwardPd(op, of_rnn, engine, true);
  } else {
    return ForwardPd(op, engine, of_rnn, true);
  }
}

// Of shuffle the attributes come last.
template <class Pd, class Op, class Hint>
Pd MakeBackward(const Op& op, const dnnl::primitive_attr& attr, const dnnl::engine& engine,
                const Hint& hint, bool allow_empty) {
  if constexpr (std::is_constructible_v<Pd, Op, dnnl::primitive_attr, dnnl::engine, Hint, bool>) {
    return Pd(op, attr, engine, hint, allow_empty);
  } else {
    return Pd(op, engine, hint, attr, allow_empty);
  }
}

// Calls use(backward descriptor's maker) with a full hint, which is accepted, and an empty one.
// A maker takes the hint, whether there are attributes, and `allow_empty`.
template <class Of, class Use>
void WithHints(const std::string& way, Trial& trial, Use use) {
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  using ForwardPd = typename Of::Forward::primitive_desc;
  using BackwardPd = typename Of::Backward::primitive_desc;
  const dnnl::engine& engine = device->engine;
  const auto full = Attempt([&] { return ForwardPd(Of::Hint(), engine); });
  if (!full) return trial.Refused(full.refusal, {Of::kTopic, "forward", {"f32"}, 2, {}});
  const auto empty = Attempt(
      [&] { return EmptyHint<typename Of::Forward>(way, *full.value, Of::Hint(), engine); });
  if (!ExpectAccepted(trial, empty, "an empty hint, " + way)) return;
  dnnl::primitive_attr user;
  user.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  const auto op = Of::Of();
  const auto make = [&](const ForwardPd& hint, bool attributes, bool allow_empty) {
    return Attempt([&] {
      const BackwardPd pd = MakeBackward<BackwardPd>(op, attributes ? user : dnnl::primitive_attr(),
                                                     engine, hint, allow_empty);
      return Attempt([&] { return pd.get_kind(); }).value.has_value();
    });
  };
  for (const bool attributes : {false, true}) {
    const std::string name = attributes ? "backward in mode user" : "backward";
    for (const bool allow_empty : {false, true})
      if (!ExpectOffered(trial, make(*full.value, attributes, allow_empty), name,
                         {Of::kTopic, Of::kDirection, {"f32"}, 2, {}}))
        return;
    if (!use(name + " with an empty hint",
             [&](bool allow_empty) { return make(*empty.value, attributes, allow_empty); }))
      return;
  }
}

template <class Of>
void EmptyHintIsRefused(const std::string& way, Trial& trial) {
  WithHints<Of>(way, trial, [&](const std::string& name, const auto& make) {
    return ExpectRefused(trial, make(false), name);
  });
}

template <class Of>
void EmptyHintWithTheFlag(const std::string& way, Trial& trial) {
  WithHints<Of>(way, trial, [&](const std::string& name, const auto& make) {
    const auto made = make(true);
    const bool throws = !made && made.refusal.is_error;
    trial.Record(name + " and allow_empty", throws ? "throws" : "empty");
    if (throws && trial.portable()) return true;
    return trial.Expect(made && !*made.value, name + " and allow_empty", "an empty object",
                        made ? "an object" : made.refusal.ToString());
  });
}

struct Backward {
  const char* name;
  void (*refused)(const std::string& way, Trial& trial);
  void (*with_the_flag)(const std::string& way, Trial& trial);
};

template <class Of>
constexpr Backward Named(const char* name) {
  return {name, EmptyHintIsRefused<Of>, EmptyHintWithTheFlag<Of>};
}

constexpr Backward kBackward[] = {
    Named<OfShuffle>("shuffle"),
    Named<OfEltwise>("eltwise"),
    Named<OfProductData>("inner-product-data"),
    Named<OfProductWeights>("inner-product-weights"),
    Named<OfProductBias>("inner-product-bias"),
    Named<OfConvolutionData>("convolution-data"),
    Named<OfConvolutionWeights>("convolution-weights"),
    Named<OfConvolutionBias>("convolution-bias"),
};

std::vector<std::string> NamesOfHints() {
  std::vector<std::string> names;
  for (const Backward& backward : kBackward)
    for (const std::string& way : Ways()) names.push_back(backward.name + (":" + way));
  return names;
}

template <class Judge>
void ForChoice(const Choice& choice, Judge judge) {
  const size_t colon = choice.what.find(':');
  for (const Backward& backward : kBackward)
    if (choice.what.substr(0, colon) == backward.name)
      judge(backward, choice.what.substr(colon + 1));
}

void EmptyHintsAreRefused(const Choice& choice, Trial& trial) {
  ForChoice(choice, [&](const Backward& backward, const std::string& way) {
    backward.refused(way, trial);
  });
}

void EmptyHintsWithTheFlag(const Choice& choice, Trial& trial) {
  ForChoice(choice, [&](const Backward& backward, const std::string& way) {
    backward.with_the_flag(way, trial);
  });
}

const bool defined[] = {
    Define<Choice>(spec::PRIM_016, "hints", Choices(NamesOfHints()), EmptyHintsAreRefused),
    Define<Choice>(spec::ERR_018, "hints", Choices(NamesOfHints()), EmptyHintsWithTheFlag),
};

}  // namespace
}  // namespace conformance
