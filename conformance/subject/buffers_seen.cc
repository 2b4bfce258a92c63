#include "conformance/subject/buffers_seen.h"

namespace conformance {

void SawPlacement(Trial& trial, const Placement& placement) {
  switch (placement.edge) {
    case Placement::Edge::kStart:
      return trial.Cover("page before");
    case Placement::Edge::kEnd:
      return trial.Cover("page behind");
    case Placement::Edge::kTight:
      return trial.Cover("page behind the last element");
    case Placement::Edge::kMiddle:
      if (placement.shift != 0) trial.Cover("misaligned");
  }
}

void SawValues(Trial& trial, ValueKind values) {
  if (values == ValueKind::kBits || values == ValueKind::kMixed) trial.Cover("special values");
}

}  // namespace conformance
