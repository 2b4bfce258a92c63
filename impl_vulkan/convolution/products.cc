#include "impl_vulkan/convolution/products.h"

#include <utility>

#include "impl_vulkan/product/epilogue.h"

namespace impl_vulkan {
namespace {

// The steps by which an axis of the source is walked, by outputs or by taps.
int64_t StepOf(const spi::ConvolutionAxis& axis) {
  return axis.kernel == 1 ? axis.stride : axis.step;
}
int64_t StepsOf(const spi::ConvolutionAxis& axis) {
  return axis.kernel == 1 ? axis.output : axis.kernel;
}

bool IsProduct(const spi::ConvolutionView& view, int axis_of_source,
               const spi::ConvolutionAxis& axis) {
  if (axis.kernel > 1 && axis.output > 1) return false;
  const int64_t steps = StepsOf(axis), step = steps == 1 ? 1 : StepOf(axis);
  if (axis.padding != 0 || (steps - 1) > (axis.input - 1) / step) return false;
  // All of a gradient is written.
  if (view.prop == spi::PropKind::kBackwardData) return steps == axis.input && step == 1;
  return step == 1 || spi::BlockAlong(view.src, axis_of_source) == 1;
}

class Maker {
 public:
  explicit Maker(const spi::Operation& operation) : operation_(operation), view_(operation) {
    for (int d = 0; d < view_.spatial; ++d) {
      const int axis = 2 + d;
      (AxisAt(d).kernel == 1 ? rows_ : taps_).push_back(axis);
    }
  }

  Product Forward() const {
    return Make({Position(spi::kArgSrc), Source(), {With(0, rows_), Axes{}, With(1, taps_)}},
                {Position(spi::kArgWeights),
                 view_.weights,
                 {Axes{}, Axes{Oc()}, With(Oc() + 1, OfWeights(taps_))}},
                {Position(spi::kArgDst), view_.dst, {With(0, rows_), Axes{1}, Axes{}}});
  }

  Product BackwardData() const {
    return Make({Position(spi::kArgDiffDst), view_.dst, {With(0, rows_), Axes{}, Axes{1}}},
                {Position(spi::kArgWeights),
                 view_.weights,
                 {Axes{}, With(Oc() + 1, OfWeights(taps_)), Axes{Oc()}}},
                {Position(spi::kArgDiffSrc), view_.src, {With(0, rows_), With(1, taps_), Axes{}}});
  }

  Product BackwardWeights() const {
    return Make({Position(spi::kArgDiffDst), view_.dst, {Axes{1}, Axes{}, With(0, rows_)}},
                {Position(spi::kArgSrc), Source(), {Axes{}, With(1, taps_), With(0, rows_)}},
                {Position(spi::kArgDiffWeights),
                 view_.weights,
                 {Axes{Oc()}, With(Oc() + 1, OfWeights(taps_)), Axes{}}});
  }

  // Of all groups.
  Product BackwardBias() const {
    Axes all{0};
    for (int axis = 2; axis < view_.dst.rank; ++axis) all.push_back(axis);
    return Make({Position(spi::kArgDiffDst), view_.dst, {Axes{1}, Axes{}, all}}, {},
                {Position(spi::kArgDiffBias), *view_.bias, {Axes{0}, Axes{}, Axes{}}});
  }

  int Position(int argument) const { return spi::Find(operation_, argument); }
  const spi::ConvolutionView& view() const { return view_; }

 private:
  static Product Make(const Operand& a, const Operand& b, const Operand& c) {
    Product product;
    product.primitive = "convolution";
    product.operands[kA] = a;
    product.operands[kB] = b;
    product.operands[kC] = c;
    return product;
  }

  static Axes With(int axis, const Axes& axes) {
    Axes all{axis};
    all.insert(all.end(), axes.begin(), axes.end());
    return all;
  }

  const spi::ConvolutionAxis& AxisAt(int d) const {
    return view_.axes[static_cast<size_t>(3 - view_.spatial + d)];
  }

  // The axis of the output channels in weights; that of the input channels is the next.
  int Oc() const { return view_.grouped ? 1 : 0; }
  Axes OfWeights(const Axes& axes) const {
    Axes moved;
    for (const int axis : axes) moved.push_back(axis + Oc());
    return moved;
  }

  // What is read of the source.
  spi::Layout Source() const {
    spi::Layout source = view_.src;
    for (int d = 0; d < view_.spatial; ++d) {
      const spi::ConvolutionAxis& axis = AxisAt(d);
      const auto at = static_cast<size_t>(2 + d);
      source.dims[at] = StepsOf(axis);
      if (StepsOf(axis) > 1) source.strides[at] *= StepOf(axis);
    }
    return source;
  }

  const spi::Operation& operation_;
  const spi::ConvolutionView view_;
  Axes rows_, taps_;  // of the source
};

}  // namespace

bool IsProduct(const spi::ConvolutionView& view) {
  if (view.groups != 1 || view.batch == 0) return false;
  for (int d = 0; d < view.spatial; ++d) {
    const spi::ConvolutionAxis& axis = view.axes[static_cast<size_t>(3 - view.spatial + d)];
    if (axis.input == 0 || axis.output == 0 || !IsProduct(view, 2 + d, axis)) return false;
  }
  return true;
}

absl::StatusOr<Product> ProductOf(const spi::Operation& operation) {
  const Maker maker(operation);
  const spi::ConvolutionView& view = maker.view();
  if (view.prop == spi::PropKind::kBackwardData) return maker.BackwardData();
  if (!spi::IsForward(view.prop)) return maker.BackwardWeights();
  Product product = maker.Forward();
  if (view.bias != nullptr) {
    product.operands[kBias] = {
        maker.Position(spi::kArgBias), *view.bias, {Axes{}, Axes{0}, Axes{}}};
  }
  absl::StatusOr<Epilogue> epilogue =
      EpilogueOf("convolution", operation.attributes.get(), view.bias != nullptr, view.dst.type);
  if (!epilogue.ok()) return epilogue.status();
  product.epilogue = *std::move(epilogue);
  product.scales_position = ScalesPosition(operation, product.epilogue);
  return product;
}

Product BiasProductOf(const spi::Operation& operation) { return Maker(operation).BackwardBias(); }

}  // namespace impl_vulkan
