// What random sums of products are made of, and the right answers to them.
#ifndef DNNSPEC_IMPL_VULKAN_PRODUCT_TESTING_TRIAL_H_
#define DNNSPEC_IMPL_VULKAN_PRODUCT_TESTING_TRIAL_H_

#include <cstdint>
#include <memory>

#include "api/spi/attributes.h"
#include "api/spi/operation.h"
#include "api/testing/interpreter.h"
#include "impl_vulkan/testing/generator.h"

namespace impl_vulkan {
namespace testing {

// `operation`, which is resolved, on small integers.
spi::Interpretation TrialOf(const spi::Operation& operation, uint32_t seed);

// The types of source, weights, bias and destination.
struct Types {
  spi::DataType src, weights, bias, dst;
};
// Some that are served.
Types RandomTypes(Generator* generator, spi::PropKind prop);

// Output scales and post-ops of a forward operation whose results stay exact.
std::shared_ptr<const spi::Attributes> RandomAttributes(Generator* generator,
                                                        spi::DataType destination,
                                                        int64_t channels);

}  // namespace testing
}  // namespace impl_vulkan

#endif  // DNNSPEC_IMPL_VULKAN_PRODUCT_TESTING_TRIAL_H_
