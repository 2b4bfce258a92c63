// Layers of networks that people run.
#include <algorithm>
#include <utility>
#include <vector>

#include "conformance/convolution/cases.h"

namespace conformance {
namespace {

using spec::ConvolutionAxis;

constexpr int64_t kLargestImage = 10, kSmallestImage = 3;
// Of one execution: a plain loop over coordinates takes some 20 ns for each.
constexpr int64_t kMostProducts = int64_t{1} << 26;

// Channels over all groups; one axis as in a table of layers, both alike but where `other` is
// given.
struct Layer {
  int64_t groups, ic, oc;
  std::vector<ConvolutionAxis> axes;
};

std::vector<ConvolutionAxis> Square(int64_t input, int64_t kernel, int64_t stride = 1,
                                    int64_t padding_l = 0, int64_t padding_r = 0,
                                    int64_t dilation = 0) {
  const ConvolutionAxis axis = Axis(input, kernel, stride, padding_l, padding_r, dilation);
  return {axis, axis};
}

std::vector<ConvolutionAxis> Cube(const std::vector<int64_t>& inputs, int64_t kernel,
                                  int64_t stride, int64_t padding) {
  std::vector<ConvolutionAxis> axes;
  for (const int64_t input : inputs) axes.push_back(Axis(input, kernel, stride, padding, padding));
  return axes;
}

const std::vector<Layer>& Layers() {
  static const auto* const layers = new std::vector<Layer>{
      // AlexNet, VGG-16.
      {1, 3, 64, Square(224, 11, 4, 2, 2)},
      {1, 64, 192, Square(27, 5, 1, 2, 2)},
      {1, 192, 384, Square(13, 3, 1, 1, 1)},
      {1, 3, 64, Square(224, 3, 1, 1, 1)},
      {1, 128, 256, Square(56, 3, 1, 1, 1)},
      // ResNet-50, padding as programs of either kind give it.
      {1, 3, 64, Square(224, 7, 2, 3, 3)},
      {1, 3, 64, Square(224, 7, 2, 3, 2)},
      {1, 64, 64, Square(56, 3, 1, 1, 1)},
      {1, 64, 256, Square(56, 1)},
      {1, 256, 128, Square(56, 1)},
      {1, 128, 128, Square(56, 3, 2, 1, 1)},
      {1, 128, 128, Square(56, 3, 2, 1, 0)},
      {1, 256, 512, Square(56, 1, 2)},
      {1, 512, 128, Square(28, 1)},
      {1, 256, 256, Square(14, 3, 1, 1, 1)},
      {1, 512, 512, Square(7, 3, 1, 1, 1)},
      {1, 512, 2048, Square(7, 1)},
      {1, 2048, 512, Square(7, 1)},
      // ResNeXt-50.
      {32, 128, 128, Square(56, 3, 1, 1, 1)},
      {32, 512, 512, Square(14, 3, 1, 1, 1)},
      // GoogLeNet, Inception v3.
      {1, 192, 16, Square(28, 1)},
      {1, 16, 32, Square(28, 5, 1, 2, 2)},
      {1, 3, 32, Square(299, 3, 2)},
      {1, 128, 128, {Axis(17, 1), Axis(17, 7, 1, 3, 3)}},
      {1, 128, 192, {Axis(17, 7, 1, 3, 3), Axis(17, 1)}},
      {1, 384, 384, {Axis(8, 1), Axis(8, 3, 1, 1, 1)}},
      {1, 288, 384, Square(35, 3, 2)},
      // MobileNet v1 and v2, EfficientNet.
      {1, 3, 32, Square(224, 3, 2, 0, 1)},
      {32, 32, 32, Square(112, 3, 1, 1, 1)},
      {64, 64, 64, Square(112, 3, 2, 0, 1)},
      {512, 512, 512, Square(14, 3, 1, 1, 1)},
      {1024, 1024, 1024, Square(7, 3, 1, 1, 1)},
      {1, 16, 96, Square(112, 1)},
      {1, 96, 24, Square(56, 1)},
      {1, 24, 144, Square(56, 1)},
      {1, 160, 960, Square(7, 1)},
      {144, 144, 144, Square(56, 3, 2, 0, 1)},
      {240, 240, 240, Square(28, 5, 1, 2, 2)},
      {672, 672, 672, Square(14, 5, 2, 1, 2)},
      {1, 96, 4, Square(1, 1)},
      {1, 4, 96, Square(1, 1)},
      // ShuffleNet v1 with three groups, and v2.
      {1, 24, 60, Square(56, 1)},
      {3, 240, 60, Square(28, 1)},
      {3, 60, 240, Square(28, 1)},
      {3, 960, 240, Square(7, 1)},
      {60, 60, 60, Square(56, 3, 2, 1, 1)},
      {1, 58, 58, Square(28, 1)},
      {58, 58, 58, Square(28, 3, 1, 1, 1)},
      {1, 232, 232, Square(7, 1)},
      {1, 464, 1024, Square(7, 1)},
      // DeepLab, U-Net, super resolution, YOLO, patches.
      {1, 512, 512, Square(33, 3, 1, 2, 2, 1)},
      {1, 256, 256, Square(33, 3, 1, 6, 6, 5)},
      {1, 256, 64, Square(33, 3, 1, 18, 18, 17)},
      {1, 1, 64, Square(572, 3)},
      {1, 64, 2, Square(388, 1)},
      {1, 3, 64, Square(33, 9)},
      {1, 32, 3, Square(21, 5)},
      {1, 512, 512, Square(13, 3, 1, 1, 1)},
      {1, 1024, 255, Square(13, 1)},
      {1, 3, 768, Square(224, 16, 16)},
      // Speech, text, WaveNet; video and volumes.
      {1, 80, 512, {Axis(1000, 3, 1, 1, 1)}},
      {1, 512, 512, {Axis(500, 3, 2, 1, 1)}},
      {1, 32, 64, {Axis(1024, 2, 1, 0, 0, 255)}},
      {1, 1, 256, {Axis(24064, 769, 64, 384, 384)}},
      {1, 3, 64, Cube({16, 112, 112}, 3, 1, 1)},
      {1, 64, 128, Cube({16, 56, 56}, 3, 1, 1)},
      {1, 3, 64, Cube({16, 224, 224}, 7, 2, 3)},
      {1, 1, 32, Cube({64, 64, 64}, 5, 1, 2)},
      // From reports of faults.
      {1, 64, 17, {Axis(1, 1), Axis(8, 3, 2, 1, 1)}},
      {24, 24, 24, Square(6, 3, 2, 1, 1)},
      {1, 64, 3, Square(227, 11, 4)},
      {1, 1, 1, {Axis(32, 2, 2), Axis(64, 4, 1, 1, 2)}},
      {1, 105, 1, {Axis(10, 1, 14), Axis(18, 1, 14)}},
      {1, 4, 8, Square(128, 1, 2)},
      // DCGAN, pix2pix: long sums for one channel.
      {1, 512, 1, Square(4, 4)},
      {1, 512, 1, Square(31, 4, 1, 1, 1)},
  };
  return *layers;
}

// At most as large an image as its reach asks for, or `size`, with the same remainder by the
// stride.
ConvolutionAxis CutToImage(ConvolutionAxis axis, int64_t size) {
  const int64_t reach = 1 + (axis.kernel - 1) * (axis.dilation + 1);
  const int64_t least =
      std::max<int64_t>(std::min(axis.input, size), reach - axis.padding_l - axis.padding_r);
  if (axis.input <= least) return axis;
  axis.input -= (axis.input - least) / axis.stride * axis.stride;
  return axis;
}

// As large an image as makes few enough products, of `size` at most along each axis.
void CutToProducts(int64_t size, int64_t most, ConvolutionCase* c) {
  for (; size >= kSmallestImage; --size) {
    for (ConvolutionAxis& axis : c->axes) axis = CutToImage(axis, size);
    if (c->products() <= most) return;
  }
}

// The layer as it is.
ConvolutionCase CaseOf(const Layer& layer) {
  return ConvolutionOf(1, layer.groups, layer.ic / layer.groups, layer.oc / layer.groups,
                       layer.axes);
}

}  // namespace

Cases<ConvolutionCase> NetworkConvolutions(size_t part, size_t parts) {
  std::vector<ConvolutionCase> cases;
  for (size_t number = part; number < Layers().size(); number += parts) {
    ConvolutionCase c = CaseOf(Layers()[number]);
    CutToProducts(kLargestImage, kMostProducts, &c);
    c.SetAny(cases.size() % 2 == 0);
    if (cases.size() % 4 == 1) SetChannelsLast(&c);
    c.seed = cases.size();
    cases.push_back(c);
  }
  return Listed(std::move(cases));
}

Cases<ConvolutionCase> NetworkSamples(Direction direction) {
  // Of one execution.
  constexpr int64_t kFew = int64_t{1} << 22, kElements = int64_t{1} << 20;
  const auto fits = [](const ConvolutionCase& c) {
    return c.products() <= kFew && spec::ElementCount(c.DimsOf(kSrc)) <= kElements &&
           spec::ElementCount(c.DimsOf(kDst)) <= kElements;
  };
  std::vector<Types> types = FloatTypes(direction);
  if (direction == Direction::kForward)
    for (const Types& bytes : IntegerTriples()) types.push_back(bytes);
  std::vector<ConvolutionCase> cases;
  for (const Layer& layer : Layers()) {
    const auto number = static_cast<uint64_t>(cases.size());
    const uint64_t chance = Mix(number * 3 + static_cast<uint64_t>(direction));
    ConvolutionCase c = CaseOf(layer);
    if (number % 3 == 0) {
      // So small that the batch can be large.
      c.mb = int64_t{16} << chance % 3;
      CutToProducts(7, kFew, &c);
      while (c.mb > 1 && !fits(c)) c.mb /= 2;
    } else if (!fits(c)) {
      CutToProducts(kLargestImage, kFew, &c);
    }
    c.direction = direction;
    c.algorithm = chance / 4 % 3 == 0 ? ConvolutionAlgorithm::kAuto : ConvolutionAlgorithm::kDirect;
    c.bias = direction != Direction::kBackwardData && chance / 16 % 2 == 0;
    if (chance / 32 % 2 == 0) {
      const Types& of = types[chance / 64 % types.size()];
      for (const Role role : kRoles) c.uses[role].type = of[role];
    }
    c.SetAny(chance / 4096 % 4 < 2);
    if (chance / 4096 % 4 == 2) SetChannelsLast(&c);
    c.seed = number;
    cases.push_back(std::move(c));
  }
  return Listed(std::move(cases));
}

Cases<ConvolutionCase> PanelConvolutions(const std::vector<Direction>& directions) {
  struct Channels {
    int64_t groups, ic, oc;
  };
  constexpr Channels kChannels[] = {
      {1, 16, 32}, {1, 48, 16}, {2, 32, 48}, {1, 33, 64}, {3, 16, 16}};
  const std::vector<ConvolutionAxis> axes[] = {
      {Axis(6, 3, 1, 1, 1), Axis(7, 3, 1, 1, 1)},
      {Axis(6, 3, 2, 1, 1), Axis(6, 3, 1, 1, 1)},
      {Axis(5, 3, 1, 1, 1), Axis(7, 3, 2, 1, 1)},
      {Axis(7, 3, 3, 1, 2), Axis(8, 3, 2, 2, 1)},
      {Axis(7, 3, 1, 2, 2, 1), Axis(6, 2, 1, 0, 1, 2)},
      {Axis(5, 1), Axis(4, 1)},
      {Axis(5, 1, 2), Axis(4, 1)},
      {Axis(9, 4, 1, 1, 2)},
      {Axis(3, 2, 1, 0, 1), Axis(4, 2, 2), Axis(3, 3, 1, 1, 1)}};
  std::vector<ConvolutionCase> cases;
  size_t next = 0;
  for (const std::vector<ConvolutionAxis>& of : axes)
    for (int i = 0; i < 2; ++i) {
      const Channels& channels = kChannels[next++ % std::size(kChannels)];
      ConvolutionCase c = ConvolutionOf(2, channels.groups, channels.ic, channels.oc, of);
      c.bias = i == 0;
      c.seed = next * 16;
      for (const ConvolutionCase& one : Presented(c, directions)) cases.push_back(one);
    }
  return Listed(std::move(cases));
}

}  // namespace conformance
