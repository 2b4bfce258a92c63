// Backward weights by tiles: how it is cut and shared out, and its execution.
//
//   for a tap, some channels of the source and some of the result (a task)
//     for a chunk of the places whose tap lies in the source
//       pack the channels of both that they pair
//       tiles of all channels: rows are those of the source, k is places
//     finish the weights
//
// A task sums over all places: no result depends on the number of threads. The gradient of the bias
// is a sum of channels over all places, chunk by chunk: of those that a tap packs which all have.
#ifndef DNNSPEC_IMPL_CPU_CONVOLUTION_GRADIENT_H_
#define DNNSPEC_IMPL_CPU_CONVOLUTION_GRADIENT_H_

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
#include "impl_cpu/product/pack.h"
#include "impl_cpu/product/pairs.h"
#include "impl_cpu/product/rounding.h"

namespace impl_cpu {

class WeightsGradient {
 public:
  // False if this machine has no kernels for it.
  bool Plan(const spi::Operation& operation, int max_threads);

  // Of any alignment.
  size_t scratchpad_bytes() const;

  // Computes the gradients of weights and bias, but for the padding of their blocks.
  void Run(spi::Buffers buffers, std::byte* scratchpad) const;

  // "gradient taps 9 of 3136 places channels 64x64 groups 1 rows 64 columns 64 threads 2".
  std::string ToString() const;

 private:
  // Places that are packed at once, and pairs of them from row to row.
  static constexpr int64_t kChunk = 256, kPairsRow = kChunk / 2 + kPanel;
  // Of places, or pairs of them, from one to the next; how many they are, and from panel to panel.
  int64_t FloatsRow() const { return RoundUp<int64_t>(rows_, kPanel) + kPanel; }
  int64_t Steps() const { return pairs_ ? kChunk / 2 : kChunk; }
  int64_t PanelOfChunk() const { return Steps() * kPanel; }

  // A tensor of activations: where it lies, or its copy.
  struct Side {
    int buffer = -1;
    TensorCopy copy;
    ChannelRows rows;
    PatchPacker packer;
  };
  // By the tap of each axis: which outputs have it, and the first place of the source.
  struct Tap {
    Range outputs;
    int64_t first;
  };
  struct Task {
    const std::byte* src;
    const std::byte* dst;
    std::byte* weights;
    float* a;     // place after place, or pair of them, `rows_` channels and a line
    float* b;     // panels of these
    float* sums;  // rows_ x cols_
    int64_t* offsets;
    float* bias;        // sums of the columns
    std::byte* staged;  // of bf16, before they are turned
    std::byte* to_bias;

    int64_t group;
    std::array<Tap, 3> taps;
    int64_t first_row, rows, first_col, cols;
    int64_t weight;  // offset of the tap and the group

    int64_t places() const {
      int64_t count = 1;
      for (const Tap& tap : taps) count *= tap.outputs.end - tap.outputs.begin;
      return count;
    }
  };

  static void PlanSide(const spi::Operation& operation, const spi::Layout& layout, Side* side);
  void PlanTaps();
  void PlanThreads(int max_threads);
  void RunTask(int64_t index, Task* task) const;
  bool IsInPlace(const spi::Layout& weights, int columns) const;
  bool ReadsPlaces() const;
  const float* PlaceOf(const Task& task, int64_t place) const;
  void SumPlaces(const Task& task) const;
  float* SumsOf(const Task& task, int64_t n, int64_t* panel) const;
  void SumChunk(const Task& task, uint16_t least_b, bool* widens, TileArgs args) const;
  void SumTiles(const TileKernels& kernels, int panels, int64_t rows, TileArgs args) const;
  void LocatePlaces(const Task& task, int64_t begin, int64_t count, int64_t* from,
                    int64_t* of) const;
  void PackPlaces(const Task& task, int64_t begin, int64_t count) const;
  // Of bf16, as the instructions for them read it (gradient_pairs.cc).
  void PlanPairKernels(const spi::ConvolutionView& view);
  void PlanStaged();
  uint16_t StagePairs(const Task& task, int64_t begin, int64_t count) const;
  uint16_t JoinPlaces(const Task& task, int64_t begin, int64_t count) const;
  bool by_amx() const { return pairs_ && kernels_.amx != nullptr; }
  void PackColumns(const Task& task, int64_t of, int64_t i) const;
  void FinishTask(const Task& task) const;
  void SumBias(const Task& task, int64_t depth) const;
  void StoreBias(float sum, int64_t channel, std::byte* bias) const;
  void RunBias(const std::byte* dst, std::byte* bias, int64_t piece) const;

  int64_t batch_ = 0, groups_ = 0, ic_ = 0, oc_ = 0;
  std::array<spi::ConvolutionAxis, 3> axes_;
  Side src_, dst_;
  std::array<std::vector<Tap>, 3> taps_;
  int64_t bias_tap_ = -1;  // whose tasks sum the bias, too; -1: it is summed for itself

  spi::DataType weights_type_ = spi::DataType::kUndef, bias_type_ = spi::DataType::kUndef;
  int weights_buffer_ = -1, bias_buffer_ = -1;
  int64_t weights_offset_ = 0, bias_offset_ = 0;
  Index of_group_, of_oc_, of_ic_, of_bias_;
  std::array<Index, 3> of_tap_;

  TileKernels kernels_;
  FinishKernel finish_kernel_ = nullptr;
  Finish finish_;  // none
  bool in_place_ = false, reads_places_ = false;
  // Of bf16: multiplied by AMX, which `kernels_` has then, or by `fast_`; widened by `kernels_`.
  bool pairs_ = false;
  TileKernels fast_;  // by vdpbf16ps
  JoinKernel join_ = nullptr;
  // Of places as they are copied before they are turned.
  Index turned_places_, turned_rows_, paired_places_, paired_cols_;
  StripPacker pair_packer_;

  int64_t rows_ = 0, row_blocks_ = 0;  // channels of the source of a task
  int64_t cols_ = 0, col_blocks_ = 0;  // of the result
  int64_t tasks_ = 0;
  int threads_ = 1;
  size_t a_bytes_ = 0, b_bytes_ = 0, sums_bytes_ = 0, offset_bytes_ = 0, bias_bytes_ = 0;
  size_t place_bytes_ = 0;
  size_t thread_bytes() const {
    return a_bytes_ + b_bytes_ + sums_bytes_ + offset_bytes_ + bias_bytes_ + place_bytes_;
  }
};

}  // namespace impl_cpu

#endif  // DNNSPEC_IMPL_CPU_CONVOLUTION_GRADIENT_H_
