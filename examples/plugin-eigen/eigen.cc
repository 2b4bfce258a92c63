// A library of mathematics that knows nothing of tensors, as a plug-in: Eigen's kernels.
//
// From the root of the repository:
//   g++ -std=c++17 -O2 -shared -fPIC -fvisibility=hidden -I. -I/usr/include/eigen3
//       examples/plugin-eigen/eigen.cc -o libeigen.so
//   tools/conform --plugin=./libeigen.so --claims=examples/plugin-eigen/eigen.claims
//
// Every tensor is taken apart into matrices with two strides, which Eigen assigns, transposes and
// adds; an inner product is its matrix product. What is not translated is DNNSPEC_UNIMPLEMENTED.
#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <memory>
#include <new>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "api/spi/plugin_abi.h"

struct dnnspec_engine {};
struct dnnspec_stream {};
struct dnnspec_buffer {
  void* data;
  bool owned;
};

namespace {

// Why the last call of this thread was refused.
thread_local const char* why = nullptr;

dnnspec_status Refuse(dnnspec_status status, const char* text) {
  why = text;
  return status;
}

dnnspec_status Unimplemented(const char* text) { return Refuse(DNNSPEC_UNIMPLEMENTED, text); }

// ---- tensors ----

struct Axis {
  int64_t extent, stride;  // elements
};

// A plain layout: axes from the outermost on.
struct Tensor {
  int32_t type = 0;
  std::vector<Axis> axes;
  int64_t offset = 0;
};

bool IsEmpty(const Tensor& tensor) {
  return std::any_of(tensor.axes.begin(), tensor.axes.end(),
                     [](const Axis& axis) { return axis.extent == 0; });
}

int64_t Elements(const std::vector<Axis>& axes) {
  int64_t count = 1;
  for (const Axis& axis : axes) count *= axis.extent;
  return count;
}

// The tensor of an argument; nothing where it is absent, not plain, or newer than this plug-in.
std::optional<Tensor> Read(const dnnspec_operation& operation, int32_t argument) {
  const dnnspec_tensor* const found = dnnspec_find(&operation, argument);
  dnnspec_tensor tensor;
  if (found == nullptr || dnnspec_read(found, &tensor, sizeof(tensor)) == 0) return std::nullopt;
  const dnnspec_layout& layout = tensor.layout;
  if (layout.kind != DNNSPEC_LAYOUT_STRIDED || layout.block_count > 0) return std::nullopt;
  Tensor read;
  read.type = layout.data_type;
  read.offset = layout.offset;
  for (int32_t j = 0; j < layout.rank; ++j)
    read.axes.push_back({layout.dims[j], layout.strides[j]});
  return read;
}

template <typename T>
using Matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
template <typename T>
using View = Eigen::Map<
    std::conditional_t<std::is_const_v<T>, const Matrix<std::remove_const_t<T>>, Matrix<T>>,
    Eigen::Unaligned, Eigen::Stride<Eigen::Dynamic, Eigen::Dynamic>>;

template <typename T>
View<T> ViewOf(T* data, const Axis& rows, const Axis& columns) {
  return {data, rows.extent, columns.extent, {rows.stride, columns.stride}};
}

// Calls f(a, b) with the offsets of each index of the axes, which have equal extents.
template <typename F>
void ForEach(const std::vector<Axis>& a, const std::vector<Axis>& b, size_t axis, int64_t at_a,
             int64_t at_b, const F& f) {
  if (axis == a.size()) return f(at_a, at_b);
  for (int64_t i = 0; i < a[axis].extent; ++i)
    ForEach(a, b, axis + 1, at_a + i * a[axis].stride, at_b + i * b[axis].stride, f);
}

// Takes the two axes out of which matrices are made: the one that is densest in either.
struct Split {
  std::vector<Axis> outer_a, outer_b;
  std::array<Axis, 2> a = {{{1, 0}, {1, 0}}}, b = {{{1, 0}, {1, 0}}};
};

size_t Densest(const std::vector<Axis>& axes) {
  size_t best = 0;
  for (size_t j = 1; j < axes.size(); ++j)
    if (axes[best].extent == 1 || (axes[j].extent > 1 && axes[j].stride < axes[best].stride))
      best = j;
  return best;
}

Split SplitOf(std::vector<Axis> a, std::vector<Axis> b) {
  Split split;
  for (size_t k = 0; k < 2 && !a.empty(); ++k) {
    const size_t j = Densest(k == 0 ? a : b);
    split.a[1 - k] = a[j];
    split.b[1 - k] = b[j];
    a.erase(a.begin() + static_cast<ptrdiff_t>(j));
    b.erase(b.begin() + static_cast<ptrdiff_t>(j));
  }
  split.outer_a = std::move(a);
  split.outer_b = std::move(b);
  return split;
}

// f(matrix of a, matrix of b) for all of two tensors of equal extents.
template <typename T, typename F>
void ForMatrices(const T* a, const std::vector<Axis>& axes_a, T* b, const std::vector<Axis>& axes_b,
                 const F& f) {
  const Split split = SplitOf(axes_a, axes_b);
  ForEach(split.outer_a, split.outer_b, 0, 0, 0, [&](int64_t at_a, int64_t at_b) {
    f(ViewOf(a + at_a, split.a[0], split.a[1]), ViewOf(b + at_b, split.b[0], split.b[1]));
  });
}

template <typename T>
void Copy(const T* a, const std::vector<Axis>& axes_a, T* b, const std::vector<Axis>& axes_b) {
  ForMatrices(a, axes_a, b, axes_b, [](const auto& from, auto to) { to = from; });
}

// Axes of a dense tensor, the last one innermost.
std::vector<Axis> Dense(const std::vector<Axis>& axes) {
  std::vector<Axis> dense = axes;
  int64_t stride = 1;
  for (auto axis = dense.rbegin(); axis != dense.rend(); ++axis) {
    axis->stride = stride;
    stride *= std::max<int64_t>(axis->extent, 1);
  }
  return dense;
}

// Runs f with a pointer to an integer of the size of the type: what only moves is bits.
template <typename F>
void ForBits(int32_t type, const F& f) {
  if (type == DNNSPEC_U8 || type == DNNSPEC_S8) return f(static_cast<uint8_t*>(nullptr));
  if (type == DNNSPEC_F16 || type == DNNSPEC_BF16) return f(static_cast<uint16_t*>(nullptr));
  f(static_cast<uint32_t*>(nullptr));
}

template <typename T>
T* DataOf(const dnnspec_argument& argument, const Tensor& tensor) {
  return static_cast<T*>(argument.buffer->data) + tensor.offset;
}

}  // namespace

// What is done at execution, with arguments in the order of the operation's tensors.
struct dnnspec_plan {
  virtual ~dnnspec_plan() = default;
  virtual void Execute(const dnnspec_argument* arguments) const = 0;
};

namespace {

// ---- reorder ----

struct Reorder : dnnspec_plan {
  Tensor src, dst;
  float scale = 1, beta = 0;
  bool computes = false;

  void Execute(const dnnspec_argument* arguments) const override {
    if (!computes) {
      return ForBits(src.type, [&](auto* type) {
        using T = std::remove_pointer_t<decltype(type)>;
        Copy<T>(DataOf<T>(arguments[0], src), src.axes, DataOf<T>(arguments[1], dst), dst.axes);
      });
    }
    ForMatrices<float>(DataOf<float>(arguments[0], src), src.axes, DataOf<float>(arguments[1], dst),
                       dst.axes, [&](const auto& from, auto to) {
                         if (beta == 0) {
                           to = from * scale;
                         } else {
                           to = from * scale + to * beta;
                         }
                       });
  }
};

// One scale for all and a sum of f32, each at most once.
dnnspec_status ReadAttributes(const dnnspec_attributes& given, Reorder* plan) {
  dnnspec_attributes attributes;
  if (dnnspec_read(&given, &attributes, sizeof(attributes)) == 0)
    return Unimplemented("newer than this plug-in");
  if (attributes.zero_point_count > 0 || attributes.scales_count > 1 ||
      attributes.post_op_count > 1 || plan->src.type != DNNSPEC_F32)
    return Unimplemented("one scale and one sum of f32 are translated");
  plan->computes = true;
  if (attributes.scales_count == 1) {
    dnnspec_scales scales;
    if (dnnspec_read(attributes.scales[0], &scales, sizeof(scales)) == 0 || scales.mask != 0 ||
        scales.run_time != 0)
      return Unimplemented("one scale that is known beforehand is translated");
    plan->scale = scales.values[0];
  }
  if (attributes.post_op_count == 1) {
    dnnspec_sum sum;
    const dnnspec_post_op* const op = attributes.post_ops[0];
    if (op->kind != DNNSPEC_POST_OP_SUM || dnnspec_read(op, &sum, sizeof(sum)) == 0 ||
        sum.data_type != DNNSPEC_F32)
      return Unimplemented("a sum of f32 is translated");
    plan->beta = sum.scale;
  }
  return DNNSPEC_OK;
}

dnnspec_status PlanReorder(const dnnspec_operation& operation, std::unique_ptr<dnnspec_plan>* out) {
  const std::optional<Tensor> src = Read(operation, DNNSPEC_ARG_SRC);
  const std::optional<Tensor> dst = Read(operation, DNNSPEC_ARG_DST);
  if (!src || !dst) return Unimplemented("plain layouts are translated");
  if (src->type != dst->type) return Unimplemented("equal data types are translated");
  auto plan = std::make_unique<Reorder>();
  plan->src = *src;
  plan->dst = *dst;
  if (operation.attributes != nullptr) {
    const dnnspec_status status = ReadAttributes(*operation.attributes, plan.get());
    if (status != DNNSPEC_OK) return status;
  }
  *out = std::move(plan);
  return DNNSPEC_OK;
}

// ---- shuffle ----

// The axis as two: row-major rows x columns. Transposed, it is the other side's axis.
struct Shuffle : dnnspec_plan {
  int32_t type = 0;
  Tensor src, dst;

  void Execute(const dnnspec_argument* arguments) const override {
    ForBits(type, [&](auto* bits) {
      using T = std::remove_pointer_t<decltype(bits)>;
      Copy<T>(DataOf<T>(arguments[0], src), src.axes, DataOf<T>(arguments[1], dst), dst.axes);
    });
  }
};

// Axis `axis` becomes an outer one of `parts` and an inner one; `transposed` changes their order.
void SplitAxis(int32_t axis, int64_t parts, bool transposed, Tensor* tensor) {
  const Axis whole = tensor->axes[axis];
  const int64_t inner = whole.extent / parts;
  tensor->axes[axis] = {parts, whole.stride * inner};
  tensor->axes.insert(tensor->axes.begin() + axis + 1, {inner, whole.stride});
  if (transposed) std::swap(tensor->axes[axis], tensor->axes[axis + 1]);
}

dnnspec_status PlanShuffle(const dnnspec_operation& operation, dnnspec_layout* chosen,
                           std::unique_ptr<dnnspec_plan>* out) {
  dnnspec_shuffle_params params;
  if (dnnspec_read(operation.params, &params, sizeof(params)) == 0)
    return Unimplemented("newer than this plug-in");
  if (chosen != nullptr) return Unimplemented("no layout is chosen for a shuffle");
  const bool forward = operation.prop_kind < DNNSPEC_BACKWARD;
  const std::optional<Tensor> src =
      Read(operation, forward ? DNNSPEC_ARG_SRC : DNNSPEC_ARG_DIFF_DST);
  const std::optional<Tensor> dst =
      Read(operation, forward ? DNNSPEC_ARG_DST : DNNSPEC_ARG_DIFF_SRC);
  if (!src || !dst) return Unimplemented("plain layouts are translated");
  auto plan = std::make_unique<Shuffle>();
  plan->type = src->type;
  plan->src = *src;
  plan->dst = *dst;
  if (!IsEmpty(*src)) {
    // forward: dst, as G x C/G, is src, as C/G x G, transposed
    const int64_t groups = params.group_size;
    const int64_t others = src->axes[params.axis].extent / groups;
    SplitAxis(params.axis, forward ? others : groups, false, &plan->src);
    SplitAxis(params.axis, forward ? groups : others, true, &plan->dst);
  }
  *out = std::move(plan);
  return DNNSPEC_OK;
}

// ---- inner product ----

struct InnerProduct : dnnspec_plan {
  int32_t prop_kind = 0;
  // In the order of the operation's tensors; the bias is the last one if there is one.
  Tensor src, weights, dst, bias;
  int src_at = 0, weights_at = 0, dst_at = 0, bias_at = -1;

  // A copy, dense, with all axes but the first as one.
  static Matrix<float> Gather(const dnnspec_argument& argument, const Tensor& tensor) {
    const std::vector<Axis> others(tensor.axes.begin() + 1, tensor.axes.end());
    Matrix<float> dense(tensor.axes.front().extent, Elements(others));
    Copy<float>(DataOf<float>(argument, tensor), tensor.axes, dense.data(), Dense(tensor.axes));
    return dense;
  }

  static void Scatter(const Matrix<float>& dense, const dnnspec_argument& argument,
                      const Tensor& tensor) {
    Copy<float>(dense.data(), Dense(tensor.axes), DataOf<float>(argument, tensor), tensor.axes);
  }

  void Forward(const dnnspec_argument* arguments) const {
    Matrix<float> result =
        Gather(arguments[src_at], src) * Gather(arguments[weights_at], weights).transpose();
    if (bias_at >= 0) {
      const View<float> row =
          ViewOf(DataOf<float>(arguments[bias_at], bias), Axis{1, 0}, bias.axes.front());
      result.rowwise() += row.row(0);
    }
    Scatter(result, arguments[dst_at], dst);
  }

  void BackwardWeights(const dnnspec_argument* arguments) const {
    const Matrix<float> gradient = Gather(arguments[dst_at], dst);
    Scatter(gradient.transpose() * Gather(arguments[src_at], src), arguments[weights_at], weights);
    if (bias_at < 0) return;
    View<float> row =
        ViewOf(DataOf<float>(arguments[bias_at], bias), Axis{1, 0}, bias.axes.front());
    row.row(0) = gradient.colwise().sum();
  }

  void Execute(const dnnspec_argument* arguments) const override {
    if (prop_kind < DNNSPEC_BACKWARD) return Forward(arguments);
    if (prop_kind == DNNSPEC_BACKWARD_WEIGHTS) return BackwardWeights(arguments);
    Scatter(Gather(arguments[dst_at], dst) * Gather(arguments[weights_at], weights),
            arguments[src_at], src);
  }
};

// Dense, the last axis innermost: what this plug-in answers `any` with.
dnnspec_layout Chosen(const dnnspec_layout& open) {
  dnnspec_layout layout = open;
  layout.kind = DNNSPEC_LAYOUT_STRIDED;
  int64_t stride = 1;
  for (int32_t j = layout.rank - 1; j >= 0; --j) {
    layout.strides[j] = stride;
    stride *= std::max<int64_t>(layout.dims[j], 1);
  }
  return layout;
}

// The operation's tensors with layouts for what is open, in the order of `chosen`.
bool Settle(const dnnspec_operation& operation, dnnspec_layout* chosen,
            std::vector<dnnspec_tensor>* tensors) {
  for (uint32_t k = 0; k < operation.tensor_count; ++k) {
    dnnspec_tensor tensor;
    if (dnnspec_read(operation.tensors[k], &tensor, sizeof(tensor)) == 0) return false;
    if (tensor.layout.kind == DNNSPEC_LAYOUT_ANY) tensor.layout = *chosen++ = Chosen(tensor.layout);
    tensors->push_back(tensor);
  }
  return true;
}

dnnspec_status PlanInnerProduct(const dnnspec_operation& given, dnnspec_layout* chosen,
                                std::unique_ptr<dnnspec_plan>* out) {
  if (given.attributes != nullptr) return Unimplemented("no attributes are translated");
  std::vector<dnnspec_tensor> tensors;
  if (!Settle(given, chosen, &tensors)) return Unimplemented("newer than this plug-in");
  std::vector<const dnnspec_tensor*> pointers;
  for (const dnnspec_tensor& tensor : tensors) pointers.push_back(&tensor);
  dnnspec_operation operation = given;
  operation.tensors = pointers.data();

  auto plan = std::make_unique<InnerProduct>();
  plan->prop_kind = operation.prop_kind;
  for (int at = 0; at < static_cast<int>(tensors.size()); ++at) {
    const int32_t argument = tensors[at].argument;
    const std::optional<Tensor> tensor = Read(operation, argument);
    if (!tensor || tensor->type != DNNSPEC_F32)
      return Unimplemented("plain layouts of f32 are translated");
    switch (argument) {
      case DNNSPEC_ARG_SRC:
      case DNNSPEC_ARG_DIFF_SRC:
        plan->src = *tensor, plan->src_at = at;
        break;
      case DNNSPEC_ARG_WEIGHTS:
      case DNNSPEC_ARG_DIFF_WEIGHTS:
        plan->weights = *tensor, plan->weights_at = at;
        break;
      case DNNSPEC_ARG_DST:
      case DNNSPEC_ARG_DIFF_DST:
        plan->dst = *tensor, plan->dst_at = at;
        break;
      case DNNSPEC_ARG_BIAS:
      case DNNSPEC_ARG_DIFF_BIAS:
        plan->bias = *tensor, plan->bias_at = at;
        break;
      default:
        return Unimplemented("another tensor than those of an inner product");
    }
  }
  *out = std::move(plan);
  return DNNSPEC_OK;
}

// ---- the table ----

size_t EngineCount() { return 1; }

dnnspec_status EngineCreate(size_t, dnnspec_engine** engine) {
  *engine = new (std::nothrow) dnnspec_engine;
  return *engine == nullptr ? Refuse(DNNSPEC_OUT_OF_MEMORY, "no memory") : DNNSPEC_OK;
}

void EngineDestroy(dnnspec_engine* engine) { delete engine; }

// All work is done when plan_execute returns, which is right for both orders.
dnnspec_status StreamCreate(dnnspec_engine*, uint32_t, dnnspec_stream** stream) {
  *stream = new (std::nothrow) dnnspec_stream;
  return *stream == nullptr ? Refuse(DNNSPEC_OUT_OF_MEMORY, "no memory") : DNNSPEC_OK;
}

dnnspec_status StreamWait(dnnspec_stream*) { return DNNSPEC_OK; }

void StreamDestroy(dnnspec_stream* stream) { delete stream; }

dnnspec_status BufferCreate(dnnspec_engine*, int32_t wraps, size_t bytes, void** handle,
                            dnnspec_buffer** buffer) {
  void* const data = wraps != 0 ? *handle : std::malloc(bytes);
  std::unique_ptr<dnnspec_buffer> made(new (std::nothrow) dnnspec_buffer{data, wraps == 0});
  if (made == nullptr || (wraps == 0 && data == nullptr)) {
    if (wraps == 0) std::free(data);
    return Refuse(DNNSPEC_OUT_OF_MEMORY, "no memory for a tensor");
  }
  *handle = data;
  *buffer = made.release();
  return DNNSPEC_OK;
}

dnnspec_status BufferMap(dnnspec_buffer* buffer, void** mapped) {
  *mapped = buffer->data;
  return DNNSPEC_OK;
}

dnnspec_status BufferUnmap(dnnspec_buffer*, void*) { return DNNSPEC_OK; }

void BufferDestroy(dnnspec_buffer* buffer) {
  if (buffer->owned) std::free(buffer->data);
  delete buffer;
}

// No exception leaves a function of the table.
template <typename F>
dnnspec_status Guarded(const F& f) {
  try {
    return f();
  } catch (const std::bad_alloc&) {
    return Refuse(DNNSPEC_OUT_OF_MEMORY, "no memory");
  } catch (const std::exception&) {
    return Refuse(DNNSPEC_FAILED, "an exception");
  }
}

dnnspec_status PlanCreate(dnnspec_engine*, const dnnspec_request* request,
                          dnnspec_planned* planned) {
  return Guarded([&] {
    dnnspec_request asked;
    dnnspec_operation operation;
    if (dnnspec_read(request, &asked, sizeof(asked)) == 0 ||
        dnnspec_read(asked.operation, &operation, sizeof(operation)) == 0)
      return Unimplemented("newer than this plug-in");
    if (asked.candidate > 0) return Unimplemented("there is one implementation");
    dnnspec_layout* const chosen = planned->chosen_count > 0 ? planned->chosen : nullptr;
    std::unique_ptr<dnnspec_plan> plan;
    dnnspec_status status = DNNSPEC_OK;
    switch (operation.kind) {
      case DNNSPEC_REORDER:
        status = PlanReorder(operation, &plan);
        break;
      case DNNSPEC_SHUFFLE:
        status = PlanShuffle(operation, chosen, &plan);
        break;
      case DNNSPEC_INNER_PRODUCT:
        status = PlanInnerProduct(operation, chosen, &plan);
        break;
      default:
        return Unimplemented("another primitive");
    }
    if (status == DNNSPEC_OK) planned->plan = plan.release();
    return status;
  });
}

dnnspec_status PlanExecute(const dnnspec_plan* plan, dnnspec_stream*,
                           const dnnspec_argument* arguments, size_t) {
  return Guarded([&] {
    plan->Execute(arguments);
    return DNNSPEC_OK;
  });
}

void PlanDestroy(dnnspec_plan* plan) { delete plan; }

const char* LastError() { return why; }

}  // namespace

#define TEXT_OF(number) #number
#define JOINED(world, major, minor) TEXT_OF(world) "." TEXT_OF(major) "." TEXT_OF(minor)

const dnnspec_plugin_table dnnspec_plugin = {
    DNNSPEC_PLUGIN_VERSION,
    sizeof(dnnspec_plugin_table),
    "eigen",
    JOINED(EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION, EIGEN_MINOR_VERSION),
    DNNSPEC_ENGINE_CPU,
    0,
    EngineCount,
    EngineCreate,
    EngineDestroy,
    StreamCreate,
    StreamWait,
    StreamDestroy,
    BufferCreate,
    BufferMap,
    BufferUnmap,
    BufferDestroy,
    PlanCreate,
    nullptr,
    PlanExecute,
    PlanDestroy,
    LastError};
