// What avx3_dl_test.cc asks of a file that is compiled for Highway's own choice of targets.
#ifndef DNNSPEC_IMPL_CPU_ISA_AVX3_TEST_H_
#define DNNSPEC_IMPL_CPU_ISA_AVX3_TEST_H_

#include <cstdint>

namespace impl_cpu {

// The target that a call goes to, and all that the file has, as Highway's bits.
int64_t CallTargetOfAvx3();
int64_t TargetsOfAvx3();

}  // namespace impl_cpu

#endif  // DNNSPEC_IMPL_CPU_ISA_AVX3_TEST_H_
