// ORC-CONV on what the tensors of a case hold.
#ifndef DNNSPEC_CONFORMANCE_CONVOLUTION_DATA_H_
#define DNNSPEC_CONFORMANCE_CONVOLUTION_DATA_H_

#include <cstdint>
#include <vector>

#include "conformance/convolution/cases.h"
#include "conformance/gen/computed_data.h"

namespace conformance {

// Element k of `role`, which the direction writes. The profiles differ in the bound of Winograd's
// algorithm alone.
std::vector<ExpectedElement> ExpectedOf(const ConvolutionCase& c, Role role,
                                        const ComputedData& data, Profile profile);

// The same of elements `numbers` alone.
std::vector<ExpectedElement> ExpectedAt(const ConvolutionCase& c, Role role,
                                        const ComputedData& data, Profile profile,
                                        const std::vector<int64_t>& numbers);

// Of each element of `role`, which the direction writes: whether an infinity or NaN meets padding
// on its way there. Portable: NaN is tolerated at such elements.
std::vector<bool> MeetsPadding(const ConvolutionCase& c, Role role, const ComputedData& data);

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_CONVOLUTION_DATA_H_
