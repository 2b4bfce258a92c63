// A small whole implementation: plain strided reorders between f32, s32, s8 and u8 with scales,
// zero points and sum, shuffles of every data type, and products.cc, one element after the other.
#include <cfenv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "api/reorder/operation.h"
#include "api/shuffle/operation.h"
#include "api/spi/implementation.h"
#include "api/spi/signatures.h"
#include "products.h"

namespace scalar {
namespace {

using spi::DataType;
using spi::Layout;

// ---- elements ----

bool IsInteger(DataType type) {
  return type == DataType::kS32 || type == DataType::kS8 || type == DataType::kU8;
}

template <class T>
T Load(const char* at) {
  T value;
  std::memcpy(&value, at, sizeof(T));
  return value;
}

int64_t LoadInteger(DataType type, const char* at) {
  return type == DataType::kS32  ? Load<int32_t>(at)
         : type == DataType::kS8 ? Load<int8_t>(at)
                                 : Load<uint8_t>(at);
}

float LoadFloat(DataType type, const char* at) {
  return IsInteger(type) ? static_cast<float>(LoadInteger(type, at)) : Load<float>(at);
}

template <class T>
void StoreSaturated(int64_t value, char* at) {
  constexpr int64_t kLow = std::numeric_limits<T>::min(), kHigh = std::numeric_limits<T>::max();
  const T stored = static_cast<T>(value < kLow ? kLow : value > kHigh ? kHigh : value);
  std::memcpy(at, &stored, sizeof(T));
}

void StoreInteger(DataType type, int64_t value, char* at) {
  if (type == DataType::kS32) return StoreSaturated<int32_t>(value, at);
  if (type == DataType::kS8) return StoreSaturated<int8_t>(value, at);
  StoreSaturated<uint8_t>(value, at);
}

// To integers: the nearest, the even one of two; NaN becomes 0.
void StoreFloat(DataType type, float value, char* at) {
  if (!IsInteger(type)) {
    std::memcpy(at, &value, sizeof(value));
  } else if (std::isnan(value)) {
    StoreInteger(type, 0, at);
  } else {
    const float near = std::fmin(std::fmax(value, -4e9f), 4e9f);
    StoreInteger(type, static_cast<int64_t>(std::rint(near)), at);
  }
}

// ---- tensors ----

int64_t CountOf(const Layout& layout) {
  int64_t count = 1;
  for (int j = 0; j < layout.rank; ++j) count *= layout.dims[j];
  return count;
}

// The coordinates of element number k in row-major order.
spi::Dims Coordinates(const Layout& layout, int64_t k) {
  spi::Dims x{};
  for (int j = layout.rank - 1; j >= 0; --j) {
    x[j] = k % layout.dims[j];
    k /= layout.dims[j];
  }
  return x;
}

// In bytes from the start of the buffer.
int64_t Place(const Layout& layout, const spi::Dims& x) {
  return spi::OffsetOf(layout, x) * spi::SizeOf(layout.type);
}

// The default environment while it lives: results do not depend on how the caller rounds.
class DefaultRounding {
 public:
  DefaultRounding() {
    std::fegetenv(&callers_);
    std::fesetenv(FE_DFL_ENV);
  }
  ~DefaultRounding() { std::fesetenv(&callers_); }
  DefaultRounding(const DefaultRounding&) = delete;
  DefaultRounding& operator=(const DefaultRounding&) = delete;

 private:
  std::fenv_t callers_;
};

// ---- kernels ----

// Whatever may be known in advance, or come at execution.
struct Parameters {
  const float* scales;
  float src_zero, dst_zero;
};

void Run(const spi::ReorderView& op, const Parameters& with, const char* src, char* dst) {
  const DefaultRounding rounding;
  const float* const scales = with.scales;
  const bool copies = scales == nullptr && !op.has_sum && !op.has_zero_points();
  const DataType from = op.src.type, to = op.dst.type;
  for (int64_t k = 0, count = CountOf(op.dst); k < count; ++k) {
    const spi::Dims x = Coordinates(op.dst, k);
    const char* const in = src + Place(op.src, x);
    char* const out = dst + Place(op.dst, x);
    if (copies && from == to) {
      std::memmove(out, in, static_cast<size_t>(spi::SizeOf(to)));
    } else if (copies && IsInteger(from) && IsInteger(to)) {
      StoreInteger(to, LoadInteger(from, in), out);
    } else {
      float value = LoadFloat(from, in) - with.src_zero;
      if (scales != nullptr) {
        int64_t scale = 0;
        for (int j = 0; j < op.dst.rank; ++j)
          if ((op.scale_mask >> j & 1) != 0) scale = scale * op.dst.dims[j] + x[j];
        value *= scales[scale];
      }
      if (op.has_sum && op.beta != 0) value += op.beta * LoadFloat(op.sum_type, out);
      if (op.dst_zero_point.present()) value += with.dst_zero;
      StoreFloat(to, value, out);
    }
  }
}

void Run(const spi::ShuffleView& op, const char* from, char* to) {
  const int64_t groups = op.to.dims[op.axis] / op.group_size;
  const int64_t rows = op.forward ? groups : op.group_size;
  const int64_t columns = op.forward ? op.group_size : groups;
  for (int64_t k = 0, count = CountOf(op.to); k < count; ++k) {
    spi::Dims x = Coordinates(op.to, k);
    char* const out = to + Place(op.to, x);
    x[op.axis] = x[op.axis] % rows * columns + x[op.axis] / rows;
    std::memcpy(out, from + Place(op.from, x), static_cast<size_t>(spi::SizeOf(op.to.type)));
  }
}

// ---- what api sees ----

class HostBuffer final : public spi::Buffer {
 public:
  HostBuffer(void* data, bool owned) : spi::Buffer(data), owned_(owned) {}
  ~HostBuffer() override {
    if (owned_) std::free(handle());
  }
  absl::StatusOr<void*> Map() override { return handle(); }
  absl::Status Unmap(void*) override { return absl::OkStatus(); }

 private:
  const bool owned_;
};

class HostStream final : public spi::Stream {
 public:
  absl::Status Wait() override { return absl::OkStatus(); }
};

class ScalarPlan final : public spi::Plan {
 public:
  explicit ScalarPlan(const spi::Operation& operation) : operation_(operation) {}

  std::string Describe() const override { return "scalar:" + spi::ToString(operation_); }

  absl::Status Execute(spi::Stream&, spi::Buffers buffers) const override {
    const auto data = [&](size_t i) { return static_cast<char*>(buffers[i]->handle()); };
    if (const auto shuffle = spi::AsShuffle(operation_)) {
      Run(*shuffle, data(0), data(1));
      return absl::OkStatus();
    }
    // What comes with the execution follows the two tensors.
    const auto later = [&](int argument) {
      return data(static_cast<size_t>(spi::Find(operation_, argument)));
    };
    const spi::ReorderView reorder(operation_);
    const float* const scales = reorder.run_time_scales
                                    ? reinterpret_cast<float*>(later(spi::kArgOutputScales))
                                : reorder.scales.empty() ? nullptr
                                                         : reorder.scales.data();
    const auto zero = [&](const spi::ZeroPoint& known, int index) {
      return static_cast<float>(known.run_time ? Load<int32_t>(later(index)) : known.value);
    };
    Run(reorder,
        {scales, zero(reorder.src_zero_point, spi::kArgSrcZeroPoint),
         zero(reorder.dst_zero_point, spi::kArgDstZeroPoint)},
        data(0), data(1));
    return absl::OkStatus();
  }

 private:
  const spi::Operation operation_;
};

bool Serves(const Layout& layout) {
  return layout.block_count == 0 && (layout.type == DataType::kF32 || IsInteger(layout.type));
}

class ScalarEngine final : public spi::Engine {
 public:
  absl::StatusOr<std::unique_ptr<spi::Stream>> MakeStream(unsigned) override {
    return std::unique_ptr<spi::Stream>(std::make_unique<HostStream>());
  }

  absl::StatusOr<std::shared_ptr<spi::Buffer>> Allocate(size_t bytes) override {
    void* const data = std::malloc(bytes);
    if (data == nullptr) return absl::ResourceExhaustedError("scalar: no memory");
    return std::shared_ptr<spi::Buffer>(std::make_shared<HostBuffer>(data, true));
  }

  absl::StatusOr<std::shared_ptr<spi::Buffer>> Wrap(void* handle, size_t) override {
    return std::shared_ptr<spi::Buffer>(std::make_shared<HostBuffer>(handle, false));
  }

  absl::StatusOr<spi::Planned> MakePlan(const spi::Request& request) override {
    const spi::Operation& operation = request.operation;
    if (request.candidate > 0) return absl::UnimplementedError("scalar: there is one candidate");
    if (operation.kind == spi::PrimitiveKind::kInnerProduct ||
        operation.kind == spi::PrimitiveKind::kConvolution)
      return PlanProduct(request);
    const auto reorder = spi::AsReorder(operation);
    if (reorder.has_value() && (!Serves(reorder->src) || !Serves(reorder->dst)))
      return absl::UnimplementedError("scalar: f32, s32, s8 and u8 in plain layouts");
    if (!reorder.has_value() && !spi::AsShuffle(operation).has_value())
      return absl::UnimplementedError("scalar: another primitive");
    spi::Planned planned;
    planned.plan = std::make_shared<const ScalarPlan>(operation);
    return planned;
  }
};

class Scalar final : public spi::Implementation {
 public:
  const char* name() const override { return "scalar"; }
  spi::EngineKind kind() const override { return spi::EngineKind::kCpu; }
  size_t EngineCount() override { return 1; }
  absl::StatusOr<std::shared_ptr<spi::Engine>> MakeEngine(size_t) override {
    return std::shared_ptr<spi::Engine>(std::make_shared<ScalarEngine>());
  }
};

}  // namespace

spi::Implementation& GetImplementation() {
  static Scalar* const implementation = new Scalar;
  return *implementation;
}

}  // namespace scalar
