// IP-006 and OPT-003 (a batch of nothing), IP-008, IP-009, IP-051 to IP-057, ATTR-014, PRIM-013:
// hints, arguments, footprints, implementations, scratchpads, queries.
#include <utility>
#include <vector>

#include "conformance/case/property.h"
#include "conformance/gen/choice.h"
#include "conformance/inner_product/cases.h"
#include "conformance/inner_product/limits.h"
#include "conformance/inner_product/run.h"
#include "conformance/subject/computation_checks.h"
#include "conformance/subject/computation_hints.h"
#include "conformance/subject/computation_layouts.h"
#include "conformance/subject/prop_kinds.h"
#include "spec/requirements.h"

namespace conformance {
namespace {

void NothingIsABatch(const InnerProductCase& c, Trial& trial) {
  const auto ran = Run(c, trial);
  if (!ran) return;
  ExpectOracle(c, ran->data, ran->results, trial) && ran->bench->ExpectFootprint(trial);
}

// Portable: bits may differ between what two kinds choose (PRIM-039).
void FloatsOfTrainingAreThoseOfInference(const InnerProductCase& c, Trial& trial) {
  if (trial.portable()) return trial.NotRun("the bits of floats may differ");
  TrainingIsInference(c, trial);
}

InnerProductLimits Of(std::vector<Direction> directions) {
  InnerProductLimits limits;
  limits.directions = std::move(directions);
  return limits;
}

InnerProductLimits WithoutBias() {
  InnerProductLimits limits = OfEveryType({kForward, kGradient});
  limits.bias_percent = 0;
  return limits;
}

// With what may be fused in all of them.
InnerProductLimits Fused() {
  InnerProductLimits limits = OfEveryType({kForward});
  limits.attributes_percent = 100;
  return limits;
}

InnerProductLimits FusedAtExecution() {
  InnerProductLimits limits = Fused();
  limits.run_time_scales = true;
  limits.count = 200;
  return limits;
}

// Where the order of summation shows.
InnerProductLimits Floats() {
  InnerProductLimits limits = Of({kForward});
  limits.numbers = {Numbers::kFloats};
  limits.count = 500;
  return limits;
}

// Sums, and biases, up to the ends of s32.
InnerProductLimits Extremes() {
  InnerProductLimits limits = Of({kForward});
  limits.types = IntegerTriples();
  limits.numbers = {Numbers::kExtremes};
  limits.count = 150;
  return limits;
}

InnerProductLimits OfTypes(Direction direction) {
  InnerProductLimits limits = Of({direction});
  limits.types = NarrowTypes(direction);
  return limits;
}

// Infinities and NaNs.
InnerProductLimits Special() {
  InnerProductLimits limits = Of(EachDirection());
  limits.numbers = {Numbers::kSpecial};
  return limits;
}

InnerProductLimits Zeros() {
  InnerProductLimits limits = Special();
  limits.numbers = {Numbers::kZeros};
  limits.count = 100;
  return limits;
}

InnerProductLimits FewFused() {
  InnerProductLimits limits = Fused();
  limits.count = 60;
  return limits;
}

// Floats as often as bytes, and weights that are padded where they are in blocks.
InnerProductLimits FewOfTypes() {
  InnerProductLimits limits = OfTypes(kForward);
  for (int i = 0; i < 5; ++i)
    for (const Types& types : FloatTypes(kForward)) limits.types.push_back(types);
  limits.any_percent = 70;
  limits.count = 100;
  return limits;
}

// What is cut into blocks of rows ends anywhere.
InnerProductLimits AnyRows() {
  InnerProductLimits limits;
  limits.batches.clear();
  for (int64_t rows = 1; rows <= 33; ++rows) limits.batches.push_back(rows);
  return limits;
}

// In any layout of what is written, with what may be fused.
InnerProductLimits NoRows() {
  InnerProductLimits limits = OfEveryType(EachDirection());
  limits.batches = {0};
  limits.all_layouts = limits.dense_bias = true;
  limits.count = 400;
  return limits;
}

InnerProductLimits FewWithoutRows() {
  InnerProductLimits limits = NoRows();
  limits.any_percent = 70;
  limits.count = 100;
  return limits;
}

InnerProductLimits AllLayouts(Direction direction) {
  InnerProductLimits limits = OfEveryType({direction});
  limits.all_layouts = true;
  limits.any_percent = 10;
  return limits;
}

// Broadcasts of inputs among them.
InnerProductLimits FewOfLayouts(Direction direction) {
  InnerProductLimits limits = AllLayouts(direction);
  limits.broadcasts = true;
  limits.count = 250;
  return limits;
}

const bool kDefined[] = {
    Define<InnerProductCase>(spec::PRIM_039, "inner-products-of-nothing", AnyInnerProduct(NoRows()),
                             OutputsAreOverwritten, {"backward weights", "no rows"}),
    Define<InnerProductCase>(spec::IP_006, "empty", AnyInnerProduct(NoRows()), NothingIsABatch,
                             {"forward", "backward data", "backward weights", "no rows"}),
    Define<InnerProductCase>(spec::OPT_003, "inner-product", AnyInnerProduct(FewWithoutRows()),
                             ResolvedIsADescriptor,
                             {"any src", "any wei", "any dst", "any bias", "forward",
                              "backward data", "backward weights"}),
    Define<InnerProductCase>(spec::IP_008, "", AnyInnerProduct(Of({kForward})),
                             TrainingIsInference),
    Define<InnerProductCase>(spec::IP_008, "floats", AnyInnerProduct(Floats()),
                             FloatsOfTrainingAreThoseOfInference, {"floats"}),
    Define<InnerProductCase>(spec::IP_008, "attributes", AnyInnerProduct(Fused()),
                             TrainingIsInference),
    Define<Choice>(spec::IP_008, "others", Choices(NamesOf(KindsOtherThanForward())),
                   OtherKindsAreRefused<InnerProductCase>),
    Define<InnerProductCase>(spec::IP_009, "", AnyInnerProduct(WithoutBias()),
                             ZeroDescriptorIsNoBias, {"forward", "backward weights"}),
    Define<InnerProductCase>(spec::IP_051, "", AnyInnerProduct(OfEveryType({kData, kGradient})),
                             HintsChangeNothing,
                             {"hint 0", "hint 1", "hint 2", "hint 3", "hint 4"}),
    Define<Choice>(spec::IP_051, "empty", Choices({"backward-data", "backward-weights"}),
                   EmptyHintsAreRefused<InnerProductCase>),
    Define<InnerProductCase>(
        spec::IP_052, "forward", AnyInnerProduct(AllLayouts(kForward)), OnlyElementsAreWritten,
        {"gapped dst", "region dst", "gapped src", "gapped wei", "edge of a page", "u8 dst",
         "s8 dst", "bf16 dst", "f16 dst", "tail of outputs"}),
    Define<InnerProductCase>(spec::IP_052, "data", AnyInnerProduct(AllLayouts(kData)),
                             OnlyElementsAreWritten, {"gapped src", "region src", "bf16 src"}),
    Define<InnerProductCase>(spec::IP_052, "weights", AnyInnerProduct(AllLayouts(kGradient)),
                             OnlyElementsAreWritten,
                             {"gapped wei", "region wei", "gapped bias", "bf16 wei"}),
    Define<InnerProductCase>(spec::IP_053, "", AnyInnerProduct(), ExecutionsAreIndependent),
    Define<InnerProductCase>(
        spec::IP_053, "types", AnyInnerProduct(OfEveryType(EachDirection(), 400)),
        ExecutionsAreIndependent, {"forward", "backward data", "backward weights", "sum"}),
    Define<InnerProductCase>(spec::IP_054, "", AnyInnerProduct(), EveryImplementationIsRight,
                             {"several implementations"}),
    Define<InnerProductCase>(spec::IP_054, "long", LongAndNarrow(), EveryImplementationIsRight,
                             {"several implementations"}),
    Define<InnerProductCase>(spec::IP_054, "attributes", AnyInnerProduct(Fused()),
                             EveryImplementationIsRight,
                             {"several implementations", "common scale", "sum", "eltwise"}),
    Define<InnerProductCase>(spec::IP_054, "layouts", AnyInnerProduct(FewOfLayouts(kForward)),
                             EveryImplementationIsRight,
                             {"several implementations", "region dst", "permuted dst", "gapped dst",
                              "region src", "region wei", "zero stride src"}),
    Define<InnerProductCase>(spec::IP_054, "layouts-of-data", AnyInnerProduct(FewOfLayouts(kData)),
                             EveryImplementationIsRight,
                             {"several implementations", "region src", "permuted src"}),
    Define<InnerProductCase>(spec::IP_054, "layouts-of-weights",
                             AnyInnerProduct(FewOfLayouts(kGradient)), EveryImplementationIsRight,
                             {"several implementations", "region wei", "gapped bias"}),
    Define<InnerProductCase>(spec::IP_054, "special", AnyInnerProduct(Special()),
                             EveryImplementationIsRight),
    Define<InnerProductCase>(spec::IP_054, "zeros", AnyInnerProduct(Zeros()),
                             InProject<InnerProductCase, EveryImplementationIsRight>, {"zeros"}),
    Define<InnerProductCase>(spec::IP_054, "extremes", AnyInnerProduct(Extremes()),
                             EveryImplementationIsRight, {"several implementations", "extremes"}),
    Define<InnerProductCase>(spec::IP_054, "empty", AnyInnerProduct([] {
                               InnerProductLimits limits = NoRows();
                               limits.count = 100;
                               return limits;
                             }()),
                             EveryImplementationIsRight, {"several implementations", "no rows"}),
    Define<InnerProductCase>(spec::PRIM_013, "inner-products", AnyInnerProduct(FewFused()),
                             ImplementationsAgree, {"several implementations", "sum", "eltwise"}),
    Define<InnerProductCase>(spec::ATTR_014, "inner-products", AnyInnerProduct(FewOfTypes()),
                             ScratchpadsDoNotMatter, {"bf16 src", "u8 src", "tail of inputs"}),
    Define<InnerProductCase>(spec::IP_054, "alone", AnyInnerProduct(),
                             ImplementationsNeedNoDescriptor),
    Define<InnerProductCase>(spec::IP_055, "", AnyInnerProduct(AnyRows()), ScratchpadsDoNotMatter),
    Define<InnerProductCase>(spec::IP_055, "forward", AnyInnerProduct(OfTypes(kForward)),
                             ScratchpadsDoNotMatter),
    Define<InnerProductCase>(spec::IP_055, "data", AnyInnerProduct(OfTypes(kData)),
                             ScratchpadsDoNotMatter),
    Define<InnerProductCase>(spec::IP_055, "weights", AnyInnerProduct(OfTypes(kGradient)),
                             ScratchpadsDoNotMatter),
    Define<InnerProductCase>(spec::IP_055, "attributes", AnyInnerProduct(FusedAtExecution()),
                             ScratchpadsDoNotMatter, {"sum", "scale of each channel"}),
    Define<InnerProductCase>(spec::IP_055, "threads", ThreadedInnerProducts(EachDirection()),
                             ScratchpadsDoNotMatter, {"work for threads"}),
    Define<InnerProductCase>(spec::IP_056, "", AnyInnerProduct(OfEveryType(EachDirection())),
                             MissingArgumentsAreErrors,
                             {"bias", "forward", "backward data", "backward weights"}),
    Define<InnerProductCase>(
        spec::IP_057, "", AnyInnerProduct(OfEveryType(EachDirection())), QueriesTellTheTensors,
        {"bias", "no bias", "forward", "backward data", "backward weights", "sum"}),
};

}  // namespace
}  // namespace conformance
