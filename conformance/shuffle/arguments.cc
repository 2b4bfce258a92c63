// SHU-005: the arguments of an execution, by which it is done, and without which it is refused.
#include <string>
#include <unordered_map>
#include <vector>

#include "conformance/case/property.h"
#include "conformance/shuffle/cases.h"
#include "conformance/shuffle/run.h"
#include "conformance/subject/descriptor_text.h"
#include "conformance/subject/device.h"
#include "conformance/subject/expect.h"
#include "spec/requirements.h"

namespace conformance {
namespace {

void OtherArgumentsAreRefused(const ShuffleCase& c, Trial& trial) {
  auto run = RunShuffle(c, trial);
  if (!run || !ExpectSameBits(trial, c.forward ? "dst" : "diff_src", c.data.type, c.data.dims,
                              ExpectedShuffle(c, run->source), run->result))
    return;
  const std::string changed = run->from.ChangedByte(run->source);
  if (!trial.Expect(changed.empty(), "the source", "as before", changed)) return;
  Device& device = *DeviceFor(trial);
  const dnnl::memory::desc desc = MakeDesc(c.data);
  const auto primitive = PrimitiveFor(c, desc, device, trial);
  if (!primitive) return;
  const std::unordered_map<int, dnnl::memory> all{
      {c.forward ? DNNL_ARG_SRC : DNNL_ARG_DIFF_DST, run->from.memory()},
      {c.forward ? DNNL_ARG_DST : DNNL_ARG_DIFF_SRC, run->to.memory()}};
  const auto refused = [&](const std::unordered_map<int, dnnl::memory>& arguments,
                           const std::string& what) {
    if (!ExpectRefusedByExecute(
            what,
            // No wait: refused.
            [&] { primitive->execute(device.stream, arguments); }, device.stream, trial))
      return false;
    return ExpectSameBits(trial, "after " + what, c.data.type, c.data.dims, run->result,
                          run->to.Load());
  };
  for (const auto& [argument, memory] : all) {
    auto fewer = all;
    fewer.erase(argument);
    const std::string name = NameOfArgument(argument);
    if (!refused(fewer, "an execution without " + name)) return;
    for (const int other : {DNNL_ARG_SRC, DNNL_ARG_DST, DNNL_ARG_DIFF_SRC, DNNL_ARG_DIFF_DST}) {
      if (all.count(other) > 0) continue;
      auto swapped = fewer;
      swapped.emplace(other, memory);
      if (!refused(swapped, "an execution with " + NameOfArgument(other) + " for " + name)) return;
    }
  }
}

Cases<ShuffleCase> AnyDirection() {
  ShuffleLimits limits;
  limits.either = true;
  Cases<ShuffleCase> cases = AnyShuffle(limits);
  cases.count = 500;
  return cases;
}

const bool kDefined = Define<ShuffleCase>(spec::SHU_005, "execution", AnyDirection(),
                                          OtherArgumentsAreRefused, {"forward", "backward", "f32"});

}  // namespace
}  // namespace conformance
