// The two libraries that are measured, each behind the same few lines.
#ifndef DNNSPEC_TOOLS_BENCHMARK_SUBJECT_H_
#define DNNSPEC_TOOLS_BENCHMARK_SUBJECT_H_

#include <memory>
#include <string>

#include "tools/benchmark/cases.h"

namespace bench {

class Runnable {
 public:
  virtual ~Runnable() = default;
  virtual void Run() = 0;          // one execution, or one creation
  virtual std::string Info() = 0;  // what the library says it does
};

// Null if the library refuses the case. Memory of reorders and shuffles is `src` and `dst`.
std::unique_ptr<Runnable> MakeOurs(const Case& c, void* src, void* dst);
std::unique_ptr<Runnable> MakeStock(const Case& c, void* src, void* dst);
// Of the first GPU engine, which runs it later; the two are DNNL_MEMORY_ALLOCATE.
std::unique_ptr<Runnable> MakeOursOnGpu(const Case& c, void* src, void* dst);

// The best instruction set that stock oneDNN uses: SSE4, AVX2 or AVX512; empty if it is not there.
std::string StockInstructions();

}  // namespace bench

#endif  // DNNSPEC_TOOLS_BENCHMARK_SUBJECT_H_
