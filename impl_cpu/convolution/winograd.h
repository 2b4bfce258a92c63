// Forward and backward data by Winograd's algorithm F(2x2, 3x3): 16 products where sums by taps
// have 36, with the algorithm's wider bound (CONV-094, CONV-095).
//
//   transform all weights                       16 matrices of channels by columns, in panels
//   for a block of tiles of 2x2 results (a task)
//     transform what they read                  16 matrices of tiles by channels
//     for a group of panels
//       16 products of matrices
//       transform these to results, and finish them
//
// Backward data is the same with the kernel turned around. A value that is infinite or NaN reaches
// all four results of a tile.
#ifndef DNNSPEC_IMPL_CPU_CONVOLUTION_WINOGRAD_H_
#define DNNSPEC_IMPL_CPU_CONVOLUTION_WINOGRAD_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "api/convolution/operation.h"
#include "api/spi/implementation.h"
#include "api/spi/operation.h"
#include "api/spi/types.h"
#include "impl_cpu/convolution/patches.h"
#include "impl_cpu/convolution/tensor_copy.h"
#include "impl_cpu/convolution/winograd_kernel.h"
#include "impl_cpu/product/finish.h"
#include "impl_cpu/product/finish_kernel.h"
#include "impl_cpu/product/index.h"
#include "impl_cpu/product/kernel.h"

namespace impl_cpu {

// f32, forward or backward data, two axes of 3 taps with stride 1 and no dilation, one group of no
// more than 65,536 channels.
bool IsForWinograd(const spi::ConvolutionView& view);
// Whether it is also faster than sums by taps. The same on every machine.
bool PaysAsWinograd(const spi::ConvolutionView& view);

class WinogradConvolution {
 public:
  // Of what the algorithm is for. False if this machine has no kernels.
  bool Plan(const spi::Operation& operation, int max_threads);

  // Of any alignment.
  size_t scratchpad_bytes() const;

  // Computes the result, but for the padding of its blocks.
  void Run(spi::Buffers buffers, std::byte* scratchpad) const;

  // "f32 winograd 2x2 tiles 784 of 64->64 in blocks of 88 threads 2".
  std::string ToString() const;

 private:
  // An axis of places.
  struct Axis {
    int64_t read, results, tiles;
    int64_t first;  // what tile 0 reads first; it may not exist
  };
  struct Task;

  void PlanWeights(const spi::Operation& operation, const spi::ConvolutionView& view);
  void PlanBlocks(int max_threads);
  void TransformWeights(const std::byte* weights, float* to) const;
  void RunBlock(const Task& task) const;
  void TransformPatches(const Task& task) const;
  void Multiply(const Task& task, int64_t n, int panels) const;
  void LocateResults(const Task& task, int64_t tile, int64_t* rows) const;
  void FinishGroup(const Task& task, int64_t n, int64_t cols) const;

  int64_t batch_ = 0, channels_ = 0, columns_ = 0;  // read, computed
  std::array<Axis, 2> axes_{};

  int source_buffer_ = -1, weights_buffer_ = -1, result_buffer_ = -1;
  TensorCopy source_copy_, weights_copy_;
  ChannelRows source_rows_;
  int64_t weights_offset_ = 0, weights_panel_ = 0;  // floats
  std::array<int64_t, kKernelTaps> taps_{};         // floats to the lines of each

  spi::DataType result_type_ = spi::DataType::kUndef;
  int64_t result_offset_ = 0;
  Index result_batch_, result_channels_;
  std::array<Index, 2> result_places_;

  WinogradKernels transforms_;
  TileKernels kernels_;
  Finish finish_;
  FinishKernel finish_kernel_ = nullptr;

  int64_t panels_ = 0;
  int64_t tiles_ = 0, block_tiles_ = 0, blocks_ = 0;
  // From one transformed element to the next, in floats; and of a tile's channels.
  int64_t weights_matrix_ = 0, patches_matrix_ = 0, sums_matrix_ = 0, patch_row_ = 0;
  int threads_ = 1;
  size_t weights_bytes_ = 0, zero_bytes_ = 0;
  size_t patches_bytes_ = 0, sums_bytes_ = 0, results_bytes_ = 0;
  size_t thread_bytes() const { return patches_bytes_ + sums_bytes_ + results_bytes_; }
};

}  // namespace impl_cpu

#endif  // DNNSPEC_IMPL_CPU_CONVOLUTION_WINOGRAD_H_
