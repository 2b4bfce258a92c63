// PRIM-033 and PRIM-050 for tensors in blocks: padding counts as the tensor's, in buffers that are
// too short for it and in buffers that two tensors share.
#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "conformance/case/property.h"
#include "conformance/reorder/blocked_cases.h"
#include "conformance/reorder/run.h"
#include "conformance/subject/attempt.h"
#include "conformance/subject/blocked.h"
#include "conformance/subject/device.h"
#include "oneapi/dnnl/dnnl.hpp"
#include "spec/memory/blocks.h"
#include "spec/numeric/convert.h"
#include "spec/requirements.h"

namespace conformance {
namespace {

using dnnl::memory;
using spec::Bits;

struct SetUp {
  Device* device;
  memory::desc src, dst;
  dnnl::reorder primitive;
};

// Empty after recording why in `trial`, where it is not there or not to be judged.
std::optional<SetUp> Prepare(const BlockedReorder& c, Trial& trial) {
  if (trial.portable()) {
    trial.NotRun("pinned by the project profile only");
    return std::nullopt;
  }
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return std::nullopt;
  const auto src = BlockedDesc(c.src, false, trial), dst = BlockedDesc(c.dst, false, trial);
  if (!src || !dst) return std::nullopt;
  auto made =
      Attempt([&] { return dnnl::reorder(ReorderPd(device->engine, *src, device->engine, *dst)); });
  if (made) return SetUp{device, *src, *dst, *made.value};
  // No document obliges anyone to take blocks that somebody wrote by hand.
  Asked asked = AskedOf(c.AsPlain());
  asked.features.emplace_back("blocks");
  trial.Refused(made.refusal, std::move(asked));
  return std::nullopt;
}

memory::desc Line(const BlockedTensor& tensor, int64_t elements) {
  return memory::desc({elements}, DataTypeOf(tensor.type), memory::format_tag::a);
}

// A buffer that ends where the padding ends holds the tensor; one element of padding less, or all
// that comes after the last element of the tensor, is too few.
void PaddingNeedsRoom(const BlockedReorder& c, Trial& trial) {
  auto set_up = Prepare(c, trial);
  if (!set_up) return;
  SawBlocks(trial, c.dst);
  const ReorderCase plain = c.AsPlain();
  const std::vector<Bits> source = plain.Source(), old = plain.Old();
  const auto last = [](const BlockedTensor& tensor) {
    const std::vector<int64_t> places = spec::PlacesOf(tensor.layout).elements;
    return *std::max_element(places.begin(), places.end()) + 1;
  };
  struct Sizes {
    const char* name;
    int64_t from, to;
  };
  const int64_t from = Reach(c.src.layout), to = Reach(c.dst.layout);
  for (const Sizes& sizes : {Sizes{"all of both", from, to},
                             {"one element of padding less in the source", from - 1, to},
                             {"no room for the source's padding", last(c.src), to},
                             {"one element of padding less in the destination", from, to - 1},
                             {"no room for the destination's padding", from, last(c.dst)}}) {
    const bool fits = sizes.from == from && sizes.to == to;
    if (sizes.from < last(c.src) || sizes.to < last(c.dst)) continue;  // nothing ends in padding
    Device& device = *set_up->device;
    BlockedMemory in(c.src, Line(c.src, sizes.from), device, c.from, c.seed);
    BlockedMemory out(c.dst, Line(c.dst, sizes.to), device, c.to, ~c.seed);
    in.Store(source);
    out.Store(old);
    const auto execute = [&] {
      set_up->primitive.execute(device.stream, in.memory(), out.memory());
    };
    const std::string what = std::string("execute with ") + sizes.name;
    if (fits) {
      const auto done = Attempt([&] {
        execute();
        device.stream.wait();
      });
      if (!trial.Expect(static_cast<bool>(done), what, "done", done.refusal.ToString()) ||
          !ExpectReordered(plain, source, old, plain.Scales(), out.Load(), trial, "the result") ||
          !out.ExpectZeroPadding("dst", trial))
        return;
      continue;
    }
    trial.Cover(sizes.name);
    if (!ExpectRefusedByExecute(what, execute, device.stream, trial) ||
        !out.ExpectUntouched("dst after " + what, trial))
      return;
  }
}

enum class Together { kInPlace, kApart, kShared, kOpen };

// How the two lie in one buffer, place by place. kOpen: each element is on its own, and the padding
// is not the same, or the same is written in another way (a block along an axis of size 1).
Together Judge(const BlockedReorder& c) {
  const spec::Places from = spec::PlacesOf(c.src.layout), to = spec::PlacesOf(c.dst.layout);
  if (from.elements == to.elements)
    return ToString(c.src) == ToString(c.dst) ? Together::kInPlace : Together::kOpen;
  const auto all = [](const spec::Places& places) {
    std::vector<int64_t> list = places.elements;
    list.insert(list.end(), places.padding.begin(), places.padding.end());
    std::sort(list.begin(), list.end());
    return list;
  };
  const std::vector<int64_t> first = all(from), second = all(to);
  std::vector<int64_t> shared;
  std::set_intersection(first.begin(), first.end(), second.begin(), second.end(),
                        std::back_inserter(shared));
  return shared.empty() ? Together::kApart : Together::kShared;
}

void BlocksShareNoByte(const BlockedReorder& c, Trial& trial) {
  auto set_up = Prepare(c, trial);
  if (!set_up) return;
  const Together together = Judge(c);
  if (together == Together::kOpen) return trial.Vacuous();
  SawBlocks(trial, c.dst);
  const ReorderCase plain = c.AsPlain();
  const std::vector<Bits> source = plain.Source();
  // Each descriptor can have a memory of its own on it, which may want more than is addressed
  // (MEM-029).
  const auto bytes = static_cast<int64_t>(std::max(set_up->src.get_size(), set_up->dst.get_size()));
  const int64_t elements =
      std::max({Reach(c.src.layout), Reach(c.dst.layout), bytes / spec::BytesOf(c.dst.type)});
  Device& device = *set_up->device;
  BlockedMemory whole(c.dst, Line(c.dst, elements), device, c.to, c.seed);
  // Where they are apart, the destination holds something else first.
  std::vector<Bits> old = source;
  if (together != Together::kInPlace)
    for (Bits& bits : old) bits ^= 1;
  whole.Store(old, c.src.layout, source);
  // One memory, or one for each descriptor.
  const bool own = c.seed % 2 == 0;
  trial.Cover(own ? "2 memories" : "1 memory");
  memory from = whole.memory(), to = whole.memory();
  if (own) {
    from = memory(set_up->src, device.engine, whole.memory().get_data_handle());
    to = memory(set_up->dst, device.engine, whole.memory().get_data_handle());
  }
  const auto execute = [&] { set_up->primitive.execute(device.stream, from, to); };
  if (together == Together::kShared) {
    trial.Cover("shared");
    if (ExpectRefusedByExecute("execute on blocks that share bytes", execute, device.stream, trial))
      whole.ExpectUntouched("the buffer", trial);
    return;
  }
  trial.Cover(together == Together::kInPlace ? "in place" : "apart");
  const auto done = Attempt([&] {
    execute();
    device.stream.wait();
  });
  if (trial.Expect(static_cast<bool>(done), "execute in one buffer", "done",
                   done.refusal.ToString()) &&
      ExpectReordered(plain, source, old, plain.Scales(), whole.Load(), trial, "the result"))
    whole.ExpectZeroPadding("dst", trial);
}

const bool kDefined[] = {
    Define<BlockedReorder>(spec::PRIM_033, "padding", BlockedCopies(), PaddingNeedsRoom,
                           {"padding", "one element of padding less in the source",
                            "no room for the destination's padding"}),
    Define<BlockedReorder>(
        spec::PRIM_050, "blocks", BlocksInOneBuffer(), BlocksShareNoByte,
        {"in place", "apart", "shared", "several blocks", "1 memory", "2 memories"}),
};

}  // namespace
}  // namespace conformance
