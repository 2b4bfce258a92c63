// ORC-IP on what the tensors of a case hold.
#ifndef DNNSPEC_CONFORMANCE_INNER_PRODUCT_DATA_H_
#define DNNSPEC_CONFORMANCE_INNER_PRODUCT_DATA_H_

#include <vector>

#include "conformance/gen/computed_data.h"
#include "conformance/inner_product/cases.h"

namespace conformance {

// The same in both profiles. Element k of `role`, which the direction writes.
std::vector<ExpectedElement> ExpectedOf(const InnerProductCase& c, Role role,
                                        const ComputedData& data,
                                        Profile profile = Profile::kPortable);

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_INNER_PRODUCT_DATA_H_
