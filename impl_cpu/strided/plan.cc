#include "impl_cpu/strided/plan.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "absl/container/inlined_vector.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "api/spi/implementation.h"
#include "api/spi/types.h"
#include "impl_cpu/isa/isa.h"
#include "impl_cpu/numeric/element.h"
#include "impl_cpu/numeric/subnormals.h"
#include "impl_cpu/plain/kernel.h"
#include "impl_cpu/plain/problem.h"
#include "impl_cpu/strided/pipeline.h"
#include "impl_cpu/strided/run.h"

namespace impl_cpu {
namespace {

// What all candidates share: the arguments.
class StridedPlan : public spi::Plan {
 public:
  // Apart, so that the short way of VectorPlan keeps nothing on the stack.
  [[gnu::noinline]] absl::Status Execute(spi::Stream&, spi::Buffers buffers) const override {
    if (problem_.nests.empty() && problem_.walk == nullptr) return absl::OkStatus();
    const Arithmetic& arithmetic = problem_.arithmetic;
    // What comes at run time follows the two tensors.
    spi::Buffer* const* next = buffers.data() + 2;
    const float* scales = arithmetic.scales.data();
    if (arithmetic.run_time_scales) scales = static_cast<const float*>((*next++)->handle());
    Zeros zeros = arithmetic.zeros;
    if (arithmetic.run_time_src_zero) zeros.src = ZeroIn(**next++);
    if (arithmetic.run_time_dst_zero) zeros.dst = ZeroIn(**next);
    const KeepsSubnormals keeps(Computes(arithmetic));
    Run(static_cast<const std::byte*>(buffers[0]->handle()),
        static_cast<std::byte*>(buffers[1]->handle()), scales, zeros);
    return absl::OkStatus();
  }

 protected:
  const Problem& problem() const { return problem_; }
  Problem problem_;

 private:
  // The zero point that an execution brings.
  static float ZeroIn(const spi::Buffer& buffer) {
    return Widen(*static_cast<const int32_t*>(buffer.handle()));
  }

  virtual void Run(const std::byte* src, std::byte* dst, const float* scales,
                   const Zeros& zeros) const = 0;
};

class VectorPlan : public StridedPlan {
 public:
  // False if this machine has no vector kernels for `problem`, which is taken only if it has.
  bool Take(Problem& problem) {
    if (problem.walk != nullptr) return false;
    pipelines_.resize(problem.nests.size());
    for (size_t i = 0; i < pipelines_.size(); ++i)
      if (!PlanPipeline(problem.arithmetic, problem.nests[i], &pipelines_[i])) return false;
    problem_ = std::move(problem);
    if (pipelines_.size() == 1 && problem_.padding.empty())
      one_call_ = FindOneCall(problem_.arithmetic, pipelines_[0]);
    return true;
  }

  absl::Status Execute(spi::Stream& stream, spi::Buffers buffers) const override {
    if (one_call_ == nullptr) return StridedPlan::Execute(stream, buffers);
    const auto* const src = static_cast<const std::byte*>(buffers.data()[0]->handle());
    auto* const dst = static_cast<std::byte*>(buffers.data()[1]->handle());
    one_call_(*pipelines_.data(), src, dst, problem_.arithmetic.scales.data());
    return absl::OkStatus();
  }

  std::string Describe() const override {
    const std::string text = ToString(problem());
    if (pipelines_.empty()) return absl::StrCat("cpu:none ", text);
    return absl::StrCat("cpu:", NameOf(pipelines_[0]), ":", IsaName(), " ", text, " ",
                        ToString(pipelines_[0]));
  }

 private:
  void Run(const std::byte* src, std::byte* dst, const float* scales,
           const Zeros& zeros) const override {
    if (pipelines_.size() == 1 && problem().padding.empty())
      return RunPipeline(pipelines_[0], zeros, src, dst, scales);
    RunAll(src, dst, scales, zeros);
  }

  // Apart, so that the short way above keeps nothing on the stack.
  [[gnu::noinline]] void RunAll(const std::byte* src, std::byte* dst, const float* scales,
                                const Zeros& zeros) const {
    for (const Pipeline& pipeline : pipelines_) RunPipeline(pipeline, zeros, src, dst, scales);
    if (!problem().padding.empty()) ZeroPadding(problem(), dst);
  }

  absl::InlinedVector<Pipeline, 1> pipelines_;
  OneCall one_call_ = nullptr;  // where all of it is one
};

class PlainPlan : public StridedPlan {
 public:
  bool Take(Problem& problem) {
    problem_ = std::move(problem);
    return true;
  }

  std::string Describe() const override { return absl::StrCat("cpu:plain ", ToString(problem())); }

 private:
  void Run(const std::byte* src, std::byte* dst, const float* scales,
           const Zeros& zeros) const override {
    RunPlain(problem(), src, dst, scales, zeros);
  }
};

template <typename PlanType>
std::shared_ptr<const spi::Plan> Make(Problem& problem) {
  auto plan = std::make_shared<PlanType>();
  if (!plan->Take(problem)) return nullptr;
  return plan;
}

// Best first. Null: does not serve the problem, which is left as it was. The last one serves all.
using MakeCandidate = std::shared_ptr<const spi::Plan> (*)(Problem& problem);
constexpr MakeCandidate kCandidates[] = {Make<VectorPlan>, Make<PlainPlan>};

}  // namespace

absl::StatusOr<spi::Planned> PlanStrided(Problem problem, int candidate) {
  // A candidate is tried on a copy when it may only be counted.
  for (const MakeCandidate make : kCandidates) {
    if (candidate == 0) {
      spi::Planned planned;
      planned.plan = make(problem);
      if (planned.plan != nullptr) return planned;
    } else {
      Problem copy = problem;
      if (make(copy) != nullptr) --candidate;
    }
  }
  return absl::UnimplementedError("cpu: no further candidate");
}

}  // namespace impl_cpu
