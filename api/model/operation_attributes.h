// Translates the attributes that a caller attached to a primitive descriptor into those of its
// operation, the same way for every primitive.
#ifndef DNNSPEC_API_MODEL_OPERATION_ATTRIBUTES_H_
#define DNNSPEC_API_MODEL_OPERATION_ATTRIBUTES_H_

#include "absl/status/status.h"
#include "api/model/attributes_state.h"
#include "api/spi/attributes.h"

namespace api {

// The output scales, if they are not the default.
void TakeScales(const dnnl::state::primitive_attr& attr, spi::Attributes* attributes);

// The chain of post-ops: a sum that names no type reads the destination as what it is, `dst`. An
// algorithm that is known by its destination, for backward, is that algorithm.
//
// Unimplemented, for "inner_product: post-op 1 is neither a sum nor an eltwise (ATTR-006)", and for
// a sum with a zero point.
absl::Status TakePostOps(const char* primitive, const dnnl::state::primitive_attr& attr,
                         spi::DataType dst, spi::Attributes* attributes);

}  // namespace api

#endif  // DNNSPEC_API_MODEL_OPERATION_ATTRIBUTES_H_
