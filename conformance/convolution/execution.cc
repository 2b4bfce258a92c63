// CONV-005 to CONV-010, CONV-012, CONV-014, CONV-044, CONV-147, CONV-160 to CONV-167, CONV-171,
// CONV-172, PRIM-013: arguments, hints, footprints, implementations, scratchpads, queries.
#include <string>
#include <utility>
#include <vector>

#include "conformance/case/property.h"
#include "conformance/convolution/cases.h"
#include "conformance/convolution/limits.h"
#include "conformance/convolution/run.h"
#include "conformance/gen/choice.h"
#include "conformance/subject/attempt.h"
#include "conformance/subject/computation_checks.h"
#include "conformance/subject/computation_hints.h"
#include "conformance/subject/computation_layouts.h"
#include "conformance/subject/descriptor_text.h"
#include "conformance/subject/expect.h"
#include "conformance/subject/prop_kinds.h"
#include "spec/requirements.h"

namespace conformance {
namespace {

const std::vector<std::string> kEach{"forward", "backward data", "backward weights"};

void ThereIsNoWorkspace(const ConvolutionCase& c, Trial& trial) {
  auto made = ResolvedOf(c, trial);
  if (!made) return;
  const dnnl::memory::desc workspace = made->pd.With([](auto& pd) { return pd.workspace_desc(); });
  ExpectDescriptor(trial, "workspace_desc()", "the zero descriptor", dnnl::memory::desc(),
                   workspace);
}

// A forward of another batch, of another type, of other channels.
void HintsOfOthers(const Choice& choice, Trial& trial) {
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  ConvolutionCase c = ConvolutionOf(2, 1, 4, 8, {Axis(5, 3, 1, 1, 1), Axis(4, 3)}), other = c;
  c.direction = choice.what.find("data") != std::string::npos ? kData : kGradient;
  if (choice.what.find("batch") != std::string::npos) other.mb = 3;
  if (choice.what.find("channels") != std::string::npos) other.oc = 9;
  if (choice.what.find("input") != std::string::npos) other.axes[0].input = 7;
  c.SetAny(true);
  const auto descs = DescsFor(c, trial);
  if (!descs) return;
  Making<ConvolutionCase> making;
  const auto hint = Attempt([&] { return HintFor(other, device->engine); });
  if (!ExpectOffered(trial, hint, "the other forward", {"convolution", "forward", {"f32"}, 4, {}}))
    return;
  making.hint = *hint.value;
  const auto made = Attempt([&] { return MakePd(c, *descs, device->engine, making); });
  if (!made && !ExpectLeftOpen(trial, made.refusal, "a hint of other dims")) return;
  trial.Record("a hint of other dims", made ? "accepts" : "refuses");
  const auto right = Attempt([&] { return MakePd(c, *descs, device->engine); });
  ExpectOffered(trial, right, "a hint of its own dims", c.AskedFor());
}

void NextImplementationsResolveAnew(const ConvolutionCase& c, Trial& trial) {
  auto made = ResolvedOf(c, trial);
  if (!made) return;
  int number = 0;
  do {
    for (const Role role : kRoles) {
      if (!c.Has(role)) continue;
      const dnnl::memory::desc now = made->pd.DescOf(role);
      const std::string name = c.NameOf(role) + " of implementation " + std::to_string(number);
      const bool held =
          c.uses[role].any
              ? trial.Expect(now != made->given[role] && now.dims() == c.DimsOf(role), name,
                             "a layout of the dims given", "another, or any (" + TextOf(now) + ")")
              : ExpectDescriptor(trial, name, "the descriptor given", made->given[role], now);
      if (!held) return;
    }
  } while (++number < kMostExecuted && NextImplementation(&made->pd));
  if (number == 1) trial.NotRun("the subject has one implementation");
}

// Project: what a portable program does not try.
void MissingScratchpadsAreErrors(const ConvolutionCase& c, Trial& trial) {
  if (trial.portable()) return trial.NotRun("of the project profile");
  Cover(trial, c);
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  const auto descs = DescsFor(c, trial);
  if (!descs) return;
  Making<ConvolutionCase> making;
  making.user_scratchpad = true;
  auto pd = PdFor(c, *descs, *device, trial, making);
  if (!pd) return;
  if (pd->With([](auto& one) { return one.scratchpad_desc().get_size(); }) == 0)
    return trial.NotRun("the subject needs no scratchpad");
  auto primitive = PrimitiveOf(*pd, trial);
  if (!primitive) return;
  const auto bench = BenchOf(c, *pd, *device);
  ComputedData data = DataOf(c);
  if (!bench->Fill(&data, trial)) return;
  auto arguments = bench->Arguments();
  arguments.erase(DNNL_ARG_SCRATCHPAD);
  ExpectRefusedByExecute(
      "execution without a scratchpad",
      // No wait: refused.
      [&] { primitive->execute(device->stream, arguments); }, device->stream, trial);
}

ConvolutionLimits Of(std::vector<Direction> directions, int64_t count = 60) {
  ConvolutionLimits limits;
  limits.directions = std::move(directions);
  limits.count = count;
  limits.most_products = 1 << 12;
  return limits;
}

ConvolutionLimits All(int64_t count = 60) { return Of(EachDirection(), count); }

// Bytes with a bias, scales and post-ops.
ConvolutionLimits FusedBytes() {
  ConvolutionLimits limits = Of({kForward}, 60);
  limits.types = IntegerTriples();
  limits.scales = limits.post_ops = true;
  limits.bias_percent = 80;
  return limits;
}

ConvolutionLimits OfTypes(Direction direction, int64_t count) {
  ConvolutionLimits limits = Of({direction}, count);
  limits.types = NarrowTypes(direction);
  return limits;
}

ConvolutionLimits Every(int64_t count = 80) { return OfEveryType(EachDirection(), count); }

ConvolutionLimits OfNumbers(Numbers numbers) {
  ConvolutionLimits limits = All(40);
  limits.numbers = {numbers};
  return limits;
}

ConvolutionLimits FusedOfTypes() {
  ConvolutionLimits limits = OfTypes(kForward, 60);
  limits.types.push_back(ConvolutionLimits().types[0]);
  limits.post_ops = true;
  return limits;
}

ConvolutionLimits WithoutBias() {
  ConvolutionLimits limits = OfEveryType({kForward, kGradient}, 100);
  limits.bias_percent = 0;
  return limits;
}

ConvolutionLimits AllLayouts(Direction direction) {
  ConvolutionLimits limits = OfEveryType({direction}, 150);
  limits.algorithms.assign(3, ConvolutionAlgorithm::kDirect);
  limits.algorithms.push_back(ConvolutionAlgorithm::kWinograd);
  limits.all_layouts = true;
  limits.any_percent = 10;
  return limits;
}

// Broadcasts of inputs among them.
ConvolutionLimits FewOfLayouts(Direction direction) {
  ConvolutionLimits limits = AllLayouts(direction);
  limits.broadcasts = true;
  limits.count = 150;
  return limits;
}

// As Winograd's algorithm, and as what `auto` chooses.
ConvolutionLimits OtherAlgorithms() {
  ConvolutionLimits limits = All(60);
  limits.algorithms = {ConvolutionAlgorithm::kWinograd, ConvolutionAlgorithm::kWinograd,
                       ConvolutionAlgorithm::kAuto};
  return limits;
}

ConvolutionLimits Fused(int64_t count = 60) {
  ConvolutionLimits limits = OfEveryType({kForward}, count);
  limits.attributes_percent = 100;
  return limits;
}

ConvolutionLimits FusedAtExecution() {
  ConvolutionLimits limits = Fused(80);
  limits.run_time_scales = true;
  return limits;
}

// Sums, and biases, up to the ends of s32.
ConvolutionLimits Extremes() {
  ConvolutionLimits limits = OfTypes(kForward, 300);
  limits.types = IntegerTriples();
  limits.numbers = {Numbers::kExtremes};
  return limits;
}

// Each tensor in turn behind an aligned address.
Cases<ConvolutionCase> Shifted() {
  std::vector<ConvolutionCase> cases;
  for (const Direction direction : EachDirection()) {
    for (const Role role : kRoles) {
      for (int64_t shift = 1 + static_cast<int64_t>(role) % 2; shift <= 15; shift += 2) {
        ConvolutionCase c =
            ConvolutionOf(2, shift % 3 == 0 ? 2 : 1, 8, 17, {Axis(5, 3, 1, 1, 1), Axis(4, 1)});
        c.direction = direction;
        c.bias = direction != kData;
        if (!c.Has(role)) continue;
        if (shift % 4 < 2) SetChannelsLast(&c);
        c.uses[role].at.shift = shift;
        c.seed = cases.size();
        cases.push_back(c);
      }
    }
  }
  return Listed(std::move(cases));
}

const bool kDefined[] = {
    Define<ConvolutionCase>(spec::ATTR_011, "convolutions", PanelConvolutions(EachDirection()),
                            ScratchpadsDoNotMatter,
                            {"bias", "forward", "backward data", "backward weights"}),
    Define<ConvolutionCase>(spec::CONV_005, "", AnyConvolution(Every()), QueriesTellTheTensors,
                            kEach),
    Define<ConvolutionCase>(
        spec::CONV_006, "", AnyConvolution(AllLayouts(kForward)), OnlyElementsAreWritten,
        {"gapped dst", "region dst", "gapped src", "gapped wei", "u8 dst", "s8 dst"}),
    Define<ConvolutionCase>(spec::CONV_007, "", AnyConvolution(AllLayouts(kData)),
                            OnlyElementsAreWritten, {"gapped src", "region src"}),
    Define<ConvolutionCase>(spec::CONV_007, "queries", AnyConvolution(OfEveryType({kData}, 40)),
                            QueriesTellTheTensors),
    Define<ConvolutionCase>(spec::CONV_008, "", AnyConvolution(AllLayouts(kGradient)),
                            OnlyElementsAreWritten, {"gapped wei", "region wei"}),
    Define<ConvolutionCase>(spec::CONV_009, "", AnyConvolution(WithoutBias()),
                            ZeroDescriptorIsNoBias, {"forward", "backward weights"}),
    Define<ConvolutionCase>(spec::CONV_010, "", AnyConvolution(Every()), QueriesTellTheTensors,
                            {"bias", "no bias"}),
    Define<ConvolutionCase>(spec::CONV_012, "", AnyConvolution(Every(60)), QueriesTellTheTensors,
                            kEach),
    Define<ConvolutionCase>(spec::CONV_014, "", AnyConvolution(Every(120)),
                            MissingArgumentsAreErrors,
                            {"bias", "forward", "backward data", "backward weights"}),
    Define<Choice>(spec::CONV_044, "", Choices(NamesOf(KindsOtherThanForward())),
                   OtherKindsAreRefused<ConvolutionCase>),
    Define<ConvolutionCase>(spec::CONV_147, "", AnyConvolution(Fused()), ThereIsNoWorkspace,
                            {"sum", "eltwise"}),
    Define<Choice>(spec::CONV_160, "", Choices({"backward-data", "backward-weights"}),
                   EmptyHintsAreRefused<ConvolutionCase>),
    Define<ConvolutionCase>(spec::CONV_161, "",
                            AnyConvolution(OfEveryType({kData, kGradient}, 120)),
                            HintsChangeNothing, {"hint 0", "hint 1", "hint 2", "hint 3", "hint 4"}),
    Define<Choice>(spec::CONV_162, "",
                   Choices({"data-batch", "data-channels", "data-input", "weights-batch",
                            "weights-channels", "weights-input"}),
                   HintsOfOthers),
    Define<ConvolutionCase>(spec::CONV_163, "", AnyConvolution(All(40)), EveryImplementationIsRight,
                            {"several implementations"}),
    Define<ConvolutionCase>(spec::CONV_163, "types", AnyConvolution(Every(100)),
                            EveryImplementationIsRight, {"several implementations", "bf16 wei"}),
    Define<ConvolutionCase>(spec::CONV_163, "groups", GroupConvolutions(EachDirection()),
                            EveryImplementationIsRight, {"several implementations", "groups"}),
    Define<ConvolutionCase>(spec::CONV_163, "extremes", AnyConvolution(Extremes()),
                            EveryImplementationIsRight, {"several implementations", "extremes"}),
    Define<ConvolutionCase>(spec::CONV_163, "fused", AnyConvolution(FusedBytes()),
                            EveryImplementationIsRight, {"several implementations", "bias"}),
    Define<ConvolutionCase>(spec::CONV_163, "layouts", AnyConvolution(FewOfLayouts(kForward)),
                            EveryImplementationIsRight,
                            {"several implementations", "region dst", "region src"}),
    Define<ConvolutionCase>(spec::CONV_163, "layouts-of-data", AnyConvolution(FewOfLayouts(kData)),
                            EveryImplementationIsRight, {"several implementations", "region src"}),
    Define<ConvolutionCase>(spec::CONV_163, "layouts-of-weights",
                            AnyConvolution(FewOfLayouts(kGradient)), EveryImplementationIsRight,
                            {"several implementations", "region wei"}),
    Define<ConvolutionCase>(spec::CONV_163, "algorithms", AnyConvolution(OtherAlgorithms()),
                            EveryImplementationIsRight),
    Define<ConvolutionCase>(spec::CONV_163, "special", AnyConvolution(OfNumbers(Numbers::kSpecial)),
                            InProject<ConvolutionCase, EveryImplementationIsRight>, {"special"}),
    Define<ConvolutionCase>(spec::CONV_163, "zeros", AnyConvolution(OfNumbers(Numbers::kZeros)),
                            InProject<ConvolutionCase, EveryImplementationIsRight>, {"zeros"}),
    Define<ConvolutionCase>(spec::PRIM_013, "convolutions", AnyConvolution(FusedOfTypes()),
                            ImplementationsAgree, {"several implementations", "sum", "eltwise"}),
    Define<ConvolutionCase>(spec::CONV_163, "alone", AnyConvolution(All()),
                            ImplementationsNeedNoDescriptor),
    Define<ConvolutionCase>(spec::CONV_164, "", AnyConvolution(Every(100)),
                            NextImplementationsResolveAnew, kEach),
    Define<ConvolutionCase>(spec::CONV_165, "", AnyConvolution(Every(60)), ThereIsNoWorkspace,
                            kEach),
    Define<ConvolutionCase>(spec::CONV_166, "", AnyConvolution(Every(100)),
                            MissingScratchpadsAreErrors),
    Define<ConvolutionCase>(spec::CONV_167, "", AnyConvolution(All(40)), ScratchpadsDoNotMatter),
    Define<ConvolutionCase>(spec::CONV_167, "forward", AnyConvolution(OfTypes(kForward, 120)),
                            ScratchpadsDoNotMatter, {"u8 src", "s8 src", "bf16 src", "bias"}),
    Define<ConvolutionCase>(spec::CONV_167, "first-layers",
                            AnyConvolution(OfFirstLayers(OfTypes(kForward, 120))),
                            ScratchpadsDoNotMatter, {"first layer", "u8 src", "s8 src"}),
    Define<ConvolutionCase>(spec::CONV_167, "data", AnyConvolution(OfTypes(kData, 40)),
                            ScratchpadsDoNotMatter),
    Define<ConvolutionCase>(spec::CONV_167, "weights", AnyConvolution(OfTypes(kGradient, 40)),
                            ScratchpadsDoNotMatter),
    Define<ConvolutionCase>(spec::CONV_167, "attributes", AnyConvolution(FusedAtExecution()),
                            ScratchpadsDoNotMatter, {"sum", "scale of each channel"}),
    Define<ConvolutionCase>(spec::CONV_167, "panels",
                            conformance::OfTypes(PanelConvolutions(EachDirection()), 60),
                            ScratchpadsDoNotMatter, kEach),
    Define<ConvolutionCase>(spec::CONV_167, "threads", ThreadedConvolutions(EachDirection()),
                            ScratchpadsDoNotMatter, kEach),
    Define<ConvolutionCase>(spec::CONV_167, "algorithms", AnyConvolution(OtherAlgorithms()),
                            ScratchpadsDoNotMatter, {"for winograd"}),
    Define<ConvolutionCase>(spec::CONV_171, "", AnyConvolution(Every(250)),
                            ExecutionsAreIndependent, {"sum", "bf16 wei", "u8 src"}),
    Define<ConvolutionCase>(spec::CONV_171, "uneven", UnevenKernels(EachDirection()),
                            ExecutionsAreIndependent, kEach),
    Define<ConvolutionCase>(spec::CONV_171, "algorithms", AnyConvolution(OtherAlgorithms()),
                            ExecutionsAreIndependent, {"for winograd"}),
    Define<ConvolutionCase>(spec::CONV_172, "", Shifted(), IsTheFormula, {"misaligned"}),
    Define<ConvolutionCase>(spec::CONV_172, "types", conformance::OfTypes(Shifted()), IsTheFormula,
                            {"misaligned", "bf16 wei", "u8 src"}),
};

}  // namespace
}  // namespace conformance
