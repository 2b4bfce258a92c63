// A claims file is text from a stranger: it is read or refused with its place, and what was read
// decides about any case line.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "conformance/verdict/claims.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  // Claims, a zero byte, a case line.
  const std::string all(reinterpret_cast<const char*>(data), size);
  const std::string text = all.substr(0, all.find('\0'));
  const std::string line = text.size() < all.size() ? all.substr(text.size() + 1) : text;
  const conformance::Claims claims =
      conformance::ParseClaims(text, "f", {{"SHU-020", "shuffle"}, {"REO-010/far", "reorder"}});
  if (!claims.error.empty() &&
      (claims.error.rfind("f:", 0) != 0 || claims.error.find('\n') != std::string::npos))
    std::abort();
  for (const conformance::TopicClaim& claim : claims.topics) {
    const std::string outside = conformance::OutsideOf(claim, line);
    if (!outside.empty() && outside.rfind("not claimed: ", 0) != 0) std::abort();
    // The whole of a topic holds every line.
    if (!claim.by_case() && !outside.empty()) std::abort();
  }
  conformance::TypesIn(line);
  return 0;
}
