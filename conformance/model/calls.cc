#include "conformance/model/calls.h"

namespace conformance {

const std::vector<FaultyCall>& FaultyCalls() {
  static const auto* const calls = [] {
    auto* all = new std::vector<FaultyCall>;
    for (const auto& area : {DescriptorFaults(), ObjectFaults(), PrimitiveFaults(), SampleFaults()})
      all->insert(all->end(), area.begin(), area.end());
    return all;
  }();
  return *calls;
}

const FaultyCall* FindFaultyCall(const std::string& name) {
  for (const FaultyCall& call : FaultyCalls())
    if (name == call.name) return &call;
  return nullptr;
}

bool FaultyCall::executes() const {
  const std::string called = name;
  for (const char* const begin : {"execute-", "sample-without-", "sample-with-", "sample-on-empty"})
    if (called.rfind(begin, 0) == 0) return true;
  return false;
}

Cases<FaultCase> EveryFault() {
  return {0, [](int64_t index, Random& random) {
            const auto& calls = FaultyCalls();
            return FaultCase{calls[index % static_cast<int64_t>(calls.size())].name,
                             static_cast<uint64_t>(random.Between(0, 99999))};
          }};
}

const FaultyCall* DemandedFault(const FaultCase& c, Trial& trial) {
  const FaultyCall* const call = FindFaultyCall(c.call);
  if (call == nullptr) {
    trial.NotRun("no call " + c.call);
    return nullptr;
  }
  if (call->project_only && trial.portable()) {
    trial.Vacuous();
    return nullptr;
  }
  trial.Cover(call->name);
  return call;
}

Made Of(const dnnl::memory::desc& desc) {
  return desc.is_zero() && desc == dnnl::memory::desc() ? Made::kEmpty : Made::kObject;
}

Made Of(const dnnl::primitive_desc_base& pd) {
  return Attempt([&] { return pd.get_kind(); }) ? Made::kObject : Made::kEmpty;
}

}  // namespace conformance
