// What `any` may become is a layout with blocks: MD-044, OPT-004, OPT-009, OPT-012 and OPT-014 for
// such that are written by hand, since no rule says which ones a subject resolves to. Project: no
// document obliges anyone to take them.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "conformance/case/fields.h"
#include "conformance/case/property.h"
#include "conformance/gen/blocks.h"
#include "conformance/gen/placement.h"
#include "conformance/gen/shapes.h"
#include "conformance/gen/values.h"
#include "conformance/memory/descriptors.h"
#include "conformance/model/views.h"
#include "conformance/subject/attempt.h"
#include "conformance/subject/blocked.h"
#include "conformance/subject/device.h"
#include "conformance/subject/reorder_io.h"
#include "conformance/subject/tensor.h"
#include "oneapi/dnnl/dnnl.hpp"
#include "spec/memory/blocks.h"
#include "spec/numeric/convert.h"
#include "spec/requirements.h"

namespace conformance {
namespace {

using dnnl::memory;
using spec::Bits;

// A tensor in blocks and where its buffer lies: `tensor=s8:2x19:s32,16:b16@1 at=end seed=7`.
struct BlockedCase {
  BlockedTensor tensor;
  Placement at;
  uint64_t seed = 0;

  void Print(Fields* fields) const {
    SetBlockedTensor(fields, "tensor", tensor);
    SetPlacement(fields, "at", at);
    fields->SetInt("seed", static_cast<int64_t>(seed));
  }
  static BlockedCase Parse(const Fields& fields) {
    return {GetBlockedTensor(fields, "tensor"), GetPlacement(fields, "at"),
            static_cast<uint64_t>(fields.Int("seed"))};
  }
  std::vector<BlockedCase> Simpler() const {
    std::vector<BlockedCase> simpler;
    if (ToString(at) != "mid") simpler.push_back({tensor, {}, seed});
    for (BlockedTensor& layout : SimplerLayouts(tensor))
      simpler.push_back({std::move(layout), at, seed});
    for (const Cut& cut : Cuts(tensor.dims()))
      simpler.push_back({CutBlocked(tensor, cut), at, seed});
    return simpler;
  }

  std::vector<Bits> Values() const {
    return conformance::Values(ValueKind::kIndex, tensor.type, tensor.type, seed,
                               spec::ElementCount(tensor.dims()));
  }
};

Cases<BlockedCase> AnyBlocked() {
  return Drawn<BlockedCase>([](Random& random) {
    const spec::Dims dims = AnyShape(random, {1, 4, 512, /*may_be_empty=*/false});
    BlockedCase c;
    c.tensor = AnyBlockedTensor(random, random.Pick(spec::kTypes), dims,
                                AnyBlocks(random, static_cast<int>(dims.size())));
    c.at = AnyPlacement(random);
    c.seed = static_cast<uint64_t>(random.Between(0, 9999));
    return c;
  });
}

// The descriptor of a case that is to be judged. Covers its classes in `trial`, or records
// why there is none.
std::optional<memory::desc> DescOf(const BlockedTensor& tensor, Trial& trial) {
  if (trial.portable()) {
    trial.NotRun("pinned by the project profile only");
    return std::nullopt;
  }
  SawBlocks(trial, tensor);
  return BlockedDesc(tensor, /*run_time=*/false, trial);
}

// OPT-004: all that the blocks hold, padding included, which whoever writes the tensor clears.
void SizeHoldsTheLastBlock(const BlockedCase& c, Trial& trial) {
  Device* const device = DeviceFor(trial);
  const auto desc = DescOf(c.tensor, trial);
  if (device == nullptr || !desc) return;
  const auto least = static_cast<size_t>(Reach(c.tensor.layout) * spec::BytesOf(c.tensor.type));
  if (!trial.Expect(desc->get_size() >= least, "get_size() of " + ToString(c.tensor),
                    "at least " + std::to_string(least), std::to_string(desc->get_size())))
    return;
  BlockedMemory tensor(c.tensor, *desc, *device, {Placement::Edge::kEnd, 0}, c.seed);
  const std::vector<Bits> values = c.Values();
  tensor.Store(values);
  const auto read = ReadViaReorder(tensor.memory(), c.tensor.type, c.tensor.dims(), *device, trial);
  if (read) ExpectSameBits(trial, "read", c.tensor.type, c.tensor.dims(), values, *read);
}

// OPT-014: by the constructor, and to a memory that had none.
void AttachingKeepsTheBlocks(const BlockedCase& c, Trial& trial) {
  Device* const device = DeviceFor(trial);
  const auto desc = DescOf(c.tensor, trial);
  if (device == nullptr || !desc) return;
  if (!device->on_host) return trial.NotRun("the engine takes no host pointers");
  BlockedMemory tensor(c.tensor, *desc, *device, c.at, c.seed);
  const std::vector<Bits> values = c.Values();
  tensor.Store(values);
  void* const handle = tensor.memory().get_data_handle();
  const auto keeps = [&](const char* when) {
    return ExpectSameBits(trial, std::string("the buffer after ") + when, c.tensor.type,
                          c.tensor.dims(), values, tensor.Load());
  };
  const memory made(*desc, device->engine, handle);
  if (!keeps("construction")) return;
  made.set_data_handle(DNNL_MEMORY_NONE);
  made.set_data_handle(handle);
  if (!keeps("set_data_handle")) return;
  made.set_data_handle(handle, device->stream);
  if (!keeps("set_data_handle with a stream")) return;
  const auto read = ReadViaReorder(made, c.tensor.type, c.tensor.dims(), *device, trial);
  if (read) ExpectSameBits(trial, "read", c.tensor.type, c.tensor.dims(), values, *read);
}

// A dim of 1 more, an axis in two, or two axes as one, as far as there are such.
spec::Dims AnyReshape(Random& random, spec::Dims dims) {
  const auto rank = static_cast<int64_t>(dims.size());
  const int64_t axis = random.Between(0, rank - 1), style = random.Between(1, 3);
  if (style == 1 && dims[axis] % 2 == 0) {
    dims[axis] /= 2;
    dims.insert(dims.begin() + axis + 1, 2);
  } else if (style == 2 && axis + 1 < rank) {
    dims[axis] *= dims[axis + 1];
    dims.erase(dims.begin() + axis + 1);
  } else {
    dims.insert(dims.begin() + random.Between(0, rank), 1);
  }
  return dims;
}

OneView AnyViewOf(const BlockedCase& c) {
  Random random(Mix(c.seed + 2));
  const spec::Dims& dims = c.tensor.dims();
  if (c.seed % 3 == 0) return AnyPermutationOf(dims, random);
  return c.seed % 3 == 1 ? ReshapeOf(AnyReshape(random, dims)) : AnyRegionOf(dims, random);
}

// OPT-012: refused, or the elements of the view are where they were.
void ViewsOfBlocksKeepTheirMapping(const BlockedCase& c, Trial& trial) {
  Device* const device = DeviceFor(trial);
  const auto desc = DescOf(c.tensor, trial);
  if (device == nullptr || !desc) return;
  const OneView view = AnyViewOf(c);
  const auto made = Attempt([&] { return view.make(*desc, /*allow_empty=*/false); });
  trial.Record(view.kind + " of a descriptor with blocks", made ? "accepted" : "refused");
  if (!made) return trial.LeftOpen(made.refusal, view.kind + " of a descriptor with blocks");
  BlockedMemory tensor(c.tensor, *desc, *device, c.at, c.seed);
  std::vector<Bits> values = c.Values();
  tensor.Store(values);
  const auto shown = Attempt(
      [&] { return memory(*made.value, device->engine, tensor.memory().get_data_handle()); });
  if (!shown) return trial.Fail("memory of " + view.call, "created", shown.refusal);
  std::vector<Bits> expected, written;
  for (const int64_t number : view.numbers) {
    expected.push_back(values[number]);
    written.push_back(values[number] ^= 1);
  }
  const auto read = ReadViaReorder(*shown.value, c.tensor.type, view.dims, *device, trial);
  if (read && ExpectSameBits(trial, view.call, c.tensor.type, view.dims, expected, *read) &&
      WriteViaReorder(written, c.tensor.type, view.dims, *shown.value, *device, trial))
    ExpectSameBits(trial, "the tensor after writing to " + view.call, c.tensor.type,
                   c.tensor.dims(), values, tensor.Load());
}

// Two tensors that differ in their blocks, if at all: `first=... second=...`.
struct BlockedPair {
  BlockedTensor first, second;  // equal types and dims

  void Print(Fields* fields) const {
    SetBlockedTensor(fields, "first", first);
    SetBlockedTensor(fields, "second", second);
  }
  static BlockedPair Parse(const Fields& fields) {
    BlockedPair c{GetBlockedTensor(fields, "first"), GetBlockedTensor(fields, "second")};
    if (c.first.dims() != c.second.dims() || c.first.type != c.second.type)
      fields.Reject("second", "has other dims or another type than first");
    return c;
  }
  std::vector<BlockedPair> Simpler() const {
    std::vector<BlockedPair> simpler;
    for (const Cut& cut : Cuts(first.dims())) {
      if (cut.extent != Cut::kDrop)
        simpler.push_back({CutBlocked(first, cut), CutBlocked(second, cut)});
    }
    return simpler;
  }
};

// OPT-009: equal is what holds its elements at the same places, and then what one wrote the other
// reads.
void EqualBlocksAreInterchangeable(const BlockedPair& c, Trial& trial) {
  const auto first = DescOf(c.first, trial), second = DescOf(c.second, trial);
  if (!first || !second) return;
  const bool same_places =
      spec::PlacesOf(c.first.layout).elements == spec::PlacesOf(c.second.layout).elements;
  trial.Cover(same_places ? "same places" : "other places");
  const bool equal = *first == *second;
  trial.Expect(equal == !(*first != *second), "==", "the opposite of !=", "the same");
  if (!same_places)
    trial.Expect(!equal, ToString(c.first) + " == " + ToString(c.second), "false", "true");
  if (ToString(c.first) == ToString(c.second))
    trial.Expect(equal, ToString(c.first) + " == itself", "true", "false");
}

// The same sizes of blocks, of other axes or in another order, one of another size or one less, or
// the same blocks farther apart; and one in six the same.
Cases<BlockedPair> OtherBlocks() {
  return {
      0, [](int64_t index, Random& random) {
        spec::Dims dims = AnyShape(random, {2, 4, 512, /*may_be_empty=*/false});
        const auto rank = static_cast<int64_t>(dims.size());
        const int64_t a = random.Between(0, rank - 1);
        const int64_t b = (a + random.Between(1, rank - 1)) % rank;
        const auto size = random.Pick<int64_t>({2, 3, 4, 8});
        std::vector<spec::Block> blocks{{static_cast<int>(a), size}, {static_cast<int>(b), size}};
        if (random.Chance(30)) blocks.push_back({static_cast<int>(a), 2});
        BlockedPair c;
        // More than one index along both, so that their order shows.
        dims[a] = std::max<int64_t>(2, dims[a]);
        dims[b] = std::max<int64_t>(2, dims[b]);
        c.first = AnyBlockedTensor(random, random.Pick(spec::kTypes), dims, blocks);
        c.second = c.first;
        std::vector<spec::Block>& others = c.second.layout.blocks;
        switch (index % 6) {
          case 0:
            return c;
          case 1:  // of another size
            others[0].size = others[0].size == 2 ? 3 : 2;
            break;
          case 2:  // one less
            others.pop_back();
            break;
          case 3:  // apart
            *std::max_element(c.second.layout.strides.begin(), c.second.layout.strides.end()) *= 2;
            break;
          default:
            std::swap(others[0].axis, others[1].axis);
        }
        // With other padded dims they may no longer have room.
        if (!ParseBlockedTensor(ToString(c.second))) c.second = c.first;
        return c;
      }};
}

const bool kDefined[] = {
    Define<BlockedCase>(spec::OPT_004, "blocks", AnyBlocked(), SizeHoldsTheLastBlock,
                        {"padding", "several blocks", "gapped blocks", "start"}),
    Define<BlockedPair>(spec::MD_044, "blocks", OtherBlocks(), EqualBlocksAreInterchangeable,
                        {"same places", "other places"}),
    Define<BlockedPair>(spec::OPT_009, "blocks", OtherBlocks(), EqualBlocksAreInterchangeable,
                        {"same places", "other places"}),
    Define<BlockedCase>(spec::OPT_012, "blocks", AnyBlocked(), ViewsOfBlocksKeepTheirMapping),
    Define<BlockedCase>(spec::OPT_014, "blocks", AnyBlocked(), AttachingKeepsTheBlocks,
                        {"padding", "several blocks", "gapped blocks", "start"}),
};

}  // namespace
}  // namespace conformance
