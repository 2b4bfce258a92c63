// The one problem of this implementation: read elements along some strides, convert, write them
// along other strides. Reorder and shuffle are both this problem; blocked layouts are too.
//
// Strides and offsets count elements, of the source, the destination and the array of scales.
#ifndef DNNSPEC_IMPL_CPU_STRIDED_PROBLEM_H_
#define DNNSPEC_IMPL_CPU_STRIDED_PROBLEM_H_

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "api/spi/types.h"

namespace impl_cpu {

// One loop: `extent` steps, each of `src`, `dst` and `scale` elements.
struct Node {
  int64_t extent;
  int64_t src, dst;
  int64_t scale;  // 0: the scale does not depend on this loop
};
using Nodes = absl::InlinedVector<Node, 6>;

// An axis is a loop, each of its blocks on either side one more, and a shuffled axis is two.
constexpr int kMaxNodes = 3 * spi::kMaxRank + 1;

// A nest of loops, outermost first, and where its first element lies. No loops: one element.
struct Part {
  Nodes nodes;
  int64_t src = 0, dst = 0, scale = 0;
};
using Parts = absl::InlinedVector<Part, 1>;

// Zero points, as f32. Where one is absent, what changes no number: x - 0 and x + -0 are x.
struct Zeros {
  float src = 0, dst = -0.0f;
};

// What happens to an element on its way, in f32 and unfused:
//   dst = convert(scale * (src - src zero) + beta * dst + dst zero)
struct Arithmetic {
  enum class Scale {
    kNone,     // none: without `computed` nothing passes through f32
    kOne,      // scales[0] for every element
    kPerNode,  // scales[offset], by the scale strides of the nodes
  };

  spi::DataType src = spi::DataType::kUndef, dst = spi::DataType::kUndef;
  Scale scale = Scale::kNone;
  bool run_time_scales = false;  // they come with the execution, instead of in `scales`
  std::vector<float> scales;
  bool sum = false;  // beta != 0: the destination is read, as sum_type
  float beta = 0;
  spi::DataType sum_type = spi::DataType::kUndef;
  bool shifted = false;                                       // there is a zero point
  Zeros zeros;                                                // those that are known
  bool run_time_src_zero = false, run_time_dst_zero = false;  // they come with the execution
  // Something is computed, so even a pair of integer types passes through f32. False: the plain
  // conversion of the pair of types, which moves the bits of equal types.
  bool computed = false;
};

class Walk;

struct Problem {
  Arithmetic arithmetic;
  int src_argument = spi::kArgSrc, dst_argument = spi::kArgDst;
  Parts parts;  // each element of the destination exactly once; none if the tensor is empty
  std::shared_ptr<const Walk> walk;  // instead of parts, where they would be too many
  Parts padding;  // what a blocked destination holds beyond its elements: written with zeros
};

// How the walk of one axis of both tensors is cut up: one piece where its loops are regular, more
// where a blocked layout ends inside a block or the blocks of the two sides do not nest.
struct AxisPiece {
  absl::InlinedVector<Node, 2> nodes;
  int64_t src = 0, dst = 0, scale = 0;
};
using AxisPieces = absl::InlinedVector<AxisPiece, 1>;

// Indices of an axis that are looked at one by one, at most, and parts of a problem. A plan takes
// no longer because its tensors are larger.
constexpr int64_t kMaxIndices = 1 << 14;
constexpr int64_t kMaxParts = 1 << 12;

// Axis `axis`, index by index. The two layouts have equal dims. nullopt: more than kMaxIndices
// would have to be looked at.
std::optional<AxisPieces> WalkAxis(const spi::Layout& src, const spi::Layout& dst, int axis,
                                   int64_t scale_stride);

// Axis `axis` of `src` read as a row-major (dims[axis] / cols) x cols matrix and written
// transposed: dst(u + v * rows) = src(u * cols + v).
std::optional<AxisPieces> WalkAxisTransposed(const spi::Layout& src, const spi::Layout& dst,
                                             int axis, int64_t cols);

// Which element goes where: index by index along every axis but a transposed one.
struct Mapping {
  spi::Layout src, dst;                           // equal dims, none of them 0
  std::array<int64_t, spi::kMaxRank> scale = {};  // the step of the scales along each axis
  int transposed = -1;                            // the axis, if any, of WalkAxisTransposed
  int64_t cols = 1;
};

// Sets the parts of `problem`, or its walk, and its padding.
void PlanMapping(const Mapping& mapping, Problem* problem);

// One part of these loops, from the start of both layouts, sorted by falling destination stride and
// joined where one continues the other.
Part Join(const spi::Layout& src, const spi::Layout& dst, const Nodes& nodes);

// The walk of one axis after another, for each combination of pieces one part.
Parts Combine(const spi::Layout& src, const spi::Layout& dst, const std::vector<AxisPieces>& axes);

// What `dst` holds beyond its elements; empty for plain layouts.
Parts PaddingOf(const spi::Layout& dst);

// "f32->u8 2x3 (6,1)->(1,2) scale:one sum:0.5": types, then extents and strides of the first part.
std::string ToString(const Problem& problem);

}  // namespace impl_cpu

#endif  // DNNSPEC_IMPL_CPU_STRIDED_PROBLEM_H_
