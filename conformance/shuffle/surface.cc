// SHU-001 to SHU-003, SHU-012, SHU-058: the names and parameter orders, attributes, and the example
// of the guide.
#include <cstddef>
#include <type_traits>
#include <vector>

#include "conformance/case/property.h"
#include "conformance/gen/choice.h"
#include "conformance/shuffle/cases.h"
#include "conformance/shuffle/run.h"
#include "conformance/subject/expect.h"
#include "conformance/subject/fpmath.h"
#include "spec/requirements.h"
#include "spec/shuffle/oracle.h"

namespace conformance {
namespace {

using dnnl::memory;
using dnnl::prop_kind;

void ForwardDescExists(const NoParameters&, Trial& trial) {
  trial.Expect(
      std::is_constructible_v<ShuffleForward::desc, prop_kind, const memory::desc&, int, int>,
      "shuffle_forward::desc(prop_kind, data_md, int axis, int group_size)", "a constructor");
}

void ForwardPdExists(const NoParameters&, Trial& trial) {
  using Pd = ShuffleForward::primitive_desc;
  using Desc = const ShuffleForward::desc&;
  trial.Expect(std::is_default_constructible_v<Pd>, "primitive_desc()") &&
      trial.Expect(std::is_constructible_v<Pd, Desc, const dnnl::engine&>,
                   "primitive_desc(desc, engine)") &&
      trial.Expect(
          std::is_constructible_v<Pd, Desc, const dnnl::engine&, const dnnl::primitive_attr&>,
          "primitive_desc(desc, engine, attr)") &&
      trial.Expect(
          std::is_constructible_v<Pd, Desc, const dnnl::engine&, const dnnl::primitive_attr&, bool>,
          "primitive_desc(desc, engine, attr, allow_empty)") &&
      trial.Expect(std::is_constructible_v<ShuffleForward, const Pd&>, "shuffle_forward(pd)") &&
      trial.Expect(std::is_base_of_v<dnnl::primitive, ShuffleForward>,
                   "shuffle_forward is a primitive");
}

void BackwardExists(const NoParameters&, Trial& trial) {
  using Pd = ShuffleBackward::primitive_desc;
  using Desc = const ShuffleBackward::desc&;
  using Hint = const ShuffleForward::primitive_desc&;
  trial.Expect(std::is_constructible_v<ShuffleBackward::desc, const memory::desc&, int, int>,
               "shuffle_backward::desc(diff_data_md, axis, group_size)") &&
      trial.Expect(std::is_constructible_v<Pd, Desc, const dnnl::engine&, Hint>,
                   "primitive_desc(desc, engine, hint_fwd_pd)") &&
      trial.Expect(
          std::is_constructible_v<Pd, Desc, const dnnl::engine&, Hint, const dnnl::primitive_attr&>,
          "primitive_desc(desc, engine, hint_fwd_pd, attr)") &&
      trial.Expect(std::is_constructible_v<Pd, Desc, const dnnl::engine&, Hint,
                                           const dnnl::primitive_attr&, bool>,
                   "primitive_desc(desc, engine, hint_fwd_pd, attr, allow_empty)") &&
      trial.Expect(std::is_constructible_v<ShuffleBackward, const Pd&>, "shuffle_backward(pd)");
}

// What `allow_empty` makes of attributes that no shuffle takes, and that it changes nothing else.
template <class Make>
void FlagMakesEmpty(const std::string& what, Make make, Trial& trial) {
  dnnl::primitive_attr of_rnn;
  of_rnn.set_rnn_data_qparams(2, 3);
  const auto is_empty = [](const dnnl::primitive_desc_base& pd) {
    return !Attempt([&] { return pd.get_kind(); });
  };
  if (!ExpectRefused(trial, Attempt([&] { make(of_rnn, false); }), what)) return;
  const auto empty = Attempt([&] { return is_empty(make(of_rnn, true)); });
  if (!empty) return trial.Fail(what + ", allow_empty", "an empty descriptor", empty.refusal);
  trial.Expect(*empty.value, what + ", allow_empty", "an empty descriptor", "another");
  for (const bool flag : {false, true}) {
    const auto made = Attempt([&] { return is_empty(make({}, flag)); });
    if (ExpectAccepted(trial, made, what + ", default attributes"))
      trial.Expect(!*made.value, what + ", default attributes", "a descriptor", "an empty one");
  }
}

void LastParameterIsTheFlag(const Choice& choice, Trial& trial) {
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  const memory::desc data({2, 6, 3}, memory::data_type::f32, memory::format_tag::abc);
  const ShuffleForward::desc forward(prop_kind::forward_training, data, 1, 3);
  if (choice.what == "forward") {
    const auto make = [&](const dnnl::primitive_attr& attr, bool flag) {
      return ShuffleForward::primitive_desc(forward, device->engine, attr, flag);
    };
    return FlagMakesEmpty("forward with parameters of RNN", make, trial);
  }
  const ShuffleForward::primitive_desc hint(forward, device->engine);
  const auto make = [&](const dnnl::primitive_attr& attr, bool flag) {
    return ShuffleBackward::primitive_desc(ShuffleBackward::desc(data, 1, 3), device->engine, hint,
                                           attr, flag);
  };
  FlagMakesEmpty("backward with parameters of RNN", make, trial);
}

std::string NameOf(const FpmathMode& mode) { return std::string("fpmath-") + mode.name; }

// An attribute that shuffle does not support, of a tensor with these dims. May throw: a library
// need not know it at all.
dnnl::primitive_attr AttributeNamed(const std::string& name, const spec::Dims& dims) {
  dnnl::primitive_attr attr;
  dnnl::post_ops post_ops;
  if (name == "common-scale") attr.set_output_scales(0, {2.0f});
  std::vector<float> scales(dims.back());
  for (size_t k = 0; k < scales.size(); ++k) scales[k] = static_cast<float>(k + 2);
  const int last = 1 << (dims.size() - 1);
  if (name == "scales-of-an-axis") attr.set_output_scales(last, scales);
  if (name == "scales-of-an-axis-of-src") attr.set_scales(DNNL_ARG_SRC, last, scales);
  if (name == "scale-of-dst") attr.set_scales(DNNL_ARG_DST, 0, {2.0f});
  if (name == "run-time-scale") attr.set_output_scales(0, {DNNL_RUNTIME_F32_VAL});
  if (name == "scale-of-src") attr.set_scales(DNNL_ARG_SRC, 0, {2.0f});
  if (name == "scale-of-second-src") attr.set_scales(DNNL_ARG_SRC_1, 0, {2.0f});
  if (name == "zero-point-of-src") attr.set_zero_points(DNNL_ARG_SRC, 0, {1});
  if (name == "zero-point-of-dst") attr.set_zero_points(DNNL_ARG_DST, 0, {1});
  if (name == "run-time-zero-point") attr.set_zero_points(DNNL_ARG_DST, 0, {DNNL_RUNTIME_S32_VAL});
  if (name == "RNN-data-parameters") attr.set_rnn_data_qparams(2, 1);
  if (name == "RNN-weights-parameters") attr.set_rnn_weights_qparams(0, {2.0f});
  for (const FpmathMode& mode : kFpmathModes)
    if (name == NameOf(mode)) SetFpmathMode(&attr, mode.number);
  if (name == "sum") post_ops.append_sum();
  if (name == "half-of-a-sum") post_ops.append_sum(0.5f);
  if (name == "two-sums" || name == "sum-and-eltwise") post_ops.append_sum();
  if (name == "two-sums") post_ops.append_sum();
  if (name == "eltwise" || name == "sum-and-eltwise")
    post_ops.append_eltwise(1, dnnl::algorithm::eltwise_relu, 0, 0);
  if (post_ops.len() > 0) attr.set_post_ops(post_ops);
  return attr;
}

std::vector<std::string> AttributeNames() {
  std::vector<std::string> names{"common-scale",
                                 "scales-of-an-axis",
                                 "scales-of-an-axis-of-src",
                                 "run-time-scale",
                                 "scale-of-src",
                                 "scale-of-second-src",
                                 "scale-of-dst",
                                 "zero-point-of-src",
                                 "zero-point-of-dst",
                                 "run-time-zero-point",
                                 "RNN-data-parameters",
                                 "RNN-weights-parameters",
                                 "sum",
                                 "half-of-a-sum",
                                 "two-sums",
                                 "eltwise",
                                 "sum-and-eltwise"};
  for (const FpmathMode& mode : kFpmathModes)
    if (kHasFpmathMode) names.push_back(NameOf(mode));
  return names;
}

const std::vector<std::string> kAttributes = AttributeNames();

// A mode of floating-point arithmetic permits, and demands nothing: only the project's reading
// refuses it where nothing is computed.
bool IsLeftOpen(const std::string& name, Trial& trial) {
  if (trial.project() || name.rfind("fpmath-", 0) != 0) return false;
  trial.NotRun("pinned by the project profile only");
  return true;
}

void AttributesAreRefused(const Choice& choice, Trial& trial) {
  Device* device = DeviceFor(trial);
  if (device == nullptr) return;
  if (IsLeftOpen(choice.what, trial)) return;
  const memory::desc desc({2, 6, 3}, memory::data_type::f32, memory::format_tag::abc);
  const auto attr = Attempt([&] { return AttributeNamed(choice.what, desc.dims()); });
  if (!attr) return trial.LeftOpen(attr.refusal, "the attribute " + choice.what);
  const auto forward = Attempt([&] { return ForwardPd(desc, 1, 2, device->engine, *attr.value); });
  const auto backward =
      Attempt([&] { return BackwardPd(desc, 1, 2, device->engine, *attr.value); });
  if (forward.value) return trial.Fail("forward with " + choice.what, "refused", "accepted");
  if (backward.value) return trial.Fail("backward with " + choice.what, "refused", "accepted");
  if (!forward.refusal.is_error) return trial.Fail("forward", "a dnnl::error", forward.refusal);
  if (!backward.refusal.is_error) return trial.Fail("backward", "a dnnl::error", backward.refusal);
}

// The same for every type, layout and size: each has a kernel that may forget to look.
void NoKernelTakesThem(const ShuffleCase& c, Trial& trial) {
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  const auto desc = DescFor(c.data, trial);
  if (!desc || !PrimitiveFor(c, *desc, *device, trial)) return;
  const std::string& name = kAttributes[c.seed % kAttributes.size()];
  if (IsLeftOpen(name, trial)) return;
  const auto attr = Attempt([&] { return AttributeNamed(name, c.data.dims); });
  if (!attr) return trial.LeftOpen(attr.refusal, "the attribute " + name);
  trial.Cover(name);
  trial.Cover(spec::NameOf(c.data.type));
  const int group = static_cast<int>(c.group);
  const auto made = Attempt([&]() -> dnnl::primitive {
    if (c.forward)
      return ShuffleForward(ForwardPd(*desc, c.axis, group, device->engine, *attr.value));
    return ShuffleBackward(BackwardPd(*desc, c.axis, group, device->engine, *attr.value));
  });
  ExpectRefused(trial, made, (c.forward ? "forward with " : "backward with ") + name);
}

Cases<ShuffleCase> EachDirection() {
  return {0, [](int64_t index, Random& random) {
            ShuffleLimits limits;
            limits.all_layouts = true;
            limits.backward = index % 2 == 1;
            return AnyShuffleCase(random, limits);
          }};
}

void ScratchpadModesAreAccepted(const Choice& choice, Trial& trial) {
  Device* device = DeviceFor(trial);
  if (device == nullptr) return;
  const memory::desc desc({2, 6, 3}, memory::data_type::f32, memory::format_tag::abc);
  dnnl::primitive_attr attr;
  if (choice.what == "user") attr.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  if (choice.what == "library") attr.set_scratchpad_mode(dnnl::scratchpad_mode::library);
  const auto made = Attempt([&] {
    ForwardPd(desc, 1, 2, device->engine, attr);
    BackwardPd(desc, 1, 2, device->engine, attr);
  });
  ExpectAccepted(trial, made, "scratchpad mode " + choice.what);
}

// Of any type and layout, in both modes; the memory that `user` asks for is given.
void ScratchpadModesWork(const ShuffleCase& c, Trial& trial) {
  SawTensor(trial, c.data);
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  const auto desc = DescFor(c.data, trial);
  if (!desc || !PrimitiveFor(c, *desc, *device, trial)) return;
  const int group = static_cast<int>(c.group);
  Tensor from(c.data, *desc, *device, c.from, c.seed), to(c.data, *desc, *device, c.to, ~c.seed);
  const auto source = c.Source();
  from.Store(source);
  for (const auto mode : {dnnl::scratchpad_mode::user, dnnl::scratchpad_mode::library}) {
    dnnl::primitive_attr attr;
    attr.set_scratchpad_mode(mode);
    std::vector<spec::Bits> old = source;
    for (spec::Bits& bits : old) bits ^= 0x55;
    to.Store(old);
    const auto run = [&](const auto& pd, const dnnl::primitive& shuffle) {
      shuffle.execute(device->stream,
                      {{c.forward ? DNNL_ARG_SRC : DNNL_ARG_DIFF_DST, from.memory()},
                       {c.forward ? DNNL_ARG_DST : DNNL_ARG_DIFF_SRC, to.memory()},
                       {DNNL_ARG_SCRATCHPAD, memory(pd.scratchpad_desc(), device->engine)}});
      device->stream.wait();
    };
    const auto done = Attempt([&] {
      if (c.forward) {
        const auto pd = ForwardPd(*desc, c.axis, group, device->engine, attr);
        run(pd, ShuffleForward(pd));
      } else {
        const auto pd = BackwardPd(*desc, c.axis, group, device->engine, attr);
        run(pd, ShuffleBackward(pd));
      }
    });
    if (!ExpectAccepted(trial, done, "a scratchpad mode") ||
        !ExpectSameBits(trial, c.forward ? "dst" : "diff_src", c.data.type, c.data.dims,
                        ExpectedShuffle(c, source), to.Load()))
      return;
  }
}

Cases<ShuffleCase> WithScratchpads() {
  ShuffleLimits limits;
  limits.either = limits.gaps = true;
  Cases<ShuffleCase> cases = AnyShuffle(limits);
  cases.count = 400;
  return cases;
}

// The example of the guide: a 4-D f32 tensor, channels shuffled, forward.
void ExampleWorks(const Choice& choice, Trial& trial) {
  Device* device = DeviceFor(trial);
  if (device == nullptr) return;
  const int group = std::stoi(choice.what);
  constexpr int64_t kN = 3, kC = 72, kH = 7, kW = 7;
  const memory::desc desc({kN, kC, kH, kW}, memory::data_type::f32, memory::format_tag::nchw);
  const size_t count = kN * kC * kH * kW;
  std::vector<float> src(count), dst(count, -1.0f);
  for (size_t i = 0; i < count; ++i) src[i] = static_cast<float>(i);
  memory src_memory(desc, device->engine), dst_memory(desc, device->engine);
  const auto write = [&](memory& to, const std::vector<float>& values) {
    float* const mapped = to.map_data<float>();
    for (size_t i = 0; i < count; ++i) mapped[i] = values[i];
    to.unmap_data(mapped);
  };
  write(src_memory, src);
  write(dst_memory, dst);
  const ShuffleForward::desc operation(prop_kind::forward_training, desc, 1, group);
  const ShuffleForward::primitive_desc pd(operation, device->engine);
  ShuffleForward(pd).execute(device->stream,
                             {{DNNL_ARG_SRC, src_memory}, {DNNL_ARG_DST, dst_memory}});
  device->stream.wait();
  float* const mapped = dst_memory.map_data<float>();
  dst.assign(mapped, mapped + count);
  dst_memory.unmap_data(mapped);
  for (size_t i = 0; i < count; ++i) {
    const auto number = static_cast<int64_t>(i);
    const int64_t c = number / (kH * kW) % kC;
    const float wanted = src[i + (spec::ShuffleSource(c, kC, group) - c) * kH * kW];
    if (dst[i] == wanted) continue;
    return trial.Fail(ElementName("dst", {kN, kC, kH, kW}, number), std::to_string(wanted),
                      std::to_string(dst[i]));
  }
  if (group == 1 || group == kC) trial.Vacuous();
}

const bool kDefined[] = {
    Define(spec::SHU_001, "", ForwardDescExists),
    Define(spec::SHU_002, "", ForwardPdExists),
    Define<Choice>(spec::SHU_002, "flag", Choices({"forward"}), LastParameterIsTheFlag),
    Define(spec::SHU_003, "", BackwardExists),
    Define<Choice>(spec::SHU_003, "flag", Choices({"backward"}), LastParameterIsTheFlag),
    Define<Choice>(spec::SHU_012, "refused", Choices(kAttributes), AttributesAreRefused),
    Define<ShuffleCase>(spec::SHU_012, "everywhere", EachDirection(), NoKernelTakesThem, {"f32"}),
    Define<ShuffleCase>(spec::SHU_012, "scratchpads", WithScratchpads(), ScratchpadModesWork,
                        {"f32", "gapped"}),
    Define<Choice>(spec::SHU_012, "accepted", Choices({"default", "library", "user"}),
                   ScratchpadModesAreAccepted),
    Define<Choice>(spec::SHU_058, "",
                   Choices({"1", "2", "3", "4", "6", "8", "9", "12", "18", "24", "36", "72"}),
                   ExampleWorks),
};

}  // namespace
}  // namespace conformance
