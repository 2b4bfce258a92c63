// The one problem of this implementation: read elements along some strides, convert, write them
// along other strides. Reorder and shuffle are both this problem; blocked layouts are too.
#ifndef DNNSPEC_IMPL_CPU_PLAIN_PROBLEM_H_
#define DNNSPEC_IMPL_CPU_PLAIN_PROBLEM_H_

#include <memory>
#include <string>
#include <vector>

#include "api/spi/strided/nest.h"
#include "api/spi/strided/walk.h"
#include "api/spi/types.h"

namespace impl_cpu {

// A plan takes no longer because its tensors are larger.
constexpr spi::Limits kLimits;

// Zero points, as f32. Where one is absent, what changes no number: x - 0 and x + -0 are x.
struct Zeros {
  float src = 0, dst = -0.0f;
};

// What happens to an element on its way, in f32 and unfused:
//   dst = convert(scale * (src - src zero) + beta * dst + dst zero)
struct Arithmetic {
  enum class Scale {
    kNone,  // none: without `computed` nothing passes through f32
    kOne,   // scales[0] for every element
    kMany,  // scales[offset], by the scale strides of the loops
  };

  spi::DataType src = spi::DataType::kUndef, dst = spi::DataType::kUndef;
  Scale scale = Scale::kNone;
  bool run_time_scales = false;  // they come with the execution, instead of in `scales`
  std::vector<float> scales;
  bool sum = false;  // beta != 0: the destination is read, as sum_type
  float beta = 0;
  spi::DataType sum_type = spi::DataType::kUndef;
  bool shifted = false;                                       // there is a zero point
  Zeros zeros;                                                // those that are known
  bool run_time_src_zero = false, run_time_dst_zero = false;  // they come with the execution
  // Something is computed, so even a pair of integer types passes through f32. False: the plain
  // conversion of the pair of types, which moves the bits of equal types.
  bool computed = false;
};

// Whether numbers are computed, which subnormal ones have to survive, and not only moved.
inline bool Computes(const Arithmetic& arithmetic) {
  return arithmetic.computed || arithmetic.src != arithmetic.dst;
}

struct Problem {
  Arithmetic arithmetic;
  spi::LoopNests nests;  // each element of the destination exactly once; none if it is empty
  std::shared_ptr<const spi::Walk> walk;  // instead of nests, where they would be too many
  std::vector<spi::LoopNest> padding;     // of the destination: written with zeros
};

// Sets the nests of `problem`, or its walk, and its padding.
void PlanNests(const spi::Layout& src, const spi::Layout& dst, const spi::AxisMap& map,
               Problem* problem);

// "f32->u8 2x3 (6,1)->(1,2) scale:one sum:0.5": types, then extents and strides of the first nest.
std::string ToString(const Problem& problem);

}  // namespace impl_cpu

#endif  // DNNSPEC_IMPL_CPU_PLAIN_PROBLEM_H_
