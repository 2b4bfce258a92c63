#include "oneapi/dnnl/shuffle/c_api.h"

#include <memory>

#include "api/engine/throw.h"
#include "api/memory/layout.h"
#include "api/model/c_guard.h"
#include "api/model/operation_in_c.h"
#include "api/shuffle/operation.h"
#include "api/shuffle/request.h"
#include "oneapi/dnnl/shuffle/shuffle.hpp"

namespace api {
namespace {

dnnl_shuffle_desc_t Request(dnnl_prop_kind_t prop_kind, const dnnl_memory_desc_t& data, int axis,
                            dnnl_dim_t group_size) {
  return ValueOrThrow(
      WithMemory([&] { return ShuffleRequest(prop_kind, data, axis, group_size); }));
}

// C++ has an int for the group, C has 64 bits: those of `c`, which is checked once more when it is
// used.
template <typename Desc>
Desc WithGroup(Desc desc, const dnnl_shuffle_desc_t& c) {
  desc.data.group_size = c.group_size;
  return desc;
}

dnnl::primitive_desc Describe(const void* op_desc, const dnnl::primitive_attr& attr,
                              const dnnl::engine& on, dnnl_primitive_desc_t hint) {
  using dnnl::shuffle_backward;
  using dnnl::shuffle_forward;
  const auto& c = *static_cast<const dnnl_shuffle_desc_t*>(op_desc);
  if (c.prop_kind == dnnl_backward_data)
    return shuffle_backward::primitive_desc(
        WithGroup(shuffle_backward::desc(c.data_desc, c.axis, 1), c), on,
        shuffle_forward::primitive_desc(hint), attr);
  const shuffle_forward::desc forward(static_cast<dnnl::prop_kind>(c.prop_kind), c.data_desc,
                                      c.axis, 1);
  return shuffle_forward::primitive_desc(WithGroup(forward, c), on, attr);
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
  if (prop_kind == dnnl_backward_data) return dnnl_invalid_arguments;
  return api::StatusOf(
      [&] { *shuffle_desc = api::Request(prop_kind, *data_desc, axis, group_size); }, shuffle_desc,
      data_desc);
}

dnnl_status_t dnnl_shuffle_backward_desc_init(dnnl_shuffle_desc_t* shuffle_desc,
                                              const dnnl_memory_desc_t* diff_data_desc, int axis,
                                              dnnl_dim_t group_size) {
  return api::StatusOf(
      [&] { *shuffle_desc = api::Request(dnnl_backward_data, *diff_data_desc, axis, group_size); },
      shuffle_desc, diff_data_desc);
}

}  // extern "C"
