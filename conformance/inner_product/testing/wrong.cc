// Stock oneDNN, wrong in one way at a time: the linker hands the calls of its C functions to these
// (--wrap), and WRONG in the environment names the fault.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/testing/tensors.h"
#include "oneapi/dnnl/dnnl.h"

namespace {

using wrong::Find;
using wrong::Replace;
using wrong::Scratch;
using wrong::Tensor;

enum Fault {
  kNone,
  kDropsBias,
  kAddsBiasTwice,
  kPairsInputsByMemory,
  kAddsToOutputs,
  kForgetsTheLastRow,
  kRoundsToBf16,
  kKeepsTheFirstWeights,
  kForgetsDiffBias,
  kLeavesGradientOfNothing,
  kWritesBehindRows,
  kDropsPostOps,
  kTakesOtherShapes,
  kTakesOtherBiases,
  kTakesAnyAttribute,
  kChangesItsMind,
  kAnswersAny,
  kLosesNan,
  kTakesEveryKind,
  kNeedsNoBias,
};

constexpr std::pair<std::string_view, Fault> kFaults[] = {
    {"drops-bias", kDropsBias},
    {"adds-bias-twice", kAddsBiasTwice},
    {"pairs-inputs-by-memory", kPairsInputsByMemory},
    {"adds-to-outputs", kAddsToOutputs},
    {"forgets-the-last-row", kForgetsTheLastRow},
    {"rounds-to-bf16", kRoundsToBf16},
    {"keeps-the-first-weights", kKeepsTheFirstWeights},
    {"forgets-diff-bias", kForgetsDiffBias},
    {"leaves-the-gradient-of-nothing", kLeavesGradientOfNothing},
    {"writes-behind-rows", kWritesBehindRows},
    {"drops-post-ops", kDropsPostOps},
    {"takes-other-shapes", kTakesOtherShapes},
    {"takes-other-biases", kTakesOtherBiases},
    {"takes-any-attribute", kTakesAnyAttribute},
    {"changes-its-mind", kChangesItsMind},
    {"answers-any", kAnswersAny},
    {"loses-nan", kLosesNan},
    {"takes-every-kind", kTakesEveryKind},
    {"needs-no-bias", kNeedsNoBias},
};

Fault Chosen() {
  const char* const name = std::getenv("WRONG");
  if (name == nullptr || *name == '\0') return kNone;
  for (const auto& [known, fault] : kFaults)
    if (known == name) return fault;
  std::fprintf(stderr, "WRONG: there is no fault '%s'\n", name);
  std::_Exit(2);
}

const Fault fault = Chosen();

}  // namespace

extern "C" {
dnnl_status_t __real_dnnl_inner_product_forward_desc_init(
    dnnl_inner_product_desc_t*, dnnl_prop_kind_t, const dnnl_memory_desc_t*,
    const dnnl_memory_desc_t*, const dnnl_memory_desc_t*, const dnnl_memory_desc_t*);
dnnl_status_t __real_dnnl_primitive_desc_iterator_create(dnnl_primitive_desc_iterator_t*,
                                                         const_dnnl_op_desc_t,
                                                         const_dnnl_primitive_attr_t, dnnl_engine_t,
                                                         const_dnnl_primitive_desc_t);
dnnl_status_t __real_dnnl_primitive_execute(const_dnnl_primitive_t, dnnl_stream_t, int,
                                            const dnnl_exec_arg_t*);
const dnnl_memory_desc_t* __real_dnnl_primitive_desc_query_md(const_dnnl_primitive_desc_t,
                                                              dnnl_query_t, int);
}

namespace {

bool IsInnerProduct(const_dnnl_op_desc_t desc) {
  return *static_cast<const dnnl_primitive_kind_t*>(desc) == dnnl_inner_product;
}

// What the faults do before the real execution, to copies of the inputs.
void Spoil(const_dnnl_primitive_t primitive, Scratch* scratch,
           std::vector<dnnl_exec_arg_t>* arguments) {
  const auto copied = [&](int number) {
    const dnnl_memory_t memory = Find(*arguments, number);
    const Tensor given(memory);
    if (memory == nullptr || !given.plain()) return Tensor(nullptr);
    const dnnl_memory_t copy = scratch->CopyOf(memory);
    Replace(arguments, number, copy);
    return Tensor(copy);
  };
  switch (fault) {
    case kDropsBias:
    case kAddsBiasTwice: {
      const Tensor bias = copied(DNNL_ARG_BIAS);
      for (int64_t k = 0; bias.plain() && k < bias.count(); ++k)
        bias[k] *= fault == kDropsBias ? 0.f : 2.f;
      break;
    }
    case kPairsInputsByMemory: {
      const Tensor given(Find(*arguments, DNNL_ARG_WEIGHTS));
      const Tensor weights = copied(DNNL_ARG_WEIGHTS);
      bool dense = weights.plain() && weights.rank() > 2;
      for (int axis = 0; dense && axis < weights.rank(); ++axis)
        dense = weights.stride(axis) <= weights.count();
      if (!dense || weights.stride(0) * weights.dim(0) != weights.count()) break;
      for (int64_t k = 0; k < weights.count(); ++k) weights[k] = given.data()[k];
      break;
    }
    case kRoundsToBf16: {
      const Tensor src = copied(DNNL_ARG_SRC);
      for (int64_t k = 0; src.plain() && k < src.count(); ++k) {
        uint32_t word;
        std::memcpy(&word, &src[k], sizeof(word));
        word &= 0xffff0000u;
        std::memcpy(&src[k], &word, sizeof(word));
      }
      break;
    }
    case kKeepsTheFirstWeights: {
      static std::map<const_dnnl_primitive_t, std::vector<float>> kept;
      const Tensor weights = copied(DNNL_ARG_WEIGHTS);
      if (!weights.plain()) break;
      const auto [found, first] = kept.emplace(primitive, weights.Values());
      if (!first && static_cast<int64_t>(found->second.size()) == weights.count())
        for (int64_t k = 0; k < weights.count(); ++k)
          weights[k] = found->second[static_cast<size_t>(k)];
      break;
    }
    case kForgetsDiffBias:
      copied(DNNL_ARG_DIFF_BIAS);
      break;
    default:
      break;
  }
}

// What they do afterwards, to the output.
void SpoilOutput(const Tensor& output, const std::vector<float>& before, bool forward) {
  if (!output.plain() || output.count() == 0) return;
  const int64_t width = output.count() / std::max<dnnl_dim_t>(1, output.dim(0));
  switch (fault) {
    case kAddsToOutputs:
      for (int64_t k = 0; k < output.count(); ++k) output[k] += before[static_cast<size_t>(k)];
      break;
    case kForgetsTheLastRow:
      for (int64_t k = output.count() - width; forward && k < output.count(); ++k)
        output[k] = before[static_cast<size_t>(k)];
      break;
    case kLosesNan:
      for (int64_t k = 0; k < output.count(); ++k)
        if (output[k] != output[k]) output[k] = 0;
      break;
    case kWritesBehindRows:
      if (output.rank() == 2 && output.dim(0) > 1 && output.stride(1) == 1 &&
          output.stride(0) > output.dim(1))
        output.data()[output.dim(1)] = 0;
      break;
    default:
      break;
  }
}

}  // namespace

extern "C" {

dnnl_status_t __wrap_dnnl_inner_product_forward_desc_init(dnnl_inner_product_desc_t* desc,
                                                          dnnl_prop_kind_t prop,
                                                          const dnnl_memory_desc_t* src,
                                                          const dnnl_memory_desc_t* weights,
                                                          const dnnl_memory_desc_t* bias,
                                                          const dnnl_memory_desc_t* dst) {
  dnnl_memory_desc_t right_dst = *dst, right_bias = {}, right_weights = *weights;
  if (fault == kTakesEveryKind && prop != dnnl_forward_inference) prop = dnnl_forward_training;
  if (fault == kTakesOtherShapes && src->ndims >= 2 && weights->ndims >= 2) {
    const dnnl_dims_t dims = {src->dims[0], weights->dims[0]};
    dnnl_memory_desc_init_by_tag(&right_dst, 2, dims, dst->data_type, dnnl_ab);
  }
  if (fault == kTakesOtherBiases && bias != nullptr && bias->ndims > 0) {
    dnnl_memory_desc_init_by_tag(&right_bias, 1, weights->dims, bias->data_type, dnnl_a);
    bias = &right_bias;
  }
  static int calls = 0;
  if (fault == kChangesItsMind && weights->format_kind == dnnl_format_kind_any &&
      ++calls % 2 == 0) {
    dnnl_dims_t strides;
    dnnl_dim_t stride = 1;
    for (int axis = 0; axis < weights->ndims; ++axis) {
      strides[axis] = stride;
      stride *= weights->dims[axis];
    }
    dnnl_memory_desc_init_by_strides(&right_weights, weights->ndims, weights->dims,
                                     weights->data_type, strides);
  }
  return __real_dnnl_inner_product_forward_desc_init(desc, prop, src, &right_weights, bias,
                                                     &right_dst);
}

dnnl_status_t __wrap_dnnl_primitive_desc_iterator_create(dnnl_primitive_desc_iterator_t* iterator,
                                                         const_dnnl_op_desc_t desc,
                                                         const_dnnl_primitive_attr_t attr,
                                                         dnnl_engine_t engine,
                                                         const_dnnl_primitive_desc_t hint) {
  if (IsInnerProduct(desc)) {
    const auto prop = static_cast<const dnnl_inner_product_desc_t*>(desc)->prop_kind;
    const bool forward = prop == dnnl_forward_training || prop == dnnl_forward_inference;
    if (fault == (forward ? kDropsPostOps : kTakesAnyAttribute)) attr = nullptr;
  }
  return __real_dnnl_primitive_desc_iterator_create(iterator, desc, attr, engine, hint);
}

const dnnl_memory_desc_t* __wrap_dnnl_primitive_desc_query_md(const_dnnl_primitive_desc_t pd,
                                                              dnnl_query_t what, int index) {
  const dnnl_memory_desc_t* const told = __real_dnnl_primitive_desc_query_md(pd, what, index);
  dnnl_primitive_kind_t kind = dnnl_undefined_primitive;
  dnnl_primitive_desc_query(pd, dnnl_query_primitive_kind, 0, &kind);
  if (fault != kAnswersAny || kind != dnnl_inner_product || what != dnnl_query_src_md ||
      told == nullptr || told->ndims == 0)
    return told;
  static dnnl_memory_desc_t any;
  dnnl_memory_desc_init_by_tag(&any, told->ndims, told->dims, told->data_type, dnnl_format_tag_any);
  return &any;
}

dnnl_status_t __wrap_dnnl_primitive_execute(const_dnnl_primitive_t primitive, dnnl_stream_t stream,
                                            int count, const dnnl_exec_arg_t* given) {
  const_dnnl_primitive_desc_t pd = nullptr;
  dnnl_primitive_kind_t kind = dnnl_undefined_primitive;
  dnnl_primitive_get_primitive_desc(primitive, &pd);
  dnnl_primitive_desc_query(pd, dnnl_query_primitive_kind, 0, &kind);
  if (kind != dnnl_inner_product || fault == kNone)
    return __real_dnnl_primitive_execute(primitive, stream, count, given);
  std::vector<dnnl_exec_arg_t> arguments(given, given + count);
  Scratch scratch;
  Spoil(primitive, &scratch, &arguments);
  if (fault == kNeedsNoBias && Find(arguments, DNNL_ARG_BIAS) == nullptr) {
    const dnnl_memory_desc_t* const bias =
        __real_dnnl_primitive_desc_query_md(pd, dnnl_query_weights_md, 1);
    if (bias != nullptr && bias->ndims > 0) return dnnl_success;
  }
  const bool forward = Find(arguments, DNNL_ARG_DST) != nullptr;
  const dnnl_memory_t gradient = Find(arguments, DNNL_ARG_DIFF_WEIGHTS);
  if (fault == kLeavesGradientOfNothing && gradient != nullptr &&
      Tensor(Find(arguments, DNNL_ARG_DIFF_DST)).dim(0) == 0)
    return dnnl_success;
  const dnnl_memory_t written = forward               ? Find(arguments, DNNL_ARG_DST)
                                : gradient != nullptr ? gradient
                                                      : Find(arguments, DNNL_ARG_DIFF_SRC);
  const Tensor output(written);
  const std::vector<float> before = output.plain() ? output.Values() : std::vector<float>();
  const dnnl_status_t status = __real_dnnl_primitive_execute(
      primitive, stream, static_cast<int>(arguments.size()), arguments.data());
  dnnl_stream_wait(stream);
  SpoilOutput(output, before, forward);
  return status;
}

}  // extern "C"
