#include "conformance/model/resolve.h"

#include <utility>

#include "conformance/memory/descriptors.h"
#include "conformance/subject/reorder_io.h"
#include "conformance/subject/same_copy.h"

namespace conformance {

using spec::Bits;

namespace {

// What an inner product makes of `any` for a source like the tensor of `c`, in every fourth case.
// nullopt where it takes no such source.
std::optional<dnnl::memory::desc> ChosenFor(const ShuffleCase& c, const dnnl::engine& engine) {
  using spec::Type;
  const Type type = c.data.type;
  const bool floats = type == Type::kF32 || type == Type::kBF16 || type == Type::kF16;
  if (Mix(c.seed) % 4 != 0 || c.data.rank() < 2 || c.data.rank() > 5) return std::nullopt;
  constexpr int64_t kOutputs = 5;
  const spec::Dims src = c.data.dims, dst{src[0], kOutputs};
  spec::Dims weights = src;
  weights[0] = kOutputs;
  const auto made = Attempt([&] {
    const dnnl::inner_product_forward::desc desc(
        dnnl::prop_kind::forward_inference, WithAny(type, src),
        WithAny(floats ? type : Type::kS8, weights),
        MakeDesc({floats ? type : Type::kS32, dst, RowMajor(dst)}));
    return dnnl::inner_product_forward::primitive_desc(desc, engine).src_desc();
  });
  if (!made) return std::nullopt;
  return *made.value;
}

}  // namespace

std::optional<Resolved> Resolve(const ShuffleCase& c, Trial& trial) {
  SawTensor(trial, c.data);
  if (trial.portable() && PlainOf(c.data).offset != 0) {
    trial.Vacuous();
    return std::nullopt;
  }
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return std::nullopt;
  const auto plain = DescFor(c.data, trial);
  if (!plain) return std::nullopt;
  // Whether there is such a shuffle at all is another chapter's business, and another claim's.
  Trial of_plain(trial.profile(), trial.engine());
  if (!PrimitiveFor(c, *plain, *device, of_plain)) {
    trial.NotRun("no backward shuffle of the plain descriptor: " +
                 (of_plain.failed() ? of_plain.got() : of_plain.reason()));
    return std::nullopt;
  }
  const auto chosen = ChosenFor(c, device->engine);
  if (chosen) trial.Cover("chosen");
  auto resolved = Attempt([&] {
    Resolved made;
    const int group = static_cast<int>(c.group);
    made.device = device;
    made.plain = *plain;
    made.given = chosen ? *chosen : *plain;
    made.chosen = chosen.has_value();
    made.any = WithAny(c.data.type, c.data.dims);
    made.hint = ForwardPd(made.given, c.axis, group, device->engine);
    made.pd = {ShuffleBackward::desc(made.any, c.axis, group), device->engine, made.hint};
    made.diff_dst = made.pd.diff_dst_desc();
    made.diff_src = made.pd.diff_src_desc();
    return made;
  });
  if (!resolved) {
    trial.Fail("backward with format_tag::any", "created", resolved.refusal);
    return std::nullopt;
  }
  return std::move(resolved.value);
}

ShuffleCase InOtherLayout(const ShuffleCase& c) {
  Random random(Mix(c.seed + 1));
  LayoutLimits limits;
  limits.regions = limits.odd_unit_strides = false;
  ShuffleCase other = c;
  other.data = AnyTensor(random, c.data.type, c.data.dims, limits);
  return other;
}

std::vector<Bits> PlainValues(const ShuffleCase& c) {
  ShuffleCase plain = c;
  plain.values = ValueKind::kIndex;
  return plain.Source();
}

Tensor OpaqueTensor(const dnnl::memory::desc& desc, const ShuffleCase& c,
                    const Placement& placement, Device& device) {
  const auto bytes = static_cast<int64_t>(desc.get_size());
  const int element_bytes = spec::BytesOf(c.data.type);
  // Handles are aligned for the type.
  Placement at = placement;
  at.shift *= element_bytes;
  if (at.edge == Placement::Edge::kEnd && bytes % element_bytes != 0) at = {};
  Tensor tensor({spec::Type::kU8, {bytes}, RowMajor({bytes})}, desc, device, at, c.seed);
  std::vector<Bits> pattern(static_cast<size_t>(bytes));
  for (size_t i = 0; i < pattern.size(); ++i) pattern[i] = Mix(c.seed + i) & 0xff;
  tensor.Store(pattern);
  return tensor;
}

std::optional<Tensor> Holding(const std::vector<Bits>& values, const dnnl::memory::desc& desc,
                              const ShuffleCase& c, Device& device, Trial& trial) {
  Tensor tensor = OpaqueTensor(desc, c, c.from, device);
  if (!WriteViaReorder(values, c.data.type, c.data.dims, tensor.memory(), device, trial))
    return std::nullopt;
  return tensor;
}

bool ExpectHolds(Trial& trial, const std::string& name, const std::vector<Bits>& expected,
                 Tensor& tensor, const ShuffleCase& c, Device& device) {
  const auto got = ReadViaReorder(tensor.memory(), c.data.type, c.data.dims, device, trial);
  if (!got || !ExpectSameCopy(trial, name, c.data.type, c.data.dims, expected, *got)) return false;
  const std::string changed = tensor.ChangedGap();
  return trial.Expect(changed.empty(), name + " beyond get_size()", "untouched", changed);
}

std::optional<std::vector<Bits>> RunResolved(const ShuffleCase& c, const Resolved& resolved,
                                             const std::vector<Bits>& source, Trial& trial) {
  Device& device = *resolved.device;
  auto from = Holding(source, resolved.diff_dst, c, device, trial);
  if (!from) return std::nullopt;
  Tensor to = OpaqueTensor(resolved.diff_src, c, c.to, device);
  const auto shuffle = Attempt([&] { return ShuffleBackward(resolved.pd); });
  if (!shuffle) {
    trial.Fail("the primitive that was made with format_tag::any", "created", shuffle.refusal);
    return std::nullopt;
  }
  if (!Execute(*shuffle.value, false, *from, to, device, trial)) return std::nullopt;
  auto result = ReadViaReorder(to.memory(), c.data.type, c.data.dims, device, trial);
  if (!result || !ExpectHolds(trial, "diff_dst after execution", source, *from, c, device))
    return std::nullopt;
  const std::string changed = to.ChangedGap();
  if (!trial.Expect(changed.empty(), "diff_src beyond get_size()", "untouched", changed))
    return std::nullopt;
  return result;
}

void ExpectRunsRight(const ShuffleCase& c, const Resolved& resolved, Trial& trial) {
  const std::vector<Bits> source = PlainValues(c), expected = ExpectedShuffle(c, source);
  const auto result = RunResolved(c, resolved, source, trial);
  if (!result) return;
  ExpectSameBits(trial, "what was read of diff_src", c.data.type, c.data.dims, expected, *result);
  if (expected == source) trial.Vacuous();
}

Cases<ShuffleCase> AnyResolvedShuffle() {
  ShuffleLimits limits;
  limits.backward = true;
  limits.all_layouts = true;
  return AnyShuffle(limits);
}

}  // namespace conformance
