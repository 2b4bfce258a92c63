// Checks that inner product and convolution share: given layouts, and what `any` becomes. A Case is
// as computation.h says, and has its extents mb, ic and oc.
#ifndef DNNSPEC_CONFORMANCE_SUBJECT_COMPUTATION_LAYOUTS_H_
#define DNNSPEC_CONFORMANCE_SUBJECT_COMPUTATION_LAYOUTS_H_

#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "conformance/case/trial.h"
#include "conformance/gen/values.h"
#include "conformance/subject/attempt.h"
#include "conformance/subject/computation.h"
#include "conformance/subject/computation_model.h"
#include "conformance/subject/descriptor_text.h"
#include "conformance/subject/expect.h"
#include "conformance/subject/primitive_cache.h"
#include "conformance/subject/reorder_io.h"
#include "conformance/subject/same_copy.h"
#include "oneapi/dnnl/dnnl.hpp"

namespace conformance {

// A tensor that is given keeps its descriptor, and the result is right.
template <class Case>
void GivenLayoutsAreUsed(const Case& c, Trial& trial) {
  const auto ran = Run(c, trial);
  if (!ran) return;
  for (const Role role : kRoles)
    if (c.Has(role) && !c.uses[role].any &&
        !ExpectDescriptor(trial, "the getter of " + c.NameOf(role), "the descriptor given",
                          MakeDesc(c.TensorOf(role)), ran->pd.DescOf(role)))
      return;
  ExpectOracle(c, ran->data, ran->results, trial);
}

// Holds the descriptor of the case; `trial` has the reason if there is none.
template <class Case>
struct Resolved {
  Device* device = nullptr;
  ComputationDescs given;
  ComputationPd<Case> pd;
};

template <class Case>
std::optional<Resolved<Case>> ResolvedOf(const Case& c, Trial& trial) {
  Cover(trial, c);
  Resolved<Case> resolved;
  resolved.device = DeviceFor(trial);
  if (resolved.device == nullptr) return std::nullopt;
  const auto descs = DescsFor(c, trial);
  if (!descs) return std::nullopt;
  resolved.given = *descs;
  auto pd = PdFor(c, *descs, *resolved.device, trial);
  if (!pd) return std::nullopt;
  resolved.pd = std::move(*pd);
  return resolved;
}

inline bool AnyAtAll(const Computation& c) {
  for (const Role role : kRoles)
    if (c.Has(role) && c.uses[role].any) return true;
  return false;
}

inline bool ExpectSameSize(Trial& trial, const std::string& name,
                           const dnnl::memory::desc& expected, const dnnl::memory::desc& got) {
  return trial.Expect(got.get_size() == expected.get_size(), "get_size() of " + name,
                      std::to_string(expected.get_size()), std::to_string(got.get_size()));
}

// Fails unless both tell the same layouts.
template <class Case>
bool ExpectSameLayouts(const Case& c, const ComputationPd<Case>& a, const ComputationPd<Case>& b,
                       const std::string& when, Trial& trial) {
  for (const Role role : kRoles) {
    if (!c.Has(role)) continue;
    const dnnl::memory::desc first = a.DescOf(role), second = b.DescOf(role);
    const std::string name = c.NameOf(role) + " " + when;
    if (!ExpectDescriptor(trial, name, "the same descriptor", first, second) ||
        !ExpectSameSize(trial, name, first, second))
      return false;
  }
  return true;
}

template <class Case>
void ResolutionIsStable(const Case& c, Trial& trial) {
  const auto first = ResolvedOf(c, trial);
  if (!first) return;
  if (!AnyAtAll(c)) trial.Vacuous();
  const dnnl::engine& engine = first->device->engine;
  ForgetPrimitives();
  const auto again = Attempt([&] { return MakePd(c, first->given, engine); });
  if (!ExpectAccepted(trial, again, "the same again") ||
      !ExpectSameLayouts(c, first->pd, *again.value, "made again", trial))
    return;
  // Others in between, of other sizes.
  for (const int64_t batch : {int64_t{1}, int64_t{64}}) {
    Case other = c;
    other.mb = batch;
    for (TensorUse& use : other.uses) use.any = true;
    const auto descs = DescsFor(other, trial);
    if (!descs) return;
    const auto made = Attempt([&] { return MakePd(other, *descs, engine); });
    if (!made && !ExpectUnsupported(trial, made.refusal, "another batch")) return;
  }
  // And of another direction, and other types.
  Case other = c;
  other.direction = kDirections[(static_cast<size_t>(c.direction) + 1) % 3];
  const bool narrow = c.uses[kWeights].type == spec::Type::kF32;
  const Types types =
      narrow ? FloatTypes(other.direction).front() : EveryType(other.direction).front();
  for (const Role role : kRoles) other.uses[role].type = types[role];
  other.bias = false;
  other.attributes = {};
  other.SetAny(true);
  const auto descs = DescsFor(other, trial);
  if (!descs) return;
  Attempt([&] { return MakePd(other, *descs, engine); });
  ForgetPrimitives();
  Attempted<ComputationPd<Case>> later;
  std::thread([&] { later = Attempt([&] { return MakePd(c, first->given, engine); }); }).join();
  if (ExpectAccepted(trial, later, "the same in another thread"))
    ExpectSameLayouts(c, first->pd, *later.value, "made after others in another thread", trial);
}

// Weights of a batch of one, brought to what a batch of 64 wants.
template <class Case>
void WeightsOfBatchesAreReordered(const Case& drawn, Trial& trial) {
  Case one = drawn, many = drawn;
  one.mb = 1;
  many.mb = 64;
  for (Case* c : {&one, &many})
    for (TensorUse& use : c->uses) use.any = true;
  const auto from = ResolvedOf(one, trial), to = ResolvedOf(many, trial);
  if (!from || !to) return;
  const dnnl::memory::desc first = from->pd.DescOf(kWeights), second = to->pd.DescOf(kWeights);
  trial.Cover(first == second ? "equal" : "different");
  Device& device = *from->device;
  dnnl::memory a(first, device.engine), b(second, device.engine);
  const std::vector<spec::Bits> values = DataOf(drawn)[kWeights];
  const spec::Type type = drawn.uses[kWeights].type;
  const spec::Dims dims = drawn.DimsOf(kWeights);
  if (!WriteViaReorder(values, type, dims, a, device, trial)) return;
  const auto reorder = Attempt([&] { return dnnl::reorder(a, b); });
  if (!reorder)
    return trial.Deviate("reorder of weights between batch sizes", "created",
                         reorder.refusal.ToString());
  reorder.value->execute(device.stream, a, b);
  device.stream.wait();
  const auto read = ReadViaReorder(b, type, dims, device, trial);
  if (read) ExpectSameCopy(trial, "weights", type, dims, values, *read);
}

template <class Case>
void ResolvedIsADescriptor(const Case& c, Trial& trial) {
  const auto made = ResolvedOf(c, trial);
  if (!made) return;
  Case wider = c;
  ++wider.ic;
  ++wider.oc;
  for (const Role role : kRoles)
    if (!wider.uses[role].any) wider.uses[role].layout = Plainest(wider.DimsOf(role));
  const auto other_descs = DescsFor(wider, trial);
  if (!other_descs) return;
  const auto other = PdFor(wider, *other_descs, *made->device, trial);
  if (!other) return;
  for (const Role role : kRoles) {
    if (!c.Has(role) || !c.uses[role].any) continue;
    const spec::Dims dims = c.DimsOf(role);
    const spec::Type type = c.uses[role].type;
    const dnnl::memory::desc desc = made->pd.DescOf(role), copy = desc;
    const std::string name = "what any became of " + c.NameOf(role);
    const auto least = static_cast<uint64_t>(spec::ElementCount(dims) * spec::BytesOf(type));
    const bool held =
        trial.Expect(desc.dims() == dims, name, "the dims given (" + Join(dims, 'x') + ")",
                     "others (" + TextOf(desc) + ")") &&
        ExpectType(trial, "the type of " + name, DataTypeOf(type), desc.data_type()) &&
        trial.Expect(desc != WithAny(type, dims), name, "a layout", "any") &&
        trial.Expect(desc == copy && !(desc != copy), name, "equal to its copy", "unequal") &&
        trial.Expect(desc != other->DescOf(role), name, "unlike that of other dims", "equal") &&
        trial.Expect(desc.get_size() >= least, "get_size() of " + name,
                     "at least " + std::to_string(least), std::to_string(desc.get_size()));
    if (!held) return;
    const auto holder = Attempt([&] { return dnnl::memory(desc, made->device->engine); });
    if (!ExpectAccepted(trial, holder, "memory of " + name)) return;
    if (role == kBias && !ExpectDescriptor(trial, name, "the dense descriptor",
                                           MakeDesc({type, dims, Plainest(dims)}), desc))
      return;
  }
  if (!AnyAtAll(c)) trial.Vacuous();
}

template <class Case>
void ReordersGoThereAndBack(const Case& c, Trial& trial) {
  const auto made = ResolvedOf(c, trial);
  if (!made) return;
  Device& device = *made->device;
  const ComputedData data = DataOf(c);
  if (!AnyAtAll(c)) trial.Vacuous();
  for (const Role role : kRoles) {
    if (!c.Has(role) || !c.uses[role].any) continue;
    // Portable: what is stored of integer weights need not be the weights.
    if (trial.portable() && role == kWeights && c.integral()) continue;
    const spec::Type type = c.uses[role].type;
    const spec::Dims dims = c.DimsOf(role);
    const dnnl::memory::desc opaque = made->pd.DescOf(role),
                             plain = MakeDesc({type, dims, Plainest(dims)});
    const std::string name = c.NameOf(role);
    const auto in = Attempt(
        [&] { return dnnl::reorder::primitive_desc(device.engine, plain, device.engine, opaque); });
    const auto out = Attempt(
        [&] { return dnnl::reorder::primitive_desc(device.engine, opaque, device.engine, plain); });
    if (!ExpectAccepted(trial, in, "a reorder from plain to what any became of " + name) ||
        !ExpectAccepted(trial, out, "a reorder to plain from what any became of " + name))
      return;
    const auto held = Attempt([&] { return dnnl::memory(opaque, device.engine); });
    if (!ExpectAccepted(trial, held, "memory of what any became of " + name)) return;
    const std::vector<spec::Bits> values =
        Values(ValueKind::kMixed, type, type, c.seed, spec::ElementCount(dims));
    if (!WriteViaReorder(values, type, dims, *held.value, device, trial)) return;
    const auto read = ReadViaReorder(*held.value, type, dims, device, trial);
    if (!read || !ExpectSameCopy(trial, name, type, dims, values, *read)) return;
  }
}

// OPT-008, OPT-009, OPT-014: what `any` became is used when its primitive descriptor is gone. Its
// bytes mean the same in another memory of an equal descriptor, and in one that they are attached
// to.
template <class Case>
void BytesGoWithTheDescriptor(const Case& c, Trial& trial) {
  auto made = ResolvedOf(c, trial);
  if (!made) return;
  if (!AnyAtAll(c)) trial.Vacuous();
  Device& device = *made->device;
  const ComputationDescs given = made->given;
  for (const Role role : kRoles) {
    if (!c.Has(role) || !c.uses[role].any) continue;
    // As in ReordersGoThereAndBack.
    if (trial.portable() && role == kWeights && c.integral()) continue;
    const spec::Type type = c.uses[role].type;
    const spec::Dims dims = c.DimsOf(role);
    const dnnl::memory::desc opaque = made->pd.DescOf(role);
    dnnl::memory first(opaque, device.engine);
    const std::vector<spec::Bits> values =
        Values(ValueKind::kIndex, type, type, c.seed, spec::ElementCount(dims));
    if (!WriteViaReorder(values, type, dims, first, device, trial)) return;
    // Made again, when nothing is left of the first one.
    made.reset();
    const auto again = Attempt([&] { return MakePd(c, given, device.engine); });
    if (!ExpectAccepted(trial, again, "the same again")) return;
    const std::string name = "what any became of " + c.NameOf(role);
    const dnnl::memory::desc equal = again.value->DescOf(role);
    if (!ExpectDescriptor(trial, name + " again", "the same descriptor", opaque, equal) ||
        !ExpectSameSize(trial, name + " again", opaque, equal))
      return;
    const dnnl::memory second(equal, device.engine);
    void *const from = first.map_data(), *const to = second.map_data();
    std::memcpy(to, from, opaque.get_size());
    first.unmap_data(from);
    second.unmap_data(to);
    dnnl::memory attached(opaque, device.engine, DNNL_MEMORY_NONE);
    attached.set_data_handle(second.get_data_handle());
    for (const dnnl::memory& holder : {first, second, attached}) {
      const auto read = ReadViaReorder(holder, type, dims, device, trial);
      if (!read || !ExpectSameCopy(trial, name, type, dims, values, *read)) return;
    }
    made = ResolvedOf(c, trial);
    if (!made) return;
  }
}

// Every second case of f32, in any direction; the others of the types that `types` gives of one.
template <class Case, class Limits>
Cases<Case> OfTypesInTurn(Cases<Case> (*any)(const Limits& limits),
                          std::vector<Types> (*types)(Direction direction),
                          const TensorLimits& tensors, int64_t count) {
  Limits limits;
  static_cast<TensorLimits&>(limits) = tensors;
  limits.most_products = 1 << 13;
  std::vector<Cases<Case>> all(3, any(limits));
  for (const Direction direction : kDirections) {
    Limits narrow = limits;
    narrow.directions = {direction};
    narrow.types = types(direction);
    all.push_back(any(narrow));
  }
  return {count, [all](int64_t index, Random& random) {
            return all[static_cast<size_t>(index % 2 * 3 + index / 2 % 3)].at(index, random);
          }};
}

// Sums and products that want all bits of f32.
template <class Limits>
Limits ManyBits() {
  Limits limits;
  limits.numbers = {Numbers::kFloats};
  limits.most_products = 1 << 12;
  limits.count = 60;
  return limits;
}

// The same forward, of narrow types too, with what follows the sums. Some subjects have no narrow
// ones, so f32 is among them.
template <class Limits>
Limits NarrowAndFused() {
  auto limits = ManyBits<Limits>();
  limits.directions = {Direction::kForward};
  limits.types = FloatTypes(Direction::kForward);
  limits.types.push_back({spec::Type::kF32, spec::Type::kF32, spec::Type::kF32, spec::Type::kF32});
  limits.scales = limits.post_ops = true;
  return limits;
}

template <class Case>
void OpaqueMemoryIsLargeEnough(const Case& c, Trial& trial) {
  const auto ran = Run(c, trial);
  if (!ran) return;
  if (!AnyAtAll(c)) trial.Vacuous();
  ran->bench->ExpectFootprint(trial);
}

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_SUBJECT_COMPUTATION_LAYOUTS_H_
