// What tests want of an engine for an operation, and nothing else of its answer.
#ifndef DNNSPEC_API_TESTING_PLANS_H_
#define DNNSPEC_API_TESTING_PLANS_H_

#include <memory>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "api/spi/implementation.h"
#include "api/spi/operation.h"

namespace spi {

inline absl::StatusOr<std::shared_ptr<const Plan>> PlanOf(Engine& engine,
                                                          const Operation& operation,
                                                          int candidate = 0) {
  absl::StatusOr<Planned> planned = engine.MakePlan({operation, nullptr, candidate});
  if (!planned.ok()) return planned.status();
  return std::move(planned->plan);
}

inline absl::StatusOr<std::shared_ptr<const Plan>> TransferPlanOf(Engine& engine,
                                                                  const Operation& operation,
                                                                  Engine& src, Engine& dst) {
  absl::StatusOr<Planned> planned = engine.MakeTransferPlan({operation, nullptr, 0}, src, dst);
  if (!planned.ok()) return planned.status();
  return std::move(planned->plan);
}

// A buffer that stands for an argument.
struct Argument {
  int index;  // DNNL_ARG_
  Buffer* buffer;
};

// Of `arguments`, those that are tensors of `operation`, in their order.
inline std::vector<Buffer*> BuffersOf(const Operation& operation,
                                      absl::Span<const Argument> arguments) {
  std::vector<Buffer*> buffers;
  for (const TensorArg& tensor : operation.tensors)
    for (const Argument& argument : arguments)
      if (argument.index == tensor.argument) buffers.push_back(argument.buffer);
  return buffers;
}

}  // namespace spi

#endif  // DNNSPEC_API_TESTING_PLANS_H_
