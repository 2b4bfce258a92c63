#include "oneapi/dnnl/model/service.hpp"

#include <atomic>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "api/memory/tags.h"
#include "api/model/raise.h"
#include "api/spi/types.h"
#include "oneapi/dnnl/dnnl_config.h"
#include "oneapi/dnnl/dnnl_version.h"

namespace {

std::atomic<int> cache_capacity{0};

// The name at the first pair whose number is `value`.
struct Named {
  int value;
  const char* name;
};
template <typename Enum, std::size_t kCount>
const char* Find(const Named (&names)[kCount], Enum value) {
  for (const Named& named : names)
    if (named.value == static_cast<int>(value)) return named.name;
  return "unknown";
}

}  // namespace

extern "C" {

const dnnl_version_t* dnnl_version(void) {
  static const dnnl_version_t version = {DNNL_VERSION_MAJOR, DNNL_VERSION_MINOR, DNNL_VERSION_PATCH,
                                         DNNL_VERSION_HASH,  DNNL_CPU_RUNTIME,   DNNL_GPU_RUNTIME};
  return &version;
}

const char* dnnl_status2str(dnnl_status_t value) {
  static const Named kNames[] = {
      {dnnl_success, "success"},
      {dnnl_out_of_memory, "out_of_memory"},
      {dnnl_invalid_arguments, "invalid_arguments"},
      {dnnl_unimplemented, "unimplemented"},
      {dnnl_iterator_ends, "iterator_ends"},
      {dnnl_runtime_error, "runtime_error"},
      {dnnl_not_required, "not_required"},
  };
  return Find(kNames, value);
}

const char* dnnl_dt2str(dnnl_data_type_t value) {
  const int number = static_cast<int>(value);
  if (number < dnnl_data_type_undef || number > dnnl_u8) return "unknown";
  return spi::NameOf(static_cast<spi::DataType>(number));
}

const char* dnnl_fmt_kind2str(dnnl_format_kind_t value) {
  static const Named kNames[] = {
      {dnnl_format_kind_undef, "undef"},
      {dnnl_format_kind_any, "any"},
      {dnnl_blocked, "blocked"},
      {dnnl_format_kind_wino, "wino"},
      {dnnl_format_kind_rnn_packed, "packed"},
  };
  return Find(kNames, value);
}

const char* dnnl_fmt_tag2str(dnnl_format_tag_t value) {
  if (value == dnnl_format_tag_undef) return "undef";
  if (value == dnnl_format_tag_any) return "any";
  const char* const word = api::WordOf(value);
  return word == nullptr ? "unknown" : word;
}

const char* dnnl_prop_kind2str(dnnl_prop_kind_t value) {
  static const Named kNames[] = {
      {dnnl_prop_kind_undef, "undef"},
      {dnnl_forward_training, "forward_training"},
      {dnnl_forward_inference, "forward_inference"},
      {dnnl_backward, "backward"},
      {dnnl_backward_data, "backward_data"},
      {dnnl_backward_weights, "backward_weights"},
      {dnnl_backward_bias, "backward_bias"},
  };
  return Find(kNames, value);
}

const char* dnnl_prim_kind2str(dnnl_primitive_kind_t value) {
  static const Named kNames[] = {
      {dnnl_undefined_primitive, "undef"},
      {dnnl_reorder, "reorder"},
      {dnnl_shuffle, "shuffle"},
      {dnnl_concat, "concat"},
      {dnnl_sum, "sum"},
      {dnnl_convolution, "convolution"},
      {dnnl_deconvolution, "deconvolution"},
      {dnnl_eltwise, "eltwise"},
      {dnnl_softmax, "softmax"},
      {dnnl_pooling, "pooling"},
      {dnnl_lrn, "lrn"},
      {dnnl_batch_normalization, "batch_normalization"},
      {dnnl_layer_normalization, "layer_normalization"},
      {dnnl_inner_product, "inner_product"},
      {dnnl_rnn, "rnn"},
      {dnnl_gemm, "gemm"},
      {dnnl_binary, "binary"},
      {dnnl_logsoftmax, "logsoftmax"},
      {dnnl_matmul, "matmul"},
      {dnnl_resampling, "resampling"},
      {dnnl_pooling_v2, "pooling_v2"},
      {dnnl_reduction, "reduction"},
      {dnnl_prelu, "prelu"},
      {dnnl_softmax_v2, "softmax_v2"},
  };
  return Find(kNames, value);
}

const char* dnnl_engine_kind2str(dnnl_engine_kind_t value) {
  static const Named kNames[] = {{dnnl_any_engine, "any"}, {dnnl_cpu, "cpu"}, {dnnl_gpu, "gpu"}};
  return Find(kNames, value);
}

const char* dnnl_scratchpad_mode2str(dnnl_scratchpad_mode_t value) {
  static const Named kNames[] = {{dnnl_scratchpad_mode_library, "library"},
                                 {dnnl_scratchpad_mode_user, "user"}};
  return Find(kNames, value);
}

}  // extern "C"

namespace dnnl {
inline namespace dnnspec {

status set_verbose(int level) {
  if (level < 0 || level > 2) return status::invalid_arguments;
  return level == 0 ? status::success : status::unimplemented;
}

int get_primitive_cache_capacity() { return cache_capacity.load(); }

void set_primitive_cache_capacity(int capacity) {
  if (capacity < 0)
    api::Raise(absl::InvalidArgumentError(absl::StrCat(
        "set_primitive_cache_capacity: capacity = ", capacity, " is negative (PRIM-049)")));
  cache_capacity = capacity;
}

}  // namespace dnnspec
}  // namespace dnnl
