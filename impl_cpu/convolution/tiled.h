// Forward and backward data by tiles: how a convolution is cut and shared out, and its execution.
//
//   for a block of places of a walk, a group and a range of panels (a task)
//     for a chunk of k                      k is a tap and a channel that is read
//       pack what the places read, once     unless it lies in rows already
//       for a group of panels: tiles of all places
//     finish the block
//
// AMX reads the taps of all places in one copy of the rows of the image that these reach, with
// zeros around it (tiled_image.cc).
//
// Channels that are read and weights lie as tiles want them, or are copied to the scratchpad first.
#ifndef DNNSPEC_IMPL_CPU_CONVOLUTION_TILED_H_
#define DNNSPEC_IMPL_CPU_CONVOLUTION_TILED_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "api/convolution/operation.h"
#include "api/spi/implementation.h"
#include "api/spi/operation.h"
#include "impl_cpu/convolution/patches.h"
#include "impl_cpu/convolution/tensor_copy.h"
#include "impl_cpu/convolution/walk.h"
#include "impl_cpu/product/finish.h"
#include "impl_cpu/product/finish_kernel.h"
#include "impl_cpu/product/index.h"
#include "impl_cpu/product/kernel.h"

namespace impl_cpu {

// A tensor as it is read: where it lies, or its copy.
struct ReadTensor {
  int buffer = -1;
  TensorCopy copy;
};

class TiledConvolution {
 public:
  // False if this machine has no kernels for it, or strides make too many walks. With `pairs` bf16
  // is multiplied by the instructions for it, for which FindBf16PairTileKernels has kernels;
  // otherwise as f32.
  bool Plan(const spi::Operation& operation, int max_threads, bool pairs = false);

  // Of any alignment.
  size_t scratchpad_bytes() const;

  // Computes the result, but for the padding of its blocks.
  void Run(spi::Buffers buffers, std::byte* scratchpad) const;

  // "f32 walks 1 places 3136 taps 9 channels 64->64 groups 1 chunks 3 rows 192 patches threads 2".
  std::string ToString() const;

 private:
  enum class Form { kF32, kBf16, kBf16Pairs, kPairs, kQuads };
  // Consecutive k: `line` is that of a panel at which they begin.
  struct Chunk {
    int64_t k0, depth, line;
  };
  // How a walk is cut.
  struct Part {
    Walk walk;
    std::vector<Chunk> chunks;             // at least one, which may be empty; none by_image
    int64_t places = 0;                    // of all batches
    int64_t rows = 0, blocks = 0;          // of a block, but for the last
    bool complete = false;                 // every tap of every place reads something
    bool in_rows = false;                  // what places read need not be packed
    int64_t row_base = 0, row_stride = 0;  // elements to the first, and to the next then
    bool sums_in_place = false;            // where columns allow it
    // Of AMX: rows of places of a block, and how many blocks an image has; and the copy, in places.
    bool by_image = false;
    int64_t image_rows = 0, blocks_of_image = 0;
    int64_t copy_rows = 0, copy_width = 0;
    std::vector<AmxPieces::Piece> pieces;
    std::vector<AmxPieces::Rows> tiles;
    int64_t height = 0;  // of these, of which a row of places has so many
    int64_t tiles_of_row = 0;
    int64_t first_task = 0;
  };
  // What a task works with: the data, the part of it, and the scratchpad of its thread.
  struct Task {
    const std::byte* source;
    const std::byte* weights;
    const std::byte* bias;
    const float* scales;
    std::byte* result;
    std::byte* patches;
    std::byte* sums;
    int64_t* offsets;  // of the places of the block in the result

    const Part* part;
    int64_t group, begin, rows;  // places
    int64_t first_n, last_n;     // columns of the group
  };

  void PlanSource(const spi::Operation& operation, const spi::ConvolutionView& view);
  bool PlanWeights(const spi::Operation& operation, const spi::ConvolutionView& view);
  void PlanResult(const spi::Operation& operation, const spi::ConvolutionView& view);
  void PlanPart(const spi::Layout& result, Part* part) const;
  void PlanRows(Part* part) const;
  void PlanImage(Part* part) const;
  size_t ImageBytes(const Part& part) const;
  void PlanThreads(int max_threads);
  int64_t LineDepth() const;              // k of a line of a panel
  int64_t ElementDepth() const;           // of 32 bits of what is packed
  int64_t PatchRow(int64_t depth) const;  // of those elements, from one row to the next
  int64_t KernelTap(const Walk& walk, int64_t tap) const;  // as weights count taps

  void RunTask(const Part& part, int64_t index, Task* task) const;
  void LocateRows(const Task& task) const;
  void RunChunk(const Task& task, const Chunk& chunk) const;
  void RunImage(const Task& task) const;
  void CopyImage(const Task& task) const;
  TileArgs ArgsOf(const Task& task, int64_t n, int64_t cols) const;
  bool SumsInPlace(const Part& part, int64_t channel, int64_t cols) const;
  void MendRows(const Task& task) const;
  void MendRow(const Task& task, int64_t row) const;
  void FinishGroup(const Task& task, int64_t n, int64_t cols) const;

  bool integers_ = false;
  Form form_ = Form::kF32;
  spi::DataType result_type_ = spi::DataType::kUndef;
  int64_t batch_ = 0, groups_ = 0;
  int64_t channels_ = 0;  // of a group, that are read
  int64_t padded_ = 0;    // the same, as many as panels have
  int64_t columns_ = 0;   // of a group, that are computed
  std::array<spi::ConvolutionAxis, 3> axes_;
  std::vector<Part> parts_;

  ReadTensor source_, weights_;
  ChannelRows source_rows_;
  PatchPacker packer_;
  // Lines of panels, in bytes; of pairs that are copies of quads, twice as many.
  int64_t panel_bytes_ = 0, group_bytes_ = 0, weights_offset_ = 0;
  PairKernels pairs_;
  int64_t quad_lines_ = 0;  // to be split

  int result_buffer_ = -1;
  int64_t result_offset_ = 0;
  Index result_batch_, result_channels_;
  std::array<Index, 3> result_places_;
  bool result_uniform_ = false;
  int64_t result_row_ = 0;

  TileKernels kernels_;
  Finish finish_;
  FinishKernel finish_kernel_ = nullptr;

  int64_t column_groups_ = 0;  // of panels, in a group
  int64_t ranges_ = 1;         // of column groups
  int64_t sums_row_ = 0;
  int64_t tasks_ = 0;
  int threads_ = 1;
  size_t pair_bytes_ = 0;
  size_t patch_bytes_ = 0, sums_bytes_ = 0, offset_bytes_ = 0;
  size_t thread_bytes() const { return patch_bytes_ + sums_bytes_ + offset_bytes_; }
};

}  // namespace impl_cpu

#endif  // DNNSPEC_IMPL_CPU_CONVOLUTION_TILED_H_
