// CONV-062, CONV-064 to CONV-066: plain layouts that differ between tensors, and regions, where the
// result is the formula.
#include <utility>
#include <vector>

#include "conformance/case/property.h"
#include "conformance/convolution/cases.h"
#include "conformance/convolution/limits.h"
#include "conformance/convolution/run.h"
#include "conformance/subject/computation_checks.h"
#include "spec/requirements.h"

namespace conformance {
namespace {

using spec::ConvolutionAxis;
using spec::Type;

// Of each tensor the first, second or third way, by a digit of `number`: row-major, channels last
// and `any`.
ConvolutionCase MixtureOf(ConvolutionCase c, int number, int ways) {
  ConvolutionCase last = c;
  SetChannelsLast(&last);
  for (const Role role : {kSrc, kWeights, kDst}) {
    if (number % ways == 1) c.uses[role] = last.uses[role];
    if (number % ways == 2) c.uses[role] = {Type::kF32, true, {}, {}};
    number /= ways;
  }
  return c;
}

// Row-major and channels last for each tensor on its own, or `any` where `any` says so: all of
// them.
Cases<ConvolutionCase> Mixtures(bool any) {
  std::vector<ConvolutionCase> cases;
  const int ways = any ? 3 : 2;
  for (const Direction direction : EachDirection()) {
    for (int number = 0; number < ways * ways * ways; ++number) {
      const bool grouped = number % 2 == 1;
      ConvolutionCase c =
          ConvolutionOf(2, grouped ? 2 : 1, 8, 16, {Axis(5, 3, 1, 1, 1), Axis(6, 3, 2, 1, 1)});
      c.direction = direction;
      c.bias = direction != kData;
      c.seed = cases.size();
      cases.push_back(MixtureOf(c, number, ways));
    }
  }
  return Listed(std::move(cases));
}

// The same of what libraries have code of their own for: depthwise kernels on vectors of channels,
// first layers, kernels of one tap; forward.
Cases<ConvolutionCase> MixturesOfLayers() {
  const std::vector<ConvolutionAxis> axes{Axis(5, 3, 1, 1, 1), Axis(6, 3, 1, 1, 1)};
  const ConvolutionCase shapes[] = {ConvolutionOf(1, 20, 1, 1, axes),
                                    ConvolutionOf(1, 1, 3, 24, axes),
                                    ConvolutionOf(2, 1, 16, 20, {Axis(3, 1), Axis(4, 1)})};
  std::vector<ConvolutionCase> cases;
  for (const ConvolutionCase& shape : shapes)
    for (const Types& types : TypesOfEachKind())
      for (int number = 0; number < 8; ++number) {
        ConvolutionCase c = MixtureOf(shape, number, 2);
        c.bias = number % 3 == 0;
        c.SetTypes(types);
        c.seed = cases.size();
        cases.push_back(std::move(c));
      }
  return Listed(std::move(cases));
}

// The two plain layouts of each rank, with and without groups.
Cases<ConvolutionCase> PlainLayouts() {
  std::vector<ConvolutionCase> cases;
  for (const size_t rank : {1, 2, 3}) {
    for (const int64_t groups : {1, 2, 8}) {
      const std::vector<ConvolutionAxis> axes(rank, Axis(5, 3, 1, 1, 1));
      const int64_t channels = groups == 8 ? 1 : 8;
      ConvolutionCase base = ConvolutionOf(2, groups, channels, channels, axes);
      base.bias = true;
      for (const ConvolutionCase& c : Presented(base, EachDirection()))
        if (!c.uses[kSrc].any) cases.push_back(c);
    }
  }
  return Listed(std::move(cases));
}

// Each tensor in turn a region along each axis, where Winograd's algorithm is for the shape, and
// large enough for `auto` to choose it.
Cases<ConvolutionCase> RegionsForWinograd() {
  const ConvolutionAxis axis = Axis(14, 3, 1, 1, 1);
  std::vector<ConvolutionCase> cases;
  for (const ConvolutionAlgorithm algorithm :
       {ConvolutionAlgorithm::kWinograd, ConvolutionAlgorithm::kAuto})
    for (const Direction direction : {kForward, kData})
      for (const Role role : {kSrc, kWeights, kDst})
        for (size_t along = 0; along < 4; ++along) {
          ConvolutionCase c = ConvolutionOf(1, 1, 32, 36, {axis, axis});
          c.direction = direction;
          c.algorithm = algorithm;
          c.bias = direction == kForward;
          SetChannelsLast(&c);
          SetRegionAlong(&c, role, along, 1 + static_cast<int64_t>(along) % 2);
          c.seed = cases.size();
          cases.push_back(std::move(c));
        }
  return Listed(std::move(cases));
}

const bool kDefined[] = {
    Define<ConvolutionCase>(spec::CONV_062, "", Mixtures(true), IsTheFormula,
                            {"any src", "any wei", "any dst"}),
    Define<ConvolutionCase>(spec::CONV_062, "types", OfTypes(Mixtures(true), 80), IsTheFormula,
                            {"any src", "any wei", "any dst", "bf16 wei", "u8 src"}),
    Define<ConvolutionCase>(spec::CONV_064, "types", OfTypes(PlainLayouts(), 54), IsTheFormula,
                            {"rank 3", "rank 4", "rank 5", "groups", "bf16 wei", "u8 src"}),
    Define<ConvolutionCase>(spec::CONV_065, "types", OfTypes(Mixtures(false)), IsTheFormula,
                            {"bf16 wei", "u8 src"}),
    Define<ConvolutionCase>(spec::CONV_065, "layers", MixturesOfLayers(), IsTheFormula,
                            {"first layer", "vectors of depthwise", "bf16 wei", "u8 dst"}),
    Define<ConvolutionCase>(spec::CONV_066, "winograd", RegionsForWinograd(), IsTheFormula,
                            {"region src", "region wei", "for winograd", "algorithm auto"}),
    Define<ConvolutionCase>(spec::CONV_066, "outermost-of-bytes",
                            Scaled(OuterRegions({kForward}, {kSrc, kWeights, kDst})), IsTheFormula,
                            {"region src", "region wei", "u8 src", "s8 src"}),
    Define<ConvolutionCase>(spec::CONV_064, "", PlainLayouts(), IsTheFormula,
                            {"rank 3", "rank 4", "rank 5", "groups"}),
    Define<ConvolutionCase>(spec::CONV_065, "", Mixtures(false), IsTheFormula),
    Define<ConvolutionCase>(spec::CONV_066, "outermost",
                            OuterRegions({kForward, kData}, {kSrc, kWeights, kDst}), IsTheFormula,
                            {"region src", "region wei", "depthwise"}),
    Define<ConvolutionCase>(spec::CONV_066, "regions", InnerRegions({kForward}, {kSrc, kWeights}),
                            IsTheFormula, {"one by one of a region", "region wei", "depthwise"}),
    Define<ConvolutionCase>(spec::CONV_066, "regions-of-types",
                            OfTypes(InnerRegions({kForward, kData}, {kSrc, kWeights, kDst}), 80),
                            IsTheFormula, {"region src", "region wei", "bf16 wei", "u8 src"}),
};

}  // namespace
}  // namespace conformance
