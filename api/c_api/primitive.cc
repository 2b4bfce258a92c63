#include "oneapi/dnnl/c_api/primitive.h"

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>

#include "api/engine/throw.h"
#include "api/memory/layout.h"
#include "api/memory/memory_state.h"
#include "api/model/c_guard.h"
#include "api/model/operation_in_c.h"
#include "api/model/primitive_state.h"
#include "oneapi/dnnl/reorder/reorder.hpp"

// Where an iterator stands.
struct dnnl_primitive_desc_iterator {
  dnnl::primitive_desc at;
};

namespace {

using api::Borrow;
using api::StatusOf;

dnnl::primitive_attr AttributesOf(const_dnnl_primitive_attr_t attr) {
  return attr == nullptr ? dnnl::primitive_attr() : Borrow<dnnl::primitive_attr>(attr);
}

// The first implementation of an operation descriptor, which begins with its kind.
dnnl::primitive_desc Describe(const_dnnl_op_desc_t op_desc, const_dnnl_primitive_attr_t attr,
                              dnnl_engine_t engine, const_dnnl_primitive_desc_t hint) {
  const auto kind = *static_cast<const dnnl_primitive_kind_t*>(op_desc);
  for (const api::OperationInC* const known : api::OperationsInC())
    if (known->kind == kind)
      return known->describe(op_desc, AttributesOf(attr), Borrow<dnnl::engine>(engine),
                             const_cast<dnnl_primitive_desc_t>(hint));
  dnnl::error::wrap_c_api(dnnl_unimplemented, "operation descriptors of this kind are not served");
  return {};
}

// The argument that a query for a descriptor means; null if the primitive has none.
const dnnl::state::argument* Find(const dnnl_primitive_desc& desc, dnnl_query_t what, int index) {
  for (const dnnl::state::argument& argument : desc.computation->arguments) {
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

// The operation descriptor that `desc` was made of; null where its kind has none.
const void* OperationOf(const dnnl_primitive_desc& desc) {
  std::lock_guard<std::mutex> lock(desc.c_mutex);
  if (desc.c_operation == nullptr)
    for (const api::OperationInC* const known : api::OperationsInC())
      if (known->kind == dnnl::convert_to_c(desc.computation->kind()))
        desc.c_operation = known->made_of(api::RequestOf(*desc.computation));
  return desc.c_operation.get();
}

// Of `kind` only, or, if that is undefined, of any.
dnnl_status_t AnswerOperation(const dnnl_primitive_desc& desc, dnnl_primitive_kind_t kind,
                              void* result) {
  if (kind != dnnl_undefined_primitive && kind != dnnl::convert_to_c(desc.computation->kind()))
    return dnnl_unimplemented;
  const void* const operation = OperationOf(desc);
  if (operation == nullptr) return dnnl_unimplemented;
  *static_cast<const void**>(result) = operation;
  return dnnl_success;
}

// How many tensors are written, or only read, beside those of attributes and the scratchpad.
int CountTensors(const dnnl_primitive_desc& desc, bool written) {
  int count = 0;
  for (const dnnl::state::argument& argument : desc.computation->arguments)
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
      return AnswerIfAny(desc.engine.get(), result);
    case dnnl_query_reorder_src_engine:
      return AnswerIfAny(desc.src_engine.get(), result);
    case dnnl_query_reorder_dst_engine:
      return AnswerIfAny(desc.dst_engine.get(), result);
    case dnnl_query_primitive_kind:
      return Answer(dnnl::convert_to_c(desc.computation->kind()), result);
    case dnnl_query_prop_kind:
      if (desc.computation->prop() == dnnl::prop_kind::undef) return dnnl_unimplemented;
      return Answer(dnnl::convert_to_c(desc.computation->prop()), result);
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
    default:
      for (const api::OperationInC* const known : api::OperationsInC())
        if (known->query == what) return AnswerOperation(desc, known->kind, result);
      return dnnl_unimplemented;
  }
}

// The memories of `args` in the order of the primitive's arguments; of two with one index the last.
void List(const dnnl_primitive& primitive, int nargs, const dnnl_exec_arg_t* args,
          const dnnl_memory** given) {
  for (const dnnl::state::argument& argument : primitive.arguments) {
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
        api::ThrowUnlessOk(api::Execute(*primitive, *stream, given.data(), nullptr));
      },
      primitive, stream);
}

dnnl_status_t dnnl_primitive_get_primitive_desc(const_dnnl_primitive_t primitive,
                                                const_dnnl_primitive_desc_t* primitive_desc) {
  return StatusOf([&] { *primitive_desc = primitive->desc.get(); }, primitive, primitive_desc);
}

dnnl_status_t dnnl_primitive_destroy(dnnl_primitive_t primitive) { return api::Destroy(primitive); }

}  // extern "C"
