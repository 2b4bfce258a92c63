// What the programming model asks of every primitive, which computation_properties.h lists, and
// PRIM-049 of primitives that differ in little but their attributes.
#include <algorithm>
#include <cstdint>

#include "conformance/case/property.h"
#include "conformance/inner_product/cases.h"
#include "conformance/inner_product/run.h"
#include "conformance/subject/computation_model.h"
#include "conformance/subject/computation_post_ops.h"
#include "conformance/subject/computation_properties.h"
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
    DefineScales("inner-product", &AnyInnerProductCase, GiveChannels),
    DefinePostOps("inner-product", &AnyInnerProductCase),
    DefineExecutions("inner-product", &AnyInnerProductCase),
    Define<InnerProductCase>(spec::PRIM_049, "operations-of-inner-products", RequestsToDiffer(),
                             OperationsAreNotMixedUp, {"src lies otherwise", "dst lies otherwise"}),
};

}  // namespace
}  // namespace conformance
