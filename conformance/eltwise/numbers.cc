// ELT-007, PRIM-016 to PRIM-018: algorithms and propagation kinds that are none of eltwise,
// whatever number they have; hints that are none.
#include <algorithm>
#include <climits>
#include <functional>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "conformance/case/property.h"
#include "conformance/eltwise/cases.h"
#include "conformance/eltwise/run.h"
#include "conformance/gen/choice.h"
#include "conformance/subject/expect.h"
#include "conformance/subject/prop_kinds.h"
#include "spec/requirements.h"

namespace conformance {
namespace {

using dnnl::algorithm;
using dnnl::memory;
using dnnl::prop_kind;

memory::desc Data() { return {{2, 3, 4}, memory::data_type::f32, memory::dims{12, 4, 1}}; }

auto TryForward(prop_kind kind, algorithm what, Device& device) {
  return Attempt([&] {
    return ForwardEltwise::primitive_desc(ForwardEltwise::desc(kind, what, Data()), device.engine);
  });
}

auto TryBackward(algorithm what, const ForwardEltwise::primitive_desc& hint, Device& device) {
  return Attempt([&] {
    return BackwardEltwise::primitive_desc(BackwardEltwise::desc(what, Data(), Data()),
                                           device.engine, hint);
  });
}

// The numbers of all algorithms of eltwise, those of later revisions too (ELT-025), which need not
// have names here: clip_v2, logsigmoid, mish, hardswish, and clip_v2 by the destination.
std::vector<int> NumbersOfEltwise() {
  std::vector<int> numbers{0x10, 0x50, 0x60, 0x70, 0x106};
  for (const spec::EltwiseAlgorithm one : spec::kEltwiseAlgorithms) {
    numbers.push_back(static_cast<int>(AlgorithmOf(one)));
    if (spec::HasDerivativeByResult(one))
      numbers.push_back(static_cast<int>(AlgorithmOf(one, /*use_dst=*/true)));
  }
  return numbers;
}

// Of 16 numbers from a start on, or of all that a change makes of those of eltwise.
struct NumberGroup {
  std::string name;
  std::function<std::vector<int>()> numbers;
};

NumberGroup Changed(const char* name, int (*change)(int)) {
  return {name, [change] {
            std::vector<int> numbers = NumbersOfEltwise();
            std::transform(numbers.begin(), numbers.end(), numbers.begin(), change);
            return numbers;
          }};
}

const std::vector<NumberGroup>& Groups() {
  static const auto* const all = [] {
    auto* const groups = new std::vector<NumberGroup>;
    for (int start = 0; start < 0x220; start += 16) {
      groups->push_back({"from-" + std::to_string(start), [start] {
                           std::vector<int> numbers;
                           for (int k = 0; k < 16; ++k) numbers.push_back(start + k);
                           return numbers;
                         }});
    }
    // Those that other primitives have in 2.6.
    groups->push_back({"others", [] {
                         std::vector<int> numbers{0x1ff,  0x2ff,  0x3ff,  0xaff,   0xbff,  0x1fff,
                                                  0x2fff, 0x3fff, 0x4fff, 0x2fff0, 0x2fff1};
                         for (int k = 0; k < 16; ++k)
                           for (const int start : {0x1fff0, 0x3fff0, 0x30000, 0x4fff0})
                             numbers.push_back(start + k);
                         return numbers;
                       }});
    groups->push_back(Changed("after", [](int number) { return number + 1; }));
    groups->push_back(Changed("before", [](int number) { return number - 1; }));
    // The same low bits, the rest of them in turn.
    groups->push_back(Changed("bit-9", [](int number) { return number | 0x200; }));
    groups->push_back(Changed("bit-12", [](int number) { return number | 0x1000; }));
    groups->push_back(Changed("bit-15", [](int number) { return number | 0x8000; }));
    groups->push_back(Changed("bit-16", [](int number) { return number | 0x10000; }));
    groups->push_back(Changed("bit-24", [](int number) { return number | 0x1000000; }));
    groups->push_back(Changed("bit-31", [](int number) { return number | INT_MIN; }));
    groups->push_back(Changed("negative", [](int number) { return -number; }));
    return groups;
  }();
  return *all;
}

std::vector<std::string> NamesOfGroups() {
  std::vector<std::string> names;
  for (const NumberGroup& group : Groups())
    for (const char* direction : {"fwd:", "bwd:"}) names.push_back(direction + group.name);
  return names;
}

std::vector<int> NumbersOf(const std::string& group) {
  for (const NumberGroup& one : Groups())
    if (one.name == group) return one.numbers();
  return {};
}

void NumbersThatAreNoneAreRefused(const Choice& choice, Trial& trial) {
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  const bool forward = choice.what[0] == 'f';
  const auto plain = TryForward(prop_kind::forward_training, algorithm::eltwise_tanh, *device);
  if (!ExpectOffered(trial, plain, "eltwise_tanh", AskedOfF32("forward"))) return;
  const std::vector<int> legal = NumbersOfEltwise();
  for (const int number : NumbersOf(choice.what.substr(4))) {
    if (std::find(legal.begin(), legal.end(), number) != legal.end()) continue;
    const auto what = static_cast<algorithm>(number);
    const std::string name = choice.what.substr(0, 4) + std::to_string(number);
    if (!(forward
              ? ExpectRefused(trial, TryForward(prop_kind::forward_training, what, *device), name)
              : ExpectRefused(trial, TryBackward(what, *plain.value, *device), name)))
      return;
  }
}

// A hint that was never made, and one that another such was assigned to.
void EmptyHintsOfEltwiseAreRefused(const Choice& choice, Trial& trial) {
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  auto hint = TryForward(prop_kind::forward_training, algorithm::eltwise_tanh, *device);
  if (!ExpectOffered(trial, hint, "a forward", AskedOfF32("forward")) ||
      !ExpectOffered(trial, TryBackward(algorithm::eltwise_tanh, *hint.value, *device), "a hint",
                     AskedOfF32("backward")))
    return;
  ForwardEltwise::primitive_desc empty;
  if (choice.what == "assigned") {
    const ForwardEltwise::primitive_desc none;
    *hint.value = none;
    empty = *hint.value;
  }
  for (const algorithm what :
       {algorithm::eltwise_tanh, algorithm::eltwise_tanh_use_dst_for_bwd, algorithm::eltwise_relu})
    if (!ExpectRefused(trial, TryBackward(what, empty, *device), "an empty hint")) return;
}

void KindsOutsideTheListAreRefused(const Choice& choice, Trial& trial) {
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  for (const auto& [name, kind] : KindsOtherThanForward()) {
    if (name != choice.what) continue;
    ExpectOffered(trial, TryForward(prop_kind::forward_inference, algorithm::eltwise_tanh, *device),
                  "forward_inference", AskedOfF32("forward")) &&
        ExpectRefused(trial, TryForward(kind, algorithm::eltwise_tanh, *device), name);
  }
}

constexpr int kKinds[] = {-1, INT_MIN, 1, 2, 3, 0x3f, 0x61, 0x10040, 0x1000060, 100000, INT_MAX};

std::vector<std::string> NamesOfNumbers() {
  std::vector<std::string> names;
  for (const int number : kKinds) names.push_back(std::to_string(number));
  return names;
}

void KindsThatAreNoneAreErrors(const Choice& choice, Trial& trial) {
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  for (const int number : kKinds) {
    if (std::to_string(number) != choice.what) continue;
    const auto made = TryForward(static_cast<prop_kind>(number), algorithm::eltwise_tanh, *device);
    ExpectRefused(trial, made, "eltwise_forward with prop_kind " + choice.what);
  }
}

const bool kDefined[] = {
    Define<Choice>(spec::ELT_007, "numbers", Choices(NamesOfGroups()),
                   NumbersThatAreNoneAreRefused),
    Define<Choice>(spec::PRIM_016, "eltwise", Choices({"default", "assigned"}),
                   EmptyHintsOfEltwiseAreRefused),
    Define<Choice>(spec::PRIM_017, "eltwise", Choices(NamesOf(KindsOtherThanForward())),
                   KindsOutsideTheListAreRefused),
    Define<Choice>(spec::PRIM_018, "eltwise", Choices(NamesOfNumbers()), KindsThatAreNoneAreErrors),
};

}  // namespace
}  // namespace conformance
