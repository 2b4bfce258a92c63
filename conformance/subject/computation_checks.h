// Checks that inner product and convolution share: results, arguments, implementations, queries. A
// Case is as computation.h says.
#ifndef DNNSPEC_CONFORMANCE_SUBJECT_COMPUTATION_CHECKS_H_
#define DNNSPEC_CONFORMANCE_SUBJECT_COMPUTATION_CHECKS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "conformance/case/trial.h"
#include "conformance/subject/attempt.h"
#include "conformance/subject/computation.h"
#include "conformance/subject/descriptor_text.h"
#include "conformance/subject/expect.h"
#include "oneapi/dnnl/dnnl.hpp"

namespace conformance {

template <class Case>
void IsTheFormula(const Case& c, Trial& trial) {
  const auto ran = Run(c, trial);
  if (ran) ExpectOracle(c, ran->data, ran->results, trial);
}

// A check that the portable profile leaves out: a zero by an infinity may be zero there.
template <class Case, void (*check)(const Case&, Trial&)>
void InProject(const Case& c, Trial& trial) {
  if (trial.portable()) return trial.NotRun("a zero by an infinity may be zero");
  check(c, trial);
}

template <class Case>
void RefusedOrRight(const Case& c, Trial& trial) {
  Cover(trial, c);
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  const auto descs = DescsFor(c, trial);
  if (!descs) return;
  const auto pd = Attempt([&] { return MakePd(c, *descs, device->engine); });
  if (pd) {
    const auto ran = Run(c, DataOf(c), trial);
    if (ran) ExpectOracle(c, ran->data, ran->results, trial);
    return;
  }
  if (!ExpectLeftOpen(trial, pd.refusal, "primitive descriptor")) return;
  const auto again = Attempt([&] { return MakePd(c, *descs, device->engine); });
  trial.Expect(!again, "the same again", "refused too", "created");
}

template <class Case>
void TrainingIsInference(const Case& c, Trial& trial) {
  const auto training = Run(c, trial);
  if (!training) return;
  for (const dnnl::prop_kind kind : {dnnl::prop_kind::forward_inference,
                                     dnnl::prop_kind::forward_scoring, dnnl::prop_kind::forward}) {
    Making<Case> making;
    making.kind = kind;
    const auto other = Run(c, training->data, trial, making);
    if (!other) return;
    const std::string name = "with prop_kind " + std::to_string(static_cast<int>(kind));
    if (!ExpectSameResults(c, name, training->results, other->results, trial)) return;
  }
}

template <class Case>
void RepeatedExecutionsAreEqual(const Case& c, Trial& trial) {
  const auto ran = Run(c, trial);
  if (!ran) return;
  for (int i = 1; i < 10; ++i) {
    if (!ran->bench->Execute(ran->primitive, trial)) return;
    const auto results = ran->bench->Read(trial);
    if (!results || !ExpectSameResults(c, "of execution " + std::to_string(i + 1), ran->results,
                                       *results, trial))
      return;
  }
}

// A common output scale of 1 is none (ATTR-035).
template <class Case>
void ScaleOfOneIsNone(const Case& c, Trial& trial) {
  const auto without = Run(c, trial);
  if (!without) return;
  Making<Case> making;
  making.scale_of_one = true;
  const auto with = Run(c, without->data, trial, making);
  if (with) ExpectSameResults(c, "with a scale of 1", without->results, with->results, trial);
}

template <class Case>
void OnlyElementsAreWritten(const Case& c, Trial& trial) {
  const auto ran = Run(c, trial);
  if (ran) ran->bench->ExpectFootprint(trial);
}

template <class Case>
void ExecutionsAreIndependent(const Case& c, Trial& trial) {
  const auto ran = Run(c, trial);
  if (!ran) return;
  Device& device = *DeviceFor(trial);
  Case changed = c;
  changed.seed = c.seed + kOtherContents;
  ComputedData second = DataOf(changed);
  // In place.
  if (!ran->bench->Fill(&second, trial) || !ran->bench->Execute(ran->primitive, trial)) return;
  auto results = ran->bench->Read(trial);
  if (!results || !ExpectOracle(changed, second, *results, trial)) return;
  // At another address, and the first contents again where they were.
  ComputedData third = DataOf(c), first = third;
  const auto other = BenchOf(c, ran->pd, device);
  if (!other->Fill(&third, trial) || !ran->bench->Fill(&first, trial) ||
      !other->Execute(ran->primitive, trial) || !ran->bench->Execute(ran->primitive, trial))
    return;
  results = other->Read(trial);
  if (!results || !ExpectOracle(c, third, *results, trial)) return;
  results = ran->bench->Read(trial);
  if (results) ExpectOracle(c, first, *results, trial);
}

template <class Case>
bool NextImplementation(ComputationPd<Case>* pd) {
  return pd->With([](auto& one) { return one.next_impl(); });
}

// What `pd` tells now is as it was given, and computes the formula.
template <class Case>
bool IsRight(const Case& c, const ComputationDescs& descs, const ComputationPd<Case>& pd,
             int number, Trial& trial) {
  for (const Role role : kRoles)
    if (c.Has(role) && !c.uses[role].any &&
        !ExpectDescriptor(trial, c.NameOf(role) + " of implementation " + std::to_string(number),
                          "the descriptor given", descs[role], pd.DescOf(role)))
      return false;
  const auto primitive = PrimitiveOf(pd, trial);
  if (!primitive) return false;
  const auto bench = BenchOf(c, pd, *DeviceFor(trial));
  ComputedData data = DataOf(c);
  if (!bench->Fill(&data, trial) || !bench->Execute(*primitive, trial)) return false;
  const auto results = bench->Read(trial);
  return results && ExpectOracle(c, data, *results, trial);
}

// Of the implementations so many are executed; PRIM-012 says within how many a walk ends.
constexpr int kMostExecuted = 20, kMostImplementations = 1000;

// Each in a descriptor of its own, which goes there before anything is executed. Behind those that
// are executed one descriptor goes on to the end.
template <class Case>
void EveryImplementationIsRight(const Case& c, Trial& trial) {
  Cover(trial, c);
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  const auto descs = DescsFor(c, trial);
  if (!descs) return;
  for (int number = 0; number < kMostExecuted; ++number) {
    auto pd = PdFor(c, *descs, *device, trial);
    if (!pd) return;
    for (int i = 0; i < number; ++i) {
      if (NextImplementation(&*pd)) continue;
      if (number == 1) return trial.NotRun("the subject has one implementation");
      return trial.Cover("several implementations");
    }
    if (!IsRight(c, *descs, *pd, number, trial)) return;
  }
  auto pd = PdFor(c, *descs, *device, trial);
  if (!pd) return;
  int number = 1;
  while (number < kMostImplementations && NextImplementation(&*pd)) ++number;
  trial.Cover("several implementations");
  trial.Expect(number < kMostImplementations, "next_impl()", "false within a thousand (PRIM-012)",
               "true");
}

// As many as a descriptor tells before a primitive is made of any.
template <class Case>
void ImplementationsAgree(const Case& c, Trial& trial) {
  Cover(trial, c);
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  const auto descs = DescsFor(c, trial);
  if (!descs) return;
  auto counted = PdFor(c, *descs, *device, trial);
  if (!counted) return;
  int count = 1;
  while (count < kMostExecuted && NextImplementation(&*counted)) ++count;
  for (int number = 0; number < count; ++number) {
    auto pd = PdFor(c, *descs, *device, trial);
    if (!pd) return;
    for (int i = 0; i < number; ++i)
      if (!trial.Expect(NextImplementation(&*pd), "next_impl()", "another one, as before", "none"))
        return;
    if (!IsRight(c, *descs, *pd, number, trial)) return;
  }
  if (count > 1) trial.Cover("several implementations");
}

// As many of them when all that the descriptor was made of is gone.
template <class Case>
void ImplementationsNeedNoDescriptor(const Case& c, Trial& trial) {
  Cover(trial, c);
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  const auto descs = DescsFor(c, trial);
  if (!descs) return;
  const auto count = [](ComputationPd<Case>* pd) {
    int number = 1;
    while (number < kMostExecuted && NextImplementation(pd)) ++number;
    return number;
  };
  auto whole = PdFor(c, *descs, *device, trial), alone = PdFor(c, *descs, *device, trial);
  if (!whole || !alone) return;
  alone->desc.reset();
  alone->hint.reset();
  // Where they lay is something else.
  std::vector<std::vector<uint8_t>> others;
  for (size_t size = 64; size < 8192; size += 64) others.emplace_back(size, uint8_t{0xee});
  const int wanted = count(&*whole), got = count(&*alone);
  trial.Expect(got == wanted, "implementations after the operation descriptor is gone",
               std::to_string(wanted), std::to_string(got));
  if (wanted == 1) trial.NotRun("the subject has one implementation");
}

template <class Case>
void ScratchpadsDoNotMatter(const Case& c, Trial& trial) {
  const auto library = Run(c, trial);
  if (!library) return;
  Device& device = *DeviceFor(trial);
  const auto descs = DescsFor(c, trial);
  if (!descs) return;
  Making<Case> making;
  making.user_scratchpad = true;
  const auto pd = PdFor(c, *descs, device, trial, making);
  if (!pd) return;
  const auto primitive = PrimitiveOf(*pd, trial);
  if (!primitive) return;
  const auto bench = BenchOf(c, *pd, device);
  ComputationPd<Case> asked = *pd;
  const size_t size = asked.With([](auto& one) { return one.scratchpad_desc().get_size(); });
  for (const uint8_t garbage : {uint8_t{0xff}, uint8_t{0x00}}) {
    if (size > 0) {
      dnnl::memory scratchpad = bench->scratchpad();
      uint8_t* const mapped = scratchpad.map_data<uint8_t>();
      for (size_t i = 0; i < size; ++i) mapped[i] = garbage;
      scratchpad.unmap_data(mapped);
    }
    ComputedData data = library->data;
    if (!bench->Fill(&data, trial) || !bench->Execute(*primitive, trial)) return;
    const auto results = bench->Read(trial);
    if (!results || !ExpectOracle(c, data, *results, trial) || !bench->ExpectFootprint(trial))
      return;
  }
}

template <class Case>
void MissingArgumentsAreErrors(const Case& c, Trial& trial) {
  const auto ran = Run(c, trial);
  if (!ran) return;
  Device& device = *DeviceFor(trial);
  for (const Role role : kRoles) {
    if (!c.Has(role)) continue;
    ComputedData data = DataOf(c);
    if (!ran->bench->Fill(&data, trial)) return;
    const auto before = ran->bench->Read(trial);
    if (!before) return;
    auto arguments = ran->bench->Arguments();
    arguments.erase(ArgumentOf(c, role));
    const bool refused = ExpectRefusedByExecute(
        "execution without " + c.NameOf(role),
        // No wait: refused.
        [&] { ran->primitive.execute(device.stream, arguments); }, device.stream, trial);
    if (!refused) return;
    const auto after = ran->bench->Read(trial);
    if (!after || !ExpectSameResults(c, "after an execution without " + c.NameOf(role), *before,
                                     *after, trial))
      return;
  }
}

// By query_md(what, number): of each tensor as itself and as a gradient, one of which the direction
// has not.
template <class Case>
bool NumbersTellTheTensors(const Case& c, ComputationPd<Case>& pd, Trial& trial) {
  const struct {
    Role role;
    dnnl::query plain, gradient;
    const char* name;
  } asked[] = {{kSrc, dnnl::query::src_md, dnnl::query::diff_src_md, "src"},
               {kWeights, dnnl::query::weights_md, dnnl::query::diff_weights_md, "weights"},
               {kDst, dnnl::query::dst_md, dnnl::query::diff_dst_md, "dst"}};
  const dnnl::memory::desc none;
  Case forward = c;
  forward.direction = Direction::kForward;
  for (const auto& [role, plain, gradient, name] : asked) {
    const bool differentiated = ArgumentOf(c, role) != ArgumentOf(forward, role);
    for (int number = 0; number <= 2; ++number) {
      const dnnl::memory::desc held = number == 0 ? pd.DescOf(role)
                                      : number == 1 && role == kWeights && c.Has(kBias)
                                          ? pd.DescOf(kBias)
                                          : none;
      for (const bool of_gradient : {false, true}) {
        const dnnl::memory::desc got =
            pd.With([&, what = of_gradient ? gradient : plain](auto& one) {
              return one.query_md(what, number);
            });
        const bool own = of_gradient == differentiated;
        if (!ExpectDescriptor(trial,
                              std::string(of_gradient ? "diff_" : "") + name + "_md, number " +
                                  std::to_string(number),
                              own && number < 2 ? "what the getter tells" : "the zero descriptor",
                              own ? held : none, got))
          return false;
      }
    }
  }
  return true;
}

template <class Case>
void QueriesTellTheTensors(const Case& c, Trial& trial) {
  Cover(trial, c);
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  const auto descs = DescsFor(c, trial);
  if (!descs) return;
  auto pd = PdFor(c, *descs, *device, trial);
  if (!pd) return;
  const auto ask = [&](dnnl::query what, int index) {
    return pd->With([&](auto& one) { return one.query_md(what, index); });
  };
  const dnnl::memory::desc none;
  for (const Role role : kRoles) {
    Case forward = c;
    forward.direction = Direction::kForward;
    const int gradient = role == kSrc       ? DNNL_ARG_DIFF_SRC
                         : role == kWeights ? DNNL_ARG_DIFF_WEIGHTS
                         : role == kBias    ? DNNL_ARG_DIFF_BIAS
                                            : DNNL_ARG_DIFF_DST;
    const int plain = ArgumentOf(forward, role), own = ArgumentOf(c, role);
    const dnnl::memory::desc got = c.Has(role) ? pd->DescOf(role) : none;
    if (!ExpectDescriptor(trial, "exec_arg_md of " + c.NameOf(role), "what the getter tells", got,
                          ask(dnnl::query::exec_arg_md, own)) ||
        !ExpectDescriptor(trial,
                          "exec_arg_md of what the direction has not: " + forward.NameOf(role),
                          "the zero descriptor", none,
                          ask(dnnl::query::exec_arg_md, own == plain ? gradient : plain)))
      return;
  }
  if (!NumbersTellTheTensors(c, *pd, trial)) return;
  const auto primitive = PrimitiveOf(*pd, trial);
  if (primitive)
    trial.Expect(primitive->get_kind() == PrimitivesOf<Case>::kKind, "get_kind()",
                 PrimitivesOf<Case>::kName, "another");
}

// Three executions into the same outputs, of which only the first finds garbage there.
template <class Case>
void OutputsAreOverwritten(const Case& c, Trial& trial) {
  const auto ran = Run(c, trial);
  if (!ran || !ExpectOracle(c, ran->data, ran->results, trial)) return;
  for (uint64_t round = 1; round <= 2; ++round) {
    Case other = c;
    other.seed = c.seed + kOtherContents * round;
    ComputedData data = DataOf(other);
    if (!ran->bench->FillInputs(&data, trial) || !ran->bench->Execute(ran->primitive, trial))
      return;
    const auto results = ran->bench->Read(trial);
    if (!results || !ExpectOracle(other, data, *results, trial)) return;
  }
}

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_SUBJECT_COMPUTATION_CHECKS_H_
