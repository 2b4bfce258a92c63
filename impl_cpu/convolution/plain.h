// Convolution as the formulas are written: for machines without vectors, and to compare with.
#ifndef DNNSPEC_IMPL_CPU_CONVOLUTION_PLAIN_H_
#define DNNSPEC_IMPL_CPU_CONVOLUTION_PLAIN_H_

#include <array>
#include <cstdint>
#include <string>

#include "api/convolution/operation.h"
#include "api/spi/implementation.h"
#include "api/spi/operation.h"
#include "impl_cpu/product/finish.h"
#include "impl_cpu/product/index.h"

namespace impl_cpu {

// What is needed of an operation whose layouts are all known.
class PlainConvolution {
 public:
  explicit PlainConvolution(const spi::Operation& operation);

  void Run(spi::Buffers buffers) const;

 private:
  struct Data;
  // A tensor by its axes: batch, channels and spatial ones; of weights groups, outputs, inputs and
  // spatial ones.
  struct Tensor {
    spi::DataType type = spi::DataType::kUndef;
    int buffer = -1;
    int64_t offset = 0;
    std::array<Index, 3> outer;
    std::array<Index, 3> spatial;
  };

  static Tensor TensorOf(const spi::Operation& operation, const spi::Layout& layout, int outer,
                         int spatial);
  void Forward(const Data& data) const;
  void BackwardData(const Data& data) const;
  void BackwardWeights(const Data& data) const;
  void BackwardBias(const Data& data) const;

  spi::PropKind prop_;
  int64_t batch_, groups_, ic_, oc_;
  std::array<spi::ConvolutionAxis, 3> axes_;
  bool integers_, has_bias_;
  Tensor src_, weights_, dst_, bias_;
  Finish finish_;
};

}  // namespace impl_cpu

#endif  // DNNSPEC_IMPL_CPU_CONVOLUTION_PLAIN_H_
