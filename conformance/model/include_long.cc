// clang-format off
#include "oneapi/dnnl/dnnl.hpp"
// clang-format on

#include <typeindex>

#include "conformance/model/includes.h"

namespace conformance {

std::type_index TypeBehindLongInclude() { return typeid(::dnnl::memory::desc); }

}  // namespace conformance
