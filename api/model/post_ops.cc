#include "oneapi/dnnl/model/post_ops.hpp"

#include <memory>
#include <string>
#include <utility>
#include <variant>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "api/engine/throw.h"
#include "api/memory/checks.h"
#include "api/model/attributes_state.h"
#include "api/spi/attributes.h"
#include "api/spi/eltwise_limits.h"
#include "oneapi/dnnl/model/c_functions.h"

namespace api {
namespace {

using dnnl::algorithm;
using dnnl::memory;
using dnnl::primitive;
namespace state = dnnl::state;

constexpr std::size_t kMaxPostOps = 32;  // ATTR-052

template <typename... Args>
absl::Status Invalid(const char* member, const Args&... args) {
  return absl::InvalidArgumentError(absl::StrCat("post_ops::", member, ": ", args...));
}

std::vector<state::post_op>& Live(const std::shared_ptr<state::post_ops>& handle,
                                  const char* member) {
  if (handle == nullptr) Throw(Invalid(member, "the post-ops are empty, moved from (ERR-011)"));
  return handle->ops;
}

void Append(const std::shared_ptr<state::post_ops>& handle, const char* member,
            state::post_op entry) {
  std::vector<state::post_op>& ops = Live(handle, member);
  if (ops.size() >= kMaxPostOps)
    Throw(Invalid(member, "there are ", ops.size(), " of at most ", kMaxPostOps,
                  " post-ops already (ATTR-052)"));
  ops.push_back(std::move(entry));
}

const state::post_op& At(const std::shared_ptr<state::post_ops>& handle, const char* member,
                         int index) {
  const std::vector<state::post_op>& ops = Live(handle, member);
  if (index < 0 || static_cast<std::size_t>(index) >= ops.size())
    Throw(Invalid(member, "index = ", index, " is not in [0, ", ops.size(), ") (ATTR-041)"));
  return ops[static_cast<std::size_t>(index)];
}

struct KindOf {
  primitive::kind operator()(const state::sum_op&) const { return primitive::kind::sum; }
  primitive::kind operator()(const state::eltwise_op&) const { return primitive::kind::eltwise; }
  primitive::kind operator()(const state::depthwise_op&) const {
    return primitive::kind::convolution;
  }
  primitive::kind operator()(const state::binary_op&) const { return primitive::kind::binary; }
  primitive::kind operator()(const state::prelu_op&) const { return primitive::kind::prelu; }
};

const char* NameOfKind(const state::post_op& op) {
  return dnnl_prim_kind2str(dnnl::convert_to_c(std::visit(KindOf(), op)));
}

template <typename Op>
const Op& Get(const std::shared_ptr<state::post_ops>& handle, const char* member, int index) {
  const state::post_op& entry = At(handle, member, index);
  const Op* const op = std::get_if<Op>(&entry);
  if (op == nullptr)
    Throw(Invalid(member, "post-op ", index, " is of kind ", NameOfKind(entry), ", not ",
                  NameOfKind(Op()), " (ATTR-043)"));
  return *op;
}

void CheckType(const char* member, const char* name, memory::data_type type, bool undef_is_fine) {
  const int number = static_cast<int>(type);
  if (number < (undef_is_fine ? dnnl_data_type_undef : dnnl_f16) || number > dnnl_u8)
    Throw(Invalid(member, name, " = ", number, " is no data type (PRIM-018)"));
}

void CheckMask(const char* member, int mask) {
  if (mask < 0) Throw(Invalid(member, "mask = ", mask, " is negative (ATTR-026)"));
}

bool IsBinary(algorithm kind) {
  return kind >= algorithm::binary_add && kind <= algorithm::binary_ne;
}

}  // namespace
}  // namespace api

template struct dnnspec::state::reference<dnnl_post_ops>;

namespace dnnl {

post_ops::post_ops() try { state_ = std::make_shared<state::post_ops>(); } catch (...) {
  api::RethrowAsDnnlError();
}

int post_ops::len() const try {
  return static_cast<int>(api::Live(state_, "len").size());
} catch (...) {
  api::RethrowAsDnnlError();
}

primitive::kind post_ops::kind(int index) const try {
  return std::visit(api::KindOf(), api::At(state_, "kind", index));
} catch (...) {
  api::RethrowAsDnnlError();
}

void post_ops::append_sum(float scale, memory::data_type data_type) try {
  append_sum(scale, 0, data_type);
} catch (...) {
  api::RethrowAsDnnlError();
}

void post_ops::append_sum(float scale, std::int32_t zero_point, memory::data_type data_type) try {
  api::CheckType("append_sum", "data_type", data_type, true);
  api::Append(state_, "append_sum",
              state::sum_op{scale, zero_point, memory::convert_to_c(data_type)});
} catch (...) {
  api::RethrowAsDnnlError();
}

void post_ops::get_params_sum(int index, float& scale) const try {
  scale = api::Get<state::sum_op>(state_, "get_params_sum", index).scale;
} catch (...) {
  api::RethrowAsDnnlError();
}

void post_ops::get_params_sum(int index, float& scale, memory::data_type& data_type) const try {
  const auto& op = api::Get<state::sum_op>(state_, "get_params_sum", index);
  scale = op.scale;
  data_type = static_cast<memory::data_type>(op.type);
} catch (...) {
  api::RethrowAsDnnlError();
}

void post_ops::get_params_sum(int index, float& scale, std::int32_t& zero_point,
                              memory::data_type& data_type) const try {
  get_params_sum(index, scale, data_type);
  zero_point = api::Get<state::sum_op>(state_, "get_params_sum", index).zero_point;
} catch (...) {
  api::RethrowAsDnnlError();
}

void post_ops::append_eltwise(float scale, algorithm aalgorithm, float alpha, float beta) try {
  const auto known = static_cast<spi::Algorithm>(aalgorithm);
  if (!spi::IsEltwise(known))
    api::Throw(api::Invalid("append_eltwise", "algorithm = ", static_cast<int>(aalgorithm),
                            " is no eltwise algorithm (ATTR-044)"));
  const std::string broken = spi::BrokenLimit(known, alpha, beta);
  if (!broken.empty()) api::Throw(api::Invalid("append_eltwise", broken));
  api::Append(state_, "append_eltwise", state::eltwise_op{scale, aalgorithm, alpha, beta});
} catch (...) {
  api::RethrowAsDnnlError();
}

void post_ops::get_params_eltwise(int index, float& scale, algorithm& aalgorithm, float& alpha,
                                  float& beta) const try {
  const auto& op = api::Get<state::eltwise_op>(state_, "get_params_eltwise", index);
  scale = op.scale;
  aalgorithm = op.kind;
  alpha = op.alpha;
  beta = op.beta;
} catch (...) {
  api::RethrowAsDnnlError();
}

void post_ops::append_dw(memory::data_type weights_data_type, memory::data_type bias_data_type,
                         memory::data_type dst_data_type, memory::dim kernel_size,
                         memory::dim stride_size, memory::dim padding_l_size, int mask,
                         const std::vector<float>& scales) try {
  api::CheckType("append_dw", "weights_data_type", weights_data_type, false);
  api::CheckType("append_dw", "bias_data_type", bias_data_type, true);
  api::CheckType("append_dw", "dst_data_type", dst_data_type, false);
  api::CheckMask("append_dw", mask);
  if (kernel_size < 1 || stride_size < 1 || padding_l_size < 0)
    api::Throw(api::Invalid("append_dw", "kernel ", kernel_size, ", stride ", stride_size,
                            ", padding ", padding_l_size, " is no convolution (ATTR-053)"));
  api::Append(
      state_, "append_dw",
      state::depthwise_op{memory::convert_to_c(weights_data_type),
                          memory::convert_to_c(bias_data_type), memory::convert_to_c(dst_data_type),
                          kernel_size, stride_size, padding_l_size, mask, scales});
} catch (...) {
  api::RethrowAsDnnlError();
}

void post_ops::get_params_dw(int index, memory::data_type& weights_data_type,
                             memory::data_type& bias_data_type, memory::data_type& dst_data_type,
                             memory::dim& kernel_size, memory::dim& stride_size,
                             memory::dim& padding_l_size, int& mask,
                             std::vector<float>& scales) const try {
  const auto& op = api::Get<state::depthwise_op>(state_, "get_params_dw", index);
  scales = op.scales;  // first, since it can fail
  weights_data_type = static_cast<memory::data_type>(op.weights);
  bias_data_type = static_cast<memory::data_type>(op.bias);
  dst_data_type = static_cast<memory::data_type>(op.dst);
  kernel_size = op.kernel;
  stride_size = op.stride;
  padding_l_size = op.padding;
  mask = op.mask;
} catch (...) {
  api::RethrowAsDnnlError();
}

void post_ops::append_dw_k3s1p1(memory::data_type weights_data_type,
                                memory::data_type bias_data_type, memory::data_type dst_data_type,
                                int mask, const std::vector<float>& scales) {
  append_dw(weights_data_type, bias_data_type, dst_data_type, 3, 1, 1, mask, scales);
}

void post_ops::get_params_dw_k3s1p1(int index, memory::data_type& weights_data_type,
                                    memory::data_type& bias_data_type,
                                    memory::data_type& dst_data_type, int& mask,
                                    std::vector<float>& scales) const {
  memory::dim kernel_size, stride_size, padding_l_size;
  get_params_dw(index, weights_data_type, bias_data_type, dst_data_type, kernel_size, stride_size,
                padding_l_size, mask, scales);
}

void post_ops::append_dw_k3s2p1(memory::data_type weights_data_type,
                                memory::data_type bias_data_type, memory::data_type dst_data_type,
                                int mask, const std::vector<float>& scales) {
  append_dw(weights_data_type, bias_data_type, dst_data_type, 3, 2, 1, mask, scales);
}

void post_ops::get_params_dw_k3s2p1(int index, memory::data_type& weights_data_type,
                                    memory::data_type& bias_data_type,
                                    memory::data_type& dst_data_type, int& mask,
                                    std::vector<float>& scales) const {
  get_params_dw_k3s1p1(index, weights_data_type, bias_data_type, dst_data_type, mask, scales);
}

void post_ops::append_binary(algorithm aalgorithm, const memory::desc& src1_desc) try {
  if (!api::IsBinary(aalgorithm))
    api::Throw(api::Invalid("append_binary", "algorithm = ", static_cast<int>(aalgorithm),
                            " is no binary algorithm (ATTR-044)"));
  api::ThrowUnlessOk(api::CheckDesc("post_ops::append_binary: src1_desc", src1_desc.data));
  if (src1_desc.is_zero())
    api::Throw(api::Invalid("append_binary", "src1_desc is zero (ATTR-053)"));
  api::Append(state_, "append_binary", state::binary_op{aalgorithm, src1_desc.data});
} catch (...) {
  api::RethrowAsDnnlError();
}

void post_ops::get_params_binary(int index, algorithm& aalgorithm, memory::desc& src1_desc) const
    try {
  const auto& op = api::Get<state::binary_op>(state_, "get_params_binary", index);
  aalgorithm = op.kind;
  src1_desc.data = op.src1;
} catch (...) {
  api::RethrowAsDnnlError();
}

void post_ops::append_prelu(int mask) try {
  api::CheckMask("append_prelu", mask);
  api::Append(state_, "append_prelu", state::prelu_op{mask});
} catch (...) {
  api::RethrowAsDnnlError();
}

void post_ops::get_params_prelu(int index, int& mask) const try {
  mask = api::Get<state::prelu_op>(state_, "get_params_prelu", index).mask;
} catch (...) {
  api::RethrowAsDnnlError();
}

}  // namespace dnnl
