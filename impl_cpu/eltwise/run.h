// Eltwise over tensors of any layout and type: which elements, in which order, on which threads.
#ifndef DNNSPEC_IMPL_CPU_ELTWISE_RUN_H_
#define DNNSPEC_IMPL_CPU_ELTWISE_RUN_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "api/eltwise/operation.h"
#include "api/spi/strided/nest.h"
#include "api/spi/types.h"
#include "impl_cpu/convert/kernel.h"
#include "impl_cpu/elementwise/kernel.h"
#include "impl_cpu/plain/problem.h"

namespace impl_cpu {

// The starts of the buffers of one execution. `diff_dst` is null forward.
struct EltwiseData {
  const std::byte* data;
  const std::byte* diff_dst;
  std::byte* to;
};

// One eltwise, decided without data.
class EltwiseRun {
 public:
  // `view` has no kAny, and diff_dst has the layout of `to`. With vectors, or each element by
  // itself; false if this machine has no vectors.
  bool Plan(const spi::EltwiseView& view, bool vectors);

  // Writes every element, and zeros to the padding. Allocates nothing.
  void Run(const EltwiseData& at) const;

  // "eltwise_relu f32->f32 1000 (1)->(1)": the function, the types, the loops.
  std::string ToString() const;

 private:
  int64_t OnlyRow(int64_t bytes) const;
  void RunRow(const EltwiseData& at) const;
  void RunNest(const spi::LoopNest& nest, const EltwiseData& at) const;
  void RunPart(const spi::LoopNest& nest, int64_t begin, int64_t end, const EltwiseData& at) const;
  void RunStaged(const spi::LoopNest& nest, int64_t begin, int64_t end,
                 const EltwiseData& at) const;
  void Widen(const std::byte* from, int64_t stride, int64_t count, float* to) const;
  void Narrow(const float* from, int64_t stride, int64_t count, std::byte* to) const;
  void Apply(const EltwiseRows& rows, const float* data, const float* diff_dst, float* to) const;

  spi::DataType type_ = spi::DataType::kUndef;
  Function function_;
  ForwardKernel forward_ = nullptr;    // null backward
  BackwardKernel backward_ = nullptr;  // null forward
  // In the place of these and the conversions around them, where there is such a kernel.
  NarrowKernel narrow_forward_ = nullptr;
  NarrowBackwardKernel narrow_backward_ = nullptr;
  // Of elements that lie side by side; null for f32, and without vectors.
  ConvertKernel widen_ = nullptr, narrow_ = nullptr;
  // Source steps are those of the data.
  Problem problem_;
  bool non_temporal_ = false;  // the result will not be found in a cache
  int64_t row_ = 0;  // of f32 that lie side by side, for one thread, and nothing else; 0: not so
};

}  // namespace impl_cpu

#endif  // DNNSPEC_IMPL_CPU_ELTWISE_RUN_H_
