// What is known of a descriptor that came out of `any`: OPT-001 to OPT-004, OPT-008, OPT-010,
// OPT-016 to OPT-019, OPT-022, OPT-023, MD-037. What memory with it holds: resolved_contents.cc.
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

#include "conformance/case/property.h"
#include "conformance/memory/descriptors.h"
#include "conformance/model/resolve.h"
#include "conformance/shuffle/cases.h"
#include "conformance/shuffle/run.h"
#include "conformance/subject/descriptor_text.h"
#include "conformance/subject/primitive_cache.h"
#include "conformance/subject/reorder_io.h"
#include "spec/requirements.h"

namespace conformance {
namespace {

using dnnl::memory;
using spec::Bits;

struct Answer {
  const char* query;
  const memory::desc* desc;
};

std::array<Answer, 2> AnswersOf(const Resolved& resolved) {
  return {{{"diff_dst_desc()", &resolved.diff_dst}, {"diff_src_desc()", &resolved.diff_src}}};
}

bool ExpectDimsAndType(Trial& trial, const std::string& query, const memory::desc& desc,
                       const TensorSpec& tensor) {
  return trial.Expect(desc.dims() == tensor.dims, query + ".dims()", Text(tensor.dims),
                      Text(desc.dims())) &&
         ExpectType(trial, query + ".data_type()", DataTypeOf(tensor.type), desc.data_type());
}

bool ExpectConcrete(Trial& trial, const std::string& query, const memory::desc& desc,
                    const memory::desc& any) {
  return trial.Expect(!desc.is_zero(), query, "a descriptor", "the zero descriptor") &&
         trial.Expect(!Same(desc, any), query, "a layout", "any");
}

// What constructors and views give is plain: the library's own writer puts each element where the
// formula says. What `any` gives is no layout at all.
void ConstructorsGivePlainLayouts(const ShuffleCase& c, Trial& trial) {
  SawTensor(trial, c.data);
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  const auto desc = DescFor(c.data, trial);
  if (!desc) return;
  Tensor tensor(c.data, *desc, *device, c.from, c.seed);
  const std::vector<Bits> values = PlainValues(c);
  tensor.Store(std::vector<Bits>(values.size(), 0x55555555));
  if (!WriteViaReorder(values, c.data.type, c.data.dims, tensor.memory(), *device, trial)) return;
  ExpectSameBits(trial, "what was written to " + ToString(c.data), c.data.type, c.data.dims, values,
                 tensor.Load()) &&
      Refused(trial, "memory of any",
              [&] { return memory(WithAny(c.data.type, c.data.dims), device->engine); });
}

void KeepsDimsAndType(const ShuffleCase& c, Trial& trial) {
  const auto resolved = Resolve(c, trial);
  if (!resolved) return;
  for (const Answer& answer : AnswersOf(*resolved))
    if (!ExpectDimsAndType(trial, answer.query, *answer.desc, c.data)) return;
}

void IsConcrete(const ShuffleCase& c, Trial& trial) {
  const auto resolved = Resolve(c, trial);
  if (!resolved) return;
  for (const Answer& answer : AnswersOf(*resolved))
    if (!ExpectConcrete(trial, answer.query, *answer.desc, resolved->any)) return;
}

// And it makes a memory, whatever there is to be computed.
void IsConcreteWhereEmpty(const ShuffleCase& c, Trial& trial) {
  if (!spec::IsEmpty(c.data.dims)) return trial.Vacuous();
  const auto resolved = Resolve(c, trial);
  if (!resolved) return;
  for (const Answer& answer : AnswersOf(*resolved)) {
    if (!ExpectConcrete(trial, answer.query, *answer.desc, resolved->any) ||
        !ExpectDimsAndType(trial, answer.query, *answer.desc, c.data) ||
        !Accepted(trial, std::string("memory of ") + answer.query,
                  [&] { return memory(*answer.desc, resolved->device->engine); }))
      return;
  }
}

// An inaccessible page begins where get_size() ends.
ShuffleCase BeforeAPage(const ShuffleCase& drawn) {
  ShuffleCase c = drawn;
  c.from = c.to = {Placement::Edge::kEnd, 0};
  return c;
}

void SizeIsEnough(const ShuffleCase& drawn, Trial& trial) {
  const ShuffleCase c = BeforeAPage(drawn);
  const auto resolved = Resolve(c, trial);
  if (resolved) ExpectRunsRight(c, *resolved, trial);
}

void SizeIsThatOfTheElementsOrMore(const ShuffleCase& drawn, Trial& trial) {
  const ShuffleCase c = BeforeAPage(drawn);
  const auto resolved = Resolve(c, trial);
  if (!resolved) return;
  const auto least =
      static_cast<size_t>(spec::BytesOf(c.data.type) * spec::ElementCount(c.data.dims));
  for (const Answer& answer : AnswersOf(*resolved)) {
    const size_t bytes = answer.desc->get_size();
    if (!trial.Expect(bytes >= least, std::string(answer.query) + ".get_size()",
                      "at least " + std::to_string(least), std::to_string(bytes)))
      return;
  }
  ExpectRunsRight(c, *resolved, trial);
}

// Uses again what was freed before: primitive descriptors of another layout, and bytes.
void Churn(const ShuffleCase& c, const Device& device) {
  ForgetPrimitives();
  std::vector<ShuffleBackward::primitive_desc> made;
  std::vector<std::vector<std::byte>> blocks;
  const TensorSpec other = InOtherLayout(c).data;
  Attempt([&] {
    for (int i = 0; i < 4; ++i)
      made.push_back(BackwardPd(MakeDesc(other), c.axis, static_cast<int>(c.group), device.engine));
  });
  for (size_t bytes = 16; bytes <= 4096; bytes += bytes / 4)
    blocks.emplace_back(bytes, std::byte{0xdb});
}

void OutlivesWhatItCameFrom(const ShuffleCase& c, Trial& trial) {
  auto resolved = Resolve(c, trial);
  if (!resolved) return;
  Device& device = *resolved->device;
  const std::vector<Bits> values = PlainValues(c);
  auto before = Holding(values, resolved->diff_src, c, device, trial);
  if (!before) return;
  const std::vector<Bits> bytes = before->Load();
  const memory::desc copy = resolved->diff_src;
  resolved->diff_src = resolved->diff_dst = memory::desc();
  ShuffleBackward::primitive_desc pd = resolved->pd;
  before.reset();
  resolved.reset();
  Churn(c, device);
  if (!ExpectSame(trial, "diff_src_desc() without its hint", "the descriptor it was", copy,
                  pd.diff_src_desc()))
    return;
  pd = {};
  Churn(c, device);
  if (!ExpectDimsAndType(trial, "the descriptor without its primitive descriptor", copy, c.data) ||
      !trial.Expect(copy.get_size() == bytes.size(), "get_size() without its primitive descriptor",
                    std::to_string(bytes.size()), std::to_string(copy.get_size())))
    return;
  Tensor after = OpaqueTensor(copy, c, c.to, device);
  after.Store(bytes);
  ExpectHolds(trial, "what was written before the primitive descriptor went", values, after, c,
              device);
}

// In turns with another layout, which shares whatever the subject remembers.
void ResolvesAlikeEachTime(const ShuffleCase& c, Trial& trial) {
  const ShuffleCase other = InOtherLayout(c);
  const auto first = Resolve(c, trial);
  if (!first) return;
  const auto first_other = Resolve(other, trial);
  if (!first_other) return;
  ForgetPrimitives();
  const auto again = Resolve(c, trial);
  if (!again) return;
  const char* const alike = "the descriptor of the first time";
  if (!ExpectSame(trial, "diff_dst_desc() again", alike, first->diff_dst, again->diff_dst) ||
      !ExpectSame(trial, "diff_src_desc() again", alike, first->diff_src, again->diff_src))
    return;

  constexpr int kThreads = 4, kRounds = 4;
  std::array<std::thread, kThreads> threads;
  std::array<Refusal, kThreads> refusals;
  std::array<bool, kThreads> done{};
  // The first of each thread that is another: what it should be, and what it is.
  std::array<std::optional<std::pair<memory::desc, memory::desc>>, kThreads> others;
  const int group = static_cast<int>(c.group);
  for (int t = 0; t < kThreads; ++t) {
    threads[t] = std::thread([&, t] {
      const auto run = Attempt([&] {
        for (int round = 0; round < kRounds; ++round) {
          ForgetPrimitives();
          const Resolved& wanted = (t + round) % 2 == 0 ? *first : *first_other;
          const auto hint = ForwardPd(wanted.given, c.axis, group, wanted.device->engine);
          const ShuffleBackward::primitive_desc pd(ShuffleBackward::desc(wanted.any, c.axis, group),
                                                   wanted.device->engine, hint);
          for (const auto& [told, first_told] : {std::pair(pd.diff_dst_desc(), wanted.diff_dst),
                                                 std::pair(pd.diff_src_desc(), wanted.diff_src)})
            if (!others[t] && !Same(told, first_told)) others[t].emplace(first_told, told);
        }
      });
      done[t] = static_cast<bool>(run);
      refusals[t] = run.refusal;
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (int t = 0; t < kThreads; ++t) {
    const std::string name = "thread " + std::to_string(t);
    if (!trial.Expect(done[t], name, "resolved", refusals[t].ToString()) ||
        (others[t] &&
         !ExpectDescriptor(trial, false, name, alike, others[t]->first, others[t]->second)))
      return;
  }
}

// The source of the next forward shuffle: as it was resolved, and as it was given.
void ForwardTakesTheFormat(const ShuffleCase& c, Trial& trial) {
  const auto resolved = Resolve(c, trial);
  if (!resolved) return;
  Device& device = *resolved->device;
  ShuffleCase forward = c;
  forward.forward = true;
  const std::vector<Bits> source = PlainValues(c), expected = ExpectedShuffle(forward, source);
  const Answer sources[] = {{"the resolved descriptor", &resolved->diff_src},
                            {"the descriptor of the hint", &resolved->given}};
  for (const Answer& from : sources) {
    const std::string name = from.query;
    const auto pd = Accepted(trial, "forward of " + name, [&] {
      return ForwardPd(*from.desc, c.axis, static_cast<int>(c.group), device.engine);
    });
    if (!pd) return;
    const memory::desc dst = pd->dst_desc();
    const std::string query = "dst_desc() of " + name;
    if (!ExpectConcrete(trial, query, dst, resolved->any) ||
        !ExpectDimsAndType(trial, query, dst, c.data))
      return;
    auto src = Holding(source, *from.desc, c, device, trial);
    if (!src) return;
    Tensor to = OpaqueTensor(dst, c, c.to, device);
    if (!Execute(ShuffleForward(*pd), true, *src, to, device, trial) ||
        !ExpectHolds(trial, "what was read of dst of " + name, expected, to, c, device))
      return;
  }
  if (expected == source) trial.Vacuous();
}

// The destination of the forward shuffle is taken as gradient as it is.
void GradientsAreOfTheForwardFormat(const ShuffleCase& c, Trial& trial) {
  const auto resolved = Resolve(c, trial);
  if (!resolved) return;
  Device& device = *resolved->device;
  const bool is_the_hints = resolved->chosen ? trial.project() : TakesTheHintsLayout(c.data, trial);
  for (const Answer& answer : AnswersOf(*resolved)) {
    if (!ExpectConcrete(trial, answer.query, *answer.desc, resolved->any)) return;
    if (!is_the_hints) {
      if (!ExpectDimsAndType(trial, answer.query, *answer.desc, c.data)) return;
    } else if (!ExpectSame(trial, answer.query, "src_desc() of the hint", resolved->hint.src_desc(),
                           *answer.desc) ||
               !ExpectSame(trial, answer.query, "dst_desc() of the hint", resolved->hint.dst_desc(),
                           *answer.desc)) {
      return;
    }
  }
  if (!is_the_hints) return ExpectRunsRight(c, *resolved, trial);
  const std::vector<Bits> source = PlainValues(c);
  auto src = Holding(source, resolved->hint.src_desc(), c, device, trial);
  if (!src) return;
  Tensor dst = OpaqueTensor(resolved->hint.dst_desc(), c, c.to, device);
  Tensor diff_src = OpaqueTensor(resolved->diff_src, c, c.from, device);
  if (Execute(ShuffleForward(resolved->hint), true, *src, dst, device, trial) &&
      Execute(ShuffleBackward(resolved->pd), false, dst, diff_src, device, trial))
    ExpectHolds(trial, "what backward makes of the forward dst", source, diff_src, c, device);
}

// The other primitives of the sentence are not there.
void ReorderTakesNoAny(const ShuffleCase& c, Trial& trial) {
  const auto resolved = Resolve(c, trial);
  if (!resolved) return;
  const dnnl::engine& engine = resolved->device->engine;
  const memory::desc &any = resolved->any, &known = resolved->diff_src;
  const auto reorder = [&](const memory::desc& from, const memory::desc& to) {
    return
        [&engine, &from, &to] { return dnnl::reorder::primitive_desc(engine, from, engine, to); };
  };
  // The accepted neighbour; whether pairs of this type are offered is REO's business.
  if (const auto same = Attempt(reorder(known, known)); !same)
    return trial.LeftOpen(same.refusal, "a reorder of the resolved descriptor");
  Refused(trial, "reorder from any to the resolved descriptor", reorder(any, known)) &&
      Refused(trial, "reorder from the resolved descriptor to any", reorder(known, any)) &&
      Refused(trial, "reorder from any to any", reorder(any, any));
}

void BackwardTakesAHint(const ShuffleCase& c, Trial& trial) {
  using Pd = ShuffleBackward::primitive_desc;
  const bool exists = std::is_constructible_v<Pd, const ShuffleBackward::desc&, const dnnl::engine&,
                                              const ShuffleForward::primitive_desc&>;
  if (!trial.Expect(exists, "primitive_desc(desc, engine, hint_fwd_pd)")) return;
  const auto resolved = Resolve(c, trial);  // the accepted neighbour
  if (!resolved) return;
  const int group = static_cast<int>(c.group);
  for (const memory::desc& data : {resolved->any, resolved->given}) {
    const std::string name = Same(data, resolved->any) ? "any" : "the descriptor of the hint";
    if (!Refused(trial, "backward of " + name + " with an empty hint", [&] {
          return Pd(ShuffleBackward::desc(data, c.axis, group), resolved->device->engine,
                    ShuffleForward::primitive_desc());
        }))
      return;
  }
}

void ConcreteDescriptorsAreKept(const ShuffleCase& c, Trial& trial) {
  const auto resolved = Resolve(c, trial);
  if (!resolved) return;
  const dnnl::engine& engine = resolved->device->engine;
  const int group = static_cast<int>(c.group);
  const TensorSpec other = InOtherLayout(c).data;
  const auto other_desc = DescFor(other, trial);
  if (!other_desc) return;
  const memory::desc& given = resolved->diff_src;
  const auto kept = [&](const char* query, const memory::desc& desc) {
    return ExpectSame(trial, query, "the descriptor given", given, desc);
  };
  const auto forward =
      Accepted(trial, "forward", [&] { return ForwardPd(given, c.axis, group, engine); });
  if (!forward || !kept("src_desc()", forward->src_desc()) ||
      !kept("dst_desc()", forward->dst_desc()))
    return;
  const auto backward =
      Accepted(trial, "backward", [&] { return BackwardPd(given, c.axis, group, engine); });
  if (!backward || !kept("diff_src_desc()", backward->diff_src_desc()) ||
      !kept("diff_dst_desc()", backward->diff_dst_desc()))
    return;
  // A hint of another layout may be refused (SHU-013).
  const auto hinted = Attempt([&] {
    return ShuffleBackward::primitive_desc(ShuffleBackward::desc(given, c.axis, group), engine,
                                           ForwardPd(*other_desc, c.axis, group, engine));
  });
  if (hinted && (!kept("diff_src_desc() with another hint", hinted.value->diff_src_desc()) ||
                 !kept("diff_dst_desc() with another hint", hinted.value->diff_dst_desc())))
    return;
  const auto there =
      Attempt([&] { return dnnl::reorder::primitive_desc(engine, given, engine, *other_desc); });
  const auto back =
      Attempt([&] { return dnnl::reorder::primitive_desc(engine, *other_desc, engine, given); });
  if (there && kept("src_desc() of a reorder", there.value->src_desc()))
    ExpectSame(trial, "dst_desc() of a reorder", "the descriptor given", *other_desc,
               there.value->dst_desc());
  if (back && kept("dst_desc() of a reorder", back.value->dst_desc()))
    ExpectSame(trial, "src_desc() of a reorder", "the descriptor given", *other_desc,
               back.value->src_desc());
}

// The same of tensors without elements, for which nobody has to choose anything.
void EmptyDescriptorsAreKept(const ShuffleCase& c, Trial& trial) {
  SawTensor(trial, c.data);
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  const auto given = DescFor(c.data, trial);
  if (!given) return;
  const int group = static_cast<int>(c.group);
  const auto kept = [&](const char* query, const memory::desc& desc) {
    return ExpectSame(trial, query, "the descriptor given", *given, desc);
  };
  const auto forward =
      Accepted(trial, "forward", [&] { return ForwardPd(*given, c.axis, group, device->engine); });
  if (!forward || !kept("src_desc()", forward->src_desc()) ||
      !kept("dst_desc()", forward->dst_desc()))
    return;
  const auto backward = Accepted(trial, "backward",
                                 [&] { return BackwardPd(*given, c.axis, group, device->engine); });
  if (!backward || !kept("diff_src_desc()", backward->diff_src_desc()) ||
      !kept("diff_dst_desc()", backward->diff_dst_desc()))
    return;
  const auto reorder = Attempt([&] {
    return dnnl::reorder::primitive_desc(device->engine, *given, device->engine, *given);
  });
  if (reorder && kept("src_desc() of a reorder", reorder.value->src_desc()))
    kept("dst_desc() of a reorder", reorder.value->dst_desc());
}

Cases<ShuffleCase> EmptyShuffles() {
  ShuffleLimits limits;
  limits.min_rank = 2;
  limits.all_layouts = true;
  limits.empty = true;
  limits.types = {spec::Type::kF32};
  return AnyShuffle(limits);
}

void AnyMakesNoMemory(const ShuffleCase& c, Trial& trial) {
  Device* const device = DeviceFor(trial);
  if (device == nullptr || !RankIsOffered(trial, c.data.dims.size())) return;
  std::vector<std::byte> buffer(
      static_cast<size_t>(spec::BytesOf(c.data.type) * spec::ElementCount(c.data.dims)));
  struct Handle {
    const char* name;
    void* pointer;
  };
  const Handle handles[] = {{"none", DNNL_MEMORY_NONE},
                            {"allocate", DNNL_MEMORY_ALLOCATE},
                            {"a buffer", device->on_host ? buffer.data() : DNNL_MEMORY_NONE}};
  const auto refused = [&](const memory::desc& any, const std::string& when) {
    for (const Handle& handle : handles) {
      const auto make = [&] { return memory(any, device->engine, handle.pointer); };
      if (!Refused(trial, "memory of any, " + when + ", with handle " + handle.name, make))
        return false;
    }
    return true;
  };
  if (!refused(WithAny(c.data.type, c.data.dims), "before it is resolved")) return;
  const auto resolved = Resolve(c, trial);
  if (!resolved || !refused(resolved->any, "after it was resolved")) return;
  const auto taken = Accepted(trial, "memory of what any became",
                              [&] { return memory(resolved->diff_src, device->engine); });
  if (taken) ExpectRunsRight(c, *resolved, trial);
}

const std::vector<std::string> kLayouts{"gapped", "permuted", "tag", "chosen"};

const bool kDefined[] = {
    Define<ShuffleCase>(spec::OPT_001, "", AnyResolvedShuffle(), ConstructorsGivePlainLayouts,
                        {"gapped", "region", "permuted", "tag"}),
    Define<ShuffleCase>(spec::OPT_002, "", AnyResolvedShuffle(), KeepsDimsAndType, kLayouts),
    Define<ShuffleCase>(spec::OPT_003, "", AnyResolvedShuffle(), IsConcrete, kLayouts),
    Define<ShuffleCase>(spec::OPT_003, "empty", EmptyShuffles(), IsConcreteWhereEmpty,
                        {"empty", "permuted"}),
    Define<ShuffleCase>(spec::OPT_004, "", AnyResolvedShuffle(), SizeIsThatOfTheElementsOrMore,
                        kLayouts),
    Define<ShuffleCase>(spec::MD_037, "", AnyResolvedShuffle(), SizeIsEnough, kLayouts),
    Define<ShuffleCase>(spec::OPT_008, "", AnyResolvedShuffle(), OutlivesWhatItCameFrom, kLayouts),
    Define<ShuffleCase>(spec::OPT_010, "", AnyResolvedShuffle(), ResolvesAlikeEachTime, kLayouts),
    Define<ShuffleCase>(spec::OPT_016, "", AnyResolvedShuffle(), ForwardTakesTheFormat, kLayouts),
    Define<ShuffleCase>(spec::OPT_017, "", AnyResolvedShuffle(), GradientsAreOfTheForwardFormat,
                        kLayouts),
    Define<ShuffleCase>(spec::OPT_018, "reorder", AnyResolvedShuffle(), ReorderTakesNoAny,
                        kLayouts),
    Define<ShuffleCase>(spec::OPT_019, "", AnyResolvedShuffle(), BackwardTakesAHint, kLayouts),
    Define<ShuffleCase>(spec::OPT_022, "", AnyResolvedShuffle(), ConcreteDescriptorsAreKept,
                        kLayouts),
    Define<ShuffleCase>(spec::OPT_022, "empty", EmptyShuffles(), EmptyDescriptorsAreKept,
                        {"empty", "permuted", "region"}),
    Define<ShuffleCase>(spec::OPT_023, "", AnyResolvedShuffle(), AnyMakesNoMemory, kLayouts),
};

}  // namespace
}  // namespace conformance
