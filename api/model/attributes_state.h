// Declares the states behind dnnl::post_ops and dnnl::primitive_attr: plain values, shared by
// copies of a handle and copied when they are handed over.
#ifndef DNNSPEC_API_MODEL_ATTRIBUTES_STATE_H_
#define DNNSPEC_API_MODEL_ATTRIBUTES_STATE_H_

#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "api/engine/handle_state.h"
#include "api/spi/operation.h"
#include "oneapi/dnnl/memory/c_desc.h"
#include "oneapi/dnnl/types/enums.hpp"

namespace dnnspec {
namespace state {

struct sum_op {
  float scale;
  int32_t zero_point;
  dnnl_data_type_t type;  // undef: the destination's
};
struct eltwise_op {
  float scale;
  dnnl::algorithm kind;
  float alpha, beta;
};
struct depthwise_op {
  dnnl_data_type_t weights, bias, dst;
  int64_t kernel, stride, padding;
  int mask;
  std::vector<float> scales;
};
struct binary_op {
  dnnl::algorithm kind;
  dnnl_memory_desc_t src1;
};
struct prelu_op {
  int mask;
};
using post_op = std::variant<sum_op, eltwise_op, depthwise_op, binary_op, prelu_op>;

// Values with their mask; no values: neutral, which is mask 0 and one `Neutral`.
template <typename T, int Neutral>
struct masked {
  int mask = 0;
  std::vector<T> values;

  bool neutral() const {
    if (values.empty()) return true;
    const T one = Neutral;
    return mask == 0 && values.size() == 1 && std::memcmp(&values[0], &one, sizeof(T)) == 0;
  }
};

// A pointer that belongs to one object: a copy of the object has none, and does not read it.
template <typename T>
struct not_copied : std::shared_ptr<T> {
  using std::shared_ptr<T>::operator=;

  not_copied() = default;
  not_copied(const not_copied&) noexcept : std::shared_ptr<T>() {}
  not_copied& operator=(const not_copied&) noexcept {
    this->reset();
    return *this;
  }
};

using scales = masked<float, 1>;
using zero_points = masked<int32_t, 0>;

}  // namespace state
}  // namespace dnnspec

struct dnnl_post_ops : dnnl::state::shared<dnnl_post_ops> {
  std::vector<dnnl::state::post_op> ops;
};

struct dnnl_primitive_attr : dnnl::state::shared<dnnl_primitive_attr> {
  dnnl::scratchpad_mode scratchpad = dnnl::scratchpad_mode::library;
  dnnl::fpmath_mode fpmath = dnnl::fpmath_mode::strict;
  dnnl::state::scales output;
  std::vector<dnnl::state::post_op> post_ops;
  // What the C function that asks for the post-ops pointed to; null until it is called. That
  // function takes the attributes as const, so other threads may copy them meanwhile.
  mutable dnnl::state::not_copied<const dnnl_post_ops> c_post_ops;
  std::map<int, dnnl::state::scales> argument_scales;
  std::map<int, dnnl::state::zero_points> argument_zero_points;
  float rnn_data_scale = 1, rnn_data_shift = 0;
  dnnl::state::scales rnn_weights, rnn_projection;
};

namespace api {

// True for DNNL_RUNTIME_F32_VAL, by its bits: other NaNs are ordinary values (ATTR-030).
inline bool IsRunTime(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits == 0x7fc000d0;
}

// True when the scales are to come at execution.
inline bool IsRunTime(const dnnl::state::scales& scales) {
  return scales.values.size() == 1 && IsRunTime(scales.values[0]);
}

// True when the zero point is to come at execution.
inline bool IsRunTime(const dnnl::state::zero_points& zero_points) {
  return zero_points.values.size() == 1 && zero_points.values[0] == DNNL_RUNTIME_S32_VAL;
}

// The first attribute that is not as in a default primitive_attr, other than the scratchpad mode,
// the fpmath mode (a permission that nobody needs to use), the output scales, the zero points and
// the post-ops; null if there is none. For primitives to refuse.
const char* FirstUncommonAttribute(const dnnl::state::primitive_attr& attr);

// Whether some argument has zero points that are not the default.
bool HasZeroPoints(const dnnl::state::primitive_attr& attr);

// Unimplemented for what a primitive, or one direction of it, never carries, whatever its value:
// "shuffle: attribute post_ops is not served (SHU-012)".
absl::Status CheckAttributes(const char* primitive, const spi::AttributeSupport& support,
                             const dnnl::state::primitive_attr& attr);

}  // namespace api

#endif  // DNNSPEC_API_MODEL_ATTRIBUTES_STATE_H_
