// ELT-072: layouts that a computing primitive chose.
#include <optional>
#include <string>
#include <vector>

#include "conformance/case/property.h"
#include "conformance/eltwise/cases.h"
#include "conformance/eltwise/run.h"
#include "conformance/subject/expect.h"
#include "conformance/subject/reorder_io.h"
#include "spec/requirements.h"

namespace conformance {
namespace {

using dnnl::memory;
using spec::Bits;
using spec::Type;

constexpr int64_t kOutputs = 5;

// An inner product that may choose the layout of its source.
dnnl::inner_product_forward::primitive_desc Consumer(const spec::Dims& dims,
                                                     const dnnl::engine& engine) {
  spec::Dims weights = dims;
  weights[0] = kOutputs;
  return {
      {dnnl::prop_kind::forward_inference, WithAny(Type::kF32, dims), WithAny(Type::kF32, weights),
       memory::desc({dims[0], kOutputs}, memory::data_type::f32, memory::format_tag::ab)},
      engine};
}

void SetBytes(memory& of, uint8_t value) {
  auto* const mapped = of.map_data<uint8_t>();
  for (size_t k = 0; k < of.get_desc().get_size(); ++k) mapped[k] = value;
  of.unmap_data(mapped);
}

// The arguments of `c`, all in the layout `chosen`, the output full of `garbage`. nullopt after
// recording the outcome.
std::optional<memory> RunIn(const EltwiseCase& c, const memory::desc& chosen,
                            const std::vector<Bits>& source, const std::vector<Bits>& gradient,
                            uint8_t garbage, Device& device, Trial& trial) {
  const auto primitive = Attempt([&]() -> dnnl::primitive {
    if (c.forward()) return ForwardEltwise(ForwardPd(c, chosen, device.engine));
    return BackwardEltwise(BackwardPd(c, chosen, chosen, device.engine));
  });
  if (!ExpectAccepted(trial, primitive, "eltwise in the layout that another primitive chose"))
    return std::nullopt;
  memory data(chosen, device.engine), diff_dst(chosen, device.engine),
      output(chosen, device.engine);
  SetBytes(output, garbage);
  if (!WriteViaReorder(source, Type::kF32, c.data.dims, data, device, trial)) return std::nullopt;
  if (!c.forward() && !WriteViaReorder(gradient, Type::kF32, c.data.dims, diff_dst, device, trial))
    return std::nullopt;
  const auto done = Attempt([&] {
    if (c.forward()) {
      primitive.value->execute(device.stream, {{DNNL_ARG_SRC, data}, {DNNL_ARG_DST, output}});
    } else {
      primitive.value->execute(device.stream, {{c.by_result() ? DNNL_ARG_DST : DNNL_ARG_SRC, data},
                                               {DNNL_ARG_DIFF_DST, diff_dst},
                                               {DNNL_ARG_DIFF_SRC, output}});
    }
    device.stream.wait();
  });
  if (!ExpectAccepted(trial, done, "execute and wait")) return std::nullopt;
  return output;
}

// What the consumer makes of `source`, with weights of 1/8.
std::vector<float> Consumed(const dnnl::inner_product_forward::primitive_desc& pd, memory source,
                            Device& device) {
  memory weights(pd.weights_desc(), device.engine), dst(pd.dst_desc(), device.engine);
  const spec::Dims dims = pd.weights_desc().dims();
  const memory plain(MakeDesc({Type::kF32, dims, RowMajor(dims)}), device.engine);
  float* const mapped = plain.map_data<float>();
  for (int64_t k = 0; k < spec::ElementCount(dims); ++k) mapped[k] = 0.125f;
  plain.unmap_data(mapped);
  memory from = plain;
  dnnl::reorder(from, weights).execute(device.stream, from, weights);
  dnnl::inner_product_forward(pd).execute(
      device.stream, {{DNNL_ARG_SRC, source}, {DNNL_ARG_WEIGHTS, weights}, {DNNL_ARG_DST, dst}});
  device.stream.wait();
  float* const values = dst.map_data<float>();
  std::vector<float> consumed(values, values + dims[0] * source.get_desc().dims()[0]);
  dst.unmap_data(values);
  return consumed;
}

void ChosenLayoutsWork(const EltwiseCase& c, Trial& trial) {
  Saw(trial, c);
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  const auto pd = Attempt([&] { return Consumer(c.data.dims, device->engine); });
  if (!ExpectAccepted(trial, pd, "an inner product with any")) return;
  const memory::desc chosen = pd.value->src_desc();
  const auto least = static_cast<size_t>(4 * spec::ElementCount(c.data.dims));
  trial.Cover(chosen.get_size() > least ? "padded" : "as large as its elements");
  const std::vector<Bits> source = c.Source(), gradient = c.Gradient();
  std::optional<std::vector<float>> first;
  for (const uint8_t garbage : {uint8_t{0xff}, uint8_t{0x00}}) {
    const auto output = RunIn(c, chosen, source, gradient, garbage, *device, trial);
    if (!output) return;
    memory result = *output;
    const auto read = ReadViaReorder(result, Type::kF32, c.data.dims, *device, trial);
    if (!read || !ExpectOracle(c, source, gradient, *read, trial)) return;
    const auto consumed = Attempt([&] { return Consumed(*pd.value, result, *device); });
    if (!ExpectAccepted(trial, consumed, "the consumer's execution")) return;
    for (size_t k = 0; k < consumed.value->size(); ++k) {
      const float got = (*consumed.value)[k], wanted = first ? (*first)[k] : got;
      // NaN is unequal to itself.
      if (got == wanted) continue;
      return trial.Fail("what a consumer makes of it, element " + std::to_string(k),
                        std::to_string(wanted) + ", whatever was there before",
                        std::to_string(got));
    }
    first = *consumed.value;
  }
}

// Sources at which every function is finite, and its derivative.
Cases<EltwiseCase> BeforeConsumers() {
  std::vector<EltwiseCase> cases;
  for (const int64_t channels : {3, 7, 19, 30, 64}) {
    for (EltwiseCase& c : EveryAlgorithm(1)) {
      c.data.dims = {2, channels, 3, 2};
      c.data.layout = Plainest(c.data.dims);
      if (!c.forward()) c.gradient = c.data.layout;
      c.values = EltwiseValues::kPositive;
      c.seed += static_cast<uint64_t>(channels) * 100;
      cases.push_back(std::move(c));
    }
  }
  return Listed(std::move(cases));
}

const bool kDefined =
    Define<EltwiseCase>(spec::ELT_072, "", BeforeConsumers(), ChosenLayoutsWork,
                        {"exp", "linear", "logistic", "soft_relu", "pow", "clip", "log", "sqrt"});

}  // namespace
}  // namespace conformance
