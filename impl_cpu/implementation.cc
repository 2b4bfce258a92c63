#include "impl_cpu/implementation.h"

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <utility>
#include <variant>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "api/spi/implementation.h"
#include "api/spi/operation.h"
#include "api/spi/types.h"
#include "impl_cpu/isa/isa.h"
#include "impl_cpu/memory/buffer.h"
#include "impl_cpu/numeric/subnormals.h"
#include "impl_cpu/planner_table.h"
#include "impl_cpu/threads/parallel_for.h"

namespace impl_cpu {
namespace {

// Every execution has finished when Execute returns, so there is nothing to wait for.
class CpuStream : public spi::Stream {
 public:
  absl::Status Wait() override { return absl::OkStatus(); }
};

class CpuEngine : public spi::Engine {
 public:
  absl::StatusOr<std::unique_ptr<spi::Stream>> MakeStream(unsigned) override {
    return std::unique_ptr<spi::Stream>(std::make_unique<CpuStream>());
  }

  absl::StatusOr<std::shared_ptr<spi::Buffer>> Allocate(size_t bytes) override {
    return AllocateBuffer(bytes);
  }

  absl::StatusOr<std::shared_ptr<spi::Buffer>> Wrap(void* handle, size_t) override {
    return WrapBuffer(handle);
  }

  absl::StatusOr<spi::Planned> MakePlan(const spi::Request& request) override {
    if (spi::HasOpaqueLayout(request.operation))
      return absl::UnimplementedError("cpu: no layout of this engine is opaque");
    const KeepsSubnormals keeps(true);  // a factor that is subnormal is not 0
    static_assert(kPlanners.size() == std::variant_size_v<spi::Params>);
    absl::StatusOr<spi::Planned> planned = kPlanners[request.operation.params.index()](request);
    if (verbose_ && planned.ok())
      std::fprintf(stderr, "dnnspec,create,%s\n", planned->plan->Describe().c_str());
    return planned;
  }

  bool PlansMayBeKept() const override { return true; }

 private:
  // DNNSPEC_VERBOSE set to anything but 0: a line on stderr for each plan that is made.
  const bool verbose_ = [] {
    const char* const value = std::getenv("DNNSPEC_VERBOSE");
    return value != nullptr && *value != 0 && *value != '0';
  }();
};

class CpuImplementation : public spi::Implementation {
 public:
  // A `limit` that is an error is what every engine is answered with. The number of processors is
  // read now: programs pin threads later.
  explicit CpuImplementation(absl::Status limit) : limit_(std::move(limit)) { MaxThreads(); }

  const char* name() const override { return "cpu"; }
  spi::EngineKind kind() const override { return spi::EngineKind::kCpu; }
  spi::CpuIsa isa() const override { return IsaInUse(); }
  size_t EngineCount() override { return 1; }
  absl::StatusOr<std::shared_ptr<spi::Engine>> MakeEngine(size_t) override {
    if (!limit_.ok()) return limit_;
    return std::shared_ptr<spi::Engine>(engine_);
  }

 private:
  const absl::Status limit_;
  const std::shared_ptr<CpuEngine> engine_ = std::make_shared<CpuEngine>();
};

}  // namespace

spi::Implementation& GetImplementation() {
  static CpuImplementation* const implementation = new CpuImplementation(ApplyIsaLimit());
  return *implementation;
}

}  // namespace impl_cpu
