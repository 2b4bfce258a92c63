// A subject for tests: version 1.2.3, one engine of the CPU kind, AVX2 unless TOY_SUBJECT_ISA is
// set to avx512_core, and all primitives but that of TOY_SUBJECT_LACKS.
#include <cstdlib>
#include <string>
#include <string_view>

#include "conformance/case/isa.h"
#include "conformance/subject/facts.h"

namespace conformance {

std::string SubjectVersion() { return "1.2.3"; }

bool SubjectLacks(std::string_view topic) {
  const char* const lacks = std::getenv("TOY_SUBJECT_LACKS");
  return lacks != nullptr && topic == lacks;
}

size_t CountEngines(EngineChoice engine) {
  if (std::getenv("TOY_SUBJECT_DIES") != nullptr) std::abort();
  return engine == EngineChoice::kCpu ? 1 : 0;
}

Isa SubjectIsa() {
  const char* const isa = std::getenv("TOY_SUBJECT_ISA");
  return isa != nullptr && std::string(isa) == "avx512_core" ? Isa::kAvx512Core : Isa::kAvx2;
}

std::string SubjectDevice(EngineChoice engine) {
  return engine == EngineChoice::kCpu ? NameOf(SubjectIsa()) : "";
}

}  // namespace conformance
