#include "api/spi/eltwise_limits.h"

#include "absl/strings/str_cat.h"

namespace spi {

std::string BrokenLimit(Algorithm algorithm, float alpha, float beta) {
  switch (algorithm) {
    case Algorithm::kEltwiseBoundedRelu:
    case Algorithm::kEltwiseReluUseDstForBwd:
    case Algorithm::kEltwiseEluUseDstForBwd:
      if (alpha >= 0) return "";
      return absl::StrCat("alpha = ", alpha, " of ", NameOf(algorithm),
                          " is not at least 0 (ELT-021)");
    case Algorithm::kEltwiseClip:
    case Algorithm::kEltwiseClipV2:
    case Algorithm::kEltwiseClipV2UseDstForBwd:
      if (alpha <= beta) return "";
      return absl::StrCat("alpha = ", alpha, " of ", NameOf(algorithm),
                          " is not at most beta = ", beta, " (ELT-021)");
    default:
      return "";
  }
}

}  // namespace spi
