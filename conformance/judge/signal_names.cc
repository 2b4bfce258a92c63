#include "conformance/judge/signal_names.h"

#include <string.h>

namespace conformance {

std::string NameOfSignal(int number) {
#ifdef __GLIBC_PREREQ
#if __GLIBC_PREREQ(2, 32)
  if (const char* name = sigabbrev_np(number)) return std::string("SIG") + name;
#endif
#endif
  return "signal " + std::to_string(number);
}

}  // namespace conformance
