// Makes and executes the computation that a case describes, on the subject: what inner product and
// convolution share. A Case is a Computation; beside it there are, by its type,
//   std::vector<ExpectedElement> ExpectedOf(const Case&, Role, const ComputedData&, Profile);
//   std::vector<std::string> ClassesOf(const Case&);
//   PrimitivesOf<Case>, the classes of the primitive and its operation descriptors.
#ifndef DNNSPEC_CONFORMANCE_SUBJECT_COMPUTATION_H_
#define DNNSPEC_CONFORMANCE_SUBJECT_COMPUTATION_H_

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "conformance/case/trial.h"
#include "conformance/gen/computation.h"
#include "conformance/gen/computed_data.h"
#include "conformance/subject/attempt.h"
#include "conformance/subject/device.h"
#include "conformance/subject/tensor.h"
#include "oneapi/dnnl/dnnl.hpp"

namespace conformance {

// By Role; the zero descriptor where there is no tensor.
using ComputationDescs = std::array<dnnl::memory::desc, 4>;

// DNNL_ARG_DIFF_WEIGHTS and the like.
int ArgumentOf(const Computation& c, Role role);

// The descriptors that a case gives to the constructor. nullopt after recording the outcome in
// `trial` where one was refused.
std::optional<ComputationDescs> DescsFor(const Computation& c, Trial& trial);

// The attributes of a case; may throw.
dnnl::primitive_attr AttrOf(const Computation& c);

// Of the two specialisations, in run.h of a primitive:
//   using Forward, BackwardData, BackwardWeights;
//   static std::shared_ptr<Forward::desc> ForwardDesc(const Case&, dnnl::prop_kind,
//                                                     const ComputationDescs&, bool bias);
//   static std::shared_ptr<BackwardData::desc> DataDesc(const Case&, const ComputationDescs&);
//   static std::shared_ptr<BackwardWeights::desc> WeightsDesc(const Case&, const
//                                                             ComputationDescs&, bool bias);
//   static constexpr const char* kName;          // "inner product"
//   static constexpr dnnl::primitive::kind kKind;
// These may throw. With `bias` the constructor that has one gets its descriptor.
template <class Case>
struct PrimitivesOf;

// The primitive descriptor of one of the three classes.
template <class Case>
struct ComputationPd {
  using Of = PrimitivesOf<Case>;

  Direction direction = Direction::kForward;
  typename Of::Forward::primitive_desc forward;
  typename Of::BackwardData::primitive_desc backward_data;
  typename Of::BackwardWeights::primitive_desc backward_weights;
  // What it was made of: no check but one asks whether a descriptor can do without.
  std::shared_ptr<const void> desc, hint;

  template <class Use>
  auto With(Use use) {
    if (direction == Direction::kForward) return use(forward);
    if (direction == Direction::kBackwardData) return use(backward_data);
    return use(backward_weights);
  }

  // By its getter.
  dnnl::memory::desc DescOf(Role role) const {
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
                                  : dnnl::memory::desc();
      case Direction::kBackwardWeights:
        break;
    }
    return role == kSrc       ? backward_weights.src_desc()
           : role == kWeights ? backward_weights.diff_weights_desc()
           : role == kBias    ? backward_weights.diff_bias_desc()
                              : backward_weights.diff_dst_desc();
  }

  // May throw.
  dnnl::primitive Primitive() const {
    if (direction == Direction::kForward) return typename Of::Forward(forward);
    if (direction == Direction::kBackwardData) return typename Of::BackwardData(backward_data);
    return typename Of::BackwardWeights(backward_weights);
  }
};

// What is not in a case.
template <class Case>
struct Making {
  dnnl::prop_kind kind = dnnl::prop_kind::forward_training;
  bool user_scratchpad = false;
  bool scale_of_one = false;                                                 // set in words
  std::optional<typename PrimitivesOf<Case>::Forward::primitive_desc> hint;  // else HintFor
};

// Of each tensor but the bias, with `any`.
ComputationDescs AnyDescs(const Computation& c, spec::Type type);

// The type of a forward whose gradients the tensors of `c` may be.
inline spec::Type TypeOfHint(const Computation& c) {
  return c.uses[c.direction == Direction::kBackwardData ? kWeights : kSrc].type;
}

// A forward of the same shape with `any` for all; may throw.
template <class Case>
auto HintFor(const Case& c, const dnnl::engine& engine) {
  using Of = PrimitivesOf<Case>;
  const auto desc =
      Of::ForwardDesc(c, dnnl::prop_kind::forward_training, AnyDescs(c, TypeOfHint(c)), false);
  return typename Of::Forward::primitive_desc(*desc, engine);
}

// The constructor calls; may throw.
template <class Case>
ComputationPd<Case> MakePd(const Case& c, const ComputationDescs& descs, const dnnl::engine& engine,
                           const Making<Case>& making = {}) {
  using Of = PrimitivesOf<Case>;
  dnnl::primitive_attr attr = AttrOf(c);
  if (making.user_scratchpad) attr.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  if (making.scale_of_one) attr.set_output_scales(0, {1.0f});
  ComputationPd<Case> pd;
  pd.direction = c.direction;
  if (c.forward()) {
    const auto desc = Of::ForwardDesc(c, making.kind, descs, c.Has(kBias));
    pd.forward = typename Of::Forward::primitive_desc(*desc, attr, engine);
    pd.desc = desc;
    return pd;
  }
  const auto hint = [&] {
    return std::make_shared<typename Of::Forward::primitive_desc>(making.hint ? *making.hint
                                                                              : HintFor(c, engine));
  };
  // The fault of a case is the operation's own: its descriptor comes first.
  if (c.direction == Direction::kBackwardData) {
    const auto desc = Of::DataDesc(c, descs);
    const auto given = hint();
    pd.backward_data = typename Of::BackwardData::primitive_desc(*desc, attr, engine, *given);
    pd.desc = desc;
    pd.hint = given;
    return pd;
  }
  const auto desc = Of::WeightsDesc(c, descs, c.Has(kBias));
  const auto given = hint();
  pd.backward_weights = typename Of::BackwardWeights::primitive_desc(*desc, attr, engine, *given);
  pd.desc = desc;
  pd.hint = given;
  return pd;
}

// Whether nobody needs to offer what `c` asks for, in a claim either.
template <class Case>
bool IsOptional(const Case&) {
  return false;
}

// The same for a check that only starts from it. nullopt after recording the outcome: not run where
// "Unsupported is not wrong" (spec/reading.md) lets the subject refuse, otherwise a failure.
template <class Case>
std::optional<ComputationPd<Case>> PdFor(const Case& c, const ComputationDescs& descs,
                                         Device& device, Trial& trial,
                                         const Making<Case>& making = {}) {
  auto pd = Attempt([&] { return MakePd(c, descs, device.engine, making); });
  if (pd) return std::move(pd.value);
  if (IsOptional(c) && trial.IsRefusal(pd.refusal, c.LegalityIn(trial.profile()))) {
    trial.LeftOpen(pd.refusal, c.AskedFor().ToString());
  } else if (c.MayRefuse(trial.profile())) {
    trial.Refused(pd.refusal, c.AskedFor(), c.LegalityIn(trial.profile()));
  } else {
    trial.Denied(
        std::string(PrimitivesOf<Case>::kName) + " " + c.AskedFor().prop + " primitive descriptor",
        "created", pd.refusal, c.AskedFor());
  }
  return std::nullopt;
}

template <class Case>
std::optional<dnnl::primitive> PrimitiveOf(const ComputationPd<Case>& pd, Trial& trial) {
  auto primitive = Attempt([&] { return pd.Primitive(); });
  if (!primitive) trial.Fail("primitive of a descriptor", "created", primitive.refusal);
  return std::move(primitive.value);
}

// The memory of one primitive's tensors, in the layouts that its descriptor tells.
class ComputationBench {
 public:
  // May throw. `resolved`: by the getters of the primitive descriptor.
  ComputationBench(const Computation& c, const ComputationDescs& resolved,
                   const dnnl::memory::desc& scratchpad, Device& device);

  // Stores all of `data`, outputs too, through reorders where the case says `any`. What is stored
  // is then in *data: an element that others share its place with holds theirs. False with the
  // outcome in `trial` where that was refused.
  bool Fill(ComputedData* data, Trial& trial);
  // The same of inputs alone: outputs keep what an execution left there.
  bool FillInputs(ComputedData* data, Trial& trial);

  // What execute() gets.
  std::unordered_map<int, dnnl::memory> Arguments();
  // Empty if there is none. It begins at any byte.
  const dnnl::memory& scratchpad() const { return scratchpad_; }
  // Executes and waits. False, with a failure, if that throws.
  bool Execute(const dnnl::primitive& primitive, Trial& trial);

  // What the outputs hold.
  std::optional<ComputedData> Read(Trial& trial);

  // Fails unless inputs are as Fill left them, and of outputs and the scratchpad all that is no
  // element. True if so.
  bool ExpectFootprint(Trial& trial);

 private:
  struct Slot {
    bool opaque = false, written = false;
    int argument = 0;
    std::string name;
    spec::Type type = spec::Type::kF32;
    spec::Dims dims;
    std::unique_ptr<Tensor> tensor;  // of an opaque one the elements are its bytes
    dnnl::memory memory;
    std::vector<spec::Bits> stored;  // of the tensor
  };

  bool FillOne(Slot* slot, std::vector<spec::Bits>* elements, Trial& trial);

  Device& device_;
  std::array<Slot, 4> slots_;
  std::unique_ptr<Tensor> scratchpad_bytes_;
  dnnl::memory scales_, scratchpad_;
  bool has_scales_ = false, has_scratchpad_ = false;
};

// May throw.
template <class Case>
std::unique_ptr<ComputationBench> BenchOf(const Case& c, const ComputationPd<Case>& pd,
                                          Device& device) {
  ComputationDescs resolved;
  for (const Role role : kRoles)
    if (c.Has(role)) resolved[role] = pd.DescOf(role);
  ComputationPd<Case> asked = pd;
  return std::make_unique<ComputationBench>(
      c, resolved, asked.With([](auto& one) { return one.scratchpad_desc(); }), device);
}

// One that has run.
template <class Case>
struct Ran {
  ComputationPd<Case> pd;
  dnnl::primitive primitive;
  std::unique_ptr<ComputationBench> bench;
  ComputedData data;     // as it was stored
  ComputedData results;  // of outputs
};

// From descriptors to results, of the case's own data or of other. nullopt after recording the
// outcome in `trial` when something was refused or failed.
template <class Case>
std::optional<Ran<Case>> Run(const Case& c, ComputedData data, Trial& trial,
                             const Making<Case>& making = {}) {
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return std::nullopt;
  const auto descs = DescsFor(c, trial);
  if (!descs) return std::nullopt;
  auto pd = PdFor(c, *descs, *device, trial, making);
  if (!pd) return std::nullopt;
  auto primitive = PrimitiveOf(*pd, trial);
  if (!primitive) return std::nullopt;
  auto bench = Attempt([&] { return BenchOf(c, *pd, *device); });
  if (!bench) {
    trial.Fail("memory", "created", bench.refusal);
    return std::nullopt;
  }
  Ran<Case> ran{
      std::move(*pd), std::move(*primitive), std::move(*bench.value), std::move(data), {}};
  if (!ran.bench->Fill(&ran.data, trial) || !ran.bench->Execute(ran.primitive, trial))
    return std::nullopt;
  auto results = ran.bench->Read(trial);
  if (!results) return std::nullopt;
  ran.results = std::move(*results);
  return ran;
}

// Trial::Cover for every class of `c`.
template <class Case>
void Cover(Trial& trial, const Case& c) {
  for (const std::string& name : ClassesOf(c)) trial.Cover(name);
}

// Covers the classes of the case in `trial` first.
template <class Case>
std::optional<Ran<Case>> Run(const Case& c, Trial& trial, const Making<Case>& making = {}) {
  Cover(trial, c);
  return Run(c, DataOf(c), trial, making);
}

// Fails at the first element of `role` that is not as expected. True when there is none.
bool ExpectElements(const Computation& c, Role role, const std::vector<ExpectedElement>& expected,
                    const std::vector<spec::Bits>& results, Trial& trial);

// Fails at the first element that the oracle does not accept. True when there is none.
template <class Case>
bool ExpectOracle(const Case& c, const ComputedData& data, const ComputedData& results,
                  Trial& trial) {
  for (const Role role : kRoles)
    if (c.Has(role) && c.Writes(role) &&
        !ExpectElements(c, role, ExpectedOf(c, role, data, trial.profile()), results[role], trial))
      return false;
  return true;
}

// Fails at the first element where the outputs differ in bits, but for the sign of zero.
bool ExpectSameResults(const Computation& c, const std::string& what, const ComputedData& expected,
                       const ComputedData& results, Trial& trial);

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_SUBJECT_COMPUTATION_H_
