// ELT-006 to ELT-008, ELT-010 to ELT-015, ELT-021: what is refused, and what beside it is not.
#include <algorithm>
#include <cfloat>
#include <limits>
#include <string>
#include <vector>

#include "conformance/case/property.h"
#include "conformance/eltwise/cases.h"
#include "conformance/eltwise/run.h"
#include "conformance/gen/choice.h"
#include "conformance/subject/expect.h"
#include "conformance/subject/prop_kinds.h"
#include "spec/requirements.h"

namespace conformance {
namespace {

using dnnl::algorithm;
using dnnl::memory;
using dnnl::prop_kind;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

// The arguments of one operation descriptor.
struct Call {
  algorithm what = algorithm::eltwise_tanh;
  memory::desc data, gradient;
  memory::dims hint{2, 3, 4};  // backward
  float alpha = 0, beta = 0;
  prop_kind kind = prop_kind::forward_training;
};

memory::desc F32(const memory::dims& dims) {
  memory::dims strides(dims.size(), 1);
  for (size_t axis = dims.size(); axis-- > 1;)
    strides[axis - 1] = strides[axis] * std::max<int64_t>(1, dims[axis]);
  return {dims, memory::data_type::f32, strides};
}

Call Plain() {
  Call call;
  call.data = call.gradient = F32({2, 3, 4});
  return call;
}

auto TryForward(const Call& call, Device& device) {
  return Attempt([&] {
    return ForwardEltwise::primitive_desc(
        ForwardEltwise::desc(call.kind, call.what, call.data, call.alpha, call.beta),
        device.engine);
  });
}

// The hint is a legal forward: the fault is the operation's own.
auto TryBackward(const Call& call, Device& device) {
  return Attempt([&] {
    const BackwardEltwise::desc desc(call.what, call.gradient, call.data, call.alpha, call.beta);
    const ForwardEltwise::primitive_desc hint(
        ForwardEltwise::desc(prop_kind::forward_training, algorithm::eltwise_tanh, F32(call.hint)),
        device.engine);
    return BackwardEltwise::primitive_desc(desc, device.engine, hint);
  });
}

// Refused where the legal call beside it is not; project: with this status.
template <class Made>
void ExpectOnlyThisRefused(const Made& legal, const Made& wrong, const char* direction,
                           const std::string& what, Refusal::Status status, Trial& trial) {
  if (!ExpectOffered(trial, legal, "the legal call beside it", AskedOfF32(direction)) ||
      !ExpectRefused(trial, wrong, what))
    return;
  if (trial.project())
    trial.Expect(wrong.refusal.MayBe(status), "the status of " + what, std::to_string(status),
                 std::to_string(wrong.refusal.status));
}

void ForwardRefuses(const Call& call, const std::string& what, Trial& trial,
                    Refusal::Status status = Refusal::kInvalidArguments) {
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  ExpectOnlyThisRefused(TryForward(Plain(), *device), TryForward(call, *device), "forward", what,
                        status, trial);
}

void BackwardRefuses(const Call& call, const std::string& what, Trial& trial,
                     Refusal::Status status = Refusal::kInvalidArguments) {
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  ExpectOnlyThisRefused(TryBackward(Plain(), *device), TryBackward(call, *device), "backward", what,
                        status, trial);
}

void TrainingIsInference(const EltwiseCase& c, Trial& trial) {
  const auto training = Run(c, trial);
  if (!training) return;
  for (const prop_kind kind :
       {prop_kind::forward_inference, prop_kind::forward_scoring, prop_kind::forward}) {
    EltwiseMaking making;
    making.kind = kind;
    const auto other = Run(c, training->source, {}, trial, making);
    if (!other || !ExpectSameResult(c, "with prop_kind " + std::to_string(static_cast<int>(kind)),
                                    training->result, other->result, trial))
      return;
  }
}

void OtherKindsAreRefused(const Choice& choice, Trial& trial) {
  Call call = Plain();
  for (const auto& [name, kind] : KindsOtherThanForward())
    if (name == choice.what) call.kind = kind;
  ForwardRefuses(call, "prop_kind::" + choice.what, trial);
}

struct NamedAlgorithm {
  const char* name;
  algorithm value;
};
constexpr NamedAlgorithm kOthers[] = {
    {"undef", algorithm::undef},
    {"convolution_auto", algorithm::convolution_auto},
    {"convolution_direct", algorithm::convolution_direct},
    {"deconvolution_direct", algorithm::deconvolution_direct},
    {"pooling_max", algorithm::pooling_max},
    {"lrn_across_channels", algorithm::lrn_across_channels},
    {"vanilla_rnn", algorithm::vanilla_rnn},
    {"binary_add", algorithm::binary_add},
    {"resampling_linear", algorithm::resampling_linear},
    {"none", static_cast<algorithm>(0x7fff)},
};

std::vector<std::string> NamesOfOthers() {
  std::vector<std::string> names;
  for (const NamedAlgorithm& other : kOthers)
    for (const char* direction : {"fwd:", "bwd:"})
      names.push_back(direction + std::string(other.name));
  return names;
}

void OtherAlgorithmsAreRefused(const Choice& choice, Trial& trial) {
  Call call = Plain();
  for (const NamedAlgorithm& other : kOthers)
    if (choice.what.substr(4) == other.name) call.what = other.value;
  if (choice.what[0] == 'f') return ForwardRefuses(call, choice.what, trial);
  BackwardRefuses(call, choice.what, trial);
}

void ForwardAnyIsRefused(const NoParameters&, Trial& trial) {
  Call call = Plain();
  call.data = WithAny(spec::Type::kF32, {2, 3, 4});
  ForwardRefuses(call, "any as data", trial);
}

void BackwardAnyDataIsRefused(const Choice& choice, Trial& trial) {
  Call call = Plain();
  call.data = WithAny(spec::Type::kF32, {2, 3, 4});
  if (choice.what == "both") call.gradient = call.data;
  BackwardRefuses(call, "any as data of a backward", trial);
}

struct OtherDims {
  const char* name;
  memory::dims gradient, data{2, 3, 4};
};

const std::vector<OtherDims>& AllOtherDims() {
  static const auto* const all =
      new std::vector<OtherDims>{{"first-longer", {3, 3, 4}},
                                 {"first-shorter", {1, 3, 4}},
                                 {"middle-longer", {2, 4, 4}},
                                 {"middle-shorter", {2, 2, 4}},
                                 {"last-longer", {2, 3, 5}},
                                 {"last-shorter", {2, 3, 3}},
                                 {"lower-rank", {2, 3}},
                                 {"lower-rank-before-ones", {2, 3}, {2, 3, 1}},
                                 {"lower-rank-before-many-ones", {7}, {7, 1, 1, 1}},
                                 {"lower-rank-behind-ones", {3, 4}, {1, 3, 4}},
                                 {"lower-rank-of-ones", {1}, {1, 1}},
                                 {"lower-rank-of-as-many", {6}, {2, 3}},
                                 {"lower-rank-of-none", {0}, {0, 1}},
                                 {"higher-rank-before-ones", {2, 3, 1}, {2, 3}},
                                 {"higher-rank-behind-ones", {1, 2, 3}, {2, 3}},
                                 {"higher-rank-of-ones", {1, 1}, {1}},
                                 {"longer-by-2^32", {4294967298, 3, 4}},
                                 {"one-by-one-longer-by-2^32", {4294967297}, {1}},
                                 {"other-order", {4, 3, 2}},
                                 {"higher-rank", {2, 3, 4, 1}},
                                 {"higher-rank-longer", {2, 3, 4, 2}},
                                 {"as-many-elements", {2, 4, 3}},
                                 {"empty", {2, 3, 0}},
                                 {"first-of-one-longer", {2, 3, 4}, {1, 3, 4}},
                                 {"middle-of-one-longer", {2, 3, 4}, {2, 1, 4}},
                                 {"last-of-one-longer", {2, 3, 4}, {2, 3, 1}},
                                 {"only-one-longer", {5}, {1}}};
  return *all;
}

std::vector<std::string> NamesOfOtherDims() {
  std::vector<std::string> names;
  for (const OtherDims& dims : AllOtherDims()) names.emplace_back(dims.name);
  return names;
}

void DimsAreCompared(const Choice& choice, Trial& trial) {
  Call call = Plain();
  for (const OtherDims& dims : AllOtherDims()) {
    if (dims.name != choice.what) continue;
    call.gradient = F32(dims.gradient);
    call.data = F32(dims.data);
    call.hint = dims.data;
  }
  BackwardRefuses(call, "a gradient of other dims: " + choice.what, trial);
}

std::vector<std::string> PairsOfTypes() {
  std::vector<std::string> names;
  for (const spec::Type gradient : spec::kTypes)
    for (const spec::Type data : spec::kTypes)
      if (gradient != data)
        names.push_back(std::string(spec::NameOf(gradient)) + ":" + spec::NameOf(data));
  return names;
}

void TypesAreCompared(const Choice& choice, Trial& trial) {
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  const size_t colon = choice.what.find(':');
  const auto of = [](const std::string& name) {
    return memory::desc({2, 3, 4}, DataTypeOf(*ParseType(name)), memory::format_tag::abc);
  };
  Call call = Plain();
  call.gradient = of(choice.what.substr(0, colon));
  call.data = of(choice.what.substr(colon + 1));
  ExpectOffered(trial, TryBackward(Plain(), *device), "one type for both",
                AskedOfF32("backward")) &&
      ExpectRefused(trial, TryBackward(call, *device), "gradient and data of " + choice.what);
}

void NothingAndRunTimeAreRefused(const Choice& choice, Trial& trial) {
  const memory::desc none,
      dims({2, DNNL_RUNTIME_DIM_VAL, 4}, memory::data_type::f32, memory::format_tag::abc),
      strides({2, 3, 4}, memory::data_type::f32, memory::dims(3, DNNL_RUNTIME_DIM_VAL));
  const std::string what = choice.what.substr(choice.what.find(':') + 1);
  const memory::desc& odd = what == "zero" ? none : what == "dims" ? dims : strides;
  // Run-time dims of one tensor alone are a fault of the arguments as well.
  const Refusal::Status status =
      what == "zero" ? Refusal::kInvalidArguments : Refusal::kUnimplemented;
  Call call = Plain();
  if (choice.what[0] == 'f') {
    call.data = odd;
    return ForwardRefuses(call, choice.what, trial, status);
  }
  if (choice.what.rfind("bwd_data", 0) == 0 || choice.what.rfind("bwd_both", 0) == 0)
    call.data = odd;
  if (choice.what.rfind("bwd_diff", 0) == 0 || choice.what.rfind("bwd_both", 0) == 0)
    call.gradient = odd;
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  ExpectOffered(trial, TryBackward(Plain(), *device), "the legal call beside it",
                AskedOfF32("backward")) &&
      ExpectRefused(trial, TryBackward(call, *device), choice.what);
}

std::vector<std::string> NamesOfNothings() {
  std::vector<std::string> names;
  for (const char* tensor : {"fwd", "bwd_data", "bwd_diff", "bwd_both"})
    for (const char* what : {":zero", ":dims", ":strides"})
      names.push_back(std::string(tensor) + what);
  return names;
}

void BackwardOfRoundIsRefused(const NoParameters&, Trial& trial) {
  Call call = Plain();
  call.what = algorithm::eltwise_round;
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  ExpectOffered(trial, TryForward(call, *device), "round forward", AskedOfF32("forward")) &&
      ExpectRefused(trial, TryBackward(call, *device), "round backward");
}

// A forward that is not the one the backward belongs to, in one of several ways.
EltwiseCase HintCase(const EltwiseCase& c) {
  EltwiseCase other = c;
  other.direction = EltwiseDirection::kForward;
  Random random(Mix(c.seed));
  other.function = AnyFunction(random, random.Pick(spec::kEltwiseAlgorithms), false);
  if (c.seed % 4 == 1)
    other.data.type = c.data.type == spec::Type::kF32 ? spec::Type::kBF16 : spec::Type::kF32;
  if (c.seed % 3 != 0) other.data.layout = RowMajor(c.data.dims);
  return other;
}

// Any forward serves, whatever it is for.
dnnl::prop_kind HintKind(const EltwiseCase& c) {
  const prop_kind kinds[] = {prop_kind::forward_training, prop_kind::forward_inference,
                             prop_kind::forward_scoring, prop_kind::forward};
  return kinds[c.seed % 4];
}

void HintsChangeNothing(const EltwiseCase& c, Trial& trial) {
  const auto own = Run(c, trial);
  if (!own) return;
  Device* const device = DeviceFor(trial);
  const EltwiseCase other = HintCase(c);
  const auto descs = DescsOf(other, trial);
  if (!descs) return;
  EltwiseMaking making, forward;
  forward.kind = HintKind(c);
  forward.use_dst = c.seed % 5 == 0 && trial.project();
  EltwiseCase of = other;
  if (forward.use_dst) of.function = {spec::EltwiseAlgorithm::kTanh, 0, 0};
  if (c.seed % 7 == 0) forward.attr.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  const auto hint = Attempt([&] { return ForwardPd(of, descs->data, device->engine, forward); });
  if (!hint && MayRefuse(of, trial))
    return trial.Refused(hint.refusal, AskedOf(of), LegalityOf(of, trial));
  if (!ExpectOffered(trial, hint, "a forward as a hint", AskedOf(of))) return;
  making.hint = *hint.value;
  const auto ran = Run(c, own->source, own->gradient, trial, making);
  if (ran) ExpectSameResult(c, "with another hint", own->result, ran->result, trial);
}

void EmptyHintsAreRefused(const NoParameters&, Trial& trial) {
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  const Call call = Plain();
  const auto without = Attempt([&] {
    return BackwardEltwise::primitive_desc(
        BackwardEltwise::desc(call.what, call.gradient, call.data), device->engine,
        ForwardEltwise::primitive_desc());
  });
  ExpectOffered(trial, TryBackward(call, *device), "a hint", AskedOfF32("backward")) &&
      ExpectRefused(trial, without, "an empty hint");
}

struct NamedParameters {
  const char* name;
  algorithm what;
  float alpha, beta;
  bool legal;
};
const std::vector<NamedParameters>& Parameters() {
  using A = algorithm;
  static const auto* const all = new std::vector<NamedParameters>{
      {"bounded_relu-0", A::eltwise_bounded_relu, 0, 0, true},
      {"bounded_relu-minus-0", A::eltwise_bounded_relu, -0.0f, 0, true},
      {"bounded_relu-1", A::eltwise_bounded_relu, 1, 0, true},
      {"bounded_relu-below-0", A::eltwise_bounded_relu, -1e-30f, 0, false},
      {"bounded_relu-minus-1", A::eltwise_bounded_relu, -1, 0, false},
      {"bounded_relu-NaN", A::eltwise_bounded_relu, kNan, 0, false},
      {"clip-1-1", A::eltwise_clip, 1, 1, true},
      {"clip-minus-1-1", A::eltwise_clip, -1, 1, true},
      {"clip-1-minus-1", A::eltwise_clip, 1, -1, false},
      {"clip-just-above", A::eltwise_clip, 1.0000001f, 1, false},
      {"clip-0-minus-0", A::eltwise_clip, 0, -0.0f, true},
      {"clip-all", A::eltwise_clip, -kInfinity, kInfinity, true},
      {"clip-infinity-infinity", A::eltwise_clip, kInfinity, kInfinity, true},
      {"clip-minus-infinity-twice", A::eltwise_clip, -kInfinity, -kInfinity, true},
      {"clip-infinity-minus-infinity", A::eltwise_clip, kInfinity, -kInfinity, false},
      {"clip-largest", A::eltwise_clip, -FLT_MAX, FLT_MAX, true},
      {"clip-largest-crossed", A::eltwise_clip, FLT_MAX, -FLT_MAX, false},
      {"clip-infinity-largest", A::eltwise_clip, kInfinity, FLT_MAX, false},
      {"clip-large-and-next", A::eltwise_clip, 16777218, 16777216, false},
      {"clip-small", A::eltwise_clip, -FLT_MIN, FLT_MIN, true},
      {"clip-small-crossed", A::eltwise_clip, FLT_MIN, -FLT_MIN, false},
      {"clip-NaN-NaN", A::eltwise_clip, kNan, kNan, false},
      {"bounded_relu-infinity", A::eltwise_bounded_relu, kInfinity, 0, true},
      {"bounded_relu-minus-infinity", A::eltwise_bounded_relu, -kInfinity, 0, false},
      {"bounded_relu-largest", A::eltwise_bounded_relu, FLT_MAX, 0, true},
      {"bounded_relu-NaN-beta", A::eltwise_bounded_relu, 1, kNan, true},
      {"relu-largest", A::eltwise_relu, -FLT_MAX, 0, true},
      {"elu-largest", A::eltwise_elu, FLT_MAX, 0, true},
      {"relu_use_dst-0", A::eltwise_relu_use_dst_for_bwd, 0, 0, true},
      {"relu_use_dst-minus-0", A::eltwise_relu_use_dst_for_bwd, -0.0f, 0, true},
      {"relu_use_dst-largest", A::eltwise_relu_use_dst_for_bwd, FLT_MAX, 0, true},
      {"elu_use_dst-0", A::eltwise_elu_use_dst_for_bwd, 0, 0, true},
      {"elu_use_dst-minus-0", A::eltwise_elu_use_dst_for_bwd, -0.0f, 0, true},
      {"elu_use_dst-largest-below-0", A::eltwise_elu_use_dst_for_bwd, -FLT_MAX, 0, false},
      {"clip-NaN-1", A::eltwise_clip, kNan, 1, false},
      {"clip-1-NaN", A::eltwise_clip, 1, kNan, false},
      {"relu-minus-1", A::eltwise_relu, -1, 0, true},
      {"elu-minus-1", A::eltwise_elu, -1, 0, true},
      {"relu_use_dst-1", A::eltwise_relu_use_dst_for_bwd, 1, 0, true},
      {"relu_use_dst-below-0", A::eltwise_relu_use_dst_for_bwd, -1e-30f, 0, false},
      {"relu_use_dst-NaN", A::eltwise_relu_use_dst_for_bwd, kNan, 0, false},
      {"elu_use_dst-1", A::eltwise_elu_use_dst_for_bwd, 1, 0, true},
      {"elu_use_dst-below-0", A::eltwise_elu_use_dst_for_bwd, -1e-30f, 0, false},
      {"elu_use_dst-NaN", A::eltwise_elu_use_dst_for_bwd, kNan, 0, false},
  };
  return *all;
}

std::vector<std::string> NamesOfParameters() {
  std::vector<std::string> names;
  for (const NamedParameters& parameters : Parameters()) names.emplace_back(parameters.name);
  return names;
}

// Project: not as late as the primitive descriptor; for inference as for training.
void OperationIsRefused(const Call& call, const std::string& what, Trial& trial) {
  if (trial.portable()) return;
  for (const prop_kind kind : {prop_kind::forward_training, prop_kind::forward_inference}) {
    const auto forward = Attempt(
        [&] { return ForwardEltwise::desc(kind, call.what, call.data, call.alpha, call.beta); });
    if (!ExpectRefused(trial, forward, "eltwise_forward::desc of " + what)) return;
  }
  const auto backward = Attempt([&] {
    return BackwardEltwise::desc(call.what, call.gradient, call.data, call.alpha, call.beta);
  });
  ExpectRefused(trial, backward, "eltwise_backward::desc of " + what);
}

void ParametersAreChecked(const Choice& choice, Trial& trial) {
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  for (const NamedParameters& parameters : Parameters()) {
    if (parameters.name != choice.what) continue;
    Call call = Plain();
    call.what = parameters.what;
    call.alpha = parameters.alpha;
    call.beta = parameters.beta;
    const bool use_dst = choice.what.find("use_dst") != std::string::npos;
    const auto forward = TryForward(call, *device);
    const auto backward = TryBackward(call, *device);
    if (!parameters.legal) {
      if (ExpectRefused(trial, forward, choice.what + " forward") &&
          ExpectRefused(trial, backward, choice.what + " backward"))
        OperationIsRefused(call, choice.what, trial);
      return;
    }
    // Portable: use-dst forward may be refused.
    if (!use_dst || trial.project())
      if (!ExpectOffered(trial, forward, choice.what + " forward", AskedOfF32("forward"))) return;
    ExpectOffered(trial, backward, choice.what + " backward", AskedOfF32("backward"));
  }
}

EltwiseDraws Of(std::vector<EltwiseDirection> directions) {
  EltwiseDraws draws;
  draws.directions = std::move(directions);
  draws.all_types = draws.own_gradient = draws.all_layouts = true;
  // Others are ELT-070's.
  draws.min_rank = 2;
  draws.max_rank = 5;
  return draws;
}

const bool kDefined[] = {
    Define<EltwiseCase>(spec::ELT_006, "", SomeEltwise(400, Of({EltwiseDirection::kForward})),
                        TrainingIsInference, {"f32", "bf16", "s8", "gapped"}),
    Define<Choice>(spec::ELT_006, "others", Choices(NamesOf(KindsOtherThanForward())),
                   OtherKindsAreRefused),
    Define<Choice>(spec::ELT_007, "", Choices(NamesOfOthers()), OtherAlgorithmsAreRefused),
    Define(spec::ELT_008, "", ForwardAnyIsRefused),
    Define<Choice>(spec::ELT_010, "", Choices({"data", "both"}), BackwardAnyDataIsRefused),
    Define<Choice>(spec::ELT_011, "", Choices(NamesOfOtherDims()), DimsAreCompared),
    Define<Choice>(spec::ELT_012, "", Choices(PairsOfTypes()), TypesAreCompared),
    Define<Choice>(spec::ELT_013, "", Choices(NamesOfNothings()), NothingAndRunTimeAreRefused),
    Define(spec::ELT_014, "", BackwardOfRoundIsRefused),
    Define<EltwiseCase>(
        spec::ELT_015, "",
        SomeEltwise(400, Of({EltwiseDirection::kBackward, EltwiseDirection::kBackwardByResult})),
        HintsChangeNothing, {"f32", "bf16", "gapped"}),
    Define(spec::ELT_015, "empty", EmptyHintsAreRefused),
    Define<Choice>(spec::ELT_021, "", Choices(NamesOfParameters()), ParametersAreChecked),
};

}  // namespace
}  // namespace conformance
