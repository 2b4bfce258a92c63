// Weights to bytes and back, with a scale for each output channel: quantise, dequantise, and look
// at the error. A byte is half a step wrong at most, whatever the range of its channel.
//
//   weights  f32, 4 output channels x 3 x 3 x 3
//   scale    127 / largest magnitude of the channel; on the way back its inverse
//
// Prints the largest error of each channel, and exits with status 1 if one is above half a step.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <exception>
#include <iostream>
#include <vector>

#include "oneapi/dnnl/dnnl.hpp"

namespace {

using dnnl::memory;

constexpr int kOut = 4, kInner = 27;

int Run() {
  std::vector<float> weights(kOut * kInner), restored(weights.size());
  std::vector<float> largest(kOut), forth(kOut), back(kOut);
  for (int o = 0; o < kOut; ++o) {
    for (int i = 0; i < kInner; ++i) {
      // Channels of very different ranges.
      const float value = std::pow(10.0f, static_cast<float>(o) - 2) * std::sin(1.7f * i + o);
      weights[o * kInner + i] = value;
      largest[o] = std::max(largest[o], std::fabs(value));
    }
    forth[o] = 127 / largest[o];
    back[o] = 1 / forth[o];
  }

  const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  dnnl::stream stream(engine);
  const memory::dims dims = {kOut, 3, 3, 3};
  memory src({dims, memory::data_type::f32, memory::format_tag::oihw}, engine, weights.data());
  memory bytes({dims, memory::data_type::s8, memory::format_tag::hwio}, engine);
  memory dst({dims, memory::data_type::f32, memory::format_tag::oihw}, engine, restored.data());

  // Bit 0 of the mask: a scale for each index of axis 0.
  constexpr int kMask = 1;
  dnnl::primitive_attr quantise, dequantise;
  quantise.set_output_scales(kMask, forth);
  dequantise.set_output_scales(kMask, back);
  dnnl::reorder(src, bytes, quantise).execute(stream, src, bytes);
  dnnl::reorder(bytes, dst, dequantise).execute(stream, bytes, dst);
  stream.wait();

  int bad = 0;
  for (int o = 0; o < kOut; ++o) {
    float error = 0;
    for (int i = o * kInner; i < (o + 1) * kInner; ++i)
      error = std::max(error, std::fabs(weights[i] - restored[i]));
    std::cout << "channel " << o << ": range " << largest[o] << ", largest error "
              << error / back[o] << " steps\n";
    if (!(error <= 0.5001f * back[o])) ++bad;
  }
  return bad;
}

}  // namespace

int main() {
  try {
    return Run() == 0 ? 0 : 1;
  } catch (const dnnl::error& error) {
    std::cerr << "quantise: " << error.what() << "\n";
    return 1;
  }
}
