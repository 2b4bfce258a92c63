// Decides how the vector kernels do one nest of a problem, without data: how its loops are cut into
// boxes, and which kernels are called for a box, with which shapes.
//
// A box has up to three loops: batch, rows and columns. A strategy is what happens to one box, with
// the shapes of its kernel calls filled in; an execution changes nothing in them but the number of
// rows and columns of the last boxes, and zero points that come with it.
#ifndef DNNSPEC_IMPL_CPU_STRIDED_PIPELINE_H_
#define DNNSPEC_IMPL_CPU_STRIDED_PIPELINE_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>

#include "absl/container/inlined_vector.h"
#include "impl_cpu/convert/kernel.h"
#include "impl_cpu/convert/transpose.h"
#include "impl_cpu/move/kernel.h"
#include "impl_cpu/move/record.h"
#include "impl_cpu/plain/problem.h"
#include "impl_cpu/strided/loops.h"

namespace impl_cpu {

// ---- One call that moves the bits of elements.

// The same loop is contiguous on both sides.
struct CopyRows {
  BoxKernel kernel = nullptr;
  BoxShape shape;
  bool non_temporal = false;  // with non-temporal stores
  bool dense = false;  // rows follow one another without a gap on both sides: they are one row
};

// The columns are contiguous in the source, the rows in the destination.
struct Transpose {
  MatrixKernel kernel = nullptr;
  MatrixShape shape;
};

// The same, where the rows or the columns are two loops.
struct TransposeSplit {
  SplitMoveKernel kernel = nullptr;
  SplitShape shape;
};

// A column is a short record whose elements change places.
struct Permute {
  RecordMoveKernel kernel = nullptr;
  RecordShape shape;
  std::shared_ptr<const RecordTable> table;  // keeps shape.table
};

// Nothing is contiguous.
struct Generic {
  BoxKernel kernel = nullptr;
  BoxShape shape;
};

using Move = std::variant<CopyRows, Transpose, TransposeSplit, Permute, Generic>;

// ---- One call that computes.

// The columns are contiguous on both sides.
struct Convert {
  ConvertKernel kernel = nullptr;
  ConvertShape shape;
};

// The columns are contiguous in the source, the rows in the destination; elements are converted on
// their way, in registers.
struct ConvertTransposed {
  TransposeKernel kernel = nullptr;
  TransposeShape shape;
};

// ---- Several calls, with buffers between them.

// The elements of a box are moved `in`, so that the columns of a row lie side by side, converted,
// and moved `out`; either move may be missing. A buffer holds the rows of a box one after the
// other.
struct Staged {
  std::optional<Move> in;
  std::optional<Generic> pack_scales;  // the scales of the columns do not lie side by side
  Convert convert;
  // A second conversion, from f32: the sum reads the destination as another type, or stands beside
  // zero points.
  std::optional<Convert> combine;
  std::optional<Generic> pack_old;  // what a sum reads does not lie side by side
  std::optional<Move> out;

  // Rows are too short to be converted one by one: all rows of a box are one.
  bool one_row = false;
  // Where the buffers begin, in bytes; that of `in` at 0. `end` is what they take together.
  struct Buffers {
    int64_t scales = 0, out = 0, combined = 0, end = 0;
  } buffers;
};

// Large and rare, so apart: most plans are smaller without.
using StagedPlan = std::shared_ptr<const Staged>;

using Strategy = std::variant<CopyRows, Transpose, TransposeSplit, Permute, Generic, Convert,
                              ConvertTransposed, StagedPlan>;

// ---- All boxes of a nest.

struct Boxes {
  // Around the box, outermost first by destination stride.
  absl::InlinedVector<Loop, 4> outer;
  ChunkedLoop batch, rows, cols;
  int64_t count = 1;
  bool cols_outside = false;  // the next box lies further along the rows, not along the columns
  int64_t src = 0, dst = 0;   // where the first element lies, in bytes
  int64_t scale = 0;          // and its scale, in elements
};

struct Pipeline {
  Boxes boxes;
  Strategy strategy;
  int src_width = 0, dst_width = 0;  // bytes of an element; equal if nothing is converted
  bool computes = false;             // numbers are computed, not only moved
  bool scaled = false;               // scales are read
  bool non_temporal = false;         // some stores are non-temporal
  int threads_wanted = 1;            // as many as pay for the size of the nest
};

// The most elements of a box that passes through buffers, and the most bytes of those buffers. They
// are on the stack, where threads of 64 KiB have room for them: executing allocates nothing.
constexpr int64_t kStageElements = 8192;
constexpr int64_t kStageBytes = 40 << 10;
constexpr int64_t kStageAlignment = 64;  // of each of the up to four buffers

// The pipeline for `nest`, or false if this machine has no vector instruction set for it.
bool PlanPipeline(const Arithmetic& arithmetic, const spi::LoopNest& nest, Pipeline* pipeline);

// "transpose", "convert+transpose", "stream", ...: the steps in order.
std::string NameOf(const Pipeline& pipeline);

// "box 1x64x256 of 1x64x3136": what else was decided.
std::string ToString(const Pipeline& pipeline);

}  // namespace impl_cpu

#endif  // DNNSPEC_IMPL_CPU_STRIDED_PIPELINE_H_
