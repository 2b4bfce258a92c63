// The sources of the checks as text, so that a failure can be handed on as a program of its own.
#ifndef DNNSPEC_CONFORMANCE_REPRODUCE_SOURCES_H_
#define DNNSPEC_CONFORMANCE_REPRODUCE_SOURCES_H_

#include <cstddef>

namespace conformance {

struct SourceFile {
  const char* path;  // from the repository's root, as #include lines name it
  const char* text;
};

// What is linked into this runner, ordered by path. Defined by the build (sources.bzl).
extern const SourceFile kSources[];
extern const size_t kSourceCount;

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_REPRODUCE_SOURCES_H_
