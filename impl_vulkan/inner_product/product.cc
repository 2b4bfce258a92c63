#include "impl_vulkan/inner_product/product.h"

#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "impl_vulkan/inner_product/pieces.h"

namespace impl_vulkan {
namespace {

using spi::DataType;
using Axes = absl::InlinedVector<int, 4>;

bool IsInteger(DataType type) { return type >= DataType::kS32; }
bool IsByte(DataType type) { return type == DataType::kS8 || type == DataType::kU8; }

// The combinations of the tables (IP-020 to IP-022), and those of f16 in their image.
bool Serves(const spi::InnerProductView& operation) {
  const bool forward = spi::IsForward(operation.prop);
  const DataType src = operation.src.type, weights = operation.weights.type,
                 dst = operation.dst.type;
  if (forward && IsByte(src)) return weights == DataType::kS8 && dst != DataType::kF16;
  // Of floats: factors of one type, results of it or f32.
  const bool data = operation.prop == spi::PropKind::kBackwardData;
  const DataType a = forward ? src : dst, b = forward || data ? weights : src;
  const auto fits = [a](DataType type) { return type == a || type == DataType::kF32; };
  const DataType c = forward ? dst : data ? src : weights;
  return !IsInteger(a) && a == b && fits(c) &&
         (operation.bias == nullptr || fits(operation.bias->type));
}

absl::Status Refuse(const spi::InnerProductView& operation) {
  return absl::UnimplementedError(
      absl::StrCat("vulkan: inner_product of src ", spi::NameOf(operation.src.type), ", weights ",
                   spi::NameOf(operation.weights.type), ", bias ",
                   operation.bias == nullptr ? "none" : spi::NameOf(operation.bias->type), ", dst ",
                   spi::NameOf(operation.dst.type)));
}

// The axes behind the first.
Axes Inputs(const spi::Layout& layout) {
  Axes axes;
  for (int axis = 1; axis < layout.rank; ++axis) axes.push_back(axis);
  return axes;
}

// Where the partial sums of a product lie, behind `before` of them.
void SetPartial(int position, int64_t before, Product* product) {
  const spi::Layout& c = product->operands[kC].layout;
  Operand& partial = product->operands[kPartial];
  partial = product->operands[kC];
  partial.position = position;
  partial.layout =
      spi::Strided(DataType::kF32, {c.dims.data(), c.rank}, {c.blocks.data(), c.block_count});
  partial.layout.offset = before;
}

// Brings the axes of an index into an order in which as many as possible go on where others end:
// by falling strides of the operand that is read or written most.
void OrderAxes(Index index, OperandOf leader, Product* product) {
  const Operand& leading = product->operands[leader];
  const Axes axes = leading.axes[index];
  Axes order;
  for (size_t i = 0; i < axes.size(); ++i) {
    const auto stride = [&](int which) {
      return leading.layout.strides[static_cast<size_t>(axes[static_cast<size_t>(which)])];
    };
    auto at = order.begin();
    while (at != order.end() && stride(*at) >= stride(static_cast<int>(i))) ++at;
    order.insert(at, static_cast<int>(i));
  }
  for (Operand& operand : product->operands) {
    Axes& unordered = operand.axes[index];
    if (unordered.empty()) continue;
    Axes ordered;
    for (const int which : order) ordered.push_back(unordered[static_cast<size_t>(which)]);
    unordered = ordered;
  }
}

Product Make(const Operand& a, const Operand& b, const Operand& c) {
  Product product;
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
    absl::StatusOr<Epilogue> epilogue =
        EpilogueOf(operation_.attributes.get(), view_.bias != nullptr, view_.dst.type);
    if (!epilogue.ok()) return epilogue.status();
    product.epilogue = *std::move(epilogue);
    // A table that is known in advance is bound behind all tensors, the scratchpad among them.
    const auto tensors = static_cast<int>(operation_.tensors.size());
    if (product.epilogue.scales) {
      product.scales_position =
          product.epilogue.run_time_scales ? Position(spi::kArgOutputScales) : tensors + 1;
    }
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
  if (!Serves(view)) return Refuse(view);
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
  int64_t partials = 0;
  for (Product& product : products) {
    SetPartial(static_cast<int>(operation.tensors.size()), partials, &product);
    partials += SpanOf(product.operands[kPartial].layout);
    OrderAxes(kN, kC, &product);
    OrderAxes(kK, kA, &product);
  }
  return products;
}

const char* NameOf(ProductKernel kernel) {
  return kernel == ProductKernel::kTile ? "tile" : "direct";
}

std::string Describe(const Product& product) {
  const auto count = [&](OperandOf which, Index index) {
    const Operand& operand = product.operands[which];
    int64_t extent = 1;
    for (const int axis : operand.axes[index]) {
      extent *= operand.layout.dims[static_cast<size_t>(axis)];
    }
    return extent;
  };
  const auto type = [&](OperandOf which) {
    const Operand& operand = product.operands[which];
    return operand.present() ? spi::NameOf(operand.layout.type) : "ones";
  };
  std::string text = absl::StrCat(type(kA), " ", type(kB), "->", type(kC), " ", count(kC, kM), "x",
                                  count(kC, kN), "x", count(kA, kK));
  if (product.operands[kBias].present()) absl::StrAppend(&text, " bias ", type(kBias));
  if (product.epilogue.scales) absl::StrAppend(&text, " scales");
  if (product.epilogue.old_type != DataType::kUndef) absl::StrAppend(&text, " sum");
  if (!product.epilogue.steps.empty()) {
    absl::StrAppend(&text, " ", product.epilogue.steps.size(), " steps");
  }
  return text;
}

}  // namespace impl_vulkan
