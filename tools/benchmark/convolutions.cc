#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "tools/benchmark/cases.h"

namespace bench {
namespace {

// A layer whose kernel is as long on both axes and padded by its half, as images of `size` have it.
struct Layer {
  int64_t kernel, ic, oc;  // channels of all groups
  int64_t groups, size, stride;
};

// The distinct ones, with the stride of a stage on its 3x3, and then on its first 1x1 as well.
constexpr Layer kResNet50[] = {
    {7, 3, 64, 1, 224, 2},                                                          // the stem
    {1, 64, 64, 1, 56, 1},    {3, 64, 64, 1, 56, 1},    {1, 64, 256, 1, 56, 1},     // 56
    {1, 256, 64, 1, 56, 1},                                                         //
    {1, 256, 128, 1, 56, 1},  {3, 128, 128, 1, 56, 2},  {1, 256, 512, 1, 56, 2},    // 28
    {1, 128, 512, 1, 28, 1},  {1, 512, 128, 1, 28, 1},  {3, 128, 128, 1, 28, 1},    //
    {1, 512, 256, 1, 28, 1},  {3, 256, 256, 1, 28, 2},  {1, 512, 1024, 1, 28, 2},   // 14
    {1, 256, 1024, 1, 14, 1}, {1, 1024, 256, 1, 14, 1}, {3, 256, 256, 1, 14, 1},    //
    {1, 1024, 512, 1, 14, 1}, {3, 512, 512, 1, 14, 2},  {1, 1024, 2048, 1, 14, 2},  // 7
    {1, 512, 2048, 1, 7, 1},  {1, 2048, 512, 1, 7, 1},  {3, 512, 512, 1, 7, 1},     //
    {1, 256, 128, 1, 56, 2},  {1, 512, 256, 1, 28, 2},  {1, 1024, 512, 1, 14, 2},   // on the 1x1
};

constexpr Layer kMobileNetV1[] = {
    {3, 3, 32, 1, 224, 2},                                 // the stem
    {3, 32, 32, 32, 112, 1},     {1, 32, 64, 1, 112, 1},   //
    {3, 64, 64, 64, 112, 2},     {1, 64, 128, 1, 56, 1},   //
    {3, 128, 128, 128, 56, 1},   {1, 128, 128, 1, 56, 1},  //
    {3, 128, 128, 128, 56, 2},   {1, 128, 256, 1, 28, 1},  //
    {3, 256, 256, 256, 28, 1},   {1, 256, 256, 1, 28, 1},  //
    {3, 256, 256, 256, 28, 2},   {1, 256, 512, 1, 14, 1},  //
    {3, 512, 512, 512, 14, 1},   {1, 512, 512, 1, 14, 1},  //
    {3, 512, 512, 512, 14, 2},   {1, 512, 1024, 1, 7, 1},  //
    {3, 1024, 1024, 1024, 7, 1}, {1, 1024, 1024, 1, 7, 1},
};

// What v1 does not have.
constexpr Layer kMobileNetV2[] = {
    {1, 32, 16, 1, 112, 1},                                                        //
    {1, 16, 96, 1, 112, 1},    {3, 96, 96, 96, 112, 2},   {1, 96, 24, 1, 56, 1},   //
    {1, 24, 144, 1, 56, 1},    {3, 144, 144, 144, 56, 1}, {1, 144, 24, 1, 56, 1},  //
    {3, 144, 144, 144, 56, 2}, {1, 144, 32, 1, 28, 1},                             //
    {1, 32, 192, 1, 28, 1},    {3, 192, 192, 192, 28, 1}, {1, 192, 32, 1, 28, 1},  //
    {3, 192, 192, 192, 28, 2}, {1, 192, 64, 1, 14, 1},                             //
    {1, 64, 384, 1, 14, 1},    {3, 384, 384, 384, 14, 1}, {1, 384, 64, 1, 14, 1},  //
    {1, 384, 96, 1, 14, 1},                                                        //
    {1, 96, 576, 1, 14, 1},    {3, 576, 576, 576, 14, 1}, {1, 576, 96, 1, 14, 1},  //
    {3, 576, 576, 576, 14, 2}, {1, 576, 160, 1, 7, 1},                             //
    {1, 160, 960, 1, 7, 1},    {3, 960, 960, 960, 7, 1},  {1, 960, 160, 1, 7, 1},  //
    {1, 960, 320, 1, 7, 1},    {1, 320, 1280, 1, 7, 1},
};

// Three groups, units of width 1: of each stage the unit that halves the image, and the others.
constexpr Layer kShuffleNetV1[] = {
    {3, 3, 24, 1, 224, 2},                                                        // the stem
    {1, 24, 60, 1, 56, 1},   {3, 60, 60, 60, 56, 2},    {1, 60, 216, 3, 28, 1},   //
    {1, 240, 60, 3, 28, 1},  {3, 60, 60, 60, 28, 1},    {1, 60, 240, 3, 28, 1},   //
    {1, 240, 120, 3, 28, 1}, {3, 120, 120, 120, 28, 2}, {1, 120, 240, 3, 14, 1},  //
    {1, 480, 120, 3, 14, 1}, {3, 120, 120, 120, 14, 1}, {1, 120, 480, 3, 14, 1},  //
    {1, 480, 240, 3, 14, 1}, {3, 240, 240, 240, 14, 2}, {1, 240, 480, 3, 7, 1},   //
    {1, 960, 240, 3, 7, 1},  {3, 240, 240, 240, 7, 1},  {1, 240, 960, 3, 7, 1},
};

// Units of width 1, the same way. The stem is that of v1.
constexpr Layer kShuffleNetV2[] = {
    {3, 24, 24, 24, 56, 2},    {1, 24, 58, 1, 28, 1},   {1, 24, 58, 1, 56, 1},    //
    {3, 58, 58, 58, 56, 2},    {1, 58, 58, 1, 28, 1},   {3, 58, 58, 58, 28, 1},   //
    {3, 116, 116, 116, 28, 2}, {1, 116, 116, 1, 14, 1}, {1, 116, 116, 1, 28, 1},  //
    {3, 116, 116, 116, 14, 1},                                                    //
    {3, 232, 232, 232, 14, 2}, {1, 232, 232, 1, 7, 1},  {1, 232, 232, 1, 14, 1},  //
    {3, 232, 232, 232, 7, 1},  {1, 464, 1024, 1, 7, 1},
};

// 32 groups, of 4 channels at first; the other layers are like those of ResNet-50.
constexpr Layer kResNeXt50[] = {
    {3, 128, 128, 32, 56, 1},  {3, 256, 256, 32, 56, 2}, {3, 256, 256, 32, 28, 1},
    {3, 512, 512, 32, 28, 2},  {3, 512, 512, 32, 14, 1}, {3, 1024, 1024, 32, 14, 2},
    {3, 1024, 1024, 32, 7, 1},
};

// What is measured backward, of ResNet-50.
constexpr Layer kTrained[] = {
    {3, 64, 64, 1, 56, 1},   {3, 128, 128, 1, 56, 2},  {3, 128, 128, 1, 28, 1},
    {3, 256, 256, 1, 28, 2}, {3, 256, 256, 1, 14, 1},  {3, 512, 512, 1, 7, 1},
    {1, 64, 256, 1, 56, 1},  {1, 256, 64, 1, 56, 1},   {1, 256, 512, 1, 56, 2},
    {1, 512, 128, 1, 28, 1}, {1, 1024, 256, 1, 14, 1}, {1, 512, 2048, 1, 7, 1},
};

// What is measured in other types.
constexpr Layer kNarrow[] = {
    {7, 3, 64, 1, 224, 2},     {3, 64, 64, 1, 56, 1},    {1, 256, 64, 1, 56, 1},
    {3, 128, 128, 1, 56, 2},   {3, 256, 256, 1, 14, 1},  {1, 512, 2048, 1, 7, 1},
    {3, 512, 512, 512, 14, 1}, {3, 256, 256, 32, 28, 1},
};

// Of ResNet-50 and of VGG, which Winograd's algorithm is for.
constexpr Layer kWinograd[] = {
    {3, 64, 64, 1, 56, 1},   {3, 128, 128, 1, 28, 1}, {3, 256, 256, 1, 14, 1},
    {3, 512, 512, 1, 7, 1},  {3, 64, 64, 1, 224, 1},  {3, 128, 128, 1, 112, 1},
    {3, 256, 256, 1, 56, 1}, {3, 512, 512, 1, 28, 1}, {3, 512, 512, 1, 14, 1},
};

// Mostly the call.
constexpr Layer kTiny[] = {
    {1, 8, 8, 1, 1, 1}, {1, 16, 16, 1, 2, 1}, {3, 1, 1, 1, 5, 1}, {3, 4, 4, 1, 4, 1},
    {3, 3, 8, 1, 4, 2}, {3, 8, 8, 8, 4, 1},   {3, 8, 8, 2, 4, 1},
};

struct Types {
  const char *src, *weights, *bias, *dst;
};
constexpr Types kF32 = {"f32", "f32", "f32", "f32"}, kBf16 = {"bf16", "bf16", "bf16", "bf16"},
                kBytes = {"u8", "s8", "f32", "u8"};

Convolution Of(int64_t groups, int64_t ic, int64_t oc, const Dims& inputs, const Dims& kernel,
               const Dims& strides) {
  Convolution c;
  c.groups = groups;
  c.ic = ic / groups;
  c.oc = oc / groups;
  c.inputs = inputs;
  c.kernel = kernel;
  c.strides = strides;
  for (const int64_t extent : kernel) c.padding.push_back(extent / 2);
  return c;
}

Convolution Of(const Layer& l) {
  return Of(l.groups, l.ic, l.oc, {l.size, l.size}, {l.kernel, l.kernel}, {l.stride, l.stride});
}

// "3x3x3", or one number where all are the same.
std::string Extents(const Dims& extents, bool brief) {
  if (brief &&
      std::count(extents.begin(), extents.end(), extents[0]) == std::ptrdiff_t(extents.size()))
    return std::to_string(extents[0]);
  std::string text;
  for (const int64_t extent : extents) text += (text.empty() ? "" : "x") + std::to_string(extent);
  return text;
}

std::string NameOf(const Convolution& c) {
  const int64_t ic = c.groups * c.ic, oc = c.groups * c.oc;
  const bool depthwise = c.groups > 1 && c.ic == 1 && c.oc == 1;
  std::string name = depthwise ? "depthwise " : "";
  name += Extents(c.kernel, false) + " " + std::to_string(ic);
  if (!depthwise) name += "->" + std::to_string(oc);
  if (!depthwise && c.groups > 1) name += " G" + std::to_string(c.groups);
  name += ", " + Extents(c.inputs, true);
  const std::string stride = Extents(c.strides, true);
  return stride == "1" ? name : name + " stride " + stride;
}

class Lists {
 public:
  void Add(const std::string& group, Convolution convolution,
           Direction direction = Direction::kForward, const Types& types = kF32) {
    convolution.direction = direction;
    convolution.src = types.src;
    convolution.weights = types.weights;
    convolution.bias = types.bias;
    convolution.dst = types.dst;
    Case c;
    c.group = "convolution " + group;
    c.name = NameOf(convolution);
    c.kind = Kind::kConvolution;
    c.convolution = convolution;
    cases_.push_back(c);
  }

  template <size_t kCount>
  void Add(const std::string& group, const Layer (&layers)[kCount],
           Direction direction = Direction::kForward, const Types& types = kF32) {
    for (const Layer& layer : layers) Add(group, Of(layer), direction, types);
  }

  // Of the algorithm "auto".
  void AddAuto() {
    const size_t first = cases_.size();
    Add("auto 3x3", kWinograd);
    Add("auto 3x3 backward data", kWinograd, Direction::kBackwardData);
    Add("auto ResNet-50", kResNet50);
    for (size_t i = first; i < cases_.size(); ++i) cases_[i].convolution.chooses = true;
  }

  void AddCreation(const std::string& name, Kind kind, const Layer& layer) {
    Add("create", Of(layer));
    cases_.back().name = name;
    cases_.back().kind = kind;
  }

  std::vector<Case> Take() { return std::move(cases_); }

 private:
  std::vector<Case> cases_;
};

// Of speech, of signals; of video, of volumes, and a factored kernel.
void AddOtherRanks(Lists& lists) {
  lists.Add("1-D", Of(1, 80, 384, {1500}, {3}, {1}));
  lists.Add("1-D", Of(1, 384, 384, {1500}, {3}, {2}));
  lists.Add("1-D", Of(1, 64, 64, {1024}, {9}, {1}));
  lists.Add("1-D", Of(1, 256, 256, {512}, {1}, {1}));
  lists.Add("1-D", Of(256, 256, 256, {512}, {31}, {1}));
  lists.Add("3-D", Of(1, 3, 64, {8, 56, 56}, {3, 3, 3}, {1, 1, 1}));
  lists.Add("3-D", Of(1, 32, 32, {16, 28, 28}, {3, 3, 3}, {1, 1, 1}));
  lists.Add("3-D", Of(1, 64, 128, {8, 28, 28}, {3, 3, 3}, {2, 2, 2}));
  lists.Add("3-D", Of(1, 192, 64, {8, 28, 28}, {1, 1, 1}, {1, 1, 1}));
  lists.Add("3-D", Of(1, 64, 64, {8, 28, 28}, {1, 3, 3}, {1, 1, 1}));
}

}  // namespace

Dims Convolution::outputs() const {
  Dims outputs;
  for (size_t j = 0; j < inputs.size(); ++j)
    outputs.push_back((inputs[j] - kernel[j] + 2 * padding[j]) / strides[j] + 1);
  return outputs;
}

double Convolution::flops() const {
  double flops = 2.0 * static_cast<double>(batch * groups) * static_cast<double>(ic * oc);
  for (const int64_t extent : outputs()) flops *= static_cast<double>(extent);
  for (const int64_t extent : kernel) flops *= static_cast<double>(extent);
  return flops;
}

std::vector<Case> ConvolutionCases() {
  Lists lists;
  lists.Add("ResNet-50", kResNet50);
  lists.Add("MobileNet v1", kMobileNetV1);
  lists.Add("MobileNet v2", kMobileNetV2);
  lists.Add("ShuffleNet v1", kShuffleNetV1);
  lists.Add("ShuffleNet v2", kShuffleNetV2);
  lists.Add("ResNeXt-50", kResNeXt50);
  AddOtherRanks(lists);
  lists.Add("tiny", kTiny);
  lists.Add("backward data", kTrained, Direction::kBackwardData);
  lists.Add("backward weights", kTrained, Direction::kBackwardWeights);
  lists.AddAuto();
  lists.Add("u8 x s8", kNarrow, Direction::kForward, kBytes);
  lists.Add("bf16", kNarrow, Direction::kForward, kBf16);
  lists.Add("bf16 backward data", kTrained, Direction::kBackwardData, kBf16);
  lists.Add("bf16 backward weights", kTrained, Direction::kBackwardWeights, kBf16);
  lists.AddCreation("3x3, shape not seen", Kind::kCreateNew, {3, 64, 64, 1, 28, 1});
  lists.AddCreation("3x3, seen", Kind::kCreateSeen, {3, 64, 64, 1, 28, 1});
  lists.AddCreation("depthwise, shape not seen", Kind::kCreateNew, {3, 64, 64, 64, 28, 1});
  return lists.Take();
}

}  // namespace bench
