// A convolution as tests write it: field by field, legal or not, and then as an Operation where one
// is asked for.
#ifndef DNNSPEC_API_CONVOLUTION_TESTING_CONVOLUTION_OPERATION_H_
#define DNNSPEC_API_CONVOLUTION_TESTING_CONVOLUTION_OPERATION_H_

#include <memory>
#include <optional>

#include "api/convolution/operation.h"
#include "api/spi/attributes.h"
#include "api/spi/layout.h"
#include "api/spi/operation.h"

namespace spi {

// What MakeConvolution takes.
struct ConvolutionOperation {
  PropKind prop = PropKind::kForwardTraining;
  ConvolutionParams params;
  Layout src, weights, dst;
  std::optional<Layout> bias;
  Attributes attributes;

  operator Operation() const {  // NOLINT(google-explicit-constructor)
    Operation operation = MakeConvolution(prop, params, src, weights, bias ? &*bias : nullptr, dst);
    SetAttributes(std::make_shared<const Attributes>(attributes), &operation);
    return operation;
  }
};

}  // namespace spi

#endif  // DNNSPEC_API_CONVOLUTION_TESTING_CONVOLUTION_OPERATION_H_
