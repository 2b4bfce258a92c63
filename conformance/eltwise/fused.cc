// ELT-024, ELT-080, ELT-081, ELT-084: attributes, and eltwise beside the post-op that it is.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "conformance/case/property.h"
#include "conformance/eltwise/cases.h"
#include "conformance/eltwise/run.h"
#include "conformance/gen/choice.h"
#include "conformance/gen/values.h"
#include "conformance/subject/expect.h"
#include "spec/requirements.h"

namespace conformance {
namespace {

using dnnl::memory;
using spec::Bits;
using spec::EltwiseAlgorithm;
using spec::Type;

EltwiseCase Seven(bool forward) {
  EltwiseCase c;
  c.function = {EltwiseAlgorithm::kRelu, 0.5f, 0};
  c.data = {Type::kF32, {7}, Plainest({7})};
  c.direction = forward ? EltwiseDirection::kForward : EltwiseDirection::kBackward;
  if (!forward) c.gradient = c.data.layout;
  return c;
}

std::vector<Bits> Numbers(float first) {
  std::vector<Bits> numbers;
  for (int k = 0; k < 7; ++k) numbers.push_back(WordOf(first + static_cast<float>(k)));
  return numbers;
}

// "fwd:sum", "bwd:sum,eltwise".
bool IsForward(const Choice& choice) { return choice.what[0] == 'f'; }

dnnl::primitive_attr PostOpsOf(const std::string& chain) {
  dnnl::post_ops ops;
  for (size_t at = 0; at < chain.size();) {
    const size_t end = std::min(chain.find(',', at), chain.size());
    if (chain.substr(at, end - at) == "sum") {
      ops.append_sum(1);
    } else {
      ops.append_eltwise(1, dnnl::algorithm::eltwise_linear, 2, 1);
    }
    at = end + 1;
  }
  dnnl::primitive_attr attr;
  attr.set_post_ops(ops);
  return attr;
}

// What the chain makes of `value` in an element that held `old`: all exact.
float Chained(const std::string& chain, float value, float old) {
  for (size_t at = 0; at < chain.size();) {
    const size_t end = std::min(chain.find(',', at), chain.size());
    value = chain.substr(at, end - at) == "sum" ? value + old : 2 * value + 1;
    at = end + 1;
  }
  return value;
}

void PostOpsAreRefusedOrApplied(const Choice& choice, Trial& trial) {
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  const EltwiseCase c = Seven(IsForward(choice));
  const std::string chain = choice.what.substr(4);
  const auto descs = DescsOf(c, trial);
  if (!descs) return;
  EltwiseMaking making;
  making.attr = PostOpsOf(chain);
  const auto made = Attempt([&]() -> dnnl::primitive {
    if (c.forward()) return ForwardEltwise(ForwardPd(c, descs->data, device->engine, making));
    return BackwardEltwise(BackwardPd(c, descs->gradient, descs->data, device->engine, making));
  });
  trial.Record("eltwise with post-ops " + choice.what, made ? "accepted" : "refused");
  if (!made) {
    ExpectLeftOpen(trial, made.refusal, choice.what);
    return;
  }
  if (trial.project()) return trial.Fail(choice.what, "refused", "accepted");
  EltwiseBench bench(c, *descs, *device, false);
  const std::vector<Bits> source = Numbers(-3), gradient = c.forward() ? source : Numbers(10);
  bench.Fill(source, c.forward() ? std::vector<Bits>{} : gradient);
  const std::vector<Bits> old = bench.Result();
  if (!bench.Execute(*made.value, trial)) return;
  const std::vector<Bits> result = bench.Result();
  for (size_t k = 0; k < source.size(); ++k) {
    const float s = spec::Widen(Type::kF32, source[k]), dd = spec::Widen(Type::kF32, gradient[k]);
    const float plain = c.forward() ? (s > 0 ? s : s / 2) : (s > 0 ? dd : dd / 2);
    const Bits wanted = WordOf(Chained(chain, plain, spec::Widen(Type::kF32, old[k])));
    if (result[k] == wanted) continue;
    return trial.Fail(ElementName(OutputName(c), {7}, static_cast<int64_t>(k)),
                      spec::ToString(Type::kF32, wanted), spec::ToString(Type::kF32, result[k]));
  }
}

// May throw: a library need not know the attribute at all.
dnnl::primitive_attr AttributeNamed(const std::string& name) {
  dnnl::primitive_attr attr;
  if (name == "common-scale") attr.set_output_scales(0, {2.0f});
  if (name == "scales-of-an-axis") attr.set_output_scales(1, std::vector<float>(7, 2.0f));
  if (name == "run-time-scale") attr.set_output_scales(0, {DNNL_RUNTIME_F32_VAL});
  if (name == "scale-of-src") attr.set_scales(DNNL_ARG_SRC, 0, {2.0f});
  if (name == "scale-of-dst") attr.set_scales(DNNL_ARG_DST, 0, {2.0f});
  if (name == "zero-point-of-src") attr.set_zero_points(DNNL_ARG_SRC, 0, {1});
  if (name == "zero-point-of-dst") attr.set_zero_points(DNNL_ARG_DST, 0, {1});
  if (name == "RNN-data-parameters") attr.set_rnn_data_qparams(2, 1);
  if (name == "RNN-data-scale") attr.set_rnn_data_qparams(2, 0);
  if (name == "RNN-data-shift") attr.set_rnn_data_qparams(1, 1);
  if (name == "RNN-weights-parameters") attr.set_rnn_weights_qparams(0, {2.0f});
  return attr;
}

const std::vector<std::string> kAttributes{
    "common-scale",   "scales-of-an-axis", "run-time-scale",        "scale-of-src",
    "scale-of-dst",   "zero-point-of-src", "zero-point-of-dst",     "RNN-data-parameters",
    "RNN-data-scale", "RNN-data-shift",    "RNN-weights-parameters"};

std::vector<std::string> InBothDirections(const std::vector<std::string>& names) {
  std::vector<std::string> both;
  for (const std::string& name : names)
    for (const char* direction : {"fwd:", "bwd:"}) both.push_back(direction + name);
  return both;
}

void AttributesAreRefused(const Choice& choice, Trial& trial) {
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  const EltwiseCase c = Seven(IsForward(choice));
  const auto descs = DescsOf(c, trial);
  if (!descs) return;
  EltwiseMaking making;
  const auto attr = Attempt([&] { return AttributeNamed(choice.what.substr(4)); });
  if (!attr) return trial.LeftOpen(attr.refusal, "the attribute " + choice.what);
  making.attr = *attr.value;
  const auto made = Attempt([&]() -> dnnl::primitive {
    if (c.forward()) return ForwardEltwise(ForwardPd(c, descs->data, device->engine, making));
    return BackwardEltwise(BackwardPd(c, descs->gradient, descs->data, device->engine, making));
  });
  ExpectRefused(trial, made, choice.what);
}

void ScratchpadModesAreAccepted(const Choice& choice, Trial& trial) {
  const EltwiseCase c = Seven(IsForward(choice));
  EltwiseMaking making;
  making.attr.set_scratchpad_mode(choice.what.substr(4) == "user" ? dnnl::scratchpad_mode::user
                                                                  : dnnl::scratchpad_mode::library);
  const std::vector<Bits> gradient = c.forward() ? std::vector<Bits>{} : Numbers(10);
  const auto ran = Run(c, Numbers(-3), gradient, trial, making);
  if (ran) ExpectOracle(c, ran->source, ran->gradient, ran->result, trial);
}

// An inner product or a convolution of some size, without attributes or with the post-op `attr`.
struct Layer {
  bool convolves;
  int64_t rows, inputs, outputs;

  static Layer Of(uint64_t seed) {
    Random random(Mix(seed));
    return {random.Chance(50), random.Between(1, 4), random.Between(1, 9), random.Between(1, 40)};
  }

  spec::Dims dims() const {
    return convolves ? spec::Dims{rows, outputs, 3, 2} : spec::Dims{rows, outputs};
  }
  Asked asked() const {
    return {convolves ? "convolution" : "inner_product",
            "forward",
            {"f32"},
            static_cast<int>(dims().size()),
            {}};
  }
  Asked asked(EltwiseAlgorithm fused) const {
    Asked with = asked();
    with.features = {std::string("eltwise ") + spec::NameOf(fused)};
    return with;
  }

  // May throw.
  dnnl::primitive Primitive(const memory::desc& src, const memory::desc& weights,
                            const memory::desc& dst, const dnnl::primitive_attr& attr,
                            const dnnl::engine& engine) const {
    const auto kind = dnnl::prop_kind::forward_inference;
    if (!convolves)
      return dnnl::inner_product_forward(
          dnnl::inner_product_forward::primitive_desc({kind, src, weights, dst}, attr, engine));
    const memory::dims ones{1, 1}, none{0, 0};
    return dnnl::convolution_forward(dnnl::convolution_forward::primitive_desc(
        {kind, dnnl::algorithm::convolution_direct, src, weights, dst, ones, none, none}, attr,
        engine));
  }

  // May throw.
  std::vector<Bits> Run(const dnnl::primitive_attr& attr, uint64_t seed, Device& device) const {
    spec::Dims src_dims{rows, inputs}, weights_dims{outputs, inputs};
    if (convolves) {
      src_dims.insert(src_dims.end(), {4, 2});
      weights_dims.insert(weights_dims.end(), {2, 1});
    }
    const auto plain = [](const spec::Dims& of) {
      return MakeDesc({Type::kF32, of, RowMajor(of)});
    };
    Random random(Mix(seed));
    const auto filled = [&](const spec::Dims& of, float quantum) {
      memory made(plain(of), device.engine);
      float* const mapped = made.map_data<float>();
      for (int64_t k = 0; k < spec::ElementCount(of); ++k)
        mapped[k] = static_cast<float>(random.Between(-4, 4)) * quantum;
      made.unmap_data(mapped);
      return made;
    };
    memory a = filled(src_dims, 0.5f), b = filled(weights_dims, 0.25f), d = filled(dims(), 1);
    Primitive(plain(src_dims), plain(weights_dims), plain(dims()), attr, device.engine)
        .execute(device.stream, {{DNNL_ARG_SRC, a}, {DNNL_ARG_WEIGHTS, b}, {DNNL_ARG_DST, d}});
    device.stream.wait();
    std::vector<Bits> result;
    float* const mapped = d.map_data<float>();
    for (int64_t k = 0; k < spec::ElementCount(dims()); ++k) result.push_back(WordOf(mapped[k]));
    d.unmap_data(mapped);
    return result;
  }
};

// All sums are exact, so that eltwise and post-op have the same element before them.
void IsThePostOp(const EltwiseCase& drawn, Trial& trial) {
  EltwiseCase c = drawn;
  const Layer layer = Layer::Of(c.seed);
  c.data.dims = layer.dims();
  c.data.layout = Plainest(c.data.dims);
  Cover(trial, c);
  trial.Cover(layer.convolves ? "convolution" : "inner product");
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  const auto sums = Attempt([&] { return layer.Run({}, c.seed, *device); });
  if (!ExpectOffered(trial, sums, "an inner product or a convolution", layer.asked())) return;
  const auto fused = Attempt([&] {
    dnnl::primitive_attr attr;
    dnnl::post_ops ops;
    ops.append_eltwise(1, AlgorithmOf(c.function.algorithm), c.function.alpha, c.function.beta);
    attr.set_post_ops(ops);
    return layer.Run(attr, c.seed, *device);
  });
  if (!fused) return trial.Refused(fused.refusal, layer.asked(c.function.algorithm));
  const auto ran = Run(c, *sums.value, {}, trial);
  if (!ran || !ExpectOracle(c, *sums.value, {}, ran->result, trial) ||
      !ExpectOracle(c, *sums.value, {}, *fused.value, trial))
    return;
  if (spec::IsExactForward(c.function))
    ExpectSameResult(c, "of the post-op", ran->result, *fused.value, trial);
}

// ELT-024, of post-ops, which are computed forward.
void UseDstPostOpIsThePlainOne(const EltwiseCase& c, Trial& trial) {
  Cover(trial, c);
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  const Layer layer = Layer::Of(c.seed);
  const auto with = [&](bool use_dst) {
    return Attempt([&] {
      dnnl::primitive_attr attr;
      dnnl::post_ops ops;
      ops.append_eltwise(1, AlgorithmOf(c.function.algorithm, use_dst), c.function.alpha,
                         c.function.beta);
      attr.set_post_ops(ops);
      return layer.Run(attr, c.seed, *device);
    });
  };
  const Asked asked = layer.asked(c.function.algorithm);
  const auto plain = with(false);
  if (!plain) return trial.Refused(plain.refusal, asked);
  const auto other = with(true);
  if (!other) return trial.Refused(other.refusal, asked, LegalityOf(c, trial, /*use_dst=*/true));
  EltwiseCase of_layer = c;
  of_layer.data.dims = layer.dims();
  ExpectSameResult(of_layer, "of the post-op for backward by dst", *plain.value, *other.value,
                   trial);
}

// Every use-dst form, with some parameters each.
Cases<EltwiseCase> UseDstPostOps() {
  std::vector<EltwiseCase> cases;
  for (EltwiseCase& c : EveryAlgorithm(1)) {
    if (!c.by_result()) continue;
    c.direction = EltwiseDirection::kForward;
    c.gradient = {};
    for (const float alpha : {0.0f, 0.25f, 1.0f}) {
      c.function.alpha = alpha;
      cases.push_back(c);
    }
  }
  return Listed(std::move(cases));
}

EltwiseDraws Forward() {
  EltwiseDraws draws;
  draws.short_only = true;
  return draws;
}

const bool kDefined[] = {
    Define<EltwiseCase>(spec::ELT_024, "post-op", UseDstPostOps(), UseDstPostOpIsThePlainOne,
                        {"relu", "tanh", "elu", "sqrt", "logistic", "exp"}),
    Define<Choice>(spec::ELT_080, "",
                   Choices(InBothDirections({"sum", "eltwise", "sum,eltwise", "eltwise,sum"})),
                   PostOpsAreRefusedOrApplied),
    Define<Choice>(spec::ELT_081, "", Choices(InBothDirections(kAttributes)), AttributesAreRefused),
    Define<Choice>(spec::ELT_081, "scratchpads", Choices(InBothDirections({"library", "user"})),
                   ScratchpadModesAreAccepted),
    Define<EltwiseCase>(spec::ELT_084, "", SomeEltwise(500, Forward()), IsThePostOp,
                        {"relu", "clip", "abs", "convolution", "inner product"}),
};

}  // namespace
}  // namespace conformance
