// REO-ZP-013 to REO-ZP-016, REO-ZP-022: what may be set, what it does where nobody serves it.
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "conformance/case/property.h"
#include "conformance/gen/choice.h"
#include "conformance/reorder/cases.h"
#include "conformance/reorder/run.h"
#include "conformance/subject/descriptor_text.h"
#include "spec/requirements.h"

namespace conformance {
namespace {

using dnnl::memory;
using spec::Type;

// A reorder of f32 2x3 with `attr`, or why there is none.
Attempted<ReorderPd> Create(const Device& device, const dnnl::primitive_attr& attr) {
  const memory::desc desc({2, 3}, memory::data_type::f32, memory::format_tag::ab);
  return Attempt([&] { return ReorderPd(device.engine, desc, device.engine, desc, attr); });
}

// Whether what an attribute gave is this one value.
bool ExpectZeroPoint(int32_t value, int mask, const std::vector<int32_t>& values,
                     const std::string& where, Trial& trial) {
  return trial.Expect(mask == 0 && values == std::vector<int32_t>{value}, where,
                      "mask 0, {" + std::to_string(value) + "}",
                      "mask " + std::to_string(mask) + ", " + std::to_string(values.size()) +
                          " values" +
                          (values.empty() ? "" : ", first " + std::to_string(values[0])));
}

// What happens to zero points: refused where they are set, or at creation, or neither.
enum class Fate { kSetter, kCreation, kAccepted, kFault };

Fate FateOf(int arg, int mask, const std::vector<int32_t>& values, const Device& device,
            Trial& trial) {
  dnnl::primitive_attr attr;
  // What was there before is not the default, where it may be another.
  const bool before = static_cast<bool>(Attempt([&] { attr.set_zero_points(arg, 0, {5}); }));
  const auto set = Attempt([&] { attr.set_zero_points(arg, mask, values); });
  if (set) {
    const auto pd = Create(device, attr);
    if (pd) return Fate::kAccepted;
    return trial.Expect(pd.refusal.is_error, "reorder::primitive_desc", "a dnnl::error",
                        pd.refusal.ToString())
               ? Fate::kCreation
               : Fate::kFault;
  }
  if (!trial.Expect(set.refusal.is_error, "set_zero_points", "a dnnl::error",
                    set.refusal.ToString()))
    return Fate::kFault;
  // A setter that refuses changes nothing.
  int got_mask = -1;
  std::vector<int32_t> got;
  const auto read = Attempt([&] { attr.get_zero_points(arg, got_mask, got); });
  if (read && !ExpectZeroPoint(before ? 5 : 0, got_mask, got,
                               "get_zero_points() after a refused set", trial))
    return Fate::kFault;
  return Fate::kSetter;
}

// `what=1:rt`: the mask, and a run-time value or a fixed one for each index.
void MasksAreRefused(const Choice& choice, Trial& trial) {
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  const int mask = std::stoi(choice.what);
  const bool run_time = choice.what.find(":rt") != std::string::npos;
  const std::vector<int32_t> values =
      run_time ? std::vector<int32_t>{DNNL_RUNTIME_S32_VAL}
               : std::vector<int32_t>(static_cast<size_t>(spec::ScaleCount(mask, {2, 3})), 3);
  for (int arg : {DNNL_ARG_SRC, DNNL_ARG_DST}) {
    const Fate fate = FateOf(arg, mask, values, *device, trial);
    if (fate == Fate::kFault) return;
    trial.Record("zero points with mask " + choice.what,
                 fate == Fate::kAccepted ? "accepted" : "refused");
    if (fate == Fate::kAccepted && trial.project())
      return trial.Fail("zero points with mask " + choice.what, "refused at creation", "accepted");
  }
}

// Values that no setter need take, or that no reorder serves.
void SetterRules(const Choice& choice, Trial& trial) {
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  const bool malformed = choice.what == "no-values" || choice.what == "negative-mask";
  const int mask = choice.what == "negative-mask" ? -1 : choice.what == "masked" ? 2 : 0;
  std::vector<int32_t> values = {3};
  if (choice.what == "no-values") values.clear();
  if (choice.what == "several") values = {3, 4};
  for (int arg : {DNNL_ARG_SRC, DNNL_ARG_DST}) {
    const Fate fate = FateOf(arg, mask, values, *device, trial);
    if (fate == Fate::kFault) return;
    if (fate == Fate::kAccepted)
      return trial.Fail("zero points, " + choice.what, "refused", "accepted");
    if (malformed && trial.project() && fate != Fate::kSetter)
      return trial.Fail("set_zero_points, " + choice.what, "refused", "accepted");
  }
}

void OtherArgumentsAreRefused(const Choice& choice, Trial& trial) {
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  const bool run_time = choice.what.find(":rt") != std::string::npos;
  const std::string name = choice.what.substr(0, choice.what.find(':'));
  const int arg = name == "weights" ? DNNL_ARG_WEIGHTS
                  : name == "bias"  ? DNNL_ARG_BIAS
                  : name == "src-1" ? DNNL_ARG_SRC_1
                                    : DNNL_ARG_DIFF_DST;
  const int32_t value = run_time ? DNNL_RUNTIME_S32_VAL : 3;
  if (FateOf(arg, 0, {value}, *device, trial) == Fate::kAccepted)
    trial.Fail("a zero point of " + NameOfArgument(arg), "refused", "accepted");
}

bool Holds(const dnnl::primitive_attr& attr, int arg, int32_t value, const std::string& where,
           Trial& trial) {
  int mask = -1;
  std::vector<int32_t> values;
  attr.get_zero_points(arg, mask, values);
  return ExpectZeroPoint(value, mask, values, where, trial);
}

void GettersGiveWhatWasSet(const ReorderCase& c, Trial& trial) {
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  auto attr = Attempt([&] { return AttrOf(c); });
  const auto pd = attr ? Create(*device, *attr.value) : Attempted<ReorderPd>{};
  if (!pd) {
    const Refusal& refusal = attr ? pd.refusal : attr.refusal;
    if (MayRefuse(c, trial)) return trial.Refused(refusal, AskedOf(c), LegalityOf(c, trial));
    return trial.Fail("reorder::primitive_desc", "created", refusal);
  }
  const auto given = [](const ZeroPointSpec& zero) {
    return !zero.present ? 0 : zero.run_time ? DNNL_RUNTIME_S32_VAL : zero.value;
  };
  const dnnl::primitive_attr kept = pd.value->get_primitive_attr();
  for (const auto& [arg, zero] : {std::pair(DNNL_ARG_SRC, c.attributes.src_zero),
                                  std::pair(DNNL_ARG_DST, c.attributes.dst_zero)}) {
    const std::string of = " of " + NameOfArgument(arg);
    if (!Holds(*attr.value, arg, given(zero), "the attributes' zero points" + of, trial) ||
        !Holds(kept, arg, given(zero), "get_primitive_attr()'s zero points" + of, trial))
      return;
    attr.value->set_zero_points(arg, 0, {0});
    if (!Holds(*attr.value, arg, 0, "the zero points" + of + " after {0} was set", trial)) return;
  }
}

// The constructor of 2.6 with a zero point, where the subject's header has it.
template <class PostOps>
auto AppendSum(PostOps& ops, float scale, int32_t zero, int)
    -> decltype(ops.append_sum(scale, zero, memory::data_type::undef), true) {
  ops.append_sum(scale, zero, memory::data_type::undef);
  return true;
}
template <class PostOps>
bool AppendSum(PostOps&, float, int32_t, long) {
  return false;
}

// REO-ZP-022: refused, or 2 * (old - zero) is added. Small integers, so that nothing is rounded.
void SumsWithZeroPoints(const ReorderCase& c, Trial& trial) {
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  const auto src_desc = DescFor(c.src, trial), dst_desc = DescFor(c.dst, trial);
  if (!src_desc || !dst_desc) return;
  trial.Cover(std::string("to ") + spec::NameOf(c.dst.type));
  const int32_t zero = c.seed % 2 == 0 ? 3 : -7;
  dnnl::post_ops ops;
  const auto appended = Attempt([&] { return AppendSum(ops, 2.0f, zero, 0); });
  if (appended && !*appended.value) return trial.NotRun("the header has no sum with a zero point");
  const auto pd = Attempt([&] {
    dnnl::primitive_attr attr = AttrOf(c);
    attr.set_post_ops(ops);
    return ReorderPd(device->engine, *src_desc, device->engine, *dst_desc, attr);
  });
  trial.Record("a sum with a zero point", appended && pd ? "accepted" : "refused");
  if (!appended || !pd) {
    const Refusal& refusal = appended ? pd.refusal : appended.refusal;
    trial.Expect(refusal.is_error, "a sum with a zero point", "a dnnl::error", refusal.ToString());
    return;
  }
  Tensor in(c.src, *src_desc, *device, c.from, 1);
  Tensor out(c.dst, *dst_desc, *device, c.to, 2);
  std::vector<spec::Bits> source, old, expected;
  const auto shift = [](const ZeroPointSpec& z) { return z.effective().value_or(0); };
  for (int64_t k = 0; k < spec::ElementCount(c.dims()); ++k) {
    const int x = static_cast<int>(k % 7), q = static_cast<int>(k % 5);
    source.push_back(BitsOf(c.src.type, static_cast<float>(x)));
    old.push_back(BitsOf(c.dst.type, static_cast<float>(q)));
    expected.push_back(spec::Convert(
        c.dst.type, static_cast<float>(x - shift(c.attributes.src_zero) + 2 * (q - zero) +
                                       shift(c.attributes.dst_zero))));
  }
  in.Store(source);
  out.Store(old);
  const auto done = Attempt([&] {
    dnnl::reorder(*pd.value).execute(device->stream, in.memory(), out.memory());
    device->stream.wait();
  });
  if (!done) return trial.Fail("execute and wait", "done", done.refusal);
  ExpectSameBits(trial, "dst", c.dst.type, c.dims(), expected, out.Load());
}

Cases<ReorderCase> SumCases() {
  std::vector<ReorderCase> cases;
  for (int side = 0; side < 4; ++side) {
    for (uint64_t seed : {0, 1}) {
      for (const char* tag : {"ab", "ba"}) {
        ReorderCase c;
        c.src = c.dst = {Type::kF32, {4, 17}, Plainest({4, 17})};
        c.dst.layout.tag = tag;
        if ((side & 1) != 0) c.attributes.src_zero = {true, 5, false};
        if ((side & 2) != 0) c.attributes.dst_zero = {true, 9, false};
        c.seed = seed;
        cases.push_back(c);
      }
    }
  }
  return Listed(std::move(cases));
}

// Every pair of types, anywhere in memory.
Cases<ReorderCase> SumsOfEachPair() {
  return {0, [](int64_t index, Random& random) {
            const TypePair pair = TypePairs()[index % 36];
            ReorderLimits limits;
            limits.from = {pair.from};
            limits.to = {pair.to};
            limits.shape.max_elements = 512;
            limits.values = {ValueKind::kIndex};
            ReorderCase c = AnyReorderCase(random, limits);
            if (random.Chance(50)) c.attributes.src_zero = {true, 5, false};
            if (random.Chance(50)) c.attributes.dst_zero = {true, 9, false};
            return c;
          }};
}

ReorderLimits Any() {
  ReorderLimits limits;
  limits.from = limits.to = {Type::kF32};
  limits.layouts = Layouts::kTags;
  limits.shape.max_elements = 64;
  limits.attributes = true;
  limits.attribute_limits.zero_points = true;
  limits.attribute_limits.masks = Masks::kNone;
  return limits;
}

const bool kDefined[] = {
    Define<Choice>(spec::REO_ZP_013, "", Choices({"1", "2", "3", "32:rt", "1:rt", "2:rt", "3:rt"}),
                   MasksAreRefused),
    Define<Choice>(spec::REO_ZP_014, "",
                   Choices({"no-values", "negative-mask", "several", "masked"}), SetterRules),
    Define<Choice>(spec::REO_ZP_015, "",
                   Choices({"weights", "weights:rt", "bias", "bias:rt", "src-1", "src-1:rt",
                            "diff-dst", "diff-dst:rt"}),
                   OtherArgumentsAreRefused),
    Define<ReorderCase>(spec::REO_ZP_016, "", AnyReorder(Any()), GettersGiveWhatWasSet),
    Define<ReorderCase>(spec::REO_ZP_022, "", SumCases(), SumsWithZeroPoints),
    Define<ReorderCase>(spec::REO_ZP_022, "everywhere", SumsOfEachPair(), SumsWithZeroPoints,
                        {"to f32", "to s32", "to s8", "to u8", "to bf16", "to f16"}),
};

}  // namespace
}  // namespace conformance
