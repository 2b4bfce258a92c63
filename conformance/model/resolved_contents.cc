// What memory holds whose descriptor came out of `any`: OPT-005 to OPT-007, OPT-009, OPT-011,
// OPT-012, OPT-014, OPT-020, and MD-080, MEM-012, REO-027, REO-028, which say the same.
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "conformance/case/property.h"
#include "conformance/memory/descriptors.h"
#include "conformance/model/resolve.h"
#include "conformance/model/views.h"
#include "conformance/reorder/run.h"
#include "conformance/shuffle/cases.h"
#include "conformance/shuffle/run.h"
#include "conformance/subject/expect.h"
#include "conformance/subject/reorder_io.h"
#include "conformance/subject/same_copy.h"
#include "spec/requirements.h"

namespace conformance {
namespace {

using dnnl::memory;
using spec::Bits;

// Other values than PlainValues, element by element.
std::vector<Bits> FlippedValues(const ShuffleCase& c) {
  std::vector<Bits> values = PlainValues(c);
  for (Bits& bits : values) bits ^= 1;
  return values;
}

// Any layout and type as source. What is offered to a plain destination is to be offered here.
void PlainIsReordered(const ShuffleCase& c, Trial& trial) {
  const auto resolved = Resolve(c, trial);
  if (!resolved) return;
  Device& device = *resolved->device;
  Random random(Mix(c.seed));
  ReorderCase reorder;
  reorder.src = AnyTensor(random, AnyType(random), c.data.dims);
  reorder.dst = {c.data.type, c.data.dims, RowMajor(c.data.dims)};
  reorder.values = ValueKind::kIndex;
  reorder.seed = c.seed;
  const auto src = DescFor(reorder.src, trial);
  if (!src) return;
  const std::string name = "reorder from " + ToString(reorder.src) + " to the resolved descriptor";
  const auto make = [&](const memory::desc& dst) {
    return Attempt([&] { return ReorderPd(device.engine, *src, device.engine, dst); });
  };
  const auto pd = make(resolved->diff_dst);
  if (!pd) {
    if (MayRefuse(reorder, trial) && !make(MakeDesc(reorder.dst)))
      return trial.LeftOpen(pd.refusal,
                            "reorder " + AskedOf(reorder).Request() + ", to plain memory either");
    return trial.Fail(name, "created", pd.refusal);
  }
  const std::vector<Bits> source = reorder.Source();
  Tensor from(reorder.src, *src, device, c.from, c.seed);
  Tensor to = OpaqueTensor(resolved->diff_dst, c, c.to, device);
  from.Store(source);
  const auto done = Attempt([&] {
    dnnl::reorder(*pd.value).execute(device.stream, from.memory(), to.memory());
    device.stream.wait();
  });
  if (!trial.Expect(static_cast<bool>(done), name, "executed", done.refusal.ToString())) return;
  const auto result = ReadViaReorder(to.memory(), c.data.type, c.data.dims, device, trial);
  if (!result || !ExpectReordered(reorder, source, reorder.Old(), reorder.Scales(), *result, trial,
                                  "what was read of it"))
    return;
  const std::string changed = to.ChangedGap();
  trial.Expect(changed.empty(), "dst beyond get_size()", "untouched", changed);
}

// All bits, whatever they mean.
void ThereAndBackIsTheIdentity(const ShuffleCase& c, Trial& trial) {
  const auto resolved = Resolve(c, trial);
  if (!resolved) return;
  Device& device = *resolved->device;
  const std::vector<Bits> values = c.Source();
  auto there = Holding(values, resolved->diff_src, c, device, trial);
  if (!there) return;
  const auto back = Attempt(
      [&] { return ReorderPd(device.engine, resolved->diff_src, device.engine, resolved->plain); });
  if (!back) {
    return trial.Deviate("the reorder back to " + ToString(c.data), "created",
                         back.refusal.ToString());
  }
  ExpectHolds(trial, "what came back", values, *there, c, device);
}

// MAY: what is offered is right.
void ReordersBetweenResolvedAreRight(const ShuffleCase& c, Trial& trial) {
  const auto first = Resolve(c, trial);
  if (!first) return;
  const auto second = Resolve(InOtherLayout(c), trial);
  if (!second) return;
  Device& device = *first->device;
  const auto pd = Attempt(
      [&] { return ReorderPd(device.engine, first->diff_src, device.engine, second->diff_src); });
  trial.Record("a reorder from one resolved descriptor to another", pd ? "accepted" : "refused");
  const char* const name = "reorder from one resolved descriptor to another";
  if (!pd) {
    return trial.LeftOpen(pd.refusal, name);
  }
  const std::vector<Bits> values = PlainValues(c);
  auto from = Holding(values, first->diff_src, c, device, trial);
  if (!from) return;
  Tensor to = OpaqueTensor(second->diff_src, c, c.to, device);
  const auto done = Attempt([&] {
    dnnl::reorder(*pd.value).execute(device.stream, from->memory(), to.memory());
    device.stream.wait();
  });
  if (trial.Expect(static_cast<bool>(done), name, "executed", done.refusal.ToString()))
    ExpectHolds(trial, "what was read of the second one", values, to, c, device);
}

// Two descriptors that compare equal: of one layout, or of two that happen to be one.
void EqualOnesAreInterchangeable(const ShuffleCase& c, Trial& trial) {
  const auto first = Resolve(c, trial);
  if (!first) return;
  const auto second = Resolve(c.seed % 2 == 0 ? c : InOtherLayout(c), trial);
  if (!second) return;
  if (!Same(first->diff_src, second->diff_dst)) return trial.Vacuous();
  trial.Cover(c.seed % 2 == 0 ? "built alike" : "built of two layouts");
  Device& device = *first->device;
  if (!trial.Expect(first->diff_src.get_size() == second->diff_dst.get_size(),
                    "get_size() of equal descriptors", std::to_string(first->diff_src.get_size()),
                    std::to_string(second->diff_dst.get_size())))
    return;
  const std::vector<Bits> values = PlainValues(c), expected = ExpectedShuffle(c, values);
  auto from = Holding(values, first->diff_src, c, device, trial);
  if (!from) return;
  Tensor copy = OpaqueTensor(second->diff_dst, c, c.to, device);
  copy.Store(from->Load());
  if (!ExpectHolds(trial, "a copy of the bytes of the first one", values, copy, c, device)) return;
  Tensor to = OpaqueTensor(second->diff_src, c, c.from, device);
  if (!Execute(ShuffleBackward(second->pd), false, copy, to, device, trial)) return;
  ExpectHolds(trial, "what was read of diff_src", expected, to, c, device);
  if (expected == values) trial.Vacuous();
}

// The axis in groups: a split, which every plain layout takes.
OneView AxisInGroups(const ShuffleCase& c) {
  spec::Dims dims = c.data.dims;
  if (c.data.rank() < 12) {
    dims[c.axis] = c.size() / c.group;
    dims.insert(dims.begin() + c.axis + 1, c.group);
  }
  return ReshapeOf(dims);
}

OneView AnyView(const ShuffleCase& c) {
  Random random(Mix(c.seed + 2));
  if (c.seed % 3 == 0) return AnyPermutationOf(c.data.dims, random);
  return c.seed % 3 == 1 ? AxisInGroups(c) : AnyRegionOf(c.data.dims, random);
}

// MAY: refused, or an equal descriptor by both forms of the call.
void ViewsMayBeRefused(const ShuffleCase& c, Trial& trial) {
  const auto resolved = Resolve(c, trial);
  if (!resolved) return;
  const OneView view = AnyView(c);
  trial.Cover(view.kind);
  const memory::desc& parent = resolved->diff_src;
  const auto made = Attempt([&] { return view.make(parent, false); });
  const auto quiet = Attempt([&] { return view.make(parent, true); });
  trial.Record(view.kind + " of a resolved descriptor", made ? "accepted" : "refused");
  if (!made && !ExpectLeftOpen(trial, made.refusal, view.call)) return;
  const std::string quietly = view.call + " with allow_empty";
  if (!trial.Expect(static_cast<bool>(quiet), quietly, "no exception", quiet.refusal.ToString()) ||
      !trial.Expect(!made || !made.value->is_zero(), view.call, "an error or a descriptor",
                    "the zero descriptor") ||
      !trial.Expect(quiet.value->is_zero() == !made, quietly,
                    made ? "a descriptor" : "the zero descriptor",
                    made ? "the zero descriptor" : "a descriptor"))
    return;
  if (made && !ExpectSame(trial, quietly, "the same descriptor", *quiet.value, *made.value)) return;
  // What is plain keeps the rules of what is plain.
  if (made || resolved->chosen || !Same(parent, resolved->given)) return;
  trial.Expect(!Attempt([&] { return view.make(resolved->given, false); }), view.call,
               "accepted, as of the equal plain descriptor", made.refusal.ToString());
}

void ViewsShowTheElements(const ShuffleCase& c, const OneView& view, Trial& trial) {
  const auto resolved = Resolve(c, trial);
  if (!resolved) return;
  Device& device = *resolved->device;
  const auto made = Attempt([&] { return view.make(resolved->diff_src, true); });
  if (!made) return trial.LeftOpen(made.refusal, view.kind + " of the resolved descriptor");
  if (made.value->is_zero()) return trial.NotRun("no " + view.kind + " of the resolved descriptor");
  trial.Cover(view.kind);
  std::vector<Bits> values = PlainValues(c);
  const std::vector<Bits> others = FlippedValues(c);
  auto tensor = Holding(values, resolved->diff_src, c, device, trial);
  if (!tensor) return;
  const auto shown = Attempt(
      [&] { return memory(*made.value, device.engine, tensor->memory().get_data_handle()); });
  if (!shown) return trial.Fail("memory of " + view.call, "created", shown.refusal);
  std::vector<Bits> expected, written;
  for (const int64_t number : view.numbers) {
    expected.push_back(values[number]);
    written.push_back(others[number]);
    values[number] = others[number];
  }
  const auto read = ReadViaReorder(*shown.value, c.data.type, view.dims, device, trial);
  if (read && ExpectSameBits(trial, view.call, c.data.type, view.dims, expected, *read) &&
      WriteViaReorder(written, c.data.type, view.dims, *shown.value, device, trial))
    ExpectHolds(trial, "what was written through " + view.call, values, *tensor, c, device);
}

void ViewsKeepTheirMapping(const ShuffleCase& c, Trial& trial) {
  ViewsShowTheElements(c, AnyView(c), trial);
}

void RegionsKeepTheirMapping(const ShuffleCase& c, Trial& trial) {
  Random random(Mix(c.seed + 2));
  const OneView region = AnyRegionOf(c.data.dims, random);
  const auto resolved = Resolve(c, trial);
  if (!resolved) return;
  const auto made = Attempt([&] { return region.make(resolved->diff_src, false); });
  trial.Record("submemory_desc of a resolved descriptor", made ? "accepted" : "refused");
  if (made || ExpectLeftOpen(trial, made.refusal, region.call))
    ViewsShowTheElements(c, region, trial);
}

// The bytes of a tensor in a new buffer, and a memory that had none before.
void AttachingKeepsTheTensor(const ShuffleCase& c, Trial& trial) {
  const auto resolved = Resolve(c, trial);
  if (!resolved) return;
  Device& device = *resolved->device;
  const std::vector<Bits> values = PlainValues(c);
  auto from = Holding(values, resolved->diff_src, c, device, trial);
  if (!from) return;
  Tensor buffer = OpaqueTensor(resolved->diff_src, c, c.to, device);
  const std::vector<Bits> bytes = from->Load();
  buffer.Store(bytes);
  const auto attached = Attempt([&] {
    memory made(resolved->diff_src, device.engine, DNNL_MEMORY_NONE);
    made.set_data_handle(buffer.memory().get_data_handle());
    return made;
  });
  if (!attached) return trial.Fail("set_data_handle", "done", attached.refusal);
  // MEM-012: zeros, where no element is.
  const std::vector<Bits> after = buffer.Load();
  for (size_t i = 0; i < bytes.size(); ++i) {
    if (!trial.Expect(after[i] == bytes[i] || after[i] == 0, "byte " + std::to_string(i),
                      std::to_string(bytes[i]) + " or 0", std::to_string(after[i])))
      return;
  }
  trial.Record("attaching a buffer to a resolved descriptor",
               after == bytes ? "writes nothing" : "writes zeros");
  const auto read = ReadViaReorder(*attached.value, c.data.type, c.data.dims, device, trial);
  if (read &&
      ExpectSameBits(trial, "what the memory reads", c.data.type, c.data.dims, values, *read))
    ExpectHolds(trial, "what the buffer holds", values, buffer, c, device);
}

// Two layouts of the hint, and a plain run beside them: all bits, as far as the reorders that write
// and read keep them.
void LayoutsDoNotMatter(const ShuffleCase& c, Trial& trial) {
  const auto first = Resolve(c, trial);
  if (!first) return;
  const auto second = Resolve(InOtherLayout(c), trial);
  if (!second) return;
  ShuffleCase plainest = c;
  plainest.data.layout = Plainest(c.data.dims);
  plainest.from = plainest.to = {};
  const std::vector<Bits> source = c.Source();
  const auto reference = RunShuffle(plainest, source, trial);
  if (!reference) return;
  for (const Resolved& resolved : {*first, *second}) {
    const auto result = RunResolved(c, resolved, source, trial);
    if (!result || !ExpectSameCopy(trial, "what was read of diff_src", c.data.type, c.data.dims,
                                   reference->result, *result))
      return;
  }
  if (reference->result == source) trial.Vacuous();
}

const std::vector<std::string> kLayouts{"gapped", "permuted", "tag", "chosen"};
const std::vector<std::string> kViews{"permute_axes", "reshape", "submemory_desc"};

const bool kDefined[] = {
    Define<ShuffleCase>(spec::OPT_005, "", AnyResolvedShuffle(), PlainIsReordered, kLayouts),
    Define<ShuffleCase>(spec::REO_027, "", AnyResolvedShuffle(), PlainIsReordered, kLayouts),
    Define<ShuffleCase>(spec::OPT_006, "", AnyResolvedShuffle(), ThereAndBackIsTheIdentity,
                        kLayouts),
    Define<ShuffleCase>(spec::OPT_007, "", AnyResolvedShuffle(), ReordersBetweenResolvedAreRight,
                        kLayouts),
    Define<ShuffleCase>(spec::REO_028, "", AnyResolvedShuffle(), ReordersBetweenResolvedAreRight,
                        kLayouts),
    Define<ShuffleCase>(spec::OPT_009, "", AnyResolvedShuffle(), EqualOnesAreInterchangeable,
                        kLayouts),
    Define<ShuffleCase>(spec::OPT_011, "", AnyResolvedShuffle(), ViewsMayBeRefused, kViews),
    Define<ShuffleCase>(spec::OPT_012, "", AnyResolvedShuffle(), ViewsKeepTheirMapping, kLayouts),
    Define<ShuffleCase>(spec::MD_080, "", AnyResolvedShuffle(), RegionsKeepTheirMapping, kLayouts),
    Define<ShuffleCase>(spec::OPT_014, "", Costly(AnyResolvedShuffle(), 4), AttachingKeepsTheTensor,
                        kLayouts),
    Define<ShuffleCase>(spec::MEM_012, "", Costly(AnyResolvedShuffle(), 4), AttachingKeepsTheTensor,
                        kLayouts),
    Define<ShuffleCase>(spec::OPT_020, "", Costly(AnyResolvedShuffle(), 4), LayoutsDoNotMatter,
                        kLayouts),
};

}  // namespace
}  // namespace conformance
