// A shuffle as tests write it: field by field, legal or not, and then as an Operation where one is
// asked for.
#ifndef DNNSPEC_API_SHUFFLE_TESTING_SHUFFLE_OPERATION_H_
#define DNNSPEC_API_SHUFFLE_TESTING_SHUFFLE_OPERATION_H_

#include <cstdint>

#include "api/shuffle/operation.h"
#include "api/spi/layout.h"
#include "api/spi/operation.h"

namespace spi {

// The fields of ShuffleView.
struct ShuffleOperation {
  bool forward = true;
  Layout from, to;
  int axis = 0;
  int64_t group_size = 1;

  operator Operation() const {  // NOLINT(google-explicit-constructor)
    return MakeShuffle(forward ? PropKind::kForwardTraining : PropKind::kBackwardData, from, to,
                       {axis, group_size});
  }
};

}  // namespace spi

#endif  // DNNSPEC_API_SHUFFLE_TESTING_SHUFFLE_OPERATION_H_
