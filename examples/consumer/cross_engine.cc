// To a GPU and back: a reorder moves data between engines, and changes the layout on the way.
// All work on one in-order stream, one wait at the end. Without a GPU it says so, and stays
// on the CPU.
//
// Exits with status 1 if an element is wrong.
#include <exception>
#include <iostream>
#include <numeric>
#include <vector>

#include "oneapi/dnnl/dnnl.hpp"

namespace {

using dnnl::engine;
using dnnl::memory;

constexpr int kChannels = 8, kGroup = 4, kPixels = 6;

int Run() {
  const bool gpu = engine::get_count(engine::kind::gpu) > 0;
  std::cout << (gpu ? "device: gpu\n" : "device: cpu, there is no gpu engine here\n");
  const engine host(engine::kind::cpu, 0);
  const engine device = gpu ? engine(engine::kind::gpu, 0) : host;

  std::vector<float> source(kChannels * kPixels), result(source.size());
  std::iota(source.begin(), source.end(), 0.0f);
  const memory::dims dims = {1, kChannels, kPixels};
  const memory::desc outside(dims, memory::data_type::f32, memory::format_tag::abc);
  const memory::desc inside(dims, memory::data_type::f32, memory::format_tag::acb);
  memory from(outside, host, source.data()), to(outside, host, result.data());
  memory there(inside, device), mixed(inside, device);

  dnnl::stream stream(device);
  dnnl::reorder(from, there).execute(stream, from, there);
  const dnnl::shuffle_forward::desc shuffle(dnnl::prop_kind::forward_inference, inside, 1, kGroup);
  dnnl::shuffle_forward(dnnl::shuffle_forward::primitive_desc(shuffle, device))
      .execute(stream, {{DNNL_ARG_SRC, there}, {DNNL_ARG_DST, mixed}});
  dnnl::reorder(mixed, to).execute(stream, mixed, to);
  stream.wait();

  int wrong = 0;
  for (int u = 0; u < kChannels / kGroup; ++u) {
    for (int v = 0; v < kGroup; ++v) {
      for (int pixel = 0; pixel < kPixels; ++pixel) {
        const float expected = source[(u * kGroup + v) * kPixels + pixel];
        if (result[(u + v * (kChannels / kGroup)) * kPixels + pixel] != expected) ++wrong;
      }
    }
  }
  std::cout << wrong << " of " << result.size() << " elements are wrong\n";
  return wrong;
}

}  // namespace

int main() {
  try {
    return Run() == 0 ? 0 : 1;
  } catch (const dnnl::error& error) {
    std::cerr << "cross_engine: " << error.what() << "\n";
    return 1;
  }
}
