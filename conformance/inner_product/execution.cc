// IP-006 (a batch of nothing), IP-008, IP-009, IP-051 to IP-057: hints, arguments, footprints,
// implementations, scratchpads, queries.
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "conformance/case/property.h"
#include "conformance/gen/choice.h"
#include "conformance/inner_product/cases.h"
#include "conformance/inner_product/run.h"
#include "conformance/subject/attempt.h"
#include "conformance/subject/expect.h"
#include "conformance/subject/prop_kinds.h"
#include "spec/requirements.h"

namespace conformance {
namespace {

using dnnl::memory;
using dnnl::prop_kind;

void NothingIsABatch(const InnerProductCase& c, Trial& trial) {
  const auto ran = RunProduct(c, trial);
  if (!ran) return;
  ExpectOracle(c, ran->data, ran->results, trial) && ran->bench->ExpectFootprint(trial);
}

void TrainingIsInference(const InnerProductCase& c, Trial& trial) {
  const auto training = RunProduct(c, trial);
  if (!training) return;
  for (const prop_kind kind :
       {prop_kind::forward_inference, prop_kind::forward_scoring, prop_kind::forward}) {
    Making making;
    making.kind = kind;
    const auto other = RunProduct(c, training->data, trial, making);
    if (!other) return;
    const std::string name = "with prop_kind " + std::to_string(static_cast<int>(kind));
    if (!ExpectSameResults(c, name, training->results, other->results, trial)) return;
  }
}

void OtherKindsAreRefused(const Choice& choice, Trial& trial) {
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  const auto with = [&](prop_kind kind) {
    return Attempt([&] {
      return ProductForward::primitive_desc(
          ProductForward::desc(kind, WithAny(spec::Type::kF32, {2, 4}),
                               WithAny(spec::Type::kF32, {3, 4}),
                               WithAny(spec::Type::kF32, {2, 3})),
          device->engine);
    });
  };
  for (const auto& [name, kind] : KindsOtherThanForward())
    if (name == choice.what && !ExpectRefused(trial, with(kind), "prop_kind::" + name)) return;
  ExpectAccepted(trial, with(prop_kind::forward_training), "prop_kind::forward_training");
}

// The constructor with bias, given the zero descriptor.
void ZeroDescriptorIsNoBias(const InnerProductCase& c, Trial& trial) {
  const auto ran = RunProduct(c, trial);
  if (!ran) return;
  Device& device = *DeviceFor(trial);
  const auto descs = DescsFor(c, trial);
  if (!descs) return;
  ProductPd pd;
  pd.direction = c.direction;
  const auto made = Attempt([&] {
    const memory::desc none;
    if (c.forward()) {
      pd.forward = ProductForward::primitive_desc(
          ProductForward::desc(prop_kind::forward_training, (*descs)[kSrc], (*descs)[kWeights],
                               none, (*descs)[kDst]),
          device.engine);
    } else {
      pd.backward_weights = ProductBackwardWeights::primitive_desc(
          ProductBackwardWeights::desc((*descs)[kSrc], (*descs)[kWeights], none, (*descs)[kDst]),
          device.engine, HintFor(c, device.engine));
    }
  });
  if (!ExpectAccepted(trial, made, "a zero descriptor as bias") ||
      !trial.Expect(pd.DescOf(kBias) == memory::desc(), "the getter of the bias",
                    "the zero descriptor", "another"))
    return;
  const auto primitive = PrimitiveOf(pd, trial);
  if (!primitive) return;
  ProductBench bench(c, pd, device);
  InnerProductData data = ran->data;
  if (!bench.Fill(&data, trial) || !bench.Execute(*primitive, trial)) return;
  const auto results = bench.Read(trial);
  if (results)
    ExpectSameResults(c, "with a zero descriptor as bias", ran->results, *results, trial);
}

// A forward of the case's shape, in one of five ways.
ProductForward::primitive_desc OtherHint(const InnerProductCase& c, uint64_t kind,
                                         const dnnl::engine& engine) {
  const auto plain = [&](Role role) {
    return MakeDesc({spec::Type::kF32, c.DimsOf(role), Plainest(c.DimsOf(role))});
  };
  const auto any = [&](Role role) { return WithAny(spec::Type::kF32, c.DimsOf(role)); };
  using Desc = ProductForward::desc;
  switch (kind) {
    case 0:
      return {Desc(prop_kind::forward_training, plain(kSrc), plain(kWeights), plain(kDst)), engine};
    case 1:
      return {Desc(prop_kind::forward_training, any(kSrc), any(kWeights), any(kBias), any(kDst)),
              engine};
    case 2:
      return {
          Desc(prop_kind::forward_training, plain(kSrc), any(kWeights), plain(kBias), any(kDst)),
          engine};
    case 3:
      return {Desc(prop_kind::forward_inference, any(kSrc), any(kWeights), any(kDst)), engine};
    default: {
      dnnl::post_ops ops;
      ops.append_eltwise(1, dnnl::algorithm::eltwise_relu, 0, 0);
      dnnl::primitive_attr attr;
      attr.set_post_ops(ops);
      return {Desc(prop_kind::forward_training, any(kSrc), any(kWeights), any(kDst)), attr, engine};
    }
  }
}

void HintsChangeNothing(const InnerProductCase& c, Trial& trial) {
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  Making making;
  const auto hint = Attempt([&] { return OtherHint(c, c.seed % 5, device->engine); });
  if (!ExpectAccepted(trial, hint, "a forward as a hint")) return;
  trial.Cover("hint " + std::to_string(c.seed % 5));
  making.hint = *hint.value;
  auto ran = RunProduct(c, trial, making);
  if (!ran || !ExpectOracle(c, ran->data, ran->results, trial)) return;
  const memory::desc workspace =
      ran->pd.With([](auto& pd) { return pd.query_md(dnnl::query::workspace_md); });
  trial.Expect(workspace == memory::desc(), "the query of a workspace", "the zero descriptor",
               "another");
}

void EmptyHintsAreRefused(const Choice& choice, Trial& trial) {
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  InnerProductCase c;
  c.direction =
      choice.what == "backward-data" ? Direction::kBackwardData : Direction::kBackwardWeights;
  for (TensorUse& use : c.uses) use.any = true;
  const auto descs = DescsFor(c, trial);
  if (!descs) return;
  Making making;
  const auto with = Attempt([&] { return MakePd(c, *descs, device->engine, making); });
  making.hint = ProductForward::primitive_desc();
  const auto without = Attempt([&] { return MakePd(c, *descs, device->engine, making); });
  ExpectAccepted(trial, with, "a hint") && ExpectRefused(trial, without, "an empty hint");
}

void OnlyElementsAreWritten(const InnerProductCase& c, Trial& trial) {
  const auto ran = RunProduct(c, trial);
  if (ran) ran->bench->ExpectFootprint(trial);
}

void ExecutionsAreIndependent(const InnerProductCase& c, Trial& trial) {
  const auto ran = RunProduct(c, trial);
  if (!ran) return;
  Device& device = *DeviceFor(trial);
  InnerProductCase changed = c;
  changed.seed = c.seed + 10000;
  InnerProductData second = DataOf(changed);
  // In place.
  if (!ran->bench->Fill(&second, trial) || !ran->bench->Execute(ran->primitive, trial)) return;
  auto results = ran->bench->Read(trial);
  if (!results || !ExpectOracle(changed, second, *results, trial)) return;
  // At another address, and the first contents again where they were.
  InnerProductData third = DataOf(c), first = third;
  ProductBench other(c, ran->pd, device);
  if (!other.Fill(&third, trial) || !ran->bench->Fill(&first, trial) ||
      !other.Execute(ran->primitive, trial) || !ran->bench->Execute(ran->primitive, trial))
    return;
  results = other.Read(trial);
  if (!results || !ExpectOracle(c, third, *results, trial)) return;
  results = ran->bench->Read(trial);
  if (results) ExpectOracle(c, first, *results, trial);
}

bool NextImplementation(ProductPd* pd) {
  return pd->With([](auto& one) { return one.next_impl(); });
}

// What `pd` tells now is as it was given, and computes the formula.
bool IsRight(const InnerProductCase& c, const ProductDescs& descs, const ProductPd& pd, int number,
             Trial& trial) {
  for (const Role role : kRoles)
    if (c.Has(role) && !c.uses[role].any &&
        !trial.Expect(pd.DescOf(role) == descs[role],
                      c.NameOf(role) + " of implementation " + std::to_string(number),
                      "the descriptor given", "another"))
      return false;
  const auto primitive = PrimitiveOf(pd, trial);
  if (!primitive) return false;
  ProductBench bench(c, pd, *DeviceFor(trial));
  InnerProductData data = DataOf(c);
  if (!bench.Fill(&data, trial) || !bench.Execute(*primitive, trial)) return false;
  const auto results = bench.Read(trial);
  return results && ExpectOracle(c, data, *results, trial);
}

constexpr int kMostImplementations = 20;

// Each in a descriptor of its own, which goes there before anything is executed.
void EveryImplementationIsRight(const InnerProductCase& c, Trial& trial) {
  SawProduct(trial, c);
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  const auto descs = DescsFor(c, trial);
  if (!descs) return;
  for (int number = 0; number < kMostImplementations; ++number) {
    auto pd = PdFor(c, *descs, *device, trial);
    if (!pd) return;
    for (int i = 0; i < number; ++i) {
      if (NextImplementation(&*pd)) continue;
      if (number > 1) trial.Cover("several implementations");
      return;
    }
    if (!IsRight(c, *descs, *pd, number, trial)) return;
  }
  trial.Fail("next_impl()", "an end", "none after twenty");
}

// As many of them when all that the descriptor was made of is gone.
void ImplementationsNeedNoDescriptor(const InnerProductCase& c, Trial& trial) {
  SawProduct(trial, c);
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  const auto descs = DescsFor(c, trial);
  if (!descs) return;
  const auto count = [](ProductPd* pd) {
    int number = 1;
    while (number < kMostImplementations && NextImplementation(pd)) ++number;
    return number;
  };
  auto whole = PdFor(c, *descs, *device, trial), alone = PdFor(c, *descs, *device, trial);
  if (!whole || !alone) return;
  alone->desc.reset();
  alone->hint.reset();
  // Where they lay is something else.
  std::vector<std::vector<uint8_t>> others;
  for (size_t size = 64; size < 8192; size += 64) others.emplace_back(size, uint8_t{0xee});
  const int wanted = count(&*whole), got = count(&*alone);
  trial.Expect(got == wanted, "implementations after the operation descriptor is gone",
               std::to_string(wanted), std::to_string(got));
  if (wanted == 1) trial.Vacuous();
}

void ScratchpadsDoNotMatter(const InnerProductCase& c, Trial& trial) {
  const auto library = RunProduct(c, trial);
  if (!library) return;
  Device& device = *DeviceFor(trial);
  const auto descs = DescsFor(c, trial);
  if (!descs) return;
  Making making;
  making.user_scratchpad = true;
  const auto pd = PdFor(c, *descs, device, trial, making);
  if (!pd) return;
  const auto primitive = PrimitiveOf(*pd, trial);
  if (!primitive) return;
  ProductBench bench(c, *pd, device);
  ProductPd asked = *pd;
  const size_t size = asked.With([](auto& one) { return one.scratchpad_desc().get_size(); });
  trial.Cover(size > 0 ? "a need" : "no need");
  for (const uint8_t garbage : {uint8_t{0xff}, uint8_t{0x00}}) {
    if (size > 0) {
      memory scratchpad = bench.scratchpad();
      uint8_t* const mapped = scratchpad.map_data<uint8_t>();
      for (size_t i = 0; i < size; ++i) mapped[i] = garbage;
      scratchpad.unmap_data(mapped);
    }
    InnerProductData data = library->data;
    if (!bench.Fill(&data, trial) || !bench.Execute(*primitive, trial)) return;
    const auto results = bench.Read(trial);
    if (!results || !ExpectOracle(c, data, *results, trial)) return;
  }
}

void MissingArgumentsAreErrors(const InnerProductCase& c, Trial& trial) {
  const auto ran = RunProduct(c, trial);
  if (!ran) return;
  Device& device = *DeviceFor(trial);
  for (const Role role : kRoles) {
    if (!c.Has(role)) continue;
    InnerProductData data = DataOf(c);
    if (!ran->bench->Fill(&data, trial)) return;
    const auto before = ran->bench->Read(trial);
    if (!before) return;
    auto arguments = ran->bench->Arguments();
    arguments.erase(ArgumentOf(c, role));
    const bool refused = ExpectRefusedByExecute(
        "execution without " + c.NameOf(role),
        // No wait: refused.
        [&] { ran->primitive.execute(device.stream, arguments); }, device.stream, trial);
    if (!refused) return;
    const auto after = ran->bench->Read(trial);
    if (!after || !ExpectSameResults(c, "after an execution without " + c.NameOf(role), *before,
                                     *after, trial))
      return;
  }
}

void QueriesTellTheTensors(const InnerProductCase& c, Trial& trial) {
  SawProduct(trial, c);
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  const auto descs = DescsFor(c, trial);
  if (!descs) return;
  auto pd = PdFor(c, *descs, *device, trial);
  if (!pd) return;
  const auto ask = [&](dnnl::query what, int index) {
    return pd->With([&](auto& one) { return one.query_md(what, index); });
  };
  const memory::desc none;
  for (const Role role : kRoles) {
    InnerProductCase forward = c;
    forward.direction = Direction::kForward;
    const int gradient = role == kSrc       ? DNNL_ARG_DIFF_SRC
                         : role == kWeights ? DNNL_ARG_DIFF_WEIGHTS
                         : role == kBias    ? DNNL_ARG_DIFF_BIAS
                                            : DNNL_ARG_DIFF_DST;
    const int plain = ArgumentOf(forward, role), own = ArgumentOf(c, role);
    const memory::desc got = c.Has(role) ? pd->DescOf(role) : none;
    if (!trial.Expect(ask(dnnl::query::exec_arg_md, own) == got, "exec_arg_md of " + c.NameOf(role),
                      "what the getter tells", "another") ||
        !trial.Expect(ask(dnnl::query::exec_arg_md, own == plain ? gradient : plain) == none,
                      "exec_arg_md of what the direction has not: " + forward.NameOf(role),
                      "the zero descriptor", "another"))
      return;
  }
  const bool gradients = c.direction == Direction::kBackwardWeights;
  const auto weights = gradients ? dnnl::query::diff_weights_md : dnnl::query::weights_md;
  const memory::desc bias = c.Has(kBias) ? pd->DescOf(kBias) : none;
  const bool held =
      trial.Expect(ask(weights, 0) == pd->DescOf(kWeights), "weights number 0", "the weights",
                   "another") &&
      trial.Expect(ask(weights, 1) == bias, "weights number 1", "the bias", "another") &&
      trial.Expect(ask(weights, 2) == none, "weights number 2", "the zero descriptor", "another");
  if (!held) return;
  const auto primitive = PrimitiveOf(*pd, trial);
  if (primitive)
    trial.Expect(primitive->get_kind() == dnnl::primitive::kind::inner_product, "get_kind()",
                 "inner_product", "another");
}

constexpr Direction kForward = Direction::kForward, kData = Direction::kBackwardData,
                    kGradient = Direction::kBackwardWeights;

InnerProductLimits Of(std::vector<Direction> directions) {
  InnerProductLimits limits;
  limits.directions = std::move(directions);
  return limits;
}

InnerProductLimits WithoutBias() {
  InnerProductLimits limits = Of({kForward, kGradient});
  limits.bias_percent = 0;
  return limits;
}

InnerProductLimits NoRows() {
  InnerProductLimits limits;
  limits.batches = {0};
  return limits;
}

InnerProductLimits AllLayouts(Direction direction) {
  InnerProductLimits limits;
  limits.directions = {direction};
  limits.all_layouts = true;
  limits.any_percent = 10;
  return limits;
}

const bool kDefined[] = {
    Define<InnerProductCase>(spec::IP_006, "empty", AnyInnerProduct(NoRows()), NothingIsABatch,
                             {"forward", "backward data", "backward weights", "no rows"}),
    Define<InnerProductCase>(spec::IP_008, "", AnyInnerProduct(Of({kForward})),
                             TrainingIsInference),
    Define<Choice>(spec::IP_008, "others", Choices(NamesOf(KindsOtherThanForward())),
                   OtherKindsAreRefused),
    Define<InnerProductCase>(spec::IP_009, "", AnyInnerProduct(WithoutBias()),
                             ZeroDescriptorIsNoBias, {"forward", "backward weights"}),
    Define<InnerProductCase>(spec::IP_051, "", AnyInnerProduct(Of({kData, kGradient})),
                             HintsChangeNothing,
                             {"hint 0", "hint 1", "hint 2", "hint 3", "hint 4"}),
    Define<Choice>(spec::IP_051, "empty", Choices({"backward-data", "backward-weights"}),
                   EmptyHintsAreRefused),
    Define<InnerProductCase>(
        spec::IP_052, "forward", AnyInnerProduct(AllLayouts(kForward)), OnlyElementsAreWritten,
        {"gapped dst", "region dst", "gapped src", "gapped wei", "edge of a page"}),
    Define<InnerProductCase>(spec::IP_052, "data", AnyInnerProduct(AllLayouts(kData)),
                             OnlyElementsAreWritten, {"gapped src", "region src"}),
    Define<InnerProductCase>(spec::IP_052, "weights", AnyInnerProduct(AllLayouts(kGradient)),
                             OnlyElementsAreWritten, {"gapped wei", "region wei", "gapped bias"}),
    Define<InnerProductCase>(spec::IP_053, "", AnyInnerProduct(), ExecutionsAreIndependent),
    Define<InnerProductCase>(spec::IP_054, "", AnyInnerProduct(), EveryImplementationIsRight,
                             {"several implementations"}),
    Define<InnerProductCase>(spec::IP_054, "alone", AnyInnerProduct(),
                             ImplementationsNeedNoDescriptor),
    Define<InnerProductCase>(spec::IP_055, "", AnyInnerProduct(), ScratchpadsDoNotMatter),
    Define<InnerProductCase>(spec::IP_056, "", AnyInnerProduct(), MissingArgumentsAreErrors,
                             {"bias", "forward", "backward data", "backward weights"}),
    Define<InnerProductCase>(spec::IP_057, "", AnyInnerProduct(), QueriesTellTheTensors,
                             {"bias", "no bias", "forward", "backward data", "backward weights"}),
};

}  // namespace
}  // namespace conformance
