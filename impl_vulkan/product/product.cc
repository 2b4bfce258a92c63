#include "impl_vulkan/product/product.h"

#include "absl/strings/str_cat.h"
#include "impl_vulkan/product/pieces.h"

namespace impl_vulkan {
namespace {

using spi::DataType;

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

}  // namespace

int ScalesPosition(const spi::Operation& operation, const Epilogue& epilogue) {
  if (!epilogue.scales) return -1;
  return epilogue.run_time_scales ? spi::Find(operation, spi::kArgOutputScales)
                                  : static_cast<int>(operation.tensors.size()) + 1;
}

void Arrange(int scratchpad, int64_t before, std::vector<Product>* products) {
  for (Product& product : *products) {
    SetPartial(scratchpad, before, &product);
    before += SpanOf(product.operands[kPartial].layout);
    OrderAxes(kM, kC, &product);
    OrderAxes(kN, kC, &product);
    OrderAxes(kK, kA, &product);
  }
}

bool CanTotal(const Epilogue& epilogue, const spi::Layout& bias) {
  return !epilogue.scales && bias.block_count == 0;
}

Product TotalOf(const Partials& partials, int64_t parts) {
  Product total;
  total.primitive = partials.primitive;
  total.epilogue = partials.epilogue;
  const spi::Layout &one = partials.partial.layout, &c = partials.c.layout;
  Axes all, all_behind;
  for (int axis = 0; axis < c.rank; ++axis) {
    all.push_back(axis);
    all_behind.push_back(axis + 1);
  }
  // The partial sums with one more axis before the others.
  spi::Layout many = one;
  many.rank = one.rank + 1;
  many.dims[0] = parts;
  many.strides[0] = SpanOf(one);
  for (size_t axis = 0; axis < static_cast<size_t>(one.rank); ++axis) {
    many.dims[axis + 1] = one.dims[axis];
    many.strides[axis + 1] = one.strides[axis];
  }
  for (int k = 0; k < many.block_count; ++k) ++many.blocks[static_cast<size_t>(k)].axis;
  const int position = partials.partial.position;
  total.operands[kA] = {position, many, {all_behind, Axes{}, Axes{0}}};
  total.operands[kC] = {partials.c.position, c, {all, Axes{}, Axes{}}};
  total.operands[kPartial] = {position, one, {all, Axes{}, Axes{}}};
  OrderAxes(kM, kC, &total);
  if (!partials.bias.present()) return total;
  // One element for each of C.
  spi::Layout bias = c;
  bias.type = partials.bias.layout.type;
  bias.offset = partials.bias.layout.offset;
  bias.block_count = 0;
  for (int axis = 0; axis < c.rank; ++axis) {
    bias.strides[static_cast<size_t>(axis)] =
        axis == partials.channel ? partials.bias.layout.strides[0] : 0;
  }
  total.operands[kBias] = {partials.bias.position, bias, {Axes{}, total.operands[kC].axes[kM]}};
  return total;
}

const char* NameOf(ProductKernel kernel) {
  constexpr const char* kNames[] = {"direct", "tile", "vector"};
  return kNames[static_cast<int>(kernel)];
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
