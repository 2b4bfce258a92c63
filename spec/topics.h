// The chapters of the catalogue and the areas of each: topics.bzl as data.
#ifndef DNNSPEC_SPEC_TOPICS_H_
#define DNNSPEC_SPEC_TOPICS_H_

#include <cstddef>

namespace spec {

// Names of chapters, in order: "model", "memory", ...
extern const char* const kTopics[];
extern const size_t kTopicCount;

// Requirements whose ids begin alike.
struct Area {
  const char* prefix;  // "SHU" of SHU-020
  const char* title;   // "shuffle"
  const char* topic;
};

// In the order of their chapters.
extern const Area kAreas[];
extern const size_t kAreaCount;

}  // namespace spec

#endif  // DNNSPEC_SPEC_TOPICS_H_
