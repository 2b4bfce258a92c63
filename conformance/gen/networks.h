// Shapes of tensors in networks that people run, each of more than 2^20 elements.
#ifndef DNNSPEC_CONFORMANCE_GEN_NETWORKS_H_
#define DNNSPEC_CONFORMANCE_GEN_NETWORKS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "spec/memory/oracle.h"

namespace conformance {

// `axis` is what a program would shuffle, scale or gather along, most often the channels; `group`
// divides its extent. `other` is the layout that programs bring the tensor to from row-major, as
// the order of its axes, outermost first.
struct NetworkTensor {
  const char* name;
  spec::Dims dims;
  int axis;
  int64_t group;
  std::vector<int> other;
};

const std::vector<NetworkTensor>& NetworkTensors();

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_GEN_NETWORKS_H_
