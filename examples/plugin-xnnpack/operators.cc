#include "examples/plugin-xnnpack/operators.h"

#include <xnnpack.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <new>
#include <stdexcept>

namespace plugin {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

// Operators are asked for what they do: there may be no memory.
void Check(xnn_status status) {
  if (status == xnn_status_out_of_memory) throw std::bad_alloc();
  if (status != xnn_status_success) throw std::runtime_error("XNNPACK refuses an operator");
}

class Operator {
 public:
  Operator() = default;
  ~Operator() { xnn_delete_operator(op_); }
  Operator(const Operator&) = delete;
  Operator& operator=(const Operator&) = delete;

  xnn_operator_t get() const { return op_; }
  xnn_operator_t* out() { return &op_; }
  void Run() const { Check(xnn_run_operator(op_, nullptr)); }

 private:
  xnn_operator_t op_ = nullptr;
};

// XNNPACK of early 2022 (Debian 12) sets an operator up in one step, that of late 2024 (Debian 13)
// in two: shapes, then pointers.
#ifdef XNN_FLAG_KEEP_DIMS

// Names of types end the names of functions.
#define DNNSPEC_COPY(X)                                                                           \
  Check(xnn_create_copy_nc_##X(0, op.out()));                                                     \
  Check(xnn_reshape_copy_nc_##X(op.get(), rows.count, rows.length, src_step, dst_step, nullptr)); \
  Check(xnn_setup_copy_nc_##X(op.get(), src, dst))
#define DNNSPEC_SHUFFLE(X)                                                         \
  Check(xnn_create_channel_shuffle_nc_##X(groups, group_channels, pixels.src_step, \
                                          pixels.dst_step, 0, op.out()));          \
  Check(xnn_reshape_channel_shuffle_nc_##X(op.get(), pixels.count, nullptr));      \
  Check(xnn_setup_channel_shuffle_nc_##X(op.get(), src, dst))

xnn_unary_operator TypeOf(Unary unary) {
  switch (unary) {
    case Unary::kAbs:
      return xnn_unary_abs;
    case Unary::kClamp:
      return xnn_unary_clamp;
    case Unary::kRound:
      return xnn_unary_bankers_rounding;
    case Unary::kSquare:
      break;
  }
  return xnn_unary_square;
}

void SetUp(Unary unary, const Bounds& bounds, size_t count, const float* src, float* dst,
           Operator* op) {
  xnn_unary_params params;
  params.clamp = {bounds.low, bounds.high};
  Check(xnn_create_unary_elementwise_nc(TypeOf(unary), xnn_datatype_fp32, xnn_datatype_fp32,
                                        &params, nullptr, nullptr, 0, op->out()));
  Check(xnn_reshape_unary_elementwise_nc(op->get(), 1, count, count, count, nullptr));
  Check(xnn_setup_unary_elementwise_nc(op->get(), src, dst));
}

void SetUp(Binary binary, const Floats& a, const Floats& b, float* dst, Operator* op) {
  const size_t count_a = a.size(), count_b = b.size();
  Check(xnn_create_binary_elementwise_nd(
      binary == Binary::kAdd ? xnn_binary_add : xnn_binary_multiply, xnn_datatype_fp32, nullptr,
      nullptr, nullptr, 0, op->out()));
  Check(xnn_reshape_binary_elementwise_nd(op->get(), 1, &count_a, 1, &count_b, nullptr));
  Check(xnn_setup_binary_elementwise_nd(op->get(), a.data(), b.data(), dst));
}

// What makes operators with weights asks for two caches besides.
#define DNNSPEC_CACHES nullptr, nullptr,

void SetUp(size_t rows, const Floats& src, Floats* dst, Operator* op) {
  Check(xnn_reshape_fully_connected_nc_f32(op->get(), rows, nullptr));
  Check(xnn_setup_fully_connected_nc_f32(op->get(), src.data(), dst->data()));
}

void SetUp(const Convolution2d& c, const Floats& src, Floats* dst, Operator* op,
           std::vector<char>* workspace) {
  size_t size = 0, alignment = 0;
  Check(xnn_reshape_convolution2d_nhwc_f32(op->get(), c.batch, c.rows.extent, c.columns.extent,
                                           &size, &alignment, nullptr, nullptr, nullptr));
  workspace->resize(size + alignment);
  void* at = workspace->data();
  size_t space = workspace->size();
  if (size > 0) std::align(alignment, size, at, space);
  Check(xnn_setup_convolution2d_nhwc_f32(op->get(), at, src.data(), dst->data()));
}

#else

#define DNNSPEC_COPY(X)                                                        \
  Check(xnn_create_copy_nc_##X(rows.length, src_step, dst_step, 0, op.out())); \
  Check(xnn_setup_copy_nc_##X(op.get(), rows.count, src, dst, nullptr))
#define DNNSPEC_SHUFFLE(X)                                                         \
  Check(xnn_create_channel_shuffle_nc_##X(groups, group_channels, pixels.src_step, \
                                          pixels.dst_step, 0, op.out()));          \
  Check(xnn_setup_channel_shuffle_nc_##X(op.get(), pixels.count, src, dst, nullptr))
// Further arguments are the operator's own.
#define DNNSPEC_UNARY(NAME, ...)                                                    \
  Check(xnn_create_##NAME##_nc_f32(count, count, count, __VA_ARGS__ 0, op->out())); \
  return Check(xnn_setup_##NAME##_nc_f32(op->get(), 1, src, dst, nullptr))

void SetUp(Unary unary, const Bounds& bounds, size_t count, const float* src, float* dst,
           Operator* op) {
  switch (unary) {
    case Unary::kAbs:
      DNNSPEC_UNARY(abs, );
    case Unary::kClamp:
      DNNSPEC_UNARY(clamp, bounds.low, bounds.high, );
    case Unary::kRound:
      DNNSPEC_UNARY(bankers_rounding, );
    case Unary::kSquare:
      DNNSPEC_UNARY(square, );
  }
}

void SetUp(Binary binary, const Floats& a, const Floats& b, float* dst, Operator* op) {
  const size_t count_a = a.size(), count_b = b.size();
  if (binary == Binary::kAdd) {
    Check(xnn_create_add_nd_f32(-kInfinity, kInfinity, 0, op->out()));
    return Check(xnn_setup_add_nd_f32(op->get(), 1, &count_a, 1, &count_b, a.data(), b.data(), dst,
                                      nullptr));
  }
  Check(xnn_create_multiply_nd_f32(-kInfinity, kInfinity, 0, op->out()));
  Check(xnn_setup_multiply_nd_f32(op->get(), 1, &count_a, 1, &count_b, a.data(), b.data(), dst,
                                  nullptr));
}

#define DNNSPEC_CACHES

void SetUp(size_t rows, const Floats& src, Floats* dst, Operator* op) {
  Check(xnn_setup_fully_connected_nc_f32(op->get(), rows, src.data(), dst->data(), nullptr));
}

void SetUp(const Convolution2d& c, const Floats& src, Floats* dst, Operator* op,
           std::vector<char>*) {
  Check(xnn_setup_convolution2d_nhwc_f32(op->get(), c.batch, c.rows.extent, c.columns.extent,
                                         src.data(), dst->data(), nullptr));
}

#endif

}  // namespace

bool Initialize() { return xnn_initialize(nullptr) == xnn_status_success; }

void CopyRows(int64_t size, const Rows& rows, const void* src, void* dst) {
  // A single row may have any step.
  const int64_t src_step = std::max(rows.src_step, rows.length);
  const int64_t dst_step = std::max(rows.dst_step, rows.length);
  Operator op;
  if (size == 1) {
    DNNSPEC_COPY(x8);
  } else if (size == 2) {
    DNNSPEC_COPY(x16);
  } else {
    DNNSPEC_COPY(x32);
  }
  op.Run();
}

void ShuffleChannels(int64_t size, size_t groups, size_t group_channels, const Rows& pixels,
                     const void* src, void* dst) {
  Operator op;
  if (size == 1) {
    DNNSPEC_SHUFFLE(x8);
  } else {
    DNNSPEC_SHUFFLE(x32);
  }
  op.Run();
}

Floats::Floats(int64_t count)
    : count_(static_cast<size_t>(count)), values_(count_ + XNN_EXTRA_BYTES / sizeof(float)) {}

Floats Only(float value) {
  Floats one(1);
  *one.data() = value;
  return one;
}

void Apply(Unary unary, const Bounds& bounds, const Floats& src, Floats* dst) {
  Operator op;
  SetUp(unary, bounds, src.size(), src.data(), dst->data(), &op);
  op.Run();
}

void Apply(Binary binary, const Floats& a, const Floats& b, Floats* dst) {
  Operator op;
  SetUp(binary, a, b, dst->data(), &op);
  op.Run();
}

void Multiply(size_t rows, size_t inputs, size_t outputs, const Floats& src, const Floats& weights,
              const float* bias, Floats* dst) {
  Operator op;
  Check(xnn_create_fully_connected_nc_f32(inputs, outputs, inputs, outputs, weights.data(), bias,
                                          -kInfinity, kInfinity, 0, DNNSPEC_CACHES op.out()));
  SetUp(rows, src, dst, &op);
  op.Run();
}

void Convolve(const Convolution2d& c, const Floats& src, const Floats& weights, const float* bias,
              Floats* dst) {
  Operator op;
  std::vector<char> workspace;
  Check(xnn_create_convolution2d_nhwc_f32(
      c.rows.before, c.columns.after, c.rows.after, c.columns.before, c.rows.taps, c.columns.taps,
      c.rows.stride, c.columns.stride, c.rows.step, c.columns.step, c.groups, c.inputs, c.outputs,
      c.groups * c.inputs, c.groups * c.outputs, weights.data(), bias, -kInfinity, kInfinity, 0,
      DNNSPEC_CACHES op.out()));
  SetUp(c, src, dst, &op, &workspace);
  op.Run();
}

}  // namespace plugin
