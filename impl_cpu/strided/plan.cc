#include "impl_cpu/strided/plan.h"

#include <cstddef>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "api/spi/implementation.h"
#include "api/spi/types.h"
#include "impl_cpu/strided/plain_kernel.h"
#include "impl_cpu/strided/problem.h"

namespace impl_cpu {
namespace {

using Kernel = void (*)(const Problem& problem, const std::byte* src, std::byte* dst,
                        const float* scales);

struct Candidate {
  const char* name;
  bool (*serves)(const Problem& problem);
  Kernel kernel;
};

// Best first; the last one serves everything.
constexpr Candidate kCandidates[] = {
    {"plain", [](const Problem&) { return true; }, RunPlain},
};

class StridedPlan : public spi::Plan {
 public:
  StridedPlan(const Candidate& candidate, Problem problem)
      : candidate_(candidate), problem_(std::move(problem)) {}

  std::string Describe() const override {
    return absl::StrCat("cpu:", candidate_.name, " ", ToString(problem_));
  }

  absl::Status Execute(spi::Stream&, spi::Arguments arguments) const override {
    if (problem_.parts.empty() && problem_.padding.empty()) return absl::OkStatus();
    const spi::Buffer* src = spi::Find(arguments, problem_.src_argument);
    const spi::Buffer* dst = spi::Find(arguments, problem_.dst_argument);
    const float* scales = problem_.arithmetic.scales.data();
    if (problem_.arithmetic.run_time_scales) {
      scales = static_cast<const float*>(spi::Find(arguments, spi::kArgOutputScales)->handle());
    }
    candidate_.kernel(problem_, static_cast<const std::byte*>(src->handle()),
                      static_cast<std::byte*>(dst->handle()), scales);
    return absl::OkStatus();
  }

 private:
  const Candidate& candidate_;
  const Problem problem_;
};

}  // namespace

std::shared_ptr<const spi::Plan> MakeStridedPlan(Problem problem, int candidate) {
  for (const Candidate& c : kCandidates) {
    if (!c.serves(problem)) continue;
    if (candidate-- == 0) return std::make_shared<StridedPlan>(c, std::move(problem));
  }
  return nullptr;
}

}  // namespace impl_cpu
