// A failure as calls with literal data: what the program is around them is conformance/reproduce.
#include <string>
#include <string_view>

#include "conformance/convolution/cases.h"
#include "conformance/convolution/data.h"
#include "conformance/gen/computation_text.h"
#include "conformance/gen/statements.h"

namespace conformance {

std::string ConvolutionCase::Statements(Profile profile, std::string_view where,
                                        std::string_view expected) const {
  std::string behind;
  const auto add = [&](int64_t spec::ConvolutionAxis::*number) {
    behind += ", memory::dims" + Braced(Each(number));
  };
  add(&spec::ConvolutionAxis::stride);
  if (gives_dilations()) add(&spec::ConvolutionAxis::dilation);
  add(&spec::ConvolutionAxis::padding_l);
  add(&spec::ConvolutionAxis::padding_r);
  return StatementsOf(
      *this,
      {"convolution",
       std::string("dnnl::algorithm::convolution_") + conformance::NameOf(algorithm) + ", ", behind,
       [this, profile](Role role, const ComputedData& data) {
         return ExpectedOf(*this, role, data, profile);
       }},
      where, expected);
}

}  // namespace conformance
