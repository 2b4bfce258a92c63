// The parameters of a shuffle.
#ifndef DNNSPEC_API_SHUFFLE_PARAMS_H_
#define DNNSPEC_API_SHUFFLE_PARAMS_H_

#include <cstdint>

struct dnnspec_shuffle_params;

namespace spi {

struct ShuffleParams {
  using C = dnnspec_shuffle_params;  // the same in api/spi/plugin_abi.h

  int axis = 0;            // in [0, rank)
  int64_t group_size = 1;  // >= 1, divides dims[axis]
};

inline bool operator==(const ShuffleParams& a, const ShuffleParams& b) {
  return a.axis == b.axis && a.group_size == b.group_size;
}

void ToC(const ShuffleParams& params, dnnspec_shuffle_params* c);
void FromC(const dnnspec_shuffle_params& c, ShuffleParams* params);

}  // namespace spi

#endif  // DNNSPEC_API_SHUFFLE_PARAMS_H_
