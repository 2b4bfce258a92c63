// OPT-045 for shuffle, SHU-004, SHU-034, SHU-011: tensors in blocks, what lies beyond their dims,
// and hints that have them. OPT-016 and OPT-020, which hold for every layout.
#include "conformance/subject/blocked.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "conformance/case/property.h"
#include "conformance/shuffle/cases.h"
#include "conformance/shuffle/run.h"
#include "conformance/subject/buffers_seen.h"
#include "conformance/subject/descriptor_text.h"
#include "conformance/subject/expect.h"
#include "spec/requirements.h"

namespace conformance {
namespace {

using spec::Bits;

// Which of the two sides of the matrix that is transposed end with the blocks of the axis, and
// which are several blocks and a part.
void SawWholeBlocks(const BlockedShuffle& c, Trial& trial) {
  int64_t block = 1;
  for (const spec::Block& each : c.data.layout.blocks)
    if (each.axis == c.axis) block *= each.size;
  if (block == 1) return;
  if (c.group % block == 0) trial.Cover("groups of whole blocks");
  if (c.size() / c.group % block == 0) trial.Cover("whole blocks of groups");
  const auto has_rest = [&](int64_t side) { return side > 2 * block && side % block != 0; };
  if (has_rest(c.group)) trial.Cover("groups of blocks and a part");
  if (has_rest(c.size() / c.group)) trial.Cover("blocks of groups and a part");
}

void PaddingIsZero(const BlockedShuffle& c, Trial& trial) {
  if (trial.portable()) return trial.NotRun("pinned by the project profile only");
  SawBlocks(trial, c.data);
  SawPlacement(trial, c.to);
  trial.Cover(c.forward ? "forward" : "backward");
  SawWholeBlocks(c, trial);
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  const auto desc = BlockedDesc(c.data, false, trial);
  if (!desc) return;
  const int group = static_cast<int>(c.group);
  const auto shuffle = Attempt([&]() -> dnnl::primitive {
    if (c.forward) return ShuffleForward(ForwardPd(*desc, c.axis, group, device->engine));
    return ShuffleBackward(BackwardPd(*desc, c.axis, group, device->engine));
  });
  // No document obliges anyone to take blocks that somebody wrote by hand.
  const ShuffleCase plain = c.AsPlain();
  if (!shuffle) {
    Asked asked = AskedOf(plain);
    asked.features.emplace_back("blocks");
    return trial.Refused(shuffle.refusal, std::move(asked));
  }
  const std::vector<Bits> source = plain.Source();
  std::vector<Bits> old = source;
  for (Bits& bits : old) bits ^= 0x55;
  std::optional<BlockedMemory> from, to;
  const auto done = Attempt([&] {
    from.emplace(c.data, *desc, *device, c.from, c.seed);
    to.emplace(c.data, *desc, *device, c.to, ~c.seed);
    from->Store(source);
    to->Store(old);
    shuffle.value->execute(device->stream,
                           {{c.forward ? DNNL_ARG_SRC : DNNL_ARG_DIFF_DST, from->memory()},
                            {c.forward ? DNNL_ARG_DST : DNNL_ARG_DIFF_SRC, to->memory()}});
    device->stream.wait();
  });
  if (!done) return trial.Fail("memories, execute and wait", "done", done.refusal);
  if (ExpectSameBits(trial, "the result", c.data.type, c.data.dims(),
                     ExpectedShuffle(plain, source), to->Load()) &&
      to->ExpectZeroPadding("dst", trial))
    from->ExpectUntouched("src", trial);
}

// OPT-016: the blocks of the source are those of the destination, and results are right.
void FormatIsTaken(const BlockedShuffle& drawn, Trial& trial) {
  BlockedShuffle c = drawn;
  c.forward = true;
  if (trial.portable()) return trial.NotRun("pinned by the project profile only");
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  const auto desc = BlockedDesc(c.data, false, trial);
  if (!desc) return;
  const auto pd =
      Attempt([&] { return ForwardPd(*desc, c.axis, static_cast<int>(c.group), device->engine); });
  if (!pd ||
      (ExpectDescriptor(trial, "src_desc()", "the descriptor given", *desc, pd.value->src_desc()) &&
       ExpectDescriptor(trial, "dst_desc()", "that of the source", *desc, pd.value->dst_desc())))
    PaddingIsZero(c, trial);
}

// `any` beside a hint in blocks.
void AnyFollowsBlocks(const BlockedShuffle& c, Trial& trial) {
  if (trial.portable()) return trial.NotRun("pinned by the project profile only");
  SawBlocks(trial, c.data);
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  const auto desc = BlockedDesc(c.data, false, trial);
  if (!desc) return;
  const int group = static_cast<int>(c.group);
  const auto hint = Attempt([&] { return ForwardPd(*desc, c.axis, group, device->engine); });
  if (!hint) {
    Asked asked = AskedOf(c.AsPlain());
    asked.features.emplace_back("blocks");
    return trial.Refused(hint.refusal, std::move(asked));
  }
  const auto made = Attempt([&] {
    return ShuffleBackward::primitive_desc(
        ShuffleBackward::desc(WithAny(c.data.type, c.data.dims()), c.axis, group), device->engine,
        *hint.value);
  });
  if (!ExpectAccepted(trial, made, "backward with format_tag::any")) return;
  ExpectDescriptor(trial, "diff_src_desc()", "the hint's descriptor", *desc,
                   made.value->diff_src_desc()) &&
      ExpectDescriptor(trial, "diff_dst_desc()", "the hint's descriptor", *desc,
                       made.value->diff_dst_desc());
}

// The same tensor without blocks, and with others of another size.
BlockedTensor InOtherBlocks(BlockedTensor tensor, bool plain) {
  spec::Blocked& layout = tensor.layout;
  if (plain) {
    layout.blocks.clear();
  } else if (layout.blocks.empty()) {
    layout.blocks = {{0, 2}};
  } else {
    layout.blocks.back().size += 1;
  }
  // Dense, in rows of blocks.
  std::vector<int64_t> outer = layout.dims;
  int64_t stride = 1;
  for (const spec::Block& block : layout.blocks) stride *= block.size;
  for (size_t axis = outer.size(); axis-- > 0;) {
    int64_t size = 1;
    for (const spec::Block& block : layout.blocks)
      if (block.axis == static_cast<int>(axis)) size *= block.size;
    layout.strides[axis] = stride;
    stride *= std::max<int64_t>(1, (outer[axis] + size - 1) / size);
  }
  layout.offset = 0;
  return tensor;
}

// A gradient in a layout of its own beside a hint in another, of which one has blocks or both do.
void OwnBlocksCount(const BlockedShuffle& c, Trial& trial) {
  if (trial.portable()) return trial.NotRun("pinned by the project profile only");
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  const BlockedTensor other = InOtherBlocks(c.data, c.seed % 3 != 0);
  const bool swapped = c.seed % 2 == 0;
  const BlockedTensor &own = swapped ? other : c.data, &hint = swapped ? c.data : other;
  const auto desc = BlockedDesc(own, false, trial), hint_desc = BlockedDesc(hint, false, trial);
  if (!desc || !hint_desc) return;
  const int group = static_cast<int>(c.group);
  const auto forward =
      Attempt([&] { return ForwardPd(*hint_desc, c.axis, group, device->engine); });
  if (!forward) {
    Asked asked = AskedOf(c.AsPlain());
    asked.features.emplace_back("blocks");
    return trial.Refused(forward.refusal, std::move(asked));
  }
  const auto made = Attempt([&] {
    return ShuffleBackward::primitive_desc(ShuffleBackward::desc(*desc, c.axis, group),
                                           device->engine, *forward.value);
  });
  if (!ExpectAccepted(trial, made, "backward with a hint of another layout")) return;
  trial.Cover(own.layout.blocks.empty()    ? "plain beside blocks"
              : hint.layout.blocks.empty() ? "blocks beside plain"
                                           : "blocks beside others");
  ExpectDescriptor(trial, "diff_src_desc()", "the descriptor given", *desc,
                   made.value->diff_src_desc()) &&
      ExpectDescriptor(trial, "diff_dst_desc()", "the descriptor given", *desc,
                       made.value->diff_dst_desc());
}

const bool kDefined[] = {
    Define<BlockedShuffle>(spec::SHU_004, "blocks", AnyBlockedShuffle(), OwnBlocksCount),
    Define<BlockedShuffle>(spec::SHU_011, "blocks", AnyBlockedShuffle(), AnyFollowsBlocks,
                           {"several blocks", "one axis twice"}),
    Define<BlockedShuffle>(spec::SHU_034, "blocks", ChannelBlocks(), PaddingIsZero,
                           {"padding", "forward", "backward"}),
    Define<BlockedShuffle>(spec::OPT_016, "blocks", AnyBlockedShuffle(), FormatIsTaken,
                           {"padding", "several blocks", "one axis twice", "forward"}),
    Define<BlockedShuffle>(spec::OPT_020, "blocks", AnyBlockedShuffle(), PaddingIsZero,
                           {"groups of blocks and a part", "blocks of groups and a part",
                            "groups of whole blocks", "forward", "backward"}),
    Define<BlockedShuffle>(spec::OPT_045, "shuffle", AnyBlockedShuffle(), PaddingIsZero,
                           {"padding", "several blocks", "one axis twice", "gapped blocks", "start",
                            "forward", "backward"}),
    Define<BlockedShuffle>(
        spec::OPT_045, "shuffle-long", LongBlockedShuffles(), PaddingIsZero,
        {"padding", "forward", "backward", "groups of whole blocks", "whole blocks of groups"}),
};

}  // namespace
}  // namespace conformance
