// A subject for tests: version 1.2.3, one engine of the CPU kind.
#include <cstdlib>

#include "conformance/harness/subject.h"

namespace conformance {

std::string SubjectVersion() { return "1.2.3"; }

size_t CountEngines(EngineChoice engine) {
  if (std::getenv("TOY_SUBJECT_DIES") != nullptr) std::abort();
  return engine == EngineChoice::kCpu ? 1 : 0;
}

}  // namespace conformance
