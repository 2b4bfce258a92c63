// Files of expected failures: refused with a place and a reason, or read.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "conformance/verdict/expectations.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const conformance::Expectations read = conformance::ParseExpectations(text, "file", {});
  if (!read.error.empty() && read.error.rfind("file:", 0) != 0) std::abort();
  for (const conformance::Expectation& entry : read.entries)
    if (entry.place.rfind("file:", 0) != 0 || entry.reason.empty()) std::abort();
  return 0;
}
