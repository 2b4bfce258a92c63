// Empty objects of every kind of primitive: ENG-006, ERR-011, PRIM-045.
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "conformance/case/property.h"
#include "conformance/gen/choice.h"
#include "conformance/model/samples.h"
#include "conformance/subject/attempt.h"
#include "conformance/subject/device.h"
#include "conformance/subject/expect.h"
#include "oneapi/dnnl/dnnl.hpp"
#include "spec/requirements.h"

namespace conformance {
namespace {

// No kind is made on an engine that there is not, with attributes or without.
void NothingIsMadeOnAnEmptyEngine(const SampleCase& c, Trial& trial) {
  const auto plan = PlanFor(c, trial);
  if (!plan) return;
  dnnl::primitive_attr user;
  user.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  for (const dnnl::primitive_attr& attr : {dnnl::primitive_attr(), user}) {
    const auto made = Attempt([&] { return MakePd(*plan, dnnl::engine(), attr); });
    if (!ExpectRefused(trial, made, c.kind + " on an empty engine")) return;
  }
  const auto neighbour = Attempt([&] { return MakePd(*plan, DeviceFor(trial)->engine, user); });
  ExpectAccepted(trial, neighbour, c.kind + " on an engine");
}

// What nobody can do with an empty descriptor, or an empty primitive, of the class.
template <class Class>
std::vector<std::pair<const char*, std::function<void()>>> UsesOfEmpty(const Device& device) {
  using Pd = typename Class::primitive_desc;
  using Base = dnnl::primitive_desc_base;
  const auto ask = [](auto query) {
    return [query] {
      const Pd none, copy(none);
      query(static_cast<const Base&>(copy));
    };
  };
  return {
      {"get_engine()", ask([](const Base& pd) { pd.get_engine(); })},
      {"get_kind()", ask([](const Base& pd) { pd.get_kind(); })},
      {"impl_info_str()", ask([](const Base& pd) { pd.impl_info_str(); })},
      {"get_primitive_attr()", ask([](const Base& pd) { pd.get_primitive_attr(); })},
      {"src_desc()", ask([](const Base& pd) { pd.src_desc(0); })},
      {"weights_desc()", ask([](const Base& pd) { pd.weights_desc(0); })},
      {"diff_weights_desc()", ask([](const Base& pd) { pd.diff_weights_desc(0); })},
      {"diff_dst_desc()", ask([](const Base& pd) { pd.diff_dst_desc(0); })},
      {"scratchpad_desc()", ask([](const Base& pd) { pd.scratchpad_desc(); })},
      {"next_impl()", [] { Pd().next_impl(); }},
      {"a primitive", [] { Class made((Pd())); }},
      {"the kind of an empty primitive", [] { Class().get_kind(); }},
      {"an execution of an empty primitive",
       [stream = device.stream] {
         // No wait: refused.
         Class().execute(stream, {});
       }},
  };
}

struct OfClass {
  const char* name;
  std::vector<std::pair<const char*, std::function<void()>>> (*uses)(const Device& device);
};

constexpr OfClass kClasses[] = {
    {"shuffle-forward", UsesOfEmpty<dnnl::shuffle_forward>},
    {"shuffle-backward", UsesOfEmpty<dnnl::shuffle_backward>},
    {"eltwise-forward", UsesOfEmpty<dnnl::eltwise_forward>},
    {"eltwise-backward", UsesOfEmpty<dnnl::eltwise_backward>},
    {"inner-product-forward", UsesOfEmpty<dnnl::inner_product_forward>},
    {"inner-product-backward-data", UsesOfEmpty<dnnl::inner_product_backward_data>},
    {"inner-product-backward-weights", UsesOfEmpty<dnnl::inner_product_backward_weights>},
    {"convolution-forward", UsesOfEmpty<dnnl::convolution_forward>},
    {"convolution-backward-data", UsesOfEmpty<dnnl::convolution_backward_data>},
    {"convolution-backward-weights", UsesOfEmpty<dnnl::convolution_backward_weights>},
};

std::vector<std::string> NamesOfClasses() {
  std::vector<std::string> names;
  for (const OfClass& each : kClasses) names.emplace_back(each.name);
  return names;
}

void EmptyOnesAreRefused(const Choice& choice, Trial& trial) {
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  for (const OfClass& each : kClasses) {
    if (choice.what != each.name) continue;
    for (const auto& [what, use] : each.uses(*device))
      if (!ExpectRefused(trial, Attempt(use), "empty " + choice.what + ": " + what)) return;
  }
}

const bool defined[] = {
    Define(spec::ENG_006, "kinds", Samples(), NothingIsMadeOnAnEmptyEngine,
           {"reorder", "forward", "backward"}),
    Define(spec::ERR_011, "kinds", Samples(), NothingIsMadeOnAnEmptyEngine,
           {"reorder", "forward", "backward"}),
    Define<Choice>(spec::ERR_011, "classes", Choices(NamesOfClasses()), EmptyOnesAreRefused),
    Define<Choice>(spec::PRIM_045, "classes", Choices(NamesOfClasses()), EmptyOnesAreRefused),
};

}  // namespace
}  // namespace conformance
