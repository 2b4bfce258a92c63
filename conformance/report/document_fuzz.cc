// A results file may come from anywhere: it is refused in one line, or every report of it can be
// made.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "conformance/report/badge.h"
#include "conformance/report/diff.h"
#include "conformance/report/document.h"
#include "conformance/report/html.h"
#include "conformance/report/junit.h"
#include "conformance/report/text.h"

using conformance::Document;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const Document document =
      conformance::ParseDocument(std::string_view(reinterpret_cast<const char*>(data), size), "f");
  if (!document.error.empty()) {
    if (document.error.find('\n') != std::string::npos) std::abort();
    return 0;
  }
  if (conformance::ToHtml(document).empty() || conformance::ToJunit(document).empty() ||
      conformance::ToBadge(document).empty() || conformance::ToText(document).empty() ||
      conformance::Compare(document, document).worse)
    std::abort();
  return 0;
}
