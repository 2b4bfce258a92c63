#include "impl_cpu/convolution/plan.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "api/convolution/operation.h"
#include "api/spi/types.h"
#include "impl_cpu/convolution/bf16.h"
#include "impl_cpu/convolution/direct.h"
#include "impl_cpu/convolution/gradient.h"
#include "impl_cpu/convolution/patches.h"
#include "impl_cpu/convolution/plain.h"
#include "impl_cpu/convolution/tiled.h"
#include "impl_cpu/convolution/weights_layout.h"
#include "impl_cpu/convolution/winograd.h"
#include "impl_cpu/isa/isa.h"
#include "impl_cpu/product/product_plan.h"
#include "impl_cpu/threads/parallel_for.h"

namespace impl_cpu {
namespace {

using spi::Layout;

constexpr char kNotForWinograd[] =
    "cpu: convolution: Winograd's algorithm serves f32, forward and backward data, one group of at "
    "most 65536 channels, and a kernel of 3x3 with strides of 1 and dilates of 0 (CONV-095)";
// So many channels to a group are stored without panels, which they would not fill.
constexpr int64_t kFewChannels = 4;
// Beyond it, sizes may come close to 63 bits.
constexpr int64_t kMostSpreadElements = int64_t{1} << 48;

// Channels innermost. In f32 with a line left free behind those of each place where several would
// lie a multiple of kFarBytes apart.
Layout Spread(const Layout& asked) {
  const Layout dense = ChannelsLast(asked);
  const bool spread =
      asked.type == spi::DataType::kF32 && dense.strides[0] > asked.dims[1] &&
      spi::SaturatedProduct(dense.strides[0], std::max<int64_t>(asked.dims[0], 1)) <=
          kMostSpreadElements;
  return spread ? PlaceRows(asked) : dense;
}

// Whether it is such a layout, and not a dense one.
bool IsSpread(const Layout& layout) {
  return layout.strides[1] == 1 && PlaceRow(layout.dims[1]) > layout.dims[1] &&
         layout != ChannelsLast(layout) && layout == Spread(layout);
}

// In the order of axes that `as` has, if that is plain; else with channels innermost, spread as
// well if `as` is.
Layout ActivationsLike(const Layout& asked, const Layout& as) {
  if (as.kind != spi::LayoutKind::kStrided || as.block_count != 0) return Spread(asked);
  if (IsSpread(as)) return Spread(asked);
  std::vector<int> order(static_cast<size_t>(asked.rank));
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&as](int i, int j) {
    return as.strides[static_cast<size_t>(i)] > as.strides[static_cast<size_t>(j)];
  });
  return Ordered(asked, {}, order);
}

Layout WeightsFor(const spi::ConvolutionView& view) {
  const bool data = view.prop == spi::PropKind::kBackwardData;
  const DirectForm direct = DirectFormOf(view);
  if ((view.ic == 1 && view.oc == 1) || direct == DirectForm::kBlocks)
    return ChannelsInTaps(view, data, view.weights.type);
  const int64_t computed = data ? view.ic : view.oc, read = data ? view.oc : view.ic;
  if (computed <= kFewChannels && direct != DirectForm::kPanels) {
    const WeightsAxes axes = AxesOf(view, data);
    std::vector<int> order(axes.rows.begin(), axes.rows.end());
    order.push_back(axes.cols[0]);
    if (view.grouped) order.insert(order.begin(), 0);
    return Ordered(view.weights, {}, order);
  }
  int side = spi::IsForward(view.prop) || data ? SideBySide(view.weights.type) : 1;
  if (read % side != 0) side = 1;
  return PanelsOf(view, data, view.weights.type, side);
}

// `operation` without kAny; the answers go to `chosen`.
spi::Operation Resolved(const spi::Operation& operation, std::vector<Layout>* chosen) {
  spi::Operation resolved = operation;
  const spi::ConvolutionView view(operation);
  for (size_t i = 0; i < operation.tensors.size(); ++i) {
    const Layout& asked = operation.tensors[i].layout;
    if (asked.kind != spi::LayoutKind::kAny) continue;
    Layout& layout = resolved.tensors[i].layout;
    if (&asked == &view.weights) {
      layout = WeightsFor(view);
    } else if (&asked == &view.src || &asked == &view.dst) {
      // What few channels are read from says little of what is best for what comes of them.
      const bool first = &asked == &view.dst && view.groups == 1 && view.ic <= kFewChannels;
      layout =
          first ? Spread(asked) : ActivationsLike(asked, &asked == &view.src ? view.dst : view.src);
    } else {
      layout = spi::Strided(asked.type, {asked.dims.data(), asked.rank});
    }
    chosen->push_back(layout);
  }
  return resolved;
}

// By one of the classes that compute it in different ways.
template <class Kernel>
class FastPlan : public ProductPlan {
 public:
  explicit FastPlan(const spi::Operation& operation)
      : ProductPlan(operation), scratchpad_(operation.tensors.size()) {}

  // False if this machine has no vector kernels for it.
  bool Take(const spi::Operation& operation) { return kernel_.Plan(operation, MaxThreads()); }
  size_t scratchpad_bytes() const { return kernel_.scratchpad_bytes(); }

  std::string Describe() const override {
    return absl::StrCat("cpu:convolution:", IsaName(), " ", kernel_.ToString());
  }

 private:
  void Run(spi::Buffers buffers) const override {
    kernel_.Run(buffers, static_cast<std::byte*>(buffers[scratchpad_]->handle()));
  }

  Kernel kernel_;
  const size_t scratchpad_;  // its place among the buffers
};

class PlainPlan : public ProductPlan {
 public:
  explicit PlainPlan(const spi::Operation& operation) : ProductPlan(operation), plain_(operation) {}

  std::string Describe() const override { return "cpu:plain-convolution"; }

 private:
  void Run(spi::Buffers buffers) const override { plain_.Run(buffers); }

  const PlainConvolution plain_;
};

template <class Kernel>
bool TakeAs(const spi::Operation& operation, spi::Planned* planned) {
  auto plan = std::make_shared<FastPlan<Kernel>>(operation);
  if (!plan->Take(operation)) return false;
  planned->scratchpad_bytes = plan->scratchpad_bytes();
  planned->plan = std::move(plan);
  return true;
}

// The fast one, if there is one.
bool TakeFast(const spi::Operation& operation, spi::Planned* planned) {
  const spi::ConvolutionView view(operation);
  if (operation.prop == spi::PropKind::kBackwardWeights)
    return TakeAs<WeightsGradient>(operation, planned);
  const spi::ConvolutionAlgorithm algorithm = view.params.algorithm;
  const bool winograd = algorithm == spi::ConvolutionAlgorithm::kWinograd ||
                        (algorithm == spi::ConvolutionAlgorithm::kAuto && PaysAsWinograd(view));
  if (winograd && TakeAs<WinogradConvolution>(operation, planned)) return true;
  if (view.weights.type == spi::DataType::kBF16 && TakeAs<Bf16Convolution>(operation, planned))
    return true;
  if ((DirectFormOf(view) != DirectForm::kNone || ReadsWords(view)) &&
      TakeAs<DirectConvolution>(operation, planned))
    return true;
  return TakeAs<TiledConvolution>(operation, planned);
}

}  // namespace

absl::StatusOr<spi::Planned> PlanConvolution(const spi::Request& request) {
  const spi::ConvolutionView view(request.operation);
  const absl::Status served =
      CheckServed("convolution", request.operation, {view.src, view.weights, view.bias, view.dst});
  if (!served.ok()) return served;
  if (view.params.algorithm == spi::ConvolutionAlgorithm::kWinograd && !IsForWinograd(view))
    return absl::UnimplementedError(kNotForWinograd);
  spi::Planned planned;
  const spi::Operation operation = Resolved(request.operation, &planned.chosen);
  // Best first. Where there are no vectors, the last one is the first.
  const bool fast = TakeFast(operation, &planned);
  if (fast && request.candidate == 0) return planned;
  if (request.candidate > (fast ? 1 : 0))
    return absl::UnimplementedError("cpu: no further candidate");
  planned.scratchpad_bytes = 0;
  planned.plan = std::make_shared<PlainPlan>(operation);
  return planned;
}

}  // namespace impl_cpu
