#include "oneapi/dnnl/c_api/primitive.h"

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>

#include "api/c_api/guard.h"
#include "api/eltwise/operation.h"
#include "api/memory/layout.h"
#include "api/memory/memory_state.h"
#include "api/model/primitive_state.h"
#include "api/model/raise.h"
#include "api/shuffle/operation.h"
#include "oneapi/dnnl/eltwise/eltwise.hpp"
#include "oneapi/dnnl/inner_product/inner_product.hpp"
#include "oneapi/dnnl/reorder/reorder.hpp"
#include "oneapi/dnnl/shuffle/shuffle.hpp"

// Where an iterator stands.
struct dnnl_primitive_desc_iterator {
  dnnl::primitive_desc at;
};

namespace {

using api::Borrow;
using api::StatusOf;
using dnnl::memory;

dnnl::primitive_attr AttributesOf(const_dnnl_primitive_attr_t attr) {
  return attr == nullptr ? dnnl::primitive_attr() : Borrow<dnnl::primitive_attr>(attr);
}

// C++ has an int for what C has 64 bits for. No group is longer.
int GroupSize(dnnl_dim_t size) {
  if (size < 1 || size > INT32_MAX)
    dnnl::error::wrap_c_api(dnnl_invalid_arguments, "group_size is not in [1, 2^31) (SHU-008)");
  return static_cast<int>(size);
}

dnnl::primitive_desc Describe(const dnnl_shuffle_desc_t& desc, const_dnnl_primitive_attr_t attr,
                              const dnnl::engine& on, const_dnnl_primitive_desc_t hint) {
  const int group = GroupSize(desc.group_size);
  if (desc.prop_kind == dnnl_backward_data)
    return dnnl::shuffle_backward::primitive_desc(
        dnnl::shuffle_backward::desc(desc.data_desc, desc.axis, group), on,
        dnnl::shuffle_forward::primitive_desc(const_cast<dnnl_primitive_desc_t>(hint)),
        AttributesOf(attr));
  const dnnl::shuffle_forward::desc forward(static_cast<dnnl::prop_kind>(desc.prop_kind),
                                            desc.data_desc, desc.axis, group);
  return dnnl::shuffle_forward::primitive_desc(forward, on, AttributesOf(attr));
}

// `bias` may be zero.
dnnl::inner_product_forward::desc ForwardOf(dnnl_prop_kind_t kind, const dnnl_memory_desc_t& src,
                                            const dnnl_memory_desc_t& weights,
                                            const dnnl_memory_desc_t& bias,
                                            const dnnl_memory_desc_t& dst) {
  return {static_cast<dnnl::prop_kind>(kind), memory::desc(src), memory::desc(weights),
          memory::desc(bias), memory::desc(dst)};
}

dnnl::primitive_desc Describe(const dnnl_inner_product_desc_t& c, const_dnnl_primitive_attr_t attr,
                              const dnnl::engine& on, const_dnnl_primitive_desc_t hint) {
  if (c.prop_kind != dnnl_backward_data && c.prop_kind != dnnl_backward_weights)
    return dnnl::inner_product_forward::primitive_desc(
        ForwardOf(c.prop_kind, c.src_desc, c.weights_desc, c.bias_desc, c.dst_desc),
        AttributesOf(attr), on);
  const dnnl::inner_product_forward::primitive_desc forward(
      const_cast<dnnl_primitive_desc_t>(hint));
  if (c.prop_kind == dnnl_backward_data)
    return dnnl::inner_product_backward_data::primitive_desc(
        dnnl::inner_product_backward_data::desc(c.diff_src_desc, c.weights_desc, c.diff_dst_desc),
        AttributesOf(attr), on, forward);
  return dnnl::inner_product_backward_weights::primitive_desc(
      dnnl::inner_product_backward_weights::desc(c.src_desc, c.diff_weights_desc, c.diff_bias_desc,
                                                 c.diff_dst_desc),
      AttributesOf(attr), on, forward);
}

dnnl::primitive_desc Describe(const dnnl_eltwise_desc_t& c, const_dnnl_primitive_attr_t attr,
                              const dnnl::engine& on, const_dnnl_primitive_desc_t hint) {
  const auto algorithm = static_cast<dnnl::algorithm>(c.alg_kind);
  if (c.prop_kind == dnnl_backward_data)
    return dnnl::eltwise_backward::primitive_desc(
        dnnl::eltwise_backward::desc(algorithm, c.diff_data_desc, c.data_desc, c.alpha, c.beta),
        AttributesOf(attr), on,
        dnnl::eltwise_forward::primitive_desc(const_cast<dnnl_primitive_desc_t>(hint)));
  return dnnl::eltwise_forward::primitive_desc(
      dnnl::eltwise_forward::desc(static_cast<dnnl::prop_kind>(c.prop_kind), algorithm, c.data_desc,
                                  c.alpha, c.beta),
      AttributesOf(attr), on);
}

// The first implementation of an operation descriptor, which begins with its kind.
dnnl::primitive_desc Describe(const_dnnl_op_desc_t op_desc, const_dnnl_primitive_attr_t attr,
                              dnnl_engine_t engine, const_dnnl_primitive_desc_t hint) {
  const auto on = Borrow<dnnl::engine>(engine);
  switch (*static_cast<const dnnl_primitive_kind_t*>(op_desc)) {
    case dnnl_eltwise:
      return Describe(*static_cast<const dnnl_eltwise_desc_t*>(op_desc), attr, on, hint);
    case dnnl_inner_product:
      return Describe(*static_cast<const dnnl_inner_product_desc_t*>(op_desc), attr, on, hint);
    case dnnl_shuffle:
      return Describe(*static_cast<const dnnl_shuffle_desc_t*>(op_desc), attr, on, hint);
    default:
      dnnl::error::wrap_c_api(
          dnnl_unimplemented,
          "of oneDNN's primitives, eltwise, inner product, reorder and shuffle");
      return {};
  }
}

// The argument that a query for a descriptor means; null if the primitive has none.
const dnnl::state::argument* Find(const dnnl_primitive_desc& desc, dnnl_query_t what, int index) {
  for (const dnnl::state::argument& argument : desc.arguments) {
    const bool found = what == dnnl_query_exec_arg_md
                           ? argument.index == index
                           : dnnl::convert_to_c(argument.what) == what && index-- == 0;
    if (found) return &argument;
  }
  return nullptr;
}

const dnnl_memory_desc_t* DescOf(const dnnl_primitive_desc& desc, dnnl_query_t what, int index) {
  static const dnnl_memory_desc_t zero = {};
  const dnnl::state::argument* const argument = index < 0 ? nullptr : Find(desc, what, index);
  if (argument == nullptr) return &zero;
  std::lock_guard<std::mutex> lock(desc.c_mutex);
  const auto known = desc.c_descs.find(argument->layout);
  if (known != desc.c_descs.end()) return &known->second;
  return &desc.c_descs.emplace(argument->layout, api::DescOf(*argument->layout)).first->second;
}

std::shared_ptr<const void> ShuffleOf(const spi::Operation& operation) {
  const spi::ShuffleView shuffle(operation);
  return std::make_shared<const dnnl_shuffle_desc_t>(
      dnnl_shuffle_desc_t{dnnl_shuffle, static_cast<dnnl_prop_kind_t>(operation.prop),
                          api::DescOf(shuffle.from), shuffle.axis, shuffle.group_size});
}

std::shared_ptr<const void> EltwiseOf(const spi::Operation& operation) {
  const spi::EltwiseView eltwise(operation);
  return std::make_shared<const dnnl_eltwise_desc_t>(dnnl_eltwise_desc_t{
      dnnl_eltwise, static_cast<dnnl_prop_kind_t>(operation.prop),
      static_cast<dnnl_alg_kind_t>(eltwise.algorithm), api::DescOf(eltwise.data),
      api::DescOf(eltwise.diff_dst), eltwise.alpha, eltwise.beta});
}

std::shared_ptr<const void> InnerProductOf(const spi::Operation& operation) {
  const auto md = [&operation](int argument) {
    return memory::desc(api::DescOf(spi::LayoutOf(operation, argument)));
  };
  const auto weights = md(spi::kArgWeights), src = md(spi::kArgSrc);
  dnnl_inner_product_desc_t made;
  if (operation.prop == spi::PropKind::kBackwardData)
    made =
        dnnl::inner_product_backward_data::desc(md(spi::kArgDiffSrc), weights, md(spi::kArgDiffDst))
            .data;
  else if (operation.prop == spi::PropKind::kBackwardWeights)
    made = dnnl::inner_product_backward_weights::desc(src, md(spi::kArgDiffWeights),
                                                      md(spi::kArgDiffBias), md(spi::kArgDiffDst))
               .data;
  else
    made = dnnl::inner_product_forward::desc(static_cast<dnnl::prop_kind>(operation.prop), src,
                                             weights, md(spi::kArgBias), md(spi::kArgDst))
               .data;
  return std::make_shared<const dnnl_inner_product_desc_t>(made);
}

// The operation descriptor that `desc` was made of; null where its kind has none.
const void* OperationOf(const dnnl_primitive_desc& desc) {
  const spi::Operation& asked = desc.request == nullptr ? desc.resolved : *desc.request;
  std::lock_guard<std::mutex> lock(desc.c_mutex);
  if (desc.c_operation == nullptr && asked.kind == spi::PrimitiveKind::kShuffle)
    desc.c_operation = ShuffleOf(asked);
  if (desc.c_operation == nullptr && asked.kind == spi::PrimitiveKind::kInnerProduct)
    desc.c_operation = InnerProductOf(asked);
  if (desc.c_operation == nullptr && asked.kind == spi::PrimitiveKind::kEltwise)
    desc.c_operation = EltwiseOf(asked);
  return desc.c_operation.get();
}

// Of `kind` only, or, if that is undefined, of any.
dnnl_status_t AnswerOperation(const dnnl_primitive_desc& desc, dnnl_primitive_kind_t kind,
                              void* result) {
  if (kind != dnnl_undefined_primitive && kind != dnnl::convert_to_c(desc.kind()))
    return dnnl_unimplemented;
  const void* const operation = OperationOf(desc);
  if (operation == nullptr) return dnnl_unimplemented;
  *static_cast<const void**>(result) = operation;
  return dnnl_success;
}

// How many tensors are written, or only read, beside those of attributes and the scratchpad.
int CountTensors(const dnnl_primitive_desc& desc, bool written) {
  int count = 0;
  for (const dnnl::state::argument& argument : desc.arguments)
    count += argument.written == written && !spi::IsOfAttributes(argument.index) &&
             argument.index != spi::kArgScratchpad;
  return count;
}

template <typename T>
dnnl_status_t Answer(const T& value, void* result) {
  *static_cast<T*>(result) = value;
  return dnnl_success;
}

dnnl_status_t AnswerIfAny(const dnnl_engine* engine, void* result) {
  return engine == nullptr ? dnnl_unimplemented : Answer(const_cast<dnnl_engine_t>(engine), result);
}

bool AsksForADescriptor(dnnl_query_t what) {
  return (what >= dnnl_query_src_md && what <= dnnl_query_scratchpad_md) ||
         what == dnnl_query_exec_arg_md;
}

dnnl_status_t Query(const dnnl_primitive_desc& desc, dnnl_query_t what, int index, void* result) {
  const auto pd = Borrow<dnnl::primitive_desc_base>(&desc);
  if (AsksForADescriptor(what)) return Answer(DescOf(desc, what, index), result);
  switch (what) {
    case dnnl_query_engine:
    case dnnl_query_scratchpad_engine:
      return AnswerIfAny(desc.on.get(), result);
    case dnnl_query_reorder_src_engine:
      return AnswerIfAny(desc.src_engine.get(), result);
    case dnnl_query_reorder_dst_engine:
      return AnswerIfAny(desc.dst_engine.get(), result);
    case dnnl_query_primitive_kind:
      return Answer(dnnl::convert_to_c(desc.kind()), result);
    case dnnl_query_prop_kind:
      if (desc.prop() == dnnl::prop_kind::undef) return dnnl_unimplemented;
      return Answer(dnnl::convert_to_c(desc.prop()), result);
    case dnnl_query_num_of_inputs_s32:
      return Answer(CountTensors(desc, false), result);
    case dnnl_query_num_of_outputs_s32:
      return Answer(CountTensors(desc, true), result);
    case dnnl_query_memory_consumption_s64:
      return Answer<dnnl_dim_t>(pd.query_s64(dnnl::query::memory_consumption_s64), result);
    case dnnl_query_impl_info_str:
      return Answer(pd.impl_info_str(), result);
    case dnnl_query_op_d:
      return AnswerOperation(desc, dnnl_undefined_primitive, result);
    case dnnl_query_shuffle_d:
      return AnswerOperation(desc, dnnl_shuffle, result);
    case dnnl_query_eltwise_d:
      return AnswerOperation(desc, dnnl_eltwise, result);
    case dnnl_query_inner_product_d:
      return AnswerOperation(desc, dnnl_inner_product, result);
    default:
      return dnnl_unimplemented;
  }
}

// The memories of `args` in the order of the primitive's arguments; of two with one index the last.
void List(const dnnl_primitive& primitive, int nargs, const dnnl_exec_arg_t* args,
          const dnnl_memory** given) {
  for (const dnnl::state::argument& argument : primitive.desc->arguments) {
    *given = nullptr;
    for (int i = 0; i < nargs; ++i)
      if (args[i].arg == argument.index) *given = args[i].memory;
    ++given;
  }
}

}  // namespace

extern "C" {

dnnl_status_t dnnl_reorder_primitive_desc_create(dnnl_primitive_desc_t* reorder_primitive_desc,
                                                 const dnnl_memory_desc_t* src_desc,
                                                 dnnl_engine_t src_engine,
                                                 const dnnl_memory_desc_t* dst_desc,
                                                 dnnl_engine_t dst_engine,
                                                 const_dnnl_primitive_attr_t attr) {
  return StatusOf(
      [&] {
        *reorder_primitive_desc = api::Give(dnnl::reorder::primitive_desc(
            Borrow<dnnl::engine>(src_engine), *src_desc, Borrow<dnnl::engine>(dst_engine),
            *dst_desc, AttributesOf(attr)));
      },
      reorder_primitive_desc, src_desc, src_engine, dst_desc, dst_engine);
}

dnnl_status_t dnnl_shuffle_forward_desc_init(dnnl_shuffle_desc_t* shuffle_desc,
                                             dnnl_prop_kind_t prop_kind,
                                             const dnnl_memory_desc_t* data_desc, int axis,
                                             dnnl_dim_t group_size) {
  return StatusOf(
      [&] {
        *shuffle_desc = dnnl::shuffle_forward::desc(static_cast<dnnl::prop_kind>(prop_kind),
                                                    *data_desc, axis, GroupSize(group_size))
                            .data;
      },
      shuffle_desc, data_desc);
}

dnnl_status_t dnnl_shuffle_backward_desc_init(dnnl_shuffle_desc_t* shuffle_desc,
                                              const dnnl_memory_desc_t* diff_data_desc, int axis,
                                              dnnl_dim_t group_size) {
  return StatusOf(
      [&] {
        *shuffle_desc =
            dnnl::shuffle_backward::desc(*diff_data_desc, axis, GroupSize(group_size)).data;
      },
      shuffle_desc, diff_data_desc);
}

dnnl_status_t dnnl_eltwise_forward_desc_init(dnnl_eltwise_desc_t* eltwise_desc,
                                             dnnl_prop_kind_t prop_kind, dnnl_alg_kind_t alg_kind,
                                             const dnnl_memory_desc_t* data_desc, float alpha,
                                             float beta) {
  using desc = dnnl::eltwise_forward::desc;
  return StatusOf(
      [&] {
        *eltwise_desc = desc(static_cast<dnnl::prop_kind>(prop_kind),
                             static_cast<dnnl::algorithm>(alg_kind), *data_desc, alpha, beta)
                            .data;
      },
      eltwise_desc, data_desc);
}

dnnl_status_t dnnl_eltwise_backward_desc_init(dnnl_eltwise_desc_t* eltwise_desc,
                                              dnnl_alg_kind_t alg_kind,
                                              const dnnl_memory_desc_t* diff_data_desc,
                                              const dnnl_memory_desc_t* data_desc, float alpha,
                                              float beta) {
  using desc = dnnl::eltwise_backward::desc;
  return StatusOf(
      [&] {
        *eltwise_desc =
            desc(static_cast<dnnl::algorithm>(alg_kind), *diff_data_desc, *data_desc, alpha, beta)
                .data;
      },
      eltwise_desc, diff_data_desc, data_desc);
}

dnnl_status_t dnnl_inner_product_forward_desc_init(dnnl_inner_product_desc_t* ip_desc,
                                                   dnnl_prop_kind_t prop_kind,
                                                   const dnnl_memory_desc_t* src_desc,
                                                   const dnnl_memory_desc_t* weights_desc,
                                                   const dnnl_memory_desc_t* bias_desc,
                                                   const dnnl_memory_desc_t* dst_desc) {
  const dnnl_memory_desc_t none = {};
  return StatusOf(
      [&] {
        *ip_desc = ForwardOf(prop_kind, *src_desc, *weights_desc,
                             bias_desc == nullptr ? none : *bias_desc, *dst_desc)
                       .data;
      },
      ip_desc, src_desc, weights_desc, dst_desc);
}

dnnl_status_t dnnl_inner_product_backward_data_desc_init(dnnl_inner_product_desc_t* ip_desc,
                                                         const dnnl_memory_desc_t* diff_src_desc,
                                                         const dnnl_memory_desc_t* weights_desc,
                                                         const dnnl_memory_desc_t* diff_dst_desc) {
  using desc = dnnl::inner_product_backward_data::desc;
  return StatusOf([&] { *ip_desc = desc(*diff_src_desc, *weights_desc, *diff_dst_desc).data; },
                  ip_desc, diff_src_desc, weights_desc, diff_dst_desc);
}

dnnl_status_t dnnl_inner_product_backward_weights_desc_init(
    dnnl_inner_product_desc_t* ip_desc, const dnnl_memory_desc_t* src_desc,
    const dnnl_memory_desc_t* diff_weights_desc, const dnnl_memory_desc_t* diff_bias_desc,
    const dnnl_memory_desc_t* diff_dst_desc) {
  using desc = dnnl::inner_product_backward_weights::desc;
  const dnnl_memory_desc_t none = {};
  return StatusOf(
      [&] {
        *ip_desc = desc(*src_desc, *diff_weights_desc,
                        diff_bias_desc == nullptr ? none : *diff_bias_desc, *diff_dst_desc)
                       .data;
      },
      ip_desc, src_desc, diff_weights_desc, diff_dst_desc);
}

dnnl_status_t dnnl_primitive_desc_create(dnnl_primitive_desc_t* primitive_desc,
                                         const_dnnl_op_desc_t op_desc,
                                         const_dnnl_primitive_attr_t attr, dnnl_engine_t engine,
                                         const_dnnl_primitive_desc_t hint_forward_primitive_desc) {
  return StatusOf(
      [&] {
        *primitive_desc = api::Give(Describe(op_desc, attr, engine, hint_forward_primitive_desc));
      },
      primitive_desc, op_desc, engine);
}

dnnl_status_t dnnl_primitive_desc_iterator_create(
    dnnl_primitive_desc_iterator_t* iterator, const_dnnl_op_desc_t op_desc,
    const_dnnl_primitive_attr_t attr, dnnl_engine_t engine,
    const_dnnl_primitive_desc_t hint_forward_primitive_desc) {
  return StatusOf(
      [&] {
        auto first = Describe(op_desc, attr, engine, hint_forward_primitive_desc);
        *iterator = new dnnl_primitive_desc_iterator{std::move(first)};
      },
      iterator, op_desc, engine);
}

dnnl_status_t dnnl_primitive_desc_iterator_next(dnnl_primitive_desc_iterator_t iterator) {
  bool moved = false;
  const dnnl_status_t status = StatusOf([&] { moved = iterator->at.next_impl(); }, iterator);
  return status == dnnl_success && !moved ? dnnl_iterator_ends : status;
}

dnnl_primitive_desc_t dnnl_primitive_desc_iterator_fetch(
    const_dnnl_primitive_desc_iterator_t iterator) {
  return iterator == nullptr ? nullptr : api::Give(iterator->at);
}

dnnl_status_t dnnl_primitive_desc_iterator_destroy(dnnl_primitive_desc_iterator_t iterator) {
  delete iterator;
  return dnnl_success;
}

dnnl_status_t dnnl_primitive_desc_clone(dnnl_primitive_desc_t* primitive_desc,
                                        const_dnnl_primitive_desc_t existing_primitive_desc) {
  return StatusOf(
      [&] {
        *primitive_desc = api::Give(Borrow<dnnl::primitive_desc_base>(existing_primitive_desc));
      },
      primitive_desc, existing_primitive_desc);
}

dnnl_status_t dnnl_primitive_desc_get_attr(const_dnnl_primitive_desc_t primitive_desc,
                                           const_dnnl_primitive_attr_t* attr) {
  return StatusOf(
      [&] {
        const auto copy = Borrow<dnnl::primitive_desc_base>(primitive_desc).get_primitive_attr();
        std::lock_guard<std::mutex> lock(primitive_desc->c_mutex);
        if (primitive_desc->c_attr == nullptr)
          primitive_desc->c_attr = copy.get()->shared_from_this();
        *attr = primitive_desc->c_attr.get();
      },
      primitive_desc, attr);
}

dnnl_status_t dnnl_primitive_desc_destroy(dnnl_primitive_desc_t primitive_desc) {
  return api::Destroy(primitive_desc);
}

dnnl_status_t dnnl_primitive_desc_query(const_dnnl_primitive_desc_t primitive_desc,
                                        dnnl_query_t what, int index, void* result) {
  dnnl_status_t answer = dnnl_success;
  const dnnl_status_t status = StatusOf(
      [&] { answer = Query(*primitive_desc, what, index, result); }, primitive_desc, result);
  return status == dnnl_success ? answer : status;
}

const dnnl_memory_desc_t* dnnl_primitive_desc_query_md(const_dnnl_primitive_desc_t primitive_desc,
                                                       dnnl_query_t what, int index) {
  const dnnl_memory_desc_t* desc = nullptr;
  if (AsksForADescriptor(what))
    dnnl_primitive_desc_query(primitive_desc, what, index, static_cast<void*>(&desc));
  return desc;
}

int dnnl_primitive_desc_query_s32(const_dnnl_primitive_desc_t primitive_desc, dnnl_query_t what,
                                  int index) {
  int value = 0;
  if (what == dnnl_query_num_of_inputs_s32 || what == dnnl_query_num_of_outputs_s32)
    dnnl_primitive_desc_query(primitive_desc, what, index, &value);
  return value;
}

dnnl_status_t dnnl_primitive_create(dnnl_primitive_t* primitive,
                                    const_dnnl_primitive_desc_t primitive_desc) {
  return StatusOf([&] { *primitive = api::Give(dnnl::primitive(primitive_desc)); }, primitive,
                  primitive_desc);
}

dnnl_status_t dnnl_primitive_execute(const_dnnl_primitive_t primitive, dnnl_stream_t stream,
                                     int nargs, const dnnl_exec_arg_t* args) {
  if (nargs < 0 || (nargs > 0 && args == nullptr)) return dnnl_invalid_arguments;
  return StatusOf(
      [&] {
        std::array<const dnnl_memory*, api::kMaxArguments> given;
        List(*primitive, nargs, args, given.data());
        api::RaiseUnlessOk(api::Execute(*primitive, *stream, given.data(), nullptr));
      },
      primitive, stream);
}

dnnl_status_t dnnl_primitive_get_primitive_desc(const_dnnl_primitive_t primitive,
                                                const_dnnl_primitive_desc_t* primitive_desc) {
  return StatusOf([&] { *primitive_desc = primitive->desc.get(); }, primitive, primitive_desc);
}

dnnl_status_t dnnl_primitive_destroy(dnnl_primitive_t primitive) { return api::Destroy(primitive); }

}  // extern "C"
