// NEG-002: what a negation is not of.
#include <string>

#include "conformance/case/property.h"
#include "conformance/gen/choice.h"
#include "conformance/subject/attempt.h"
#include "conformance/subject/device.h"
#include "conformance/subject/expect.h"
#include "oneapi/dnnl/dnnl.hpp"
#include "spec/requirements.h"

namespace conformance {
namespace {

using dnnl::memory;

void OthersAreRefused(const Choice& choice, Trial& trial) {
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  const auto make = [&](const memory::desc& dst) {
    const memory::desc src({2, 3}, memory::data_type::f32, memory::format_tag::ab);
    return Attempt([&] { return dnnl::negation::primitive_desc(device->engine, src, dst); });
  };
  const auto same = make({{2, 3}, memory::data_type::f32, memory::format_tag::ba});
  if (!ExpectAccepted(trial, same, "the same dims")) return;
  memory::desc dst({2, 4}, memory::data_type::f32, memory::format_tag::ab);
  if (choice.what == "rank") dst = {{2, 3, 1}, memory::data_type::f32, memory::format_tag::abc};
  if (choice.what == "type") dst = {{2, 3}, memory::data_type::s32, memory::format_tag::ab};
  ExpectRefused(trial, make(dst), "another " + choice.what);
}

const bool kDefined[] = {
    Define<Choice>(spec::NEG_002, "", Choices({"dims", "rank", "type"}), OthersAreRefused),
};

}  // namespace
}  // namespace conformance
