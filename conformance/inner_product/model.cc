// What ATTR-021 to ATTR-032, ATTR-047 to ATTR-050, PRIM-030, PRIM-035, PRIM-040, PRIM-048 and
// PRIM-049 ask of every primitive: scales, chains of post-ops, sums, new contents of old memories,
// arguments that are missing, what is written, primitives that differ in little.
#include <algorithm>
#include <cstdint>

#include "conformance/case/property.h"
#include "conformance/gen/choice.h"
#include "conformance/inner_product/cases.h"
#include "conformance/inner_product/run.h"
#include "conformance/subject/computation_attributes.h"
#include "conformance/subject/computation_checks.h"
#include "conformance/subject/computation_model.h"
#include "conformance/subject/computation_post_ops.h"
#include "conformance/subject/computation_scales.h"
#include "spec/requirements.h"

namespace conformance {
namespace {

void GiveChannels(int64_t channels, InnerProductCase* c) {
  c->mb = std::min<int64_t>(c->mb, 3);
  c->ic = std::min<int64_t>(c->ic, 4);
  c->spatial.clear();
  c->oc = channels;
}

// PRIM-049: in the second request one tensor lies otherwise.
void OperationsAreNotMixedUp(const InnerProductCase& c, Trial& trial) {
  InnerProductCase other = c;
  const Role roles[] = {kSrc, kWeights, kDst};
  if (!MoveChannels(roles[c.seed % 3], &other)) return trial.Vacuous();
  trial.Cover(c.NameOf(roles[c.seed % 3]) + " lies otherwise");
  AreNotMixedUp(c, other, trial);
}

// Without `any`.
Cases<InnerProductCase> RequestsToDiffer() {
  return {120,
          [](int64_t index, Random& random) {
            InnerProductCase c =
                AnyInnerProductCase(random, OfDirectionInTurn<InnerProductLimits>(index));
            for (TensorUse& use : c.uses) use.at = {};
            c.SetAny(false);
            return c;
          },
          [](const InnerProductCase& c) { return c.attributes.none(); }};
}

const bool kDefined[] = {
    Define<InnerProductCase>(spec::ATTR_021, "inner-products", OneScaleForAll(&AnyInnerProductCase),
                             RefusedOrRight),
    Define<InnerProductCase>(spec::ATTR_022, "inner-products",
                             ScalesOfChannels(&AnyInnerProductCase, GiveChannels),
                             EachChannelHasItsScale, {"many scales"}),
    Define<InnerProductCase>(spec::ATTR_047, "inner-products",
                             WithPostOps(&AnyInnerProductCase, 60, DrawLongChain, HasLongChain),
                             LongChainsAreRefusedOrRight, {"long chain of post-ops"}),
    Define<InnerProductCase>(spec::ATTR_048, "inner-products",
                             WithPostOps(&AnyInnerProductCase, 60, DrawOneSum, HasOneSum),
                             SumReadsWhatThereWas),
    Define<InnerProductCase>(spec::ATTR_050, "inner-products", TypedSums(&AnyInnerProductCase),
                             SumReadsAnotherType),
    Define<InnerProductCase>(spec::PRIM_030, "inner-products",
                             OfEachDirection(&AnyInnerProductCase), EachInputIsReadAnew,
                             ClassesOfNewContents()),
    Define<InnerProductCase>(spec::PRIM_049, "inner-products",
                             WithPostOps(&AnyInnerProductCase, 80, DrawToDiffer, MayDiffer),
                             AttributesAreNotMixedUp, ClassesOfDifferences()),
    Define<InnerProductCase>(spec::ATTR_023, "inner-products",
                             ScalesOfLayouts(&AnyInnerProductCase), RefusedOrRight,
                             {"permuted dst", "gapped dst"}),
    Define<Choice>(spec::ATTR_024, "inner-products",
                   Choices({"f32-common", "f32-channel", "u8-common", "u8-channel"}),
                   CountsOfScalesAreChecked<InnerProductCase>),
    Define<InnerProductCase>(spec::ATTR_027, "inner-products",
                             ScalesToIntegers(&AnyInnerProductCase), RefusedOrRight,
                             {"s8 dst", "u8 dst", "s32 dst"}),
    Define<InnerProductCase>(spec::ATTR_028, "inner-products",
                             ScalesBeforePostOps(&AnyInnerProductCase), RefusedOrRight,
                             {"sum", "eltwise"}),
    Define<InnerProductCase>(spec::ATTR_029, "inner-products",
                             ScalesAtExecution(&AnyInnerProductCase), RefusedOrRight),
    Define<InnerProductCase>(spec::ATTR_031, "inner-products",
                             ScalesAtExecution(&AnyInnerProductCase),
                             WrongScalesAreErrors<InnerProductCase, false>),
    Define<InnerProductCase>(spec::ATTR_032, "inner-products",
                             ScalesAtExecution(&AnyInnerProductCase), ScalesAreReadEachTime),
    Define<InnerProductCase>(spec::ATTR_032, "memories-of-inner-products",
                             ScalesAtExecution(&AnyInnerProductCase),
                             WrongScalesAreErrors<InnerProductCase, true>),
    Define<InnerProductCase>(spec::ATTR_049, "inner-products",
                             PostOpsOfLayouts(&AnyInnerProductCase), PostOpsKeepTheFormat),
    Define<InnerProductCase>(spec::PRIM_035, "inner-products",
                             OfEachDirection(&AnyInnerProductCase), MissingArgumentsAreErrors,
                             {"bias"}),
    Define<InnerProductCase>(spec::PRIM_040, "inner-products",
                             OfEachDirection(&AnyInnerProductCase, 150, Open(10, true)),
                             OnlyElementsAreWritten, {"gapped dst", "gapped src", "gapped wei"}),
    Define<InnerProductCase>(spec::PRIM_048, "inner-products",
                             OfEachDirection(&AnyInnerProductCase), ExecutionsAreIndependent),
    Define<InnerProductCase>(spec::PRIM_049, "operations-of-inner-products", RequestsToDiffer(),
                             OperationsAreNotMixedUp, {"src lies otherwise", "dst lies otherwise"}),
};

}  // namespace
}  // namespace conformance
