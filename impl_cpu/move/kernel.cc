#include "impl_cpu/move/kernel.h"

#include "hwy/cache_control.h"
#include "impl_cpu/move/kinds.h"

namespace impl_cpu {

MoveKernel FindMoveKernel(MoveKind kind, int width) {
  switch (kind) {
    case MoveKind::kRows:
      return FindRowsKernel(width, false);
    case MoveKind::kStreamRows:
      return FindRowsKernel(width, true);
    case MoveKind::kTranspose:
      return FindTransposeKernel(width);
    case MoveKind::kTransposeSplit:
      return FindSplitKernel(width);
    case MoveKind::kAny:
      return FindAnyKernel(width);
  }
  return nullptr;
}

void FlushStreams() { hwy::FlushStream(); }

}  // namespace impl_cpu
