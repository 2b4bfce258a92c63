// How a computation is cut into tasks of which each thread has about as much.
#ifndef DNNSPEC_IMPL_CPU_PRODUCT_EVEN_CUT_H_
#define DNNSPEC_IMPL_CPU_PRODUCT_EVEN_CUT_H_

#include <cstdint>

namespace impl_cpu {

struct Cut {
  int64_t pieces, ranges;
};

// Cuts `count` rows into pieces, `least` or a few more, and `shares` columns into ranges, as few as
// make `wanted` tasks or a few more. A task is a piece by a range, and there are `each` of every
// one. Where there are many tasks to each of `threads` it does not matter, and the least are taken.
// Pieces, and ranges, differ by one at most.
Cut EvenCut(int64_t count, int64_t least, int64_t each, int64_t shares, int64_t wanted,
            int64_t threads);

}  // namespace impl_cpu

#endif  // DNNSPEC_IMPL_CPU_PRODUCT_EVEN_CUT_H_
