#include "spec/requirements.h"

#include <cstring>

namespace spec {

const char* NameOf(Level level) {
  switch (level) {
    case Level::kMust:
      return "MUST";
    case Level::kShould:
      return "SHOULD";
    case Level::kMay:
      return "MAY";
    case Level::kRule:
      return "RULE";
    case Level::kOptionalType:
      return "OPTIONAL-TYPE";
  }
  return "";
}

const Requirement* FindRequirement(const char* id) {
  for (size_t i = 0; i < kRequirementCount; ++i) {
    if (std::strcmp(kRequirements[i]->id, id) == 0) return kRequirements[i];
  }
  return nullptr;
}

}  // namespace spec
