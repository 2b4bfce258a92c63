// How calls are refused: ERR-001 to ERR-009, ERR-014 to ERR-018.
#include <cstring>
#include <exception>
#include <optional>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "conformance/case/property.h"
#include "conformance/model/calls.h"
#include "conformance/model/cases.h"
#include "conformance/subject/attempt.h"
#include "conformance/subject/device.h"
#include "conformance/subject/expect.h"
#include "conformance/subject/heap.h"
#include "oneapi/dnnl/dnnl.hpp"
#include "spec/requirements.h"

namespace conformance {
namespace {

// A fault that the profile demands to be refused, with its arguments.
struct Drawn {
  const FaultyCall* call = nullptr;
  CallPair pair;
};

std::optional<Drawn> Draw(const FaultCase& c, Trial& trial) {
  Device* const device = DeviceFor(trial);
  const FaultyCall* const call = DemandedFault(c, trial);
  if (device == nullptr || call == nullptr) return std::nullopt;
  Random random(Mix(c.seed));
  return Drawn{call, call->draw(random, *device)};
}

std::string Name(const FaultyCall& call) { return std::string("call ") + call.name; }

// For checks of how a call is refused: that it is, is ERR-001's business.
bool IsRefused(const Drawn& drawn, Trial& trial) {
  const auto made = Attempt([&] { return drawn.pair.wrong(false); });
  if (!made && made.refusal.is_error) return true;
  trial.Vacuous();
  return false;
}

void RefusalsAreErrors(const FaultCase& c, Trial& trial) {
  static_assert(std::is_base_of_v<std::exception, dnnl::error>, "ERR-001");
  const auto drawn = Draw(c, trial);
  if (!drawn) return;
  const auto made = Attempt([&] { return drawn->pair.wrong(false); });
  if (!ExpectRefused(trial, made, Name(*drawn->call))) return;
  const auto neighbour = Attempt([&] { return drawn->pair.right(false); });
  ExpectAccepted(trial, neighbour, Name(*drawn->call) + ", made right");
}

// Calls `look` with the error that the faulty call throws.
template <class Look>
void WithError(const FaultCase& c, Trial& trial, Look look) {
  const auto drawn = Draw(c, trial);
  if (!drawn) return;
  try {
    drawn->pair.wrong(false);
  } catch (const dnnl::error& e) {
    return look(*drawn->call, e);
  } catch (...) {
  }
  trial.Vacuous();  // ERR-001
}

void TextsAreUsable(const FaultCase& c, Trial& trial) {
  WithError(c, trial, [&](const FaultyCall& call, const dnnl::error& e) {
    static_assert(noexcept(e.what()), "ERR-002");
    constexpr size_t kLongest = 4096;
    const char* const first = e.what();
    if (!trial.Expect(first != nullptr, Name(call) + ", what()", "a text", "null")) return;
    const size_t size = strnlen(first, kLongest);
    trial.Expect(size < kLongest, Name(call) + ", what()", "shorter than 4096", "longer");
    const std::string text(first, size);
    trial.Expect(e.what() == text, Name(call) + ", what() again", text, e.what());
    const dnnl::error copy = e;
    trial.Expect(copy.what() == text, Name(call) + ", what() of a copy", text, copy.what());
  });
}

// The text of an error stays what it is while other errors come and go.
void TextsAreTheirOwn(const FaultCase& c, Trial& trial) {
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  WithError(c, trial, [&](const FaultyCall& call, const dnnl::error& e) {
    const char* const text = e.what();
    const std::string first = text;
    // Others, which need not say the same.
    const dnnl::memory::desc one({1}, dnnl::memory::data_type::f32, dnnl::memory::format_tag::a);
    const auto refusals = {Attempt([&] { return one.reshape({2}); }),
                           Attempt([&] { return one.permute_axes({1}); }),
                           Attempt([&] { return one.submemory_desc({1}, {1}); })};
    for (const auto& each : refusals)
      if (!each && each.refusal.ToString().find(first) == std::string::npos) trial.Cover("another");
    trial.Expect(e.what() == first, Name(call) + ", what() after other errors", first, e.what());
    trial.Expect(text == first, Name(call) + ", the text of before after other errors", first,
                 text);
  });
}

template <class Error>
auto MessageOf(const Error& e, int) -> decltype(static_cast<const char*>(e.message)) {
  return e.message;
}
template <class Error>
const char* MessageOf(const Error& e, long) {
  return e.what();
}

void WhatIsTheMessage(const FaultCase& c, Trial& trial) {
  WithError(c, trial, [&](const FaultyCall& call, const dnnl::error& e) {
    const char* const message = MessageOf(e, 0);
    if (message == nullptr || std::strcmp(message, e.what()) != 0)
      trial.Deviate(Name(call) + ", message", e.what(), message == nullptr ? "null" : message);
  });
}

// What an error tells that a program made.
struct Told {
  std::string what, message;
  int status;
};

// An error that a program makes keeps all of its text and its status, where programs can make one.
template <class Error>
auto ToldBy(int status, const std::string& text, int)
    -> decltype(Error(decltype(std::declval<Error>().status)(), text.c_str()),
                std::string(std::declval<Error>().message), Told()) {
  const Error made(static_cast<decltype(std::declval<Error>().status)>(status), text.c_str());
  const Error copy = made;
  return {copy.what(), copy.message, static_cast<int>(copy.status)};
}
template <class Error>
Told ToldBy(int status, const std::string& text, long) {
  return {text, text, status};
}

void WhatIsTheTextGiven(const SeedCase& c, Trial& trial) {
  Random random(Mix(c.seed));
  std::string text;
  for (int64_t size = random.Pick<int64_t>({1, 40, 80, 81, 127, 128, 255, 256, 1000}); size-- > 0;)
    text += static_cast<char>('a' + random.Between(0, 25));
  const int status = static_cast<int>(random.Between(0, 6));
  const Told told = ToldBy<dnnl::error>(status, text, 0);
  const std::string size = " of an error of " + std::to_string(text.size()) + " characters";
  if (told.what != text) return trial.Deviate("what()" + size, text, told.what);
  if (told.message != text) return trial.Deviate("message" + size, text, told.message);
  if (told.status != status)
    trial.Deviate("status" + size, std::to_string(status), std::to_string(told.status));
}

void StatusSaysWhy(const FaultCase& c, Trial& trial) {
  const auto drawn = Draw(c, trial);
  if (!drawn) return;
  const auto made = Attempt([&] { return drawn->pair.wrong(false); });
  if (made || !made.refusal.is_error) return trial.Vacuous();  // ERR-001
  if (!made.refusal.MayBe(drawn->call->status)) {
    trial.Deviate(Name(*drawn->call) + ", status", std::to_string(drawn->call->status),
                  std::to_string(made.refusal.status));
  }
}

bool HasTheFlag(const FaultyCall& call, Trial& trial) {
  if (call.allow_empty && (trial.project() || call.portable_empty)) return true;
  trial.Vacuous();
  return false;
}

void FlagGivesEmptyObjects(const FaultCase& c, Trial& trial) {
  const auto drawn = Draw(c, trial);
  if (!drawn || !HasTheFlag(*drawn->call, trial)) return;
  const auto made = Attempt([&] { return drawn->pair.wrong(true); });
  const std::string where = Name(*drawn->call) + " with allow_empty";
  if (!made) return trial.Fail(where, "an empty object", made.refusal);
  trial.Expect(*made.value == Made::kEmpty, where, "an empty object", "another");
}

// ERR-007, for what makes descriptors.
void FlagGivesZeroDescriptors(const FaultCase& c, Trial& trial) {
  for (const char* prefix : {"desc-", "submemory-", "reshape-", "permute-"})
    if (c.call.rfind(prefix, 0) == 0) return FlagGivesEmptyObjects(c, trial);
  trial.Vacuous();
}

void ThrowsIffEmpty(const FaultCase& c, Trial& trial) {
  const auto drawn = Draw(c, trial);
  if (!drawn || !HasTheFlag(*drawn->call, trial)) return;
  for (const bool wrong : {true, false}) {
    const auto& call = wrong ? drawn->pair.wrong : drawn->pair.right;
    const auto without = Attempt([&] { return call(false); });
    const auto with = Attempt([&] { return call(true); });
    const std::string where = Name(*drawn->call) + (wrong ? "" : ", made right");
    if (!with) return trial.Fail(where + " with allow_empty", "no exception", with.refusal);
    const bool empty = *with.value == Made::kEmpty;
    if (!trial.Expect(
            empty == !without, where,
            without ? "an object, since it does not throw" : "an empty object, since it throws",
            empty ? "an empty object" : "an object"))
      return;
  }
}

// Failing again and again leaves a subject that works.
void FailingLeavesASubjectThatWorks(const FaultCase& c, Trial& trial) {
  const auto drawn = Draw(c, trial);
  if (!drawn) return;
  for (int round = 0; round < 8; ++round)
    if (!IsRefused(*drawn, trial)) return;
  if (drawn->call->allow_empty) Attempt([&] { return drawn->pair.wrong(true); });
  const auto neighbour = Attempt([&] { return drawn->pair.right(false); });
  ExpectAccepted(trial, neighbour, Name(*drawn->call) + ", made right");
}

// No more than a refusal costs once stays behind.
void RefusalsLeaveNothingBehind(const FaultCase& c, Trial& trial) {
  const auto drawn = Draw(c, trial);
  if (!drawn || !IsRefused(*drawn, trial)) return;
  constexpr int kRefusals = 2000;
  const auto leaves = [&](bool allow_empty, const char* how) {
    const int64_t left = BytesLeftByEach(
        kRefusals, [&] { Attempt([&] { return drawn->pair.wrong(allow_empty); }); });
    return trial.Expect(left < kLeastLeak,
                        Name(*drawn->call) + how + ", bytes left by each of 2000 refusals", "none",
                        std::to_string(left));
  };
  if (leaves(false, "") && drawn->call->allow_empty) leaves(true, " with allow_empty");
}

Cases<FaultCase> EachFaultOnce() {
  return {static_cast<int64_t>(FaultyCalls().size()), [](int64_t index, Random&) {
            return FaultCase{FaultyCalls()[index].name, 0};
          }};
}

// Dims whose bytes are beyond 63 bits pass where strides are run-time values, since nothing is
// known of their extent. What is made of them may be refused or accepted.
void NoMemoryIsSoLong(const SeedCase& c, Trial& trial) {
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  Random random(Mix(c.seed));
  using dnnl::memory;
  memory::dims dims(random.Between(1, 4));
  int64_t bits = random.Between(61, 66);  // of the number of elements
  for (int64_t& dim : dims) {
    const int64_t wanted = &dim == &dims.back() ? bits : random.Between(0, bits);
    const int64_t some = std::min<int64_t>(wanted, 62);
    dim = int64_t{1} << some;
    bits -= some;
  }
  const memory::dims strides(dims.size(), DNNL_RUNTIME_DIM_VAL);
  const auto type = random.Chance(50) ? memory::data_type::f32 : memory::data_type::u8;
  const auto desc = Attempt([&] { return memory::desc(dims, type, strides); });
  if (!desc) return trial.LeftOpen(desc.refusal, "run-time strides beside such dims");
  for (const bool allow_empty : {false, true}) {
    const auto made = Attempt([&] {
      return dnnl::reorder::primitive_desc(device->engine, *desc.value, device->engine, *desc.value,
                                           dnnl::primitive_attr(), allow_empty);
    });
    if (!trial.Expect(made || (made.refusal.is_error && !allow_empty),
                      allow_empty ? "reorder with allow_empty" : "reorder",
                      allow_empty ? "no exception" : "an object or dnnl::error",
                      made.refusal.ToString()))
      return;
  }
}

// Too few scales for the mask: whoever accepts them reads past the end when it executes.
void ShortScalesAreRefused(const SeedCase& c, Trial& trial) {
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  Random random(Mix(c.seed));
  using dnnl::memory;
  const memory::dims dims{random.Between(2, 9), random.Between(2, 9)};
  const memory::desc desc(dims, memory::data_type::f32, memory::format_tag::ab);
  const int axis = static_cast<int>(random.Between(0, 1));
  const auto make = [&](int64_t count) {
    dnnl::primitive_attr attr;
    attr.set_output_scales(1 << axis, std::vector<float>(count, 2.f));
    return dnnl::reorder::primitive_desc(device->engine, desc, device->engine, desc, attr);
  };
  if (const auto right = Attempt([&] { return make(dims[axis]); }); !right)
    return trial.Refused(right.refusal, {"reorder", "", {"f32", "f32"}, 2, {"mask"}});
  const int64_t count = random.Between(1, dims[axis] - 1);
  const auto made = Attempt([&] { return make(count); });
  ExpectRefused(
      trial, made,
      "reorder with " + std::to_string(count) + " scales (of " + std::to_string(dims[axis]) + ")");
}

// ERR-016: what is wrong with an execution is told by execute, and never by wait.
void FaultsAreToldInTime(const FaultCase& c, Trial& trial) {
  Device* const device = DeviceFor(trial);
  const auto drawn = Draw(c, trial);
  if (!drawn || device == nullptr) return;
  if (drawn->call->executes()) {
    trial.Cover("execution");
    ExpectRefusedByExecute(
        Name(*drawn->call), [&] { drawn->pair.wrong(false); }, device->stream, trial);
    return;
  }
  if (!IsRefused(*drawn, trial)) return;
  trial.Cover("construction");
  const auto waited = Attempt([&] { device->stream.wait(); });
  trial.Expect(static_cast<bool>(waited), "wait() after " + Name(*drawn->call), "no exception",
               waited.refusal.ToString());
}

// A fault, and what its refusal says when no other thread fails.
struct Alone {
  Drawn drawn;
  std::string text;
};

// Nothing where that is no error, or is not the same each time.
std::optional<Alone> RefusedAlone(const Drawn& drawn) {
  const auto first = Attempt([&] { return drawn.pair.wrong(false); });
  const auto again = Attempt([&] { return drawn.pair.wrong(false); });
  if (first || again || !first.refusal.is_error) return std::nullopt;
  if (first.refusal.ToString() != again.refusal.ToString()) return std::nullopt;
  return Alone{drawn, first.refusal.ToString()};
}

// Each of several threads fails in a call of its own, and catches its own error each time.
void ExceptionsStayInTheirThread(const FaultCase& c, Trial& trial) {
  const auto drawn = Draw(c, trial);
  if (!drawn || !IsRefused(*drawn, trial)) return;
  constexpr size_t kThreads = 4;
  constexpr int kRounds = 16;
  std::vector<Alone> faults;
  if (auto alone = RefusedAlone(*drawn)) faults.push_back(*std::move(alone));
  Random random(Mix(c.seed + 1));
  for (int tries = 0; tries < 20 && faults.size() < kThreads; ++tries) {
    const FaultyCall& call = random.Pick(FaultyCalls());
    if (call.project_only && trial.portable()) continue;
    auto alone = RefusedAlone({&call, call.draw(random, *DeviceFor(trial))});
    if (alone) faults.push_back(*std::move(alone));
  }
  if (faults.size() < 2) return trial.Vacuous();
  std::vector<std::string> others(faults.size());
  std::vector<std::thread> threads;
  for (size_t t = 0; t < faults.size(); ++t) {
    threads.emplace_back([&, t] {
      for (int round = 0; round < kRounds; ++round) {
        const auto made = Attempt([&] { return faults[t].drawn.pair.wrong(false); });
        if (made || made.refusal.ToString() != faults[t].text)
          others[t] = made ? "accepted" : made.refusal.ToString();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (size_t t = 0; t < faults.size(); ++t) {
    trial.Expect(others[t].empty(),
                 Name(*faults[t].drawn.call) + " in one thread of several that fail",
                 faults[t].text, others[t]);
  }
}

// ERR-018: an empty engine or hint is an argument like another, or a mistake beyond the flag.
void EmptyArgumentsWithTheFlag(const FaultCase& c, Trial& trial) {
  if (c.call != "reorder-on-nothing" && c.call != "shuffle-on-nothing" &&
      c.call != "shuffle-without-hint") {
    return trial.Vacuous();
  }
  const auto drawn = Draw(c, trial);
  if (!drawn) return;
  const auto made = Attempt([&] { return drawn->pair.wrong(true); });
  const bool empty = made && *made.value == Made::kEmpty;
  trial.Record(c.call + " with allow_empty", empty ? "empty" : made ? "an object" : "throws");
  if (empty || (!made && made.refusal.is_error && trial.portable())) return;
  trial.Fail(Name(*drawn->call) + " with allow_empty", "an empty object",
             made ? "an object" : made.refusal.ToString());
}

Cases<FaultCase> EmptyArguments() {
  return {0, [](int64_t index, Random& random) {
            constexpr const char* kCalls[] = {"reorder-on-nothing", "shuffle-on-nothing",
                                              "shuffle-without-hint"};
            return FaultCase{kCalls[index % 3], static_cast<uint64_t>(random.Between(0, 9999))};
          }};
}

const bool defined[] = {
    Define(spec::ERR_001, "", EveryFault(), RefusalsAreErrors,
           {"desc-strides-tie", "reshape-product", "engine-index", "execute-without-source"}),
    Define(spec::ERR_002, "", EveryFault(), TextsAreUsable),
    Define(spec::ERR_002, "others", EveryFault(), TextsAreTheirOwn),
    Define(spec::ERR_003, "", EveryFault(), WhatIsTheMessage),
    Define(spec::ERR_003, "text", Seeds(), WhatIsTheTextGiven),
    Define(spec::ERR_004, "", EveryFault(), StatusSaysWhy, {"reorder-rnn", "reshape-product"}),
    Define(spec::ERR_006, "", EveryFault(), FlagGivesEmptyObjects,
           {"desc-tag-rank", "submemory-outside", "reorder-shapes", "shuffle-scales"}),
    Define(spec::ERR_007, "", EveryFault(), FlagGivesZeroDescriptors,
           {"desc-tag-rank", "submemory-outside", "reshape-product", "permute-repeated"}),
    Define(spec::ERR_009, "", EveryFault(), ThrowsIffEmpty,
           {"desc-tag-rank", "submemory-outside", "reorder-shapes", "shuffle-scales"}),
    Define(spec::ERR_015, "", EveryFault(), FailingLeavesASubjectThatWorks),
    Define(spec::ERR_015, "held", EachFaultOnce(), RefusalsLeaveNothingBehind),
    Define(spec::ERR_015, "scales", Seeds(), ShortScalesAreRefused),
    Define(spec::ERR_015, "long", Seeds(), NoMemoryIsSoLong),
    Define(spec::ERR_016, "", EveryFault(), FaultsAreToldInTime, {"execution", "construction"}),
    Define(spec::ERR_017, "", Costly(EveryFault(), 4), ExceptionsStayInTheirThread),
    Define(spec::ERR_018, "", EmptyArguments(), EmptyArgumentsWithTheFlag),
};

}  // namespace
}  // namespace conformance
