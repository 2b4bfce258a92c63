// Where elements lie: the same tensor by format tag, by strides with a gap, as a region of a larger
// one, with its axes renamed. Nothing is copied until a reorder says so; then each of them gives
// the same rows.
//
// Exits with status 1 if an element is wrong.
#include <exception>
#include <iostream>
#include <numeric>
#include <string>
#include <vector>

#include "oneapi/dnnl/dnnl.hpp"

namespace {

using dnnl::memory;
using type = memory::data_type;
using tag = memory::format_tag;

// The tensor that `desc` finds in `data`, as dense rows.
std::vector<float> Rows(const memory::desc& desc, std::vector<float>& data) {
  const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  dnnl::stream stream(engine);
  const memory::desc dense(desc.dims(), type::f32, tag::ab);
  std::vector<float> rows(dense.get_size() / sizeof(float));
  memory from(desc, engine, data.data()), to(dense, engine, rows.data());
  dnnl::reorder(from, to).execute(stream, from, to);
  stream.wait();
  return rows;
}

int Show(const std::string& name, const memory::desc& desc, std::vector<float> data,
         const std::vector<float>& expected) {
  const std::vector<float> rows = Rows(desc, data);
  std::cout << name << " (" << desc.get_size() << " bytes):";
  for (float value : rows) std::cout << " " << value;
  std::cout << "\n";
  return rows == expected ? 0 : 1;
}

int Run() {
  // 0 to 29 as 5 rows of 6.
  std::vector<float> all(30);
  std::iota(all.begin(), all.end(), 0.0f);
  const std::vector<float> window = {7, 8, 9, 13, 14, 15};

  const memory::desc parent({5, 6}, type::f32, tag::ab);
  int wrong = Show("region at 1,1", parent.submemory_desc({2, 3}, {1, 1}), all, window);

  // The same elements by strides: rows 6 apart, from element 7 on.
  wrong += Show("rows 6 apart", memory::desc({2, 3}, type::f32, memory::dims{6, 1}),
                std::vector<float>(all.begin() + 7, all.end()), window);

  // Columns first: axis 1 is the slow one.
  wrong += Show("tag ba", memory::desc({2, 3}, type::f32, tag::ba), {7, 13, 8, 14, 9, 15}, window);

  // Axis d becomes axis permutation[d]: a 3 x 2 tensor seen as 2 x 3, its buffer as it was.
  const memory::desc tall({3, 2}, type::f32, tag::ab);
  wrong += Show("axes swapped", tall.permute_axes({1, 0}), {7, 13, 8, 14, 9, 15}, window);

  // What cannot be a view is refused, with the reason.
  try {
    parent.submemory_desc({2, 3}, {4, 1});
    std::cout << "a region beyond its parent was accepted\n";
    ++wrong;
  } catch (const dnnl::error& error) {
    std::cout << "refused: " << error.what() << "\n";
  }
  return wrong;
}

}  // namespace

int main() {
  try {
    return Run() == 0 ? 0 : 1;
  } catch (const dnnl::error& error) {
    std::cerr << "memory_formats: " << error.what() << "\n";
    return 1;
  }
}
