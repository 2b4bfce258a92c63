// Checks that inner product and convolution share: tensors in hand-written blocks. Project: no
// document obliges anyone to take them; whoever does has to compute the formula on them.
#ifndef DNNSPEC_CONFORMANCE_SUBJECT_COMPUTATION_BLOCKS_H_
#define DNNSPEC_CONFORMANCE_SUBJECT_COMPUTATION_BLOCKS_H_

#include <array>
#include <string>

#include "conformance/case/random.h"
#include "conformance/case/trial.h"
#include "conformance/gen/blocks.h"
#include "conformance/subject/attempt.h"
#include "conformance/subject/blocked.h"
#include "conformance/subject/computation.h"
#include "conformance/subject/descriptor_text.h"
#include "conformance/subject/device.h"
#include "oneapi/dnnl/dnnl.hpp"
#include "spec/memory/oracle.h"

namespace conformance {

// As kernels have them more often than not: channels, or outputs, in blocks, and no gaps.
inline BlockedTensor InBlocksOfChannels(Random& random, spec::Type type, const spec::Dims& dims) {
  const std::vector<spec::Block> blocks = {
      {random.Chance(75) ? 1 : 0, random.Pick<int64_t>({2, 4})}};
  return DenselyBlocked(type, dims, blocks);
}

// Of tensors that are `any` the seed of the case gives most blocks, and the bias none.
template <class Case>
void GivenBlocksAreUsed(const Case& c, Trial& trial) {
  if (trial.portable()) return trial.NotRun("pinned by the project profile only");
  Cover(trial, c);
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  auto descs = DescsFor(c, trial);
  if (!descs) return;
  Random random(Mix(c.seed));
  std::array<std::string, 4> given;  // by Role; empty where it is `any`
  for (const Role role : kRoles) {
    if (!c.Has(role) || !c.uses[role].any || role == kBias || random.Chance(20)) continue;
    const spec::Dims dims = c.DimsOf(role);
    const spec::Type type = c.uses[role].type;
    const BlockedTensor tensor =
        random.Chance(65) ? InBlocksOfChannels(random, type, dims)
                          : AnyBlockedTensor(random, type, dims,
                                             AnyBlocks(random, static_cast<int>(dims.size())));
    const auto desc = BlockedDesc(tensor, /*run_time=*/false, trial);
    if (!desc) return;
    (*descs)[role] = *desc;
    given[role] = ToString(tensor);
  }
  const auto pd = Attempt([&] { return MakePd(c, *descs, device->engine); });
  if (!pd) return trial.LeftOpen(pd.refusal, "blocks");
  for (const Role role : kRoles)
    if (!given[role].empty() &&
        !ExpectDescriptor(trial, "the getter of " + c.NameOf(role), given[role], (*descs)[role],
                          pd.value->DescOf(role)))
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
