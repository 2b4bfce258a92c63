// Attributes that a primitive need not know, and what they must do if it takes them.
#ifndef DNNSPEC_CONFORMANCE_MODEL_FOREIGN_H_
#define DNNSPEC_CONFORMANCE_MODEL_FOREIGN_H_

#include <cstdint>
#include <functional>
#include <vector>

#include "oneapi/dnnl/dnnl.hpp"
#include "spec/numeric/convert.h"

namespace conformance {

// An element of a result: what it is without the attribute.
struct Unchanged {
  float x, old;  // `old`: what the destination held
  int64_t channel;
  // `old` as it is stored, of the destination's type.
  spec::Bits bits;
  spec::Type type;
};

struct Foreign {
  const char* name;
  // For a tensor of so many channels, axis 1, and such a destination.
  std::function<void(dnnl::primitive_attr*, int64_t channels, spec::Type type)> set;
  // What the attribute makes of an element; null where nothing but a refusal is right.
  std::function<float(const Unchanged&)> effect = nullptr;
  // What the execution brings: the number of an argument, and its one value.
  std::vector<std::pair<int, float>> scales = {};
  std::vector<std::pair<int, int32_t>> zero_points = {};
  // Primitives of other releases have a use for it, of which no document here speaks.
  bool is_known_elsewhere = false;
};

// Of the whole primitive.
const std::vector<Foreign>& WholeAttributes();
// Of single arguments.
const std::vector<Foreign>& ArgumentAttributes();

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_MODEL_FOREIGN_H_
