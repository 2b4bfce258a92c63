// What ATTR-022, ATTR-047, ATTR-048, ATTR-050, PRIM-030 and PRIM-049 ask of every primitive: scales
// of many channels, chains of post-ops, sums, new contents of old memories, primitives that differ
// in little.
#include <algorithm>
#include <cstdint>

#include "conformance/case/property.h"
#include "conformance/inner_product/cases.h"
#include "conformance/inner_product/run.h"
#include "conformance/subject/computation_model.h"
#include "conformance/subject/computation_post_ops.h"
#include "spec/requirements.h"

namespace conformance {
namespace {

void GiveChannels(int64_t channels, InnerProductCase* c) {
  c->mb = std::min<int64_t>(c->mb, 3);
  c->ic = std::min<int64_t>(c->ic, 4);
  c->spatial.clear();
  c->oc = channels;
}

const bool kDefined[] = {
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
};

}  // namespace
}  // namespace conformance
