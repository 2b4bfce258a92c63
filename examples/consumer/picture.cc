// The channel shuffle of ShuffleNet on a picture: each 2 x 2 patch of pixels becomes 12 channels
// (4 places x 3 colours), the channels are shuffled in 3 groups, so that colours come to lie
// together, and the backward shuffle brings the picture back.
//
//   picture FILE.xpm [OUT.ppm]
//
// OUT shows the twelve planes after the shuffle, side by side: red ones, green ones, blue ones.
// Exits with status 1 if the picture that comes back differs in a pixel, 2 if FILE cannot be read.
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "oneapi/dnnl/dnnl.hpp"

namespace {

using dnnl::memory;

struct Picture {
  int width = 0, height = 0;
  std::vector<uint8_t> rgb;  // rows of pixels
};

// The strings of an XPM: "width height colours characters", then the colours, then the rows.
bool Read(const std::string& path, Picture* picture) {
  std::ifstream file(path);
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  std::vector<std::string> strings;
  for (size_t at = text.find('"'); at != std::string::npos; at = text.find('"', at + 1)) {
    const size_t end = text.find('"', at + 1);
    if (end == std::string::npos) return false;
    strings.push_back(text.substr(at + 1, end - at - 1));
    at = end;
  }
  if (strings.empty()) return false;
  std::istringstream head(strings[0]);
  size_t colours = 0, characters = 0;
  if (!(head >> picture->width >> picture->height >> colours >> characters)) return false;
  if (picture->width < 2 || picture->height < 2 || characters < 1) return false;
  if (strings.size() < 1 + colours + static_cast<size_t>(picture->height)) return false;
  std::map<std::string, unsigned long> colour_of;
  for (size_t i = 1; i <= colours; ++i) {
    const size_t hash = strings[i].rfind('#');
    // "None" is see-through: white here.
    colour_of[strings[i].substr(0, characters)] =
        hash == std::string::npos
            ? 0xffffff
            : std::strtoul(strings[i].substr(hash + 1, 6).c_str(), nullptr, 16);
  }
  for (int y = 0; y < picture->height; ++y) {
    const std::string& row = strings[1 + colours + y];
    for (int x = 0; x < picture->width; ++x) {
      const unsigned long colour = colour_of[row.substr(x * characters, characters)];
      for (int shift = 16; shift >= 0; shift -= 8)
        picture->rgb.push_back(static_cast<uint8_t>(colour >> shift));
    }
  }
  return true;
}

int Run(const Picture& picture, const char* out) {
  constexpr int kColours = 3, kPlaces = 4, kChannels = kPlaces * kColours;
  const int h = picture.height / 2, w = picture.width / 2;
  const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  dnnl::stream stream(engine);
  using u8 = std::vector<uint8_t>;
  const auto type = memory::data_type::u8;

  // Axes: patch row, row in it, patch column, column in it, colour. A view, nothing is copied.
  u8 pixels = picture.rgb;
  const memory::dim line = 3 * picture.width;
  const memory::desc patches({h, 2, w, 2, kColours}, type, memory::dims{2 * line, line, 6, 3, 1});
  // The same elements with the places and colours outermost: 12 planes.
  const memory::desc as_planes = patches.permute_axes({3, 0, 4, 1, 2});
  memory src(as_planes, engine, pixels.data());
  u8 planes(size_t{kChannels} * h * w), shuffled(planes.size()), back(planes.size());
  const memory::desc dense({2, 2, kColours, h, w}, type, memory::format_tag::abcde);
  memory unfolded(dense, engine, planes.data());
  dnnl::reorder(src, unfolded).execute(stream, src, unfolded);

  // Twelve channels: place * 3 + colour becomes colour * 4 + place.
  const memory::desc channels({1, kChannels, h, w}, type, memory::format_tag::nchw);
  memory from(channels, engine, planes.data()), mixed(channels, engine, shuffled.data());
  memory returned(channels, engine, back.data());
  const dnnl::shuffle_forward::primitive_desc forward(
      {dnnl::prop_kind::forward_training, channels, 1, kColours}, engine);
  dnnl::shuffle_forward(forward).execute(stream, {{DNNL_ARG_SRC, from}, {DNNL_ARG_DST, mixed}});
  const dnnl::shuffle_backward::primitive_desc backward({channels, 1, kColours}, engine, forward);
  dnnl::shuffle_backward(backward).execute(
      stream, {{DNNL_ARG_DIFF_DST, mixed}, {DNNL_ARG_DIFF_SRC, returned}});

  // Back into the pixels of a white picture.
  u8 again(picture.rgb.size(), 255);
  memory folded(as_planes, engine, again.data());
  memory refolded(dense, engine, back.data());
  dnnl::reorder(refolded, folded).execute(stream, refolded, folded);
  stream.wait();

  int wrong = 0;
  for (int y = 0; y < 2 * h; ++y)
    for (int x = 0; x < 6 * w; ++x)
      if (again[y * line + x] != picture.rgb[y * line + x]) ++wrong;
  for (int colour = 0; colour < kColours; ++colour)
    for (int place = 0; place < kPlaces; ++place)
      for (int i = 0; i < h * w; ++i)
        if (shuffled[(colour * kPlaces + place) * h * w + i] !=
            planes[(place * kColours + colour) * h * w + i])
          ++wrong;
  std::cout << picture.width << " x " << picture.height << " pixels, " << kChannels
            << " channels: " << wrong << " elements are wrong\n";

  if (out != nullptr) {
    std::ofstream file(out, std::ios::binary);
    file << "P6\n" << kChannels * w << " " << h << "\n255\n";
    for (int y = 0; y < h; ++y)
      for (int channel = 0; channel < kChannels; ++channel)
        for (int x = 0; x < w; ++x)
          for (int colour = 0; colour < kColours; ++colour)
            file.put(colour == channel / kPlaces
                         ? static_cast<char>(shuffled[(channel * h + y) * w + x])
                         : '\0');
    if (!file.flush()) {
      std::cerr << "picture: " << out << " cannot be written\n";
      return 2;
    }
  }
  return wrong == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  // Python's own icon is on every machine that builds this.
  const std::string path = argc > 1 ? argv[1] : "/usr/share/pixmaps/python3.xpm";
  Picture picture;
  if (!Read(path, &picture)) {
    std::cerr << "picture: " << path << " is no XPM that can be read\n";
    return 2;
  }
  try {
    return Run(picture, argc > 2 ? argv[2] : nullptr);
  } catch (const dnnl::error& error) {
    std::cerr << "picture: " << error.what() << "\n";
    return 1;
  }
}
