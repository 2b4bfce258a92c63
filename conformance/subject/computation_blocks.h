// Checks that inner product and convolution share: tensors in hand-written blocks. Project: no
// document obliges anyone to take them; whoever does has to compute the formula on them.
#ifndef DNNSPEC_CONFORMANCE_SUBJECT_COMPUTATION_BLOCKS_H_
#define DNNSPEC_CONFORMANCE_SUBJECT_COMPUTATION_BLOCKS_H_

#include <algorithm>
#include <string>

#include "conformance/case/trial.h"
#include "conformance/gen/blocks.h"
#include "conformance/gen/computation.h"
#include "conformance/gen/computation_blocks.h"
#include "conformance/gen/computed_data.h"
#include "conformance/subject/attempt.h"
#include "conformance/subject/blocked.h"
#include "conformance/subject/computation.h"
#include "conformance/subject/descriptor_text.h"
#include "conformance/subject/device.h"
#include "oneapi/dnnl/dnnl.hpp"

namespace conformance {

template <class Case>
void GivenBlocksAreUsed(const BlockedCase<Case>& blocked, Trial& trial) {
  const Case& c = blocked.c;
  Cover(trial, c);
  for (const std::string& name : ClassesOf(blocked.blocks)) trial.Cover(name);
  if (trial.portable()) return trial.NotRun("pinned by the project profile only");
  if (std::none_of(blocked.blocks.begin(), blocked.blocks.end(),
                   [](const auto& blocks) { return blocks.has_value(); }))
    return trial.Vacuous();
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  auto descs = DescsFor(c, trial);
  if (!descs) return;
  for (const Role role : kRoles) {
    if (!blocked.blocks[role]) continue;
    const auto desc = BlockedDesc(*blocked.blocks[role], /*run_time=*/false, trial);
    if (!desc) return;
    (*descs)[role] = *desc;
  }
  const auto pd = Attempt([&] { return MakePd(c, *descs, device->engine); });
  if (!pd) return trial.LeftOpen(pd.refusal, "blocks");
  for (const Role role : kRoles)
    if (blocked.blocks[role] &&
        !ExpectDescriptor(trial, "the getter of " + c.NameOf(role), "the blocks given",
                          (*descs)[role], pd.value->DescOf(role)))
      return;
  const auto primitive = PrimitiveOf(*pd.value, trial);
  if (!primitive) return;
  const auto bench = BenchOf(c, *pd.value, *device);
  ComputedData data = DataOf(c);
  if (!bench->Fill(&data, trial) || !bench->Execute(*primitive, trial)) return;
  const auto results = bench->Read(trial);
  if (results) ExpectOracle(c, data, *results, trial);
}

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_SUBJECT_COMPUTATION_BLOCKS_H_
