// Shuffle as the caller asked for it: the axis, read as a row-major (C / G) x G matrix, is
// transposed; backward applies the inverse.
//
//   forward:   dst(u + v * C/G) = src(u * G + v)        0 <= u < C/G, 0 <= v < G
//   backward:  diff_src(u * G + v) = diff_dst(u + v * C/G)
//
// Source: oneDNN developer guide, "Shuffle"; requirements SHU-007 to SHU-039.
#ifndef DNNSPEC_API_SHUFFLE_OPERATION_H_
#define DNNSPEC_API_SHUFFLE_OPERATION_H_

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "api/spi/types.h"

namespace spi {

struct ShuffleOperation {
  bool forward = true;
  // The tensor that is read (src, or diff_dst backward) and the one that is written (dst, or
  // diff_src). Equal rank, dims and type.
  Layout from, to;
  int axis = 0;            // in [0, rank)
  int64_t group_size = 1;  // >= 1, divides dims[axis]
};

// The first rule that `operation` breaks, in the order of spec/shuffle/requirements.md, or Ok.
absl::Status Validate(const ShuffleOperation& operation);

// One line: "shuffle forward bf16 2x240x28x28 s188160,784,28,1 axis 1 group 3".
std::string ToString(const ShuffleOperation& operation);

}  // namespace spi

#endif  // DNNSPEC_API_SHUFFLE_OPERATION_H_
