#include "impl_cpu/inner_product/product.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "absl/strings/str_cat.h"
#include "api/spi/layout.h"
#include "impl_cpu/product/arguments.h"
#include "impl_cpu/product/panels.h"

namespace impl_cpu {
namespace {

using spi::DataType;

bool IsInteger(DataType type) {
  return type == DataType::kU8 || type == DataType::kS8 || type == DataType::kS32;
}

// Rows are axis 0, columns the others in `order`.
Matrix MatrixOf(const spi::Operation& operation, const spi::Layout& layout,
                const std::vector<int>& order) {
  Matrix matrix;
  matrix.type = layout.type;
  matrix.buffer = PositionOf(operation, layout);
  matrix.offset = layout.offset;
  matrix.rows = Index(layout, {0});
  matrix.cols = Index(layout, order);
  return matrix;
}

Matrix Transposed(Matrix matrix) {
  std::swap(matrix.rows, matrix.cols);
  return matrix;
}

Product Forward(const spi::Operation& operation, const spi::InnerProductView& view) {
  const std::vector<int> order = StoredOrder(view.weights);
  Product product;
  product.a = MatrixOf(operation, view.src, order);
  product.b = Transposed(MatrixOf(operation, view.weights, order));
  product.b.panel_depth = PanelDepth(view.weights, order, {0}, true);
  product.c = MatrixOf(operation, view.dst, {1});
  product.finish = FinishOf(operation, view.bias, view.dst);
  return product;
}

Product BackwardData(const spi::Operation& operation, const spi::InnerProductView& view) {
  const std::vector<int> order = StoredOrder(view.src);
  Product product;
  product.a = MatrixOf(operation, view.dst, {1});
  product.b = MatrixOf(operation, view.weights, order);
  product.b.panel_depth = PanelDepth(view.weights, {0}, order, true);
  product.c = MatrixOf(operation, view.src, order);
  return product;
}

// Columns are what lies side by side in the result.
Product BackwardWeights(const spi::Operation& operation, const spi::InnerProductView& view) {
  const std::vector<int> order = StoredOrder(view.weights);
  const Matrix src = MatrixOf(operation, view.src, order);
  const Matrix diff_dst = MatrixOf(operation, view.dst, {1});
  Product product;
  product.c = MatrixOf(operation, view.weights, order);
  const bool outputs =
      product.c.rows.RunFrom(0, 2).stride == 1 && product.c.cols.RunFrom(0, 2).stride != 1;
  product.a = Transposed(outputs ? src : diff_dst);
  product.b = outputs ? diff_dst : src;
  if (outputs) product.c = Transposed(product.c);
  if (outputs) product.c.panel_depth = PanelDepth(view.weights, order, {0}, true);
  return product;
}

Product BackwardBias(const spi::Operation& operation, const spi::InnerProductView& view) {
  Product product;
  product.b = MatrixOf(operation, view.dst, {1});
  product.a.type = DataType::kF32;
  product.a.cols = product.b.rows;  // as long
  product.c = Transposed(MatrixOf(operation, *view.bias, {}));
  return product;
}

}  // namespace

std::vector<int> StoredOrder(const spi::Layout& layout) {
  std::vector<int> order(static_cast<size_t>(layout.rank - 1));
  std::iota(order.begin(), order.end(), 1);
  const int innermost =
      layout.block_count == 0 ? 0 : layout.blocks[static_cast<size_t>(layout.block_count - 1)].axis;
  const auto stride = [&](int axis) {
    return axis == innermost ? 0 : layout.strides[static_cast<size_t>(axis)];
  };
  std::stable_sort(order.begin(), order.end(), [&](int i, int j) { return stride(i) > stride(j); });
  return order;
}

std::vector<Product> ProductsOf(const spi::Operation& operation) {
  const spi::InnerProductView view(operation);
  std::vector<Product> products;
  if (view.prop == spi::PropKind::kBackwardData) {
    products.push_back(BackwardData(operation, view));
  } else if (view.prop == spi::PropKind::kBackwardWeights) {
    products.push_back(BackwardWeights(operation, view));
    if (view.bias != nullptr) products.push_back(BackwardBias(operation, view));
  } else {
    products.push_back(Forward(operation, view));
  }
  for (Product& product : products) {
    product.m = product.c.rows.size();
    product.n = product.c.cols.size();
    product.k = product.b.rows.size();
    product.integers = IsInteger(product.a.type);
  }
  return products;
}

std::string ToString(const Product& product) {
  std::string text =
      absl::StrCat(spi::NameOf(product.a.type), "x", spi::NameOf(product.b.type), "->",
                   spi::NameOf(product.c.type), " ", product.m, "x", product.n, " of ", product.k);
  absl::StrAppend(&text, ToString(product.finish));
  return text;
}

}  // namespace impl_cpu
