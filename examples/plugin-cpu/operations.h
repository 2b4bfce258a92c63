// Operations as plug-ins read them: plain layouts, and few attributes. Each function returns
// DNNSPEC_OK, or refuses what is neither. Fields that end in `at` are places among the arguments of
// an execution.
#ifndef DNNSPEC_EXAMPLES_PLUGIN_CPU_OPERATIONS_H_
#define DNNSPEC_EXAMPLES_PLUGIN_CPU_OPERATIONS_H_

#include <cstdint>

#include "api/spi/plugin_abi.h"
#include "examples/plugin-cpu/tensors.h"

namespace plugin {

// What is the first argument goes to the second: to the place with the same indices.
struct CopyOperation {
  Tensor src, dst;
};

// A shuffle. Its axis is two in both tensors, in one of them the other way around.
dnnspec_status ReadShuffle(const dnnspec_operation& operation, const dnnspec_layout* chosen,
                           CopyOperation* copy);

// dst = scale * src + beta * dst. What does not compute has no attributes.
struct ReorderOperation : CopyOperation {
  float scale = 1, beta = 0;
  bool computes = false;
};

// One scale for all that is known beforehand, and one sum of the destination's type.
dnnspec_status ReadReorder(const dnnspec_operation& operation, ReorderOperation* reorder);

// An inner product or a convolution of f32, forward or backward: gradients stand in the place of
// what they are of.
struct Product {
  int32_t prop_kind = 0;
  Tensor src, weights, dst, bias;
  // The bias may be left out.
  int src_at = 0, weights_at = 0, dst_at = 0, bias_at = -1;

  bool ComputesDst() const { return prop_kind < DNNSPEC_BACKWARD; }
  bool ComputesSrc() const { return prop_kind == DNNSPEC_BACKWARD_DATA; }
  bool ComputesWeights() const { return prop_kind == DNNSPEC_BACKWARD_WEIGHTS; }
};

// Open layouts become dense ones, the last axis innermost, and are written to `chosen`.
dnnspec_status ReadProduct(const dnnspec_operation& operation, dnnspec_layout* chosen,
                           Product* product);

// As in dnnl_alg_kind_t. Those of `By` are backward by the destination.
enum Algorithm : int32_t {
  kRelu = 0x1f,
  kTanh = 0x2f,
  kElu = 0x3f,
  kSquare = 0x4f,
  kAbs = 0x5f,
  kSqrt = 0x6f,
  kLinear = 0x7f,
  kBoundedRelu = 0x8f,
  kSoftRelu = 0x9f,
  kLogistic = 0xaf,
  kExp = 0xbf,
  kGeluTanh = 0xcf,
  kSwish = 0xdf,
  kLog = 0xef,
  kClip = 0xff,
  kPow = 0x20,
  kGeluErf = 0x30,
  kRound = 0x40,
  kReluByDst = 0x100,
  kTanhByDst = 0x101,
  kEluByDst = 0x102,
  kSqrtByDst = 0x103,
  kLogisticByDst = 0x104,
  kExpByDst = 0x105
};

// An eltwise of f32. Forward, `data` is the source; backward, what the derivative is taken at.
struct EltwiseOperation {
  int32_t algorithm = 0;
  double alpha = 0, beta = 0;
  bool forward = true;
  Tensor data, diff_dst, result;
  int data_at = 0, diff_dst_at = 0, result_at = 0;
};

dnnspec_status ReadEltwise(const dnnspec_operation& operation, const dnnspec_layout* chosen,
                           EltwiseOperation* eltwise);

}  // namespace plugin

#endif  // DNNSPEC_EXAMPLES_PLUGIN_CPU_OPERATIONS_H_
