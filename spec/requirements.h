// Every requirement as data, and an identifier for each that compiles: spec::REO_010,
// spec::MD_T_nchw. The identifiers are written by the build from spec/*/requirements.md, so a
// property that names a requirement which does not exist does not compile.
#ifndef DNNSPEC_SPEC_REQUIREMENTS_H_
#define DNNSPEC_SPEC_REQUIREMENTS_H_

#include <cstddef>

namespace spec {

enum class Level { kMust, kShould, kMay, kRule, kOptionalType };

// "MUST", "SHOULD", "MAY", "RULE", "OPTIONAL-TYPE".
const char* NameOf(Level level);

struct Requirement {
  const char* id;  // "REO-010", "MD-T-nchw"
  Level level;
  const char* topic;   // folder below spec/: "reorder"
  const char* source;  // where the documents say so
  const char* text;    // the sentence
  const char* check;   // how a test can see it
};

// All of them, in the order of the files, whose order is that of topics.bzl.
extern const Requirement* const* const kRequirements;
extern const size_t kRequirementCount;

// By id; null if there is none.
const Requirement* FindRequirement(const char* id);

}  // namespace spec

#include "spec/requirement_ids.inc"  // extern const Requirement REO_010; ...

#endif  // DNNSPEC_SPEC_REQUIREMENTS_H_
