// Shuffle as an operation: the axis, read as a row-major (C / G) x G matrix, is transposed;
// backward applies the inverse.
//
//   forward:   dst(u + v * C/G) = src(u * G + v)        0 <= u < C/G, 0 <= v < G
//   backward:  diff_src(u * G + v) = diff_dst(u + v * C/G)
//
// Source: oneDNN developer guide, "Shuffle"; requirements SHU-007 to SHU-039.
#ifndef DNNSPEC_API_SHUFFLE_OPERATION_H_
#define DNNSPEC_API_SHUFFLE_OPERATION_H_

#include <cstdint>
#include <optional>

#include "api/spi/operation.h"

namespace spi {

extern const Signature kShuffleSignature;

// `from` is src, or diff_dst backward; `to` is dst, or diff_src. Into an operation that is new.
void FillShuffle(PropKind prop, const Layout& from, const Layout& to, const ShuffleParams& params,
                 Operation* operation);
inline Operation MakeShuffle(PropKind prop, const Layout& from, const Layout& to,
                             const ShuffleParams& params) {
  Operation operation;
  FillShuffle(prop, from, to, params, &operation);
  return operation;
}

// What a shuffle's operation says, by names. Points into it.
struct ShuffleView {
  explicit ShuffleView(const Operation& operation);

  bool forward;
  // The tensor that is read (src, or diff_dst backward) and the one that is written (dst, or
  // diff_src). Equal rank, dims and type.
  const Layout& from;
  const Layout& to;
  int axis;
  int64_t group_size;
};

// Nothing for another primitive.
inline std::optional<ShuffleView> AsShuffle(const Operation& operation) {
  if (operation.kind != PrimitiveKind::kShuffle) return std::nullopt;
  return std::optional<ShuffleView>(std::in_place, operation);
}

}  // namespace spi

#endif  // DNNSPEC_API_SHUFFLE_OPERATION_H_
