// One function for each kind of move, so that each is a file of its own.
#ifndef DNNSPEC_IMPL_CPU_MOVE_KINDS_H_
#define DNNSPEC_IMPL_CPU_MOVE_KINDS_H_

#include "impl_cpu/move/kernel.h"

namespace impl_cpu {

MoveKernel FindRowsKernel(int width, bool stream);
MoveKernel FindTransposeKernel(int width);
MoveKernel FindSplitKernel(int width);
MoveKernel FindAnyKernel(int width);

}  // namespace impl_cpu

#endif  // DNNSPEC_IMPL_CPU_MOVE_KINDS_H_
