// Lists what happens to a sum of products on its way to the destination, as steps for a shader.
#ifndef DNNSPEC_IMPL_VULKAN_PRODUCT_EPILOGUE_H_
#define DNNSPEC_IMPL_VULKAN_PRODUCT_EPILOGUE_H_

#include <vector>

#include "absl/status/statusor.h"
#include "api/spi/attributes.h"
#include "impl_vulkan/product/parameters.h"

namespace impl_vulkan {

struct Epilogue {
  std::vector<EpilogueStep> steps;
  spi::DataType old_type = spi::DataType::kUndef;  // how the destination is read; kUndef: it is not
  bool scales = false;                             // a table of them is read
  bool run_time_scales = false;                    // which comes with the execution
  bool scale_of_channel = false;                   // it has one for each channel
  std::vector<float> table;                        // else this
};

// Bias, output scales, post-ops in their order. `attributes` may be null. kUnimplemented, in the
// name of `primitive`, for scales of other axes than the channel, for functions that are no pieces
// of polynomials, for sums that read the destination as two types, and beyond kMaxSteps.
absl::StatusOr<Epilogue> EpilogueOf(const char* primitive, const spi::Attributes* attributes,
                                    bool bias, spi::DataType destination);

}  // namespace impl_vulkan

#endif  // DNNSPEC_IMPL_VULKAN_PRODUCT_EPILOGUE_H_
