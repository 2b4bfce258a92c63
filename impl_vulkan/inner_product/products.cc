#include "impl_vulkan/inner_product/products.h"

#include <utility>

#include "absl/status/status.h"
#include "api/inner_product/operation.h"
#include "impl_vulkan/product/types.h"

namespace impl_vulkan {
namespace {

// The axes behind the first.
Axes Inputs(const spi::Layout& layout) {
  Axes axes;
  for (int axis = 1; axis < layout.rank; ++axis) axes.push_back(axis);
  return axes;
}

Product Make(const Operand& a, const Operand& b, const Operand& c) {
  Product product;
  product.primitive = "inner_product";
  product.operands[kA] = a;
  product.operands[kB] = b;
  product.operands[kC] = c;
  return product;
}

class Maker {
 public:
  explicit Maker(const spi::Operation& operation) : operation_(operation), view_(operation) {}

  absl::StatusOr<Product> Forward() const {
    const Axes inputs = Inputs(view_.src);
    Product product = Make({Position(spi::kArgSrc), view_.src, {Axes{0}, Axes{}, inputs}},
                           {Position(spi::kArgWeights), view_.weights, {Axes{}, Axes{0}, inputs}},
                           {Position(spi::kArgDst), view_.dst, {Axes{0}, Axes{1}, Axes{}}});
    if (view_.bias != nullptr) {
      product.operands[kBias] = {Position(spi::kArgBias), *view_.bias, {Axes{}, Axes{0}, Axes{}}};
    }
    absl::StatusOr<Epilogue> epilogue = EpilogueOf("inner_product", operation_.attributes.get(),
                                                   view_.bias != nullptr, view_.dst.type);
    if (!epilogue.ok()) return epilogue.status();
    product.epilogue = *std::move(epilogue);
    product.scales_position = ScalesPosition(operation_, product.epilogue);
    return product;
  }

  Product BackwardData() const {
    const Axes inputs = Inputs(view_.src);
    return Make({Position(spi::kArgDiffDst), view_.dst, {Axes{0}, Axes{}, Axes{1}}},
                {Position(spi::kArgWeights), view_.weights, {Axes{}, inputs, Axes{0}}},
                {Position(spi::kArgDiffSrc), view_.src, {Axes{0}, inputs, Axes{}}});
  }

  Product BackwardWeights() const {
    const Axes inputs = Inputs(view_.src);
    return Make({Position(spi::kArgDiffDst), view_.dst, {Axes{1}, Axes{}, Axes{0}}},
                {Position(spi::kArgSrc), view_.src, {Axes{}, inputs, Axes{0}}},
                {Position(spi::kArgDiffWeights), view_.weights, {Axes{0}, inputs, Axes{}}});
  }

  Product BackwardBias() const {
    return Make({Position(spi::kArgDiffDst), view_.dst, {Axes{1}, Axes{}, Axes{0}}}, {},
                {Position(spi::kArgDiffBias), *view_.bias, {Axes{0}, Axes{}, Axes{}}});
  }

  const spi::InnerProductView& view() const { return view_; }

 private:
  int Position(int argument) const { return spi::Find(operation_, argument); }

  const spi::Operation& operation_;
  const spi::InnerProductView view_;
};

}  // namespace

absl::StatusOr<std::vector<Product>> ProductsOf(const spi::Operation& operation) {
  const Maker maker(operation);
  const spi::InnerProductView& view = maker.view();
  const absl::Status types =
      CheckTypes("inner_product", view.prop, view.src, view.weights, view.bias, view.dst);
  if (!types.ok()) return types;
  std::vector<Product> products;
  if (spi::IsForward(view.prop)) {
    absl::StatusOr<Product> product = maker.Forward();
    if (!product.ok()) return product.status();
    products.push_back(*std::move(product));
  } else if (view.prop == spi::PropKind::kBackwardData) {
    products.push_back(maker.BackwardData());
  } else {
    products.push_back(maker.BackwardWeights());
    if (view.bias != nullptr) products.push_back(maker.BackwardBias());
  }
  if (spi::IsEmpty(products.front().operands[kC].layout)) return std::vector<Product>();
  Arrange(static_cast<int>(operation.tensors.size()), 0, &products);
  return products;
}

}  // namespace impl_vulkan
