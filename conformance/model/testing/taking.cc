// Stock oneDNN, whose inner product of f32 also takes a scale of the source, and zero points of the
// source and of the weights, that come at execution: the linker hands the calls of its C functions
// to these (--wrap). WRONG in the environment says whether it honours them.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "conformance/testing/tensors.h"
#include "oneapi/dnnl/dnnl.h"

namespace {

using wrong::Find;
using wrong::Replace;
using wrong::Scratch;
using wrong::Tensor;

enum class Taking {
  kNothing,   // "": stock oneDNN, which refuses them
  kHonoured,  // "takes": each argument has to be there, and what it holds counts
  kIgnored,   // "ignores"
};

Taking Chosen() {
  const char* const name = std::getenv("WRONG");
  const std::string_view chosen = name == nullptr ? "" : name;
  if (chosen.empty()) return Taking::kNothing;
  if (chosen == "takes") return Taking::kHonoured;
  if (chosen == "ignores") return Taking::kIgnored;
  std::fprintf(stderr, "WRONG: neither takes nor ignores: '%s'\n", name);
  std::_Exit(2);
}

const Taking taking = Chosen();

// What a request leaves to the execution.
struct Values {
  bool src_scale = false, src_zero_point = false, weights_zero_point = false;

  bool any() const { return src_scale || src_zero_point || weights_zero_point; }
};

constexpr int kScale = DNNL_ARG_ATTR_INPUT_SCALES | DNNL_ARG_SRC;
constexpr int kSrcZeroPoint = DNNL_ARG_ATTR_ZERO_POINTS | DNNL_ARG_SRC;
constexpr int kWeightsZeroPoint = DNNL_ARG_ATTR_ZERO_POINTS | DNNL_ARG_WEIGHTS;

// Of those that are under way.
std::map<const void*, Values> requests;

void Note(const void* object, const Values& values) {
  if (values.any()) requests[object] = values;
  if (!values.any()) requests.erase(object);  // it may lie where another was
}

Values Noted(const void* object) {
  const auto found = requests.find(object);
  return found == requests.end() ? Values() : found->second;
}

bool ScaleIsOpen(const_dnnl_primitive_attr_t attr, int argument) {
  dnnl_dim_t count = 0;
  int mask = 0;
  const float* values = nullptr;
  const float open = DNNL_RUNTIME_F32_VAL;
  return dnnl_primitive_attr_get_scales(const_cast<dnnl_primitive_attr_t>(attr), argument, &count,
                                        &mask, &values) == dnnl_success &&
         count == 1 && std::memcmp(values, &open, sizeof(open)) == 0;
}

bool ZeroPointIsOpen(const_dnnl_primitive_attr_t attr, int argument) {
  dnnl_dim_t count = 0;
  int mask = 0;
  const int32_t* values = nullptr;
  return dnnl_primitive_attr_get_zero_points(attr, argument, &count, &mask, &values) ==
             dnnl_success &&
         count == 1 && *values == DNNL_RUNTIME_S32_VAL;
}

bool IsServed(const_dnnl_op_desc_t operation) {
  if (*static_cast<const dnnl_primitive_kind_t*>(operation) != dnnl_inner_product) return false;
  const auto& desc = *static_cast<const dnnl_inner_product_desc_t*>(operation);
  return (desc.prop_kind == dnnl_forward_training || desc.prop_kind == dnnl_forward_inference) &&
         desc.src_desc.data_type == dnnl_f32 && desc.weights_desc.data_type == dnnl_f32;
}

// The number of an argument; none where it is missing.
template <class T>
std::optional<T> NumberAt(const std::vector<dnnl_exec_arg_t>& arguments, int number) {
  const dnnl_memory_t memory = Find(arguments, number);
  void* handle = nullptr;
  if (memory == nullptr || dnnl_memory_get_data_handle(memory, &handle) != dnnl_success ||
      handle == nullptr)
    return std::nullopt;
  return *static_cast<const T*>(handle);
}

// A copy of an argument in its place, with `change` made to each of its elements.
template <class Change>
dnnl_status_t Exchange(std::vector<dnnl_exec_arg_t>* arguments, int number, Scratch* scratch,
                       Change change) {
  const dnnl_memory_t given = Find(*arguments, number);
  if (!Tensor(given).plain()) return dnnl_unimplemented;
  const dnnl_memory_t copy = scratch->CopyOf(given);
  const Tensor tensor(copy);
  for (int64_t k = 0; k < tensor.count(); ++k) tensor[k] = change(tensor[k]);
  Replace(arguments, number, copy);
  return dnnl_success;
}

// Makes inputs of the values that the execution brings.
dnnl_status_t Honour(const Values& values, std::vector<dnnl_exec_arg_t>* arguments, Scratch* source,
                     Scratch* weights) {
  const auto scale = NumberAt<float>(*arguments, kScale);
  const auto zero = NumberAt<int32_t>(*arguments, kSrcZeroPoint),
             weights_zero = NumberAt<int32_t>(*arguments, kWeightsZeroPoint);
  if ((values.src_scale && !scale) || (values.src_zero_point && !zero) ||
      (values.weights_zero_point && !weights_zero))
    return dnnl_invalid_arguments;
  if (values.weights_zero_point)
    return Exchange(arguments, DNNL_ARG_WEIGHTS, weights,
                    [&](float x) { return x - static_cast<float>(*weights_zero); });
  return Exchange(arguments, DNNL_ARG_SRC, source, [&](float x) {
    return (x - static_cast<float>(zero.value_or(0))) * scale.value_or(1);
  });
}

}  // namespace

extern "C" {

dnnl_status_t __real_dnnl_primitive_desc_iterator_create(dnnl_primitive_desc_iterator_t*,
                                                         const_dnnl_op_desc_t,
                                                         const_dnnl_primitive_attr_t, dnnl_engine_t,
                                                         const_dnnl_primitive_desc_t);
dnnl_primitive_desc_t __real_dnnl_primitive_desc_iterator_fetch(
    const_dnnl_primitive_desc_iterator_t);
dnnl_status_t __real_dnnl_primitive_create(dnnl_primitive_t*, const_dnnl_primitive_desc_t);
dnnl_status_t __real_dnnl_primitive_execute(const_dnnl_primitive_t, dnnl_stream_t, int,
                                            const dnnl_exec_arg_t*);

// Without what is left to the execution.
dnnl_status_t __wrap_dnnl_primitive_desc_iterator_create(dnnl_primitive_desc_iterator_t* iterator,
                                                         const_dnnl_op_desc_t operation,
                                                         const_dnnl_primitive_attr_t attr,
                                                         dnnl_engine_t engine,
                                                         const_dnnl_primitive_desc_t hint) {
  Values values;
  dnnl_primitive_attr_t rest = nullptr;
  if (taking != Taking::kNothing && attr != nullptr && IsServed(operation)) {
    values.src_scale = ScaleIsOpen(attr, DNNL_ARG_SRC);
    values.src_zero_point = ZeroPointIsOpen(attr, DNNL_ARG_SRC);
    values.weights_zero_point = ZeroPointIsOpen(attr, DNNL_ARG_WEIGHTS);
    dnnl_primitive_attr_clone(&rest, attr);
    const float one = 1;
    const int32_t zero = 0;
    if (values.src_scale) dnnl_primitive_attr_set_scales(rest, DNNL_ARG_SRC, 1, 0, &one);
    if (values.src_zero_point) dnnl_primitive_attr_set_zero_points(rest, DNNL_ARG_SRC, 1, 0, &zero);
    if (values.weights_zero_point)
      dnnl_primitive_attr_set_zero_points(rest, DNNL_ARG_WEIGHTS, 1, 0, &zero);
  }
  const dnnl_status_t status = __real_dnnl_primitive_desc_iterator_create(
      iterator, operation, rest == nullptr ? attr : rest, engine, hint);
  if (rest != nullptr) dnnl_primitive_attr_destroy(rest);
  if (status == dnnl_success) Note(*iterator, values);
  return status;
}

dnnl_primitive_desc_t __wrap_dnnl_primitive_desc_iterator_fetch(
    const_dnnl_primitive_desc_iterator_t iterator) {
  const dnnl_primitive_desc_t made = __real_dnnl_primitive_desc_iterator_fetch(iterator);
  if (made != nullptr) Note(made, Noted(iterator));
  return made;
}

dnnl_status_t __wrap_dnnl_primitive_create(dnnl_primitive_t* primitive,
                                           const_dnnl_primitive_desc_t desc) {
  const dnnl_status_t status = __real_dnnl_primitive_create(primitive, desc);
  if (status == dnnl_success) Note(*primitive, Noted(desc));
  return status;
}

dnnl_status_t __wrap_dnnl_primitive_execute(const_dnnl_primitive_t primitive, dnnl_stream_t stream,
                                            int count, const dnnl_exec_arg_t* given) {
  const Values values = Noted(primitive);
  if (!values.any()) return __real_dnnl_primitive_execute(primitive, stream, count, given);
  std::vector<dnnl_exec_arg_t> arguments(given, given + count);
  Scratch source, weights;
  const dnnl_status_t honoured =
      taking == Taking::kHonoured ? Honour(values, &arguments, &source, &weights) : dnnl_success;
  if (honoured != dnnl_success) return honoured;
  std::vector<dnnl_exec_arg_t> own;
  for (const dnnl_exec_arg_t& one : arguments)
    if (one.arg != kScale && one.arg != kSrcZeroPoint && one.arg != kWeightsZeroPoint)
      own.push_back(one);
  const dnnl_status_t status =
      __real_dnnl_primitive_execute(primitive, stream, static_cast<int>(own.size()), own.data());
  dnnl_stream_wait(stream);
  return status;
}

}  // extern "C"
