// Convolution as floats, or words of bytes or bf16, forward and backward data, read where
// activations lie: what places read is not copied to rows for tiles. How it is shared out, and its
// execution.
//
//   for some rows of places of a walk and some of the channels that are computed (a task)
//     for channels that a kernel computes at once
//       for a row
//         the taps of its outer axes that exist
//         the kernel: all of the row's places
//     finish the rows
//
// Activations lie channels innermost, and weights as the kernel wants them, or are copied so first.
#ifndef DNNSPEC_IMPL_CPU_CONVOLUTION_DIRECT_H_
#define DNNSPEC_IMPL_CPU_CONVOLUTION_DIRECT_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "api/convolution/operation.h"
#include "api/spi/implementation.h"
#include "api/spi/operation.h"
#include "impl_cpu/convolution/direct_kernel.h"
#include "impl_cpu/convolution/patches.h"
#include "impl_cpu/convolution/tensor_copy.h"
#include "impl_cpu/convolution/walk.h"
#include "impl_cpu/product/finish.h"
#include "impl_cpu/product/finish_kernel.h"
#include "impl_cpu/product/index.h"
#include "impl_cpu/product/kernel.h"
#include "impl_cpu/product/pairs.h"

namespace impl_cpu {

// What is computed together: one channel to a group; two or four; or a panel of those of a group.
enum class DirectForm { kNone, kDepthwise, kBlocks, kPanels };

// kNone: it is for tiles. A machine may want tiles for others, too.
DirectForm DirectFormOf(const spi::ConvolutionView& view);
// Whether bytes, of which DirectFormOf says none, are read where they lie on this machine: by taps,
// four channels to a word.
bool ReadsWords(const spi::ConvolutionView& view);

// Whether tiles over copies are better than words that are read where they lie, as AMX multiplies
// faster than what it reads is copied.
bool PaysByAmx(const spi::ConvolutionView& view, bool has_amx);

class DirectConvolution {
 public:
  // What kernels multiply: floats; or words of 32 bits: bytes, whose sums are s32, or two bf16.
  enum class Words { kFloats, kPairs, kQuads, kBf16 };

  // False if this machine has no kernels, strides make too many walks, or tiles are better. Bytes
  // become words where kernels take them; bf16 does where `bf16` says so, and floats otherwise.
  bool Plan(const spi::Operation& operation, int max_threads, bool bf16 = false);

  // Of any alignment.
  size_t scratchpad_bytes() const;

  // Computes the result, but for the padding of its blocks.
  void Run(spi::Buffers buffers, std::byte* scratchpad) const;

  // "depthwise channels 1->1 groups 116 rows 28 places 28 threads 2".
  std::string ToString() const;

 private:
  static constexpr int64_t kColumns = kMaxGroup * kPanel;  // that finishing takes at once

  struct Part {
    Walk walk;
    int64_t first_task = 0;
    // Tasks that rows of an image's depth are, and places of a row; and the most that one has.
    int64_t blocks = 0, height = 1;
    int64_t pieces = 0, width = 1;
    std::vector<RowTap> taps;  // of the innermost axis
    bool runs = false;
    RowKernel kernel = nullptr;
    // Of panels: what a group reads is copied, where nothing else lies between.
    bool gathers = false;
    int64_t together = 1;          // groups
    size_t gathered = 0;           // bytes
    std::vector<int64_t> offsets;  // RowArgs
    // Of depthwise forms: the kernel for three by three taps, if it serves, and what it is to know.
    DepthwiseKernel depthwise = nullptr;
    bool by_columns = false;
    DepthwiseArgs depthwise_args;
    // Its kernel stores results, and no sums.
    bool stores() const { return depthwise_args.results != spi::DataType::kUndef; }
  };
  struct Task;
  bool PlanKernel(const spi::ConvolutionView& view);
  void PlanPanelKernel(const spi::ConvolutionView& view);
  void PlanWords(const spi::ConvolutionView& view);
  bool IsForTiles(const spi::ConvolutionView& view) const;
  void PlanSource(const spi::Operation& operation, const spi::Layout& layout);
  void PlanSourceWords(const spi::Layout& layout);
  void PlanWeights(const spi::Operation& operation, const spi::ConvolutionView& view);
  void PlanWeightWords(const spi::ConvolutionView& view);
  // Where what is given does not fit, a copy as wanted is made. Returns where weights are read.
  const spi::Layout& TakeWeights(const spi::Layout& given, const spi::Layout& wanted, bool fits);
  bool PlanTapRows(const spi::ConvolutionView& view);
  void PlanTapRowSource(const spi::Layout& layout);
  void PlanTapRowWeights(const spi::ConvolutionView& view);
  void JoinTaps(Walk* walk) const;
  void ReadTapRows(const std::byte* from, int16_t* to) const;
  void ReadTapRowWeights(const std::byte* from, int16_t* to) const;
  void PlanResult(const spi::Operation& operation, const spi::ConvolutionView& view);
  bool IsPointwise(const Walk& walk) const;
  bool IsForGroupRow(const WalkAxis& axis) const;
  void PlanPart(Walk walk);
  void PlanPanels(Part* part) const;
  void PlanDepthwise(Part* part) const;
  bool StoresBytes() const;
  void PlanThreads(int max_threads);
  int64_t TasksOf(const Part& part) const;  // of one range
  int64_t CutPart(int64_t ranges, int64_t shares, int64_t wanted, int64_t threads,
                  Part* part) const;
  double Work() const;  // in what a thread of its own is worth

  Task TaskOf(spi::Buffers buffers, std::byte* scratchpad) const;
  const std::byte* ReadSource(spi::Buffers buffers, std::byte** scratchpad) const;
  const std::byte* ReadWeights(spi::Buffers buffers, std::byte** scratchpad) const;
  void RunTask(const Part& part, int64_t index, Task* task) const;
  void LocateRow(const Part& part, const Task& task, int64_t row) const;
  void SumRow(const Part& part, const Task& task, int64_t row, int64_t unit) const;
  void FetchAhead(const Part& part, const Task& task, int64_t row, int64_t unit,
                  RowArgs* args) const;
  int64_t GroupOf(int64_t unit) const { return unit / group_units_; }
  int64_t ChannelOf(int64_t unit) const;  // its first
  // Where a kernel stores what it computes of a channel of its first place.
  float* SumsOf(const Part& part, const Task& task, int64_t row, int64_t channel) const;
  void Gather(const Part& part, int64_t group, Task* task) const;
  void GatherRow(const float* from, int64_t groups, int64_t places, int64_t plane, float* to) const;
  void SumDepthwise(const Part& part, const Task& task) const;
  void FinishRows(const Part& part, const Task& task) const;

  DirectForm form_ = DirectForm::kNone;
  bool integers_ = false;  // bytes are read
  bool bf16_ = false;      // bf16 is read, and multiplied as such
  Words words_ = Words::kFloats;
  int64_t batch_ = 0, groups_ = 0;
  // Channels of a group that are computed and read, the latter as words.
  int64_t depth_ = 0, columns_ = 0;
  std::array<spi::ConvolutionAxis, 3> axes_;
  std::vector<Part> parts_;
  RowKernel kernel_ = nullptr;
  GroupRowKernel group_kernel_;
  int64_t most_ = 0;    // channels of panels that a kernel computes at once,
  int64_t places_ = 1;  // and places
  // A unit is so many channels; of depthwise forms kColumns, the last one more; else all.
  int64_t group_units_ = 1, units_ = 1;  // of a group, and all
  int64_t ranges_ = 1, split_ = 1;       // of units, so many of which are not parted
  // Tasks of a range follow one another: what weights a thread reads stays in its caches.
  bool by_ranges_ = false;

  int source_buffer_ = -1, weights_buffer_ = -1, result_buffer_ = -1;
  TensorCopy source_copy_, weights_copy_;
  ChannelRows source_;
  // Of pairs: how many s16 are made.
  int64_t source_halves_ = 0, weight_halves_ = 0;
  // Where a row of taps is one tap of all its channels, of s16.
  struct TapRows {
    int64_t taps = 0;                // of a row; 0: it is not so
    int64_t channels = 0, side = 0;  // of a place that is read, and of its copy
    // Rows that are copied, their length, what is before the first place, and from place to place
    // of the result.
    int64_t count = 0, row = 0, before = 0, step = 0;
    std::array<int64_t, 3> inputs{};  // places of the outer axes, and channels of all of a row
    ChannelRows source;
  };
  TapRows tap_rows_;
  PairKernels source_pairs_, weight_pairs_;
  int64_t source_offset_ = 0;  // bytes to where words begin
  // Channels of a word; and so many must lie side by side.
  int64_t OfWord() const { return words_ == Words::kQuads ? 4 : 2; }
  int64_t Side() const { return words_ == Words::kBf16 ? 2 : 4; }
  size_t pair_bytes() const;  // of s16
  int64_t weights_offset_ = 0, weights_group_ = 0, weights_panel_ = 0;
  int64_t weights_tap_ = 0;  // from tap to tap
  spi::DataType result_type_ = spi::DataType::kUndef;
  int64_t result_offset_ = 0;
  Index result_batch_, result_channels_;
  std::array<Index, 3> result_places_;
  bool result_uniform_ = false;  // places of an image
  bool in_place_ = false;        // sums are stored there, as f32 or bf16
  Finish finish_, after_;        // the second without the bias where sums begin with it
  FinishKernel finish_kernel_ = nullptr;
  int64_t sums_row_ = 0, tasks_ = 0;
  int threads_ = 1;
  size_t first_bytes_ = 0, number_bytes_ = 0;
  size_t row_bytes_ = 0;  // numbers of all channels, where a kernel stores results
  size_t sums_bytes_ = 0, offset_bytes_ = 0, tap_bytes_ = 0, gather_bytes_ = 0;
  size_t thread_bytes() const {
    return sums_bytes_ + offset_bytes_ + 2 * tap_bytes_ + gather_bytes_;
  }
};

}  // namespace impl_cpu

#endif  // DNNSPEC_IMPL_CPU_CONVOLUTION_DIRECT_H_
