// A move: every element of one layout goes to a place of another, perhaps converted and scaled, or
// as its image under a function.
//
// Reorder, shuffle and eltwise become moves. Whatever the layouts were (strided, blocked,
// shuffled), a move is a list of nests of loops with constant strides (api/spi/strided/nest.h). All
// strides and offsets count elements; nothing here knows of a device.
#ifndef DNNSPEC_IMPL_VULKAN_STRIDED_MOVE_H_
#define DNNSPEC_IMPL_VULKAN_STRIDED_MOVE_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "api/spi/attributes.h"
#include "api/spi/strided/nest.h"
#include "api/spi/types.h"

namespace impl_vulkan {

// What happens to a value on its way: result = alpha * (value - src_zero) + beta * old + dst_zero,
// in f32. With none of these the value is only converted, and integers go to integers directly.
struct Arithmetic {
  enum class Scales { kNone, kOne, kMany };
  Scales scales = Scales::kNone;
  float alpha = 1;               // kOne
  bool run_time_scales = false;  // kMany: the table comes with the execution
  bool sum = false;
  float beta = 0;
  spi::DataType old_type = spi::DataType::kUndef;  // how the old value is read

  spi::ZeroPoint src_zero, dst_zero;

  // Both zero points come with the execution.
  bool both_at_run_time() const { return src_zero.run_time && dst_zero.run_time; }
  bool shifted() const { return src_zero.present() || dst_zero.present(); }
  bool none() const { return scales == Scales::kNone && !sum && !shifted(); }
};

// What an element becomes instead, in f32: f(value), or f'(value) * gradient, where gradients have
// the destination's type and the strides of scales.
struct Function {
  spi::Algorithm algorithm = spi::Algorithm::kUndef;
  bool backward = false;
  bool by_result = false;  // backward: the values are those of f
  float alpha = 0, beta = 0;

  // Whether it is a piece of a polynomial.
  bool piece() const;
};

struct Move {
  spi::DataType from = spi::DataType::kUndef;
  spi::DataType to = spi::DataType::kUndef;
  Arithmetic arithmetic;  // none() if there is a function
  std::optional<Function> function;
  // Which tensors of the operation are the source, the destination, scales or gradients, and the
  // zero points of source and destination.
  std::array<size_t, 5> positions = {0, 1, 2, 3, 4};
  int64_t scale_count = 1;           // kMany: entries of the table
  std::vector<spi::LoopNest> nests;  // none if there is no element
  // What a blocked destination holds beyond its elements: written with zeros (OPT-045). Strides of
  // the source are 0.
  std::vector<spi::LoopNest> padding;
};

// Whether the blocks of `layout` end more than `bytes` bytes from the start of its buffer; in any
// case false for one without elements.
bool EndsBeyond(const spi::Layout& layout, uint64_t bytes);

// Gives `move` the nests of these layouts, and the padding of `dst`. kUnimplemented where blocks
// that do not nest make more nests than a device is given dispatches for.
absl::Status AddNests(const spi::Layout& src, const spi::Layout& dst, const spi::AxisMap& map,
                      Move* move);

}  // namespace impl_vulkan

#endif  // DNNSPEC_IMPL_VULKAN_STRIDED_MOVE_H_
