// The floating-point mode of attributes, where the subject's have one: oneDNN 2.6 has, the
// specification has not.
#ifndef DNNSPEC_CONFORMANCE_SUBJECT_FPMATH_H_
#define DNNSPEC_CONFORMANCE_SUBJECT_FPMATH_H_

#include <type_traits>
#include <utility>

#include "oneapi/dnnl/dnnl.hpp"

namespace conformance {

// Modes by their number; 0 is the default one, strict.
struct FpmathMode {
  const char* name;
  int number;
};
inline constexpr FpmathMode kFpmathModes[] = {{"bf16", 1}, {"f16", 2}, {"any", 3}};

template <class Attr, class = void>
struct HasFpmathModeIn : std::false_type {};
template <class Attr>
struct HasFpmathModeIn<Attr, std::void_t<decltype(std::declval<Attr&>().get_fpmath_mode())>>
    : std::true_type {};

inline constexpr bool kHasFpmathMode = HasFpmathModeIn<dnnl::primitive_attr>::value;

// Nothing where there is no such mode. May throw.
template <class Attr>
void SetFpmathMode(Attr* attr, int number) {
  if constexpr (HasFpmathModeIn<Attr>::value)
    attr->set_fpmath_mode(static_cast<decltype(attr->get_fpmath_mode())>(number));
}

// 0 where there is no such mode.
template <class Attr>
int FpmathModeOf(const Attr& attr) {
  if constexpr (HasFpmathModeIn<Attr>::value) return static_cast<int>(attr.get_fpmath_mode());
  return 0;
}

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_SUBJECT_FPMATH_H_
