// The transforms of Winograd's algorithm F(2x2, 3x3), for each instruction set.
//
//   dst = A^T ((G g G^T) * (B^T d B)) A     for d, 4x4 places of what is read, and g, 3x3 weights
//
// with a product for each of 16 elements, summed over channels. Each kernel has channels side by
// side in vectors. Element k of a transformed tensor lies `matrix` floats behind element k - 1.
#ifndef DNNSPEC_IMPL_CPU_CONVOLUTION_WINOGRAD_KERNEL_H_
#define DNNSPEC_IMPL_CPU_CONVOLUTION_WINOGRAD_KERNEL_H_

#include <cstdint>

namespace impl_cpu {

// Places of a patch, weights of a kernel and results of a tile, in each direction.
constexpr int kPatchSide = 4, kKernelSide = 3, kResultSide = 2;
constexpr int kPatchPlaces = kPatchSide * kPatchSide;
constexpr int kKernelTaps = kKernelSide * kKernelSide;
constexpr int kTileResults = kResultSide * kResultSide;

struct WinogradKernels {
  // B^T d B of `channels` channels, which are stored as whole panels; `places` has the addresses
  // of the first channel of 16 places.
  void (*patch)(const float* const* places, int64_t channels, float* to, int64_t matrix) = nullptr;
  // G g G^T of `lines` lines of a panel: those of tap t begin taps[t] floats from `from`.
  void (*weights)(const float* from, const int64_t* taps, int64_t lines, float* to,
                  int64_t matrix) = nullptr;
  // A^T m A of whole panels of columns; `to` has the addresses of 4 results.
  void (*results)(const float* from, int64_t matrix, int64_t columns, float* const* to) = nullptr;
};

// For the best instruction set of this machine. None where that has no vectors.
WinogradKernels FindWinogradKernels();

}  // namespace impl_cpu

#endif  // DNNSPEC_IMPL_CPU_CONVOLUTION_WINOGRAD_KERNEL_H_
