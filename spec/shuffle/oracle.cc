#include "spec/shuffle/oracle.h"

#include <vector>

namespace spec {

int64_t ShuffleSource(int64_t c, int64_t size, int64_t group) {
  const int64_t u = c % (size / group), v = c / (size / group);
  return u * group + v;
}

int64_t ShuffleBackwardSource(int64_t c, int64_t size, int64_t group) {
  // diff_src(u * G + v) = diff_dst(u + v * C/G)
  const int64_t u = c / group, v = c % group;
  return u + v * (size / group);
}

std::vector<int64_t> ShuffleSourcesByTransposition(int64_t size, int64_t group) {
  const int64_t rows = size / group;
  std::vector<int64_t> matrix(size);  // rows x group, row-major: the positions of src
  for (int64_t i = 0; i < size; ++i) matrix[i] = i;
  std::vector<int64_t> transpose;  // group x rows, row-major
  for (int64_t column = 0; column < group; ++column) {
    for (int64_t row = 0; row < rows; ++row) transpose.push_back(matrix[row * group + column]);
  }
  return transpose;
}

int64_t ShuffleSourceByModulus(int64_t c, int64_t size, int64_t group) {
  if (c == size - 1) return c;
  return c * group % (size - 1);
}

}  // namespace spec
