// An inner product as tests write it: field by field, legal or not, and then as an Operation where
// one is asked for.
#ifndef DNNSPEC_API_INNER_PRODUCT_TESTING_INNER_PRODUCT_OPERATION_H_
#define DNNSPEC_API_INNER_PRODUCT_TESTING_INNER_PRODUCT_OPERATION_H_

#include <memory>
#include <optional>

#include "api/inner_product/operation.h"
#include "api/spi/attributes.h"
#include "api/spi/layout.h"
#include "api/spi/operation.h"

namespace spi {

// What MakeInnerProduct takes.
struct InnerProductOperation {
  PropKind prop = PropKind::kForwardTraining;
  Layout src, weights, dst;
  std::optional<Layout> bias;
  Attributes attributes;

  operator Operation() const {  // NOLINT(google-explicit-constructor)
    Operation operation = MakeInnerProduct(prop, src, weights, bias ? &*bias : nullptr, dst);
    SetAttributes(std::make_shared<const Attributes>(attributes), &operation);
    return operation;
  }
};

}  // namespace spi

#endif  // DNNSPEC_API_INNER_PRODUCT_TESTING_INNER_PRODUCT_OPERATION_H_
