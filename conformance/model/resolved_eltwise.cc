// OPT-016 and OPT-017 of eltwise: a function of each element in the layout that another primitive
// chose, forward, and backward with `any` as gradient.
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "conformance/case/property.h"
#include "conformance/memory/descriptors.h"
#include "conformance/model/resolve.h"
#include "conformance/shuffle/cases.h"
#include "conformance/subject/attempt.h"
#include "conformance/subject/descriptor_text.h"
#include "conformance/subject/reorder_io.h"
#include "conformance/subject/tensor.h"
#include "oneapi/dnnl/dnnl.hpp"
#include "spec/numeric/convert.h"
#include "spec/requirements.h"

namespace conformance {
namespace {

using dnnl::memory;
using spec::Bits;

constexpr auto kRelu = dnnl::algorithm::eltwise_relu;

dnnl::eltwise_forward::primitive_desc ReluOf(const memory::desc& data, const dnnl::engine& engine) {
  const dnnl::eltwise_forward::desc desc(dnnl::prop_kind::forward_training, kRelu, data, 0.0f,
                                         0.0f);
  return {desc, engine};
}

dnnl::eltwise_backward::primitive_desc GradientOf(const memory::desc& gradient,
                                                  const memory::desc& data,
                                                  const dnnl::engine& engine) {
  const dnnl::eltwise_backward::desc desc(kRelu, gradient, data, 0.0f, 0.0f);
  return {desc, engine, ReluOf(data, engine)};
}

bool IsPositive(spec::Type type, Bits bits) { return spec::Widen(type, bits) > 0; }

// False after recording the outcome in `trial`: a failure where the same is served of the plain
// descriptor, and the profile is ours. Portable: weights are no preceding layer's output.
template <class Made, class Make>
bool IsServed(const Made& made, const char* what, Make make_of_plain, Trial& trial) {
  if (made) return true;
  if (trial.portable() || !Attempt(make_of_plain))
    trial.LeftOpen(made.refusal, what);
  else
    trial.Fail(std::string(what) + " in the layout that was chosen", "created", made.refusal);
  return false;
}

bool ExpectLayout(Trial& trial, const char* query, const memory::desc& desc,
                  const Resolved& resolved, const ShuffleCase& c) {
  return trial.Expect(!desc.is_zero() && !Same(desc, resolved.any), query, "a layout",
                      desc.is_zero() ? "the zero descriptor" : "any") &&
         trial.Expect(desc.dims() == c.data.dims, query, "the dims of the source",
                      "others (" + TextOf(desc) + ")") &&
         ExpectType(trial, "the type of " + std::string(query), DataTypeOf(c.data.type),
                    desc.data_type());
}

// Zeros of either sign are equal: a gradient of less than 0 by a slope of 0 is -0 to some.
bool ExpectElements(Trial& trial, const char* name, const std::vector<Bits>& expected,
                    Tensor& tensor, const ShuffleCase& c, Device& device) {
  auto got = ReadViaReorder(tensor.memory(), c.data.type, c.data.dims, device, trial);
  if (!got) return false;
  for (Bits& bits : *got)
    if (spec::IsZero(c.data.type, bits)) bits = 0;
  return ExpectSameBits(trial, name, c.data.type, c.data.dims, expected, *got);
}

// Portable: what others make of layouts that they have not chosen is ELT's to ask.
std::optional<Resolved> Chosen(const ShuffleCase& c, Trial& trial) {
  auto resolved = Resolve(c, trial);
  if (!resolved || trial.project() || resolved->chosen) return resolved;
  trial.NotRun("no layout was chosen");
  return std::nullopt;
}

bool ExecuteOn(const dnnl::primitive& primitive, const std::unordered_map<int, memory>& arguments,
               Device& device, Trial& trial) {
  const auto done = Attempt([&] {
    primitive.execute(device.stream, arguments);
    device.stream.wait();
  });
  return trial.Expect(static_cast<bool>(done), "execute and wait", "done", done.refusal.ToString());
}

void ForwardTakesTheFormat(const ShuffleCase& c, Trial& trial) {
  const auto resolved = Chosen(c, trial);
  if (!resolved) return;
  Device& device = *resolved->device;
  const auto pd = Attempt([&] { return ReluOf(resolved->given, device.engine); });
  if (!IsServed(
          pd, "eltwise", [&] { return ReluOf(resolved->plain, device.engine); }, trial))
    return;
  const memory::desc dst = pd.value->dst_desc();
  if (!ExpectLayout(trial, "dst_desc() of an eltwise", dst, *resolved, c)) return;
  const std::vector<Bits> values = PlainValues(c);
  auto from = Holding(values, resolved->given, c, device, trial);
  if (!from) return;
  Tensor to = OpaqueTensor(dst, c, c.to, device);
  if (!ExecuteOn(dnnl::eltwise_forward(*pd.value),
                 {{DNNL_ARG_SRC, from->memory()}, {DNNL_ARG_DST, to.memory()}}, device, trial))
    return;
  std::vector<Bits> expected = values;
  for (Bits& bits : expected)
    if (!IsPositive(c.data.type, bits)) bits = 0;
  ExpectElements(trial, "what was read of dst", expected, to, c, device);
}

void GradientsAreOfTheDataFormat(const ShuffleCase& c, Trial& trial) {
  const auto resolved = Chosen(c, trial);
  if (!resolved) return;
  Device& device = *resolved->device;
  const memory::desc &data = resolved->given, &any = resolved->any;
  const auto pd = Attempt([&] { return GradientOf(any, data, device.engine); });
  if (!IsServed(
          pd, "eltwise backward", [&] { return GradientOf(any, resolved->plain, device.engine); },
          trial))
    return;
  const memory::desc diff_src = pd.value->diff_src_desc(), diff_dst = pd.value->diff_dst_desc();
  if (!ExpectLayout(trial, "diff_src_desc() of an eltwise", diff_src, *resolved, c) ||
      !ExpectLayout(trial, "diff_dst_desc() of an eltwise", diff_dst, *resolved, c))
    return;
  if (trial.project() && (!ExpectSame(trial, "diff_src_desc() of an eltwise",
                                      "the layout of the data", data, diff_src) ||
                          !ExpectSame(trial, "diff_dst_desc() of an eltwise",
                                      "the layout of the data", data, diff_dst)))
    return;
  const std::vector<Bits> values = PlainValues(c);
  std::vector<Bits> gradients(values.rbegin(), values.rend());
  auto src = Holding(values, data, c, device, trial);
  auto from = Holding(gradients, diff_dst, c, device, trial);
  if (!src || !from) return;
  Tensor to = OpaqueTensor(diff_src, c, c.to, device);
  if (!ExecuteOn(dnnl::eltwise_backward(*pd.value),
                 {{DNNL_ARG_SRC, src->memory()},
                  {DNNL_ARG_DIFF_DST, from->memory()},
                  {DNNL_ARG_DIFF_SRC, to.memory()}},
                 device, trial))
    return;
  for (size_t k = 0; k < values.size(); ++k)
    if (!IsPositive(c.data.type, values[k])) gradients[k] = 0;
  ExpectElements(trial, "what was read of diff_src", gradients, to, c, device);
}

Cases<ShuffleCase> Few() {
  Cases<ShuffleCase> cases = AnyResolvedShuffle();
  cases.count = 400;
  return cases;
}

const bool kDefined[] = {
    Define<ShuffleCase>(spec::OPT_016, "eltwise", Few(), ForwardTakesTheFormat),
    Define<ShuffleCase>(spec::OPT_017, "eltwise", Few(), GradientsAreOfTheDataFormat),
};

}  // namespace
}  // namespace conformance
