// A failure as calls with literal data: what the program is around them is conformance/reproduce.
#include <string>
#include <string_view>

#include "conformance/gen/computation_text.h"
#include "conformance/inner_product/cases.h"
#include "conformance/inner_product/data.h"

namespace conformance {

std::string InnerProductCase::Statements(Profile, std::string_view where,
                                         std::string_view expected) const {
  return StatementsOf(
      *this,
      {"inner_product", "", "",
       [this](Role role, const ComputedData& data) { return ExpectedOf(*this, role, data); }},
      where, expected);
}

}  // namespace conformance
