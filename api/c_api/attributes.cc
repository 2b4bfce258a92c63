#include "oneapi/dnnl/c_api/attributes.h"

#include <map>
#include <mutex>

#include "api/model/attributes_state.h"
#include "api/model/c_guard.h"
#include "oneapi/dnnl/model/attributes.hpp"

namespace {

using api::StatusOf;
using dnnl::primitive_attr;

primitive_attr Borrow(const_dnnl_primitive_attr_t attr) {
  return api::Borrow<primitive_attr>(attr);
}

// The values that `from` holds, or the one that stands for none.
template <typename T, int Neutral>
void Read(const dnnl::state::masked<T, Neutral>& from, dnnl_dim_t* count, int* mask,
          const T** values) {
  static constexpr T kNeutral = static_cast<T>(Neutral);
  const bool none = from.values.empty();
  *count = none ? 1 : static_cast<dnnl_dim_t>(from.values.size());
  *mask = from.mask;
  *values = none ? &kNeutral : from.values.data();
}

template <typename Values, typename T>
void ReadOf(const std::map<int, Values>& from, int arg, dnnl_dim_t* count, int* mask,
            const T** values) {
  static const Values none;
  const auto found = from.find(arg);
  Read(found == from.end() ? none : found->second, count, mask, values);
}

}  // namespace

extern "C" {

dnnl_status_t dnnl_primitive_attr_create(dnnl_primitive_attr_t* attr) {
  return StatusOf([&] { *attr = api::Give(primitive_attr()); }, attr);
}

dnnl_status_t dnnl_primitive_attr_clone(dnnl_primitive_attr_t* attr,
                                        const_dnnl_primitive_attr_t existing_attr) {
  return StatusOf(
      [&] {
        const primitive_attr copy;
        *copy.get() = *existing_attr;
        *attr = api::Give(copy);
      },
      attr, existing_attr);
}

dnnl_status_t dnnl_primitive_attr_destroy(dnnl_primitive_attr_t attr) { return api::Destroy(attr); }

dnnl_status_t dnnl_primitive_attr_get_fpmath_mode(const_dnnl_primitive_attr_t attr,
                                                  dnnl_fpmath_mode_t* mode) {
  return StatusOf([&] { *mode = dnnl::convert_to_c(attr->fpmath); }, attr, mode);
}

dnnl_status_t dnnl_primitive_attr_set_fpmath_mode(dnnl_primitive_attr_t attr,
                                                  dnnl_fpmath_mode_t mode) {
  return StatusOf([&] { Borrow(attr).set_fpmath_mode(static_cast<dnnl::fpmath_mode>(mode)); },
                  attr);
}

dnnl_status_t dnnl_primitive_attr_get_scratchpad_mode(const_dnnl_primitive_attr_t attr,
                                                      dnnl_scratchpad_mode_t* mode) {
  return StatusOf([&] { *mode = dnnl::convert_to_c(attr->scratchpad); }, attr, mode);
}

dnnl_status_t dnnl_primitive_attr_set_scratchpad_mode(dnnl_primitive_attr_t attr,
                                                      dnnl_scratchpad_mode_t mode) {
  return StatusOf(
      [&] { Borrow(attr).set_scratchpad_mode(static_cast<dnnl::scratchpad_mode>(mode)); }, attr);
}

dnnl_status_t dnnl_primitive_attr_get_output_scales(const_dnnl_primitive_attr_t attr,
                                                    dnnl_dim_t* count, int* mask,
                                                    const float** scales) {
  return StatusOf([&] { Read(attr->output, count, mask, scales); }, attr, count, mask, scales);
}

dnnl_status_t dnnl_primitive_attr_set_output_scales(dnnl_primitive_attr_t attr, dnnl_dim_t count,
                                                    int mask, const float* scales) {
  return StatusOf(
      [&] { Borrow(attr).set_output_scales(mask, api::ValuesOf<float>(count, scales)); }, attr);
}

dnnl_status_t dnnl_primitive_attr_get_scales(dnnl_primitive_attr_t attr, int arg, dnnl_dim_t* count,
                                             int* mask, const float** scales) {
  return StatusOf([&] { ReadOf(attr->argument_scales, arg, count, mask, scales); }, attr, count,
                  mask, scales);
}

dnnl_status_t dnnl_primitive_attr_set_scales(dnnl_primitive_attr_t attr, int arg, dnnl_dim_t count,
                                             int mask, const float* scales) {
  return StatusOf([&] { Borrow(attr).set_scales(arg, mask, api::ValuesOf<float>(count, scales)); },
                  attr);
}

dnnl_status_t dnnl_primitive_attr_get_zero_points(const_dnnl_primitive_attr_t attr, int arg,
                                                  dnnl_dim_t* count, int* mask,
                                                  const int32_t** zero_points) {
  return StatusOf([&] { ReadOf(attr->argument_zero_points, arg, count, mask, zero_points); }, attr,
                  count, mask, zero_points);
}

dnnl_status_t dnnl_primitive_attr_set_zero_points(dnnl_primitive_attr_t attr, int arg,
                                                  dnnl_dim_t count, int mask,
                                                  const int32_t* zero_points) {
  return StatusOf(
      [&] { Borrow(attr).set_zero_points(arg, mask, api::ValuesOf<int32_t>(count, zero_points)); },
      attr);
}

dnnl_status_t dnnl_primitive_attr_get_post_ops(const_dnnl_primitive_attr_t attr,
                                               const_dnnl_post_ops_t* post_ops) {
  return StatusOf(
      [&] {
        const dnnl::post_ops copy = Borrow(attr).get_post_ops();
        std::lock_guard<std::mutex> lock(dnnl::state::c_reference_mutex());
        if (attr->c_post_ops == nullptr) attr->c_post_ops = copy.get()->shared_from_this();
        *post_ops = attr->c_post_ops.get();
      },
      attr, post_ops);
}

dnnl_status_t dnnl_primitive_attr_set_post_ops(dnnl_primitive_attr_t attr,
                                               const_dnnl_post_ops_t post_ops) {
  return StatusOf([&] { Borrow(attr).set_post_ops(api::Borrow<dnnl::post_ops>(post_ops)); }, attr,
                  post_ops);
}

dnnl_status_t dnnl_primitive_attr_set_rnn_data_qparams(dnnl_primitive_attr_t attr, float scale,
                                                       float shift) {
  return StatusOf([&] { Borrow(attr).set_rnn_data_qparams(scale, shift); }, attr);
}

dnnl_status_t dnnl_primitive_attr_get_rnn_data_qparams(const_dnnl_primitive_attr_t attr,
                                                       float* scale, float* shift) {
  return StatusOf([&] { Borrow(attr).get_rnn_data_qparams(*scale, *shift); }, attr, scale, shift);
}

dnnl_status_t dnnl_primitive_attr_set_rnn_weights_qparams(dnnl_primitive_attr_t attr,
                                                          dnnl_dim_t count, int mask,
                                                          const float* scales) {
  return StatusOf(
      [&] { Borrow(attr).set_rnn_weights_qparams(mask, api::ValuesOf<float>(count, scales)); },
      attr);
}

dnnl_status_t dnnl_primitive_attr_get_rnn_weights_qparams(const_dnnl_primitive_attr_t attr,
                                                          dnnl_dim_t* count, int* mask,
                                                          const float** scales) {
  return StatusOf([&] { Read(attr->rnn_weights, count, mask, scales); }, attr, count, mask, scales);
}

dnnl_status_t dnnl_primitive_attr_set_rnn_weights_projection_qparams(dnnl_primitive_attr_t attr,
                                                                     dnnl_dim_t count, int mask,
                                                                     const float* scales) {
  return StatusOf(
      [&] {
        Borrow(attr).set_rnn_weights_projection_qparams(mask, api::ValuesOf<float>(count, scales));
      },
      attr);
}

dnnl_status_t dnnl_primitive_attr_get_rnn_weights_projection_qparams(
    const_dnnl_primitive_attr_t attr, dnnl_dim_t* count, int* mask, const float** scales) {
  return StatusOf([&] { Read(attr->rnn_projection, count, mask, scales); }, attr, count, mask,
                  scales);
}

}  // extern "C"
