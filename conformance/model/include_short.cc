// clang-format off
#if __has_include("dnnl.hpp")
#include "dnnl.hpp"
#define DNNSPEC_HAS_SHORT_INCLUDE 1
#else
#define DNNSPEC_HAS_SHORT_INCLUDE 0
#endif
// clang-format on

#include <typeindex>

#include "conformance/model/includes.h"

namespace conformance {

bool ShortIncludeExists() { return DNNSPEC_HAS_SHORT_INCLUDE != 0; }

#if DNNSPEC_HAS_SHORT_INCLUDE
std::type_index TypeBehindShortInclude() { return typeid(::oneapi::dnnl::memory::desc); }
#else
std::type_index TypeBehindShortInclude() { return typeid(void); }
#endif

}  // namespace conformance
