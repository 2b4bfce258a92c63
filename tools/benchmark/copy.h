// The yardstick: a plain copy of as many bytes, on as many threads.
#ifndef DNNSPEC_TOOLS_BENCHMARK_COPY_H_
#define DNNSPEC_TOOLS_BENCHMARK_COPY_H_

#include <cstddef>
#include <cstdint>

namespace bench {

enum class CopyKind { kMemcpy, kLoop, kStream };
constexpr CopyKind kCopyKinds[] = {CopyKind::kMemcpy, CopyKind::kLoop, CopyKind::kStream};

void Copy(CopyKind kind, int threads, const uint8_t* src, uint8_t* dst, size_t bytes);

// The threads that the libraries may use: those of the machine, or DNNSPEC_NUM_THREADS.
int ThreadCount();

}  // namespace bench

#endif  // DNNSPEC_TOOLS_BENCHMARK_COPY_H_
