// How the vector kernels do one part of a problem: which loops they take inside, what passes
// through a small buffer on the way, how the work is cut up. Decided without data.
//
// The kernels work on boxes of up to three loops: batch, rows and columns. A box goes through up to
// three steps, each of them optional:
//
//   in       moves the elements of the source into a buffer, columns side by side
//   convert  converts rows, from the buffer or the source, to another buffer or the destination
//   out      moves the elements from a buffer to the destination
//
// A pure permutation is one step, and that needs no buffer. A conversion whose columns lie side by
// side on both sides is one step too. If they do so on one side only, the other side is transposed
// in the narrower type; if on neither, both sides are gathered.
#ifndef DNNSPEC_IMPL_CPU_STRIDED_PIPELINE_H_
#define DNNSPEC_IMPL_CPU_STRIDED_PIPELINE_H_

#include <cstdint>
#include <memory>
#include <string>

#include "absl/container/inlined_vector.h"
#include "impl_cpu/convert/kernel.h"
#include "impl_cpu/convert/transpose.h"
#include "impl_cpu/move/kernel.h"
#include "impl_cpu/move/record.h"
#include "impl_cpu/strided/loops.h"
#include "impl_cpu/strided/problem.h"

namespace impl_cpu {

struct Step {
  enum class Kind { kNone, kRows, kStreamRows, kTranspose, kTransposeSplit, kRecord, kAny };
  Kind kind = Kind::kNone;
  MoveKernel move = nullptr;
};

struct Pipeline {
  // Around the box, outermost first by destination stride.
  absl::InlinedVector<Loop, 4> outer;
  ChunkedLoop batch, rows, cols;
  int64_t boxes = 1;
  // The next box lies further along the rows, not along the columns.
  bool cols_outside = false;

  int64_t src = 0, dst = 0, scale = 0;  // where the first element lies
  int src_width = 0, dst_width = 0;     // bytes of an element; equal if nothing is converted

  bool direct = true;  // one step, no buffer
  Step in, out;
  // Of the step `in` if that permutes records: then a column of the box is a whole record, unless
  // something is converted after it.
  std::shared_ptr<const RecordTable> record;
  // All steps in one: rows are contiguous in the destination, columns in the source.
  TransposeKernel compute = nullptr;
  ConvertKernel convert = nullptr;
  // A second conversion, from f32, where the sum reads the destination as another type, or stands
  // beside zero points.
  ConvertKernel combine = nullptr;
  // The scales of the columns, or what a sum reads, do not lie side by side: moved together first.
  MoveKernel pack_scales = nullptr, pack_old = nullptr;
  bool scaled = false;  // else the scale is 1
  bool flat = false;    // rows are too short to be converted one by one: all of a box at once

  int64_t prefetch = 0;     // bytes ahead in a source row; 0: none
  bool along_rows = false;  // the order of the tiles of a transposition
  bool streams = false;     // stores go past the caches
  int threads_wanted = 1;   // as many as pay for the size of the part
};

// The most elements of a box that passes through buffers, and the most bytes of those buffers. They
// are on the stack, where threads of 64 KiB have room for them: executing allocates nothing.
constexpr int64_t kStageElements = 8192;
constexpr int64_t kStageBytes = 40 << 10;

// Bytes of all buffers together for each element of a box; 0 where it needs none.
int StagedBytes(const Pipeline& pipeline);

// The pipeline for `part`, or false if this machine has no vector instruction set for it.
bool PlanPipeline(const Arithmetic& arithmetic, const Part& part, Pipeline* pipeline);

// "transpose", "convert+transpose", "stream", ...: the steps in order.
std::string NameOf(const Pipeline& pipeline);

// "box 1x64x256 of 1x64x3136": what else was decided.
std::string ToString(const Pipeline& pipeline);

}  // namespace impl_cpu

#endif  // DNNSPEC_IMPL_CPU_STRIDED_PIPELINE_H_
