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
  kFlipsWeights,
  kSwapsGroups,
  kSwapsPaddings,
  kTurnsMultipliers,
  kAddsToOutputs,
  kLeavesZerosOfGradients,
  kForgetsDiffBias,
  kLeavesGradientOfNothing,
  kRoundsToBf16,
  kKeepsTheFirstWeights,
  kDropsPostOps,
  kTakesAnyAttribute,
  kTakesZeroStrides,
  kTakesOtherBatches,
  kTakesEveryKind,
  kNeedsNoBias,
  kLosesNan,
  kWritesBehindRows,
};

constexpr std::pair<std::string_view, Fault> kFaults[] = {
    {"drops-bias", kDropsBias},
    {"flips-weights", kFlipsWeights},
    {"swaps-groups", kSwapsGroups},
    {"swaps-paddings", kSwapsPaddings},
    {"turns-multipliers", kTurnsMultipliers},
    {"adds-to-outputs", kAddsToOutputs},
    {"leaves-zeros-of-gradients", kLeavesZerosOfGradients},
    {"forgets-diff-bias", kForgetsDiffBias},
    {"leaves-the-gradient-of-nothing", kLeavesGradientOfNothing},
    {"rounds-to-bf16", kRoundsToBf16},
    {"keeps-the-first-weights", kKeepsTheFirstWeights},
    {"drops-post-ops", kDropsPostOps},
    {"takes-any-attribute", kTakesAnyAttribute},
    {"takes-zero-strides", kTakesZeroStrides},
    {"takes-other-batches", kTakesOtherBatches},
    {"takes-every-kind", kTakesEveryKind},
    {"needs-no-bias", kNeedsNoBias},
    {"loses-nan", kLosesNan},
    {"writes-behind-rows", kWritesBehindRows},
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
dnnl_status_t __real_dnnl_convolution_forward_desc_init(
    dnnl_convolution_desc_t*, dnnl_prop_kind_t, dnnl_alg_kind_t, const dnnl_memory_desc_t*,
    const dnnl_memory_desc_t*, const dnnl_memory_desc_t*, const dnnl_memory_desc_t*,
    const dnnl_dims_t, const dnnl_dims_t, const dnnl_dims_t);
dnnl_status_t __real_dnnl_dilated_convolution_forward_desc_init(
    dnnl_convolution_desc_t*, dnnl_prop_kind_t, dnnl_alg_kind_t, const dnnl_memory_desc_t*,
    const dnnl_memory_desc_t*, const dnnl_memory_desc_t*, const dnnl_memory_desc_t*,
    const dnnl_dims_t, const dnnl_dims_t, const dnnl_dims_t, const dnnl_dims_t);
dnnl_status_t __real_dnnl_primitive_desc_iterator_create(dnnl_primitive_desc_iterator_t*,
                                                         const_dnnl_op_desc_t,
                                                         const_dnnl_primitive_attr_t, dnnl_engine_t,
                                                         const_dnnl_primitive_desc_t);
dnnl_status_t __real_dnnl_primitive_execute(const_dnnl_primitive_t, dnnl_stream_t, int,
                                            const dnnl_exec_arg_t*);
}

namespace {

// The weights of one (group and) channel turned round, or of one group those of the next.
void SpoilWeights(const Tensor& weights, int spatial, bool grouped) {
  const std::vector<float> before = weights.Values();
  int64_t taps = 1;
  for (int axis = weights.rank() - spatial; axis < weights.rank(); ++axis)
    taps *= weights.dim(axis);
  const int64_t groups = grouped ? weights.dim(0) : 1, width = weights.count() / groups;
  for (int64_t k = 0; k < weights.count(); ++k) {
    if (fault == kFlipsWeights)
      weights[k] = before[static_cast<size_t>(k / taps * taps + taps - 1 - k % taps)];
    if (fault == kSwapsGroups)
      weights[k] = before[static_cast<size_t>((k / width + 1) % groups * width + k % width)];
  }
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
    case kDropsBias: {
      const Tensor bias = copied(DNNL_ARG_BIAS);
      for (int64_t k = 0; bias.plain() && k < bias.count(); ++k) bias[k] = 0;
      break;
    }
    case kFlipsWeights:
    case kSwapsGroups: {
      const Tensor src(Find(*arguments, DNNL_ARG_SRC));
      const Tensor weights = copied(DNNL_ARG_WEIGHTS);
      if (!weights.plain() || !src.plain()) break;
      SpoilWeights(weights, src.rank() - 2, weights.rank() > src.rank());
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

// The channels of a depthwise result in the other order: of all groups, then of the multiplier.
void TurnMultipliers(const Tensor& output, const Tensor& weights) {
  if (!weights.plain() || weights.rank() <= output.rank() || weights.dim(2) != 1) return;
  const int64_t groups = weights.dim(0), multiplier = weights.dim(1), channels = output.dim(1);
  const int64_t width = output.count() / std::max<int64_t>(1, output.dim(0) * channels);
  const std::vector<float> right = output.Values();
  for (int64_t k = 0; k < output.count(); ++k) {
    const int64_t channel = k / width % channels, row = k / width / channels;
    const int64_t from = channel % groups * multiplier + channel / groups;
    output[k] = right[static_cast<size_t>((row * channels + from) * width + k % width)];
  }
}

// What they do afterwards, to the output.
void SpoilOutput(const Tensor& output, const Tensor& weights, const std::vector<float>& before,
                 bool data) {
  if (!output.plain() || output.count() == 0) return;
  switch (fault) {
    case kAddsToOutputs:
      for (int64_t k = 0; k < output.count(); ++k) output[k] += before[static_cast<size_t>(k)];
      break;
    case kLeavesZerosOfGradients:
      for (int64_t k = 0; data && k < output.count(); ++k)
        if (output[k] == 0) output[k] = before[static_cast<size_t>(k)];
      break;
    case kTurnsMultipliers:
      TurnMultipliers(output, weights);
      break;
    case kLosesNan:
      for (int64_t k = 0; k < output.count(); ++k)
        if (output[k] != output[k]) output[k] = 0;
      break;
    case kWritesBehindRows: {
      const int last = output.rank() - 1;
      if (output.dim(last - 1) > 1 && output.stride(last) == 1 &&
          output.stride(last - 1) > output.dim(last))
        output.data()[output.dim(last)] = 0;
      break;
    }
    default:
      break;
  }
}

// The operation descriptor's arguments as a library with the fault takes them.
struct Taken {
  dnnl_memory_desc_t dst;
  dnnl_dims_t strides, padding_l, padding_r;
  dnnl_prop_kind_t prop;

  Taken(dnnl_prop_kind_t given, const dnnl_memory_desc_t* src, const dnnl_memory_desc_t* given_dst,
        const dnnl_dims_t given_strides, const dnnl_dims_t left, const dnnl_dims_t right)
      : dst(*given_dst), prop(given) {
    const int spatial = std::max(0, src->ndims - 2);
    std::copy_n(given_strides, spatial, strides);
    std::copy_n(fault == kSwapsPaddings ? right : left, spatial, padding_l);
    std::copy_n(fault == kSwapsPaddings ? left : right, spatial, padding_r);
    if (fault == kTakesEveryKind && prop != dnnl_forward_inference) prop = dnnl_forward_training;
    for (int axis = 0; fault == kTakesZeroStrides && axis < spatial; ++axis)
      strides[axis] = std::max<dnnl_dim_t>(1, strides[axis]);
    if (fault != kTakesOtherBatches || dst.ndims != src->ndims || spatial < 1 || spatial > 3 ||
        dst.format_kind != dnnl_blocked || dst.dims[0] == src->dims[0])
      return;
    dnnl_dims_t dims;
    std::copy_n(dst.dims, dst.ndims, dims);
    dims[0] = src->dims[0];
    const dnnl_format_tag_t tags[] = {dnnl_abc, dnnl_abcd, dnnl_abcde};
    dnnl_memory_desc_init_by_tag(&dst, dst.ndims, dims, given_dst->data_type, tags[spatial - 1]);
  }
};

}  // namespace

extern "C" {

dnnl_status_t __wrap_dnnl_convolution_forward_desc_init(
    dnnl_convolution_desc_t* desc, dnnl_prop_kind_t prop, dnnl_alg_kind_t algorithm,
    const dnnl_memory_desc_t* src, const dnnl_memory_desc_t* weights,
    const dnnl_memory_desc_t* bias, const dnnl_memory_desc_t* dst, const dnnl_dims_t strides,
    const dnnl_dims_t padding_l, const dnnl_dims_t padding_r) {
  const Taken taken(prop, src, dst, strides, padding_l, padding_r);
  return __real_dnnl_convolution_forward_desc_init(desc, taken.prop, algorithm, src, weights, bias,
                                                   &taken.dst, taken.strides, taken.padding_l,
                                                   taken.padding_r);
}

dnnl_status_t __wrap_dnnl_dilated_convolution_forward_desc_init(
    dnnl_convolution_desc_t* desc, dnnl_prop_kind_t prop, dnnl_alg_kind_t algorithm,
    const dnnl_memory_desc_t* src, const dnnl_memory_desc_t* weights,
    const dnnl_memory_desc_t* bias, const dnnl_memory_desc_t* dst, const dnnl_dims_t strides,
    const dnnl_dims_t dilates, const dnnl_dims_t padding_l, const dnnl_dims_t padding_r) {
  const Taken taken(prop, src, dst, strides, padding_l, padding_r);
  return __real_dnnl_dilated_convolution_forward_desc_init(
      desc, taken.prop, algorithm, src, weights, bias, &taken.dst, taken.strides, dilates,
      taken.padding_l, taken.padding_r);
}

dnnl_status_t __wrap_dnnl_primitive_desc_iterator_create(dnnl_primitive_desc_iterator_t* iterator,
                                                         const_dnnl_op_desc_t desc,
                                                         const_dnnl_primitive_attr_t attr,
                                                         dnnl_engine_t engine,
                                                         const_dnnl_primitive_desc_t hint) {
  if (*static_cast<const dnnl_primitive_kind_t*>(desc) == dnnl_convolution) {
    const auto prop = static_cast<const dnnl_convolution_desc_t*>(desc)->prop_kind;
    const bool forward = prop == dnnl_forward_training || prop == dnnl_forward_inference;
    if (fault == (forward ? kDropsPostOps : kTakesAnyAttribute)) attr = nullptr;
  }
  return __real_dnnl_primitive_desc_iterator_create(iterator, desc, attr, engine, hint);
}

dnnl_status_t __wrap_dnnl_primitive_execute(const_dnnl_primitive_t primitive, dnnl_stream_t stream,
                                            int count, const dnnl_exec_arg_t* given) {
  const_dnnl_primitive_desc_t pd = nullptr;
  dnnl_primitive_kind_t kind = dnnl_undefined_primitive;
  dnnl_primitive_get_primitive_desc(primitive, &pd);
  dnnl_primitive_desc_query(pd, dnnl_query_primitive_kind, 0, &kind);
  if (kind != dnnl_convolution || fault == kNone)
    return __real_dnnl_primitive_execute(primitive, stream, count, given);
  std::vector<dnnl_exec_arg_t> arguments(given, given + count);
  Scratch scratch;
  Spoil(primitive, &scratch, &arguments);
  if (fault == kNeedsNoBias && Find(arguments, DNNL_ARG_BIAS) == nullptr) {
    const dnnl_memory_desc_t* const bias =
        dnnl_primitive_desc_query_md(pd, dnnl_query_weights_md, 1);
    if (bias != nullptr && bias->ndims > 0) return dnnl_success;
  }
  const dnnl_memory_t gradient = Find(arguments, DNNL_ARG_DIFF_WEIGHTS),
                      data = Find(arguments, DNNL_ARG_DIFF_SRC);
  if (fault == kLeavesGradientOfNothing && gradient != nullptr &&
      Tensor(Find(arguments, DNNL_ARG_DIFF_DST)).dim(0) == 0)
    return dnnl_success;
  const dnnl_memory_t forward = Find(arguments, DNNL_ARG_DST);
  const Tensor output(forward != nullptr ? forward : gradient != nullptr ? gradient : data);
  const std::vector<float> before = output.plain() ? output.Values() : std::vector<float>();
  const dnnl_status_t status = __real_dnnl_primitive_execute(
      primitive, stream, static_cast<int>(arguments.size()), arguments.data());
  dnnl_stream_wait(stream);
  SpoilOutput(output, Tensor(forward != nullptr ? Find(arguments, DNNL_ARG_WEIGHTS) : nullptr),
              before, data != nullptr);
  return status;
}

}  // extern "C"
