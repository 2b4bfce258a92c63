// The format tags that the suite names, each looked up at compile time: a header that lacks one
// compiles all the same.
#ifndef DNNSPEC_CONFORMANCE_MEMORY_TAG_TABLE_H_
#define DNNSPEC_CONFORMANCE_MEMORY_TAG_TABLE_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "oneapi/dnnl/dnnl.hpp"

namespace conformance {

struct NamedTag {
  const char* name;
  std::optional<dnnl::memory::format_tag> tag;  // nullopt: the header has no such enumerator
};

// Every tag of spec::SeedTags() and spec::CompatTags(), "any" and "undef".
const std::vector<NamedTag>& NamedTags();

// nullopt also for a name that is not in the table.
std::optional<dnnl::memory::format_tag> FindTag(std::string_view name);

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_MEMORY_TAG_TABLE_H_
