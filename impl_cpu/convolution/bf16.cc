#include "impl_cpu/convolution/bf16.h"

#include <algorithm>

#include "impl_cpu/convolution/direct_kernel.h"
#include "impl_cpu/product/arguments.h"
#include "impl_cpu/product/normal_bf16.h"
#include "impl_cpu/product/rounding.h"
#include "impl_cpu/threads/parallel_for.h"

namespace impl_cpu {
namespace {

using spi::DataType;

// Fewer channels to a group do not fill words and panels.
constexpr int64_t kLeastDepth = 3, kLeastColumns = 8;
constexpr int64_t kPiece = 1 << 16;

}  // namespace

bool Bf16Convolution::Plan(const spi::Operation& operation, int max_threads) {
  const spi::ConvolutionView view(operation);
  const bool data = view.prop == spi::PropKind::kBackwardData;
  const spi::Layout& read = data ? view.dst : view.src;
  const int64_t depth = data ? view.oc : view.ic, columns = data ? view.ic : view.oc;
  if (read.type != DataType::kBF16 || view.weights.type != DataType::kBF16) return false;
  if (depth < kLeastDepth || columns < kLeastColumns || (view.groups > 1 && depth % 2 != 0))
    return false;
  in_tiles_ = PaysByAmx(view, FindBf16AmxKernel() != nullptr);
  if (!in_tiles_ && FindBf16PanelRowKernel().run == nullptr) return false;
  if (!Find(operation, read, &read_) || !Find(operation, view.weights, &weights_)) return false;
  const bool planned = in_tiles_ ? tiles_.Plan(operation, max_threads, /*pairs=*/true)
                                 : products_.Plan(operation, max_threads, /*bf16=*/true);
  if (!planned) return false;
  threads_ = max_threads;
  by_tiles_ = DirectFormOf(view) == DirectForm::kNone || !direct_.Plan(operation, max_threads);
  return !by_tiles_ || tiled_.Plan(operation, max_threads);
}

bool Bf16Convolution::Find(const spi::Operation& operation, const spi::Layout& layout,
                           Numbers* numbers) {
  numbers->buffer = PositionOf(operation, layout);
  numbers->offset = layout.offset;
  numbers->count = 0;
  if (spi::IsEmpty(layout)) return true;
  numbers->count = 1;
  for (int axis = 0; axis < layout.rank; ++axis) {
    int64_t side = 1;
    for (int b = 0; b < layout.block_count; ++b)
      if (layout.blocks[static_cast<size_t>(b)].axis == axis)
        side *= layout.blocks[static_cast<size_t>(b)].size;
    numbers->count *= RoundUp(layout.dims[static_cast<size_t>(axis)], side);
  }
  int64_t bytes = 0;
  return spi::SizeInBytes(layout, &bytes) &&
         bytes == (layout.offset + numbers->count) * spi::SizeOf(DataType::kBF16);
}

size_t Bf16Convolution::scratchpad_bytes() const {
  return std::max(in_tiles_ ? tiles_.scratchpad_bytes() : products_.scratchpad_bytes(),
                  by_tiles_ ? tiled_.scratchpad_bytes() : direct_.scratchpad_bytes());
}

uint16_t Bf16Convolution::LeastOf(const Numbers& numbers, spi::Buffers buffers) const {
  const auto* const from =
      reinterpret_cast<const uint16_t*>(DataOf(numbers.buffer, buffers)) + numbers.offset;
  LeastBf16 least;
  ParallelFor(CeilDiv(numbers.count, kPiece), threads_, [&](int64_t piece) {
    const int64_t first = piece * kPiece;
    least.Look(from + first, std::min(kPiece, numbers.count - first));
  });
  return least.size();
}

void Bf16Convolution::Run(spi::Buffers buffers, std::byte* scratchpad) const {
  if (ProductsAreNormal(LeastOf(read_, buffers), LeastOf(weights_, buffers)))
    return in_tiles_ ? tiles_.Run(buffers, scratchpad) : products_.Run(buffers, scratchpad);
  by_tiles_ ? tiled_.Run(buffers, scratchpad) : direct_.Run(buffers, scratchpad);
}

}  // namespace impl_cpu
