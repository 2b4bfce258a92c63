// One reorder does three things at once: another layout, another type, another scale. And then with
// a sum: the destination keeps half of what it held.
//
//   src   f32, 2 x 3 rows: 0 1 2 / 10 11 12
//   dst   s8, transposed, every value times 2
//
// Prints both, checks every element, and exits with status 1 if one is wrong.
#include <cstdint>
#include <exception>
#include <iostream>
#include <vector>

#include "oneapi/dnnl/dnnl.hpp"

namespace {

using dnnl::memory;

constexpr int kRows = 2, kColumns = 3;

int Check(const char* what, const std::vector<int8_t>& got, const std::vector<float>& source,
          float scale, float before) {
  int wrong = 0;
  std::cout << what << ":";
  for (int column = 0; column < kColumns; ++column) {
    for (int row = 0; row < kRows; ++row) {
      const int8_t value = got[column * kRows + row];
      std::cout << " " << static_cast<int>(value);
      if (value != scale * source[row * kColumns + column] + before) ++wrong;
    }
  }
  std::cout << "\n";
  return wrong;
}

int Run() {
  const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  dnnl::stream stream(engine);
  std::vector<float> source = {0, 1, 2, 10, 11, 12};
  std::vector<int8_t> target(source.size());
  const memory::dims dims = {kRows, kColumns};
  memory src({dims, memory::data_type::f32, memory::format_tag::ab}, engine, source.data());
  memory dst({dims, memory::data_type::s8, memory::format_tag::ba}, engine, target.data());

  dnnl::primitive_attr scaled;
  scaled.set_output_scales(0, {2});
  dnnl::reorder(src, dst, scaled).execute(stream, src, dst);
  stream.wait();
  int wrong = Check("times 2", target, source, 2, 0);

  // dst = src + 0.5 * dst. The descriptor says all there is to know, and serves many executions.
  target.assign(target.size(), 40);
  dnnl::primitive_attr summed;
  dnnl::post_ops ops;
  ops.append_sum(0.5f);
  summed.set_post_ops(ops);
  const dnnl::reorder::primitive_desc pd(engine, src.get_desc(), engine, dst.get_desc(), summed);
  dnnl::reorder(pd).execute(stream, src, dst);
  stream.wait();
  wrong += Check("plus half of 40", target, source, 1, 20);
  return wrong;
}

}  // namespace

int main() {
  try {
    return Run() == 0 ? 0 : 1;
  } catch (const dnnl::error& error) {
    std::cerr << "reorder: " << error.what() << "\n";
    return 1;
  }
}
