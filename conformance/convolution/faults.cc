#include "conformance/convolution/faults.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "oneapi/dnnl/dnnl.hpp"

namespace conformance::faults {
namespace {

using dnnl::algorithm;
using dnnl::memory;

constexpr int64_t kOpen = spec::kRunTimeDim;
constexpr int64_t kBeyond32 = int64_t{1} << 32;

const char* const kRoleNames[] = {"src", "weights", "bias", "dst"};

Fault Spoilt(const char* name, Arguments base, const std::function<void(Arguments*)>& spoil,
             bool of_bias = false) {
  spoil(&base);
  return {name, std::move(base), of_bias};
}

// `role` of the plane with other dims.
Fault WithDims(const char* name, Role role, spec::Dims dims, bool of_bias = false) {
  return Spoilt(
      name, Plane(), [&](Arguments* to) { to->dims[role] = std::move(dims); }, of_bias);
}

// Each axis of two and of three in turn is `wrong`, with `outputs`, beside others of stride 3.
void AddEachAxis(const std::string& name, const spec::ConvolutionAxis& wrong, int64_t outputs,
                 std::vector<Fault>* faults) {
  for (const size_t count : {2, 3}) {
    for (size_t at = 0; at < count; ++at) {
      std::vector<spec::ConvolutionAxis> axes(count, Axis(7, 2, 3));
      axes[at] = wrong;
      Arguments given = OfAxes(axes);
      given.dims[kDst][2 + at] = outputs;
      faults->push_back({name + "-axis-" + std::to_string(at + 1) + "-of-" + std::to_string(count),
                         std::move(given)});
    }
  }
}

// With a bias that is as long as there are outputs.
Fault WithoutOutputs(const char* name, Arguments one) {
  one.dims[kBias] = {0};
  return {name, std::move(one)};
}

}  // namespace

Arguments Plane() {
  Arguments plane;
  plane.dims = {spec::Dims{2, 4, 5, 6}, {3, 4, 3, 2}, {3}, {2, 3, 3, 5}};
  plane.numbers.strides = {1, 1};
  plane.numbers.dilates = plane.numbers.padding_l = plane.numbers.padding_r = {0, 0};
  plane.numbers.with_dilates = true;
  return plane;
}

Arguments Grouped() {
  Arguments grouped = Plane();
  grouped.dims = {spec::Dims{2, 4, 5, 6}, {2, 3, 2, 3, 2}, {6}, {2, 6, 3, 5}};
  return grouped;
}

Arguments Line(int64_t input, int64_t kernel, int64_t stride, int64_t padding_l, int64_t padding_r,
               int64_t output, int64_t dilation) {
  Arguments line;
  line.dims = {spec::Dims{2, 4, input}, {3, 4, kernel}, {3}, {2, 3, output}};
  line.numbers.strides = {stride};
  line.numbers.dilates = {dilation};
  line.numbers.padding_l = {padding_l};
  line.numbers.padding_r = {padding_r};
  line.numbers.with_dilates = true;
  return line;
}

Arguments OfRank(spec::Dims src, spec::Dims weights, spec::Dims dst, size_t axes) {
  Arguments one;
  one.dims = {std::move(src), std::move(weights), spec::Dims{3}, std::move(dst)};
  one.numbers.strides = memory::dims(axes, 1);
  one.numbers.dilates = one.numbers.padding_l = one.numbers.padding_r = memory::dims(axes, 0);
  one.numbers.with_dilates = true;
  return one;
}

Arguments OfAxes(const std::vector<spec::ConvolutionAxis>& axes) {
  Arguments given;
  given.dims = {spec::Dims{2, 4}, {3, 4}, {3}, {2, 3}};
  given.numbers.with_dilates = true;
  for (const spec::ConvolutionAxis& axis : axes) {
    given.dims[kSrc].push_back(axis.input);
    given.dims[kWeights].push_back(axis.kernel);
    given.dims[kDst].push_back(axis.stride > 0 ? axis.RightOutput() : 0);
    given.numbers.strides.push_back(axis.stride);
    given.numbers.dilates.push_back(axis.dilation);
    given.numbers.padding_l.push_back(axis.padding_l);
    given.numbers.padding_r.push_back(axis.padding_r);
  }
  return given;
}

std::vector<Fault> Ranks() {
  return {
      {"rank-1", OfRank({2}, {3}, {2}, 1)},
      {"rank-2", OfRank({2, 4}, {3, 4}, {2, 3}, 1)},
      {"rank-6", OfRank({2, 4, 1, 1, 1, 1}, {3, 4, 1, 1, 1, 1}, {2, 3, 1, 1, 1, 1}, 4)},
      WithDims("dst-5", kDst, {2, 3, 3, 5, 1}),
      WithDims("dst-3", kDst, {2, 3, 15}),
      WithDims("src-5", kSrc, {2, 4, 5, 6, 1}),
      WithDims("dst-4-of-one-axis", kDst, {2, 3, 3, 5, 1, 1}),
      {"rank-7", OfRank({2, 4, 1, 1, 1, 1, 1}, {3, 4, 1, 1, 1, 1, 1}, {2, 3, 1, 1, 1, 1, 1}, 5)},
      {"line-of-dst-4", OfRank({2, 4, 5}, {3, 4, 3}, {2, 3, 3, 1}, 1)},
      {"line-of-src-4", OfRank({2, 4, 5, 1}, {3, 4, 3}, {2, 3, 3}, 1)},
      {"volume-of-dst-4", OfRank({2, 4, 3, 4, 5}, {3, 4, 1, 2, 3}, {2, 3, 3, 9}, 3)},
      {"volume-of-src-4", OfRank({2, 4, 3, 20}, {3, 4, 1, 2, 3}, {2, 3, 3, 3, 3}, 3)},
      WithDims("src-3", kSrc, {2, 4, 30}),
  };
}

std::vector<Fault> WeightsRanks() {
  return {
      WithDims("one-less", kWeights, {3, 4, 6}),
      WithDims("two-more", kWeights, {1, 3, 4, 3, 2, 1}),
      WithDims("two", kWeights, {3, 24}),
      WithDims("one", kWeights, {72}),
      {"line-one-less", OfRank({2, 4, 5}, {3, 4}, {2, 3, 5}, 1)},
      {"line-two-more", OfRank({2, 4, 5}, {1, 3, 4, 3, 1}, {2, 3, 3}, 1)},
      {"volume-one-less", OfRank({2, 4, 3, 4, 5}, {3, 4, 2, 3}, {2, 3, 3, 3, 3}, 3)},
      {"volume-two-more", OfRank({2, 4, 3, 4, 5}, {1, 3, 4, 1, 2, 3, 1}, {2, 3, 3, 3, 3}, 3)},
  };
}

std::vector<Fault> Batches() {
  return {
      WithDims("more", kDst, {3, 3, 3, 5}),
      WithDims("less", kDst, {1, 3, 3, 5}),
      WithDims("nothing-of-dst", kDst, {0, 3, 3, 5}),
      WithDims("nothing-of-src", kSrc, {0, 4, 5, 6}),
      WithDims("modulo-2^32", kDst, {kBeyond32 + 2, 3, 3, 5}),
      {"more-of-line", OfRank({2, 4, 5}, {3, 4, 3}, {3, 3, 3}, 1)},
      {"one-of-src", OfRank({1, 4, 5}, {3, 4, 3}, {2, 3, 3}, 1)},
      {"less-of-volume", OfRank({2, 4, 3, 4, 5}, {3, 4, 1, 2, 3}, {1, 3, 3, 3, 3}, 3)},
      Spoilt("more-of-groups", Grouped(), [](Arguments* to) { to->dims[kDst][0] = 3; }),
  };
}

std::vector<Fault> Channels() {
  const auto grouped = [](const char* name, Role role, spec::Dims dims) {
    return Spoilt(name, Grouped(), [&](Arguments* to) { to->dims[role] = std::move(dims); });
  };
  return {
      WithDims("inputs-more", kWeights, {3, 5, 3, 2}),
      WithDims("inputs-less", kWeights, {3, 3, 3, 2}),
      WithDims("outputs-more", kDst, {2, 4, 3, 5}),
      WithDims("outputs-less", kDst, {2, 2, 3, 5}),
      WithDims("turned", kWeights, {4, 3, 3, 2}),
      grouped("all-inputs-in-each-group", kWeights, {2, 3, 4, 3, 2}),
      grouped("all-outputs-in-each-group", kWeights, {2, 6, 2, 3, 2}),
      grouped("groups-do-not-divide", kWeights, {3, 2, 1, 3, 2}),
      grouped("swapped-within-groups", kWeights, {2, 2, 3, 3, 2}),
      WithDims("inputs-of-src-modulo-2^32", kSrc, {2, kBeyond32 + 4, 5, 6}),
      WithDims("inputs-of-weights-modulo-2^32", kWeights, {3, kBeyond32 + 4, 3, 2}),
      WithDims("outputs-of-dst-modulo-2^32", kDst, {2, kBeyond32 + 3, 3, 5}),
      WithDims("outputs-of-weights-modulo-2^32", kWeights, {kBeyond32 + 3, 4, 3, 2}),
      grouped("inputs-of-a-group-more", kWeights, {2, 3, 3, 3, 2}),
      grouped("outputs-of-a-group-less", kWeights, {2, 2, 2, 3, 2}),
      grouped("outputs-of-dst-more", kDst, {2, 7, 3, 5}),
      grouped("inputs-of-src-more", kSrc, {2, 5, 5, 6}),
      grouped("one-group-of-weights", kWeights, {1, 3, 2, 3, 2}),
      {"inputs-of-line", OfRank({2, 4, 5}, {3, 5, 3}, {2, 3, 3}, 1)},
      {"outputs-of-line", OfRank({2, 4, 5}, {3, 4, 3}, {2, 4, 3}, 1)},
      {"inputs-of-volume", OfRank({2, 4, 3, 4, 5}, {3, 5, 1, 2, 3}, {2, 3, 3, 3, 3}, 3)},
      {"outputs-of-volume", OfRank({2, 4, 3, 4, 5}, {3, 4, 1, 2, 3}, {2, 2, 3, 3, 3}, 3)},
      {"one-input-of-weights", OfRank({2, 4, 5}, {3, 1, 3}, {2, 3, 3}, 1)},
      {"one-output-of-dst", OfRank({2, 4, 5}, {3, 4, 3}, {2, 1, 3}, 1)},
      grouped("groups-modulo-2^32", kWeights, {kBeyond32 + 2, 3, 2, 3, 2}),
      grouped("inputs-in-groups-modulo-2^32", kWeights, {2, 3, (kBeyond32 >> 1) + 2, 3, 2}),
      grouped("outputs-in-groups-modulo-2^32", kWeights, {2, (kBeyond32 >> 1) + 3, 2, 3, 2}),
  };
}

std::vector<Fault> Biases() {
  return {
      WithDims("more", kBias, {4}, true),
      WithDims("less", kBias, {2}, true),
      WithDims("one", kBias, {1}, true),
      WithDims("rank-2", kBias, {1, 3}, true),
      WithDims("column", kBias, {3, 1}, true),
      WithDims("rank-3", kBias, {1, 3, 1}, true),
      WithDims("rank-3-of-one-behind", kBias, {3, 1, 1}, true),
      WithDims("rank-of-dst", kBias, {1, 3, 1, 1}, true),
      WithDims("nothing", kBias, {0}, true),
      WithDims("modulo-2^32", kBias, {kBeyond32 + 3}, true),
      {"more-of-line",
       Spoilt("", Line(7, 3, 1, 0, 0, 5), [](Arguments* to) { to->dims[kBias] = {4}; }).wrong,
       true},
      {"one-of-volume",
       Spoilt("", OfAxes({Axis(3, 1), Axis(4, 2), Axis(5, 3)}),
              [](Arguments* to) { to->dims[kBias] = {1}; })
           .wrong,
       true},
      Spoilt(
          "one-of-groups", Grouped(), [](Arguments* to) { to->dims[kBias] = {1}; }, true),
      Spoilt(
          "by-groups", Grouped(),
          [](Arguments* to) {
            to->dims[kBias] = {2, 3};
          },
          true),
      Spoilt(
          "of-one-group", Grouped(), [](Arguments* to) { to->dims[kBias] = {3}; }, true),
      Spoilt(
          "of-inputs", Grouped(), [](Arguments* to) { to->dims[kBias] = {4}; }, true),
  };
}

std::vector<Fault> Outputs() {
  std::vector<Fault> faults = {
      {"more", Line(7, 3, 1, 0, 0, 6)},
      {"less", Line(7, 3, 1, 0, 0, 4)},
      {"strided-more", Line(7, 3, 2, 0, 0, 4)},
      {"strided-less", Line(7, 3, 2, 0, 0, 2)},
      {"dilated-as-dense", Line(7, 3, 1, 0, 0, 5, 1)},
      {"padding-not-counted", Line(7, 3, 1, 1, 1, 5)},
      {"one-padding-counted", Line(7, 3, 1, 1, 1, 6)},
      {"kernel-beyond-stride-2", Line(2, 3, 2, 0, 0, 1)},
      {"kernel-beyond-stride-3", Line(2, 3, 3, 0, 0, 1)},
      {"far-beyond-stride-3", Line(3, 5, 3, 0, 0, 1)},
      {"far-beyond-none", Line(2, 5, 1, 0, 0, 0)},
      {"far-beyond-stride-2-none", Line(2, 6, 2, 0, 0, 0)},
      {"one-of-two-axes", Spoilt("", Plane(), [](Arguments* to) { to->dims[kDst][3] = 6; }).wrong},
  };
  AddEachAxis("more", Axis(7, 2, 2), 4, &faults);
  AddEachAxis("less", Axis(7, 2, 2), 2, &faults);
  AddEachAxis("padding-before-not-counted", Axis(7, 2, 1, 1, 0), 6, &faults);
  AddEachAxis("padding-behind-not-counted", Axis(7, 2, 1, 0, 1), 6, &faults);
  AddEachAxis("dilation-not-counted", Axis(7, 2, 1, 0, 0, 1), 6, &faults);
  AddEachAxis("none", Axis(7, 2, 2), 0, &faults);
  AddEachAxis("kernel-beyond-stride-2", Axis(2, 3, 2), 1, &faults);
  return faults;
}

std::vector<Fault> FarOutputs() {
  return {
      {"input", Line(kBeyond32 + 3, 3, 1, 0, 0, 1)},
      {"padding", Line(3, 3, 1, 0, kBeyond32, 1)},
      {"output", Line(3, 3, 1, 0, 0, kBeyond32 + 1)},
      {"dilation", Line(3, 3, 1, 0, 0, 1, int64_t{1} << 31)},
      {"padding-before", Line(3, 3, 1, kBeyond32, 0, 1)},
      {"both-paddings", Line(3, 3, 1, kBeyond32 / 2, kBeyond32 / 2, 1)},
      {"stride", Line(5, 3, kBeyond32 + 1, 0, 0, 3)},
      {"kernel", Line(3, kBeyond32 + 3, 1, 0, 0, 1)},
      {"input-of-the-first-of-two",
       OfRank({2, 4, kBeyond32 + 3, 4}, {3, 4, 3, 3}, {2, 3, 1, 2}, 2)},
      {"input-of-the-last-of-three",
       OfRank({2, 4, 3, 4, kBeyond32 + 3}, {3, 4, 3, 3, 3}, {2, 3, 1, 2, 1}, 3)},
  };
}

std::vector<Fault> Strides() {
  const auto plane = [](const char* name, memory::dims strides) {
    return Spoilt(name, Plane(), [&](Arguments* to) { to->numbers.strides = std::move(strides); });
  };
  std::vector<Fault> faults = {{"zero", Line(7, 3, 0, 0, 0, 5)},
                               {"negative", Line(7, 3, -1, 0, 0, 5)},
                               plane("zero-of-one-axis", {1, 0}),
                               plane("negative-of-one-axis", {-1, 1})};
  AddEachAxis("zero", Axis(7, 2, 0), 6, &faults);
  return faults;
}

std::vector<Fault> Dilations() {
  std::vector<Fault> faults = {{"of-one-tap", Line(7, 1, 1, 0, 0, 7, -1)},
                               {"of-three-taps", Line(7, 3, 1, 0, 0, 7, -1)},
                               {"further", Line(7, 3, 1, 0, 0, 9, -2)}};
  AddEachAxis("of-two-taps", Axis(7, 2, 1, 0, 0, -1), 7, &faults);
  return faults;
}

std::vector<Fault> PaddingsBefore() {
  std::vector<Fault> faults = {{"one", Line(7, 3, 1, -1, 0, 4)},
                               {"beside-padding", Line(7, 3, 1, -1, 1, 5)},
                               {"strided", Line(7, 3, 2, -1, 0, 2)}};
  AddEachAxis("one", Axis(7, 2, 1, -1, 0), 5, &faults);
  return faults;
}

std::vector<Fault> PaddingsBehind() {
  std::vector<Fault> faults = {{"stride-1", Line(7, 3, 1, 0, -1, 4)},
                               {"stride-2", Line(7, 3, 2, 0, -2, 2)},
                               {"stride-3", Line(10, 3, 3, 0, -3, 2)},
                               {"far", Line(7, 3, 2, 0, -4, 1)}};
  AddEachAxis("stride-1", Axis(7, 2, 1, 0, -1), 5, &faults);
  AddEachAxis("stride-2", Axis(7, 2, 2, 0, -2), 2, &faults);
  return faults;
}

std::vector<Fault> Nothings() {
  return {
      WithoutOutputs("groups", OfRank({2, 0, 5}, {0, 3, 2, 3}, {2, 0, 3}, 1)),
      WithoutOutputs("outputs", OfRank({2, 4, 5}, {0, 4, 3}, {2, 0, 3}, 1)),
      {"inputs", OfRank({2, 0, 5}, {3, 0, 3}, {2, 3, 3}, 1)},
      {"taps", OfRank({2, 4, 5}, {3, 4, 0}, {2, 3, 6}, 1)},
      {"taps-of-one-axis", OfRank({2, 4, 5, 6}, {3, 4, 3, 0}, {2, 3, 3, 7}, 2)},
      {"taps-of-the-first-axis", OfRank({2, 4, 5, 6}, {3, 4, 0, 3}, {2, 3, 6, 4}, 2)},
      {"taps-of-groups", OfRank({2, 4, 5, 6}, {1, 3, 4, 3, 0}, {2, 3, 3, 7}, 2)},
      {"outputs-of-groups", Spoilt("", Grouped(),
                                   [](Arguments* to) {
                                     to->dims[kWeights][1] = to->dims[kDst][1] = 0;
                                     to->dims[kBias] = {0};
                                   })
                                .wrong},
      {"inputs-of-groups",
       Spoilt("", Grouped(), [](Arguments* to) { to->dims[kWeights][2] = to->dims[kSrc][1] = 0; })
           .wrong},
      {"first-taps-of-groups", OfRank({2, 4, 5, 6}, {1, 3, 4, 0, 3}, {2, 3, 6, 4}, 2)},
      {"taps-of-a-line-of-groups", OfRank({2, 4, 5}, {1, 3, 4, 0}, {2, 3, 6}, 1)},
      {"taps-of-the-second-axis", OfRank({2, 4, 5, 5, 6}, {3, 4, 3, 0, 3}, {2, 3, 3, 6, 4}, 3)},
      {"taps-of-the-third-axis-of-groups",
       OfRank({2, 4, 5, 5, 6}, {1, 3, 4, 3, 3, 0}, {2, 3, 3, 3, 7}, 3)},
      {"taps-of-the-third-axis", OfRank({2, 4, 5, 5, 6}, {3, 4, 3, 3, 0}, {2, 3, 3, 3, 7}, 3)},
  };
}

std::vector<Fault> ShortVectors() {
  const auto shorter = [](const char* name, memory::dims ConvolutionNumbers::*which, size_t size) {
    return Spoilt(name, Plane(), [&](Arguments* to) { (to->numbers.*which).resize(size); });
  };
  return {shorter("strides", &ConvolutionNumbers::strides, 1),
          shorter("no-strides", &ConvolutionNumbers::strides, 0),
          shorter("dilates", &ConvolutionNumbers::dilates, 1),
          shorter("no-dilates", &ConvolutionNumbers::dilates, 0),
          shorter("padding-before", &ConvolutionNumbers::padding_l, 1),
          shorter("no-padding-before", &ConvolutionNumbers::padding_l, 0),
          shorter("padding-behind", &ConvolutionNumbers::padding_r, 1),
          shorter("no-padding-behind", &ConvolutionNumbers::padding_r, 0)};
}

std::vector<Fault> LongVectors() {
  const auto longer = [](const char* name, memory::dims ConvolutionNumbers::*which, int64_t last) {
    return Spoilt(name, Plane(), [&](Arguments* to) { (to->numbers.*which).push_back(last); });
  };
  return {longer("strides", &ConvolutionNumbers::strides, 1),
          longer("dilates", &ConvolutionNumbers::dilates, 0),
          longer("padding-before", &ConvolutionNumbers::padding_l, 0),
          longer("padding-behind", &ConvolutionNumbers::padding_r, 0)};
}

// Each axis of each tensor, all strides of each, and each stride.
std::vector<Fault> OpenDims() {
  const std::pair<const char*, Arguments> all[] = {
      {"", Plane()},
      {"groups-", Grouped()},
      {"line-", Line(7, 3, 1, 0, 0, 5)},
      {"volume-", OfAxes({Axis(7, 2, 3), Axis(7, 2, 2), Axis(6, 2, 1, 1, 0, 1)})}};
  std::vector<Fault> faults;
  for (const auto& [prefix, legal] : all) {
    for (const Role role : kRoles) {
      const std::string name = std::string(prefix) + kRoleNames[role];
      const auto add = [&, &legal = legal](const std::string& what) {
        faults.push_back({name + what, legal, role == kBias});
        return &faults.back().wrong;
      };
      add("-strides")->open_strides = role;
      for (size_t axis = 0; axis < legal.dims[role].size(); ++axis) {
        const std::string number = std::to_string(axis);
        add("-" + number)->dims[role][axis] = kOpen;
        Arguments* const one = add("-stride-" + number);
        one->open_strides = role;
        one->open_axis = static_cast<int>(axis);
      }
    }
  }
  return faults;
}

std::vector<Fault> ZeroDescriptors() {
  std::vector<Fault> faults;
  for (const Role role : {kSrc, kWeights, kDst})
    faults.push_back(WithDims(kRoleNames[role], role, {}));
  return faults;
}

std::vector<Fault> Algorithms() {
  const std::pair<const char*, algorithm> all[] = {
      {"undef", algorithm::undef},
      {"deconvolution_direct", algorithm::deconvolution_direct},
      {"eltwise_relu", algorithm::eltwise_relu},
      {"pooling_max", algorithm::pooling_max},
      {"vanilla_rnn", algorithm::vanilla_rnn},
      {"none", static_cast<algorithm>(0x7777)},
      {"deconvolution_winograd", algorithm::deconvolution_winograd},
      {"binary_add", algorithm::binary_add},
      {"lrn_across_channels", algorithm::lrn_across_channels},
      {"reduction_sum", algorithm::reduction_sum},
      {"zero", static_cast<algorithm>(0)},
      {"beyond-direct",
       static_cast<algorithm>(static_cast<int>(algorithm::convolution_direct) | 0x1000)},
  };
  std::vector<Fault> faults;
  for (const auto& [name, kind] : all)
    faults.push_back(
        Spoilt(name, Plane(), [kind = kind](Arguments* to) { to->numbers.algorithm = kind; }));
  return faults;
}

}  // namespace conformance::faults
