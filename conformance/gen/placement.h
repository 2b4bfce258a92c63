// Describes where a buffer lies in memory: alignment, and what is next to it.
#ifndef DNNSPEC_CONFORMANCE_GEN_PLACEMENT_H_
#define DNNSPEC_CONFORMANCE_GEN_PLACEMENT_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "conformance/case/fields.h"
#include "conformance/case/random.h"

namespace conformance {

// As text: "mid", "mid+3", "start", "end", "tight".
struct Placement {
  enum class Edge {
    kMiddle,  // guard zones on both sides, `shift` elements past a 64-byte boundary
    kStart,   // the page before the first byte is inaccessible
    kEnd,     // the page after the last byte is inaccessible
    kTight,   // the page after the last element is inaccessible: shorter than get_size() at times
  };
  Edge edge = Edge::kMiddle;
  int64_t shift = 0;
};

std::string ToString(const Placement& placement);
std::optional<Placement> ParsePlacement(std::string_view text);

// As an optional field of a case: "mid" is not written.
void SetPlacement(Fields* fields, std::string_view key, const Placement& placement);
Placement GetPlacement(const Fields& fields, std::string_view key);

// Mostly aligned, in the middle. Never tight.
Placement AnyPlacement(Random& random);

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_GEN_PLACEMENT_H_
