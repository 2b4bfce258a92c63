// What ATTR-021 to ATTR-032, ATTR-047 to ATTR-050, PRIM-030, PRIM-035, PRIM-040, PRIM-048 and
// PRIM-049 ask of every primitive: scales, chains of post-ops, sums, new contents of old memories,
// arguments that are missing, what is written, primitives that differ in little.
#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

#include "conformance/case/property.h"
#include "conformance/convolution/cases.h"
#include "conformance/convolution/run.h"
#include "conformance/gen/choice.h"
#include "conformance/subject/computation_attributes.h"
#include "conformance/subject/computation_checks.h"
#include "conformance/subject/computation_model.h"
#include "conformance/subject/computation_post_ops.h"
#include "conformance/subject/computation_scales.h"
#include "spec/requirements.h"

namespace conformance {
namespace {

void GiveChannels(int64_t channels, ConvolutionCase* c) {
  c->ic = std::min<int64_t>(c->ic, 4);
  for (spec::ConvolutionAxis& axis : c->axes) axis = Axis(std::min<int64_t>(axis.input, 3), 1);
  c->oc = c->groups > 1 ? (channels + c->groups - 1) / c->groups : channels;
}

// PRIM-049: in the second request one tensor lies otherwise, or the padding is on the other side,
// or the algorithm is the library's choice.
void OperationsAreNotMixedUp(const ConvolutionCase& c, Trial& trial) {
  ConvolutionCase other = c;
  std::string what = "another layout";
  if (c.seed % 3 == 0) {
    spec::ConvolutionAxis& axis = other.axes.front();
    std::swap(axis.padding_l, axis.padding_r);
    if (axis.padding_l == axis.padding_r) return trial.Vacuous();
    what = "other padding";
  } else if (c.seed % 7 == 1) {
    other.algorithm = ConvolutionAlgorithm::kAuto;
    what = "another algorithm";
  } else {
    const Role roles[] = {kSrc, kWeights, kDst};
    if (!MoveChannels(roles[c.seed % 5 % 3], &other)) return trial.Vacuous();
  }
  trial.Cover(what);
  AreNotMixedUp(c, other, trial);
}

// Without `any`, and with padding that differs between the sides of the first axis.
Cases<ConvolutionCase> RequestsToDiffer() {
  return {120,
          [](int64_t index, Random& random) {
            ConvolutionCase c =
                AnyConvolutionCase(random, OfDirectionInTurn<ConvolutionLimits>(index));
            ConvolutionCase uneven = c;
            ++uneven.axes.front().padding_r;
            if (c.axes.front().padding_l == c.axes.front().padding_r && IsLegal(uneven)) c = uneven;
            for (TensorUse& use : c.uses) use.at = {};
            c.SetAny(false);
            return c;
          },
          [](const ConvolutionCase& c) { return c.attributes.none(); }};
}

const bool kDefined[] = {
    Define<ConvolutionCase>(spec::ATTR_021, "convolutions", OneScaleForAll(&AnyConvolutionCase),
                            RefusedOrRight),
    Define<ConvolutionCase>(spec::ATTR_022, "convolutions",
                            ScalesOfChannels(&AnyConvolutionCase, GiveChannels),
                            EachChannelHasItsScale, {"many scales"}),
    Define<ConvolutionCase>(spec::ATTR_047, "convolutions",
                            WithPostOps(&AnyConvolutionCase, 60, DrawLongChain, HasLongChain),
                            LongChainsAreRefusedOrRight, {"long chain of post-ops"}),
    Define<ConvolutionCase>(spec::ATTR_048, "convolutions",
                            WithPostOps(&AnyConvolutionCase, 60, DrawOneSum, HasOneSum),
                            SumReadsWhatThereWas),
    Define<ConvolutionCase>(spec::ATTR_050, "convolutions", TypedSums(&AnyConvolutionCase),
                            SumReadsAnotherType),
    Define<ConvolutionCase>(spec::PRIM_030, "convolutions", OfEachDirection(&AnyConvolutionCase),
                            EachInputIsReadAnew, ClassesOfNewContents()),
    Define<ConvolutionCase>(spec::PRIM_049, "convolutions",
                            WithPostOps(&AnyConvolutionCase, 80, DrawToDiffer, MayDiffer),
                            AttributesAreNotMixedUp, ClassesOfDifferences()),
    Define<ConvolutionCase>(spec::ATTR_023, "convolutions", ScalesOfLayouts(&AnyConvolutionCase),
                            RefusedOrRight, {"permuted dst", "gapped dst"}),
    Define<Choice>(spec::ATTR_024, "convolutions",
                   Choices({"f32-common", "f32-channel", "u8-common", "u8-channel"}),
                   CountsOfScalesAreChecked<ConvolutionCase>),
    Define<ConvolutionCase>(spec::ATTR_027, "convolutions", ScalesToIntegers(&AnyConvolutionCase),
                            RefusedOrRight, {"s8 dst", "u8 dst", "s32 dst"}),
    Define<ConvolutionCase>(spec::ATTR_028, "convolutions",
                            ScalesBeforePostOps(&AnyConvolutionCase), RefusedOrRight,
                            {"sum", "eltwise"}),
    Define<ConvolutionCase>(spec::ATTR_029, "convolutions", ScalesAtExecution(&AnyConvolutionCase),
                            RefusedOrRight),
    Define<ConvolutionCase>(spec::ATTR_031, "convolutions", ScalesAtExecution(&AnyConvolutionCase),
                            WrongScalesAreErrors<ConvolutionCase, false>),
    Define<ConvolutionCase>(spec::ATTR_032, "convolutions", ScalesAtExecution(&AnyConvolutionCase),
                            ScalesAreReadEachTime),
    Define<ConvolutionCase>(spec::ATTR_032, "memories-of-convolutions",
                            ScalesAtExecution(&AnyConvolutionCase),
                            WrongScalesAreErrors<ConvolutionCase, true>),
    Define<ConvolutionCase>(spec::ATTR_049, "convolutions", PostOpsOfLayouts(&AnyConvolutionCase),
                            PostOpsKeepTheFormat),
    Define<ConvolutionCase>(spec::PRIM_035, "convolutions", OfEachDirection(&AnyConvolutionCase),
                            MissingArgumentsAreErrors, {"bias"}),
    Define<ConvolutionCase>(spec::PRIM_040, "convolutions",
                            OfEachDirection(&AnyConvolutionCase, 150, Open(10, true)),
                            OnlyElementsAreWritten, {"gapped dst", "gapped src", "gapped wei"}),
    Define<ConvolutionCase>(spec::PRIM_048, "convolutions", OfEachDirection(&AnyConvolutionCase),
                            ExecutionsAreIndependent),
    Define<ConvolutionCase>(spec::PRIM_049, "operations-of-convolutions", RequestsToDiffer(),
                            OperationsAreNotMixedUp, {"other padding", "another layout"}),
};

}  // namespace
}  // namespace conformance
