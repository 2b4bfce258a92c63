#include "products.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "api/convolution/operation.h"
#include "api/inner_product/operation.h"
#include "api/spi/operation.h"
#include "api/spi/signatures.h"

namespace scalar {
namespace {

using spi::Layout;

// ---- tensors ----

// Calls f(x) with the coordinates of each element of a tensor.
template <typename F>
void ForEachElement(const Layout& layout, const F& f) {
  if (spi::IsEmpty(layout)) return;
  spi::Dims x{};
  for (int j = layout.rank; j >= 0;) {
    f(x);
    for (j = layout.rank - 1; j >= 0 && ++x[j] == layout.dims[j]; --j) x[j] = 0;
    if (j < 0) return;
  }
}

// The tensors of an execution, forward or backward: gradients stand in the place of what they are
// of.
struct Tensors {
  const Layout *src, *weights, *bias, *dst;  // bias: null where there is none
  float *src_data, *weights_data, *bias_data, *dst_data;
};

float& At(const Layout& layout, float* data, const spi::Dims& x) {
  return data[spi::OffsetOf(layout, x)];
}

// ---- sums ----

// One term: dst += src * weights, or one of its derivatives.
void AddTerm(spi::PropKind prop, float* src, float* weights, float* dst) {
  if (prop == spi::PropKind::kBackwardData) {
    *src += *dst * *weights;
  } else if (prop == spi::PropKind::kBackwardWeights) {
    *weights += *dst * *src;
  } else {
    *dst += *src * *weights;
  }
}

void Zero(const Layout& layout, float* data) {
  ForEachElement(layout, [&](const spi::Dims& x) { At(layout, data, x) = 0; });
}

// What is computed holds its bias, or nothing, before the first term.
void Begin(spi::PropKind prop, const Tensors& t) {
  if (prop == spi::PropKind::kBackwardData) return Zero(*t.src, t.src_data);
  if (prop != spi::PropKind::kBackwardWeights) {
    return ForEachElement(*t.dst, [&](const spi::Dims& x) {
      At(*t.dst, t.dst_data, x) = t.bias == nullptr ? 0 : At(*t.bias, t.bias_data, {x[1]});
    });
  }
  Zero(*t.weights, t.weights_data);
  if (t.bias == nullptr) return;
  Zero(*t.bias, t.bias_data);
  ForEachElement(*t.dst, [&](const spi::Dims& x) {
    At(*t.bias, t.bias_data, {x[1]}) += At(*t.dst, t.dst_data, x);
  });
}

void InnerProduct(const spi::InnerProductView& op, const Tensors& t) {
  Begin(op.prop, t);
  ForEachElement(*t.weights, [&](const spi::Dims& x) {
    spi::Dims from = x;
    for (from[0] = 0; from[0] < t.src->dims[0]; ++from[0])
      AddTerm(op.prop, &At(*t.src, t.src_data, from), &At(*t.weights, t.weights_data, x),
              &At(*t.dst, t.dst_data, {from[0], x[0]}));
  });
}

void Convolution(const spi::ConvolutionView& op, const Tensors& t) {
  Begin(op.prop, t);
  const int first_axis = 3 - op.spatial;  // of op.axes
  ForEachElement(*t.dst, [&](const spi::Dims& to) {
    float* const dst = &At(*t.dst, t.dst_data, to);
    const int64_t group = to[1] / op.oc;
    // Of the weights without their output channels and groups: input channels and taps.
    Layout terms = *t.weights;
    const int skipped = op.grouped ? 2 : 1;
    terms.rank = static_cast<uint8_t>(op.spatial + 1);
    for (int j = 0; j < terms.rank; ++j) terms.dims[j] = t.weights->dims[j + skipped];
    ForEachElement(terms, [&](const spi::Dims& term) {
      spi::Dims from{to[0], group * op.ic + term[0]}, weights{};
      int k = 0;
      if (op.grouped) weights[k++] = group;
      weights[k++] = to[1] % op.oc;
      weights[k++] = term[0];
      for (int j = 0; j < op.spatial; ++j) {
        const spi::ConvolutionAxis& axis = op.axes[static_cast<size_t>(first_axis + j)];
        const int64_t at = to[j + 2] * axis.stride + term[j + 1] * axis.step - axis.padding;
        if (at < 0 || at >= axis.input) return;  // no such term
        from[j + 2] = at;
        weights[k++] = term[j + 1];
      }
      AddTerm(op.prop, &At(*t.src, t.src_data, from), &At(*t.weights, t.weights_data, weights),
              dst);
    });
  });
}

// ---- what api sees ----

class ProductPlan final : public spi::Plan {
 public:
  explicit ProductPlan(spi::Operation resolved) : operation_(std::move(resolved)) {}

  std::string Describe() const override { return "scalar:" + spi::ToString(operation_); }

  absl::Status Execute(spi::Stream&, spi::Buffers buffers) const override {
    if (operation_.kind == spi::PrimitiveKind::kInnerProduct) {
      const spi::InnerProductView product(operation_);
      InnerProduct(product, Of(product, buffers));
    } else {
      const spi::ConvolutionView convolution(operation_);
      Convolution(convolution, Of(convolution, buffers));
    }
    return absl::OkStatus();
  }

 private:
  // Views point into the operation, whose tensors are in the order of the buffers.
  template <typename View>
  Tensors Of(const View& view, spi::Buffers buffers) const {
    const auto data = [&](const Layout* layout) -> float* {
      for (size_t k = 0; k < operation_.tensors.size(); ++k)
        if (&operation_.tensors[k].layout == layout)
          return static_cast<float*>(buffers[k]->handle());
      return nullptr;
    };
    return {&view.src,       &view.weights,       view.bias,       &view.dst,
            data(&view.src), data(&view.weights), data(view.bias), data(&view.dst)};
  }

  const spi::Operation operation_;
};

Layout RowMajor(const Layout& open) {
  Layout layout = open;
  layout.kind = spi::LayoutKind::kStrided;
  int64_t stride = 1;
  for (int j = layout.rank - 1; j >= 0; --j) {
    layout.strides[j] = stride;
    stride *= layout.dims[j] > 0 ? layout.dims[j] : 1;
  }
  return layout;
}

}  // namespace

absl::StatusOr<spi::Planned> PlanProduct(const spi::Request& request) {
  spi::Operation resolved = request.operation;
  if (resolved.attributes != nullptr)
    return absl::UnimplementedError("scalar: products without attributes");
  spi::Planned planned;
  for (spi::TensorArg& tensor : resolved.tensors) {
    if (tensor.layout.kind == spi::LayoutKind::kAny)
      planned.chosen.push_back(tensor.layout = RowMajor(tensor.layout));
    if (tensor.layout.type != spi::DataType::kF32 || tensor.layout.block_count > 0 ||
        tensor.layout.kind != spi::LayoutKind::kStrided)
      return absl::UnimplementedError("scalar: products of f32 in plain layouts");
  }
  if (resolved.kind == spi::PrimitiveKind::kConvolution &&
      spi::ConvolutionView(resolved).params.algorithm == spi::ConvolutionAlgorithm::kWinograd)
    return absl::UnimplementedError("scalar: sums are made directly");
  planned.plan = std::make_shared<const ProductPlan>(std::move(resolved));
  return planned;
}

}  // namespace scalar
