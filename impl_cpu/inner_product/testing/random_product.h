// Inner products of every sort.
#ifndef DNNSPEC_IMPL_CPU_INNER_PRODUCT_TESTING_RANDOM_PRODUCT_H_
#define DNNSPEC_IMPL_CPU_INNER_PRODUCT_TESTING_RANDOM_PRODUCT_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "api/spi/implementation.h"
#include "api/spi/operation.h"
#include "api/spi/types.h"
#include "api/testing/random_operation.h"

namespace impl_cpu {

// The types of src, weights, bias and dst, or of their gradients.
struct ProductTypes {
  spi::DataType src, weights, bias, dst;
};
constexpr ProductTypes kAllF32 = {spi::DataType::kF32, spi::DataType::kF32, spi::DataType::kF32,
                                  spi::DataType::kF32};

struct ProductShape {
  int64_t n, oc;
  std::vector<int64_t> inputs;
};

// Of any rank, around the sizes of tiles, panels and vectors.
ProductShape RandomProductShape(spi::Random& random);

// With layouts, bias and attributes of all sorts.
spi::Operation RandomProduct(spi::Random& random, spi::PropKind prop, const ProductTypes& types,
                             const ProductShape& shape);

// Scales of 1 or `oc` numbers, and post-ops, that are exact on small integers.
std::shared_ptr<const spi::Attributes> RandomAttributes(spi::Random& random,
                                                        const ProductTypes& types, int64_t oc);

// All tensors row-major.
spi::Operation PlainProduct(spi::PropKind prop, const ProductTypes& types,
                            const ProductShape& shape, bool bias);
// All tensors open.
spi::Operation OpenProduct(spi::PropKind prop, const ProductTypes& types, const ProductShape& shape,
                           bool bias);

// The operation with what a planner chose for its open tensors.
spi::Operation WithChosen(spi::Operation operation, const std::vector<spi::Layout>& chosen);

// Without open layouts. Directions, types, and layouts that are given or chosen take turns with
// `i`; the rest is drawn.
spi::Operation InnerProductFor(spi::Engine& engine, spi::Random& random, int i);

}  // namespace impl_cpu

#endif  // DNNSPEC_IMPL_CPU_INNER_PRODUCT_TESTING_RANDOM_PRODUCT_H_
