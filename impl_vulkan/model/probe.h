// Questions to a device before its float instructions are used: whether they give, bit for bit,
// what integer arithmetic gives, over operands chosen to show a difference.
#ifndef DNNSPEC_IMPL_VULKAN_MODEL_PROBE_H_
#define DNNSPEC_IMPL_VULKAN_MODEL_PROBE_H_

namespace impl_vulkan {

class Context;

// Whether the fast conversions are exact: every 16-bit value, and f32 values around each place
// where a conversion changes its mind. False also when the device could not be asked.
bool ConvertsExactly(Context& context);

// Whether f32 multiplication and addition are those of IEEE 754: ties, denormals, cancellation,
// overflow, zeros, infinities and NaN.
bool ComputesExactly(Context& context);

}  // namespace impl_vulkan

#endif  // DNNSPEC_IMPL_VULKAN_MODEL_PROBE_H_
