// What ATTR-022, ATTR-047, ATTR-048, ATTR-050, PRIM-030 and PRIM-049 ask of every primitive: scales
// of many channels, chains of post-ops, sums, new contents of old memories, primitives that differ
// in little.
#include <algorithm>
#include <cstdint>

#include "conformance/case/property.h"
#include "conformance/convolution/cases.h"
#include "conformance/convolution/run.h"
#include "conformance/subject/computation_model.h"
#include "conformance/subject/computation_post_ops.h"
#include "spec/requirements.h"

namespace conformance {
namespace {

void GiveChannels(int64_t channels, ConvolutionCase* c) {
  c->ic = std::min<int64_t>(c->ic, 4);
  for (spec::ConvolutionAxis& axis : c->axes) axis = Axis(std::min<int64_t>(axis.input, 3), 1);
  c->oc = c->groups > 1 ? (channels + c->groups - 1) / c->groups : channels;
}

const bool kDefined[] = {
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
};

}  // namespace
}  // namespace conformance
