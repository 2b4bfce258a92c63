// PRIM-051: inputs in one buffer, and the result beside them or between their elements.
#include <algorithm>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "conformance/case/property.h"
#include "conformance/model/cases.h"
#include "conformance/model/holder.h"
#include "conformance/subject/attempt.h"
#include "conformance/subject/device.h"
#include "oneapi/dnnl/dnnl.hpp"
#include "spec/requirements.h"

namespace conformance {
namespace {

using dnnl::memory;
using dnnl::prop_kind;
using Desc = memory::desc;

// A matrix in a buffer of floats.
struct Place {
  int64_t start = 0, rows = 1, columns = 1, pitch = 1;  // elements from row to row

  Desc desc() const { return Desc({rows, columns}, memory::data_type::f32, {pitch, 1}); }
  size_t At(int64_t row, int64_t column) const {
    return static_cast<size_t>(start + row * pitch + column);
  }
};

// A buffer of small integers, in which all arguments lie.
class Shared {
 public:
  Shared(int64_t size, Random& random, const Device& device) : device_(device) {
    for (int64_t k = 0; k < size; ++k) values_.push_back(static_cast<float>(random.Between(1, 9)));
    expected_ = values_;
  }

  float operator[](size_t at) const { return values_[at]; }
  void Expect(size_t at, float value) { expected_[at] = value; }

  memory As(const Desc& desc, int64_t start) {
    return memory(desc, device_.engine, values_.data() + start);
  }
  memory As(const Place& place) { return As(place.desc(), place.start); }

  void Judge(const dnnl::primitive& primitive, const std::unordered_map<int, memory>& arguments,
             const std::string& what, Trial& trial) {
    const auto done = Attempt([&] {
      primitive.execute(device_.stream, arguments);
      dnnl::stream(device_.stream).wait();
    });
    if (!trial.Expect(static_cast<bool>(done), "execute of " + what, "done",
                      done.refusal.ToString()))
      return;
    for (size_t k = 0; k < values_.size(); ++k)
      if (!trial.Expect(values_[k] == expected_[k],
                        "element " + std::to_string(k) + " of the buffer after " + what,
                        std::to_string(expected_[k]), std::to_string(values_[k])))
        return;
  }

 private:
  const Device& device_;
  std::vector<float> values_, expected_;
};

// Where a source and a destination of so many columns lie in one buffer: the destination behind it,
// or in the project profile (PRIM-050) in the same rows.
struct Pair {
  Place from, to;
  int64_t size = 0;
  bool interleaved = false;
};

Pair DrawPair(int64_t rows, int64_t columns, int64_t results, Random& random, const Trial& trial) {
  Pair pair;
  pair.interleaved = trial.project() && random.Chance(60);
  const int64_t gap = random.Between(0, 2);
  if (pair.interleaved) {
    const int64_t pitch = columns + results + 2 * gap;
    pair.from = {0, rows, columns, pitch};
    pair.to = {columns + gap, rows, results, pitch};
    if (random.Chance(50)) {
      pair.from.start = results + gap;
      pair.to.start = 0;
    }
    pair.size = rows * pitch;
  } else {
    pair.from = {0, rows, columns, columns + gap};
    pair.to = {rows * (columns + gap), rows, results, results};
    pair.size = pair.to.start + rows * results;
  }
  return pair;
}

// The scale that comes with the execution is an element of the source.
void ScaleInTheSource(Random& random, Device& device, Trial& trial) {
  const int64_t rows = random.Between(1, 8), columns = random.Between(1, 12);
  const Pair pair = DrawPair(rows, columns, columns, random, trial);
  const bool open = random.Chance(50);
  const auto made = Attempt([&] {
    dnnl::primitive_attr attr;
    attr.set_output_scales(0, {DNNL_RUNTIME_F32_VAL});
    const auto described = [&](const Place& place) {
      return open ? Desc({DNNL_RUNTIME_DIM_VAL, columns}, memory::data_type::f32, {place.pitch, 1})
                  : place.desc();
    };
    return dnnl::reorder(dnnl::reorder::primitive_desc(device.engine, described(pair.from),
                                                       device.engine, described(pair.to), attr));
  });
  if (!made && open) return trial.LeftOpen(made.refusal, "a scaled reorder with run-time shapes");
  if (!made)
    return trial.Refused(made.refusal, {"reorder", "", {"f32", "f32"}, 2, {"run-time scales"}});
  trial.Cover(open ? "scale of an open shape" : "scale");
  if (pair.interleaved) trial.Cover("interleaved");
  Shared shared(pair.size, random, device);
  const size_t scale = pair.from.At(random.Between(0, rows - 1), random.Between(0, columns - 1));
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < columns; ++j)
      shared.Expect(pair.to.At(i, j), shared[scale] * shared[pair.from.At(i, j)]);
  const Desc one({1}, memory::data_type::f32, memory::format_tag::x);
  shared.Judge(*made.value,
               {{DNNL_ARG_FROM, shared.As(pair.from)},
                {DNNL_ARG_TO, shared.As(pair.to)},
                {DNNL_ARG_ATTR_OUTPUT_SCALES, shared.As(one, static_cast<int64_t>(scale))}},
               "a reorder whose scale is in its source", trial);
}

// Weights, and a bias, among the elements of the source: other rows, the same, or some of both.
void WeightsInTheSource(Random& random, Device& device, Trial& trial) {
  using Product = dnnl::inner_product_forward;
  const int64_t rows = random.Between(1, 9), inputs = random.Between(1, 20);
  const int64_t outputs = random.Between(1, rows);
  const Pair pair = DrawPair(rows, inputs, outputs, random, trial);
  Place weights = pair.from;
  weights.rows = outputs;
  weights.start += random.Between(0, rows - outputs) * weights.pitch;
  const bool has_bias = inputs >= outputs && random.Chance(50);
  const int64_t bias = pair.from.start;
  const auto made = Attempt([&] {
    const Desc src = pair.from.desc(), dst = pair.to.desc();
    const auto op = has_bias
                        ? Product::desc(prop_kind::forward_inference, src, weights.desc(),
                                        Flat(spec::Type::kF32, outputs), dst)
                        : Product::desc(prop_kind::forward_inference, src, weights.desc(), dst);
    return Product(Product::primitive_desc(op, device.engine));
  });
  if (!made)
    return trial.Refused(made.refusal, {"inner_product", "forward", {"f32", "f32", "f32"}, 2, {}});
  trial.Cover("weights");
  if (pair.interleaved) trial.Cover("interleaved");
  Shared shared(pair.size, random, device);
  for (int64_t i = 0; i < rows; ++i) {
    for (int64_t o = 0; o < outputs; ++o) {
      float sum = has_bias ? shared[static_cast<size_t>(bias + o)] : 0;
      for (int64_t k = 0; k < inputs; ++k)
        sum += shared[pair.from.At(i, k)] * shared[weights.At(o, k)];
      shared.Expect(pair.to.At(i, o), sum);
    }
  }
  std::unordered_map<int, memory> arguments{{DNNL_ARG_SRC, shared.As(pair.from)},
                                            {DNNL_ARG_WEIGHTS, shared.As(weights)},
                                            {DNNL_ARG_DST, shared.As(pair.to)}};
  if (has_bias) arguments[DNNL_ARG_BIAS] = shared.As(Flat(spec::Type::kF32, outputs), bias);
  shared.Judge(*made.value, arguments, "an inner product whose weights are in its source", trial);
}

// Data and gradient are one tensor, in one memory or two.
void GradientIsTheData(Random& random, Device& device, Trial& trial) {
  using Forward = dnnl::eltwise_forward;
  using Backward = dnnl::eltwise_backward;
  const int64_t rows = random.Between(1, 8), columns = random.Between(1, 40);
  const Pair pair = DrawPair(rows, columns, columns, random, trial);
  constexpr auto kSquare = dnnl::algorithm::eltwise_square;
  // In rows of one pitch the result has the layout of the gradient.
  Place to = pair.to;
  if (to.pitch != pair.from.pitch) return trial.Vacuous();
  const auto made = Attempt([&] {
    const Desc data = pair.from.desc();
    const Forward::primitive_desc hint(
        Forward::desc(prop_kind::forward_training, kSquare, data, 0.f, 0.f), device.engine);
    return Backward(Backward::primitive_desc(Backward::desc(kSquare, data, data, 0.f, 0.f),
                                             device.engine, hint));
  });
  if (!made) return trial.Refused(made.refusal, {"eltwise", "backward", {"f32"}, 2, {}});
  trial.Cover("gradient");
  if (pair.interleaved) trial.Cover("interleaved");
  Shared shared(pair.size, random, device);
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < columns; ++j) {
      const float x = shared[pair.from.At(i, j)];
      shared.Expect(to.At(i, j), 2 * x * x);
    }
  const memory data = shared.As(pair.from);
  shared.Judge(*made.value,
               {{DNNL_ARG_SRC, data},
                {DNNL_ARG_DIFF_DST, random.Chance(50) ? data : shared.As(pair.from)},
                {DNNL_ARG_DIFF_SRC, shared.As(to)}},
               "an eltwise whose gradient is its data", trial);
}

void InputsMayShareABuffer(const SeedCase& c, Trial& trial) {
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  if (!device->on_host) return trial.NotRun("the engine takes no host pointers");
  Random random(Mix(c.seed));
  random.Pick({ScaleInTheSource, WeightsInTheSource, GradientIsTheData})(random, *device, trial);
}

const bool defined =
    Define(spec::PRIM_051, "", Seeds(), InputsMayShareABuffer, {"scale", "weights", "gradient"});

}  // namespace
}  // namespace conformance
