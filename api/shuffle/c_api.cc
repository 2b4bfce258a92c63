#include "oneapi/dnnl/shuffle/c_api.h"

#include <cstdint>
#include <memory>

#include "api/memory/layout.h"
#include "api/model/c_guard.h"
#include "api/model/operation_in_c.h"
#include "api/shuffle/operation.h"
#include "oneapi/dnnl/shuffle/shuffle.hpp"

namespace api {
namespace {

// C++ has an int for what C has 64 bits for. No group is longer.
int GroupSize(dnnl_dim_t size) {
  if (size < 1 || size > INT32_MAX)
    dnnl::error::wrap_c_api(dnnl_invalid_arguments, "group_size is not in [1, 2^31) (SHU-008)");
  return static_cast<int>(size);
}

dnnl::primitive_desc Describe(const void* op_desc, const dnnl::primitive_attr& attr,
                              const dnnl::engine& on, dnnl_primitive_desc_t hint) {
  const auto& c = *static_cast<const dnnl_shuffle_desc_t*>(op_desc);
  const int group = GroupSize(c.group_size);
  if (c.prop_kind == dnnl_backward_data)
    return dnnl::shuffle_backward::primitive_desc(
        dnnl::shuffle_backward::desc(c.data_desc, c.axis, group), on,
        dnnl::shuffle_forward::primitive_desc(hint), attr);
  const dnnl::shuffle_forward::desc forward(static_cast<dnnl::prop_kind>(c.prop_kind), c.data_desc,
                                            c.axis, group);
  return dnnl::shuffle_forward::primitive_desc(forward, on, attr);
}

std::shared_ptr<const void> MadeOf(const spi::Operation& operation) {
  const spi::ShuffleView shuffle(operation);
  return std::make_shared<const dnnl_shuffle_desc_t>(
      dnnl_shuffle_desc_t{dnnl_shuffle, static_cast<dnnl_prop_kind_t>(operation.prop),
                          DescOf(shuffle.from), shuffle.axis, shuffle.group_size});
}

}  // namespace

extern const OperationInC kShuffleInC;
const OperationInC kShuffleInC = {dnnl_shuffle, dnnl_query_shuffle_d, Describe, MadeOf};

}  // namespace api

extern "C" {

dnnl_status_t dnnl_shuffle_forward_desc_init(dnnl_shuffle_desc_t* shuffle_desc,
                                             dnnl_prop_kind_t prop_kind,
                                             const dnnl_memory_desc_t* data_desc, int axis,
                                             dnnl_dim_t group_size) {
  using desc = dnnl::shuffle_forward::desc;
  return api::StatusOf(
      [&] {
        *shuffle_desc = desc(static_cast<dnnl::prop_kind>(prop_kind), *data_desc, axis,
                             api::GroupSize(group_size))
                            .data;
      },
      shuffle_desc, data_desc);
}

dnnl_status_t dnnl_shuffle_backward_desc_init(dnnl_shuffle_desc_t* shuffle_desc,
                                              const dnnl_memory_desc_t* diff_data_desc, int axis,
                                              dnnl_dim_t group_size) {
  using desc = dnnl::shuffle_backward::desc;
  return api::StatusOf(
      [&] { *shuffle_desc = desc(*diff_data_desc, axis, api::GroupSize(group_size)).data; },
      shuffle_desc, diff_data_desc);
}

}  // extern "C"
