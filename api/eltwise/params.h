// The parameters of an eltwise.
#ifndef DNNSPEC_API_ELTWISE_PARAMS_H_
#define DNNSPEC_API_ELTWISE_PARAMS_H_

#include <cstring>

#include "api/spi/attributes.h"

struct dnnspec_eltwise_params;

namespace spi {

// Of algorithms that use no parameter, or one, what is not used may have any value, NaN too
// (ELT-020).
struct EltwiseParams {
  using C = dnnspec_eltwise_params;  // the same in api/spi/plugin_abi.h

  // Forward computes PlainOf(algorithm); backward reads src, or dst where UsesDst(algorithm).
  Algorithm algorithm = Algorithm::kUndef;
  float alpha = 0, beta = 0;
};

// Floats by their bits.
inline bool operator==(const EltwiseParams& a, const EltwiseParams& b) {
  return a.algorithm == b.algorithm && std::memcmp(&a.alpha, &b.alpha, sizeof(a.alpha)) == 0 &&
         std::memcmp(&a.beta, &b.beta, sizeof(a.beta)) == 0;
}

void ToC(const EltwiseParams& params, dnnspec_eltwise_params* c);
void FromC(const dnnspec_eltwise_params& c, EltwiseParams* params);

}  // namespace spi

#endif  // DNNSPEC_API_ELTWISE_PARAMS_H_
