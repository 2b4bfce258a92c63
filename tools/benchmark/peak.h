// The yardstick of inner products and convolutions: multiply-adds of f32 that wait for nothing.
#ifndef DNNSPEC_TOOLS_BENCHMARK_PEAK_H_
#define DNNSPEC_TOOLS_BENCHMARK_PEAK_H_

namespace bench {

// Some microseconds of them on one thread, with the best instruction set that ours may use. How
// many floating-point operations that were.
double MultiplyAdd();

}  // namespace bench

#endif  // DNNSPEC_TOOLS_BENCHMARK_PEAK_H_
