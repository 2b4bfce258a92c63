// Lists what is measured: a named table of reorders, shuffles, inner products, eltwises,
// convolutions and creations of primitives.
#ifndef DNNSPEC_TOOLS_BENCHMARK_CASES_H_
#define DNNSPEC_TOOLS_BENCHMARK_CASES_H_

#include <cstdint>
#include <string>
#include <vector>

namespace bench {

using Dims = std::vector<int64_t>;

enum class Kind {
  kReorder,
  kShuffle,
  kInnerProduct,
  kEltwise,
  kConvolution,
  kCreateNew,   // a primitive of another shape each time
  kCreateSeen,  // a primitive like one that exists
};

struct Tensor {
  std::string type;  // "f32", ...
  Dims dims, strides;
  int64_t bytes() const;       // of its elements
  int64_t span_bytes() const;  // from the first to past the last
};

enum class Direction { kForward, kBackwardData, kBackwardWeights };

// An inner product with a bias, of which the libraries choose every layout.
struct InnerProduct {
  Direction direction = Direction::kForward;
  int64_t batch = 0, outputs = 0;
  Dims inputs;                    // channels and spatial axes
  std::string src, weights, dst;  // types, of gradients too
  double flops() const;           // a multiplication and an addition for each product
};

// A function of every element, or its gradient, where the source stands for the gradient of the
// destination too: as many bytes as a copy.
struct Eltwise {
  const char* algorithm = "";  // "relu"
  float alpha = 0, beta = 0;
};

// A convolution with a bias where it has one, of which the libraries choose every layout.
struct Convolution {
  Direction direction = Direction::kForward;
  int64_t batch = 1, groups = 1;
  int64_t ic = 0, oc = 0;                 // channels of one group
  bool chooses = false;                   // an algorithm: auto; else direct
  Dims inputs, kernel, strides, padding;  // of each spatial axis; the padding of both sides
  std::string src, weights, bias, dst;    // types, of gradients too
  Dims outputs() const;
  double flops() const;  // as InnerProduct's, with the products of the padding
};

struct Case {
  std::string group, name;
  Kind kind = Kind::kReorder;
  Tensor src, dst;
  int scale_mask =
      -1;  // -1: no output scales; else 0.25 and up, one for each index of the masked axes
  bool sum = false;
  float beta = 0;
  int src_zero = 0, dst_zero = 0;  // zero points; 0: none
  bool forward = true;
  int axis = 0;
  int64_t group_size = 1;
  InnerProduct product;
  Eltwise eltwise;
  Convolution convolution;  // created too, where it has channels
};

// A dense tensor, its axes in the order of `word`, outermost first: "acdb" is nhwc.
Tensor Dense(const std::string& type, const Dims& dims, const std::string& word);

int64_t SizeOf(const std::string& type);

// The layers of networks whose inner products are measured, in every direction and type.
std::vector<Case> InnerProductCases();

// Element-wise functions, forward and backward, that fit each cache, and do not.
std::vector<Case> EltwiseCases();

// The layers of networks whose convolutions are measured, some of them backward and in other types.
std::vector<Case> ConvolutionCases();

// What is measured on a GPU: reorders, shuffles and eltwises of which the larger tensor has about
// `bytes` bytes, inner products, and convolutions of `batch` images.
std::vector<Case> GpuCases(double bytes, int64_t batch);

// Every case of a CPU, group by group.
std::vector<Case> AllCases();

}  // namespace bench

#endif  // DNNSPEC_TOOLS_BENCHMARK_CASES_H_
