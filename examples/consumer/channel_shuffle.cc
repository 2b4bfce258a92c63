// A step of ShuffleNet: channels that were made by separate groups are mixed, so that the next
// grouped convolution sees all of them. Then the result goes to channels-last and to bytes, as a
// camera pipeline or an integer network wants it.
//
//   src   f32, 1 x 6 x 2 x 2, channels first
//   mix   shuffle of axis 1 in 3 groups: channel u * 3 + v goes to u + v * 2
//   dst   u8, channels last, every value times 4
//
// Prints the channels in their new order, checks every element, and exits with status 1 if one is
// wrong.
#include <cstdint>
#include <exception>
#include <iostream>
#include <vector>

#include "oneapi/dnnl/dnnl.hpp"

namespace {

constexpr int kChannels = 6, kGroup = 3, kHeight = 2, kWidth = 2;
constexpr float kScale = 4;

using dnnl::memory;

std::vector<uint8_t> MixAndQuantise(std::vector<float>& image) {
  const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  dnnl::stream stream(engine);
  const memory::dims dims = {1, kChannels, kHeight, kWidth};
  const memory::desc planes(dims, memory::data_type::f32, memory::format_tag::nchw);
  const memory::desc pixels(dims, memory::data_type::u8, memory::format_tag::nhwc);

  memory src(planes, engine, image.data());
  memory mixed(planes, engine);
  const dnnl::shuffle_forward::desc shuffle(dnnl::prop_kind::forward_inference, planes, 1, kGroup);
  dnnl::shuffle_forward(dnnl::shuffle_forward::primitive_desc(shuffle, engine))
      .execute(stream, {{DNNL_ARG_SRC, src}, {DNNL_ARG_DST, mixed}});

  std::vector<uint8_t> bytes(image.size());
  memory dst(pixels, engine, bytes.data());
  dnnl::primitive_attr attr;
  attr.set_output_scales(0, {kScale});
  dnnl::reorder(mixed, dst, attr).execute(stream, mixed, dst);
  stream.wait();
  return bytes;
}

}  // namespace

int main() {
  std::vector<float> image;
  for (int channel = 0; channel < kChannels; ++channel) {
    for (int pixel = 0; pixel < kHeight * kWidth; ++pixel) {
      image.push_back(static_cast<float>(10 * channel + pixel));
    }
  }
  std::vector<uint8_t> bytes;
  try {
    bytes = MixAndQuantise(image);
  } catch (const dnnl::error& error) {
    std::cerr << "channel_shuffle: " << error.what() << "\n";
    return 1;
  }

  int wrong = 0;
  std::cout << "channels:";
  for (int to = 0; to < kChannels; ++to) {
    const int u = to % (kChannels / kGroup), v = to / (kChannels / kGroup), from = u * kGroup + v;
    std::cout << " " << from;
    for (int pixel = 0; pixel < kHeight * kWidth; ++pixel) {
      const float expected = kScale * image[from * kHeight * kWidth + pixel];
      if (bytes[pixel * kChannels + to] != expected) ++wrong;
    }
  }
  std::cout << "\n" << wrong << " of " << bytes.size() << " elements are wrong\n";
  return wrong == 0 ? 0 : 1;
}
