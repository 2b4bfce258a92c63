// Runs a pipeline over data.
#ifndef DNNSPEC_IMPL_CPU_STRIDED_RUN_H_
#define DNNSPEC_IMPL_CPU_STRIDED_RUN_H_

#include <cstddef>

#include "impl_cpu/plain/problem.h"
#include "impl_cpu/strided/pipeline.h"

namespace impl_cpu {

// Runs all of `pipeline`, on several threads where that pays. `src` and `dst` are the starts of the
// buffers; `scales` is read only if the pipeline is scaled, `zeros` only if the arithmetic it was
// planned for has zero points.
void RunPipeline(const Pipeline& pipeline, const Zeros& zeros, const std::byte* src, std::byte* dst,
                 const float* scales);

// A pipeline that is one call of one kernel, whose shape is known: an execution decides nothing.
using OneCall = void (*)(const Pipeline& pipeline, const std::byte* src, std::byte* dst,
                         const float* scales);

// Null for every other pipeline, and where zero points or scales come with the execution.
OneCall FindOneCall(const Arithmetic& arithmetic, const Pipeline& pipeline);

}  // namespace impl_cpu

#endif  // DNNSPEC_IMPL_CPU_STRIDED_RUN_H_
