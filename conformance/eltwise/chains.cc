// ELT-009, ELT-072: layouts that a computing primitive chose.
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "conformance/case/property.h"
#include "conformance/eltwise/cases.h"
#include "conformance/eltwise/run.h"
#include "conformance/subject/descriptor_text.h"
#include "conformance/subject/expect.h"
#include "conformance/subject/reorder_io.h"
#include "spec/requirements.h"

namespace conformance {
namespace {

using dnnl::memory;
using spec::Bits;
using spec::Type;

// Rows of what an inner product multiplies with the result: outputs, or images.
constexpr int64_t kOthers = 5;

// An inner product that may choose the layouts of what it multiplies. `dims` are those of its
// source or of its weights.
dnnl::inner_product_forward::primitive_desc Consumer(const spec::Dims& dims, bool of_weights,
                                                     const dnnl::engine& engine) {
  spec::Dims src = dims, weights = dims;
  (of_weights ? src : weights)[0] = kOthers;
  return {
      {dnnl::prop_kind::forward_inference, WithAny(Type::kF32, src), WithAny(Type::kF32, weights),
       memory::desc({src[0], weights[0]}, memory::data_type::f32, memory::format_tag::ab)},
      engine};
}

void SetBytes(memory& of, uint8_t value) {
  auto* const mapped = of.map_data<uint8_t>();
  for (size_t k = 0; k < of.get_desc().get_size(); ++k) mapped[k] = value;
  of.unmap_data(mapped);
}

// The arguments of `c`, all in the layout `chosen`, the output full of `garbage`; without garbage
// it is the memory of what it is computed from. nullopt after recording the outcome.
std::optional<memory> RunIn(const EltwiseCase& c, const memory::desc& chosen,
                            const std::vector<Bits>& source, const std::vector<Bits>& gradient,
                            std::optional<uint8_t> garbage, Device& device, Trial& trial) {
  const auto primitive = Attempt([&]() -> dnnl::primitive {
    if (c.forward()) return ForwardEltwise(ForwardPd(c, chosen, device.engine));
    return BackwardEltwise(BackwardPd(c, chosen, chosen, device.engine));
  });
  if (!ExpectAccepted(trial, primitive, "eltwise in the layout that another primitive chose"))
    return std::nullopt;
  memory data(chosen, device.engine), diff_dst(chosen, device.engine);
  memory output = garbage ? memory(chosen, device.engine) : c.forward() ? data : diff_dst;
  if (garbage) SetBytes(output, *garbage);
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

Asked OfTheConsumer() { return {"inner_product", "forward", {"f32"}, 2, {}}; }

// What the consumer makes of `result` and of 1/8 in all elements of what it multiplies it with.
std::vector<float> Consumed(const dnnl::inner_product_forward::primitive_desc& pd, bool of_weights,
                            memory result, Device& device) {
  const memory::desc other_desc = of_weights ? pd.src_desc() : pd.weights_desc();
  memory other(other_desc, device.engine), dst(pd.dst_desc(), device.engine);
  const spec::Dims dims = other_desc.dims();
  memory plain(MakeDesc({Type::kF32, dims, RowMajor(dims)}), device.engine);
  float* const mapped = plain.map_data<float>();
  for (int64_t k = 0; k < spec::ElementCount(dims); ++k) mapped[k] = 0.125f;
  plain.unmap_data(mapped);
  dnnl::reorder(plain, other).execute(device.stream, plain, other);
  dnnl::inner_product_forward(pd).execute(device.stream,
                                          {{DNNL_ARG_SRC, of_weights ? other : result},
                                           {DNNL_ARG_WEIGHTS, of_weights ? result : other},
                                           {DNNL_ARG_DST, dst}});
  device.stream.wait();
  float* const values = dst.map_data<float>();
  std::vector<float> consumed(values, values + spec::ElementCount(pd.dst_desc().dims()));
  dst.unmap_data(values);
  return consumed;
}

// Project (OPT-045): all bytes are those that a reorder of the `elements` writes, so padding is
// zero.
bool ExpectPaddingIsZero(memory& result, const std::vector<Bits>& elements, const spec::Dims& dims,
                         Device& device, Trial& trial) {
  if (trial.portable()) return true;
  memory wanted(result.get_desc(), device.engine);
  SetBytes(wanted, 0);
  if (!WriteViaReorder(elements, Type::kF32, dims, wanted, device, trial)) return false;
  auto *const got_bytes = result.map_data<uint8_t>(), *const bytes = wanted.map_data<uint8_t>();
  const bool same = std::equal(bytes, bytes + result.get_desc().get_size(), got_bytes);
  result.unmap_data(got_bytes);
  wanted.unmap_data(bytes);
  return trial.Expect(same, "padding", "zero", "another");
}

void WorksIn(bool of_weights, const EltwiseCase& c, Trial& trial) {
  Cover(trial, c);
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  const auto pd = Attempt([&] { return Consumer(c.data.dims, of_weights, device->engine); });
  if (!ExpectOffered(trial, pd, "an inner product with any", OfTheConsumer())) return;
  const memory::desc chosen = of_weights ? pd.value->weights_desc() : pd.value->src_desc();
  const auto least = static_cast<size_t>(4 * spec::ElementCount(c.data.dims));
  trial.Cover(chosen.get_size() > least ? "padded" : "as large as its elements");
  const std::vector<Bits> source = c.Source(), gradient = c.Gradient();
  const std::optional<uint8_t> in_place;
  for (const std::optional<uint8_t> garbage :
       {std::optional<uint8_t>(0xff), std::optional<uint8_t>(0x00), in_place}) {
    const auto output = RunIn(c, chosen, source, gradient, garbage, *device, trial);
    if (!output) return;
    memory result = *output;
    const auto read = ReadViaReorder(result, Type::kF32, c.data.dims, *device, trial);
    if (!read || !ExpectOracle(c, source, gradient, *read, trial) ||
        !ExpectPaddingIsZero(result, *read, c.data.dims, *device, trial))
      return;
    // The same elements, with nothing in the padding.
    memory clean(chosen, device->engine);
    SetBytes(clean, 0);
    if (!WriteViaReorder(*read, Type::kF32, c.data.dims, clean, *device, trial)) return;
    const auto consume = [&](memory& of) {
      return Attempt([&] { return Consumed(*pd.value, of_weights, of, *device); });
    };
    const auto consumed = consume(result), expected = consume(clean);
    if (!ExpectAccepted(trial, consumed, "the consumer's execution") ||
        !ExpectAccepted(trial, expected, "the consumer's execution"))
      return;
    for (size_t k = 0; k < consumed.value->size(); ++k) {
      const float got = (*consumed.value)[k], wanted = (*expected.value)[k];
      // NaN is unequal to itself.
      if (got == wanted) continue;
      return trial.Fail("what a consumer makes of it, element " + std::to_string(k),
                        std::to_string(wanted) + ", whatever was there before",
                        std::to_string(got));
    }
  }
}

// ELT-009: a gradient that is any, beside data in such a layout.
void AnyBesideIt(const EltwiseCase& c, Trial& trial) {
  Cover(trial, c);
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  for (const bool of_weights : {false, true}) {
    const auto pd = Attempt([&] { return Consumer(c.data.dims, of_weights, device->engine); });
    if (!ExpectOffered(trial, pd, "an inner product with any", OfTheConsumer())) return;
    const memory::desc chosen = of_weights ? pd.value->weights_desc() : pd.value->src_desc();
    const auto made = Attempt(
        [&] { return BackwardPd(c, WithAny(Type::kF32, c.data.dims), chosen, device->engine); });
    if (!ExpectAccepted(trial, made, "a gradient with any beside a layout that was chosen") ||
        !ExpectDescriptor(trial, "diff_src_desc()", "the layout of the data", chosen,
                          made.value->diff_src_desc()) ||
        !ExpectDescriptor(trial, "diff_dst_desc()", "the layout of the data", chosen,
                          made.value->diff_dst_desc()))
      return;
  }
}

void LayoutOfSourceWorks(const EltwiseCase& c, Trial& trial) { WorksIn(false, c, trial); }
void LayoutOfWeightsWorks(const EltwiseCase& c, Trial& trial) { WorksIn(true, c, trial); }

// With parameters of which 0 gives something else, where the algorithm has some.
spec::Eltwise NotZeroAtZero(const spec::Eltwise& function) {
  if (function.algorithm == spec::EltwiseAlgorithm::kClip) return {function.algorithm, 2, 3};
  if (function.algorithm == spec::EltwiseAlgorithm::kLinear) return {function.algorithm, 2, 1};
  return function;
}

// Sources at which every function is finite, and its derivative.
Cases<EltwiseCase> BeforeConsumers(bool of_weights) {
  std::vector<EltwiseCase> cases;
  for (const int64_t channels : {3, 7, 19, 30, 64}) {
    for (EltwiseCase& c : EveryAlgorithm(1)) {
      c.data.dims = of_weights ? spec::Dims{channels, 2, 3, 2} : spec::Dims{2, channels, 3, 2};
      c.data.layout = Plainest(c.data.dims);
      if (!c.forward()) c.gradient = c.data.layout;
      if (c.forward()) c.function = NotZeroAtZero(c.function);
      c.values = EltwiseValues::kPositive;
      c.seed += static_cast<uint64_t>(channels) * 100;
      cases.push_back(std::move(c));
    }
  }
  return Listed(std::move(cases));
}

const std::vector<std::string> kNotZeroAtZero{"exp", "linear", "logistic", "soft_relu",
                                              "pow", "clip",   "log",      "sqrt"};

Cases<EltwiseCase> BackwardBesideConsumers() {
  Cases<EltwiseCase> all = BeforeConsumers(false);
  std::vector<EltwiseCase> cases;
  Random random(0);
  for (int64_t k = 0; k < all.count; ++k) {
    EltwiseCase c = all.at(k, random);
    if (!c.forward()) cases.push_back(std::move(c));
  }
  return Listed(std::move(cases));
}

const bool kDefined[] = {
    Define<EltwiseCase>(spec::ELT_009, "chosen", BackwardBesideConsumers(), AnyBesideIt,
                        {"backward", "backward by dst"}),
    Define<EltwiseCase>(spec::ELT_072, "", BeforeConsumers(false), LayoutOfSourceWorks,
                        kNotZeroAtZero),
    Define<EltwiseCase>(spec::ELT_072, "weights", BeforeConsumers(true), LayoutOfWeightsWorks,
                        kNotZeroAtZero),
};

}  // namespace
}  // namespace conformance
