// Tensors in row-major order and the formulas as plain loops: what the networks here are compared
// with. Knows nothing of oneDNN.
//
// All values are whole numbers. A sum of them is exact in f32, in whatever order it is made, as
// long as its terms' magnitudes add up to at most 2^24; these functions throw std::runtime_error
// where they do not.
#ifndef NETWORK_PLAIN_H_
#define NETWORK_PLAIN_H_

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace plain {

struct Tensor {
  std::vector<int64_t> dims;
  std::vector<float> values;
};

int64_t Elements(const std::vector<int64_t>& dims);

// A binary PPM (P6, one byte for each colour) as {1, 3, height, width}, of values 0 to 15. Throws
// std::runtime_error where `path` is none.
Tensor ReadPicture(const std::string& path);

// Of -1, 0 and 1.
Tensor Integers(const std::vector<int64_t>& dims, std::mt19937* random);

// Weights are {OC, IC, KH, KW}, or {G, OC, IC, KH, KW} with channels of one group.
struct Convolution {
  std::string name;
  Tensor weights, bias;
  int64_t stride = 1, padding = 0;
  bool relu = false;
};

std::vector<int64_t> OutputDims(const Convolution& layer, const std::vector<int64_t>& src);

Tensor Forward(const Convolution& layer, const Tensor& src);

// The gradients by source, weights and bias; `layer` has no ReLU.
struct Gradients {
  Tensor src, weights, bias;
};
Gradients Backward(const Convolution& layer, const Tensor& src, const Tensor& diff_dst);

// Channel u * group + v goes to u + v * (channels / group).
Tensor Shuffle(const Tensor& src, int64_t group);

// Channels `begin` to `end` of a batch of 1, and two such beside each other.
Tensor Channels(const Tensor& src, int64_t begin, int64_t end);
Tensor Concat(const Tensor& a, const Tensor& b);

// How many elements differ; all, if the dims do.
int64_t Different(const Tensor& a, const Tensor& b);

}  // namespace plain

#endif  // NETWORK_PLAIN_H_
