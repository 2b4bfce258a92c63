#include "conformance/inner_product/run.h"

#include <cstring>
#include <utility>

#include "conformance/subject/reorder_io.h"

namespace conformance {
namespace {

using dnnl::memory;

// What memory that nobody wrote may hold.
constexpr spec::Bits kGarbage = 0xcd;
constexpr uint64_t kCanaries = 0x1b;

TensorSpec Bytes(int64_t count) { return {spec::Type::kU8, {count}, RowMajor({count})}; }

std::string What(const InnerProductCase& c) {
  return "inner product " + c.AskedFor().prop + " primitive descriptor";
}

}  // namespace

int ArgumentOf(const InnerProductCase& c, Role role) {
  const bool gradient = !c.forward() && (c.Writes(role) || role == kDst);
  switch (role) {
    case kSrc:
      return gradient ? DNNL_ARG_DIFF_SRC : DNNL_ARG_SRC;
    case kWeights:
      return gradient ? DNNL_ARG_DIFF_WEIGHTS : DNNL_ARG_WEIGHTS;
    case kBias:
      return gradient ? DNNL_ARG_DIFF_BIAS : DNNL_ARG_BIAS;
    case kDst:
      return gradient ? DNNL_ARG_DIFF_DST : DNNL_ARG_DST;
  }
  return 0;
}

memory::desc ProductPd::DescOf(Role role) const {
  switch (direction) {
    case Direction::kForward:
      return role == kSrc       ? forward.src_desc()
             : role == kWeights ? forward.weights_desc()
             : role == kBias    ? forward.bias_desc()
                                : forward.dst_desc();
    case Direction::kBackwardData:
      return role == kSrc       ? backward_data.diff_src_desc()
             : role == kWeights ? backward_data.weights_desc()
             : role == kDst     ? backward_data.diff_dst_desc()
                                : memory::desc();
    case Direction::kBackwardWeights:
      break;
  }
  return role == kSrc       ? backward_weights.src_desc()
         : role == kWeights ? backward_weights.diff_weights_desc()
         : role == kBias    ? backward_weights.diff_bias_desc()
                            : backward_weights.diff_dst_desc();
}

dnnl::primitive ProductPd::Primitive() const {
  if (direction == Direction::kForward) return ProductForward(forward);
  if (direction == Direction::kBackwardData) return ProductBackwardData(backward_data);
  return ProductBackwardWeights(backward_weights);
}

std::optional<ProductDescs> DescsFor(const InnerProductCase& c, Trial& trial) {
  ProductDescs descs;
  for (const Role role : kRoles) {
    if (!c.Has(role)) continue;
    if (c.uses[role].any) {
      const auto desc = Attempt([&] { return WithAny(c.uses[role].type, c.DimsOf(role)); });
      if (!trial.Expect(static_cast<bool>(desc), "memory::desc with any", "created",
                        desc.refusal.ToString()))
        return std::nullopt;
      descs[role] = *desc.value;
    } else {
      const auto desc = DescFor(c.TensorOf(role), trial);
      if (!desc) return std::nullopt;
      descs[role] = *desc;
    }
  }
  return descs;
}

dnnl::primitive_attr AttrOf(const InnerProductCase& c) {
  using dnnl::algorithm;
  dnnl::primitive_attr attr;
  const FusedAttributes& fused = c.attributes;
  if (fused.scales != FusedAttributes::kNone) {
    const int mask = fused.scales == FusedAttributes::kCommon ? 0 : 1 << 1;
    attr.set_output_scales(mask, fused.run_time ? std::vector<float>{DNNL_RUNTIME_F32_VAL}
                                                : ScaleValues(fused, c.oc, c.seed));
  }
  dnnl::post_ops ops;
  for (const PostOp& op : fused.post_ops) {
    switch (op.kind) {
      case PostOp::kSum:
        ops.append_sum(op.scale);
        break;
      case PostOp::kRelu:
        ops.append_eltwise(op.scale, algorithm::eltwise_relu, op.alpha, 0);
        break;
      case PostOp::kLinear:
        ops.append_eltwise(op.scale, algorithm::eltwise_linear, op.alpha, op.beta);
        break;
      case PostOp::kClip:
        ops.append_eltwise(op.scale, algorithm::eltwise_clip, op.alpha, op.beta);
        break;
      case PostOp::kAbs:
        ops.append_eltwise(op.scale, algorithm::eltwise_abs, 0, 0);
        break;
      case PostOp::kSquare:
        ops.append_eltwise(op.scale, algorithm::eltwise_square, 0, 0);
        break;
    }
  }
  if (!fused.post_ops.empty()) attr.set_post_ops(ops);
  return attr;
}

ProductForward::primitive_desc HintFor(const InnerProductCase& c, const dnnl::engine& engine) {
  // The types of a forward whose gradients these may be.
  const spec::Type type = c.uses[c.direction == Direction::kBackwardData ? kWeights : kSrc].type;
  return {ProductForward::desc(dnnl::prop_kind::forward_training, WithAny(type, c.DimsOf(kSrc)),
                               WithAny(type, c.DimsOf(kWeights)), WithAny(type, c.DimsOf(kDst))),
          engine};
}

ProductPd MakePd(const InnerProductCase& c, const ProductDescs& descs, const dnnl::engine& engine,
                 const Making& making) {
  dnnl::primitive_attr attr = AttrOf(c);
  if (making.user_scratchpad) attr.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  ProductPd pd;
  pd.direction = c.direction;
  const memory::desc &src = descs[kSrc], &weights = descs[kWeights], &dst = descs[kDst];
  const bool bias = c.Has(kBias);
  if (c.forward()) {
    using Desc = ProductForward::desc;
    const auto desc = bias ? std::make_shared<Desc>(making.kind, src, weights, descs[kBias], dst)
                           : std::make_shared<Desc>(making.kind, src, weights, dst);
    pd.forward = ProductForward::primitive_desc(*desc, attr, engine);
    pd.desc = desc;
    return pd;
  }
  // The fault of a case is the operation's own: its descriptor comes first.
  if (c.direction == Direction::kBackwardData) {
    const auto desc = std::make_shared<ProductBackwardData::desc>(src, weights, dst);
    const auto hint = std::make_shared<ProductForward::primitive_desc>(
        making.hint ? *making.hint : HintFor(c, engine));
    pd.backward_data = ProductBackwardData::primitive_desc(*desc, attr, engine, *hint);
    pd.desc = desc;
    pd.hint = hint;
    return pd;
  }
  using Desc = ProductBackwardWeights::desc;
  const auto desc = bias ? std::make_shared<Desc>(src, weights, descs[kBias], dst)
                         : std::make_shared<Desc>(src, weights, dst);
  const auto hint = std::make_shared<ProductForward::primitive_desc>(
      making.hint ? *making.hint : HintFor(c, engine));
  pd.backward_weights = ProductBackwardWeights::primitive_desc(*desc, attr, engine, *hint);
  pd.desc = desc;
  pd.hint = hint;
  return pd;
}

std::optional<ProductPd> PdFor(const InnerProductCase& c, const ProductDescs& descs, Device& device,
                               Trial& trial, const Making& making) {
  auto pd = Attempt([&] { return MakePd(c, descs, device.engine, making); });
  if (pd) return std::move(pd.value);
  if (pd.refusal.is_error && c.MayRefuse(trial.profile())) {
    trial.Refused(c.AskedFor());
  } else {
    trial.Fail(What(c), "created", pd.refusal.ToString());
  }
  return std::nullopt;
}

std::optional<dnnl::primitive> PrimitiveOf(const ProductPd& pd, Trial& trial) {
  auto primitive = Attempt([&] { return pd.Primitive(); });
  if (!primitive) trial.Fail("primitive of a descriptor", "created", primitive.refusal.ToString());
  return std::move(primitive.value);
}

ProductBench::ProductBench(const InnerProductCase& c, const ProductPd& pd, Device& device)
    : case_(c), device_(device) {
  for (const Role role : kRoles) {
    if (!c.Has(role)) continue;
    Slot& slot = slots_[role];
    slot.opaque = c.uses[role].any;
    const memory::desc desc = pd.DescOf(role);
    const TensorSpec tensor =
        slot.opaque ? Bytes(static_cast<int64_t>(desc.get_size())) : c.TensorOf(role);
    slot.tensor = std::make_unique<Tensor>(tensor, desc, device, c.uses[role].at,
                                           c.seed ^ (kCanaries + static_cast<uint64_t>(role)));
    slot.memory = slot.tensor->memory();
  }
  ProductPd copy = pd;
  const memory::desc scratchpad = copy.With([](auto& one) { return one.scratchpad_desc(); });
  has_scratchpad_ = scratchpad.get_size() > 0;
  if (has_scratchpad_) scratchpad_ = memory(scratchpad, device.engine);
  const std::vector<float> scales = ScaleValues(c.attributes, c.oc, c.seed);
  has_scales_ = c.attributes.run_time && !scales.empty();
  if (has_scales_) {
    scales_ = memory(
        {{static_cast<int64_t>(scales.size())}, memory::data_type::f32, memory::format_tag::a},
        device.engine);
    float* const mapped = scales_.map_data<float>();
    std::memcpy(mapped, scales.data(), scales.size() * sizeof(float));
    scales_.unmap_data(mapped);
  }
}

bool ProductBench::FillOne(Role role, std::vector<spec::Bits>* elements, Trial& trial) {
  Slot& slot = slots_[role];
  if (!slot.tensor) return true;
  if (!slot.opaque) {
    slot.tensor->Store(*elements);
    *elements = slot.stored = slot.tensor->Load();
    return true;
  }
  slot.tensor->Store(std::vector<spec::Bits>(static_cast<size_t>(slot.tensor->bytes()), kGarbage));
  if (elements->empty()) return true;
  if (!WriteViaReorder(*elements, case_.uses[role].type, case_.DimsOf(role), slot.memory, device_,
                       trial))
    return false;
  slot.stored = slot.tensor->Load();
  return true;
}

bool ProductBench::Fill(InnerProductData* data, Trial& trial) {
  for (const Role role : kRoles)
    if (!FillOne(role, &(*data)[role], trial)) return false;
  return true;
}

bool ProductBench::FillInputs(InnerProductData* data, Trial& trial) {
  for (const Role role : kRoles)
    if (!case_.Writes(role) && !FillOne(role, &(*data)[role], trial)) return false;
  return true;
}

std::unordered_map<int, memory> ProductBench::Arguments() {
  std::unordered_map<int, memory> arguments;
  for (const Role role : kRoles)
    if (slots_[role].tensor) arguments.emplace(ArgumentOf(case_, role), slots_[role].memory);
  if (has_scales_) arguments.emplace(DNNL_ARG_ATTR_OUTPUT_SCALES, scales_);
  if (has_scratchpad_) arguments.emplace(DNNL_ARG_SCRATCHPAD, scratchpad_);
  return arguments;
}

bool ProductBench::Execute(const dnnl::primitive& primitive, Trial& trial) {
  const auto done = Attempt([&] {
    primitive.execute(device_.stream, Arguments());
    device_.stream.wait();
  });
  if (!done) trial.Fail("execute and wait", "done", done.refusal.ToString());
  return static_cast<bool>(done);
}

std::optional<InnerProductData> ProductBench::Read(Trial& trial) {
  InnerProductData results;
  for (const Role role : kRoles) {
    Slot& slot = slots_[role];
    if (!slot.tensor || !case_.Writes(role) || spec::IsEmpty(case_.DimsOf(role))) continue;
    if (!slot.opaque) {
      results[role] = slot.tensor->Load();
      continue;
    }
    auto read =
        ReadViaReorder(slot.memory, case_.uses[role].type, case_.DimsOf(role), device_, trial);
    if (!read) return std::nullopt;
    results[role] = std::move(*read);
  }
  return results;
}

bool ProductBench::ExpectFootprint(Trial& trial) {
  for (const Role role : kRoles) {
    Slot& slot = slots_[role];
    if (!slot.tensor) continue;
    const bool written = case_.Writes(role);
    const std::string changed =
        written ? slot.tensor->ChangedGap() : slot.tensor->ChangedByte(slot.stored);
    if (!trial.Expect(changed.empty(),
                      (written ? "outside the elements of " : "") + case_.NameOf(role), "unchanged",
                      changed))
      return false;
  }
  return true;
}

std::optional<RanProduct> RunProduct(const InnerProductCase& c, InnerProductData data, Trial& trial,
                                     const Making& making) {
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return std::nullopt;
  const auto descs = DescsFor(c, trial);
  if (!descs) return std::nullopt;
  auto pd = PdFor(c, *descs, *device, trial, making);
  if (!pd) return std::nullopt;
  auto primitive = PrimitiveOf(*pd, trial);
  if (!primitive) return std::nullopt;
  auto bench = Attempt([&] { return std::make_unique<ProductBench>(c, *pd, *device); });
  if (!bench) {
    trial.Fail("memory", "created", bench.refusal.ToString());
    return std::nullopt;
  }
  RanProduct ran{
      std::move(*pd), std::move(*primitive), std::move(*bench.value), std::move(data), {}};
  if (!ran.bench->Fill(&ran.data, trial) || !ran.bench->Execute(ran.primitive, trial))
    return std::nullopt;
  auto results = ran.bench->Read(trial);
  if (!results) return std::nullopt;
  ran.results = std::move(*results);
  return ran;
}

std::optional<RanProduct> RunProduct(const InnerProductCase& c, Trial& trial,
                                     const Making& making) {
  SawProduct(trial, c);
  return RunProduct(c, DataOf(c), trial, making);
}

bool ExpectOracle(const InnerProductCase& c, const InnerProductData& data,
                  const InnerProductData& results, Trial& trial) {
  const spec::Strictness strictness =
      trial.project() ? spec::Strictness::kProject : spec::Strictness::kPortable;
  for (const Role role : kRoles) {
    if (!c.Has(role) || !c.Writes(role)) continue;
    const spec::Type type = c.uses[role].type;
    const std::vector<ExpectedElement> expected = ExpectedInnerProduct(c, role, data);
    for (size_t k = 0; k < expected.size(); ++k) {
      if (AcceptsElement(expected[k], type, results[role][k], strictness)) continue;
      trial.Fail(ElementName(c.NameOf(role), c.DimsOf(role), static_cast<int64_t>(k)),
                 ToString(expected[k], type, strictness), spec::ToString(type, results[role][k]));
      return false;
    }
  }
  return true;
}

void IsTheFormula(const InnerProductCase& c, Trial& trial) {
  const auto ran = RunProduct(c, trial);
  if (ran) ExpectOracle(c, ran->data, ran->results, trial);
}

void RefusedOrRight(const InnerProductCase& c, Trial& trial) {
  SawProduct(trial, c);
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  const auto descs = DescsFor(c, trial);
  if (!descs) return;
  const auto pd = Attempt([&] { return MakePd(c, *descs, device->engine); });
  if (pd) {
    const auto ran = RunProduct(c, DataOf(c), trial);
    if (ran) ExpectOracle(c, ran->data, ran->results, trial);
    return;
  }
  trial.Expect(pd.refusal.is_error, "primitive descriptor", "created, or refused by a dnnl::error",
               pd.refusal.ToString());
  const auto again = Attempt([&] { return MakePd(c, *descs, device->engine); });
  trial.Expect(!again, "the same again", "refused too", "created");
}

bool ExpectSameResults(const InnerProductCase& c, const std::string& what,
                       const InnerProductData& expected, const InnerProductData& results,
                       Trial& trial) {
  for (const Role role : kRoles) {
    if (!c.Has(role) || !c.Writes(role)) continue;
    const spec::Type type = c.uses[role].type;
    for (size_t k = 0; k < expected[role].size(); ++k) {
      const spec::Bits wanted = expected[role][k], got = results[role][k];
      if (wanted == got || (spec::IsZero(type, wanted) && spec::IsZero(type, got))) continue;
      trial.Fail(ElementName(c.NameOf(role), c.DimsOf(role), static_cast<int64_t>(k)) + " " + what,
                 spec::ToString(type, wanted), spec::ToString(type, got));
      return false;
    }
  }
  return true;
}

void SawProduct(Trial& trial, const InnerProductCase& c) {
  for (const std::string& name : ClassesOf(c)) trial.Cover(name);
}

}  // namespace conformance
