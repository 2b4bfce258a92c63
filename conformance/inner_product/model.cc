// What ATTR-022, ATTR-050 and PRIM-030 ask of every primitive: scales of many channels, sums of
// another type, and new contents of old memories.
#include <algorithm>
#include <cstdint>

#include "conformance/case/property.h"
#include "conformance/inner_product/cases.h"
#include "conformance/inner_product/run.h"
#include "conformance/subject/computation_model.h"
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
    Define<InnerProductCase>(spec::ATTR_050, "inner-products", TypedSums(&AnyInnerProductCase),
                             SumReadsAnotherType),
    Define<InnerProductCase>(spec::PRIM_030, "inner-products",
                             OfEachDirection(&AnyInnerProductCase), EachInputIsReadAnew,
                             ClassesOfNewContents()),
};

}  // namespace
}  // namespace conformance
