#include "conformance/shuffle/run.h"

#include <utility>

#include "conformance/subject/buffers_seen.h"

namespace conformance {
namespace {

// spec/reading.md, "Unsupported is not wrong", and SHU-051 to SHU-056: what need not be offered.
bool MayRefuse(const ShuffleCase& c, const Trial& trial) {
  if (MayRefuseRank(trial, c.data.rank())) return true;
  if (trial.project() && trial.engine() != EngineChoice::kGpu) return false;
  return c.data.type != spec::Type::kF32;
}

std::string Name(const ShuffleCase& c) {
  return std::string("shuffle ") + (c.forward ? "forward" : "backward") + " primitive descriptor";
}

}  // namespace

Asked AskedOf(const ShuffleCase& c) {
  return {"shuffle",
          c.forward ? "forward" : "backward",
          {spec::NameOf(c.data.type)},
          c.data.rank(),
          {}};
}

ShuffleForward::primitive_desc ForwardPd(const dnnl::memory::desc& data, int axis, int group,
                                         const dnnl::engine& engine,
                                         const dnnl::primitive_attr& attr) {
  return {ShuffleForward::desc(dnnl::prop_kind::forward_training, data, axis, group), engine, attr};
}

ShuffleBackward::primitive_desc BackwardPd(const dnnl::memory::desc& data, int axis, int group,
                                           const dnnl::engine& engine,
                                           const dnnl::primitive_attr& attr) {
  const ShuffleForward::primitive_desc hint = ForwardPd(data, axis, group, engine);
  return {ShuffleBackward::desc(data, axis, group), engine, hint, attr};
}

std::optional<dnnl::primitive> PrimitiveFor(const ShuffleCase& c, const dnnl::memory::desc& data,
                                            Device& device, Trial& trial) {
  const int group = static_cast<int>(c.group);
  auto primitive = Attempt([&]() -> dnnl::primitive {
    if (c.forward) return ShuffleForward(ForwardPd(data, c.axis, group, device.engine));
    return ShuffleBackward(BackwardPd(data, c.axis, group, device.engine));
  });
  if (primitive) return std::move(primitive.value);
  if (MayRefuse(c, trial)) {
    trial.Refused(primitive.refusal, AskedOf(c));
  } else {
    trial.Fail(Name(c), "created", primitive.refusal);
  }
  return std::nullopt;
}

bool TakesTheHintsLayout(const TensorSpec& data, const Trial& trial) {
  if (trial.project()) return true;
  const spec::Plain plain = PlainOf(data);
  return plain.offset == 0 && spec::ExtentOf(plain) == spec::ElementCount(data.dims) &&
         JudgeDescriptor(data).portable == spec::Validity::kMustAccept;
}

bool Execute(const dnnl::primitive& shuffle, bool forward, Tensor& from, Tensor& to, Device& device,
             Trial& trial) {
  const auto done = Attempt([&] {
    shuffle.execute(device.stream, {{forward ? DNNL_ARG_SRC : DNNL_ARG_DIFF_DST, from.memory()},
                                    {forward ? DNNL_ARG_DST : DNNL_ARG_DIFF_SRC, to.memory()}});
    device.stream.wait();
  });
  if (!done) trial.Fail("execute and wait", "done", done.refusal);
  return static_cast<bool>(done);
}

std::optional<Shuffled> RunShuffle(const ShuffleCase& c, const std::vector<spec::Bits>& source,
                                   Trial& trial) {
  Device* device = DeviceFor(trial);
  if (device == nullptr) return std::nullopt;
  const auto desc = DescFor(c.data, trial);
  if (!desc) return std::nullopt;
  const auto primitive = PrimitiveFor(c, *desc, *device, trial);
  if (!primitive) return std::nullopt;
  auto from = Attempt([&] { return Tensor(c.data, *desc, *device, c.from, c.seed); });
  auto to = Attempt([&] { return Tensor(c.data, *desc, *device, c.to, ~c.seed); });
  if (!from || !to) {
    trial.Fail("memory", "created", (from ? to : from).refusal);
    return std::nullopt;
  }
  from->Store(source);
  // The old contents differ from the source everywhere: an execution that does nothing shows.
  std::vector<spec::Bits> old = source;
  for (spec::Bits& bits : old) bits ^= 0x55;
  to->Store(old);
  if (!Execute(*primitive, c.forward, *from, *to, *device, trial)) return std::nullopt;
  std::vector<spec::Bits> result = to->Load();
  return Shuffled{std::move(*from), std::move(*to), source, std::move(result)};
}

std::optional<Shuffled> RunShuffle(const ShuffleCase& c, Trial& trial) {
  SawTensor(trial, c.data);
  SawPlacement(trial, c.from);
  SawPlacement(trial, c.to);
  SawValues(trial, c.values);
  trial.Cover(c.forward ? "forward" : "backward");
  if (c.group == 1) trial.Cover("group 1");
  if (c.group == c.size()) trial.Cover("group C");
  if (c.axis != 1) trial.Cover("axis other than 1");
  if (c.axis == 0) trial.Cover("axis 0");
  if (c.axis == c.data.rank() - 1) trial.Cover("last axis");
  return RunShuffle(c, c.Source(), trial);
}

}  // namespace conformance
