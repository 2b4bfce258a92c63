// What ATTR-022, ATTR-050 and PRIM-030 ask of every primitive: scales of many channels, sums of
// another type, and new contents of old memories.
#include <algorithm>
#include <cstdint>

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

const bool kDefined[] = {
    Define<ConvolutionCase>(spec::ATTR_022, "convolutions",
                            ScalesOfChannels(&AnyConvolutionCase, GiveChannels),
                            EachChannelHasItsScale, {"many scales"}),
    Define<ConvolutionCase>(spec::ATTR_050, "convolutions", TypedSums(&AnyConvolutionCase),
                            SumReadsAnotherType),
    Define<ConvolutionCase>(spec::PRIM_030, "convolutions", OfEachDirection(&AnyConvolutionCase),
                            EachInputIsReadAnew, ClassesOfNewContents()),
};

}  // namespace
}  // namespace conformance
