#include "conformance/model/foreign.h"

#include <algorithm>
#include <initializer_list>
#include <type_traits>
#include <utility>

#include "conformance/gen/values.h"
#include "conformance/subject/tensor.h"

namespace conformance {
namespace {

using dnnl::algorithm;
using dnnl::memory;
using dnnl::post_ops;
using dnnl::primitive_attr;
using spec::Type;

using Set = std::function<void(primitive_attr*, int64_t, Type)>;

// An attribute of these post-ops.
template <class Append>
Set Chain(Append append) {
  return [append](primitive_attr* attr, int64_t, Type type) {
    post_ops ops;
    append(&ops, type);
    attr->set_post_ops(ops);
  };
}

void AppendLinear(post_ops* ops) { ops->append_eltwise(1.f, algorithm::eltwise_linear, 2.f, 1.f); }

// What only some headers have. Nothing is appended where it is missing.
template <class Ops>
auto AppendSumFrom(Ops* ops, int32_t zero_point, int)
    -> decltype(ops->append_sum(1.f, zero_point, memory::data_type::undef)) {
  ops->append_sum(1.f, zero_point, memory::data_type::undef);
}
template <class Ops>
void AppendSumFrom(Ops*, int32_t, long) {}

template <class Ops>
auto AppendDepthwise(Ops* ops, int)
    -> decltype(ops->append_dw_k3s1p1(memory::data_type::f32, memory::data_type::undef,
                                      memory::data_type::f32, 0, std::vector<float>{})) {
  ops->append_dw_k3s1p1(memory::data_type::f32, memory::data_type::undef, memory::data_type::f32, 0,
                        {});
}
template <class Ops>
void AppendDepthwise(Ops*, long) {}

template <class Ops>
auto AppendBinary(Ops* ops, int)
    -> decltype(ops->append_binary(algorithm::binary_add, memory::desc())) {
  ops->append_binary(algorithm::binary_add,
                     memory::desc({1}, memory::data_type::f32, memory::format_tag::a));
}
template <class Ops>
void AppendBinary(Ops*, long) {}

template <class Ops>
auto AppendPrelu(Ops* ops, int) -> decltype(ops->append_prelu(0)) {
  ops->append_prelu(0);
}
template <class Ops>
void AppendPrelu(Ops*, long) {}

template <class Attr>
auto SetProjection(Attr* attr, int)
    -> decltype(attr->set_rnn_weights_projection_qparams(0, std::vector<float>{})) {
  attr->set_rnn_weights_projection_qparams(0, {2.f});
}
template <class Attr>
void SetProjection(Attr*, long) {}

std::vector<float> TwoAndFour(int64_t channels) {
  std::vector<float> scales(static_cast<size_t>(channels), 2.f);
  for (size_t k = 1; k < scales.size(); k += 2) scales[k] = 4;
  return scales;
}

std::vector<Foreign> ScalesAndFunctions() {
  return {
      {"eltwise", Chain([](post_ops* ops, Type) {
         ops->append_eltwise(1.f, algorithm::eltwise_square, 0.f, 0.f);
       }),
       [](const Unchanged& e) { return e.x * e.x; }},
      {"two eltwise", Chain([](post_ops* ops, Type) {
         AppendLinear(ops);
         ops->append_eltwise(1.f, algorithm::eltwise_relu, 0.f, 0.f);
       }),
       [](const Unchanged& e) { return std::max(2 * e.x + 1, 0.f); }},
      {"output scales",
       [](primitive_attr* attr, int64_t, Type) { attr->set_output_scales(0, {2.f}); },
       [](const Unchanged& e) { return 2 * e.x; }},
      {"output scales by channel",
       [](primitive_attr* attr, int64_t channels, Type) {
         attr->set_output_scales(2, TwoAndFour(channels));
       },
       [](const Unchanged& e) { return e.channel % 2 == 0 ? 2 * e.x : 4 * e.x; }},
      {"output scales at execution",
       [](primitive_attr* attr, int64_t, Type) {
         attr->set_output_scales(0, {DNNL_RUNTIME_F32_VAL});
       },
       [](const Unchanged& e) { return 2 * e.x; },
       {{DNNL_ARG_ATTR_OUTPUT_SCALES, 2.f}}},
  };
}

std::vector<Foreign> SumsAndOthers() {
  return {
      {"sum", Chain([](post_ops* ops, Type) { ops->append_sum(2.f); }),
       [](const Unchanged& e) { return e.x + 2 * e.old; }},
      {"two sums", Chain([](post_ops* ops, Type) {
         ops->append_sum(2.f);
         ops->append_sum(3.f);
       }),
       [](const Unchanged& e) { return e.x + 2 * e.old + 3 * e.old; }},
      {"sum and eltwise", Chain([](post_ops* ops, Type) {
         ops->append_sum(1.f);
         AppendLinear(ops);
       }),
       [](const Unchanged& e) { return 2 * (e.x + e.old) + 1; }},
      {"eltwise and sum", Chain([](post_ops* ops, Type) {
         AppendLinear(ops);
         ops->append_sum(1.f);
       }),
       [](const Unchanged& e) { return 2 * e.x + 1 + e.old; }},
      {"sum of another type", Chain([](post_ops* ops, Type type) {
         ops->append_sum(1.f, DataTypeOf(TypeOfTheSameSize(type)));
       }),
       [](const Unchanged& e) { return e.x + spec::Widen(TypeOfTheSameSize(e.type), e.bits); }},
      {"sum with a zero point", Chain([](post_ops* ops, Type) { AppendSumFrom(ops, 3, 0); }),
       [](const Unchanged& e) { return e.x + (e.old - 3); }},
      {"depthwise",
       Chain([](post_ops* ops, Type) { AppendDepthwise(ops, 0); }),
       nullptr,
       {},
       {},
       true},
      {"binary", Chain([](post_ops* ops, Type) { AppendBinary(ops, 0); }), nullptr, {}, {}, true},
      {"prelu", Chain([](post_ops* ops, Type) { AppendPrelu(ops, 0); }), nullptr, {}, {}, true},
  };
}

std::vector<Foreign> RnnParameters() {
  return {
      {"rnn data",
       [](primitive_attr* attr, int64_t, Type) { attr->set_rnn_data_qparams(2.f, 3.f); }},
      {"rnn shift",
       [](primitive_attr* attr, int64_t, Type) { attr->set_rnn_data_qparams(1.f, 3.f); }},
      {"rnn scale",
       [](primitive_attr* attr, int64_t, Type) { attr->set_rnn_data_qparams(2.f, 0.f); }},
      {"rnn weights",
       [](primitive_attr* attr, int64_t, Type) { attr->set_rnn_weights_qparams(0, {2.f}); }},
      {"rnn weights by channel",
       [](primitive_attr* attr, int64_t channels, Type) {
         attr->set_rnn_weights_qparams(2, std::vector<float>(channels, 2.f));
       }},
      {"rnn projection", [](primitive_attr* attr, int64_t, Type) { SetProjection(attr, 0); }},
  };
}

Set ScalesOf(int arg, float scale) {
  return [arg, scale](primitive_attr* attr, int64_t, Type) { attr->set_scales(arg, 0, {scale}); };
}

Set ZeroPointOf(int arg, int32_t point) {
  return
      [arg, point](primitive_attr* attr, int64_t, Type) { attr->set_zero_points(arg, 0, {point}); };
}

Set All(std::vector<Set> sets) {
  return [sets = std::move(sets)](primitive_attr* attr, int64_t channels, Type type) {
    for (const Set& set : sets) set(attr, channels, type);
  };
}

// The default for each argument, and then 3 for one of them.
Set ZeroPointBesideZeros(int of) {
  return All({ZeroPointOf(DNNL_ARG_SRC, 0), ZeroPointOf(DNNL_ARG_WEIGHTS, 0),
              ZeroPointOf(DNNL_ARG_DST, 0), ZeroPointOf(of, 3)});
}

Set ZeroPointsByChannel(int arg) {
  return [arg](primitive_attr* attr, int64_t channels, Type) {
    attr->set_zero_points(arg, 2, std::vector<int32_t>(channels, 3));
  };
}

// What the execution brings where scales of `arg` are left to it. Headers that have no number for
// it have no such scales either.
std::vector<std::pair<int, float>> ScaleAtExecution([[maybe_unused]] int arg,
                                                    [[maybe_unused]] float scale) {
#ifdef DNNL_ARG_ATTR_INPUT_SCALES
  return {{DNNL_ARG_ATTR_INPUT_SCALES | arg, scale}};
#else
  return {};
#endif
}

// What is divided by a destination's scale, or multiplied, no document says of these primitives.
std::vector<Foreign> ScalesOfArguments() {
  return {
      {"scales of the source", ScalesOf(DNNL_ARG_SRC, 2),
       [](const Unchanged& e) { return 2 * e.x; }},
      {"scales of the source by channel",
       [](primitive_attr* attr, int64_t channels, Type) {
         attr->set_scales(DNNL_ARG_SRC, 2, std::vector<float>(channels, 2.f));
       },
       [](const Unchanged& e) { return 2 * e.x; }},
      {"scales of the destination", ScalesOf(DNNL_ARG_DST, 2)},
      {"scales of a second source", ScalesOf(DNNL_ARG_SRC_1, 2)},
      {"scales of the weights", ScalesOf(DNNL_ARG_WEIGHTS, 2)},
      {"scales of the source at execution",
       ScalesOf(DNNL_ARG_SRC, DNNL_RUNTIME_F32_VAL),
       nullptr,
       ScaleAtExecution(DNNL_ARG_SRC, 2),
       {},
       true},
      {"scales of a gradient", ScalesOf(DNNL_ARG_DIFF_DST, 2)},
      {"scale of the destination beside an explicit 1 of the source",
       All({ScalesOf(DNNL_ARG_SRC, 1), ScalesOf(DNNL_ARG_DST, 2)})},
      {"scale of a second source beside an explicit 1 of the source",
       All({ScalesOf(DNNL_ARG_SRC, 1), ScalesOf(DNNL_ARG_SRC_1, 2)})},
  };
}

std::vector<Foreign> ZeroPointsOfArguments() {
  const int src = DNNL_ARG_ATTR_ZERO_POINTS | DNNL_ARG_SRC;
  const int dst = DNNL_ARG_ATTR_ZERO_POINTS | DNNL_ARG_DST;
  const int weights = DNNL_ARG_ATTR_ZERO_POINTS | DNNL_ARG_WEIGHTS;
  const auto less = [](const Unchanged& e) { return e.x - 3; };
  const auto more = [](const Unchanged& e) { return e.x + 3; };
  return {
      {"zero point of the source", ZeroPointOf(DNNL_ARG_SRC, 3), less},
      {"zero point of the source by channel", ZeroPointsByChannel(DNNL_ARG_SRC), less},
      {"zero point of the destination", ZeroPointOf(DNNL_ARG_DST, 3), more},
      {"zero point of the destination by channel", ZeroPointsByChannel(DNNL_ARG_DST), more},
      {"zero point of the source beside its scale",
       All({ScalesOf(DNNL_ARG_SRC, 2), ZeroPointOf(DNNL_ARG_SRC, 3)}),
       [](const Unchanged& e) { return 2 * (e.x - 3); }},
      {"zero points of both sides",
       All({ZeroPointOf(DNNL_ARG_SRC, 3), ZeroPointOf(DNNL_ARG_DST, 5)}),
       [](const Unchanged& e) { return e.x + 2; }},
      {"zero point of the source beside explicit zeros", ZeroPointBesideZeros(DNNL_ARG_SRC), less},
      {"zero point of the destination beside explicit zeros", ZeroPointBesideZeros(DNNL_ARG_DST),
       more},
      {"zero point of the weights beside explicit zeros", ZeroPointBesideZeros(DNNL_ARG_WEIGHTS)},
      {"zero point of the weights", ZeroPointOf(DNNL_ARG_WEIGHTS, 3)},
      {"zero point of a gradient", ZeroPointOf(DNNL_ARG_DIFF_DST, 3)},
      {"zero point of the source at execution",
       ZeroPointOf(DNNL_ARG_SRC, DNNL_RUNTIME_S32_VAL),
       less,
       {},
       {{src, 3}}},
      {"zero point of the destination at execution",
       ZeroPointOf(DNNL_ARG_DST, DNNL_RUNTIME_S32_VAL),
       more,
       {},
       {{dst, 3}}},
      {"zero point of the weights at execution",
       ZeroPointOf(DNNL_ARG_WEIGHTS, DNNL_RUNTIME_S32_VAL),
       nullptr,
       {},
       {{weights, 3}}},
  };
}

std::vector<Foreign> Together(std::initializer_list<std::vector<Foreign>> parts) {
  std::vector<Foreign> all;
  for (const std::vector<Foreign>& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

}  // namespace

const std::vector<Foreign>& WholeAttributes() {
  static const auto* const all =
      new std::vector<Foreign>(Together({ScalesAndFunctions(), SumsAndOthers(), RnnParameters()}));
  return *all;
}

const std::vector<Foreign>& ArgumentAttributes() {
  static const auto* const all =
      new std::vector<Foreign>(Together({ScalesOfArguments(), ZeroPointsOfArguments()}));
  return *all;
}

}  // namespace conformance
