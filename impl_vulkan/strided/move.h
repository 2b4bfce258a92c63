// A move: every element of one layout goes to a place of another, perhaps converted and scaled.
//
// Reorder and shuffle both become moves. Whatever the layouts were (strided, blocked, shuffled),
// a move is a list of parts, and a part is a set of nested loops whose steps are constant:
//
//   for i in nodes: destination[part.destination + sum i * node.destination]
//                       = f(source[part.source + sum i * node.source])
//
// Plain layouts give one part. A block that does not divide its axis, or a shuffle across blocks,
// gives one part more for each stretch that has steps of its own (axis.h). All strides and offsets
// count elements; nothing here knows of a device.
#ifndef DNNSPEC_IMPL_VULKAN_STRIDED_MOVE_H_
#define DNNSPEC_IMPL_VULKAN_STRIDED_MOVE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "api/reorder/operation.h"  // spi::ZeroPoint
#include "api/spi/types.h"

namespace impl_vulkan {

struct Node {
  int64_t extent = 1;
  int64_t source = 0;
  int64_t destination = 0;
  int64_t scale = 0;  // step in the table of scales
};

struct Part {
  int64_t source = 0;
  int64_t destination = 0;
  int64_t scale = 0;
  std::vector<Node> nodes;
};

// What happens to a value on its way: result = alpha * (value - src_zero) + beta * old + dst_zero,
// in f32. With none of these the value is only converted, and integers go to integers directly.
struct Arithmetic {
  enum class Scales { kNone, kOne, kMany };
  Scales scales = Scales::kNone;
  float alpha = 1;  // kOne
  bool sum = false;
  float beta = 0;
  spi::DataType old_type = spi::DataType::kUndef;  // how the old value is read

  spi::ZeroPoint src_zero, dst_zero;

  bool shifted() const { return src_zero.present() || dst_zero.present(); }
  bool none() const { return scales == Scales::kNone && !sum && !shifted(); }
};

struct Move {
  spi::DataType from = spi::DataType::kUndef;
  spi::DataType to = spi::DataType::kUndef;
  Arithmetic arithmetic;
  int64_t scale_count = 1;  // kMany: entries of the table
  std::vector<Part> parts;  // none if there is no element
  // What a blocked destination holds beyond its elements: written with zeros (OPT-045). Steps of
  // the source are 0.
  std::vector<Part> padding;
};

// A part is a dispatch or more, and this bounds the host's time and memory for them. Where the
// blocks of source and destination do not nest, there are some three parts for each block of the
// larger size: so many need tens of millions of elements in blocks that no program has.
constexpr size_t kMostParts = size_t{1} << 14;

// Whether the blocks of `layout` end more than `bytes` bytes from the start of its buffer; in any
// case false for one without elements.
bool EndsBeyond(const spi::Layout& layout, uint64_t bytes);

// Gives `move` the parts of these axes, and the padding of the destination. Each list of parts is
// what PartsOfAxis gave. kUnimplemented where there would be more than kMostParts parts.
absl::Status Fill(const std::vector<std::optional<std::vector<Part>>>& axes,
                  const spi::Layout& source, const spi::Layout& destination, Move* move);

// Drops extents of 1, sorts by destination stride, outermost first, and joins what is one loop.
void Normalise(Part* part);

}  // namespace impl_vulkan

#endif  // DNNSPEC_IMPL_VULKAN_STRIDED_MOVE_H_
