// The input space of the convolution properties: a problem, and how each tensor is presented.
#ifndef DNNSPEC_CONFORMANCE_CONVOLUTION_CASES_H_
#define DNNSPEC_CONFORMANCE_CONVOLUTION_CASES_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/case/asked.h"
#include "conformance/case/fields.h"
#include "conformance/case/property.h"
#include "conformance/case/random.h"
#include "conformance/case/trial.h"
#include "conformance/gen/computation.h"
#include "spec/convolution/oracle.h"
#include "spec/memory/oracle.h"
#include "spec/numeric/convert.h"

namespace conformance {

enum class ConvolutionAlgorithm { kDirect, kAuto, kWinograd };

const char* NameOf(ConvolutionAlgorithm algorithm);  // "direct", "auto", "winograd"

// One execution: `dir=fwd mb=2 ic=3 oc=4 in=5x6 k=3x3 src=f32:abcd wei=f32:any dst=f32:abcd
// values=integers seed=7`. `g=2` where weights have an axis of groups, channels are then those of
// one group; `alg=auto`, strides `s=2x1`, dilations `d=1x0`, paddings `pl=1x1 pr=1x0` where they
// are not direct, 1 and 0. The rest is as of every computation (computation.h).
struct ConvolutionCase : Computation {
  ConvolutionAlgorithm algorithm = ConvolutionAlgorithm::kDirect;
  bool grouped = false;
  int64_t mb = 1, groups = 1, ic = 1, oc = 1;
  // One to three, spatial. Their `output` means nothing: it follows from the rest.
  std::vector<spec::ConvolutionAxis> axes{spec::ConvolutionAxis()};

  spec::Dims DimsOf(Role role) const override;
  int64_t channels() const override { return groups * oc; }
  int64_t terms() const override;

  // With outputs, and as many axes as the oracle wants.
  spec::Convolution Problem() const;
  int64_t products() const;  // of one execution
  // One number of each axis, as the constructors take them.
  spec::Dims Each(int64_t spec::ConvolutionAxis::*number) const;
  // Some dilation is not 0, or the constructor with dilations is to be called all the same.
  bool gives_dilations() const;
  // The result is one of Winograd's algorithm, or may be.
  bool may_be_winograd() const;

  void Print(Fields* fields) const;
  static ConvolutionCase Parse(const Fields& fields);
  std::vector<ConvolutionCase> Simpler() const;

  Asked AskedFor() const;
  bool MayRefuse(Profile profile) const;
  Legality LegalityIn(Profile profile) const;

  // For the comparison with ORC-CONV of the case's own data (program.cc).
  std::string Statements(Profile profile, std::string_view where, std::string_view expected) const;
};

// CONV-094: nobody needs to offer Winograd's algorithm.
inline bool IsOptional(const ConvolutionCase& c) {
  return c.algorithm == ConvolutionAlgorithm::kWinograd;
}

// Its extents are such that a primitive takes it: an output of 0 or more places along each axis.
bool IsLegal(const ConvolutionCase& c);

// What a draw may give.
struct ConvolutionLimits : TensorLimits {
  std::vector<Direction> directions = EachDirection();
  std::vector<ConvolutionAlgorithm> algorithms{ConvolutionAlgorithm::kDirect};
  std::vector<Types> types{
      Types{spec::Type::kF32, spec::Type::kF32, spec::Type::kF32, spec::Type::kF32}};
  std::vector<Numbers> numbers{Numbers::kIntegers};
  std::vector<int64_t> batches{1, 1, 2, 3};
  int64_t most_products = 1 << 14;
  // How many in a hundred problems are shaped as first layers of networks, and how many of the
  // others are depthwise ones of 16 channels and more.
  int first_layer_percent = 8, depthwise_percent = 8;
  int bias_percent = 50;
  // Cases of a run: to make and to compile one costs a library a millisecond and more.
  int64_t count = 100;
};

ConvolutionCase AnyConvolutionCase(Random& random, const ConvolutionLimits& limits = {});
// Whether a draw could give `c`, as far as directions, types, numbers and attributes go.
bool Fits(const ConvolutionCase& c, const ConvolutionLimits& limits);
Cases<ConvolutionCase> AnyConvolution(const ConvolutionLimits& limits = {});
// Drawn, then changed, with the plainest layouts of what came of it: each is as `holds` says.
Cases<ConvolutionCase> Altered(const ConvolutionLimits& limits,
                               void (*change)(Random& random, ConvolutionCase* c),
                               bool (*holds)(const ConvolutionCase& c));

// Layers of networks that people run, images cut to 10 by 10 where their reach allows, or fewer
// where that makes more than 2^26 products, forward: one of so many parts.
Cases<ConvolutionCase> NetworkConvolutions(size_t part, size_t parts);

// Every one of these layers in that direction, of f32 and of other types in turn, as `direct` and
// as `auto`: images that are whole where that makes few products, and batches up to 64 of smaller
// ones. For a sample of the results.
Cases<ConvolutionCase> NetworkSamples(Direction direction);

// Channels that fill vectors and panels of them, strides and dilations that differ between axes, of
// each direction, as Presented.
Cases<ConvolutionCase> PanelConvolutions(const std::vector<Direction>& directions);

// Groups of channels that fill vectors, parts of them and neither, odd numbers of groups and even
// ones; on some an image that is cut into rows, and rows that are cut, and taps that lie in the
// padding for several places in a row.
Cases<ConvolutionCase> GroupConvolutions(const std::vector<Direction>& directions);
// More channels, in or out, than are summed at once.
Cases<ConvolutionCase> WideConvolutions(const std::vector<Direction>& directions);
// Kernels of another extent along each axis, of few channels and many.
Cases<ConvolutionCase> UnevenKernels(const std::vector<Direction>& directions);
// Kernels of 3 by 3, each padding of each axis up to 2, channels that fill vectors; pictures from 1
// by 1 on, and rows of up to 15 places.
Cases<ConvolutionCase> PaddedDepthwise(const std::vector<Direction>& directions);
// The same of pictures that are narrow and so tall that they are work for several threads, of
// channels that are few and so many that places lie in few sets of a cache.
Cases<ConvolutionCase> TallDepthwise(const std::vector<Direction>& directions);
// The same of pictures of one or two rows of results that are so wide.
Cases<ConvolutionCase> WideDepthwise(const std::vector<Direction>& directions);
// Kernels of 3 by 3 with every two strides up to 3 that differ, and of volumes with some: of
// depthwise ones, where volumes are never `any`, or of others.
Cases<ConvolutionCase> UnlikeStrides(const std::vector<Direction>& directions, bool depthwise);
// Kernels of 3 by 3 with dilations of each axis, channels that fill vectors and more.
Cases<ConvolutionCase> DilatedDepthwise(const std::vector<Direction>& directions);
// Kernels of 3 by 3 with dilations, of dozens of channels.
Cases<ConvolutionCase> DilatedChannels(const std::vector<Direction>& directions);
// More places than kernels sum at once, of channels that are few and many; long rows of many
// channels, rows that are cut, pictures of depthwise ones that are large.
Cases<ConvolutionCase> LargePictures(const std::vector<Direction>& directions);
// Channels that fill lines of 64 bytes, of bytes too, and rows of a dozen places and more by
// several taps.
Cases<ConvolutionCase> ChannelsOfLines(const std::vector<Direction>& directions);
// Work for several threads.
Cases<ConvolutionCase> ThreadedConvolutions(const std::vector<Direction>& directions);
// Biases whose elements are no neighbours, of sums that are few and many; forward and gradients.
Cases<ConvolutionCase> StridedBiases();
// Of s8, more than 2^16 of them; forward.
Cases<ConvolutionCase> LargeWeights();
// Each of `roles` in turn a region that is as dense as a tensor of its own.
Cases<ConvolutionCase> OuterRegions(const std::vector<Direction>& directions,
                                    const std::vector<Role>& roles);
// Each of `roles` in turn a region, along each of its axes in turn; most are of kernels of one tap.
Cases<ConvolutionCase> InnerRegions(const std::vector<Direction>& directions,
                                    const std::vector<Role>& roles);
// Images of what is read or written further apart than their elements, by one to three.
Cases<ConvolutionCase> ImagesApart(const std::vector<Direction>& directions);

// The listed cases, each with other types than f32 that its direction has, in turn, of floats and
// of integers as many, and of three forwards one with a chain of post-ops. At most so many, evenly
// spread.
Cases<ConvolutionCase> OfTypes(const Cases<ConvolutionCase>& listed, int64_t most = 60);
// The same of floats, without chains.
Cases<ConvolutionCase> OfFloats(const Cases<ConvolutionCase>& listed, int64_t most = 60);
// The same of integers, with a scale for each channel and at times a chain.
Cases<ConvolutionCase> Scaled(const Cases<ConvolutionCase>& listed, int64_t most = 60);

// The same, forwards, of every type, as SetFractions makes them: integers with a scale for each
// channel, most with a chain.
Cases<ConvolutionCase> OfFractions(const Cases<ConvolutionCase>& listed, int64_t most = 60);

// Types of a forward: f32, bf16, and bytes that become bytes and others, with biases of either
// kind.
std::vector<Types> TypesOfEachKind();
// Each of the listed cases with each of these types.
std::vector<ConvolutionCase> OfEach(const std::vector<Types>& all,
                                    const Cases<ConvolutionCase>& listed);

// `c` in each direction that `directions` has, all tensors as `any`, row-major and channels last.
std::vector<ConvolutionCase> Presented(const ConvolutionCase& c,
                                       const std::vector<Direction>& directions);
// Of each tensor the dense layout with channels innermost.
void SetChannelsLast(ConvolutionCase* c);

// The tensor as the far end, along `axis`, of a dense parent that is longer there by so many, its
// axes in the same order.
void SetRegionAlong(ConvolutionCase* c, Role role, size_t axis, int64_t more);

// One spatial axis, and the case of these.
spec::ConvolutionAxis Axis(int64_t input, int64_t kernel, int64_t stride = 1, int64_t padding_l = 0,
                           int64_t padding_r = 0, int64_t dilation = 0);
ConvolutionCase ConvolutionOf(int64_t mb, int64_t groups, int64_t ic, int64_t oc,
                              std::vector<spec::ConvolutionAxis> axes);

// Classes of input that `c` belongs to: its direction, "rank 4", "groups", "depthwise", "strided",
// "dilated", "padded", "asymmetric", "one by one", "large batch", "tail of inputs", "tail of
// outputs", "many inputs", "many outputs", "odd groups", "even groups", "large image of groups",
// "large weights", "padded by two", "padded beyond behind", "uneven kernel", "unlike strides",
// "many strides", "one by one of a region", "for winograd", "first layer", "vectors of depthwise",
// and those of its tensors.
std::vector<std::string> ClassesOf(const ConvolutionCase& c);

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_CONVOLUTION_CASES_H_
