// How large a case may be, drawn or typed.
#ifndef DNNSPEC_CONFORMANCE_CASE_LIMITS_H_
#define DNNSPEC_CONFORMANCE_CASE_LIMITS_H_

#include <cstdint>

namespace conformance {

// Of a tensor: a case holds it in memory several times over.
inline constexpr int64_t kMostElementsOfCase = int64_t{1} << 26;
// Of what multiplies.
inline constexpr int64_t kMostProductsOfCase = int64_t{1} << 32;

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_CASE_LIMITS_H_
