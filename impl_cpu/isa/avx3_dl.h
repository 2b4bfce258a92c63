// Included before Highway, compiles the kernels of a file for AVX3_DL too: AVX-512 that permutes
// bytes, sums four products of bytes and, on some machines, multiplies and rounds to bf16. Highway
// leaves that target out unless asked for, and most kernels gain nothing by it.
#ifndef DNNSPEC_IMPL_CPU_ISA_AVX3_DL_H_
#define DNNSPEC_IMPL_CPU_ISA_AVX3_DL_H_

#ifdef HWY_TARGETS
#error "impl_cpu/isa/avx3_dl.h must come before Highway, which has chosen its targets by now."
#endif

#define HWY_WANT_AVX3_DL

// ChosenTarget::GetIndex() is inline, and what it gives depends on the targets of the file.
// Compiled without optimisation it is a function like others, of which the linker keeps one for all
// files: one with other targets is called with an index of its own table, where this file's has
// nothing.
#define GetIndex GetIndexWithAvx3Dl

#endif  // DNNSPEC_IMPL_CPU_ISA_AVX3_DL_H_
