// ELT-001, ELT-002 to ELT-004, ELT-025: names and parameter orders, and what descriptors tell.
#include <iterator>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "conformance/case/property.h"
#include "conformance/eltwise/cases.h"
#include "conformance/eltwise/run.h"
#include "conformance/subject/descriptor_text.h"
#include "spec/requirements.h"

namespace conformance {
namespace {

using dnnl::algorithm;
using dnnl::memory;
using dnnl::prop_kind;

void ForwardExists(const NoParameters&, Trial& trial) {
  using Desc = ForwardEltwise::desc;
  using Pd = ForwardEltwise::primitive_desc;
  using Data = const memory::desc&;
  using Engine = const dnnl::engine&;
  using Attr = const dnnl::primitive_attr&;
  trial.Expect(std::is_constructible_v<Desc, prop_kind, algorithm, Data>,
               "eltwise_forward::desc(prop_kind, algorithm, data)") &&
      trial.Expect(std::is_constructible_v<Desc, prop_kind, algorithm, Data, float>,
                   "eltwise_forward::desc(prop_kind, algorithm, data, alpha)") &&
      trial.Expect(std::is_constructible_v<Desc, prop_kind, algorithm, Data, float, float>,
                   "eltwise_forward::desc(prop_kind, algorithm, data, alpha, beta)") &&
      trial.Expect(!std::is_constructible_v<Desc, prop_kind, algorithm>,
                   "eltwise_forward::desc without data", "none", "one") &&
      trial.Expect(std::is_default_constructible_v<Pd>, "primitive_desc()") &&
      trial.Expect(std::is_constructible_v<Pd, const Desc&, Engine>,
                   "primitive_desc(desc, engine)") &&
      trial.Expect(std::is_constructible_v<Pd, const Desc&, Engine, bool>,
                   "primitive_desc(desc, engine, allow_empty)") &&
      trial.Expect(std::is_constructible_v<Pd, const Desc&, Attr, Engine, bool>,
                   "primitive_desc(desc, attr, engine, allow_empty)") &&
      trial.Expect(std::is_constructible_v<ForwardEltwise, const Pd&>, "eltwise_forward(pd)") &&
      trial.Expect(std::is_base_of_v<dnnl::primitive, ForwardEltwise>,
                   "eltwise_forward is a primitive");
}

void BackwardExists(const NoParameters&, Trial& trial) {
  using Desc = BackwardEltwise::desc;
  using Pd = BackwardEltwise::primitive_desc;
  using Data = const memory::desc&;
  using Engine = const dnnl::engine&;
  using Attr = const dnnl::primitive_attr&;
  using Hint = const ForwardEltwise::primitive_desc&;
  trial.Expect(std::is_constructible_v<Desc, algorithm, Data, Data>,
               "eltwise_backward::desc(algorithm, diff_data, data)") &&
      trial.Expect(std::is_constructible_v<Desc, algorithm, Data, Data, float, float>,
                   "eltwise_backward::desc(algorithm, diff_data, data, alpha, beta)") &&
      trial.Expect(!std::is_constructible_v<Desc, algorithm, Data>,
                   "eltwise_backward::desc without data", "none", "one") &&
      trial.Expect(std::is_constructible_v<Pd, const Desc&, Engine, Hint, bool>,
                   "primitive_desc(desc, engine, hint, allow_empty)") &&
      trial.Expect(std::is_constructible_v<Pd, const Desc&, Attr, Engine, Hint, bool>,
                   "primitive_desc(desc, attr, engine, hint, allow_empty)") &&
      trial.Expect(std::is_constructible_v<BackwardEltwise, const Pd&>, "eltwise_backward(pd)") &&
      trial.Expect(std::is_base_of_v<dnnl::primitive, BackwardEltwise>,
                   "eltwise_backward is a primitive");
}

// One of `c` that is told alpha, or no parameters. May throw.
dnnl::primitive WithoutParameters(const EltwiseCase& c, const EltwiseDescs& descs, bool alpha,
                                  const dnnl::engine& engine) {
  const algorithm what = AlgorithmOf(c.function.algorithm, c.by_result());
  const float given = c.function.alpha;
  using Forward = ForwardEltwise::desc;
  if (c.forward()) {
    const prop_kind kind = prop_kind::forward_training;
    const Forward desc =
        alpha ? Forward(kind, what, descs.data, given) : Forward(kind, what, descs.data);
    return ForwardEltwise(ForwardEltwise::primitive_desc(desc, engine));
  }
  using Backward = BackwardEltwise::desc;
  const Backward desc = alpha ? Backward(what, descs.gradient, descs.data, given)
                              : Backward(what, descs.gradient, descs.data);
  const ForwardEltwise::primitive_desc hint(
      Forward(prop_kind::forward_training, algorithm::eltwise_abs, descs.data), engine);
  return BackwardEltwise(BackwardEltwise::primitive_desc(desc, engine, hint));
}

// Parameters that are not given are 0: of every algorithm, forward and backward.
void ParametersAreZeroByDefault(const EltwiseCase& c, Trial& trial) {
  Cover(trial, c);
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  const auto descs = DescsOf(c, trial);
  if (!descs || !PrimitiveOf(c, *descs, *device, trial)) return;
  const auto made =
      Attempt([&] { return WithoutParameters(c, *descs, c.seed % 2 == 1, device->engine); });
  if (!trial.Expect(static_cast<bool>(made), "eltwise without all parameters", "created",
                    made.refusal.ToString()))
    return;
  EltwiseBench bench(c, *descs, *device, false);
  bench.Fill(c.Source(), c.Gradient());
  if (bench.Execute(*made.value, trial))
    ExpectOracle(c, c.Source(), c.Gradient(), bench.Result(), trial);
}

// With no parameters, and where 0 is a beta of theirs with alpha alone.
Cases<EltwiseCase> WithDefaults() {
  std::vector<EltwiseCase> cases;
  for (EltwiseCase c : EveryAlgorithm(19)) {
    const float alphas[] = {0,
                            c.function.algorithm == spec::EltwiseAlgorithm::kClip ? -3.0f : 3.0f};
    c.function.beta = 0;
    for (uint64_t k = 0; k < std::size(alphas); ++k) {
      c.function.alpha = alphas[k];
      c.seed = k;
      cases.push_back(c);
    }
  }
  return Listed(std::move(cases));
}

// nullopt after recording the outcome.
template <class Pd, class Make>
std::optional<Pd> PdOf(const EltwiseCase& c, Trial& trial, Make make) {
  auto pd = Attempt(make);
  if (pd) return std::move(pd.value);
  if (MayRefuse(c, trial)) {
    trial.Refused(pd.refusal, AskedOf(c), LegalityOf(c, trial));
  } else {
    trial.Denied("eltwise primitive descriptor", "created", pd.refusal, AskedOf(c));
  }
  return std::nullopt;
}

void ForwardTellsItsData(const EltwiseCase& c, Trial& trial) {
  Cover(trial, c);
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  const auto descs = DescsOf(c, trial);
  if (!descs) return;
  const auto pd = PdOf<ForwardEltwise::primitive_desc>(
      c, trial, [&] { return ForwardPd(c, descs->data, device->engine); });
  if (!pd) return;
  const auto by_argument = [&](int argument) {
    return pd->query_md(dnnl::query::exec_arg_md, argument);
  };
  ExpectDescriptor(trial, "src_desc()", "the data", descs->data, pd->src_desc()) &&
      ExpectDescriptor(trial, "dst_desc()", "the data", descs->data, pd->dst_desc()) &&
      ExpectDescriptor(trial, "exec_arg_md of DNNL_ARG_SRC", "the data", descs->data,
                       by_argument(DNNL_ARG_SRC)) &&
      ExpectDescriptor(trial, "exec_arg_md of DNNL_ARG_DST", "the data", descs->data,
                       by_argument(DNNL_ARG_DST)) &&
      ExpectDescriptor(trial, "exec_arg_md of DNNL_ARG_DIFF_SRC", "the zero descriptor",
                       memory::desc(), by_argument(DNNL_ARG_DIFF_SRC));
}

// Whatever the hint is: its own forward, or another of a row-major tensor.
void BackwardTellsItsTensors(const EltwiseCase& c, Trial& trial) {
  Cover(trial, c);
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  const auto descs = DescsOf(c, trial);
  if (!descs) return;
  EltwiseMaking making;
  if (c.seed % 2 == 0) {
    EltwiseCase hint = c;
    hint.direction = EltwiseDirection::kForward;
    hint.function = {spec::EltwiseAlgorithm::kAbs};
    hint.data.layout = RowMajor(c.data.dims);
    const auto made = Attempt([&] { return ForwardPd(hint, MakeDesc(hint.data), device->engine); });
    if (made) making.hint = *made.value;
  }
  const auto pd = PdOf<BackwardEltwise::primitive_desc>(c, trial, [&] {
    return BackwardPd(c, descs->gradient, descs->data, device->engine, making);
  });
  if (!pd) return;
  const auto by_argument = [&](int argument) {
    return pd->query_md(dnnl::query::exec_arg_md, argument);
  };
  const memory::desc none;
  const memory::desc &src = c.by_result() ? none : descs->data,
                     &dst = c.by_result() ? descs->data : none;
  ExpectDescriptor(trial, "diff_src_desc()", "the gradient", descs->gradient,
                   pd->diff_src_desc()) &&
      ExpectDescriptor(trial, "diff_dst_desc()", "the gradient", descs->gradient,
                       pd->diff_dst_desc()) &&
      ExpectDescriptor(trial, "src_desc()", c.by_result() ? "the zero descriptor" : "the data", src,
                       pd->src_desc()) &&
      ExpectDescriptor(trial, "query_md(dst_md)",
                       c.by_result() ? "the data" : "the zero descriptor", dst,
                       pd->query_md(dnnl::query::dst_md)) &&
      ExpectDescriptor(trial, "exec_arg_md of DNNL_ARG_SRC",
                       c.by_result() ? "the zero descriptor" : "the data", src,
                       by_argument(DNNL_ARG_SRC)) &&
      ExpectDescriptor(trial, "exec_arg_md of DNNL_ARG_DST",
                       c.by_result() ? "the data" : "the zero descriptor", dst,
                       by_argument(DNNL_ARG_DST));
}

template <class Algorithm>
auto HasMish(int) -> decltype(Algorithm::eltwise_mish, true) {
  return true;
}
template <class Algorithm>
bool HasMish(long) {
  return false;
}

// MAY: recorded.
void LaterAlgorithms(const NoParameters&, Trial& trial) {
  trial.Record("eltwise_mish, of the 2.6 header", HasMish<algorithm>(0) ? "there" : "missing");
}

EltwiseDraws AllLayouts(std::vector<EltwiseDirection> directions) {
  EltwiseDraws draws;
  draws.directions = std::move(directions);
  draws.all_layouts = draws.own_gradient = draws.all_types = true;
  draws.max_rank = 12;
  return draws;
}

const bool kDefined[] = {
    Define(spec::ELT_001, "forward", ForwardExists),
    Define(spec::ELT_001, "backward", BackwardExists),
    Define<EltwiseCase>(spec::ELT_001, "defaults", WithDefaults(), ParametersAreZeroByDefault,
                        {"forward", "backward", "backward by dst"}),
    Define<EltwiseCase>(spec::ELT_002, "",
                        SomeEltwise(500, AllLayouts({EltwiseDirection::kForward})),
                        ForwardTellsItsData, {"gapped", "region", "permuted"}),
    Define<EltwiseCase>(spec::ELT_003, "",
                        SomeEltwise(500, AllLayouts({EltwiseDirection::kBackward})),
                        BackwardTellsItsTensors, {"layouts differ"}),
    Define<EltwiseCase>(
        spec::ELT_004, "", SomeEltwise(300, AllLayouts({EltwiseDirection::kBackwardByResult})),
        BackwardTellsItsTensors, {"relu", "tanh", "elu", "sqrt", "logistic", "exp"}),
    Define(spec::ELT_025, "", LaterAlgorithms),
};

}  // namespace
}  // namespace conformance
