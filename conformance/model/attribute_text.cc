#include "conformance/model/attribute_text.h"

#include <cstdint>
#include <utility>
#include <vector>

#include "conformance/gen/values.h"
#include "conformance/subject/attempt.h"
#include "conformance/subject/descriptor_text.h"
#include "conformance/subject/fpmath.h"

namespace conformance {
namespace {

// "3", and with its bits "0.500000/1056964608".
std::string Text(int32_t value) { return std::to_string(value); }
std::string Text(float value) {
  return std::to_string(value) + "/" + std::to_string(WordOf(value));
}

template <class Values>
std::string MaskedText(const std::string& what, int mask, const Values& values) {
  std::string text = ", " + what + " of mask " + std::to_string(mask) + ":";
  for (const auto value : values) text += " " + Text(value);
  return text;
}

// Empty where attributes have no getters for the parameters of recurrent networks.
template <class Attr>
auto RnnText(const Attr& attr, int)
    -> decltype(attr.get_rnn_weights_qparams(std::declval<int&>(),
                                             std::declval<std::vector<float>&>()),
                std::string()) {
  float scale = 0, shift = 0;
  attr.get_rnn_data_qparams(scale, shift);
  int mask = 0;
  std::vector<float> scales;
  attr.get_rnn_weights_qparams(mask, scales);
  return ", rnn data " + Text(scale) + " " + Text(shift) + MaskedText("rnn weights", mask, scales);
}
template <class Attr>
std::string RnnText(const Attr&, long) {
  return "";
}

std::string PostOpText(const dnnl::post_ops& ops, int index) {
  float scale = 0, alpha = 0, beta = 0;
  if (ops.kind(index) == dnnl::primitive::kind::sum) {
    dnnl::memory::data_type type = dnnl::memory::data_type::undef;
    ops.get_params_sum(index, scale, type);
    return ", sum " + Text(scale) + " of type " + std::to_string(static_cast<int>(type));
  }
  dnnl::algorithm algorithm = dnnl::algorithm::undef;
  ops.get_params_eltwise(index, scale, algorithm, alpha, beta);
  return ", eltwise " + std::to_string(static_cast<int>(algorithm)) + " " + Text(scale) + " " +
         Text(alpha) + " " + Text(beta);
}

}  // namespace

std::string TextOf(const dnnl::primitive_attr& attr) {
  std::string text = attr.get_scratchpad_mode() == dnnl::scratchpad_mode::user ? "user" : "library";
  text += ", fpmath " + std::to_string(FpmathModeOf(attr));
  int mask = 0;
  std::vector<float> scales;
  std::vector<int32_t> zero_points;
  attr.get_output_scales(mask, scales);
  text += MaskedText("output scales", mask, scales);
  for (const int arg : {DNNL_ARG_SRC, DNNL_ARG_DST, DNNL_ARG_WEIGHTS}) {
    const std::string of = " of " + NameOfArgument(arg);
    if (Attempt([&] { attr.get_scales(arg, mask, scales); }))
      text += MaskedText("scales" + of, mask, scales);
    if (Attempt([&] { attr.get_zero_points(arg, mask, zero_points); }))
      text += MaskedText("zero points" + of, mask, zero_points);
  }
  const dnnl::post_ops ops = attr.get_post_ops();
  for (int k = 0; k < ops.len(); ++k) text += PostOpText(ops, k);
  return text + RnnText(attr, 0);
}

}  // namespace conformance
