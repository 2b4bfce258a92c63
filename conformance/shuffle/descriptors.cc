// SHU-004 to SHU-008, SHU-010, SHU-013, SHU-014, SHU-054, SHU-057: what is accepted, what is
// refused, and what descriptors tell.
#include <algorithm>
#include <string>
#include <vector>

#include "conformance/case/property.h"
#include "conformance/gen/choice.h"
#include "conformance/shuffle/cases.h"
#include "conformance/shuffle/run.h"
#include "conformance/subject/descriptor_text.h"
#include "conformance/subject/expect.h"
#include "conformance/subject/prop_kinds.h"
#include "spec/requirements.h"

namespace conformance {
namespace {

using dnnl::prop_kind;

struct Descriptors {
  std::optional<ShuffleForward::primitive_desc> forward;
  std::optional<ShuffleBackward::primitive_desc> backward;
};

// The primitive descriptor of a case; nothing after recording the outcome in `trial` when it was
// refused.
Descriptors DescriptorsFor(const ShuffleCase& c, const dnnl::memory::desc& desc, Device& device,
                           Trial& trial) {
  Descriptors made;
  if (!PrimitiveFor(c, desc, device, trial)) return made;
  const int group = static_cast<int>(c.group);
  if (c.forward) {
    made.forward = ForwardPd(desc, c.axis, group, device.engine);
  } else {
    made.backward = BackwardPd(desc, c.axis, group, device.engine);
  }
  return made;
}

// A hint is no descriptor that was given, and need not be taken.
void HintOfAnotherLayout(const ShuffleCase& c, const dnnl::memory::desc& desc, const Device& device,
                         Trial& trial) {
  const int group = static_cast<int>(c.group);
  const auto made = Attempt([&] {
    const dnnl::memory::desc dense = MakeDesc({c.data.type, c.data.dims, Plainest(c.data.dims)});
    const ShuffleBackward::desc operation(desc, c.axis, group);
    return ShuffleBackward::primitive_desc(operation, device.engine,
                                           ForwardPd(dense, c.axis, group, device.engine));
  });
  if (!made) return;
  ExpectDescriptor(trial, "diff_src_desc() beside a dense hint", "the descriptor given", desc,
                   made.value->diff_src_desc()) &&
      ExpectDescriptor(trial, "diff_dst_desc() beside a dense hint", "the descriptor given", desc,
                       made.value->diff_dst_desc());
}

void DescriptorsAreWhatWasGiven(const ShuffleCase& c, Trial& trial) {
  SawTensor(trial, c.data);
  Device* device = DeviceFor(trial);
  if (device == nullptr) return;
  const auto desc = DescFor(c.data, trial);
  if (!desc) return;
  const Descriptors made = DescriptorsFor(c, *desc, *device, trial);
  if (made.forward) {
    ExpectDescriptor(trial, "src_desc()", "the descriptor given", *desc,
                     made.forward->src_desc()) &&
        ExpectDescriptor(trial, "dst_desc()", "the descriptor given", *desc,
                         made.forward->dst_desc());
  }
  if (made.backward) {
    ExpectDescriptor(trial, "diff_src_desc()", "the descriptor given", *desc,
                     made.backward->diff_src_desc()) &&
        ExpectDescriptor(trial, "diff_dst_desc()", "the descriptor given", *desc,
                         made.backward->diff_dst_desc());
    HintOfAnotherLayout(c, *desc, *device, trial);
  }
}

void ArgumentsAreSrcAndDst(const ShuffleCase& c, Trial& trial) {
  Device* device = DeviceFor(trial);
  if (device == nullptr) return;
  const auto desc = DescFor(c.data, trial);
  if (!desc) return;
  const Descriptors made = DescriptorsFor(c, *desc, *device, trial);
  if (!made.forward && !made.backward) return;
  const auto argument = [&](int index) {
    const auto what = dnnl::query::exec_arg_md;
    return made.forward ? made.forward->query_md(what, index)
                        : made.backward->query_md(what, index);
  };
  const dnnl::memory::desc none;
  const bool fwd = c.forward;
  ExpectDescriptor(trial, "exec_arg_md of DNNL_ARG_SRC", fwd ? "the data" : "the zero descriptor",
                   fwd ? *desc : none, argument(DNNL_ARG_SRC)) &&
      ExpectDescriptor(trial, "exec_arg_md of DNNL_ARG_DST",
                       fwd ? "the data" : "the zero descriptor", fwd ? *desc : none,
                       argument(DNNL_ARG_DST)) &&
      ExpectDescriptor(trial, "exec_arg_md of DNNL_ARG_DIFF_SRC",
                       fwd ? "the zero descriptor" : "the gradient", fwd ? none : *desc,
                       argument(DNNL_ARG_DIFF_SRC)) &&
      ExpectDescriptor(trial, "exec_arg_md of DNNL_ARG_DIFF_DST",
                       fwd ? "the zero descriptor" : "the gradient", fwd ? none : *desc,
                       argument(DNNL_ARG_DIFF_DST)) &&
      ExpectDescriptor(trial, "exec_arg_md of DNNL_ARG_WEIGHTS", "the zero descriptor", none,
                       argument(DNNL_ARG_WEIGHTS));
}

void TrainingIsInference(const ShuffleCase& c, Trial& trial) {
  auto run = RunShuffle(c, trial);
  if (!run) return;
  Device* device = DeviceFor(trial);
  const auto desc = run->from.memory().get_desc();
  for (prop_kind kind : {prop_kind::forward_inference, prop_kind::forward_training,
                         prop_kind::forward_scoring, prop_kind::forward}) {
    const auto primitive = Attempt([&]() -> dnnl::primitive {
      return ShuffleForward({{kind, desc, c.axis, static_cast<int>(c.group)}, device->engine});
    });
    const std::string name = "prop_kind " + std::to_string(static_cast<int>(kind));
    if (!ExpectAccepted(trial, primitive, name)) return;
    run->to.Store(run->source);
    if (!Execute(*primitive.value, true, run->from, run->to, *device, trial)) return;
    if (!ExpectSameBits(trial, "dst with " + name, c.data.type, c.data.dims, run->result,
                        run->to.Load()))
      return;
  }
}

void OtherKindsAreRefused(const Choice& choice, Trial& trial) {
  Device* device = DeviceFor(trial);
  if (device == nullptr) return;
  const dnnl::memory::desc desc({2, 6}, dnnl::memory::data_type::f32, {6, 1});
  const auto with = [&](prop_kind kind) {
    return Attempt([&] {
      return ShuffleForward::primitive_desc({kind, desc, 1, 2}, device->engine);
    });
  };
  for (const auto& [name, kind] : KindsOtherThanForward()) {
    if (name == choice.what && !ExpectRefused(trial, with(kind), "prop_kind::" + name)) return;
  }
  ExpectAccepted(trial, with(prop_kind::forward_training), "prop_kind::forward_training");
}

// Of any type, layout and group; numbers that are none among them.
void NoShuffleHasOtherKinds(const ShuffleCase& c, Trial& trial) {
  SawTensor(trial, c.data);
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  const auto desc = DescFor(c.data, trial);
  if (!desc || !PrimitiveFor(c, *desc, *device, trial)) return;
  std::vector<prop_kind> kinds;
  for (const NamedKind& kind : KindsOtherThanForward()) kinds.push_back(kind.kind);
  for (const int number : {1, 0x3f, 0x61, 0x41, 0x10040})
    kinds.push_back(static_cast<prop_kind>(number));
  const prop_kind kind = kinds[c.seed % kinds.size()];
  const auto made = Attempt([&] {
    const ShuffleForward::desc operation(kind, *desc, c.axis, static_cast<int>(c.group));
    return ShuffleForward::primitive_desc(operation, device->engine);
  });
  ExpectRefused(trial, made, "prop_kind " + std::to_string(static_cast<int>(kind)));
}

// A forward primitive descriptor with parameters that may be illegal.
Attempted<ShuffleForward::primitive_desc> TryForward(const ShuffleParameters& c, int64_t axis,
                                                     int64_t group, Device& device) {
  return Attempt([&] {
    return ForwardPd(MakeDesc(c.data), static_cast<int>(axis), static_cast<int>(group),
                     device.engine);
  });
}

// Backward, with a hint that is legal: the forward descriptor with `hint_axis` and group 1. The
// gradient is `any` or has a layout.
Attempted<ShuffleBackward::primitive_desc> TryBackward(const ShuffleParameters& c, int64_t axis,
                                                       int64_t group, int64_t hint_axis, bool any,
                                                       Device& device) {
  return Attempt([&] {
    const auto desc = MakeDesc(c.data);
    const auto hint = ForwardPd(desc, static_cast<int>(hint_axis), 1, device.engine);
    const auto given = any ? WithAny(c.data.type, c.data.dims) : desc;
    return ShuffleBackward::primitive_desc(
        ShuffleBackward::desc(given, static_cast<int>(axis), static_cast<int>(group)),
        device.engine, hint);
  });
}

// The legal neighbour is accepted, forward and backward, and the wrong one refused.
void ExpectWrong(const ShuffleParameters& c, int64_t axis, int64_t group, const std::string& right,
                 const std::string& wrong, Device& device, Trial& trial) {
  const bool is_cpu = trial.project() && trial.engine() != EngineChoice::kGpu;
  const bool is_core = c.data.type == spec::Type::kF32 && c.data.dims[axis] > 0;
  const auto forward = TryForward(c, axis, group, device);
  if (!forward && !is_core && !is_cpu)
    return trial.LeftOpen(forward.refusal, "a shuffle of that type or of nothing");
  if (!ExpectAccepted(trial, forward, "forward with " + right) ||
      !ExpectRefused(trial, TryForward(c, c.axis, c.group, device), "forward with " + wrong))
    return;
  for (const bool any : {false, true}) {
    const auto backward = TryBackward(c, axis, group, axis, any, device);
    if (!backward && !is_core && !is_cpu)
      return trial.LeftOpen(backward.refusal, "a backward shuffle of that type or of nothing");
    const std::string name = any ? "backward of any with " : "backward with ";
    if (!ExpectAccepted(trial, backward, name + right) ||
        !ExpectRefused(trial, TryBackward(c, c.axis, c.group, axis, any, device), name + wrong))
      return;
  }
}

void WrongAxisIsRefused(const ShuffleParameters& c, Trial& trial) {
  Device* device = DeviceFor(trial);
  if (device == nullptr || !DescFor(c.data, trial)) return;
  const int64_t nearest = c.axis < 0 ? 0 : c.data.rank() - 1;
  const std::string wrong = "axis " + std::to_string(c.axis);
  const std::string right = "axis " + std::to_string(nearest);
  trial.Cover(c.axis < 0 ? "below" : "above");
  ExpectWrong(c, nearest, 1, right, wrong, *device, trial);
}

void WrongGroupIsRefused(const ShuffleParameters& c, Trial& trial) {
  Device* device = DeviceFor(trial);
  if (device == nullptr || !DescFor(c.data, trial)) return;
  // The nearest legal one: the largest divisor that is not above, and 1 below that.
  const int64_t size = c.data.dims[c.axis];
  int64_t nearest = 1;
  for (int64_t divisor : Divisors(std::max<int64_t>(1, size)))
    if (divisor <= c.group) nearest = divisor;
  const std::string wrong = "group_size " + std::to_string(c.group);
  const std::string right = "group_size " + std::to_string(nearest);
  trial.Cover(c.group < 0      ? "negative"
              : c.group == 0   ? "zero"
              : c.group > size ? "above"
                               : "between");
  ExpectWrong(c, c.axis, nearest, right, wrong, *device, trial);
}

void ForwardAnyIsRefused(const ShuffleCase& c, Trial& trial) {
  Device* device = DeviceFor(trial);
  if (device == nullptr) return;
  const auto desc = DescFor(c.data, trial);
  if (!desc || !PrimitiveFor(c, *desc, *device, trial)) return;  // the accepted neighbour
  for (const prop_kind kind : {prop_kind::forward_training, prop_kind::forward_inference}) {
    const auto attempted = Attempt([&] {
      const ShuffleForward::desc operation(kind, WithAny(c.data.type, c.data.dims), c.axis,
                                           static_cast<int>(c.group));
      return ShuffleForward::primitive_desc(operation, device->engine);
    });
    if (!ExpectRefused(trial, attempted, "forward with format_tag::any")) return;
  }
}

// MAY (SHU-013). Project: only other dims are an error.
void OtherHint(const ShuffleCase& c, Trial& trial) {
  Device* device = DeviceFor(trial);
  if (device == nullptr) return;
  const auto desc = DescFor(c.data, trial);
  if (!desc || !PrimitiveFor(c, *desc, *device, trial)) return;
  const char* const kinds[] = {"dims", "axis", "group"};
  const std::string kind = kinds[c.seed % 3];
  TensorSpec hint = c.data;
  int hint_axis = c.axis, hint_group = static_cast<int>(c.group);
  if (kind == "dims") {
    hint.dims[0] += static_cast<int64_t>(c.axis == 0 ? c.group : 1);
    hint.layout = Plainest(hint.dims);
  } else if (kind == "axis") {
    if (c.data.rank() == 1) return trial.Vacuous();
    hint_axis = (c.axis + 1) % c.data.rank();
    hint_group = 1;
  } else {
    if (c.size() == 1) return trial.Vacuous();
    hint_group = c.group == 1 ? static_cast<int>(c.size()) : 1;
  }
  const auto made = Attempt([&] {
    const auto forward = ForwardPd(MakeDesc(hint), hint_axis, hint_group, device->engine);
    return ShuffleBackward::primitive_desc(
        ShuffleBackward::desc(*desc, c.axis, static_cast<int>(c.group)), device->engine, forward);
  });
  trial.Record("a shuffle hint with other " + kind, made ? "accepted" : "refused");
  if (!made && !ExpectLeftOpen(trial, made.refusal, "hint with other " + kind)) return;
  if (!trial.project()) return;
  trial.Expect(made.value.has_value() == (kind != "dims"), "hint with other " + kind,
               kind == "dims" ? "refused" : "accepted", made.value ? "accepted" : "refused");
}

// A hint is a hint: axis, group and layout are the operation descriptor's own (SHU-022, SHU-004).
// A subject may refuse hints that differ (SHU-013); the project takes them.
void OwnParametersCount(const ShuffleCase& c, Trial& trial) {
  Device* device = DeviceFor(trial);
  if (device == nullptr) return;
  const auto desc = DescFor(c.data, trial);
  if (!desc || !PrimitiveFor(c, *desc, *device, trial)) return;
  const char* const kinds[] = {"layout", "group", "axis"};
  const std::string kind = kinds[c.seed % 3];
  TensorSpec hint = c.data;
  int hint_axis = c.axis;
  int64_t hint_group = c.group;
  if (kind == "layout") {
    std::vector<int> order(hint.dims.size());
    for (size_t j = 0; j < order.size(); ++j) order[j] = static_cast<int>(order.size() - 1 - j);
    hint.layout = DenseInOrder(hint.dims, order);
    if (spec::SameLayout(PlainOf(hint), PlainOf(c.data))) hint.layout = RowMajor(hint.dims);
  } else if (kind == "group") {
    const std::vector<int64_t> divisors = Divisors(c.size());
    hint_group = divisors[(c.seed / 3) % divisors.size()];
  } else {
    hint_axis = (c.axis + 1) % c.data.rank();
    hint_group = hint.dims[hint_axis];
  }
  const auto made = Attempt([&] {
    const auto forward =
        ForwardPd(MakeDesc(hint), hint_axis, static_cast<int>(hint_group), device->engine);
    return ShuffleBackward::primitive_desc(
        ShuffleBackward::desc(*desc, c.axis, static_cast<int>(c.group)), device->engine, forward);
  });
  const std::string with = "backward with a hint of another " + kind;
  if (!made && trial.portable()) return trial.LeftOpen(made.refusal, with);
  if (!ExpectAccepted(trial, made, with)) return;
  trial.Cover(kind);
  if (!ExpectDescriptor(trial, "diff_src_desc(), " + with, "the descriptor given", *desc,
                        made.value->diff_src_desc()) ||
      !ExpectDescriptor(trial, "diff_dst_desc(), " + with, "the descriptor given", *desc,
                        made.value->diff_dst_desc()))
    return;
  Tensor from(c.data, *desc, *device, c.from, c.seed), to(c.data, *desc, *device, c.to, ~c.seed);
  const auto source = c.Source();
  from.Store(source);
  if (!Execute(ShuffleBackward(*made.value), false, from, to, *device, trial)) return;
  ExpectSameBits(trial, "diff_src, " + with, c.data.type, c.data.dims, ExpectedShuffle(c, source),
                 to.Load());
}

// MAY (SHU-014): refused, or executed correctly.
void RunTimeShapes(const ShuffleCase& c, Trial& trial) {
  Device* device = DeviceFor(trial);
  if (device == nullptr) return;
  const auto desc = DescFor(c.data, trial);
  if (!desc || !PrimitiveFor(c, *desc, *device, trial)) return;
  spec::Dims dims = c.data.dims;
  dims[c.seed % dims.size()] = DNNL_RUNTIME_DIM_VAL;
  const spec::Dims strides(dims.size(), DNNL_RUNTIME_DIM_VAL);
  const auto made = Attempt([&] {
    const dnnl::memory::desc open(dims, DataTypeOf(c.data.type), strides);
    return ShuffleForward(ForwardPd(open, c.axis, static_cast<int>(c.group), device->engine));
  });
  trial.Record("shuffle of a run-time shape", made ? "accepted" : "refused");
  if (!made.value) {
    ExpectLeftOpen(trial, made.refusal, "run-time shape");
    return;
  }
  Tensor from(c.data, *desc, *device, c.from, c.seed), to(c.data, *desc, *device, c.to, ~c.seed);
  const auto source = c.Source();
  from.Store(source);
  if (!Execute(*made.value, true, from, to, *device, trial)) return;
  ExpectSameBits(trial, "dst of a run-time shape", c.data.type, c.data.dims,
                 ExpectedShuffle(c, source), to.Load());
}

void OneTypeForBoth(const ShuffleCase& c, Trial& trial) {
  Device* device = DeviceFor(trial);
  if (device == nullptr) return;
  const auto desc = DescFor(c.data, trial);
  if (!desc) return;
  const Descriptors made = DescriptorsFor(c, *desc, *device, trial);
  if (!made.forward && !made.backward) return;
  const auto type = DataTypeOf(c.data.type);
  const auto from = made.forward ? made.forward->src_desc() : made.backward->diff_dst_desc();
  const auto to = made.forward ? made.forward->dst_desc() : made.backward->diff_src_desc();
  ExpectType(trial, "data_type() of the source", type, from.data_type()) &&
      ExpectType(trial, "data_type() of the destination", type, to.data_type());
}

// spec/reading.md, "Unsupported is not wrong": refused at creation, each time alike, or accepted
// each time and executed.
void RefusalsAreStable(const ShuffleCase& c, Trial& trial) {
  Device* device = DeviceFor(trial);
  if (device == nullptr) return;
  const auto desc = DescFor(c.data, trial);
  if (!desc) return;
  const int group = static_cast<int>(c.group);
  std::string first;
  for (int round = 0; round < 3; ++round) {
    const auto made = Attempt([&]() -> dnnl::primitive {
      if (c.forward) return ShuffleForward(ForwardPd(*desc, c.axis, group, device->engine));
      return ShuffleBackward(BackwardPd(*desc, c.axis, group, device->engine));
    });
    if (!made && !ExpectUnsupported(trial, made.refusal, AskedOf(c).ToString())) return;
    const std::string answer = made ? "accepted" : "status " + std::to_string(made.refusal.status);
    if (round == 0) first = answer;
    if (!trial.Expect(answer == first, "the same request again", first, answer)) return;
  }
  trial.Record(std::string("shuffle ") + (c.forward ? "forward " : "backward ") +
                   spec::NameOf(c.data.type) + " rank " + std::to_string(c.data.rank()),
               first);
  if (first == "accepted") RunShuffle(c, trial);
}

// Every type, direction and rank.
Cases<ShuffleCase> SupportMatrix() {
  constexpr int64_t kTypes = 6, kRanks = 12;
  return {2 * kTypes * kRanks, [](int64_t index, Random& random) {
            ShuffleLimits limits;
            limits.types = {spec::kTypes[index % kTypes]};
            limits.backward = index / kTypes % 2 == 1;
            limits.min_rank = limits.max_rank = static_cast<int>(index / kTypes / 2 + 1);
            return AnyShuffleCase(random, limits);
          }};
}

ShuffleLimits AllLayouts(bool backward) {
  ShuffleLimits limits;
  limits.backward = backward;
  limits.all_layouts = true;
  return limits;
}

ShuffleLimits Backward() {
  ShuffleLimits limits;
  limits.backward = true;
  return limits;
}

const bool kDefined[] = {
    Define<ShuffleCase>(spec::SHU_004, "forward", AnyShuffle(AllLayouts(false)),
                        DescriptorsAreWhatWasGiven, {"gapped", "region", "permuted", "tag"}),
    Define<ShuffleCase>(spec::SHU_004, "backward", AnyShuffle(AllLayouts(true)),
                        DescriptorsAreWhatWasGiven, {"gapped", "region", "permuted", "tag"}),
    Define<ShuffleCase>(spec::SHU_005, "forward", AnyShuffle(), ArgumentsAreSrcAndDst),
    Define<ShuffleCase>(spec::SHU_005, "backward", AnyShuffle(Backward()), ArgumentsAreSrcAndDst),
    Define<ShuffleCase>(spec::SHU_006, "forward", AnyShuffle(), TrainingIsInference),
    Define<Choice>(spec::SHU_006, "others", Choices(NamesOf(KindsOtherThanForward())),
                   OtherKindsAreRefused),
    Define<ShuffleCase>(spec::SHU_006, "everywhere", AnyShuffle(AllLayouts(false)),
                        NoShuffleHasOtherKinds, {"f32"}),
    Define<ShuffleParameters>(spec::SHU_007, "", WrongAxis(), WrongAxisIsRefused,
                              {"below", "above"}),
    Define<ShuffleParameters>(spec::SHU_008, "", WrongGroup(), WrongGroupIsRefused,
                              {"negative", "zero", "between", "above"}),
    Define<ShuffleCase>(spec::SHU_010, "", AnyShuffle(), ForwardAnyIsRefused),
    Define<ShuffleCase>(spec::SHU_013, "", AnyShuffle(Backward()), OtherHint),
    Define<ShuffleCase>(spec::SHU_014, "", AnyShuffle(), RunTimeShapes),
    Define<ShuffleCase>(spec::SHU_022, "hint", AnyShuffle(Backward()), OwnParametersCount),
    Define<ShuffleCase>(spec::SHU_054, "forward", AnyShuffle(), OneTypeForBoth),
    Define<ShuffleCase>(spec::SHU_054, "backward", AnyShuffle(Backward()), OneTypeForBoth),
    Define<ShuffleCase>(spec::SHU_057, "", SupportMatrix(), RefusalsAreStable),
};

}  // namespace
}  // namespace conformance
