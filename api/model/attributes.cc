#include "oneapi/dnnl/model/attributes.hpp"

#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "api/engine/engine_state.h"
#include "api/engine/throw.h"
#include "api/model/attributes_state.h"

namespace api {
namespace {

namespace state = dnnl::state;

template <typename... Args>
absl::Status Invalid(const char* member, const Args&... args) {
  return absl::InvalidArgumentError(absl::StrCat("primitive_attr::", member, ": ", args...));
}

state::primitive_attr& Live(const std::shared_ptr<state::primitive_attr>& handle,
                            const char* member) {
  if (handle == nullptr) Throw(Invalid(member, "the attributes are empty, moved from (ERR-011)"));
  return *handle;
}

bool IsWildcard(float value) { return IsRunTime(value); }
bool IsWildcard(int32_t value) { return value == DNNL_RUNTIME_S32_VAL; }

template <typename T, int Neutral>
void Set(const char* member, int mask, const std::vector<T>& values,
         state::masked<T, Neutral>* to) {
  if (mask < 0) Throw(Invalid(member, "mask = ", mask, " is negative (ATTR-026)"));
  if (values.empty()) Throw(Invalid(member, "there are no values (ATTR-026)"));
  for (std::size_t i = 0; i < values.size() && values.size() > 1; ++i)
    if (IsWildcard(values[i]))
      Throw(Invalid(member, "value ", i, " of ", values.size(),
                    " is the run-time value, which stands alone (ATTR-033)"));
  std::vector<T> copy = values;
  to->values = std::move(copy);
  to->mask = mask;
}

template <typename T, int Neutral>
void Get(const state::masked<T, Neutral>& from, int* mask, std::vector<T>* values) {
  if (from.values.empty())
    values->assign(1, static_cast<T>(Neutral));
  else
    *values = from.values;
  *mask = from.mask;
}

template <typename Values>
void GetOf(const std::map<int, Values>& from, int arg, int* mask,
           decltype(Values::values)* values) {
  const auto found = from.find(arg);
  Get(found == from.end() ? Values() : found->second, mask, values);
}

// Sets the values of one argument; a failure leaves the map as it was.
template <typename Values>
void SetOf(const char* member, int arg, int mask, const decltype(Values::values)& values,
           std::map<int, Values>* to) {
  Values made;
  Set(member, mask, values, &made);
  (*to)[arg] = std::move(made);
}

// As in oneDNN 2.6: no primitive has scales of another argument.
void CheckScaled(int arg) {
  if (arg != DNNL_ARG_SRC_0 && arg != DNNL_ARG_SRC_1)
    Throw(Invalid("set_scales", "arg = ", arg, " is neither DNNL_ARG_SRC_0 = 1 nor ",
                  "DNNL_ARG_SRC_1 = 2 (ATTR-060)"));
}

template <typename... Args>
absl::Status NotServed(const Args&... args) {
  return absl::UnimplementedError(absl::StrCat("primitive_attr::set_zero_points: ", args...));
}

// As in oneDNN 2.6: one zero point of the source, the weights or the destination. Those that come
// at execution may be one for each index of some dims, but not of the weights.
void CheckShifted(int arg, int mask, const std::vector<int32_t>& zero_points) {
  // What no argument can have is told by Set, as invalid.
  if (mask < 0 || zero_points.empty()) return;
  if (arg != DNNL_ARG_SRC && arg != DNNL_ARG_WEIGHTS && arg != DNNL_ARG_DST)
    Throw(NotServed("arg = ", arg, " is none of DNNL_ARG_SRC = 1, DNNL_ARG_DST = 17 and ",
                    "DNNL_ARG_WEIGHTS = 33 (ATTR-060)"));
  const bool one_at_run_time = zero_points.size() == 1 && IsWildcard(zero_points[0]);
  if (mask > 0 && !(one_at_run_time && arg != DNNL_ARG_WEIGHTS))
    Throw(NotServed("mask = ", mask, " asks for more than one zero point (ATTR-060)"));
  if (zero_points.size() > 1)
    Throw(NotServed("there are ", zero_points.size(), " values for mask = 0 (ATTR-060)"));
}

template <typename Values>
bool AllNeutral(const std::map<int, Values>& by_argument) {
  for (const auto& entry : by_argument)
    if (!entry.second.neutral()) return false;
  return true;
}

}  // namespace

const char* FirstUncommonAttribute(const state::primitive_attr& attr) {
  if (!AllNeutral(attr.argument_scales)) return "scales";
  if (attr.rnn_data_scale != 1 || attr.rnn_data_shift != 0) return "rnn_data_qparams";
  if (!attr.rnn_weights.neutral()) return "rnn_weights_qparams";
  if (!attr.rnn_projection.neutral()) return "rnn_weights_projection_qparams";
  return nullptr;
}

bool HasZeroPoints(const state::primitive_attr& attr) {
  return !AllNeutral(attr.argument_zero_points);
}

absl::Status CheckAttributes(const char* primitive, const spi::AttributeSupport& support,
                             const state::primitive_attr& attr) {
  using Support = spi::AttributeSupport;
  const auto refuses = [&](Support::Bit bit, bool present) {
    return present && (support.bits & bit) == 0;
  };
  const char* name = FirstUncommonAttribute(attr);
  if (name == nullptr && refuses(Support::kZeroPoints, HasZeroPoints(attr))) name = "zero_points";
  if (name == nullptr && refuses(Support::kFpmathMode, attr.fpmath != dnnl::fpmath_mode::strict))
    name = "fpmath_mode";
  if (name == nullptr && refuses(Support::kOutputScales, !attr.output.neutral()))
    name = "output_scales";
  if (name == nullptr && refuses(Support::kPostOps, !attr.post_ops.empty())) name = "post_ops";
  if (name == nullptr) return absl::OkStatus();
  return absl::UnimplementedError(
      absl::StrCat(primitive, ": attribute ", name, " is not served (", support.requirement, ")"));
}

}  // namespace api

template struct dnnspec::state::reference<dnnl_primitive_attr>;

namespace dnnl {

primitive_attr::primitive_attr() try {
  state_ = std::make_shared<state::primitive_attr>();
} catch (...) {
  api::RethrowAsDnnlError();
}

fpmath_mode primitive_attr::get_fpmath_mode() const try {
  return api::Live(state_, "get_fpmath_mode").fpmath;
} catch (...) {
  api::RethrowAsDnnlError();
}

void primitive_attr::set_fpmath_mode(fpmath_mode mode) try {
  const int number = static_cast<int>(mode);
  if (number < dnnl_fpmath_mode_strict || number > dnnl_fpmath_mode_any)
    api::Throw(api::Invalid("set_fpmath_mode", "mode = ", number, " is not in [0, 3] (PRIM-018)"));
  api::Live(state_, "set_fpmath_mode").fpmath = mode;
} catch (...) {
  api::RethrowAsDnnlError();
}

scratchpad_mode primitive_attr::get_scratchpad_mode() const try {
  return api::Live(state_, "get_scratchpad_mode").scratchpad;
} catch (...) {
  api::RethrowAsDnnlError();
}

void primitive_attr::set_scratchpad_mode(scratchpad_mode mode) try {
  if (mode != scratchpad_mode::library && mode != scratchpad_mode::user)
    api::Throw(api::Invalid("set_scratchpad_mode", "mode = ", static_cast<int>(mode),
                            " is not in [0, 1] (PRIM-018)"));
  api::Live(state_, "set_scratchpad_mode").scratchpad = mode;
} catch (...) {
  api::RethrowAsDnnlError();
}

void primitive_attr::get_output_scales(int& mask, std::vector<float>& scales) const try {
  api::Get(api::Live(state_, "get_output_scales").output, &mask, &scales);
} catch (...) {
  api::RethrowAsDnnlError();
}

void primitive_attr::set_output_scales(int mask, const std::vector<float>& scales) try {
  api::Set("set_output_scales", mask, scales, &api::Live(state_, "set_output_scales").output);
} catch (...) {
  api::RethrowAsDnnlError();
}

void primitive_attr::get_scales(int arg, int& mask, std::vector<float>& scales) const try {
  api::GetOf(api::Live(state_, "get_scales").argument_scales, arg, &mask, &scales);
} catch (...) {
  api::RethrowAsDnnlError();
}

void primitive_attr::set_scales(int arg, int mask, const std::vector<float>& scales) try {
  api::CheckScaled(arg);
  api::SetOf("set_scales", arg, mask, scales, &api::Live(state_, "set_scales").argument_scales);
} catch (...) {
  api::RethrowAsDnnlError();
}

void primitive_attr::get_zero_points(int arg, int& mask,
                                     std::vector<std::int32_t>& zero_points) const try {
  api::GetOf(api::Live(state_, "get_zero_points").argument_zero_points, arg, &mask, &zero_points);
} catch (...) {
  api::RethrowAsDnnlError();
}

void primitive_attr::set_zero_points(int arg, int mask,
                                     const std::vector<std::int32_t>& zero_points) try {
  api::CheckShifted(arg, mask, zero_points);
  api::SetOf("set_zero_points", arg, mask, zero_points,
             &api::Live(state_, "set_zero_points").argument_zero_points);
} catch (...) {
  api::RethrowAsDnnlError();
}

const post_ops primitive_attr::get_post_ops() const try {
  post_ops ops;
  state::access::of(ops)->ops = api::Live(state_, "get_post_ops").post_ops;
  return ops;
} catch (...) {
  api::RethrowAsDnnlError();
}

void primitive_attr::set_post_ops(const post_ops ops) try {
  const auto& from = state::access::of(ops);
  if (from == nullptr)
    api::Throw(api::Invalid("set_post_ops", "the post-ops are empty, moved from (ERR-011)"));
  std::vector<state::post_op> copy = from->ops;
  state::primitive_attr& self = api::Live(state_, "set_post_ops");
  self.post_ops = std::move(copy);
  self.c_post_ops = nullptr;
} catch (...) {
  api::RethrowAsDnnlError();
}

void primitive_attr::set_rnn_data_qparams(float scale, float shift) try {
  state::primitive_attr& self = api::Live(state_, "set_rnn_data_qparams");
  self.rnn_data_scale = scale;
  self.rnn_data_shift = shift;
} catch (...) {
  api::RethrowAsDnnlError();
}

void primitive_attr::get_rnn_data_qparams(float& scale, float& shift) const try {
  const state::primitive_attr& self = api::Live(state_, "get_rnn_data_qparams");
  scale = self.rnn_data_scale;
  shift = self.rnn_data_shift;
} catch (...) {
  api::RethrowAsDnnlError();
}

void primitive_attr::set_rnn_weights_qparams(int mask, const std::vector<float>& scales) try {
  api::Set("set_rnn_weights_qparams", mask, scales,
           &api::Live(state_, "set_rnn_weights_qparams").rnn_weights);
} catch (...) {
  api::RethrowAsDnnlError();
}

void primitive_attr::get_rnn_weights_qparams(int& mask, std::vector<float>& scales) const try {
  api::Get(api::Live(state_, "get_rnn_weights_qparams").rnn_weights, &mask, &scales);
} catch (...) {
  api::RethrowAsDnnlError();
}

void primitive_attr::set_rnn_weights_projection_qparams(int mask,
                                                        const std::vector<float>& scales) try {
  api::Set("set_rnn_weights_projection_qparams", mask, scales,
           &api::Live(state_, "set_rnn_weights_projection_qparams").rnn_projection);
} catch (...) {
  api::RethrowAsDnnlError();
}

void primitive_attr::get_rnn_weights_projection_qparams(int& mask, std::vector<float>& scales) const
    try {
  api::Get(api::Live(state_, "get_rnn_weights_projection_qparams").rnn_projection, &mask, &scales);
} catch (...) {
  api::RethrowAsDnnlError();
}

}  // namespace dnnl
