// Shapes of tensors (GEN-DIMS), and the steps that make a shape smaller.
#ifndef DNNSPEC_CONFORMANCE_GEN_SHAPES_H_
#define DNNSPEC_CONFORMANCE_GEN_SHAPES_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/case/random.h"
#include "spec/memory/oracle.h"

namespace conformance {

// The bounds of a draw. The defaults are GEN-DIMS.
struct ShapeLimits {
  int min_rank = 1;
  int max_rank = 12;
  int64_t max_elements = 65536;
  bool may_be_empty = true;  // one shape in twenty has a dim of 0
  bool large = false;        // every shape may use all of max_elements
};

// Most shapes have at most 512 elements, so that a case costs microseconds; one in twenty may use
// all of max_elements. In 15 of 100 every extent is at least 2, mostly at least 3, as far as
// max_elements allow; in 3 of 100 one axis has an extent around 256, 1024, 4096 or 65536. Never
// draws twice for one answer.
spec::Dims AnyShape(Random& random, const ShapeLimits& limits = {});

// A rank in [low, high], small ones more often.
int AnyRank(Random& random, int low, int high);

// As AnyShape, with the extent of `axis` given and no empty shapes; in 3 of 100 another axis is
// long. 0 <= axis < rank.
spec::Dims AnyShapeAround(Random& random, int rank, int axis, int64_t extent,
                          int64_t max_elements = 65536);

// A permutation of 0..n-1.
std::vector<int> AnyPermutation(Random& random, int n);

// The divisors of n > 0, ascending.
std::vector<int64_t> Divisors(int64_t n);

// "2x3x4" for 'x', "12,4,1" for ','.
std::string Join(const spec::Dims& values, char separator);
// The opposite; nullopt for anything that Join does not write. At least one number.
std::optional<spec::Dims> Split(std::string_view text, char separator);

// One step towards a smaller shape: axis `axis` gets `extent`, or goes away.
struct Cut {
  static constexpr int64_t kDrop = -1;
  int axis = 0;
  int64_t extent = kDrop;
};

// Steps to try when a case with these dims fails: axes away first, then extents down, largest steps
// first. A shape keeps at least one axis, and no step makes an empty shape of one that is not.
std::vector<Cut> Cuts(const spec::Dims& dims);

// `values` after the step: dims get the new extent, strides and offsets keep their value.
spec::Dims CutDims(const spec::Dims& dims, const Cut& cut);
spec::Dims CutEntry(const spec::Dims& values, const Cut& cut);

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_GEN_SHAPES_H_
