// What ATTR-022, ATTR-050 and PRIM-030 ask of every primitive: scales of many channels, sums of
// another type, and new contents of old memories.
#include <algorithm>
#include <string>
#include <vector>

#include "conformance/case/property.h"
#include "conformance/convolution/cases.h"
#include "conformance/convolution/run.h"
#include "conformance/subject/computation_model.h"
#include "spec/requirements.h"

namespace conformance {
namespace {

void GiveChannels(int64_t channels, ConvolutionCase* c) {
  c->ic = std::min<int64_t>(c->ic, 4);
  for (spec::ConvolutionAxis& axis : c->axes) axis = Axis(std::min<int64_t>(axis.input, 3), 1);
  c->oc = c->groups > 1 ? (channels + c->groups - 1) / c->groups : channels;
}

// Drawn within `limits` and then changed.
Cases<ConvolutionCase> Changed(const ConvolutionLimits& limits, int64_t count,
                               void (*change)(Random& random, ConvolutionCase* c),
                               bool (*holds)(const Computation& c)) {
  return {count,
          [limits, change](int64_t, Random& random) {
            ConvolutionCase c = AnyConvolutionCase(random, limits);
            change(random, &c);
            return c;
          },
          [limits, holds](const ConvolutionCase& c) { return Fits(c, limits) && holds(c); }};
}

Cases<ConvolutionCase> ScalesOfChannels() {
  auto limits = ForwardOfEachType<ConvolutionLimits>();
  limits.scales = limits.run_time_scales = true;
  return Changed(
      limits, 300,
      [](Random& random, ConvolutionCase* c) { ScaleEachChannel(random, GiveChannels, c); },
      ScalesEachChannel);
}

Cases<ConvolutionCase> TypedSums() {
  auto limits = ForwardOfEachType<ConvolutionLimits>();
  limits.post_ops = true;
  return Changed(
      limits, 200, [](Random& random, ConvolutionCase* c) { SumOntoAPlainTensor(random, c); },
      SumsOntoAPlainTensor);
}

Cases<ConvolutionCase> OfEachDirection() {
  return {150,
          [](int64_t index, Random& random) {
            return AnyConvolutionCase(random, OfDirectionInTurn<ConvolutionLimits>(index));
          },
          [](const ConvolutionCase& c) { return c.attributes.none(); }};
}

const bool kDefined[] = {
    Define<ConvolutionCase>(spec::ATTR_022, "convolutions", ScalesOfChannels(),
                            EachChannelHasItsScale, {"many scales"}),
    Define<ConvolutionCase>(spec::ATTR_050, "convolutions", TypedSums(), SumReadsAnotherType),
    Define<ConvolutionCase>(spec::PRIM_030, "convolutions", OfEachDirection(), EachInputIsReadAnew,
                            ClassesOfNewContents()),
};

}  // namespace
}  // namespace conformance
