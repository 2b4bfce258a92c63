// A step of training of one convolution on a picture: it learns to see what another one sees.
//
//   dst = layer(picture), diff_dst = dst - target       the gradient of |dst - target|^2 / 2
//   backward data, backward weights                     with the forward primitive as hint
//   weights -= rate * diff_weights, bias likewise       reorders with a scale and a sum
//
//   training_step [FILE.ppm]
//
// Runs it with the layouts that the library chooses, which it shows, and row-major, on the CPU and
// on a GPU if there is one; prints both times, and how far the weights moved. Each direction may
// choose other layouts for the same tensor. Exits with status 1 if an element differs from that of
// plain loops, the loss does not fall, or FILE is so large that sums would not be exact; 2 if it
// cannot be read.
#include <cmath>
#include <exception>
#include <iostream>
#include <random>
#include <stdexcept>
#include <string>

#include "network/plain.h"
#include "network/steps.h"
#include "oneapi/dnnl/dnnl.hpp"

namespace {

using dnnl::memory;
using network::Layouts;
using network::Steps;
using network::View;

constexpr auto kDirect = dnnl::algorithm::convolution_direct;
constexpr int kRuns = 21;

// All tensors are of whole numbers but the last two, which are rounded once each.
struct Results {
  plain::Tensor dst, diff_src, diff_weights, diff_bias, weights, bias;
};

struct Task {
  plain::Convolution layer;
  plain::Tensor picture, target;
  float rate;
};

struct Views {
  View dst, diff_src, diff_weights, diff_bias, weights, bias;
};

// `rate` is a power of two, so that only the last sum rounds, and small enough for any picture.
Task MakeTask(const plain::Tensor& picture) {
  std::mt19937 random(1986);
  const auto layer = [&random] {
    return plain::Convolution{"layer", plain::Integers({32, 3, 3, 3}, &random),
                              plain::Integers({32}, &random), 2, 1};
  };
  const plain::Convolution teacher = layer();
  const plain::Tensor target = Forward(teacher, picture);
  // Each pixel is seen by at most 9 taps: a bound of the second derivatives.
  double bound = static_cast<double>(plain::Elements(target.dims)) / 32;
  for (float value : picture.values) bound += 9.0 * value * value;
  return {layer(), picture, target, std::exp2(-std::ceil(std::log2(static_cast<float>(bound))))};
}

double Norm(const plain::Tensor& a, const plain::Tensor& b) {
  double sum = 0;
  for (size_t i = 0; i < a.values.size(); ++i) {
    sum += std::pow(static_cast<double>(a.values[i]) - b.values[i], 2);
  }
  return std::sqrt(sum);
}

plain::Tensor Moved(const plain::Tensor& from, const plain::Tensor& gradient, float rate) {
  plain::Tensor to = from;
  for (size_t i = 0; i < to.values.size(); ++i) to.values[i] -= rate * gradient.values[i];
  return to;
}

Results Expected(const Task& task) {
  const plain::Tensor dst = Forward(task.layer, task.picture);
  const plain::Gradients by = Backward(task.layer, task.picture, Moved(dst, task.target, 1));
  return {dst,
          by.src,
          by.weights,
          by.bias,
          Moved(task.layer.weights, by.weights, task.rate),
          Moved(task.layer.bias, by.bias, task.rate)};
}

using Hint = dnnl::convolution_forward::primitive_desc;

// Adds forward propagation, and holds what the backward directions need of it.
struct Forwarded {
  Hint pd;
  View src, weights, bias, dst;
};

Forwarded AddForward(const Task& task, const memory::dims& strides, const memory::dims& padding,
                     Steps* steps) {
  const plain::Convolution& layer = task.layer;
  const dnnl::convolution_forward::desc desc(
      dnnl::prop_kind::forward_training, kDirect, steps->Open(task.picture.dims),
      steps->Open(layer.weights.dims), steps->Open(layer.bias.dims), steps->Open(task.target.dims),
      strides, padding, padding);
  const Hint pd(desc, steps->engine());
  const View pixels = steps->Put(task.picture, network::RowMajor(task.picture.dims));
  const Forwarded made{pd, steps->As("src", pixels, pd.src_desc()),
                       steps->Put(layer.weights, pd.weights_desc()),
                       steps->Put(layer.bias, pd.bias_desc()), steps->New(pd.dst_desc())};
  steps->Add(dnnl::convolution_forward(pd), {{DNNL_ARG_SRC, made.src.buffer},
                                             {DNNL_ARG_WEIGHTS, made.weights.buffer},
                                             {DNNL_ARG_BIAS, made.bias.buffer},
                                             {DNNL_ARG_DST, made.dst.buffer}});
  steps->Show("weights", pd.weights_desc());
  steps->Show("dst", pd.dst_desc());
  steps->EndLayer("forward", pd.impl_info_str());
  return made;
}

View AddBackwardData(const Forwarded& forward, const View& diff_dst, const memory::dims& strides,
                     const memory::dims& padding, Steps* steps) {
  const dnnl::convolution_backward_data::desc desc(
      kDirect, steps->Open(forward.src.desc.dims()), steps->Open(forward.weights.desc.dims()),
      steps->Open(diff_dst.desc.dims()), strides, padding, padding);
  const dnnl::convolution_backward_data::primitive_desc pd(desc, steps->engine(), forward.pd);
  const View gradient = steps->As("diff_dst", diff_dst, pd.diff_dst_desc());
  const View weights = steps->As("weights", forward.weights, pd.weights_desc());
  const View diff_src = steps->New(pd.diff_src_desc());
  steps->Add(dnnl::convolution_backward_data(pd), {{DNNL_ARG_DIFF_DST, gradient.buffer},
                                                   {DNNL_ARG_WEIGHTS, weights.buffer},
                                                   {DNNL_ARG_DIFF_SRC, diff_src.buffer}});
  steps->Show("diff_src", diff_src.desc);
  steps->EndLayer("backward data", pd.impl_info_str());
  return diff_src;
}

struct ByWeights {
  View weights, bias;
};

ByWeights AddBackwardWeights(const Forwarded& forward, const View& diff_dst,
                             const memory::dims& strides, const memory::dims& padding,
                             Steps* steps) {
  const dnnl::convolution_backward_weights::desc desc(
      kDirect, steps->Open(forward.src.desc.dims()), steps->Open(forward.weights.desc.dims()),
      steps->Open(forward.bias.desc.dims()), steps->Open(diff_dst.desc.dims()), strides, padding,
      padding);
  const dnnl::convolution_backward_weights::primitive_desc pd(desc, steps->engine(), forward.pd);
  const View src = steps->As("src", forward.src, pd.src_desc());
  const View gradient = steps->As("diff_dst", diff_dst, pd.diff_dst_desc());
  const ByWeights by{steps->New(pd.diff_weights_desc()), steps->New(pd.diff_bias_desc())};
  steps->Add(dnnl::convolution_backward_weights(pd), {{DNNL_ARG_SRC, src.buffer},
                                                      {DNNL_ARG_DIFF_DST, gradient.buffer},
                                                      {DNNL_ARG_DIFF_WEIGHTS, by.weights.buffer},
                                                      {DNNL_ARG_DIFF_BIAS, by.bias.buffer}});
  steps->Show("diff_weights", by.weights.desc);
  steps->EndLayer("back. weights", pd.impl_info_str());
  return by;
}

// A new tensor: from + scale * gradient, whatever the layout of `gradient`. `from` stays, so that
// the steps may run again.
View AddMove(const View& from, const View& gradient, float scale, Steps* steps) {
  const View to = steps->New(from.desc);
  steps->Reorder(from, to);
  steps->Accumulate(gradient, to, scale);
  return to;
}

Views Build(const Task& task, Steps* steps) {
  const memory::dims strides(2, task.layer.stride), padding(2, task.layer.padding);
  const Forwarded forward = AddForward(task, strides, padding, steps);
  const View target = steps->Put(task.target, network::RowMajor(task.target.dims));
  const View diff_dst = AddMove(forward.dst, target, -1, steps);
  const View diff_src = AddBackwardData(forward, diff_dst, strides, padding, steps);
  const ByWeights by = AddBackwardWeights(forward, diff_dst, strides, padding, steps);
  return {forward.dst,
          diff_src,
          by.weights,
          by.bias,
          AddMove(forward.weights, by.weights, -task.rate, steps),
          AddMove(forward.bias, by.bias, -task.rate, steps)};
}

Results Get(const Views& views, Steps* steps) {
  return {steps->Get(views.dst),       steps->Get(views.diff_src), steps->Get(views.diff_weights),
          steps->Get(views.diff_bias), steps->Get(views.weights),  steps->Get(views.bias)};
}

int64_t Different(const Results& a, const Results& b) {
  int64_t different = 0;
  for (const auto tensor : {&Results::dst, &Results::diff_src, &Results::diff_weights,
                            &Results::diff_bias, &Results::weights, &Results::bias}) {
    different += plain::Different(a.*tensor, b.*tensor);
  }
  return different;
}

int64_t Judge(const dnnl::engine& engine, const Task& task, const Results& expected) {
  std::cout << network::Name(engine) << ", layouts that the library chooses:\n";
  Steps chosen(engine, Layouts::kAny, true), rows(engine, Layouts::kPlain, false);
  const Views by_choice = Build(task, &chosen), by_rows = Build(task, &rows);
  const double fast = chosen.MedianMilliseconds(kRuns), slow = rows.MedianMilliseconds(kRuns);
  const Results a = Get(by_choice, &chosen), b = Get(by_rows, &rows);
  const int64_t wrong = Different(a, expected) + Different(b, expected) + Different(a, b);
  std::cout << "  chosen " << fast << " ms, row-major " << slow << " ms, ratio " << slow / fast
            << "\n  weights moved by " << Norm(a.weights, task.layer.weights) << ", bias by "
            << Norm(a.bias, task.layer.bias) << "\n  " << wrong << " comparisons fail\n";
  return wrong;
}

int Run(const plain::Tensor& picture) {
  Task task = MakeTask(picture);
  const Results expected = Expected(task);
  int64_t wrong = 0;
  for (const dnnl::engine& engine : network::Engines()) wrong += Judge(engine, task, expected);

  const double before = Norm(expected.dst, task.target);
  task.layer.weights = expected.weights;
  task.layer.bias = expected.bias;
  const double after = Norm(Forward(task.layer, picture), task.target);
  std::cout << "distance from the target: " << before << ", then " << after << "\n";
  return wrong == 0 && after < before ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  plain::Tensor picture;
  try {
    picture = plain::ReadPicture(argc > 1 ? argv[1] : "network/page.ppm");
  } catch (const std::runtime_error& error) {
    std::cerr << "training_step: " << error.what() << "\n";
    return 2;
  }
  try {
    return Run(picture);
  } catch (const std::exception& error) {
    std::cerr << "training_step: " << error.what() << "\n";
    return 1;
  }
}
