// The parameters of a convolution.
#ifndef DNNSPEC_API_CONVOLUTION_PARAMS_H_
#define DNNSPEC_API_CONVOLUTION_PARAMS_H_

#include <array>
#include <cstdint>

struct dnnspec_convolution_params;

namespace spi {

// Values as in dnnl_alg_kind_t. kDirect keeps the bound of its sums; kWinograd and kAuto may lose
// more where Winograd's algorithm fits the shape.
enum class ConvolutionAlgorithm : int32_t { kDirect = 1, kWinograd = 2, kAuto = 3 };

// Of spatial axes in the order of the source's dims, as many as these have; what is beyond them
// is 0. In elements of the source.
struct ConvolutionParams {
  using C = dnnspec_convolution_params;  // the same in api/spi/plugin_abi.h

  ConvolutionAlgorithm algorithm = ConvolutionAlgorithm::kDirect;
  std::array<int64_t, 3> strides{};  // >= 1
  std::array<int64_t, 3> dilates{};  // >= 0; 0: dense
  // padding_l >= 0; padding_r > -stride: what is below 0 crops the end of the source.
  std::array<int64_t, 3> padding_l{}, padding_r{};
};

inline bool operator==(const ConvolutionParams& a, const ConvolutionParams& b) {
  return a.algorithm == b.algorithm && a.strides == b.strides && a.dilates == b.dilates &&
         a.padding_l == b.padding_l && a.padding_r == b.padding_r;
}

void ToC(const ConvolutionParams& params, dnnspec_convolution_params* c);
void FromC(const dnnspec_convolution_params& c, ConvolutionParams* params);

}  // namespace spi

#endif  // DNNSPEC_API_CONVOLUTION_PARAMS_H_
