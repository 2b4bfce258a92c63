// Checks that inner product and convolution share: output scales as the programming model has them,
// in advance and at execution, beside post-ops, and of every layout and type. A Case is as
// computation.h says, and has limits that it is drawn within.
#ifndef DNNSPEC_CONFORMANCE_SUBJECT_COMPUTATION_SCALES_H_
#define DNNSPEC_CONFORMANCE_SUBJECT_COMPUTATION_SCALES_H_

#include <algorithm>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "conformance/case/property.h"
#include "conformance/case/random.h"
#include "conformance/case/trial.h"
#include "conformance/gen/computation.h"
#include "conformance/gen/fused.h"
#include "conformance/subject/attempt.h"
#include "conformance/subject/computation.h"
#include "conformance/subject/computation_checks.h"
#include "conformance/subject/computation_model.h"
#include "conformance/subject/descriptor_text.h"
#include "conformance/subject/device.h"
#include "oneapi/dnnl/dnnl.hpp"

namespace conformance {

inline bool IsScaled(const Computation& c) { return c.attributes.scales != FusedAttributes::kNone; }
inline bool HasOneScale(const Computation& c) {
  return c.attributes.scales == FusedAttributes::kCommon;
}
inline bool IsScaledAtExecution(const Computation& c) {
  return IsScaled(c) && c.attributes.run_time;
}
inline bool IsScaledBeforePostOps(const Computation& c) {
  return IsScaled(c) && !c.attributes.post_ops.empty();
}

inline void ScaleSomehow(Random& random, Computation* c) {
  c->attributes.scales = random.Pick({FusedAttributes::kCommon, FusedAttributes::kChannel});
}

template <class Limits>
Limits ScaledForwards() {
  auto limits = ForwardOfEachType<Limits>();
  limits.scales = limits.run_time_scales = limits.post_ops = true;
  return limits;
}

// ATTR-021: one scale for all.
template <class Case, class Limits>
Cases<Case> OneScaleForAll(Draw<Case, Limits> draw) {
  return Changed(
      draw, ScaledForwards<Limits>(), 100,
      [](Random& random, Case* c) {
        c->attributes = {};
        c->attributes.scales = FusedAttributes::kCommon;
        c->attributes.run_time = random.Chance(30);
      },
      HasOneScale);
}

// ATTR-023: one for each channel, wherever the destination keeps channels.
template <class Case, class Limits>
Cases<Case> ScalesOfLayouts(Draw<Case, Limits> draw) {
  auto limits = ScaledForwards<Limits>();
  limits.all_layouts = true;
  limits.any_percent = 15;
  return Changed(
      draw, limits, 150,
      [](Random& random, Case* c) {
        c->attributes = {};
        c->attributes.scales = FusedAttributes::kChannel;
        c->attributes.run_time = random.Chance(30);
      },
      ScalesEachChannel);
}

// ATTR-027: to integers, of sums that these do not hold.
template <class Case, class Limits>
Cases<Case> ScalesToIntegers(Draw<Case, Limits> draw) {
  auto limits = ScaledForwards<Limits>();
  const auto is_float = [](const Types& types) {
    return types[kDst] == spec::Type::kF32 || types[kDst] == spec::Type::kBF16 ||
           types[kDst] == spec::Type::kF16;
  };
  limits.types.erase(std::remove_if(limits.types.begin(), limits.types.end(), is_float),
                     limits.types.end());
  limits.numbers = {Numbers::kIntegers, Numbers::kExtremes};
  return Changed(
      draw, limits, 150,
      [](Random& random, Case* c) {
        c->attributes = {};
        ScaleSomehow(random, c);
      },
      IsScaled);
}

// ATTR-028: scales, in advance or at execution, and then a chain.
template <class Case, class Limits>
Cases<Case> ScalesBeforePostOps(Draw<Case, Limits> draw) {
  return Changed(
      draw, ScaledForwards<Limits>(), 150,
      [](Random& random, Case* c) {
        c->attributes = {};
        ScaleSomehow(random, c);
        c->attributes.run_time = random.Chance(30);
        c->attributes.post_ops = AnyChain(random);
      },
      IsScaledBeforePostOps);
}

// ATTR-029, ATTR-031, ATTR-032.
template <class Case, class Limits>
Cases<Case> ScalesAtExecution(Draw<Case, Limits> draw) {
  return Changed(
      draw, ScaledForwards<Limits>(), 100,
      [](Random& random, Case* c) {
        c->attributes = {};
        ScaleSomehow(random, c);
        c->attributes.run_time = true;
        if (random.Chance(30)) c->attributes.post_ops = AnyChain(random);
      },
      IsScaledAtExecution);
}

// Executes without the scales, or in the project profile with others than those that `c` asks for:
// outputs are as they were. Run-time scales need not be offered.
template <class Case, bool others>
void WrongScalesAreErrors(const Case& c, Trial& trial) {
  if (others && trial.portable()) return trial.NotRun("pinned by the project profile only");
  const auto ran = Run(c, trial);
  if (!ran) return;
  Device& device = *DeviceFor(trial);
  using dnnl::memory;
  const auto count = static_cast<int64_t>(ScaleValues(c.attributes, c.channels(), c.seed).size());
  const auto scales_of = [&](memory::data_type type, int64_t size) {
    return memory({{size}, type, memory::format_tag::x}, device.engine);
  };
  std::vector<std::pair<std::string, memory>> wrong;
  if (others) {
    wrong.emplace_back("scales of s32", scales_of(memory::data_type::s32, count));
    if (count > 1)
      wrong.emplace_back("one scale too few", scales_of(memory::data_type::f32, count - 1));
  } else {
    wrong.emplace_back("memory() for the scales", memory());
    wrong.emplace_back("no scales", memory());
  }
  for (const auto& [what, scales] : wrong) {
    ComputedData data = DataOf(c);
    if (!ran->bench->Fill(&data, trial)) return;
    const auto before = ran->bench->Read(trial);
    if (!before) return;
    auto arguments = ran->bench->Arguments();
    arguments.erase(DNNL_ARG_ATTR_OUTPUT_SCALES);
    if (what != "no scales") arguments.emplace(DNNL_ARG_ATTR_OUTPUT_SCALES, scales);
    if (!ExpectRefusedByExecute(
            "execution with " + what,
            // No wait: refused.
            [&] { ran->primitive.execute(device.stream, arguments); }, device.stream, trial))
      return;
    const auto after = ran->bench->Read(trial);
    if (!after || !ExpectSameResults(c, "after an execution with " + what, *before, *after, trial))
      return;
  }
}

// One primitive, other scales in the same memory each time.
template <class Case>
void ScalesAreReadEachTime(const Case& c, Trial& trial) {
  const auto ran = Run(c, trial);
  if (!ran || !ExpectOracle(c, ran->data, ran->results, trial)) return;
  const dnnl::memory scales = ran->bench->Arguments().at(DNNL_ARG_ATTR_OUTPUT_SCALES);
  for (uint64_t round = 1; round <= 3; ++round) {
    // The scales are the seed's.
    Case other = c;
    other.seed = c.seed + round;
    const std::vector<float> values = ScaleValues(other.attributes, other.channels(), other.seed);
    float* const mapped = scales.map_data<float>();
    std::copy(values.begin(), values.end(), mapped);
    scales.unmap_data(mapped);
    ComputedData data = DataOf(other);
    if (!ran->bench->Fill(&data, trial) || !ran->bench->Execute(ran->primitive, trial)) return;
    const auto results = ran->bench->Read(trial);
    if (!results || !ExpectOracle(other, data, *results, trial)) return;
  }
}

// ATTR-049: the destination's descriptor is the one given.
template <class Case>
void PostOpsKeepTheFormat(const Case& c, Trial& trial) {
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  const auto descs = DescsFor(c, trial);
  if (!descs) return;
  const auto pd = Attempt([&] { return MakePd(c, *descs, device->engine); });
  if (!pd) return trial.LeftOpen(pd.refusal, "a chain of post-ops");
  const dnnl::memory::desc got = pd.value->DescOf(kDst);
  const dnnl::memory::desc& given = (*descs)[kDst];
  const bool held = c.uses[kDst].any ? got.dims() == c.DimsOf(kDst) && !got.is_zero() &&
                                           got.data_type() == DataTypeOf(c.uses[kDst].type)
                                     : got == given;
  ExpectDescriptor(trial, held, "dst_desc() with post-ops",
                   "the descriptor given, or of its dims and type", given, got);
}

// Post-ops beside every layout.
template <class Case, class Limits>
Cases<Case> PostOpsOfLayouts(Draw<Case, Limits> draw) {
  auto limits = ScaledForwards<Limits>();
  limits.all_layouts = true;
  return Changed(
      draw, limits, 100,
      [](Random& random, Case* c) {
        c->attributes = {};
        c->attributes.post_ops = AnyChain(random);
      },
      [](const Computation& c) { return !c.attributes.post_ops.empty(); });
}

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_SUBJECT_COMPUTATION_SCALES_H_
