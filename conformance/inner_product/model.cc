// What ATTR-022, ATTR-050 and PRIM-030 ask of every primitive: scales of many channels, sums of
// another type, and new contents of old memories.
#include <algorithm>
#include <string>
#include <vector>

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

// Drawn within `limits` and then changed.
Cases<InnerProductCase> Changed(const InnerProductLimits& limits, int64_t count,
                                void (*change)(Random& random, InnerProductCase* c),
                                bool (*holds)(const Computation& c)) {
  return {count,
          [limits, change](int64_t, Random& random) {
            InnerProductCase c = AnyInnerProductCase(random, limits);
            change(random, &c);
            return c;
          },
          [limits, holds](const InnerProductCase& c) { return Fits(c, limits) && holds(c); }};
}

Cases<InnerProductCase> ScalesOfChannels() {
  auto limits = ForwardOfEachType<InnerProductLimits>();
  limits.scales = limits.run_time_scales = true;
  return Changed(
      limits, 300,
      [](Random& random, InnerProductCase* c) { ScaleEachChannel(random, GiveChannels, c); },
      ScalesEachChannel);
}

Cases<InnerProductCase> TypedSums() {
  auto limits = ForwardOfEachType<InnerProductLimits>();
  limits.post_ops = true;
  return Changed(
      limits, 200, [](Random& random, InnerProductCase* c) { SumOntoAPlainTensor(random, c); },
      SumsOntoAPlainTensor);
}

Cases<InnerProductCase> OfEachDirection() {
  return {150,
          [](int64_t index, Random& random) {
            return AnyInnerProductCase(random, OfDirectionInTurn<InnerProductLimits>(index));
          },
          [](const InnerProductCase& c) { return c.attributes.none(); }};
}

const bool kDefined[] = {
    Define<InnerProductCase>(spec::ATTR_022, "inner-products", ScalesOfChannels(),
                             EachChannelHasItsScale, {"many scales"}),
    Define<InnerProductCase>(spec::ATTR_050, "inner-products", TypedSums(), SumReadsAnotherType),
    Define<InnerProductCase>(spec::PRIM_030, "inner-products", OfEachDirection(),
                             EachInputIsReadAnew, ClassesOfNewContents()),
};

}  // namespace
}  // namespace conformance
