#include "impl_cpu/convolution/plain.h"

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "impl_cpu/numeric/storage.h"
#include "impl_cpu/product/arguments.h"
#include "impl_cpu/product/finish_kernel.h"
#include "impl_cpu/product/product_plan.h"

namespace impl_cpu {
namespace {

using spi::DataType;
using Place = std::array<int64_t, 3>;

// Calls use(place) for each place of extents `of`, which is one of their fields.
template <typename Use>
void ForPlaces(const std::array<spi::ConvolutionAxis, 3>& axes, int64_t spi::ConvolutionAxis::*of,
               Use use) {
  Place at;
  for (at[0] = 0; at[0] < axes[0].*of; ++at[0])
    for (at[1] = 0; at[1] < axes[1].*of; ++at[1])
      for (at[2] = 0; at[2] < axes[2].*of; ++at[2]) use(at);
}

// The place of the source that `output` reads by `tap`; false: there is none.
bool InputOf(const std::array<spi::ConvolutionAxis, 3>& axes, const Place& output, const Place& tap,
             Place* input) {
  for (size_t j = 0; j < 3; ++j) {
    (*input)[j] = output[j] * axes[j].stride + tap[j] * axes[j].step - axes[j].padding;
    if ((*input)[j] < 0 || (*input)[j] >= axes[j].input) return false;
  }
  return true;
}

// The output that reads `input` by `tap`; false: there is none.
bool OutputOf(const std::array<spi::ConvolutionAxis, 3>& axes, const Place& input, const Place& tap,
              Place* output) {
  for (size_t j = 0; j < 3; ++j) {
    const int64_t at = input[j] + axes[j].padding - tap[j] * axes[j].step;
    if (at < 0 || at % axes[j].stride != 0) return false;
    (*output)[j] = at / axes[j].stride;
    if ((*output)[j] >= axes[j].output) return false;
  }
  return true;
}

// Of bytes where `integers`, which wraps where 32 bits do not hold it, else of floats.
struct Sum {
  double floats = 0;
  uint32_t integers = 0;
};

}  // namespace

// The storage of an execution.
struct PlainConvolution::Data {
  struct Side {
    const Tensor& tensor;
    std::byte* data;

    std::byte* At(int64_t a, int64_t b, int64_t c, const Place& place) const {
      int64_t at = tensor.offset + tensor.outer[0].OffsetOf(a) + tensor.outer[1].OffsetOf(b) +
                   tensor.outer[2].OffsetOf(c);
      for (size_t j = 0; j < 3; ++j) at += tensor.spatial[j].OffsetOf(place[j]);
      return data + at * spi::SizeOf(tensor.type);
    }
    // What index i of an axis adds to that.
    int64_t Along(size_t axis, int64_t i) const {
      return tensor.outer[axis].OffsetOf(i) * spi::SizeOf(tensor.type);
    }
  };

  Side src, weights, dst, bias;
  const float* scales;
  bool integers;

  void Add(const std::byte* a, DataType a_type, const std::byte* b, DataType b_type,
           Sum* sum) const {
    if (integers) {
      sum->integers += static_cast<uint32_t>(LoadInteger(a_type, a)) *
                       static_cast<uint32_t>(LoadInteger(b_type, b));
    } else {
      sum->floats +=
          static_cast<double>(LoadWidened(a_type, a)) * static_cast<double>(LoadWidened(b_type, b));
    }
  }
};

PlainConvolution::Tensor PlainConvolution::TensorOf(const spi::Operation& operation,
                                                    const spi::Layout& layout, int outer,
                                                    int spatial) {
  Tensor tensor;
  tensor.type = layout.type;
  tensor.buffer = PositionOf(operation, layout);
  tensor.offset = layout.offset;
  // The last ones, and what is in front of them stays one index.
  for (int j = 0; j < outer; ++j)
    tensor.outer[static_cast<size_t>(3 - outer + j)] = Index(layout, {j});
  for (int j = 0; j < spatial; ++j)
    tensor.spatial[static_cast<size_t>(3 - spatial + j)] = Index(layout, {outer + j});
  return tensor;
}

PlainConvolution::PlainConvolution(const spi::Operation& operation) {
  const spi::ConvolutionView view(operation);
  prop_ = view.prop;
  batch_ = view.batch;
  groups_ = view.groups;
  ic_ = view.ic;
  oc_ = view.oc;
  axes_ = view.axes;
  const DataType first = view.prop == spi::PropKind::kBackwardData ? view.dst.type : view.src.type;
  integers_ = IsByte(first);
  has_bias_ = view.bias != nullptr;
  src_ = TensorOf(operation, view.src, 2, view.spatial);
  weights_ = TensorOf(operation, view.weights, view.grouped ? 3 : 2, view.spatial);
  dst_ = TensorOf(operation, view.dst, 2, view.spatial);
  if (has_bias_) bias_ = TensorOf(operation, *view.bias, 1, 0);
  if (spi::IsForward(view.prop)) finish_ = FinishOf(operation, view.bias, view.dst);
}

void PlainConvolution::Run(spi::Buffers buffers) const {
  const auto at = [buffers](int buffer) { return DataOf(buffer, buffers); };
  const Data data = {{src_, at(src_.buffer)},    {weights_, at(weights_.buffer)},
                     {dst_, at(dst_.buffer)},    {bias_, at(bias_.buffer)},
                     ScalesOf(finish_, buffers), integers_};
  switch (prop_) {
    case spi::PropKind::kBackwardData:
      return BackwardData(data);
    case spi::PropKind::kBackwardWeights:
      BackwardWeights(data);
      if (has_bias_) BackwardBias(data);
      return;
    default:
      return Forward(data);
  }
}

void PlainConvolution::Forward(const Data& data) const {
  ColumnNumbers numbers = {};
  for (int64_t n = 0; n < batch_; ++n)
    for (int64_t channel = 0; channel < groups_ * oc_; ++channel) {
      const int64_t g = channel / oc_;
      ReadColumnNumbers(finish_, data.bias.data, data.scales, channel, 1, &numbers);
      ForPlaces(axes_, &spi::ConvolutionAxis::output, [&](const Place& output) {
        Sum sum;
        ForPlaces(axes_, &spi::ConvolutionAxis::kernel, [&](const Place& tap) {
          Place input;
          if (!InputOf(axes_, output, tap, &input)) return;
          const std::byte* const src = data.src.At(0, n, 0, input);
          const std::byte* const weights = data.weights.At(g, channel % oc_, 0, tap);
          for (int64_t c = 0; c < ic_; ++c)
            data.Add(src + data.src.Along(2, g * ic_ + c), src_.type,
                     weights + data.weights.Along(2, c), weights_.type, &sum);
        });
        std::byte* const to = data.dst.At(0, n, channel, output);
        const auto integer = static_cast<int32_t>(sum.integers);
        if (integers_ && finish_.exact) {
          const auto exact = static_cast<int32_t>(
              std::clamp<int64_t>(int64_t{integer} + numbers.exact_bias[0], INT32_MIN, INT32_MAX));
          std::memcpy(to, &exact, sizeof(exact));
        } else {
          FinishElement(finish_,
                        integers_ ? static_cast<float>(integer) : static_cast<float>(sum.floats),
                        numbers.bias[0], numbers.scales[0], dst_.type, to);
        }
      });
    }
}

void PlainConvolution::BackwardData(const Data& data) const {
  for (int64_t n = 0; n < batch_; ++n)
    for (int64_t channel = 0; channel < groups_ * ic_; ++channel) {
      const int64_t g = channel / ic_;
      ForPlaces(axes_, &spi::ConvolutionAxis::input, [&](const Place& input) {
        Sum sum;
        ForPlaces(axes_, &spi::ConvolutionAxis::kernel, [&](const Place& tap) {
          Place output;
          if (!OutputOf(axes_, input, tap, &output)) return;
          const std::byte* const dst = data.dst.At(0, n, 0, output);
          const std::byte* const weights = data.weights.At(g, 0, channel % ic_, tap);
          for (int64_t c = 0; c < oc_; ++c)
            data.Add(dst + data.dst.Along(2, g * oc_ + c), dst_.type,
                     weights + data.weights.Along(1, c), weights_.type, &sum);
        });
        StoreNarrowed(static_cast<float>(sum.floats), src_.type, data.src.At(0, n, channel, input));
      });
    }
}

void PlainConvolution::BackwardWeights(const Data& data) const {
  for (int64_t channel = 0; channel < groups_ * oc_; ++channel)
    for (int64_t c = 0; c < ic_; ++c)
      ForPlaces(axes_, &spi::ConvolutionAxis::kernel, [&](const Place& tap) {
        const int64_t g = channel / oc_;
        Sum sum;
        for (int64_t n = 0; n < batch_; ++n)
          ForPlaces(axes_, &spi::ConvolutionAxis::output, [&](const Place& output) {
            Place input;
            if (!InputOf(axes_, output, tap, &input)) return;
            data.Add(data.dst.At(0, n, channel, output), dst_.type,
                     data.src.At(0, n, g * ic_ + c, input), src_.type, &sum);
          });
        StoreNarrowed(static_cast<float>(sum.floats), weights_.type,
                      data.weights.At(g, channel % oc_, c, tap));
      });
}

void PlainConvolution::BackwardBias(const Data& data) const {
  for (int64_t channel = 0; channel < groups_ * oc_; ++channel) {
    double sum = 0;
    for (int64_t n = 0; n < batch_; ++n)
      ForPlaces(axes_, &spi::ConvolutionAxis::output, [&](const Place& output) {
        sum += static_cast<double>(LoadWidened(dst_.type, data.dst.At(0, n, channel, output)));
      });
    StoreNarrowed(static_cast<float>(sum), bias_.type, data.bias.At(0, 0, channel, {}));
  }
}

}  // namespace impl_cpu
