// Declares what modifies a computation, whatever the primitive: scales, zero points, post-ops.
//
// Tensors that attributes bring along, such as run-time scales, are tensors of the operation.
#ifndef DNNSPEC_API_SPI_ATTRIBUTES_H_
#define DNNSPEC_API_SPI_ATTRIBUTES_H_

#include <cstdint>
#include <string>
#include <variant>

#include "absl/container/inlined_vector.h"
#include "api/spi/types.h"

namespace spi {

// A run-time zero point of argument A is argument kArgZeroPoints | A.
constexpr int kArgZeroPoints = 4096;
static_assert((kArgZeroPoints | kArgSrc) == kArgSrcZeroPoint);

// Whether a tensor belongs to the attributes of an operation, whatever the primitive.
constexpr bool IsOfAttributes(int argument) {
  return argument == kArgOutputScales || argument >= kArgZeroPoints;
}

// Factors of a tensor: one for each index of the axes in `mask`, row-major over those axes in
// logical order; one factor if the mask is 0. Factors that come at execution have no values here:
// they are the tensor kArgOutputScales, dense f32.
struct Scales {
  int argument = kArgDst;  // that is scaled
  int mask = 0;
  bool run_time = false;
  absl::InlinedVector<float, 1> values;
};

// A number that is subtracted from a tensor that is read, or added to one that is written,
// converted to f32 first. One that comes at execution is the tensor
// kArgZeroPoints | argument, one s32.
struct ZeroPoint {
  int32_t value = 0;
  bool run_time = false;
  int argument = kArgDst;

  // A 0 that is known in advance is none: nothing is computed.
  bool present() const { return run_time || value != 0; }
};

// result += scale * dst, where dst is read as `type`, of the same size as its own. A scale of 0
// does not read it.
struct SumOp {
  float scale = 1;
  DataType type = DataType::kUndef;
};

// Values as in dnnl_alg_kind_t: the functions of eltwise, as a primitive and as a post-op.
enum class Algorithm : int32_t {
  kUndef = 0,
  kEltwiseRelu = 0x1f,
  kEltwiseTanh = 0x2f,
  kEltwiseElu = 0x3f,
  kEltwiseSquare = 0x4f,
  kEltwiseAbs = 0x5f,
  kEltwiseSqrt = 0x6f,
  kEltwiseLinear = 0x7f,
  kEltwiseBoundedRelu = 0x8f,
  kEltwiseSoftRelu = 0x9f,
  kEltwiseLogistic = 0xaf,
  kEltwiseExp = 0xbf,
  kEltwiseGeluTanh = 0xcf,
  kEltwiseSwish = 0xdf,
  kEltwiseLog = 0xef,
  kEltwiseClip = 0xff,
  kEltwiseClipV2 = 0x10,
  kEltwisePow = 0x20,
  kEltwiseGeluErf = 0x30,
  kEltwiseRound = 0x40,
  kEltwiseLogsigmoid = 0x50,
  kEltwiseMish = 0x60,
  kEltwiseHardswish = 0x70,
  kEltwiseReluUseDstForBwd = 0x100,
  kEltwiseTanhUseDstForBwd = 0x101,
  kEltwiseEluUseDstForBwd = 0x102,
  kEltwiseSqrtUseDstForBwd = 0x103,
  kEltwiseLogisticUseDstForBwd = 0x104,
  kEltwiseExpUseDstForBwd = 0x105,
  kEltwiseClipV2UseDstForBwd = 0x106,
};

// "eltwise_relu"; "undef" for that and for every other number.
const char* NameOf(Algorithm algorithm);
// Whether it is one of the above but kUndef.
bool IsEltwise(Algorithm algorithm);

// Whether backward computes the derivative from what forward gave, and not from what it got.
constexpr bool UsesDst(Algorithm algorithm) {
  return algorithm >= Algorithm::kEltwiseReluUseDstForBwd &&
         algorithm <= Algorithm::kEltwiseClipV2UseDstForBwd;
}

// The same function without saying what backward computes from; forward there is no difference.
constexpr Algorithm PlainOf(Algorithm algorithm) {
  switch (algorithm) {
    case Algorithm::kEltwiseReluUseDstForBwd:
      return Algorithm::kEltwiseRelu;
    case Algorithm::kEltwiseTanhUseDstForBwd:
      return Algorithm::kEltwiseTanh;
    case Algorithm::kEltwiseEluUseDstForBwd:
      return Algorithm::kEltwiseElu;
    case Algorithm::kEltwiseSqrtUseDstForBwd:
      return Algorithm::kEltwiseSqrt;
    case Algorithm::kEltwiseLogisticUseDstForBwd:
      return Algorithm::kEltwiseLogistic;
    case Algorithm::kEltwiseExpUseDstForBwd:
      return Algorithm::kEltwiseExp;
    case Algorithm::kEltwiseClipV2UseDstForBwd:
      return Algorithm::kEltwiseClipV2;
    default:
      return algorithm;
  }
}

// result = scale * f(result), where f is `algorithm`, a plain one, with alpha and beta.
struct EltwiseOp {
  Algorithm algorithm = Algorithm::kUndef;
  float scale = 1, alpha = 0, beta = 0;
};
using PostOp = std::variant<SumOp, EltwiseOp>;

// Numbers are f32: scales, then post-ops in their order, then conversion; each operation is rounded
// by itself, from left to right.
struct Attributes {
  absl::InlinedVector<Scales, 1> scales;
  absl::InlinedVector<ZeroPoint, 2> zero_points;
  absl::InlinedVector<PostOp, 1> post_ops;
};

// By value; floats by their bits.
bool operator==(const Attributes& a, const Attributes& b);
inline bool operator!=(const Attributes& a, const Attributes& b) { return !(a == b); }

// What a primitive can carry at all. What else it cannot do it says itself.
struct AttributeSupport {
  enum Bit : uint32_t {
    kOutputScales = 1 << 0,
    kZeroPoints = 1 << 1,
    kPostOps = 1 << 2,
    kFpmathMode = 1 << 3,  // a permission that nobody needs to use
  };
  uint32_t bits = 0;
  const char* requirement = "";  // cited for what is refused: "SHU-012"
};

// " scales@17 mask 2 x3 zero@1 -10 zero@17 run-time sum 0.5 as s8"; "" by default.
std::string ToString(const Attributes& attributes);

}  // namespace spi

#endif  // DNNSPEC_API_SPI_ATTRIBUTES_H_
