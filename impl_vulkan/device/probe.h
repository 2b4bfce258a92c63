// Questions to a device before its float instructions are used: whether they give, bit for bit,
// what integer arithmetic gives, over operands chosen to show a difference.
#ifndef DNNSPEC_IMPL_VULKAN_DEVICE_PROBE_H_
#define DNNSPEC_IMPL_VULKAN_DEVICE_PROBE_H_

#include "absl/status/statusor.h"

namespace impl_vulkan {

class Context;

// The answers are the device's for good; a status only says why it could not be asked now.

// Whether the fast conversions are exact: every 16-bit value, and f32 values around each place
// where a conversion changes its mind.
absl::StatusOr<bool> ConvertsExactly(Context& context);

// Whether f32 multiplication and addition are those of IEEE 754: ties, denormals, cancellation,
// overflow, zeros, infinities and NaN; and whether the fast conversions are exact in the modes that
// such arithmetic demands.
absl::StatusOr<bool> ComputesExactly(Context& context);

}  // namespace impl_vulkan

#endif  // DNNSPEC_IMPL_VULKAN_DEVICE_PROBE_H_
