// Describes a primitive that has an operation descriptor to the C functions, as a row of constants.
//
// The build lists, from topics.bzl, those of the primitives that have one in oneDNN.
#ifndef DNNSPEC_API_MODEL_OPERATION_IN_C_H_
#define DNNSPEC_API_MODEL_OPERATION_IN_C_H_

#include <memory>

#include "absl/types/span.h"
#include "api/spi/operation.h"
#include "oneapi/dnnl/engine/engine.hpp"
#include "oneapi/dnnl/model/attributes.hpp"
#include "oneapi/dnnl/model/primitive_desc.hpp"
#include "oneapi/dnnl/types/c_handles.h"
#include "oneapi/dnnl/types/c_types.h"

namespace api {

struct OperationInC {
  dnnl_primitive_kind_t kind;  // that the descriptor begins with
  dnnl_query_t query;          // that asks for it
  // The first implementation of *op_desc. `hint` is that of a backward one, null if there is none.
  dnnl::primitive_desc (*describe)(const void* op_desc, const dnnl::primitive_attr& attr,
                                   const dnnl::engine& on, dnnl_primitive_desc_t hint);
  // The descriptor that `operation`, of this kind, was made of.
  std::shared_ptr<const void> (*made_of)(const spi::Operation& operation);
};

// kShuffleInC of shuffle/c_api.cc, and so on.
absl::Span<const OperationInC* const> OperationsInC();

}  // namespace api

#endif  // DNNSPEC_API_MODEL_OPERATION_IN_C_H_
