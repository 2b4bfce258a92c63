// DT-029, DT-030: the floating-point environment of the caller.
#include <time.h>

#include <cfenv>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "conformance/case/property.h"
#include "conformance/memory/data_types.h"
#include "conformance/memory/value_cases.h"
#include "conformance/subject/attempt.h"
#include "conformance/subject/conversion.h"
#include "conformance/subject/environment.h"
#include "conformance/subject/tensor.h"
#include "spec/numeric/compare.h"
#include "spec/numeric/rounding.h"
#include "spec/requirements.h"

namespace conformance {
namespace {

using spec::Bits;
using spec::Type;

struct Mode {
  int value;
  const char* name;
};
constexpr Mode kModes[] = {{FE_TONEAREST, "FE_TONEAREST"},
                           {FE_UPWARD, "FE_UPWARD"},
                           {FE_DOWNWARD, "FE_DOWNWARD"},
                           {FE_TOWARDZERO, "FE_TOWARDZERO"}};

spec::Direction DirectionOf(int mode, bool negative) {
  if (mode == FE_UPWARD) return spec::Direction::kUp;
  if (mode == FE_DOWNWARD) return spec::Direction::kDown;
  return negative ? spec::Direction::kUp : spec::Direction::kDown;  // towards zero
}

spec::Format FormatOf(Type type) {
  return type == Type::kF16    ? spec::kBinary16
         : type == Type::kBF16 ? spec::kBFloat16
                               : spec::kBinary32;
}

// `bits` converted with the rounding of `mode`. Not for NaNs.
Bits Directed(Type from, Type to, Bits bits, int mode) {
  if (spec::IsFloat(to)) {
    bool negative = false;
    uint64_t significand = 0;
    int exponent = 0;
    if (spec::IsFloat(from)) {
      const spec::Parts parts = spec::TakeApart(FormatOf(from), bits);
      if (parts.kind != spec::Class::kFinite) return spec::Copy(from, to, bits);
      negative = parts.negative;
      significand = parts.significand;
      exponent = parts.exponent;
    } else {
      const int64_t value = from == Type::kS32  ? static_cast<int32_t>(bits)
                            : from == Type::kS8 ? static_cast<int8_t>(bits)
                                                : static_cast<int64_t>(bits);
      negative = value < 0;
      significand = static_cast<uint64_t>(negative ? -value : value);
    }
    return static_cast<Bits>(
        spec::Round(FormatOf(to), negative, significand, exponent, DirectionOf(mode, negative)));
  }
  if (!spec::IsFloat(from)) return spec::Copy(from, to, bits);
  // An integer is exact in f32 or far outside: what remains to do is to saturate.
  const float value = spec::Widen(from, bits);
  const float rounded = mode == FE_UPWARD     ? std::ceil(value)
                        : mode == FE_DOWNWARD ? std::floor(value)
                                              : std::trunc(value);
  return spec::Convert(to, rounded);
}

void RoundsToNearestOrByTheMode(const ValueCase& c, Trial& trial) {
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  if (!device->on_host) return trial.NotRun("the mode of the calling thread is the CPU's");
  const std::vector<Arrangement> arrangements = ArrangementsOf(c);
  const Conversion conversion =
      ConversionIn(arrangements[c.draw_count == 0 ? 0 : arrangements.size() - 1], c);
  const std::vector<Bits>& source = conversion.source;
  if (source.empty()) return trial.Vacuous();
  const auto pd = ConversionPd(conversion, *device, trial);
  if (!pd) return;
  Tensor from(conversion.src, pd->src_desc(), *device, {}, 1);
  Tensor to(conversion.dst, pd->dst_desc(), *device, {}, 2);
  const dnnl::reorder reorder(*pd);
  // What is wrong under the default mode already is the business of other requirements.
  std::vector<bool> right(source.size(), true);
  for (const Mode& mode : kModes) {
    from.Store(source);
    to.Store(std::vector<Bits>(source.size(), 0x55));
    const auto done = Attempt([&] {
      const SavedEnvironment saved;
      std::fesetround(mode.value);
      reorder.execute(device->stream, from.memory(), to.memory());
      device->stream.wait();
    });
    if (!done) return trial.Fail(mode.name, "executed", done.refusal);
    const std::vector<Bits> result = to.Load();
    for (size_t k = 0; k < source.size(); ++k) {
      if (!right[k] || spec::IsNan(c.from, source[k])) continue;
      if (spec::AcceptsCopy(c.from, c.to, source[k], result[k], spec::Strictness::kPortable))
        continue;
      if (mode.value == FE_TONEAREST) {
        right[k] = false;
        continue;
      }
      const Bits directed = Directed(c.from, c.to, source[k], mode.value);
      // A sum that cancels is -0 under FE_DOWNWARD: zeros are equal here.
      if (spec::Between(c.to, directed, result[k], directed)) continue;
      return trial.Fail(NameOfElement(c, k, source[k]) + " under " + mode.name,
                        spec::ToString(c.to, spec::Copy(c.from, c.to, source[k])) + " or " +
                            spec::ToString(c.to, directed),
                        spec::ToString(c.to, result[k]));
    }
  }
}

// On a thread whose first call is made under another mode: what the subject remembers of that must
// not decide what it does under the default one.
void TheDefaultReturnsWithIt(const ValueCase& c, Trial& trial) {
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  if (!device->on_host) return trial.NotRun("the mode of the calling thread is the CPU's");
  const std::vector<Bits> source = c.Elements();
  const Conversion conversion = ConversionOf(c.from, c.to, source);
  const auto pd = ConversionPd(conversion, *device, trial);
  if (!pd) return;
  Tensor from(conversion.src, pd->src_desc(), *device, {}, 1);
  Tensor to(conversion.dst, pd->dst_desc(), *device, {}, 2);
  const dnnl::reorder reorder(*pd);
  from.Store(source);
  const auto run = [&](int mode) {
    std::fesetround(mode);
    return Attempt([&] {
      reorder.execute(device->stream, from.memory(), to.memory());
      device->stream.wait();
    });
  };
  const auto result_of = [&](const std::vector<int>& modes) -> std::optional<std::vector<Bits>> {
    Refusal refusal;
    bool done = true;
    to.Store(std::vector<Bits>(source.size(), 0x55));
    std::thread([&] {
      for (int mode : modes) {
        const auto attempt = run(mode);
        if (attempt) continue;
        done = false;
        refusal = attempt.refusal;
      }
    }).join();
    if (done) return to.Load();
    trial.Fail("execute and wait", "done", refusal);
    return std::nullopt;
  };
  const auto plain = result_of({FE_TONEAREST});
  if (!plain) return;
  for (const Mode& mode : kModes) {
    if (mode.value == FE_TONEAREST) continue;
    const auto after = result_of({mode.value, FE_TONEAREST});
    if (!after) return;
    for (size_t k = 0; k < source.size(); ++k) {
      if (spec::SameValue(c.to, (*plain)[k], (*after)[k])) continue;
      return trial.Fail(NameOfElement(c, k, source[k]) + " under FE_TONEAREST after " + mode.name,
                        spec::ToString(c.to, (*plain)[k]) + ", as on a thread without",
                        spec::ToString(c.to, (*after)[k]));
    }
  }
}

// Processor time of all other threads of this process, in seconds.
double TimeOfOthers() {
  const auto seconds = [](clockid_t clock) {
    timespec now{};
    clock_gettime(clock, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
  };
  return seconds(CLOCK_PROCESS_CPUTIME_ID) - seconds(CLOCK_THREAD_CPUTIME_ID);
}

// A reorder that repeats the elements of a case so often that several threads are worth it.
struct ManyTimes {
  ManyTimes(const ValueCase& c, const std::vector<Bits>& few, const Device& device)
      : source_bytes(static_cast<size_t>(spec::BytesOf(c.from))),
        result_bytes(static_cast<size_t>(spec::BytesOf(c.to))),
        times((size_t{1} << 21) / few.size()),
        source(few.size() * times * source_bytes),
        result(few.size() * times * result_bytes) {
    for (size_t k = 0; k < few.size() * times; ++k)
      std::memcpy(&source[k * source_bytes], &few[k % few.size()], source_bytes);
    const dnnl::memory::dim count = static_cast<dnnl::memory::dim>(few.size() * times);
    const auto desc = [&](Type type) {
      return dnnl::memory::desc({count}, DataTypeOf(type), dnnl::memory::format_tag::a);
    };
    from = dnnl::memory(desc(c.from), device.engine, source.data());
    to = dnnl::memory(desc(c.to), device.engine, result.data());
    reorder = dnnl::reorder(from, to);
  }

  // Element k of the few, the time that it is not `wanted` first; nullopt where it always is.
  std::optional<std::pair<size_t, Bits>> Differs(Type to_type, const std::vector<Bits>& wanted) {
    std::vector<std::byte> bytes(wanted.size() * result_bytes);
    for (size_t k = 0; k < wanted.size(); ++k)
      std::memcpy(&bytes[k * result_bytes], &wanted[k], result_bytes);
    for (size_t begin = 0; begin < result.size(); begin += bytes.size()) {
      if (std::memcmp(&result[begin], bytes.data(), bytes.size()) == 0) continue;
      for (size_t k = 0; k < wanted.size(); ++k) {
        Bits got = 0;
        std::memcpy(&got, &result[begin + k * result_bytes], result_bytes);
        if (!spec::SameValue(to_type, wanted[k], got)) return std::pair(k, got);
      }
    }
    return std::nullopt;
  }

  const size_t source_bytes, result_bytes, times;
  std::vector<std::byte> source, result;
  dnnl::memory from, to;
  dnnl::reorder reorder;
};

// The same for threads of the subject's own. Its loops run under another mode first, and then under
// the default one, each time until others have worked for a while, if there is a processor for
// them: a few of these loops they have then shared.
void HelpersGoWithTheCaller(const ValueCase& c, Trial& trial) {
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  if (!device->on_host) return trial.NotRun("the mode of the calling thread is the CPU's");
  const std::vector<Bits> source = c.Elements();
  if (source.empty()) return trial.Vacuous();
  const Conversion few = ConversionOf(c.from, c.to, source);
  if (!ConversionPd(few, *device, trial)) return;
  const SavedEnvironment saved;
  std::optional<ManyTimes> many;
  const auto made = Attempt([&] { many.emplace(c, source, *device); });
  if (!made) return trial.Fail("reorder of many", "created", made.refusal);
  // What so few elements become, on the calling thread alone; asked for after the first loops.
  std::optional<std::vector<Bits>> wanted;
  for (const int mode : {FE_UPWARD, FE_TONEAREST, FE_DOWNWARD, FE_TONEAREST}) {
    using Clock = std::chrono::steady_clock;
    const Clock::time_point latest = Clock::now() + std::chrono::milliseconds(250);
    double shared = 0;
    for (int round = 0; round < 3 || (shared < 0.01 && Clock::now() < latest); ++round) {
      std::fesetround(mode);
      const double before = TimeOfOthers();
      const auto done = Attempt([&] {
        many->reorder.execute(device->stream, many->from, many->to);
        device->stream.wait();
      });
      shared += TimeOfOthers() - before;
      std::fesetround(FE_TONEAREST);
      if (!done) return trial.Fail("execute and wait", "done", done.refusal);
      if (mode != FE_TONEAREST) continue;
      if (!wanted) wanted = RunConversion(few, trial);
      if (!wanted) return;
      const auto differs = many->Differs(c.to, *wanted);
      if (differs)
        return trial.Fail(NameOfElement(c, differs->first, source[differs->first]) + " of many",
                          spec::ToString(c.to, (*wanted)[differs->first]) + ", as of few",
                          spec::ToString(c.to, differs->second));
    }
  }
}

void EnvironmentStaysAsItWas(const ValueCase& c, Trial& trial) {
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  const std::vector<Bits> source = c.Elements();
  if (source.empty()) return trial.Vacuous();
  const Conversion conversion = ConversionOf(c.from, c.to, source);
  const auto pd = ConversionPd(conversion, *device, trial);
  if (!pd) return;
  Tensor from(conversion.src, pd->src_desc(), *device, {}, 1);
  Tensor to(conversion.dst, pd->dst_desc(), *device, {}, 2);
  from.Store(source);
  to.Store(source);
  for (const char* what : kEnvironments) {
    EnvironmentWatch watch(what);
    const auto done = Attempt([&] {
      std::optional<dnnl::reorder::primitive_desc> made;
      std::optional<dnnl::reorder> reorder;
      watch.Step("primitive_desc", [&] {
        made.emplace(device->engine, pd->src_desc(), device->engine, pd->dst_desc());
      });
      watch.Step("reorder", [&] { reorder.emplace(*pd); });
      watch.Step("execute", [&] { reorder->execute(device->stream, from.memory(), to.memory()); });
      watch.Step("wait", [&] { device->stream.wait(); });
    });
    if (!done) return trial.Fail("reorder", "executed", done.refusal);
    if (watch.culprit().empty()) continue;
    return trial.Fail("the environment after " + watch.culprit() + ", set before: " + what,
                      watch.before().ToString(), watch.after().ToString());
  }
}

// Pairs that round, with values that need it.
Cases<ValueCase> Rounding() {
  return ListedThenDrawn(
      {TheseFloats(Type::kS8, {0.5f, 1.5f, -0.5f, 126.5f, 127.5f, -128.5f, 0.25f, -0.75f}),
       TheseFloats(Type::kU8, {0.5f, 1.5f, -0.5f, 254.5f, 255.5f, 0.25f, -0.75f}),
       TheseFloats(Type::kS32, {0.5f, 1.5f, -0.5f, 8388607.5f, 2147483520.0f, 3e9f, -3e9f}),
       TheseFloats(Type::kBF16, {1.00390625f, 1.01f, 3e38f, 3.4e38f, 1e-40f}),
       TheseFloats(Type::kF16, {1.0004883f, 65519, 65520, 70000, 1e-8f, -1e-8f}),
       These(Type::kS32, Type::kF32, {16777217, 16777219, 0x7fffffff, 0x80000001})},
      {Type::kF32, Type::kF32, Type::kS32, Type::kBF16, Type::kF16},
      {Type::kS8, Type::kU8, Type::kS32, Type::kBF16, Type::kF16, Type::kF32});
}

// Pairs that round, of so many elements that several threads are worth it.
Cases<ValueCase> LargeAndRounded() {
  struct Pair {
    Type from, to;
  };
  static constexpr Pair kPairs[] = {
      {Type::kF32, Type::kS32}, {Type::kF32, Type::kS8},   {Type::kF32, Type::kU8},
      {Type::kF32, Type::kF16}, {Type::kF32, Type::kBF16}, {Type::kS32, Type::kF32},
      {Type::kS32, Type::kF16}, {Type::kBF16, Type::kS8},  {Type::kF16, Type::kU8}};
  return {static_cast<int64_t>(std::size(kPairs)), [](int64_t index, Random& random) {
            ValueCase c;
            c.from = kPairs[index].from;
            c.to = kPairs[index].to;
            c.seed = static_cast<uint64_t>(random.Between(0, 9999));
            c.draw_count = 600000 + random.Between(0, 1000);
            return c;
          }};
}

// The same pairs, of so few that one thread does them.
Cases<ValueCase> FewAndRounded() {
  Cases<ValueCase> cases = LargeAndRounded();
  cases.at = [large = cases.at](int64_t index, Random& random) {
    ValueCase c = large(index, random);
    c.kind = ValueKind::kFinite;
    c.draw_count = random.Between(500, 1000);
    return c;
  };
  return cases;
}

Cases<ValueCase> AnyPair() { return ListedThenDrawn({}, AllTypes(), AllTypes()); }

const bool kDefined[] = {
    Define<ValueCase>(spec::DT_029, "", Rounding(), RoundsToNearestOrByTheMode),
    Define<ValueCase>(spec::DT_029, "threads", LargeAndRounded(), TheDefaultReturnsWithIt),
    Define<ValueCase>(spec::DT_029, "helpers", FewAndRounded(), HelpersGoWithTheCaller),
    Define<ValueCase>(spec::DT_030, "", AnyPair(), EnvironmentStaysAsItWas),
};

}  // namespace
}  // namespace conformance
