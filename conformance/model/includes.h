// The two ways to include the header, each in a source of its own (OBJ-020).
#ifndef DNNSPEC_CONFORMANCE_MODEL_INCLUDES_H_
#define DNNSPEC_CONFORMANCE_MODEL_INCLUDES_H_

#include <typeindex>

namespace conformance {

bool ShortIncludeExists();
// memory::desc of <dnnl.hpp>, which is included first; only where it exists.
std::type_index TypeBehindShortInclude();
// memory::desc of <oneapi/dnnl/dnnl.hpp>, which is included first.
std::type_index TypeBehindLongInclude();

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_MODEL_INCLUDES_H_
