#include "conformance/subject/computation.h"

#include <cstring>
#include <utility>

#include "conformance/subject/reorder_io.h"

namespace conformance {
namespace {

using dnnl::memory;

// What memory that nobody wrote may hold.
constexpr spec::Bits kGarbage = 0xcd;
constexpr uint64_t kCanaries = 0x1b;

dnnl::algorithm AlgorithmOf(PostOp::Kind kind) {
  using dnnl::algorithm;
  switch (kind) {
    case PostOp::kSum:
      break;
    case PostOp::kRelu:
      return algorithm::eltwise_relu;
    case PostOp::kLinear:
      return algorithm::eltwise_linear;
    case PostOp::kClip:
      return algorithm::eltwise_clip;
    case PostOp::kAbs:
      return algorithm::eltwise_abs;
    case PostOp::kSquare:
      return algorithm::eltwise_square;
    case PostOp::kTanh:
      return algorithm::eltwise_tanh;
    case PostOp::kElu:
      return algorithm::eltwise_elu;
    case PostOp::kSqrt:
      return algorithm::eltwise_sqrt;
    case PostOp::kBoundedRelu:
      return algorithm::eltwise_bounded_relu;
    case PostOp::kSoftRelu:
      return algorithm::eltwise_soft_relu;
    case PostOp::kLogistic:
      return algorithm::eltwise_logistic;
    case PostOp::kExp:
      return algorithm::eltwise_exp;
    case PostOp::kGeluTanh:
      return algorithm::eltwise_gelu_tanh;
    case PostOp::kSwish:
      return algorithm::eltwise_swish;
    case PostOp::kLog:
      return algorithm::eltwise_log;
    case PostOp::kPow:
      return algorithm::eltwise_pow;
    case PostOp::kGeluErf:
      return algorithm::eltwise_gelu_erf;
    case PostOp::kRound:
      return algorithm::eltwise_round;
  }
  return algorithm::undef;
}

TensorSpec Bytes(int64_t count) { return {spec::Type::kU8, {count}, RowMajor({count})}; }

}  // namespace

int ArgumentOf(const Computation& c, Role role) {
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

std::optional<ComputationDescs> DescsFor(const Computation& c, Trial& trial) {
  ComputationDescs descs;
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

dnnl::primitive_attr AttrOf(const Computation& c) {
  dnnl::primitive_attr attr;
  const FusedAttributes& fused = c.attributes;
  if (fused.scales != FusedAttributes::kNone) {
    const int mask = fused.scales == FusedAttributes::kCommon ? 0 : 1 << 1;
    attr.set_output_scales(mask, fused.run_time ? std::vector<float>{DNNL_RUNTIME_F32_VAL}
                                                : ScaleValues(fused, c.channels(), c.seed));
  }
  dnnl::post_ops ops;
  for (const PostOp& op : fused.post_ops) {
    if (op.kind == PostOp::kSum) {
      ops.append_sum(op.scale);
    } else {
      ops.append_eltwise(op.scale, AlgorithmOf(op.kind), op.alpha, op.beta);
    }
  }
  if (!fused.post_ops.empty()) attr.set_post_ops(ops);
  return attr;
}

ComputationDescs AnyDescs(const Computation& c, spec::Type type) {
  ComputationDescs descs;
  for (const Role role : {kSrc, kWeights, kDst}) descs[role] = WithAny(type, c.DimsOf(role));
  return descs;
}

ComputationBench::ComputationBench(const Computation& c, const ComputationDescs& resolved,
                                   const memory::desc& scratchpad, Device& device)
    : device_(device) {
  for (const Role role : kRoles) {
    if (!c.Has(role)) continue;
    Slot& slot = slots_[role];
    slot.opaque = c.uses[role].any;
    slot.written = c.Writes(role);
    slot.argument = ArgumentOf(c, role);
    slot.name = c.NameOf(role);
    slot.type = c.uses[role].type;
    slot.dims = c.DimsOf(role);
    const memory::desc& desc = resolved[role];
    const TensorSpec tensor =
        slot.opaque ? Bytes(static_cast<int64_t>(desc.get_size())) : c.TensorOf(role);
    // In memory of its own: nothing is computed in place (CONV-170).
    slot.tensor = std::make_unique<Tensor>(tensor, desc, device, c.uses[role].at,
                                           c.seed ^ (kCanaries + static_cast<uint64_t>(role)));
    slot.memory = slot.tensor->memory();
  }
  has_scratchpad_ = scratchpad.get_size() > 0;
  if (has_scratchpad_) {
    const TensorSpec bytes = Bytes(static_cast<int64_t>(scratchpad.get_size()));
    const Placement at = {Placement::Edge::kMiddle, static_cast<int64_t>(Mix(c.seed) % 64)};
    scratchpad_bytes_ = std::make_unique<Tensor>(bytes, scratchpad, device, at, c.seed);
    scratchpad_bytes_->Store(std::vector<spec::Bits>(static_cast<size_t>(bytes.dims[0]), kGarbage));
    scratchpad_ = scratchpad_bytes_->memory();
  }
  const std::vector<float> scales = ScaleValues(c.attributes, c.channels(), c.seed);
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

bool ComputationBench::FillOne(Slot* slot, std::vector<spec::Bits>* elements, Trial& trial) {
  if (!slot->tensor) return true;
  if (!slot->opaque) {
    slot->tensor->Store(*elements);
    *elements = slot->stored = slot->tensor->Load();
    return true;
  }
  slot->tensor->Store(
      std::vector<spec::Bits>(static_cast<size_t>(slot->tensor->bytes()), kGarbage));
  if (elements->empty()) return true;
  if (!WriteViaReorder(*elements, slot->type, slot->dims, slot->memory, device_, trial))
    return false;
  slot->stored = slot->tensor->Load();
  return true;
}

bool ComputationBench::Fill(ComputedData* data, Trial& trial) {
  for (const Role role : kRoles)
    if (!FillOne(&slots_[role], &(*data)[role], trial)) return false;
  return true;
}

bool ComputationBench::FillInputs(ComputedData* data, Trial& trial) {
  for (const Role role : kRoles)
    if (!slots_[role].written && !FillOne(&slots_[role], &(*data)[role], trial)) return false;
  return true;
}

std::unordered_map<int, memory> ComputationBench::Arguments() {
  std::unordered_map<int, memory> arguments;
  for (const Slot& slot : slots_)
    if (slot.tensor) arguments.emplace(slot.argument, slot.memory);
  if (has_scales_) arguments.emplace(DNNL_ARG_ATTR_OUTPUT_SCALES, scales_);
  if (has_scratchpad_) arguments.emplace(DNNL_ARG_SCRATCHPAD, scratchpad_);
  return arguments;
}

bool ComputationBench::Execute(const dnnl::primitive& primitive, Trial& trial) {
  const auto done = Attempt([&] {
    primitive.execute(device_.stream, Arguments());
    device_.stream.wait();
  });
  if (!done) trial.Fail("execute and wait", "done", done.refusal);
  return static_cast<bool>(done);
}

std::optional<ComputedData> ComputationBench::Read(Trial& trial) {
  ComputedData results;
  for (const Role role : kRoles) {
    Slot& slot = slots_[role];
    if (!slot.tensor || !slot.written || spec::IsEmpty(slot.dims)) continue;
    if (!slot.opaque) {
      results[role] = slot.tensor->Load();
      continue;
    }
    auto read = ReadViaReorder(slot.memory, slot.type, slot.dims, device_, trial);
    if (!read) return std::nullopt;
    results[role] = std::move(*read);
  }
  return results;
}

bool ComputationBench::ExpectFootprint(Trial& trial) {
  for (Slot& slot : slots_) {
    if (!slot.tensor) continue;
    const std::string changed =
        slot.written ? slot.tensor->ChangedGap() : slot.tensor->ChangedByte(slot.stored);
    if (!trial.Expect(changed.empty(), (slot.written ? "outside the elements of " : "") + slot.name,
                      "unchanged", changed))
      return false;
  }
  const std::string changed = has_scratchpad_ ? scratchpad_bytes_->ChangedGap() : "";
  return trial.Expect(changed.empty(), "outside the scratchpad", "unchanged", changed);
}

bool ExpectElements(const Computation& c, Role role, const std::vector<ExpectedElement>& expected,
                    const std::vector<spec::Bits>& results, Trial& trial) {
  const spec::Strictness strictness =
      trial.project() ? spec::Strictness::kProject : spec::Strictness::kPortable;
  const spec::Type type = c.uses[role].type;
  for (size_t k = 0; k < expected.size(); ++k) {
    if (AcceptsElement(expected[k], type, results[k], strictness)) continue;
    trial.Fail(ElementName(c.NameOf(role), c.DimsOf(role), static_cast<int64_t>(k)),
               ToString(expected[k], type, strictness), spec::ToString(type, results[k]));
    return false;
  }
  return true;
}

bool ExpectSameResults(const Computation& c, const std::string& what, const ComputedData& expected,
                       const ComputedData& results, Trial& trial) {
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

}  // namespace conformance
