// Cuts a window out of a picture without copying the picture: the window is a descriptor, and one
// reorder moves it from interleaved bytes (height, width, colour) to planes of floats between 0
// and 1.
//
// Prints the red plane of the window, checks every element, and exits with status 1 if one is
// wrong.
#include <cstdint>
#include <dnnl.hpp>
#include <exception>
#include <iostream>
#include <vector>

namespace {

constexpr int kHeight = 4, kWidth = 6, kColours = 3;
constexpr int kTop = 1, kLeft = 2, kRows = 2, kColumns = 3;
constexpr float kScale = 1.f / 255;

using dnnl::memory;

std::vector<float> Crop(std::vector<uint8_t>& picture) {
  const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  dnnl::stream stream(engine);
  const memory::desc whole({1, kColours, kHeight, kWidth}, memory::data_type::u8,
                           memory::format_tag::nhwc);
  const memory::dims window = {1, kColours, kRows, kColumns};
  const memory::desc part = whole.submemory_desc(window, {0, 0, kTop, kLeft});
  const memory::desc planes(window, memory::data_type::f32, memory::format_tag::nchw);

  std::vector<float> cropped(kColours * kRows * kColumns);
  memory src(part, engine, picture.data()), dst(planes, engine, cropped.data());
  dnnl::primitive_attr attr;
  attr.set_output_scales(0, {kScale});
  dnnl::reorder(src, dst, attr).execute(stream, src, dst);
  stream.wait();
  return cropped;
}

}  // namespace

int main() {
  std::vector<uint8_t> picture;
  for (int i = 0; i < kHeight * kWidth * kColours; ++i) {
    picture.push_back(static_cast<uint8_t>(3 * i + 1));
  }
  std::vector<float> cropped;
  try {
    cropped = Crop(picture);
  } catch (const dnnl::error& error) {
    std::cerr << "crop: " << error.what() << "\n";
    return 1;
  }

  int wrong = 0, at = 0;
  for (int colour = 0; colour < kColours; ++colour) {
    for (int row = 0; row < kRows; ++row) {
      for (int column = 0; column < kColumns; ++column) {
        const int pixel = (kTop + row) * kWidth + kLeft + column;
        const float expected = kScale * picture[pixel * kColours + colour];
        if (colour == 0) std::cout << cropped[at] << (column + 1 < kColumns ? " " : "\n");
        if (cropped[at++] != expected) ++wrong;
      }
    }
  }
  std::cout << wrong << " of " << at << " elements are wrong\n";
  return wrong == 0 ? 0 : 1;
}
