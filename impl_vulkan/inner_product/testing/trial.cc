#include "impl_vulkan/inner_product/testing/trial.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "api/spi/attributes.h"
#include "impl_vulkan/testing/device.h"

namespace impl_vulkan {
namespace testing {
namespace {

using spi::DataType;

constexpr int64_t kGuardBytes = 16;

// A number through the formats' own conversions.
uint32_t Encode(DataType type, float value) {
  spi::ReorderOperation conversion;
  conversion.src.type = DataType::kF32;
  conversion.dst.type = type;
  uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  return Expected(conversion, bits, 1, 0);
}

float Decode(DataType type, uint32_t bits) {
  spi::ReorderOperation conversion;
  conversion.src.type = type;
  conversion.dst.type = DataType::kF32;
  const uint32_t f32 = Expected(conversion, bits, 1, 0);
  float value = 0;
  std::memcpy(&value, &f32, sizeof value);
  return value;
}

float Round(double value) { return static_cast<float>(value); }

// One element of a tensor by its logical coordinates.
float At(const Bytes& bytes, const spi::Layout& layout, const spi::Dims& x) {
  return Decode(layout.type, Load(bytes, layout.type, spi::OffsetOf(layout, x)));
}

float Eltwise(const spi::EltwiseOp& op, float v) {
  using spi::Algorithm;
  switch (op.algorithm) {
    case Algorithm::kEltwiseRelu:
      return v > 0 ? v : op.alpha == 0 ? 0 : op.alpha * v;
    case Algorithm::kEltwiseLinear:
      return Round(Round(double{op.alpha} * v) + double{op.beta});
    case Algorithm::kEltwiseAbs:
      return std::fabs(v);
    case Algorithm::kEltwiseSquare:
      return Round(double{v} * v);
    case Algorithm::kEltwiseClip:
    case Algorithm::kEltwiseClipV2:
      return std::min(std::max(v, op.alpha), op.beta);
    case Algorithm::kEltwiseBoundedRelu:
      return std::min(std::max(v, 0.0f), op.alpha);
    case Algorithm::kEltwiseRound:
      return std::nearbyint(v);
    default:
      ADD_FAILURE() << "no function " << static_cast<int>(op.algorithm);
      return v;
  }
}

// Everything behind the sum of products; `old` is the destination's element, as bits.
float Finish(const spi::Operation& operation, const std::vector<Bytes>& tensors, double sum,
             int64_t channel, uint32_t old) {
  const spi::InnerProductView view(operation);
  float v = Round(sum);
  if (view.bias != nullptr) {
    const auto bias = static_cast<size_t>(spi::Find(operation, spi::kArgBias));
    v = Round(double{v} + At(tensors[bias], *view.bias, {channel}));
  }
  if (operation.attributes == nullptr) return v;
  for (const spi::Scales& scales : operation.attributes->scales) {
    const auto index = static_cast<size_t>(scales.mask == 0 ? 0 : channel);
    const int table = spi::Find(operation, spi::kArgOutputScales);
    v *= scales.run_time ? At(tensors[static_cast<size_t>(table)],
                              spi::Strided(DataType::kF32, {1}), {static_cast<int64_t>(index)})
                         : scales.values[index];
  }
  for (const spi::PostOp& op : operation.attributes->post_ops) {
    if (const auto* const sum_op = std::get_if<spi::SumOp>(&op)) {
      const DataType type = sum_op->type == DataType::kUndef ? view.dst.type : sum_op->type;
      if (sum_op->scale != 0) {
        v = Round(double{v} + Round(double{sum_op->scale} * Decode(type, old)));
      }
    } else {
      const auto& eltwise = std::get<spi::EltwiseOp>(op);
      v = Round(double{eltwise.scale} * Eltwise(eltwise, v));
    }
  }
  return v;
}

// x without its first coordinate is that of weights and of the source.
spi::Dims With(int64_t first, spi::Dims x) {
  x[0] = first;
  return x;
}

// The tensors that the formulas name, whatever the direction calls them.
class Formula {
 public:
  explicit Formula(ProductTrial* trial) : trial_(*trial), view_(trial->operation) {}

  void Run() {
    if (spi::IsForward(view_.prop)) {
      Write(spi::kArgDst, view_.dst, [&](const spi::Dims& x) { return Forward(x[0], x[1]); });
    } else if (view_.prop == spi::PropKind::kBackwardData) {
      Write(spi::kArgDiffSrc, view_.src, [&](const spi::Dims& x) {
        double sum = 0;
        for (int64_t oc = 0; oc < view_.dst.dims[1]; ++oc) {
          sum += double{Read(spi::kArgDiffDst, {x[0], oc})} * Read(spi::kArgWeights, With(oc, x));
        }
        return Encode(view_.src.type, Round(sum));
      });
    } else {
      Write(spi::kArgDiffWeights, view_.weights, [&](const spi::Dims& x) {
        double sum = 0;
        for (int64_t n = 0; n < view_.dst.dims[0]; ++n) {
          sum += double{Read(spi::kArgDiffDst, {n, x[0]})} * Read(spi::kArgSrc, With(n, x));
        }
        return Encode(view_.weights.type, Round(sum));
      });
      if (view_.bias == nullptr) return;
      Write(spi::kArgDiffBias, *view_.bias, [&](const spi::Dims& x) {
        double sum = 0;
        for (int64_t n = 0; n < view_.dst.dims[0]; ++n) sum += Read(spi::kArgDiffDst, {n, x[0]});
        return Encode(view_.bias->type, Round(sum));
      });
    }
  }

 private:
  size_t Position(int argument) const {
    return static_cast<size_t>(spi::Find(trial_.operation, argument));
  }

  float Read(int argument, const spi::Dims& x) const {
    return At(trial_.before[Position(argument)], spi::LayoutOf(trial_.operation, argument), x);
  }

  uint32_t Forward(int64_t n, int64_t oc) const {
    spi::Layout inputs = view_.weights;
    inputs.dims[0] = 1;
    double sum = 0;
    ForEach(inputs, [&](const spi::Dims& x) {
      sum += double{Read(spi::kArgSrc, With(n, x))} * Read(spi::kArgWeights, With(oc, x));
    });
    const Bytes& before = trial_.before[Position(spi::kArgDst)];
    const uint32_t old = Load(before, view_.dst.type, spi::OffsetOf(view_.dst, {n, oc}));
    return Encode(view_.dst.type, Finish(trial_.operation, trial_.before, sum, oc, old));
  }

  void Write(int argument, const spi::Layout& layout,
             const std::function<uint32_t(const spi::Dims& x)>& element) {
    Bytes& after = trial_.after[Position(argument)];
    if (spi::IsEmpty(layout)) return;
    const spi::Layout whole = WithPadding(layout);
    ForEach(whole,
            [&](const spi::Dims& x) { Store(&after, layout.type, spi::OffsetOf(whole, x), 0); });
    ForEach(layout, [&](const spi::Dims& x) {
      Store(&after, layout.type, spi::OffsetOf(layout, x), element(x));
    });
  }

  ProductTrial& trial_;
  const spi::InnerProductView view_;
};

// The types of source, weights, bias and destination.
struct Types {
  DataType src, weights, bias, dst;
};

Types RandomTypes(Generator* generator, spi::PropKind prop) {
  constexpr DataType kFloats[] = {DataType::kF32, DataType::kF32, DataType::kBF16, DataType::kF16};
  constexpr DataType kBytes[] = {DataType::kU8, DataType::kS8};
  constexpr DataType kResults[] = {DataType::kS32, DataType::kF32, DataType::kBF16, DataType::kU8,
                                   DataType::kS8};
  if (spi::IsForward(prop) && generator->OneIn(3)) {
    return {generator->OneOf(kBytes), DataType::kS8, generator->OneOf(kResults),
            generator->OneOf(kResults)};
  }
  const DataType factor = generator->OneOf(kFloats);
  const auto result = [&] { return generator->OneIn(2) ? factor : DataType::kF32; };
  Types types{factor, factor, result(), factor};
  (spi::IsForward(prop)                   ? types.dst
   : prop == spi::PropKind::kBackwardData ? types.src
                                          : types.weights) = result();
  return types;
}

spi::PostOp RandomEltwise(Generator* generator) {
  using spi::Algorithm;
  constexpr Algorithm kAlgorithms[] = {
      Algorithm::kEltwiseRelu,   Algorithm::kEltwiseRelu,        Algorithm::kEltwiseLinear,
      Algorithm::kEltwiseAbs,    Algorithm::kEltwiseSquare,      Algorithm::kEltwiseClip,
      Algorithm::kEltwiseClipV2, Algorithm::kEltwiseBoundedRelu, Algorithm::kEltwiseRound};
  constexpr float kFactors[] = {1, 1, 0.5f, -1, 2};
  spi::EltwiseOp op;
  op.algorithm = generator->OneOf(kAlgorithms);
  op.scale = generator->OneOf(kFactors);
  op.alpha = op.algorithm == Algorithm::kEltwiseRelu && generator->OneIn(2)
                 ? 0
                 : generator->OneOf(kFactors);
  op.beta = static_cast<float>(generator->Below(9)) + op.alpha;
  return op;
}

std::shared_ptr<const spi::Attributes> RandomAttributes(Generator* generator, DataType destination,
                                                        int64_t channels) {
  constexpr float kFactors[] = {1, 0.5f, -1, 2, 0};
  auto attributes = std::make_shared<spi::Attributes>();
  if (generator->OneIn(3)) {
    spi::Scales scales;
    scales.mask = generator->OneIn(2) ? 2 : 0;
    scales.run_time = generator->OneIn(3);
    const int64_t count = scales.mask == 0 ? 1 : channels;
    for (int64_t i = 0; i < count && !scales.run_time; ++i) {
      scales.values.push_back(generator->OneOf(kFactors));
    }
    attributes->scales.push_back(scales);
  }
  for (int i = 0; i < 3; ++i) {
    if (!generator->OneIn(3)) continue;
    if (generator->OneIn(2)) {
      const bool as_signed = destination == DataType::kU8 && attributes->post_ops.empty();
      attributes->post_ops.push_back(
          spi::SumOp{generator->OneOf(kFactors), as_signed ? DataType::kS8 : DataType::kUndef});
      break;
    }
    attributes->post_ops.push_back(RandomEltwise(generator));
  }
  return attributes;
}

Shape RandomShape(Generator* generator, int64_t most_products) {
  constexpr int64_t kBatches[] = {1, 2, 3, 7, 16, 17, 33};
  constexpr int64_t kChannels[] = {1, 2, 3, 5, 8, 16, 17, 19, 33, 40};
  Shape shape{
      generator->OneOf(kBatches), generator->OneOf(kChannels), {generator->OneOf(kChannels)}};
  const uint32_t spatial = generator->OneIn(2) ? 0 : 1 + generator->Below(3);
  for (uint32_t i = 0; i < spatial; ++i) shape.inputs.push_back(1 + generator->Below(5));
  int64_t products = shape.n * shape.oc;
  for (const int64_t input : shape.inputs) products *= input;
  for (int64_t* const size : {&shape.oc, &shape.n, shape.inputs.data()}) {
    if (products <= most_products) break;
    products /= *size;
    *size = 1 + *size / 4;
    products *= *size;
  }
  if (generator->OneIn(30)) shape.n = 0;
  return shape;
}

}  // namespace

std::vector<int64_t> Shape::src() const {
  std::vector<int64_t> dims = {n};
  dims.insert(dims.end(), inputs.begin(), inputs.end());
  return dims;
}

std::vector<int64_t> Shape::weights() const {
  std::vector<int64_t> dims = src();
  dims[0] = oc;
  return dims;
}

ProductTrial TrialOf(const spi::Operation& operation, uint32_t seed) {
  Generator generator(seed + 77777);
  ProductTrial trial;
  trial.operation = operation;
  for (const spi::TensorArg& tensor : operation.tensors) {
    const DataType type = tensor.layout.type;
    const int64_t bytes = ExtentOf(tensor.layout) * spi::SizeOf(type) + kGuardBytes;
    Bytes data = generator.Data(DataType::kU8, bytes);
    ForEach(tensor.layout, [&](const spi::Dims& x) {
      constexpr float kPowers[] = {0.5f, 1, 2, -1};
      const auto value = static_cast<float>(generator.Below(9)) -
                         static_cast<float>(type == DataType::kU8 ? 0 : 4);
      const bool scale = tensor.argument == spi::kArgOutputScales;
      Store(&data, type, spi::OffsetOf(tensor.layout, x),
            Encode(type, scale ? generator.OneOf(kPowers) : value));
    });
    trial.before.push_back(std::move(data));
  }
  trial.after = trial.before;
  Formula(&trial).Run();
  return trial;
}

ProductTrial RandomProduct(uint32_t seed, int64_t most_products) {
  Generator generator(seed);
  constexpr spi::PropKind kProps[] = {
      spi::PropKind::kForwardTraining, spi::PropKind::kForwardInference,
      spi::PropKind::kBackwardData, spi::PropKind::kBackwardWeights};
  const spi::PropKind prop = generator.OneOf(kProps);
  const bool forward = spi::IsForward(prop), data = prop == spi::PropKind::kBackwardData;
  const Types types = RandomTypes(&generator, prop);
  const Shape shape = RandomShape(&generator, most_products);
  const auto layout = [&](DataType type, const std::vector<int64_t>& dims, bool written) {
    if (generator.OneIn(3)) return spi::Strided(type, dims);
    return generator.Layout(type, dims, generator.OneIn(3), !written && generator.OneIn(6));
  };
  const spi::Layout src = layout(types.src, shape.src(), data),
                    weights = layout(types.weights, shape.weights(), !forward && !data),
                    dst = layout(types.dst, {shape.n, shape.oc}, forward),
                    bias = layout(types.bias, {shape.oc}, !forward);
  const bool has_bias = !data && generator.OneIn(2);
  spi::Operation operation =
      spi::MakeInnerProduct(prop, src, weights, has_bias ? &bias : nullptr, dst);
  if (forward && generator.OneIn(2)) {
    spi::SetAttributes(RandomAttributes(&generator, types.dst, shape.oc), &operation);
  }
  return TrialOf(operation, seed);
}

std::string Run(spi::Engine& engine, const ProductTrial& trial, int candidate) {
  const absl::StatusOr<spi::Planned> planned =
      engine.MakePlan({trial.operation, nullptr, candidate});
  if (!planned.ok()) return std::string(planned.status().message());
  std::vector<std::shared_ptr<spi::Buffer>> owned;
  for (const Bytes& bytes : trial.before) owned.push_back(Upload(engine, bytes));
  if (planned->scratchpad_bytes > 0) {
    owned.push_back(Upload(engine, Bytes(planned->scratchpad_bytes, 0xff)));  // of NaNs
  }
  std::vector<spi::Buffer*> buffers;
  for (const auto& buffer : owned) buffers.push_back(buffer.get());
  const auto stream = engine.MakeStream(spi::kInOrder);
  if (!stream.ok()) return std::string(stream.status().message());
  // Twice: the second time the commands are there already. Sums then find what came out.
  const bool sums = spi::LayoutOf(trial.operation, spi::kArgDst).kind != spi::LayoutKind::kNone &&
                    trial.operation.attributes != nullptr;
  for (int round = 0; round < (sums ? 1 : 2); ++round) {
    absl::Status status = planned->plan->Execute(**stream, buffers);
    if (status.ok()) status = (*stream)->Wait();
    if (!status.ok()) return std::string(status.message());
  }
  for (size_t i = 0; i < trial.after.size(); ++i) {
    const std::string difference =
        Difference(Download(*owned[i], trial.after[i].size()), trial.after[i]);
    if (difference.empty()) continue;
    return absl::StrCat(difference, " of argument ", trial.operation.tensors[i].argument, " in ",
                        planned->plan->Describe(), ", ",
                        spi::ToString(trial.operation.tensors[i].layout));
  }
  return "";
}

}  // namespace testing
}  // namespace impl_vulkan
