#include "conformance/cli/complain.h"

#include <cstdio>

#include "conformance/case/printable.h"

namespace conformance {

int Complain(const std::string& text) {
  std::fprintf(stderr, "conform: %s\n", Printable(text).c_str());
  return 2;
}

}  // namespace conformance
