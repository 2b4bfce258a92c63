// What the programming model asks of every primitive, which computation_properties.h lists, and
// PRIM-049 of primitives that differ in little but their attributes.
#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

#include "conformance/case/property.h"
#include "conformance/convolution/cases.h"
#include "conformance/convolution/run.h"
#include "conformance/subject/computation_model.h"
#include "conformance/subject/computation_post_ops.h"
#include "conformance/subject/computation_properties.h"
#include "spec/requirements.h"

namespace conformance {
namespace {

void GiveChannels(int64_t channels, ConvolutionCase* c) {
  c->ic = std::min<int64_t>(c->ic, 4);
  for (spec::ConvolutionAxis& axis : c->axes) axis = Axis(std::min<int64_t>(axis.input, 3), 1);
  c->oc = c->groups > 1 ? (channels + c->groups - 1) / c->groups : channels;
}

// PRIM-049: in the second request one tensor lies otherwise, or the padding is on the other side,
// or the algorithm is the library's choice.
void OperationsAreNotMixedUp(const ConvolutionCase& c, Trial& trial) {
  ConvolutionCase other = c;
  std::string what = "another layout";
  if (c.seed % 3 == 0) {
    spec::ConvolutionAxis& axis = other.axes.front();
    std::swap(axis.padding_l, axis.padding_r);
    if (axis.padding_l == axis.padding_r) return trial.Vacuous();
    what = "other padding";
  } else if (c.seed % 7 == 1) {
    other.algorithm = ConvolutionAlgorithm::kAuto;
    what = "another algorithm";
  } else {
    const Role roles[] = {kSrc, kWeights, kDst};
    if (!MoveChannels(roles[c.seed % 5 % 3], &other)) return trial.Vacuous();
  }
  trial.Cover(what);
  AreNotMixedUp(c, other, trial);
}

// Without `any`, and with padding that differs between the sides of the first axis.
Cases<ConvolutionCase> RequestsToDiffer() {
  return {120,
          [](int64_t index, Random& random) {
            ConvolutionCase c =
                AnyConvolutionCase(random, OfDirectionInTurn<ConvolutionLimits>(index));
            ConvolutionCase uneven = c;
            ++uneven.axes.front().padding_r;
            if (c.axes.front().padding_l == c.axes.front().padding_r && IsLegal(uneven)) c = uneven;
            for (TensorUse& use : c.uses) use.at = {};
            c.SetAny(false);
            return c;
          },
          [](const ConvolutionCase& c) { return c.attributes.none(); }};
}

const bool kDefined[] = {
    DefineScales("convolution", &AnyConvolutionCase, GiveChannels),
    DefinePostOps("convolution", &AnyConvolutionCase),
    DefineExecutions("convolution", &AnyConvolutionCase),
    Define<ConvolutionCase>(spec::PRIM_049, "operations-of-convolutions", RequestsToDiffer(),
                            OperationsAreNotMixedUp, {"other padding", "another layout"}),
};

}  // namespace
}  // namespace conformance
