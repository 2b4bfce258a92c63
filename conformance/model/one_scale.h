// A reorder of 16 f32 elements with at most one scale, for checks of attributes that look at every
// value themselves.
#ifndef DNNSPEC_CONFORMANCE_MODEL_ONE_SCALE_H_
#define DNNSPEC_CONFORMANCE_MODEL_ONE_SCALE_H_

#include <unordered_map>
#include <vector>

#include "conformance/case/random.h"
#include "conformance/subject/device.h"
#include "oneapi/dnnl/dnnl.hpp"

namespace conformance {

// Small integers in the source, -1 in the destination.
struct OneScale {
  explicit OneScale(Random& random);

  dnnl::memory::desc desc, scale;
  std::vector<float> source, target;
};

// The arguments in memories of the subject, so that any engine can do it.
std::unordered_map<int, dnnl::memory> ArgumentsOf(const OneScale& one, const Device& device);

std::vector<float> FloatsIn(const dnnl::memory& m, size_t count);

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_MODEL_ONE_SCALE_H_
