// What the public classes of products do alike (convolution, inner product): they fill in an
// operation descriptor, and make a primitive descriptor of one, an engine, attributes and a hint.
//
// What they say of themselves is a row of constants, a Product. Messages begin with its name and
// cite its requirements.
#ifndef DNNSPEC_API_PRODUCT_REQUEST_H_
#define DNNSPEC_API_PRODUCT_REQUEST_H_

#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "api/model/primitive_state.h"
#include "api/spi/operation.h"
#include "oneapi/dnnl/engine/engine.hpp"
#include "oneapi/dnnl/memory/c_desc.h"
#include "oneapi/dnnl/model/attributes.hpp"
#include "oneapi/dnnl/types/c_types.h"

namespace api {

struct Product {
  const spi::Signature& signature;
  const char* noun;  // "inner product"
  // Requirements: of other propagation kinds than the class has; of run-time values; of the masks
  // of output scales; of attributes in backward directions.
  const char *direction, *run_time_values, *masks, *data_attributes, *weights_attributes;
  // Whether a backward operation has the parameters of a forward one, so that this one's layouts
  // may tell which `any` to choose. Null: there are none.
  bool (*same_params)(const spi::Params& backward, const spi::Params& forward);

  template <typename... Args>
  absl::Status Invalid(const Args&... args) const {
    return absl::InvalidArgumentError(absl::StrCat(signature.name, ": ", args...));
  }
};

// The tensors of a direction. `bias` is null, or zero, where there is none.
struct ProductTensors {
  const dnnl_memory_desc_t *src, *weights, *bias, *dst;
};

// Those of an operation descriptor in C, into which it points.
template <typename Desc>
ProductTensors TensorsOf(const Desc& desc) {
  switch (desc.prop_kind) {
    case dnnl_backward_data:
      return {&desc.diff_src_desc, &desc.weights_desc, nullptr, &desc.diff_dst_desc};
    case dnnl_backward_weights:
      return {&desc.src_desc, &desc.diff_weights_desc, &desc.diff_bias_desc, &desc.diff_dst_desc};
    default:
      return {&desc.src_desc, &desc.weights_desc, &desc.bias_desc, &desc.dst_desc};
  }
}

// What an operation descriptor asks for. Anything may stand there: it is checked.
struct ProductRequest {
  dnnl_prop_kind_t prop_kind;
  ProductTensors tensors;
  spi::Params params;
};

// `wanted` is forward for both forward ones.
absl::Status CheckDirection(const Product& product, dnnl_prop_kind_t wanted,
                            dnnl_prop_kind_t given);

// Integers are summed as such.
dnnl_data_type_t AccumulatorOf(dnnl_prop_kind_t prop_kind, const ProductTensors& tensors);

// What a constructor got, of the direction that it wants, into `desc`, which is all zero. Relations
// between tensors are not looked at.
template <typename Desc>
absl::Status FillDesc(const Product& product, dnnl_prop_kind_t wanted, dnnl_prop_kind_t prop_kind,
                      const ProductTensors& given, Desc* desc) {
  const absl::Status status = CheckDirection(product, wanted, prop_kind);
  if (!status.ok()) return status;
  desc->primitive_kind = static_cast<dnnl_primitive_kind_t>(product.signature.kind);
  desc->prop_kind = prop_kind;
  const bool of_data = prop_kind == dnnl_backward_data;
  const bool of_weights = prop_kind == dnnl_backward_weights;
  (of_data ? desc->diff_src_desc : desc->src_desc) = *given.src;
  (of_weights ? desc->diff_weights_desc : desc->weights_desc) = *given.weights;
  if (given.bias != nullptr) (of_weights ? desc->diff_bias_desc : desc->bias_desc) = *given.bias;
  (of_data || of_weights ? desc->diff_dst_desc : desc->dst_desc) = *given.dst;
  desc->accum_data_type = AccumulatorOf(prop_kind, given);
  return absl::OkStatus();
}

// Whatever is known before there is an engine or a hint, of a direction that is checked.
absl::Status CheckProduct(const Product& product, const ProductRequest& request);

// The primitive descriptor of the first implementation that serves it. `hint` is for backward ones:
// it describes a forward of the same kind.
absl::StatusOr<std::shared_ptr<const dnnl::state::primitive_desc>> DescribeProduct(
    const Product& product, dnnl_prop_kind_t wanted, const ProductRequest& request,
    const dnnl::engine& on, const dnnl::primitive_attr& attr,
    const std::shared_ptr<const dnnl::state::primitive_desc>& hint);

}  // namespace api

#endif  // DNNSPEC_API_PRODUCT_REQUEST_H_
