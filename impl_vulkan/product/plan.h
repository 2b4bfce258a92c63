// The plan of a primitive that is sums of products.
#ifndef DNNSPEC_IMPL_VULKAN_PRODUCT_PLAN_H_
#define DNNSPEC_IMPL_VULKAN_PRODUCT_PLAN_H_

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "api/spi/implementation.h"
#include "impl_vulkan/device/context.h"
#include "impl_vulkan/device/program.h"
#include "impl_vulkan/product/product.h"
#include "impl_vulkan/product/program.h"

namespace impl_vulkan {

// Makes what is open of `operation` row-major, and returns that.
std::vector<spi::Layout> ResolveRowMajor(spi::Operation* operation);

// kResourceExhausted as Fit has it, for each tensor.
absl::Status FitAll(Context& context, const spi::Operation& operation);

// What a plan is made of. Bytes of partial sums are in the scratchpad, behind the tensors.
struct Sums {
  std::vector<Job> jobs;
  uint64_t scratchpad_bytes = 0;
  std::vector<float> scales;  // bound behind the scratchpad; empty: none, or at run time
  std::string description;    // "direct*2+tile f32 f32->f32 33x10x512"
};

// Elements of partial sums that are spoken for, those of `products` among them.
int64_t EndOfPartials(const std::vector<Product>& products, const Sums& sums);

// Makes room for `parts` of `partial` in the scratchpad.
void NotePartial(const spi::Layout& partial, int64_t parts, Sums* sums);

// The dispatches that add up partial sums, after those that make these.
absl::StatusOr<std::vector<ProductDispatch>> PlanTotal(const Partials& partials, int64_t parts,
                                                       const Limits& limits);

// Adds `products`, which may be none, with the zeros of their padding; `other`: by the second best
// kernel.
absl::Status AddProducts(Context& context, const std::vector<Product>& products, bool other,
                         Sums* sums);

// Whether the second best kernel makes another plan of `products`.
bool HasSecond(Context& context, const std::vector<Product>& products);

// Of an operation with so many `tensors`. Sets plan and scratchpad_bytes.
absl::Status MakeSumPlan(const std::shared_ptr<Context>& context, size_t tensors, const Sums& sums,
                         spi::Planned* planned);

}  // namespace impl_vulkan

#endif  // DNNSPEC_IMPL_VULKAN_PRODUCT_PLAN_H_
