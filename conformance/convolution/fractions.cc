// CONV-130, CONV-134, CONV-139, CONV-140, CONV-143, CONV-149: scales, biases, old values and
// parameters of any bits, and functions that round. What bits are compared of is in fused.cc.
#include <utility>
#include <vector>

#include "conformance/case/property.h"
#include "conformance/convolution/cases.h"
#include "conformance/convolution/limits.h"
#include "conformance/convolution/run.h"
#include "conformance/subject/computation_attributes.h"
#include "conformance/subject/computation_checks.h"
#include "spec/requirements.h"

namespace conformance {
namespace {

using spec::Type;

ConvolutionLimits Fractions(int64_t count = 100) {
  ConvolutionLimits limits;
  limits.directions = {Direction::kForward};
  limits.types = IntegerTriples();
  limits.algorithms = DirectAndAuto();
  limits.most_products = 1 << 13;
  limits.bias_percent = 80;
  limits.fractions = true;
  limits.count = count;
  return limits;
}

// Of every type, in any layout.
ConvolutionLimits Functions() {
  ConvolutionLimits limits = Fractions(200);
  limits.every_type = limits.scales = limits.post_ops = true;
  limits.all_layouts = limits.dense_bias = true;
  limits.any_percent = 15;
  return limits;
}

ConvolutionLimits Scales(bool run_time) {
  ConvolutionLimits limits = Fractions();
  limits.scales = true;
  limits.run_time_scales = run_time;
  return limits;
}

ConvolutionLimits ScalesAndChains(bool run_time) {
  ConvolutionLimits limits = Scales(run_time);
  limits.post_ops = true;
  return limits;
}

// What is rounded and saturated.
ConvolutionLimits ScaledBytes() {
  ConvolutionLimits limits = ScalesAndChains(false);
  limits.types.clear();
  for (const Types& types : IntegerTriples())
    if (types[kDst] == Type::kU8 || types[kDst] == Type::kS8) limits.types.push_back(types);
  limits.attributes_percent = 85;
  return limits;
}

// Of every type; of integers, to f32, most often.
Cases<ConvolutionCase> Sums() {
  ConvolutionLimits limits = Fractions();
  limits.types.clear();
  for (const Types& types : IntegerTriples())
    if (types[kDst] == Type::kF32) limits.types.push_back(types);
  for (const Types& types : FloatTypes(Direction::kForward)) limits.types.push_back(types);
  limits.post_ops = true;
  return Altered(
      limits,
      [](Random& random, ConvolutionCase* c) {
        c->attributes.post_ops = {{PostOp::kSum, AnyFraction(random, -9, 1), 0, 0}};
      },
      [](const ConvolutionCase& c) { return c.attributes.sums(); });
}

const bool kDefined[] = {
    Define<ConvolutionCase>(
        spec::CONV_130, "functions", AnyConvolution(Functions()), IsTheFormula,
        {"rounded eltwise", "sum", "bias", "gapped dst", "bf16 dst", "u8 dst", "algorithm auto"}),
    Define<ConvolutionCase>(spec::CONV_130, "functions-of-panels",
                            OfFractions(PanelConvolutions({Direction::kForward})), IsTheFormula,
                            {"rounded eltwise", "sum", "any dst", "bf16 dst", "u8 dst"}),
    Define<ConvolutionCase>(spec::CONV_130, "functions-of-pictures",
                            OfFractions(LargePictures({Direction::kForward})), IsTheFormula,
                            {"rounded eltwise"}),
    Define<ConvolutionCase>(spec::CONV_130, "functions-of-depthwise",
                            OfFractions(PaddedDepthwise({Direction::kForward})), IsTheFormula,
                            {"rounded eltwise", "depthwise", "bf16 src", "u8 src"}),
    Define<ConvolutionCase>(spec::CONV_130, "functions-of-groups",
                            OfFractions(GroupConvolutions({Direction::kForward}), 50), IsTheFormula,
                            {"rounded eltwise", "odd groups", "even groups"}),
    Define<ConvolutionCase>(spec::CONV_134, "fractions", Sums(), IsTheFormula,
                            {"fractions", "sum", "f32 dst", "bf16 dst", "u8 src"}),
    Define<ConvolutionCase>(
        spec::CONV_139, "fractions", AnyConvolution(ScalesAndChains(false)), IsTheFormula,
        {"fractions", "f32 bias", "common scale", "scale of each channel", "sum"}),
    Define<ConvolutionCase>(spec::CONV_140, "fractions", AnyConvolution(Scales(false)),
                            IsTheFormula,
                            {"fractions", "common scale", "scale of each channel", "groups"}),
    Define<ConvolutionCase>(spec::CONV_143, "fractions", AnyConvolution(ScalesAndChains(true)),
                            RunTimeScalesWork,
                            {"fractions", "common scale", "scale of each channel"}),
    Define<ConvolutionCase>(spec::CONV_149, "fractions", AnyConvolution(ScaledBytes()),
                            IsTheFormula, {"fractions", "u8 dst", "s8 dst", "sum"}),
};

}  // namespace
}  // namespace conformance
