// Properties that inner product and convolution have by the same definition: what `any` becomes,
// and what the programming model asks of every primitive. A Case is as computation.h says, and has
// its extents mb, ic and oc.
//
//   const bool defined = DefineOptimized("convolution", &AnyConvolutionCase, &AnyConvolution);
//
// `name` is part of the names of the properties ("OPT-002/convolution", "MD-037/convolutions"),
// `draw` gives a case within limits. Properties are of the caller's `file`.
#ifndef DNNSPEC_CONFORMANCE_SUBJECT_COMPUTATION_PROPERTIES_H_
#define DNNSPEC_CONFORMANCE_SUBJECT_COMPUTATION_PROPERTIES_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "conformance/case/property.h"
#include "conformance/case/trial.h"
#include "conformance/gen/choice.h"
#include "conformance/gen/computation.h"
#include "conformance/subject/computation_attributes.h"
#include "conformance/subject/computation_checks.h"
#include "conformance/subject/computation_layouts.h"
#include "conformance/subject/computation_model.h"
#include "conformance/subject/computation_post_ops.h"
#include "conformance/subject/computation_scales.h"
#include "spec/requirements.h"

namespace conformance {

// Defines properties of one variant, of one file.
template <class Case>
struct Definer {
  std::string variant;
  const char* file;

  bool operator()(const spec::Requirement& requirement, Cases<Case> cases,
                  void (*check)(const Case&, Trial&),
                  std::vector<std::string> must_cover = {}) const {
    return Define<Case>(requirement, variant, std::move(cases), check, std::move(must_cover), file);
  }
};

inline const std::vector<std::string>& ClassesOfOpen() {
  static const auto* const classes =
      new std::vector<std::string>{"any src", "any wei", "any dst", "any bias"};
  return *classes;
}

// MD-037, OPT-002 to OPT-006, OPT-008 to OPT-010, OPT-014, OPT-020, OPT-022, DT-006 and DT-007:
// what `any` becomes for each tensor, of every type, and results by that. `any` gives the cases
// within limits.
template <class Case, class Limits>
bool DefineOptimized(const std::string& name, Draw<Case, Limits> draw,
                     Cases<Case> (*any)(const Limits& limits),
                     const char* file = __builtin_FILE()) {
  const auto of = [any](std::vector<Types> (*types)(Direction direction),
                        const TensorLimits& tensors,
                        int64_t count) { return OfTypesInTurn(any, types, tensors, count); };
  const Definer<Case> define{name, file}, define_of_types{name + "-types", file},
      define_of_opaque{name + "s", file};
  const std::vector<std::string>& open = ClassesOfOpen();
  define(spec::OPT_002, of(NarrowTypes, Open(80), 80), ResolvedIsADescriptor, open);
  define_of_types(spec::OPT_003, of(NarrowTypes, Open(80), 80), ResolvedIsADescriptor, open);
  define(spec::OPT_004, of(FloatTypes, Open(80), 60), OpaqueMemoryIsLargeEnough, open);
  define(spec::OPT_005, of(NarrowTypes, Open(80), 80), ReordersGoThereAndBack, open);
  define(spec::OPT_006, of(NarrowTypes, Open(80), 80), ReordersGoThereAndBack, open);
  define(spec::OPT_010, of(NarrowTypes, Open(80), 40), ResolutionIsStable, open);
  define(spec::OPT_020, of(FloatTypes, Open(50), 60), IsTheFormula, open);
  define(spec::OPT_022, of(FloatTypes, Open(20, true), 150), GivenLayoutsAreUsed,
         {"permuted src", "gapped wei", "region dst"});
  define(spec::DT_006, any(ManyBits<Limits>()), IsTheFormula, {"any src", "any wei", "any dst"});
  define(spec::DT_007, any(NarrowAndFused<Limits>()), IsTheFormula, {"any wei"});
  const auto opaque = [draw] { return OfEachDirection(draw, 120, Open(70, true)); };
  define_of_opaque(spec::MD_037, opaque(), OpaqueMemoryIsLargeEnough, {"any wei"});
  define_of_opaque(spec::OPT_008, opaque(), BytesGoWithTheDescriptor);
  define_of_opaque(spec::OPT_009, opaque(), BytesGoWithTheDescriptor);
  return define_of_opaque(spec::OPT_014, opaque(), BytesGoWithTheDescriptor);
}

// ATTR-021 to ATTR-024, ATTR-027 to ATTR-029, ATTR-031 and ATTR-032: output scales. `give` is as
// ScaleEachChannel says.
template <class Case, class Limits>
bool DefineScales(const std::string& name, Draw<Case, Limits> draw,
                  void (*give)(int64_t channels, Case* c), const char* file = __builtin_FILE()) {
  const Definer<Case> define{name + "s", file};
  define(spec::ATTR_021, OneScaleForAll(draw), RefusedOrRight);
  define(spec::ATTR_022, ScalesOfChannels(draw, give), EachChannelHasItsScale, {"many scales"});
  define(spec::ATTR_023, ScalesOfLayouts(draw), RefusedOrRight, {"permuted dst", "gapped dst"});
  Define<Choice>(spec::ATTR_024, name + "s",
                 Choices({"f32-common", "f32-channel", "u8-common", "u8-channel"}),
                 CountsOfScalesAreChecked<Case>, {}, file);
  define(spec::ATTR_027, ScalesToIntegers(draw), RefusedOrRight, {"s8 dst", "u8 dst", "s32 dst"});
  define(spec::ATTR_028, ScalesBeforePostOps(draw), RefusedOrRight, {"sum", "eltwise"});
  define(spec::ATTR_029, ScalesAtExecution(draw), RefusedOrRight);
  define(spec::ATTR_031, ScalesAtExecution(draw), WrongScalesAreErrors<Case, false>);
  define(spec::ATTR_032, ScalesAtExecution(draw), ScalesAreReadEachTime);
  const Definer<Case> define_of_memories{"memories-of-" + name + "s", file};
  return define_of_memories(spec::ATTR_032, ScalesAtExecution(draw),
                            WrongScalesAreErrors<Case, true>);
}

// ATTR-047 to ATTR-050 and PRIM-049: chains of post-ops, sums, primitives that differ in little.
template <class Case, class Limits>
bool DefinePostOps(const std::string& name, Draw<Case, Limits> draw,
                   const char* file = __builtin_FILE()) {
  const Definer<Case> define{name + "s", file};
  define(spec::ATTR_047, WithPostOps(draw, 60, DrawLongChain, HasLongChain),
         LongChainsAreRefusedOrRight, {"long chain of post-ops"});
  define(spec::ATTR_048, WithPostOps(draw, 60, DrawOneSum, HasOneSum), SumReadsWhatThereWas);
  define(spec::ATTR_049, PostOpsOfLayouts(draw), PostOpsKeepTheFormat);
  define(spec::ATTR_050, TypedSums(draw), SumReadsAnotherType);
  return define(spec::PRIM_049, WithPostOps(draw, 80, DrawToDiffer, MayDiffer),
                AttributesAreNotMixedUp, ClassesOfDifferences());
}

// PRIM-030, PRIM-035, PRIM-040 and PRIM-048: new contents of old memories, arguments that are
// missing, what is written.
template <class Case, class Limits>
bool DefineExecutions(const std::string& name, Draw<Case, Limits> draw,
                      const char* file = __builtin_FILE()) {
  const Definer<Case> define{name + "s", file};
  define(spec::PRIM_030, OfEachDirection(draw), EachInputIsReadAnew, ClassesOfNewContents());
  define(spec::PRIM_035, OfEachDirection(draw), MissingArgumentsAreErrors, {"bias"});
  define(spec::PRIM_040, OfEachDirection(draw, 150, Open(10, true)), OnlyElementsAreWritten,
         {"gapped dst", "gapped src", "gapped wei"});
  return define(spec::PRIM_048, OfEachDirection(draw), ExecutionsAreIndependent);
}

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_SUBJECT_COMPUTATION_PROPERTIES_H_
