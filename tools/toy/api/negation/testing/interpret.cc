#include "api/negation/testing/interpret.h"

#include <cstdint>

#include "api/spi/types.h"
#include "spec/negation/oracle.h"

namespace spi {

void InterpretNegation(const Tensors& tensors, Use use) {
  const Tensor src = tensors[kArgSrc];
  Tensor dst = tensors[kArgDst];
  for (int64_t k = 0; k < dst.size(); ++k)
    use(kArgDst, dst, k, RightBits(dst.type, spec::Negated(src[k])));
  dst.ClearPadding();
}

}  // namespace spi
