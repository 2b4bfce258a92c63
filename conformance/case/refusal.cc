#include "conformance/case/refusal.h"

namespace conformance {

std::string Refusal::ToString() const {
  if (!is_error) return "threw " + text;
  std::string result = "dnnl::error";
  if (status != kNone) result += " (status " + std::to_string(status) + ")";
  return result + ": " + text;
}

}  // namespace conformance
