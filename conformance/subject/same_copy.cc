#include "conformance/subject/same_copy.h"

#include <cstddef>
#include <cstdint>

#include "conformance/subject/tensor.h"

namespace conformance {

bool ExpectSameCopy(Trial& trial, std::string_view tensor, spec::Type type, const spec::Dims& dims,
                    const std::vector<spec::Bits>& expected, const std::vector<spec::Bits>& got) {
  const auto strictness =
      trial.project() ? spec::Strictness::kProject : spec::Strictness::kPortable;
  for (size_t k = 0; k < expected.size(); ++k) {
    if (spec::AcceptsCopy(type, type, expected[k], got[k], strictness)) continue;
    trial.Fail(ElementName(tensor, dims, static_cast<int64_t>(k)),
               spec::ToString(type, expected[k]), spec::ToString(type, got[k]));
    return false;
  }
  return true;
}

}  // namespace conformance
