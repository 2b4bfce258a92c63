#include "impl_cpu/plain/problem.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "api/spi/strided/nest.h"
#include "api/spi/strided/walk.h"
#include "api/spi/types.h"

namespace impl_cpu {

void PlanNests(const spi::Layout& src, const spi::Layout& dst, const spi::AxisMap& map,
               Problem* problem) {
  if (spi::IsEmpty(dst)) return;
  problem->padding = spi::PaddingOf(dst);
  if (std::optional<spi::LoopNests> nests = spi::NestsOf(src, dst, map, kLimits)) {
    problem->nests = *std::move(nests);
  } else {
    problem->walk = std::make_shared<const spi::Walk>(src, dst, map);
  }
}

std::string ToString(const Problem& problem) {
  const Arithmetic& a = problem.arithmetic;
  std::string text = absl::StrCat(spi::NameOf(a.src), "->", spi::NameOf(a.dst));
  if (problem.walk != nullptr) {
    absl::StrAppend(&text, " ", problem.walk->ToString());
  } else if (problem.nests.empty()) {
    absl::StrAppend(&text, " empty");
  } else {
    const spi::LoopDims& loops = problem.nests[0].loops;
    const auto list = [&loops](const char* separator, int64_t spi::LoopDim::*field) {
      return absl::StrJoin(loops, separator, [field](std::string* out, const spi::LoopDim& loop) {
        absl::StrAppend(out, loop.*field);
      });
    };
    if (loops.empty()) {
      absl::StrAppend(&text, " 1");
    } else {
      absl::StrAppend(&text, " ", list("x", &spi::LoopDim::extent), " (",
                      list(",", &spi::LoopDim::src_stride), ")->(",
                      list(",", &spi::LoopDim::dst_stride), ")");
    }
    if (problem.nests.size() > 1) absl::StrAppend(&text, " parts:", problem.nests.size());
  }
  if (!problem.padding.empty()) absl::StrAppend(&text, " padding:", problem.padding.size());
  if (a.scale != Arithmetic::Scale::kNone) {
    absl::StrAppend(&text, " scale:", a.scale == Arithmetic::Scale::kOne ? "one" : "many",
                    a.run_time_scales ? "(run-time)" : "");
  }
  if (a.sum) absl::StrAppend(&text, " sum:", a.beta);
  if (a.sum && a.sum_type != a.dst) absl::StrAppend(&text, "(", spi::NameOf(a.sum_type), ")");
  if (a.shifted) absl::StrAppend(&text, " zero points");
  return text;
}

}  // namespace impl_cpu
