#include "api/spi/implementation.h"

namespace spi {

absl::StatusOr<std::shared_ptr<const Plan>> Engine::MakeTransferPlan(const Operation&, Engine&,
                                                                     Engine&, int) {
  return absl::UnimplementedError("no direct transfer");
}

}  // namespace spi
