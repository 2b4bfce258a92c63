// Products made ready for one device: pipelines compiled, parameters in its memory.
#ifndef DNNSPEC_IMPL_VULKAN_PRODUCT_PROGRAM_H_
#define DNNSPEC_IMPL_VULKAN_PRODUCT_PROGRAM_H_

#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "api/spi/types.h"
#include "impl_vulkan/device/context.h"
#include "impl_vulkan/device/pipelines.h"
#include "impl_vulkan/device/program.h"
#include "impl_vulkan/product/product.h"
#include "impl_vulkan/strided/plan.h"

namespace impl_vulkan {

// One dispatch of any shader, with the bytes of its parameters.
struct Job {
  const ShaderCode* code = nullptr;
  std::vector<uint32_t> constants;
  std::vector<unsigned char> parameters;
  Step step;
};

// `AnyDispatch` has constants, parameters and a step.
template <class AnyDispatch>
Job JobOf(const ShaderCode& code, const AnyDispatch& dispatch) {
  Job job{&code, dispatch.constants, {}, dispatch.step};
  job.parameters.resize(sizeof dispatch.parameters);
  std::memcpy(job.parameters.data(), &dispatch.parameters, sizeof dispatch.parameters);
  return job;
}

// Zeros for what the blocks of a tensor that is written hold beyond its elements. In the tier
// of what writes these, since words are shared with elements: single bytes are stored by all
// dispatches or by none.
void AddPadding(int position, const spi::Layout& layout, const Limits& limits, Tier tier,
                std::vector<Job>* jobs);

// A program without steps if there are no jobs.
absl::StatusOr<std::shared_ptr<const Program>> Assemble(Context& context,
                                                        const std::vector<Job>& jobs);

}  // namespace impl_vulkan

#endif  // DNNSPEC_IMPL_VULKAN_PRODUCT_PROGRAM_H_
