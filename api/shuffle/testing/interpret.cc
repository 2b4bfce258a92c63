#include "api/shuffle/testing/interpret.h"

#include <cstdint>
#include <vector>

#include "api/shuffle/operation.h"
#include "api/spi/types.h"
#include "spec/shuffle/oracle.h"

namespace spi {

void InterpretShuffle(const Tensors& tensors, Use use) {
  const ShuffleView view(tensors.operation);
  const Tensor from = tensors[view.forward ? kArgSrc : kArgDiffDst];
  const int argument = view.forward ? kArgDst : kArgDiffSrc;
  Tensor to = tensors[argument];
  const int64_t size = view.to.dims[view.axis];
  int64_t inner = 1;
  for (int j = view.axis + 1; j < view.to.rank; ++j) inner *= view.to.dims[j];
  std::vector<int64_t> sources;
  for (int64_t c = 0; c < size; ++c)
    sources.push_back(view.forward ? spec::ShuffleSource(c, size, view.group_size)
                                   : spec::ShuffleBackwardSource(c, size, view.group_size));
  for (int64_t k = 0; k < to.size(); ++k) {
    const int64_t outer = k / inner / size, c = k / inner % size;
    const int64_t source = (outer * size + sources[static_cast<size_t>(c)]) * inner + k % inner;
    use(argument, to, k, RightBits(to.type, from[source]));
  }
  to.ClearPadding();
}

}  // namespace spi
