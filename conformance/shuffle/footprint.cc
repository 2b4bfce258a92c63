// SHU-009, SHU-036, SHU-037, MEM-029: which bytes a shuffle touches, and that it touches none of an
// empty tensor.
#include <sys/mman.h>

#include <string>

#include "conformance/case/property.h"
#include "conformance/shuffle/cases.h"
#include "conformance/shuffle/run.h"
#include "spec/requirements.h"

namespace conformance {
namespace {

void WritesOnlyElements(const ShuffleCase& c, Trial& trial) {
  auto run = RunShuffle(c, trial);
  if (!run) return;
  const std::string gap = run->to.ChangedGap();
  if (!gap.empty()) return trial.Fail("dst outside its elements", "untouched", gap);
  const std::string source = run->from.ChangedByte(run->source);
  if (!source.empty()) trial.Fail("src", "untouched", source);
}

// MEM-029: the buffers end with the last elements, before inaccessible pages.
void OnlyElementsAreTouched(const ShuffleCase& c, Trial& trial) {
  if (trial.portable()) return trial.NotRun("pinned by the project profile only");
  const Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  if (!device->on_host) return trial.NotRun("the engine takes no host pointers");
  const int element_bytes = spec::BytesOf(c.data.type);
  const spec::Plain plain = PlainOf(c.data);
  if (spec::SizeInBytes(plain, element_bytes) > spec::LeastSizeInBytes(plain, element_bytes))
    trial.Cover("padded at the end");
  WritesOnlyElements(c, trial);
}

Cases<ShuffleCase> Tight() {
  const auto tight = [](const Placement& at) { return at.edge == Placement::Edge::kTight; };
  return {0,
          [](int64_t index, Random& random) {
            ShuffleLimits limits;
            limits.all_layouts = true;
            limits.backward = index % 2 == 1;
            ShuffleCase c = AnyShuffleCase(random, limits);
            c.from = c.to = {Placement::Edge::kTight, 0};
            return c;
          },
          [tight](const ShuffleCase& c) { return tight(c.from) && tight(c.to); }};
}

// A handle that no one may look behind.
void* InaccessiblePage() {
  static void* const page = mmap(nullptr, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return page;
}

// Executes an empty shuffle with handles that nothing may follow.
void ExecuteEmpty(const ShuffleCase& c, const dnnl::primitive& shuffle,
                  const dnnl::memory::desc& desc, Device& device, Trial& trial) {
  void* const handles[] = {DNNL_MEMORY_NONE, InaccessiblePage(), reinterpret_cast<void*>(1)};
  const char* const names[] = {"null handles", "handles of an inaccessible page", "handles of 1"};
  const int choice = static_cast<int>(c.seed % 3);
  const auto done = Attempt([&] {
    const bool wrap = device.on_host;
    dnnl::memory from = wrap ? dnnl::memory(desc, device.engine, handles[choice])
                             : dnnl::memory(desc, device.engine);
    dnnl::memory to = wrap ? dnnl::memory(desc, device.engine, handles[choice])
                           : dnnl::memory(desc, device.engine);
    shuffle.execute(device.stream, {{c.forward ? DNNL_ARG_SRC : DNNL_ARG_DIFF_DST, from},
                                    {c.forward ? DNNL_ARG_DST : DNNL_ARG_DIFF_SRC, to}});
    device.stream.wait();
  });
  if (!done) {
    return trial.Fail(std::string("execution with ") + names[choice], "done", done.refusal);
  }
}

void EmptyDoesNothing(const ShuffleCase& c, Trial& trial) {
  // The handles are for empty tensors only: a shrunk case may have elements again.
  if (!spec::IsEmpty(c.data.dims)) return trial.Vacuous();
  SawTensor(trial, c.data);
  Device* device = DeviceFor(trial);
  if (device == nullptr) return;
  const auto desc = DescFor(c.data, trial);
  if (!desc) return;
  const auto primitive = PrimitiveFor(c, *desc, *device, trial);
  if (primitive) ExecuteEmpty(c, *primitive, *desc, *device, trial);
}

// MAY: an axis of size 0 is a no-op (project) or refused.
void EmptyAxis(const ShuffleCase& drawn, Trial& trial) {
  ShuffleCase c = drawn;
  c.data.dims[c.axis] = 0;
  c.data.layout = Plainest(c.data.dims);
  c.data.type = spec::Type::kF32;
  Device* device = DeviceFor(trial);
  if (device == nullptr) return;
  const auto desc = DescFor(c.data, trial);
  if (!desc) return;
  const int group = static_cast<int>(c.group);
  const auto made = Attempt([&]() -> dnnl::primitive {
    if (c.forward) return ShuffleForward(ForwardPd(*desc, c.axis, group, device->engine));
    return ShuffleBackward(BackwardPd(*desc, c.axis, group, device->engine));
  });
  trial.Record("a shuffle axis of size 0", made ? "accepted" : "refused");
  if (made) return ExecuteEmpty(c, *made.value, *desc, *device, trial);
  if (!made.refusal.is_error || trial.project())
    trial.Fail("shuffle of an axis of size 0", "created", made.refusal);
}

ShuffleLimits Empty(bool backward) {
  ShuffleLimits limits;
  limits.min_rank = 2;
  limits.empty = true;
  limits.all_layouts = true;
  limits.backward = backward;
  return limits;
}

ShuffleLimits AllLayouts(bool backward) {
  ShuffleLimits limits;
  limits.backward = backward;
  limits.all_layouts = true;
  return limits;
}

ShuffleLimits Backward() {
  ShuffleLimits limits;
  limits.backward = true;
  return limits;
}

const bool kDefined[] = {
    Define<ShuffleCase>(spec::SHU_009, "forward", AnyShuffle(), EmptyAxis),
    Define<ShuffleCase>(spec::SHU_009, "backward", AnyShuffle(Backward()), EmptyAxis),
    Define<ShuffleCase>(spec::SHU_036, "forward", AnyShuffle(AllLayouts(false)), WritesOnlyElements,
                        {"gapped", "region", "permuted", "tag", "tail"}),
    Define<ShuffleCase>(spec::SHU_036, "backward", AnyShuffle(AllLayouts(true)), WritesOnlyElements,
                        {"gapped", "region", "permuted", "tag", "tail"}),
    Define<ShuffleCase>(spec::SHU_037, "forward", AnyShuffle(Empty(false)), EmptyDoesNothing,
                        {"empty", "region"}),
    Define<ShuffleCase>(spec::SHU_037, "backward", AnyShuffle(Empty(true)), EmptyDoesNothing,
                        {"empty", "region"}),
    Define<ShuffleCase>(spec::MEM_029, "shuffles", Tight(), OnlyElementsAreTouched),
};

}  // namespace
}  // namespace conformance
