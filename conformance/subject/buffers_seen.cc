#include "conformance/subject/buffers_seen.h"

namespace conformance {

void SawPlacement(Trial& trial, const Placement& placement) {
  switch (placement.edge) {
    case Placement::Edge::kStart:
      return trial.Saw("page before");
    case Placement::Edge::kEnd:
      return trial.Saw("page behind");
    case Placement::Edge::kMiddle:
      if (placement.shift != 0) trial.Saw("misaligned");
  }
}

void SawValues(Trial& trial, ValueKind values) {
  if (values == ValueKind::kBits || values == ValueKind::kMixed) trial.Saw("special values");
}

}  // namespace conformance
