// A unit of ShuffleNet v2 on a picture, between the first convolution of that network and a grouped
// convolution as ShuffleNet v1 has it:
//
//   picture {1, 3, H, W} -> stem -> half of the channels as they are ------------------+
//                                `-> the other: reduce -> depthwise -> expand ---------+ concat
//                                                                                      v
//                                          dst <- shuffle <- grouped <- shuffle <------+
//
// Split and concat are regions of descriptors. The last convolution writes where concat wants it,
// or, in a second network, beside it, and a reorder brings its result there: some libraries have
// only slow implementations for regions. ReLUs are post-ops.
//
//   shufflenet_unit [FILE.ppm]
//
// Runs them with the layouts that the library chooses, which it shows, and row-major, on the CPU
// and on a GPU if there is one; prints their times. Exits with status 1 if an element of any result
// differs from that of plain loops, 2 if FILE cannot be read.
#include <exception>
#include <iostream>
#include <random>
#include <stdexcept>
#include <string>

#include "network/plain.h"
#include "network/steps.h"
#include "oneapi/dnnl/dnnl.hpp"

namespace {

using dnnl::convolution_forward;
using network::Layouts;
using network::Steps;
using network::View;

constexpr int kChannels = 128, kHalf = kChannels / 2, kGroups = 2, kRuns = 21;

struct Layers {
  plain::Convolution stem, reduce, depthwise, expand, grouped;
};

Layers MakeLayers() {
  std::mt19937 random(2018);
  const auto layer = [&random](const std::string& name, const std::vector<int64_t>& weights,
                               int64_t stride, bool relu) {
    const int64_t channels = weights.size() == 5 ? weights[0] * weights[1] : weights[0];
    return plain::Convolution{name,
                              plain::Integers(weights, &random),
                              plain::Integers({channels}, &random),
                              stride,
                              weights.back() / 2,
                              relu};
  };
  constexpr int kEach = kChannels / kGroups;
  return {layer("stem", {kChannels, 3, 3, 3}, 2, true),
          layer("reduce", {kHalf, kHalf, 1, 1}, 1, true),
          layer("depthwise", {kHalf, 1, 1, 3, 3}, 1, false),
          layer("expand", {kHalf, kHalf, 1, 1}, 1, true),
          layer("grouped", {kGroups, kEach, kEach, 1, 1}, 1, true)};
}

plain::Tensor Expected(const Layers& layers, const plain::Tensor& picture) {
  const plain::Tensor stem = Forward(layers.stem, picture);
  plain::Tensor half = plain::Channels(stem, kHalf, kChannels);
  for (const auto* layer : {&layers.reduce, &layers.depthwise, &layers.expand}) {
    half = Forward(*layer, half);
  }
  const plain::Tensor both = plain::Concat(plain::Channels(stem, 0, kHalf), half);
  return plain::Shuffle(Forward(layers.grouped, plain::Shuffle(both, 2)), kGroups);
}

dnnl::primitive_attr Attributes(bool relu) {
  dnnl::primitive_attr attr;
  if (relu) {
    dnnl::post_ops post_ops;
    post_ops.append_eltwise(1, dnnl::algorithm::eltwise_relu, 0, 0);
    attr.set_post_ops(post_ops);
  }
  return attr;
}

// Writes into the region `into`, if that is given.
View Convolve(const plain::Convolution& layer, const View& src, const View* into, Steps* steps) {
  const dnnl::memory::dims strides(2, layer.stride), padding(2, layer.padding);
  const convolution_forward::desc desc(
      dnnl::prop_kind::forward_inference, dnnl::algorithm::convolution_direct,
      steps->Open(src.desc.dims()), steps->Open(layer.weights.dims), steps->Open(layer.bias.dims),
      into != nullptr ? into->desc : steps->Open(OutputDims(layer, src.desc.dims())), strides,
      padding, padding);
  const convolution_forward::primitive_desc pd(desc, Attributes(layer.relu), steps->engine());

  const View from = steps->As("src", src, pd.src_desc());
  const View weights = steps->Put(layer.weights, pd.weights_desc());
  steps->Show("weights", pd.weights_desc());
  const View bias = steps->Put(layer.bias, pd.bias_desc());
  const View dst = into != nullptr ? *into : steps->New(pd.dst_desc());
  steps->Add(convolution_forward(pd), {{DNNL_ARG_SRC, from.buffer},
                                       {DNNL_ARG_WEIGHTS, weights.buffer},
                                       {DNNL_ARG_BIAS, bias.buffer},
                                       {DNNL_ARG_DST, dst.buffer}});
  steps->Show("dst", dst.desc);
  steps->EndLayer(layer.name, pd.impl_info_str());
  return dst;
}

View Shuffle(const View& src, int group, Steps* steps) {
  const dnnl::shuffle_forward::desc desc(dnnl::prop_kind::forward_inference, src.desc, 1, group);
  const dnnl::shuffle_forward::primitive_desc pd(desc, steps->engine());
  const View dst = steps->New(pd.dst_desc());
  steps->Add(dnnl::shuffle_forward(pd), {{DNNL_ARG_SRC, src.buffer}, {DNNL_ARG_DST, dst.buffer}});
  steps->Show("src and dst", dst.desc);
  steps->EndLayer("shuffle", pd.impl_info_str());
  return dst;
}

enum class Concat { kInPlace, kCopied };

View Build(const Layers& layers, const plain::Tensor& picture, Concat concat, Steps* steps) {
  const View pixels = steps->Put(picture, network::RowMajor(picture.dims));
  const View stem = Convolve(layers.stem, pixels, nullptr, steps);
  const View both = steps->New(stem.desc);
  steps->Reorder(stem.Channels(0, kHalf), both.Channels(0, kHalf));
  const View place = both.Channels(kHalf, kChannels);
  const View reduced = Convolve(layers.reduce, stem.Channels(kHalf, kChannels), nullptr, steps);
  const View seen = Convolve(layers.depthwise, reduced, nullptr, steps);
  if (concat == Concat::kInPlace) {
    Convolve(layers.expand, seen, &place, steps);
  } else {
    steps->Reorder(Convolve(layers.expand, seen, nullptr, steps), place);
  }
  const View mixed = Shuffle(both, 2, steps);
  return Shuffle(Convolve(layers.grouped, mixed, nullptr, steps), kGroups, steps);
}

// How many elements differ: of each result from `expected`, and of the two from each other.
int64_t Judge(const dnnl::engine& engine, const Layers& layers, const plain::Tensor& picture,
              const plain::Tensor& expected) {
  int64_t wrong = 0;
  for (const Concat concat : {Concat::kInPlace, Concat::kCopied}) {
    std::cout << network::Name(engine) << ", concat "
              << (concat == Concat::kInPlace ? "in place" : "copied")
              << ", layouts that the library chooses:\n";
    Steps chosen(engine, Layouts::kAny, true), rows(engine, Layouts::kPlain, false);
    const View by_choice = Build(layers, picture, concat, &chosen);
    const View by_rows = Build(layers, picture, concat, &rows);
    const double fast = chosen.MedianMilliseconds(kRuns), slow = rows.MedianMilliseconds(kRuns);
    const plain::Tensor a = chosen.Get(by_choice), b = rows.Get(by_rows);
    const int64_t differ =
        plain::Different(a, expected) + plain::Different(b, expected) + plain::Different(a, b);
    std::cout << "  chosen " << fast << " ms, row-major " << slow << " ms, ratio " << slow / fast
              << "\n  " << differ << " of " << 3 * expected.values.size() << " comparisons fail\n";
    wrong += differ;
  }
  return wrong;
}

int Run(const plain::Tensor& picture) {
  const Layers layers = MakeLayers();
  const plain::Tensor expected = Expected(layers, picture);
  int64_t wrong = 0;
  for (const dnnl::engine& engine : network::Engines()) {
    wrong += Judge(engine, layers, picture, expected);
  }
  return wrong == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  plain::Tensor picture;
  try {
    picture = plain::ReadPicture(argc > 1 ? argv[1] : "network/page.ppm");
  } catch (const std::runtime_error& error) {
    std::cerr << "shufflenet_unit: " << error.what() << "\n";
    return 2;
  }
  try {
    return Run(picture);
  } catch (const std::exception& error) {
    std::cerr << "shufflenet_unit: " << error.what() << "\n";
    return 1;
  }
}
