// Checks that the types of a sum of products are served.
#ifndef DNNSPEC_IMPL_VULKAN_PRODUCT_TYPES_H_
#define DNNSPEC_IMPL_VULKAN_PRODUCT_TYPES_H_

#include "absl/status/status.h"
#include "api/spi/operation.h"

namespace impl_vulkan {

// OK for the combinations of the tables (IP-020 to IP-022, CONV-050 to CONV-054), and those of f16
// in their image; else kUnimplemented in the name of `primitive`. `bias` is null where there is
// none.
absl::Status CheckTypes(const char* primitive, spi::PropKind prop, const spi::Layout& src,
                        const spi::Layout& weights, const spi::Layout* bias,
                        const spi::Layout& dst);

}  // namespace impl_vulkan

#endif  // DNNSPEC_IMPL_VULKAN_PRODUCT_TYPES_H_
