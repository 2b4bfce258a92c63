// Attributes as text, so that two can be compared and a difference be read.
#ifndef DNNSPEC_CONFORMANCE_MODEL_ATTRIBUTE_TEXT_H_
#define DNNSPEC_CONFORMANCE_MODEL_ATTRIBUTE_TEXT_H_

#include <string>

#include "oneapi/dnnl/dnnl.hpp"

namespace conformance {

// All that the getters tell which the subject has; of floats all bits.
std::string TextOf(const dnnl::primitive_attr& attr);

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_MODEL_ATTRIBUTE_TEXT_H_
