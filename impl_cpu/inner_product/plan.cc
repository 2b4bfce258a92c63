#include "impl_cpu/inner_product/plan.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "api/inner_product/operation.h"
#include "api/spi/types.h"
#include "impl_cpu/inner_product/column_product.h"
#include "impl_cpu/inner_product/dot_product.h"
#include "impl_cpu/inner_product/plain.h"
#include "impl_cpu/inner_product/product.h"
#include "impl_cpu/inner_product/run.h"
#include "impl_cpu/isa/isa.h"
#include "impl_cpu/product/kernel.h"
#include "impl_cpu/product/product_plan.h"
#include "impl_cpu/threads/parallel_for.h"

namespace impl_cpu {
namespace {

using spi::DataType;
using spi::Layout;

// Of the inputs: as the source has them, else as the weights do. Where both are open, channels come
// last, as convolution leaves them.
std::vector<int> InputOrder(const spi::InnerProductView& view) {
  if (view.src.kind == spi::LayoutKind::kStrided && view.src.block_count == 0)
    return StoredOrder(view.src);
  if (view.weights.kind == spi::LayoutKind::kStrided) return StoredOrder(view.weights);
  std::vector<int> order(static_cast<size_t>(view.src.rank - 1));
  std::iota(order.begin(), order.end(), 2);
  order.back() = 1;
  return order;
}

// Panels of outputs; with blocks of inputs in them where these are not written and an axis fills
// them, or is the only one and padded.
Layout OutputPanels(const Layout& weights, std::vector<int> order, bool written) {
  absl::InlinedVector<spi::Block, 2> blocks;
  if (weights.dims[0] > kFewOutputs) {
    blocks.push_back({0, kPanel});
    const int side = written ? 1 : SideBySide(weights.type);
    const bool alone = order.size() == 1 && weights.dims[1] > side;
    const auto filled = std::find_if(order.rbegin(), order.rend(), [&](int axis) {
      return alone || weights.dims[static_cast<size_t>(axis)] % side == 0;
    });
    if (side > 1 && filled != order.rend()) {
      blocks.push_back({*filled, side});
      std::rotate(filled.base() - 1, filled.base(), order.end());
    }
  }
  order.insert(order.begin(), 0);
  return Ordered(weights, blocks, order);
}

// Panels of inputs, with blocks of outputs in them, unless these are a few beside one axis of
// inputs. Row-major where one of several axes does not fill its panels; a few inputs lie behind one
// another, each with all outputs.
Layout InputPanels(const Layout& weights, std::vector<int> order) {
  absl::InlinedVector<spi::Block, 2> blocks;
  const int64_t last = weights.dims[static_cast<size_t>(order.back())];
  if (order.size() > 1 && last % kPanel != 0) {
    order.insert(order.begin(), 0);
    return Ordered(weights, blocks, order);
  }
  if (last > kFewOutputs) {
    blocks.push_back({order.back(), kPanel});
    const int side = SideBySide(weights.type);
    const int64_t outputs = weights.dims[0];
    const bool pairs = order.size() == 1 ? outputs > kFewOutputs : outputs >= side;
    if (side > 1 && pairs) blocks.push_back({0, side});
  }
  order.push_back(0);
  return Ordered(weights, blocks, order);
}

// Row-major but for the inputs, which are in `order`.
Layout SourceFor(const spi::InnerProductView& view) {
  std::vector<int> order = InputOrder(view);
  order.insert(order.begin(), 0);
  return Ordered(view.src, {}, order);
}

Layout WeightsFor(const spi::InnerProductView& view) {
  const std::vector<int> order = InputOrder(view);
  if (view.prop == spi::PropKind::kBackwardData) return InputPanels(view.weights, order);
  return OutputPanels(view.weights, order, !spi::IsForward(view.prop));
}

// `operation` without kAny; the answers go to `chosen`.
spi::Operation Resolved(const spi::Operation& operation, std::vector<Layout>* chosen) {
  spi::Operation resolved = operation;
  const spi::InnerProductView view(operation);
  for (size_t i = 0; i < operation.tensors.size(); ++i) {
    const Layout& asked = operation.tensors[i].layout;
    if (asked.kind != spi::LayoutKind::kAny) continue;
    resolved.tensors[i].layout = &asked == &view.weights ? WeightsFor(view)
                                 : &asked == &view.src
                                     ? SourceFor(view)
                                     : spi::Strided(asked.type, {asked.dims.data(), asked.rank});
    chosen->push_back(resolved.tensors[i].layout);
  }
  return resolved;
}

class TiledPlan : public ProductPlan {
 public:
  explicit TiledPlan(const spi::Operation& operation)
      : ProductPlan(operation), scratchpad_(operation.tensors.size()) {}

  // False if this machine has no vector kernels.
  bool Take(std::vector<Product> products) {
    for (Product& product : products) {
      ColumnProduct columns;
      if (columns.Plan(product, MaxThreads())) {
        columns_.push_back(std::move(columns));
        continue;
      }
      DotProduct dots;
      if (dots.Plan(product, MaxThreads())) {
        dots_.push_back(std::move(dots));
        continue;
      }
      tiled_.emplace_back();
      if (!tiled_.back().Plan(std::move(product), MaxThreads())) return false;
    }
    return true;
  }

  size_t scratchpad_bytes() const {
    size_t bytes = 0;
    for (const TiledProduct& product : tiled_) bytes = std::max(bytes, product.scratchpad_bytes());
    return bytes;
  }

  std::string Describe() const override {
    std::string text = absl::StrCat("cpu:product:", IsaName());
    for (const ColumnProduct& product : columns_) absl::StrAppend(&text, " ", product.ToString());
    for (const DotProduct& product : dots_) absl::StrAppend(&text, " ", product.ToString());
    for (const TiledProduct& product : tiled_) absl::StrAppend(&text, " ", product.ToString());
    return text;
  }

 private:
  void Run(spi::Buffers buffers) const override {
    for (const ColumnProduct& product : columns_) product.Run(buffers);
    for (const DotProduct& product : dots_) product.Run(buffers);
    if (tiled_.empty()) return;  // and there is no scratchpad
    auto* const scratchpad = static_cast<std::byte*>(buffers[scratchpad_]->handle());
    for (const TiledProduct& product : tiled_) product.Run(buffers, scratchpad);
  }

  std::vector<ColumnProduct> columns_;
  std::vector<DotProduct> dots_;
  std::vector<TiledProduct> tiled_;
  const size_t scratchpad_;  // its place among the buffers
};

class PlainPlan : public ProductPlan {
 public:
  PlainPlan(const spi::Operation& operation, std::vector<Product> products)
      : ProductPlan(operation), products_(std::move(products)) {}

  std::string Describe() const override {
    std::string text = "cpu:plain-product";
    for (const Product& product : products_) absl::StrAppend(&text, " ", ToString(product));
    return text;
  }

 private:
  void Run(spi::Buffers buffers) const override {
    for (const Product& product : products_) RunPlainProduct(product, buffers);
  }

  const std::vector<Product> products_;
};

}  // namespace

absl::StatusOr<spi::Planned> PlanInnerProduct(const spi::Request& request) {
  const spi::InnerProductView view(request.operation);
  const absl::Status served = CheckServed("inner_product", request.operation,
                                          {view.src, view.weights, view.bias, view.dst});
  if (!served.ok()) return served;
  spi::Planned planned;
  const spi::Operation operation = Resolved(request.operation, &planned.chosen);
  std::vector<Product> products = ProductsOf(operation);
  // Best first. Where there are no vectors, the last one is the first.
  auto tiled = std::make_shared<TiledPlan>(operation);
  if (!tiled->Take(products)) {
    if (request.candidate > 0) return absl::UnimplementedError("cpu: no further candidate");
  } else if (request.candidate == 0) {
    planned.scratchpad_bytes = tiled->scratchpad_bytes();
    planned.plan = std::move(tiled);
    return planned;
  } else if (request.candidate > 1) {
    return absl::UnimplementedError("cpu: no further candidate");
  }
  planned.plan = std::make_shared<PlainPlan>(operation, std::move(products));
  return planned;
}

}  // namespace impl_cpu
