// ELT-001, ELT-002 to ELT-004, ELT-025: names and parameter orders, and what descriptors tell.
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "conformance/case/property.h"
#include "conformance/eltwise/cases.h"
#include "conformance/eltwise/run.h"
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

// Parameters that are not given are 0.
void ParametersAreZeroByDefault(const NoParameters&, Trial& trial) {
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  EltwiseCase c;
  c.function = {spec::EltwiseAlgorithm::kLinear, 0, 0};
  c.data = {spec::Type::kF32, {7}, Plainest({7})};
  const auto descs = DescsOf(c, trial);
  if (!descs) return;
  for (const bool alpha : {false, true}) {
    c.function.alpha = alpha ? 3.0f : 0;
    const auto made = Attempt([&] {
      const ForwardEltwise::desc desc =
          alpha ? ForwardEltwise::desc(prop_kind::forward_training, algorithm::eltwise_linear,
                                       descs->data, 3.0f)
                : ForwardEltwise::desc(prop_kind::forward_training, algorithm::eltwise_linear,
                                       descs->data);
      return dnnl::primitive(ForwardEltwise(ForwardEltwise::primitive_desc(desc, device->engine)));
    });
    if (!trial.Expect(static_cast<bool>(made), "eltwise without all parameters", "created",
                      made.refusal.ToString()))
      return;
    EltwiseBench bench(c, *descs, *device, false);
    bench.Fill(c.Source(), {});
    if (!bench.Execute(*made.value, trial) ||
        !ExpectOracle(c, c.Source(), {}, bench.Result(), trial))
      return;
  }
}

// nullopt after recording the outcome.
template <class Pd, class Make>
std::optional<Pd> PdOf(const EltwiseCase& c, Trial& trial, Make make) {
  auto pd = Attempt(make);
  if (pd) return std::move(pd.value);
  if (MayRefuse(c, trial)) {
    trial.Refused(pd.refusal, AskedOf(c), LegalityOf(c, trial));
  } else {
    trial.Fail("eltwise primitive descriptor", "created", pd.refusal);
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
  trial.Expect(pd->src_desc() == descs->data, "src_desc()", "the data", "another") &&
      trial.Expect(pd->dst_desc() == descs->data, "dst_desc()", "the data", "another") &&
      trial.Expect(by_argument(DNNL_ARG_SRC) == descs->data, "exec_arg_md of SRC", "the data",
                   "another") &&
      trial.Expect(by_argument(DNNL_ARG_DST) == descs->data, "exec_arg_md of DST", "the data",
                   "another") &&
      trial.Expect(by_argument(DNNL_ARG_DIFF_SRC) == memory::desc(), "exec_arg_md of DIFF_SRC",
                   "the zero descriptor", "another");
}

void BackwardTellsItsTensors(const EltwiseCase& c, Trial& trial) {
  Cover(trial, c);
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  const auto descs = DescsOf(c, trial);
  if (!descs) return;
  const auto pd = PdOf<BackwardEltwise::primitive_desc>(
      c, trial, [&] { return BackwardPd(c, descs->gradient, descs->data, device->engine); });
  if (!pd) return;
  const auto by_argument = [&](int argument) {
    return pd->query_md(dnnl::query::exec_arg_md, argument);
  };
  const memory::desc none;
  const memory::desc &src = c.by_result() ? none : descs->data,
                     &dst = c.by_result() ? descs->data : none;
  trial.Expect(pd->diff_src_desc() == descs->gradient, "diff_src_desc()", "the gradient",
               "another") &&
      trial.Expect(pd->diff_dst_desc() == descs->gradient, "diff_dst_desc()", "the gradient",
                   "another") &&
      trial.Expect(pd->src_desc() == src, "src_desc()",
                   c.by_result() ? "the zero descriptor" : "the data", "another") &&
      trial.Expect(pd->query_md(dnnl::query::dst_md) == dst, "query_md(dst_md)",
                   c.by_result() ? "the data" : "the zero descriptor", "another") &&
      trial.Expect(by_argument(DNNL_ARG_SRC) == src, "exec_arg_md of SRC",
                   c.by_result() ? "the zero descriptor" : "the data", "another") &&
      trial.Expect(by_argument(DNNL_ARG_DST) == dst, "exec_arg_md of DST",
                   c.by_result() ? "the data" : "the zero descriptor", "another");
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
  draws.all_layouts = draws.own_gradient = true;
  draws.max_rank = 12;
  return draws;
}

const bool kDefined[] = {
    Define(spec::ELT_001, "forward", ForwardExists),
    Define(spec::ELT_001, "backward", BackwardExists),
    Define(spec::ELT_001, "defaults", ParametersAreZeroByDefault),
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
