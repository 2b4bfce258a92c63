#include "api/spi/implementation.h"

namespace spi {
namespace {

ImplementationGetter g_chosen = nullptr;

}  // namespace

absl::StatusOr<Planned> Engine::MakeTransferPlan(const Request&, Engine&, Engine&) {
  return absl::UnimplementedError("no direct transfer");
}

void RunOn(Implementation& (*implementation)()) { g_chosen = implementation; }

ImplementationGetter ChosenAtRunTime() { return g_chosen; }

}  // namespace spi
