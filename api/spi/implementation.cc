#include "api/spi/implementation.h"

namespace spi {
namespace {

ImplementationGetter g_chosen = nullptr;

}  // namespace

absl::StatusOr<std::shared_ptr<const Plan>> Engine::MakeTransferPlan(const Operation&, Engine&,
                                                                     Engine&, int) {
  return absl::UnimplementedError("no direct transfer");
}

void RunOn(Implementation& (*implementation)()) { g_chosen = implementation; }

ImplementationGetter ChosenAtRunTime() { return g_chosen; }

}  // namespace spi
