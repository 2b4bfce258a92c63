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

// A memory of one number, f32 or s32 as `desc` says.
template <class T>
dnnl::memory NumberIn(const dnnl::memory::desc& desc, T number, const Device& device) {
  const dnnl::memory made(desc, device.engine);
  T* const mapped = made.map_data<T>();
  *mapped = number;
  made.unmap_data(mapped);
  return made;
}

// The same numbers by an inner product of one channel with one output, whose weight is 1: dst = src
// as far as no attribute changes it. May throw.
dnnl::primitive ProductOf(const OneScale& one, const dnnl::primitive_attr& attr,
                          const Device& device);
std::unordered_map<int, dnnl::memory> ArgumentsOfProduct(const OneScale& one, const Device& device);

std::vector<float> FloatsIn(const dnnl::memory& m, size_t count);

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_MODEL_ONE_SCALE_H_
