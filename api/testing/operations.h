// Operations as tests write them: fields that are set one by one, legal or not, and then an
// Operation where one is asked for.
#ifndef DNNSPEC_API_TESTING_OPERATIONS_H_
#define DNNSPEC_API_TESTING_OPERATIONS_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "api/convolution/operation.h"
#include "api/inner_product/operation.h"
#include "api/reorder/operation.h"
#include "api/shuffle/operation.h"
#include "api/spi/implementation.h"

namespace spi {

// The fields of ReorderView.
struct ReorderOperation {
  Layout src, dst;
  int scale_mask = 0;
  std::vector<float> scales;
  bool run_time_scales = false;
  int64_t scale_count = 1;
  bool has_sum = false;
  float beta = 0;
  DataType sum_type = DataType::kUndef;
  ZeroPoint src_zero_point, dst_zero_point;

  bool has_zero_points() const { return src_zero_point.present() || dst_zero_point.present(); }
  operator Operation() const;  // NOLINT(google-explicit-constructor)
};

// The fields of ShuffleView.
struct ShuffleOperation {
  bool forward = true;
  Layout from, to;
  int axis = 0;
  int64_t group_size = 1;

  operator Operation() const;  // NOLINT(google-explicit-constructor)
};

// What MakeInnerProduct takes.
struct InnerProductOperation {
  PropKind prop = PropKind::kForwardTraining;
  Layout src, weights, dst;
  std::optional<Layout> bias;
  Attributes attributes;

  operator Operation() const;  // NOLINT(google-explicit-constructor)
};

// What MakeConvolution takes.
struct ConvolutionOperation {
  PropKind prop = PropKind::kForwardTraining;
  ConvolutionParams params;
  Layout src, weights, dst;
  std::optional<Layout> bias;
  Attributes attributes;

  operator Operation() const;  // NOLINT(google-explicit-constructor)
};

// A reorder or a shuffle.
struct AnyOperation : std::variant<ReorderOperation, ShuffleOperation> {
  using variant::variant;
  operator Operation() const;  // NOLINT(google-explicit-constructor)
};

inline ReorderOperation::operator Operation() const {
  auto made = std::make_shared<Attributes>();
  Attributes& attributes = *made;
  if (scale_mask != 0 || !scales.empty() || run_time_scales) {
    Scales output;
    output.mask = scale_mask;
    output.run_time = run_time_scales;
    output.values.assign(scales.begin(), scales.end());
    attributes.scales.push_back(std::move(output));
  }
  for (const auto& [argument, zero] :
       {std::pair(kArgSrc, src_zero_point), std::pair(kArgDst, dst_zero_point)})
    if (zero.present()) attributes.zero_points.push_back({zero.value, zero.run_time, argument});
  if (has_sum) attributes.post_ops.push_back(SumOp{beta, sum_type});
  Operation operation = MakeReorder(src, dst, std::move(made));
  if (run_time_scales) operation.tensors[2].layout = Strided(DataType::kF32, {scale_count});
  return operation;
}

inline ShuffleOperation::operator Operation() const {
  return MakeShuffle(forward ? PropKind::kForwardTraining : PropKind::kBackwardData, from, to,
                     {axis, group_size});
}

inline InnerProductOperation::operator Operation() const {
  Operation operation = MakeInnerProduct(prop, src, weights, bias ? &*bias : nullptr, dst);
  SetAttributes(std::make_shared<const Attributes>(attributes), &operation);
  return operation;
}

inline ConvolutionOperation::operator Operation() const {
  Operation operation = MakeConvolution(prop, params, src, weights, bias ? &*bias : nullptr, dst);
  SetAttributes(std::make_shared<const Attributes>(attributes), &operation);
  return operation;
}

inline AnyOperation::operator Operation() const {
  return std::visit([](const auto& operation) -> Operation { return operation; },
                    static_cast<const variant&>(*this));
}

// The plan of an engine, of whose answer a test wants nothing else.
inline absl::StatusOr<std::shared_ptr<const Plan>> PlanOf(Engine& engine,
                                                          const Operation& operation,
                                                          int candidate = 0) {
  absl::StatusOr<Planned> planned = engine.MakePlan({operation, nullptr, candidate});
  if (!planned.ok()) return planned.status();
  return std::move(planned->plan);
}

inline absl::StatusOr<std::shared_ptr<const Plan>> TransferPlanOf(Engine& engine,
                                                                  const Operation& operation,
                                                                  Engine& src, Engine& dst) {
  absl::StatusOr<Planned> planned = engine.MakeTransferPlan({operation, nullptr, 0}, src, dst);
  if (!planned.ok()) return planned.status();
  return std::move(planned->plan);
}

// A buffer that stands for an argument.
struct Argument {
  int index;  // DNNL_ARG_
  Buffer* buffer;
};

// Of `arguments`, those that are tensors of `operation`, in their order.
inline std::vector<Buffer*> BuffersOf(const Operation& operation,
                                      absl::Span<const Argument> arguments) {
  std::vector<Buffer*> buffers;
  for (const TensorArg& tensor : operation.tensors)
    for (const Argument& argument : arguments)
      if (argument.index == tensor.argument) buffers.push_back(argument.buffer);
  return buffers;
}

}  // namespace spi

#endif  // DNNSPEC_API_TESTING_OPERATIONS_H_
