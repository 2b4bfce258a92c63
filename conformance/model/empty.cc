// Empty objects: ERR-010 to ERR-013, and what asks for the same of single classes (ENG-006,
// STR-010, PRIM-016, PRIM-045).
#include <functional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "conformance/case/property.h"
#include "conformance/gen/choice.h"
#include "conformance/model/calls.h"
#include "conformance/model/samples.h"
#include "conformance/subject/attempt.h"
#include "conformance/subject/descriptor_text.h"
#include "conformance/subject/device.h"
#include "conformance/subject/expect.h"
#include "oneapi/dnnl/dnnl.hpp"
#include "spec/requirements.h"

namespace conformance {
namespace {

using dnnl::memory;
using Desc = memory::desc;
using DataType = memory::data_type;
using FormatTag = memory::format_tag;
using Forward = dnnl::shuffle_forward;
using Backward = dnnl::shuffle_backward;
using ReorderPd = dnnl::reorder::primitive_desc;

Desc Rows() { return Desc({2, 6}, DataType::f32, FormatTag::ab); }
Desc Columns() { return Desc({2, 6}, DataType::f32, FormatTag::ba); }
// Without elements: whoever has nothing to do may forget to look.
Desc NoRows() { return Desc({0, 6}, DataType::f32, FormatTag::ab); }

Forward::desc ForwardOp() { return Forward::desc(dnnl::prop_kind::forward_training, Rows(), 1, 2); }

// ERR-010: twice made, copied, assigned and moved about, and destroyed.
template <class T>
void IsMadeEmpty(const char* name, Trial& trial) {
  const auto done = Attempt([] {
    T one, two;
    T copy(one);
    two = copy;
    T moved(std::move(copy));
    copy = std::move(moved);
    moved = two;
    std::vector<T> many(3, one);
    many.push_back(two);
    many.erase(many.begin());
  });
  trial.Expect(static_cast<bool>(done), std::string("empty ") + name, "made, copied and destroyed",
               done.refusal.ToString());
  trial.Expect(std::is_default_constructible_v<T>, std::string(name) + "()", "exists", "missing");
}

void DefaultsAreEmpty(const NoParameters&, Trial& trial) {
  IsMadeEmpty<dnnl::engine>("engine", trial);
  IsMadeEmpty<dnnl::stream>("stream", trial);
  IsMadeEmpty<memory>("memory", trial);
  IsMadeEmpty<dnnl::primitive>("primitive", trial);
  IsMadeEmpty<dnnl::reorder>("reorder", trial);
  IsMadeEmpty<Forward>("shuffle_forward", trial);
  IsMadeEmpty<Backward>("shuffle_backward", trial);
  IsMadeEmpty<dnnl::primitive_desc_base>("primitive_desc_base", trial);
  IsMadeEmpty<dnnl::primitive_desc>("primitive_desc", trial);
  IsMadeEmpty<ReorderPd>("reorder::primitive_desc", trial);
  IsMadeEmpty<Forward::primitive_desc>("shuffle_forward::primitive_desc", trial);
  IsMadeEmpty<Backward::primitive_desc>("shuffle_backward::primitive_desc", trial);
}

// A use of an object that is to be live, on an empty one and on a live one. Without the latter
// where a live one may refuse too.
struct Use {
  std::string name;
  std::function<void()> empty, live;
};

// The ways to come by an empty object of a class.
template <class T>
std::vector<std::pair<std::string, T>> Empties() {
  const T made;
  std::vector<std::pair<std::string, T>> empties = {{"default", T()}, {"copied", made}};
  T from;
  empties.emplace_back("moved", std::move(from));
  return empties;
}

// And what `fail` gives, a construction that cannot be done, with allow_empty. If it throws, that
// is ERR-006's business.
template <class Fail>
auto EmptiesAnd(const Fail& fail) {
  auto empties = Empties<decltype(fail())>();
  const auto failed = Attempt(fail);
  if (failed) empties.emplace_back("allow_empty", *failed.value);
  return empties;
}

template <class T>
using Uses = std::vector<std::pair<std::string, std::function<void(const T&)>>>;

// Each use of each empty object, beside the same use of `live`.
template <class T>
void AddUses(const std::string& name, const std::vector<std::pair<std::string, T>>& empties,
             const T& live, const Uses<T>& uses, std::vector<Use>* all) {
  for (const auto& [use, call] : uses) {
    for (const auto& [how, empty] : empties) {
      all->push_back({name + "-" + use + "/" + how, [call = call, empty = empty] { call(empty); },
                      [call = call, live] { call(live); }});
    }
  }
}

template <class Pd>
Uses<Pd> QueriesOf() {
  using dnnl::query;
  return {
      {"get_engine", [](const Pd& pd) { pd.get_engine(); }},
      {"impl_info_str", [](const Pd& pd) { pd.impl_info_str(); }},
      {"query_s64", [](const Pd& pd) { pd.query_s64(query::memory_consumption_s64); }},
      {"query_md", [](const Pd& pd) { pd.query_md(query::src_md); }},
      {"workspace_desc", [](const Pd& pd) { pd.workspace_desc(); }},
      {"scratchpad_desc", [](const Pd& pd) { pd.scratchpad_desc(); }},
      {"get_primitive_attr", [](const Pd& pd) { pd.get_primitive_attr(); }},
      {"get_kind", [](const Pd& pd) { pd.get_kind(); }},
  };
}

// Of primitives that have something to do and that have nothing to do.
void AddUsesOfStream(const Device& device, std::vector<Use>* all) {
  const dnnl::engine engine = device.engine;
  // The wait is not of `s`: that would throw by itself.
  const auto execute = [live = device.stream](const dnnl::primitive& primitive,
                                              const Arguments& arguments) {
    return [primitive, arguments, live](const dnnl::stream& s) {
      primitive.execute(s, arguments);
      dnnl::stream(live).wait();
    };
  };
  const auto reorder = [&](const Desc& from, const Desc& to) {
    const Arguments arguments = {{DNNL_ARG_FROM, memory(from, engine)},
                                 {DNNL_ARG_TO, memory(to, engine)}};
    return execute(dnnl::reorder(ReorderPd(engine, from, engine, to)), arguments);
  };
  const auto shuffle = [&](const Desc& data) {
    const Forward::desc op(dnnl::prop_kind::forward_training, data, 1, 2);
    const Arguments arguments = {{DNNL_ARG_SRC, memory(data, engine)},
                                 {DNNL_ARG_DST, memory(data, engine)}};
    return execute(Forward(Forward::primitive_desc(op, engine)), arguments);
  };
  AddUses<dnnl::stream>("stream", Empties<dnnl::stream>(), device.stream,
                        {{"wait", [](const dnnl::stream& s) { dnnl::stream(s).wait(); }},
                         {"execute", reorder(Rows(), Columns())},
                         {"execute-nothing", reorder(NoRows(), NoRows())},
                         {"execute-shuffle", shuffle(Rows())},
                         {"execute-shuffle-of-nothing", shuffle(NoRows())}},
                        all);
}

void AddUsesOfMemory(const Device& device, std::vector<Use>* all) {
  const dnnl::engine engine = device.engine;
  AddUses<memory>(
      "memory", Empties<memory>(), memory(Rows(), engine),
      {{"get_desc", [](const memory& m) { m.get_desc(); }},
       {"get_engine", [](const memory& m) { m.get_engine(); }},
       {"get_data_handle", [](const memory& m) { m.get_data_handle(); }},
       {"set_data_handle", [](const memory& m) { m.set_data_handle(m.get_data_handle()); }},
       {"set_data_handle-on-stream",
        [stream = device.stream](const memory& m) {
          m.set_data_handle(m.get_data_handle(), stream);
        }},
       {"map_data", [](const memory& m) { m.unmap_data(m.map_data()); }},
       {"reorder",
        [engine](const memory& m) { ReorderPd(m, memory(Columns(), engine, DNNL_MEMORY_NONE)); }},
       {"reorder-into",
        [engine](const memory& m) { ReorderPd(memory(Columns(), engine, DNNL_MEMORY_NONE), m); }}},
      all);
  AddUses<memory>(
      "memory", Empties<memory>(), memory(Rows(), engine, DNNL_MEMORY_NONE),
      {{"attach", [](const memory& m) { m.set_data_handle(DNNL_MEMORY_NONE); }},
       {"attach-on-stream", [stream = device.stream](
                                const memory& m) { m.set_data_handle(DNNL_MEMORY_NONE, stream); }}},
      all);
  // Either side of a reorder, in its own form of execute.
  const dnnl::reorder turned(ReorderPd(engine, Rows(), engine, Columns()));
  const auto execute = [turned, stream = device.stream](memory from, memory to) {
    turned.execute(stream, from, to);
    dnnl::stream(stream).wait();
  };
  AddUses<memory>("memory", Empties<memory>(), memory(Rows(), engine),
                  {{"execute-from", [execute, to = memory(Columns(), engine)](
                                        const memory& m) { execute(m, to); }}},
                  all);
  AddUses<memory>("memory", Empties<memory>(), memory(Columns(), engine),
                  {{"execute-into", [execute, from = memory(Rows(), engine)](
                                        const memory& m) { execute(from, m); }}},
                  all);
  // A live memory may refuse what map_data did not give (MEM-025).
  for (const auto& [how, empty] : Empties<memory>())
    all->push_back({"memory-unmap_data/" + how, [m = empty] { m.unmap_data(nullptr); }, nullptr});
}

std::vector<Use> UsesOfResources(const Device& device) {
  std::vector<Use> all;
  const dnnl::engine engine = device.engine;
  AddUses<dnnl::engine>(
      "engine", Empties<dnnl::engine>(), engine,
      {{"get_kind", [](const dnnl::engine& e) { e.get_kind(); }},
       {"stream", [](const dnnl::engine& e) { dnnl::stream made(e); }},
       {"memory", [](const dnnl::engine& e) { memory(Rows(), e, DNNL_MEMORY_NONE); }},
       {"reorder-source",
        [engine](const dnnl::engine& e) { ReorderPd(e, Rows(), engine, Columns()); }},
       {"reorder-destination",
        [engine](const dnnl::engine& e) { ReorderPd(engine, Rows(), e, Columns()); }},
       {"shuffle", [](const dnnl::engine& e) { Forward::primitive_desc(ForwardOp(), e); }},
       {"shuffle-backward",
        [hint = Forward::primitive_desc(ForwardOp(), engine)](const dnnl::engine& e) {
          Backward::primitive_desc(Backward::desc(Rows(), 1, 2), e, hint);
        }}},
      &all);
  AddUsesOfStream(device, &all);
  AddUsesOfMemory(device, &all);
  return all;
}

void AddUsesOfReorder(const dnnl::engine& engine, const ReorderPd& pd, std::vector<Use>* all) {
  const Desc other({3, 4}, DataType::f32, FormatTag::ab);
  const auto empties =
      EmptiesAnd([&] { return ReorderPd(engine, Rows(), engine, other, {}, true); });
  const Uses<ReorderPd> uses = {{"get_src_engine", [](const ReorderPd& p) { p.get_src_engine(); }},
                                {"get_dst_engine", [](const ReorderPd& p) { p.get_dst_engine(); }},
                                {"src_desc", [](const ReorderPd& p) { p.src_desc(); }},
                                {"dst_desc", [](const ReorderPd& p) { p.dst_desc(); }},
                                {"reorder", [](const ReorderPd& p) { dnnl::reorder made(p); }}};
  AddUses("reorder-pd", empties, pd, uses, all);
  AddUses("reorder-pd", empties, pd, QueriesOf<ReorderPd>(), all);
  AddUses<dnnl::primitive_desc_base>("pd-base", Empties<dnnl::primitive_desc_base>(), pd,
                                     QueriesOf<dnnl::primitive_desc_base>(), all);
}

// What shuffle does not serve (SHU-012).
dnnl::primitive_attr Unserved() {
  dnnl::primitive_attr attr;
  attr.set_output_scales(0, {2.f});
  return attr;
}

void AddUsesOfForward(const dnnl::engine& engine, const Forward::primitive_desc& pd,
                      const Backward::desc& backward_op, std::vector<Use>* all) {
  const Uses<Forward::primitive_desc> uses = {
      {"next_impl",
       [](const Forward::primitive_desc& p) { Forward::primitive_desc(p).next_impl(); }},
      {"shuffle_forward", [](const Forward::primitive_desc& p) { Forward made(p); }},
      {"src_desc", [](const Forward::primitive_desc& p) { p.src_desc(); }},
      {"dst_desc", [](const Forward::primitive_desc& p) { p.dst_desc(); }},
      {"hint", [backward_op, engine](const Forward::primitive_desc& p) {
         Backward::primitive_desc(backward_op, engine, p);
       }}};
  const auto empties =
      EmptiesAnd([&] { return Forward::primitive_desc(ForwardOp(), engine, Unserved(), true); });
  AddUses("shuffle-pd", empties, pd, uses, all);
  AddUses("shuffle-pd", empties, pd, QueriesOf<Forward::primitive_desc>(), all);
}

void AddUsesOfBackward(const dnnl::engine& engine, const Forward::primitive_desc& hint,
                       const Backward::desc& op, std::vector<Use>* all) {
  const Backward::primitive_desc pd(op, engine, hint);
  const Uses<Backward::primitive_desc> uses = {
      {"next_impl",
       [](const Backward::primitive_desc& p) { Backward::primitive_desc(p).next_impl(); }},
      {"shuffle_backward", [](const Backward::primitive_desc& p) { Backward made(p); }},
      {"diff_src_desc", [](const Backward::primitive_desc& p) { p.diff_src_desc(); }},
      {"diff_dst_desc", [](const Backward::primitive_desc& p) { p.diff_dst_desc(); }}};
  const auto empties =
      EmptiesAnd([&] { return Backward::primitive_desc(op, engine, hint, Unserved(), true); });
  AddUses("backward-pd", empties, pd, uses, all);
  AddUses("backward-pd", empties, pd, QueriesOf<Backward::primitive_desc>(), all);
}

void AddUsesOfAnyDescriptor(const dnnl::primitive_desc& pd, std::vector<Use>* all) {
  const Uses<dnnl::primitive_desc> uses = {
      {"next_impl", [](const dnnl::primitive_desc& p) { dnnl::primitive_desc(p).next_impl(); }},
      {"primitive", [](const dnnl::primitive_desc& p) { dnnl::primitive made(p); }}};
  AddUses("plain-pd", Empties<dnnl::primitive_desc>(), pd, uses, all);
  AddUses("plain-pd", Empties<dnnl::primitive_desc>(), pd, QueriesOf<dnnl::primitive_desc>(), all);
}

void AddUsesOfPrimitive(const Device& device, const ReorderPd& pd, std::vector<Use>* all) {
  const dnnl::stream stream = device.stream;
  const Arguments arguments = {{DNNL_ARG_FROM, memory(Rows(), device.engine)},
                               {DNNL_ARG_TO, memory(Columns(), device.engine)}};
  const Uses<dnnl::primitive> uses = {{"get_kind", [](const dnnl::primitive& p) { p.get_kind(); }},
                                      {"execute", [arguments, stream](const dnnl::primitive& p) {
                                         p.execute(stream, arguments);
                                         dnnl::stream(stream).wait();
                                       }}};
  AddUses<dnnl::primitive>("primitive", Empties<dnnl::primitive>(), dnnl::reorder(pd), uses, all);
  AddUses<dnnl::reorder>("primitive", Empties<dnnl::reorder>(), dnnl::reorder(pd),
                         {{"execute-pair",
                           [arguments, stream](const dnnl::reorder& r) {
                             memory from = arguments.at(DNNL_ARG_FROM),
                                    to = arguments.at(DNNL_ARG_TO);
                             r.execute(stream, from, to);
                             dnnl::stream(stream).wait();
                           }}},
                         all);
}

std::vector<Use> UsesOfPrimitives(const Device& device) {
  std::vector<Use> all;
  const dnnl::engine engine = device.engine;
  const ReorderPd reorder(engine, Rows(), engine, Columns());
  // They live as long as the uses: whether what descriptors are made of may go is OBJ-012's
  // business.
  static const auto* const forward_op = new Forward::desc(ForwardOp());
  static const auto* const backward_op = new Backward::desc(Rows(), 1, 2);
  const Forward::primitive_desc forward(*forward_op, engine);
  AddUsesOfReorder(engine, reorder, &all);
  AddUsesOfForward(engine, forward, *backward_op, &all);
  AddUsesOfBackward(engine, forward, *backward_op, &all);
  AddUsesOfAnyDescriptor(forward, &all);
  AddUsesOfPrimitive(device, reorder, &all);
  return all;
}

// Whether a live one has an answer is ATTR-015's business.
template <class Pd>
void AddScratchpadEngine(const std::string& name, std::vector<Use>* all) {
  all->push_back({name + "-scratchpad_engine/default", [] { Pd().scratchpad_engine(); }, nullptr});
}

const std::vector<Use>& AllUses(const Device& device) {
  static const auto* const uses = [&] {
    auto* all = new std::vector<Use>(UsesOfResources(device));
    for (Use& use : UsesOfPrimitives(device)) all->push_back(std::move(use));
    AddScratchpadEngine<ReorderPd>("reorder-pd", all);
    AddScratchpadEngine<Forward::primitive_desc>("shuffle-pd", all);
    AddScratchpadEngine<Backward::primitive_desc>("backward-pd", all);
    AddScratchpadEngine<dnnl::primitive_desc>("plain-pd", all);
    AddScratchpadEngine<dnnl::primitive_desc_base>("pd-base", all);
    return all;
  }();
  return *uses;
}

// The uses whose name begins with one of `prefixes`.
void EmptyUsesThrow(const std::vector<std::string>& prefixes, Trial& trial) {
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  bool any = false;
  for (const Use& use : AllUses(*device)) {
    bool wanted = prefixes.empty();
    for (const std::string& prefix : prefixes) wanted = wanted || use.name.rfind(prefix, 0) == 0;
    if (!wanted) continue;
    any = true;
    const auto used = Attempt(use.empty);
    if (!ExpectRefused(trial, used, "empty " + use.name)) return;
    if (!use.live) continue;
    const auto live = Attempt(use.live);
    if (!ExpectAccepted(trial, live, "live " + use.name)) return;
  }
  trial.Expect(any, "uses", "at least one", "none");
}

void UsesOfOneClassThrow(const Choice& c, Trial& trial) { EmptyUsesThrow({c.what + "-"}, trial); }

void UsesOfEmptyEnginesThrow(const NoParameters&, Trial& trial) {
  EmptyUsesThrow({"engine-"}, trial);
}
void UsesOfEmptyStreamsThrow(const NoParameters&, Trial& trial) {
  EmptyUsesThrow({"stream-"}, trial);
}
// Of every kind of primitive.
void NothingRunsOnAnEmptyStream(const SampleCase& c, Trial& trial) {
  const auto sample = SampleOf(c, trial);
  if (!sample) return;
  Device& device = *DeviceFor(trial);
  Bench bench(*sample, device, c.seed);
  const Arguments arguments = bench.ArgumentsFor(*sample, device);
  const std::string what = c.kind + " on an empty stream";
  if (!ExpectRefusedByExecute(
          // No wait: refused.
          what, [&] { sample->primitive.execute(dnnl::stream(), arguments); }, device.stream,
          trial))
    return;
  const std::string changed = bench.to.ChangedByte(bench.old);
  trial.Expect(changed.empty(), "destination after " + what, "untouched", changed);
}
void EmptyHintsAreRefused(const NoParameters&, Trial& trial) {
  EmptyUsesThrow({"shuffle-pd-hint"}, trial);
}
void EmptyDescriptorsMakeNoPrimitive(const NoParameters&, Trial& trial) {
  EmptyUsesThrow({"reorder-pd-reorder", "shuffle-pd-shuffle_forward",
                  "backward-pd-shuffle_backward", "plain-pd-primitive", "primitive-execute"},
                 trial);
}

// ERR-012: what is allowed with empty objects.
template <class T>
auto Compares(const T& a, const T& b, int) -> decltype((a == b) && !(a != b)) {
  return (a == b) && !(a != b);
}
template <class T>
bool Compares(const T&, const T&, long) {
  return true;
}

template <class T>
void EmptyIsHandled(const char* name, const T& live, Trial& trial) {
  const auto done = Attempt([&] {
    T a, b(a), c = live;
    const T& same = a;
    a = same;
    b = std::move(a);
    a = live;
    a = T();
    c = b;
    std::swap(a, b);
    return Compares(a, b, 0) && Compares(c, T(), 0);
  });
  trial.Expect(done && *done.value, std::string("empty ") + name,
               "copied, assigned, moved, compared equal, destroyed",
               done ? "unequal" : done.refusal.ToString());
}

void EmptiesAreHandled(const NoParameters&, Trial& trial) {
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  const ReorderPd pd(device->engine, Rows(), device->engine, Columns());
  EmptyIsHandled("engine", device->engine, trial);
  EmptyIsHandled("stream", device->stream, trial);
  EmptyIsHandled("memory", memory(Rows(), device->engine), trial);
  EmptyIsHandled("reorder::primitive_desc", pd, trial);
  EmptyIsHandled("reorder", dnnl::reorder(pd), trial);
  EmptyIsHandled("memory::desc", Rows(), trial);
}

// ERR-013: memory() in the place of an argument.
void EmptyMemoryIsAnAbsentArgument(const SampleCase& c, Trial& trial) {
  Random random(Mix(c.seed + 1));
  dnnl::primitive_attr attr;
  if (random.Chance(50)) attr.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  const auto sample = SampleOf(c, trial, attr);
  if (!sample) return;
  Device& device = *DeviceFor(trial);
  Bench bench(*sample, device, c.seed);
  const Arguments all = bench.ArgumentsFor(*sample, device);
  for (const auto& [mandatory, given] : all) {
    // Whether that of a scratchpad is an error, only the project pins (PRIM-035).
    if (mandatory == DNNL_ARG_SCRATCHPAD && trial.portable()) continue;
    Arguments arguments = all;
    arguments[mandatory] = memory();
    if (!ExpectRefusedByExecute(
            c.kind + " with memory() for " + NameOfArgument(mandatory),
            // No wait: ExpectRefusedByExecute does.
            [&] { sample->primitive.execute(device.stream, arguments); }, device.stream, trial))
      return;
  }
  // Those that nothing asks for: any of them, in one execution.
  bench.Reset();
  Arguments arguments = all;
  std::string what = c.kind + " with memory() for arguments";
  for (const int superfluous :
       {DNNL_ARG_BIAS, DNNL_ARG_SRC_1, DNNL_ARG_WORKSPACE, DNNL_ARG_SCRATCHPAD,
        DNNL_ARG_ATTR_OUTPUT_SCALES, DNNL_ARG_ATTR_ZERO_POINTS | DNNL_ARG_SRC,
        DNNL_ARG_ATTR_ZERO_POINTS | DNNL_ARG_DST}) {
    if (random.Chance(50) || all.count(superfluous) > 0) continue;
    arguments[superfluous] = memory();
    what += " " + std::to_string(superfluous);
  }
  const auto done = Attempt([&] {
    sample->primitive.execute(device.stream, arguments);
    device.stream.wait();
  });
  if (trial.Expect(static_cast<bool>(done), what, "executed", done.refusal.ToString()))
    bench.IsDone(what, trial);
}

const bool defined[] = {
    Define(spec::ENG_006, "", UsesOfEmptyEnginesThrow),
    Define(spec::ERR_010, "", DefaultsAreEmpty),
    Define(spec::ERR_011, "",
           Choices({"engine", "stream", "memory", "primitive", "reorder-pd", "shuffle-pd",
                    "backward-pd", "plain-pd", "pd-base"}),
           UsesOfOneClassThrow),
    Define(spec::ERR_012, "", EmptiesAreHandled),
    Define(spec::ERR_013, "", Samples(), EmptyMemoryIsAnAbsentArgument,
           {"reorder", "forward", "backward"}),
    Define(spec::PRIM_016, "", EmptyHintsAreRefused),
    Define(spec::PRIM_045, "", EmptyDescriptorsMakeNoPrimitive),
    Define(spec::STR_010, "", UsesOfEmptyStreamsThrow),
    Define(spec::STR_010, "kinds", Samples(), NothingRunsOnAnEmptyStream,
           {"reorder", "forward", "backward"}),
};

}  // namespace
}  // namespace conformance
