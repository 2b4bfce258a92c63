#include "conformance/gen/placement.h"

#include "conformance/gen/shapes.h"

namespace conformance {

std::string ToString(const Placement& placement) {
  switch (placement.edge) {
    case Placement::Edge::kStart:
      return "start";
    case Placement::Edge::kEnd:
      return "end";
    case Placement::Edge::kTight:
      return "tight";
    case Placement::Edge::kMiddle:
      break;
  }
  return placement.shift == 0 ? "mid" : "mid+" + std::to_string(placement.shift);
}

std::optional<Placement> ParsePlacement(std::string_view text) {
  if (text == "start") return Placement{Placement::Edge::kStart, 0};
  if (text == "end") return Placement{Placement::Edge::kEnd, 0};
  if (text == "tight") return Placement{Placement::Edge::kTight, 0};
  if (text == "mid") return Placement{};
  if (text.substr(0, 4) != "mid+") return std::nullopt;
  const auto shift = Split(text.substr(4), ',');
  if (!shift || shift->size() != 1 || (*shift)[0] < 1 || (*shift)[0] > 63) return std::nullopt;
  return Placement{Placement::Edge::kMiddle, (*shift)[0]};
}

void SetPlacement(Fields* fields, std::string_view key, const Placement& placement) {
  const std::string text = ToString(placement);
  if (text != "mid") fields->Set(key, text);
}

Placement GetPlacement(const Fields& fields, std::string_view key) {
  if (!fields.Has(key)) return {};
  if (const auto placement = ParsePlacement(fields.Text(key))) return *placement;
  fields.Reject(key, "is no placement such as mid+3, start, end, tight");
  return {};
}

Placement AnyPlacement(Random& random) {
  const int64_t dice = random.Between(1, 100);
  if (dice <= 60) return {};
  if (dice <= 75) return {Placement::Edge::kMiddle, random.Between(1, 15)};
  return {dice <= 82 ? Placement::Edge::kStart : Placement::Edge::kEnd, 0};
}

}  // namespace conformance
