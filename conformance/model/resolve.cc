#include "conformance/model/resolve.h"

#include <cstddef>
#include <cstdint>
#include <utility>

#include "conformance/memory/descriptors.h"
#include "conformance/subject/reorder_io.h"
#include "conformance/subject/same_copy.h"

namespace conformance {

using dnnl::memory;
using spec::Bits;

namespace {

// Types of an inner product or a convolution for which `type` is that of its source or weights, and
// of what they give.
struct ProductTypes {
  spec::Type src, weights, dst;
};

std::optional<ProductTypes> TypesAround(spec::Type type, bool weights) {
  using spec::Type;
  if (spec::IsFloat(type)) return ProductTypes{type, type, type};
  if (weights)
    return type == Type::kS8 ? std::optional(ProductTypes{Type::kU8, type, Type::kS32})
                             : std::nullopt;
  return ProductTypes{type, Type::kS8, Type::kS32};
}

// Of a source, or of weights, with these dims.
memory::desc ChosenByProduct(const spec::Dims& dims, const ProductTypes& types, bool weights,
                             const dnnl::engine& engine) {
  constexpr int64_t kOther = 5;  // outputs, or rows
  spec::Dims src = dims, wei = dims;
  (weights ? src : wei)[0] = kOther;
  const spec::Dims dst{src[0], wei[0]};
  const dnnl::inner_product_forward::desc desc(dnnl::prop_kind::forward_inference,
                                               WithAny(types.src, src), WithAny(types.weights, wei),
                                               MakeDesc({types.dst, dst, RowMajor(dst)}));
  const dnnl::inner_product_forward::primitive_desc pd(desc, engine);
  return weights ? pd.weights_desc() : pd.src_desc();
}

// Of weights with these dims, the first of which are groups or outputs: for one picture that is as
// large as the kernel.
memory::desc ChosenByConvolution(const spec::Dims& dims, const ProductTypes& types, bool groups,
                                 const dnnl::engine& engine) {
  const size_t first = groups ? 1 : 0, axes = dims.size() - first - 2;
  const int64_t count = groups ? dims[0] : 1;
  spec::Dims src{1, count * dims[first + 1]}, dst{1, count * dims[first]};
  src.insert(src.end(), dims.end() - static_cast<std::ptrdiff_t>(axes), dims.end());
  dst.insert(dst.end(), axes, 1);
  const spec::Dims ones(axes, 1), zeros(axes, 0);
  const dnnl::convolution_forward::desc desc(dnnl::prop_kind::forward_inference,
                                             dnnl::algorithm::convolution_direct,
                                             WithAny(types.src, src), WithAny(types.weights, dims),
                                             WithAny(types.dst, dst), ones, zeros, zeros);
  return dnnl::convolution_forward::primitive_desc(desc, engine).weights_desc();
}

// In half of the cases, what an inner product or a convolution makes of `any` for a source or for
// weights like the tensor of `c`: the layouts of weights have blocks. nullopt where none takes
// such a tensor, or where a shuffle does not take it as it was chosen.
std::optional<memory::desc> ChosenFor(const ShuffleCase& c, const dnnl::engine& engine,
                                      Trial& trial) {
  const uint64_t ticket = Mix(c.seed) % 16;
  const spec::Dims& dims = c.data.dims;
  const bool weights = ticket < 6, convolution = ticket < 3;
  const auto types = TypesAround(c.data.type, weights);
  if (ticket >= 8 || !types || spec::IsEmpty(dims) || c.data.rank() < (convolution ? 3 : 2) ||
      c.data.rank() > (convolution ? 6 : 5))
    return std::nullopt;
  // Portable: what is stored of integer weights need not be the weights.
  if (weights && trial.portable() && !spec::IsFloat(c.data.type)) return std::nullopt;
  const bool groups = c.data.rank() == 6 || (c.data.rank() > 3 && ticket == 0);
  const auto made = Attempt([&] {
    auto chosen = convolution ? ChosenByConvolution(dims, *types, groups, engine)
                              : ChosenByProduct(dims, *types, weights, engine);
    ForwardPd(chosen, c.axis, static_cast<int>(c.group), engine);
    return chosen;
  });
  // Checks look at every byte: blocks of a few elements are padded to many times as much.
  constexpr size_t kMostPadding = 1 << 14;
  const auto bytes = static_cast<size_t>(spec::ElementCount(dims) * spec::BytesOf(c.data.type));
  if (!made || made.value->get_size() > 2 * bytes + kMostPadding) return std::nullopt;
  if (weights) trial.Cover(convolution ? "chosen filters" : "chosen weights");
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
  const auto chosen = ChosenFor(c, device->engine, trial);
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
