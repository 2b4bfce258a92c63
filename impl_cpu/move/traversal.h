// Describes in which order a kernel goes through a matrix, and what it fetches before it gets
// there.
#ifndef DNNSPEC_IMPL_CPU_MOVE_TRAVERSAL_H_
#define DNNSPEC_IMPL_CPU_MOVE_TRAVERSAL_H_

#include <cstdint>

namespace impl_cpu {

struct Traversal {
  // Rows of the source are prefetched so many bytes ahead; 0: not at all.
  int64_t prefetch = 0;
  // Tiles follow one another along the rows of the source; false: down its columns. Kernels that
  // work on whole rows do not read it.
  bool along_rows = false;
};

}  // namespace impl_cpu

#endif  // DNNSPEC_IMPL_CPU_MOVE_TRAVERSAL_H_
