// ELT-002 to ELT-004, ELT-009, ELT-016, ELT-072, ELT-073 and OPT-045 of eltwise in hand-written
// blocks. Project: no document obliges anyone to take them.
#include "conformance/subject/blocked.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "conformance/case/property.h"
#include "conformance/eltwise/cases.h"
#include "conformance/eltwise/run.h"
#include "conformance/gen/blocks.h"
#include "conformance/gen/shapes.h"
#include "conformance/subject/descriptor_text.h"
#include "conformance/subject/expect.h"
#include "spec/requirements.h"

namespace conformance {
namespace {

using dnnl::memory;
using spec::Bits;
using spec::Type;

// `plain` is the same tensors in a plain layout: `dir=fwd alg=exp ... blocks=f32:5x7:s7,1:b4@0
// in_place=0`; backward, `data_blocks=f32:5x7:s7,1:b-` where the data are laid out otherwise than
// the gradients.
struct BlockedEltwise {
  EltwiseCase plain;
  BlockedTensor blocks;  // of all its tensors, or of the gradients
  bool in_place = false;
  std::optional<BlockedTensor> data_blocks;  // backward

  const BlockedTensor& data() const { return data_blocks ? *data_blocks : blocks; }

  void Print(Fields* fields) const {
    plain.Print(fields);
    SetBlockedTensor(fields, "blocks", blocks);
    fields->SetInt("in_place", in_place ? 1 : 0);
    if (data_blocks) SetBlockedTensor(fields, "data_blocks", *data_blocks);
  }
  static BlockedEltwise Parse(const Fields& fields) {
    BlockedEltwise c{EltwiseCase::Parse(fields), GetBlockedTensor(fields, "blocks"),
                     fields.Int("in_place") != 0, std::nullopt};
    const auto check = [&](const char* key, const BlockedTensor& tensor) {
      if (tensor.type != c.plain.data.type || tensor.dims() != c.plain.data.dims)
        fields.Reject(key, "has other dims or another type than data");
    };
    check("blocks", c.blocks);
    if (!fields.Has("data_blocks")) return c;
    if (c.plain.forward()) fields.Reject("data_blocks", "is for a backward direction");
    c.data_blocks = GetBlockedTensor(fields, "data_blocks");
    check("data_blocks", *c.data_blocks);
    return c;
  }
  std::vector<BlockedEltwise> Simpler() const {
    std::vector<BlockedEltwise> simpler;
    for (const Placement EltwiseCase::*const at :
         {&EltwiseCase::data_at, &EltwiseCase::gradient_at, &EltwiseCase::output_at}) {
      if (ToString(plain.*at) == "mid") continue;
      simpler.push_back(*this);
      simpler.back().plain.data_at = simpler.back().plain.gradient_at =
          simpler.back().plain.output_at = {};
    }
    for (BlockedTensor& layout : SimplerLayouts(blocks))
      simpler.push_back({plain, std::move(layout), in_place, data_blocks});
    if (data_blocks) simpler.push_back({plain, blocks, in_place, std::nullopt});
    if (data_blocks)
      for (BlockedTensor& layout : SimplerLayouts(*data_blocks))
        simpler.push_back({plain, blocks, in_place, std::move(layout)});
    for (const Cut& cut : Cuts(blocks.dims())) {
      BlockedEltwise smaller{plain, CutBlocked(blocks, cut), in_place, std::nullopt};
      if (data_blocks) smaller.data_blocks = CutBlocked(*data_blocks, cut);
      smaller.plain.data.dims = smaller.blocks.dims();
      smaller.plain.data.layout = Plainest(smaller.blocks.dims());
      if (!plain.forward()) smaller.plain.gradient = smaller.plain.data.layout;
      simpler.push_back(std::move(smaller));
    }
    return simpler;
  }
};

BlockedEltwise AnyBlockedEltwise(Random& random, const EltwiseDraws& draws) {
  BlockedEltwise c;
  c.plain = AnyEltwiseCase(random, draws);
  // Some are padded by less than half, and some by more.
  const spec::Dims& dims = c.plain.data.dims;
  c.blocks = AnyBlockedTensor(random, c.plain.data.type, dims,
                              AnyBlocks(random, static_cast<int>(dims.size())));
  c.in_place = random.Chance(40);
  return c;
}

Cases<BlockedEltwise> AnyOf(int64_t count, const EltwiseDraws& draws) {
  Cases<BlockedEltwise> cases =
      Drawn<BlockedEltwise>([draws](Random& random) { return AnyBlockedEltwise(random, draws); });
  cases.count = count;
  return cases;
}

// Covers the classes of `c`. nullopt after recording why there is none.
std::optional<memory::desc> DescOf(const BlockedEltwise& c, const BlockedTensor& tensor,
                                   Trial& trial) {
  if (trial.portable()) {
    trial.NotRun("pinned by the project profile only");
    return std::nullopt;
  }
  Cover(trial, c.plain);
  SawBlocks(trial, tensor);
  if (c.in_place) trial.Cover("in place");
  return BlockedDesc(tensor, /*run_time=*/false, trial);
}

// Backward, gradients as `desc` says and data as `data`; nullopt after recording that it was
// refused.
std::optional<dnnl::primitive> PrimitiveIn(const memory::desc& desc, const memory::desc& data,
                                           const EltwiseCase& c, const Device& device,
                                           Trial& trial) {
  auto made = Attempt([&]() -> dnnl::primitive {
    if (c.forward()) return ForwardEltwise(ForwardPd(c, desc, device.engine));
    return BackwardEltwise(BackwardPd(c, desc, data, device.engine));
  });
  if (made) return std::move(made.value);
  Asked asked = AskedOf(c);
  asked.features.emplace_back("blocks");
  trial.Refused(made.refusal, std::move(asked), LegalityOf(c, trial));
  return std::nullopt;
}

std::optional<dnnl::primitive> PrimitiveIn(const memory::desc& desc, const EltwiseCase& c,
                                           const Device& device, Trial& trial) {
  return PrimitiveIn(desc, desc, c, device, trial);
}

void PaddingIsZero(const BlockedEltwise& blocked, Trial& trial) {
  const EltwiseCase& c = blocked.plain;
  Device* const device = DeviceFor(trial);
  const auto desc = DescOf(blocked, blocked.blocks, trial);
  const auto data_desc = DescOf(blocked, blocked.data(), trial);
  if (device == nullptr || !desc || !data_desc) return;
  if (*data_desc != *desc) trial.Cover("layouts differ");
  const auto primitive = PrimitiveIn(*desc, *data_desc, c, *device, trial);
  if (!primitive) return;
  const std::vector<Bits> source = c.Source(), gradient = c.Gradient();
  const auto make = [&](const Placement& at, const std::vector<Bits>& values, uint64_t seed) {
    auto made = std::make_unique<BlockedMemory>(blocked.blocks, *desc, *device, at, seed);
    made->Store(values);
    return made;
  };
  std::unique_ptr<BlockedMemory> data, diff_dst, apart;
  const auto done = Attempt([&] {
    data = std::make_unique<BlockedMemory>(blocked.data(), *data_desc, *device, c.data_at, c.seed);
    data->Store(source);
    if (!c.forward()) diff_dst = make(c.gradient_at, gradient, c.seed + 1);
    BlockedMemory* const from = c.forward() ? data.get() : diff_dst.get();
    std::vector<Bits> old = c.forward() ? source : gradient;
    for (Bits& bits : old) bits ^= 0x55;
    if (!blocked.in_place) apart = make(c.output_at, old, ~c.seed);
    BlockedMemory* const to = apart ? apart.get() : from;
    if (c.forward()) {
      primitive->execute(device->stream,
                         {{DNNL_ARG_SRC, data->memory()}, {DNNL_ARG_DST, to->memory()}});
    } else {
      primitive->execute(device->stream,
                         {{c.by_result() ? DNNL_ARG_DST : DNNL_ARG_SRC, data->memory()},
                          {DNNL_ARG_DIFF_DST, diff_dst->memory()},
                          {DNNL_ARG_DIFF_SRC, to->memory()}});
    }
    device->stream.wait();
  });
  if (!done) return trial.Fail("memories, execute and wait", "done", done.refusal);
  BlockedMemory& to = apart ? *apart : c.forward() ? *data : *diff_dst;
  if (!ExpectOracle(c, source, gradient, to.Load(), trial) ||
      !to.ExpectZeroPadding(OutputName(c), trial))
    return;
  if (&to != data.get() && !data->ExpectUntouched("the data", trial)) return;
  if (diff_dst && &to != diff_dst.get()) diff_dst->ExpectUntouched("diff_dst", trial);
}

void AnyGradientHasTheBlocks(const BlockedEltwise& blocked, Trial& trial) {
  const EltwiseCase& c = blocked.plain;
  Device* const device = DeviceFor(trial);
  const auto desc = DescOf(blocked, blocked.blocks, trial);
  if (device == nullptr || !desc || !PrimitiveIn(*desc, c, *device, trial)) return;
  const auto made = Attempt([&] {
    EltwiseMaking making;
    making.hint = ForwardPd(c, MakeDesc(c.data), device->engine);
    return BackwardPd(c, WithAny(c.data.type, c.data.dims), *desc, device->engine, making);
  });
  if (!ExpectAccepted(trial, made, "a gradient with any")) return;
  const char* const wanted = "the blocks of the data";
  ExpectDescriptor(trial, "diff_src_desc()", wanted, *desc, made.value->diff_src_desc()) &&
      ExpectDescriptor(trial, "diff_dst_desc()", wanted, *desc, made.value->diff_dst_desc());
}

// A plain tensor's, beside a hint in blocks.
void AnyGradientHasNoBlocks(const BlockedEltwise& blocked, Trial& trial) {
  const EltwiseCase& c = blocked.plain;
  Device* const device = DeviceFor(trial);
  const auto desc = DescOf(blocked, blocked.blocks, trial);
  if (device == nullptr || !desc || !PrimitiveIn(*desc, c, *device, trial)) return;
  const memory::desc plain = MakeDesc(c.data);
  const auto made = Attempt([&] {
    EltwiseMaking making;
    making.hint = ForwardPd(c, *desc, device->engine);
    return BackwardPd(c, WithAny(c.data.type, c.data.dims), plain, device->engine, making);
  });
  if (!ExpectAccepted(trial, made, "a gradient with any")) return;
  const char* const wanted = "the layout of the data, which has no blocks";
  ExpectDescriptor(trial, "diff_src_desc()", wanted, plain, made.value->diff_src_desc()) &&
      ExpectDescriptor(trial, "diff_dst_desc()", wanted, plain, made.value->diff_dst_desc());
}

// What descriptors tell is what they were given.
void BlocksAreTold(const BlockedEltwise& blocked, Trial& trial) {
  const EltwiseCase& c = blocked.plain;
  Device* const device = DeviceFor(trial);
  const auto desc = DescOf(blocked, blocked.blocks, trial);
  if (device == nullptr || !desc || !PrimitiveIn(*desc, c, *device, trial)) return;
  const memory::desc none;
  const auto told = [&](const memory::desc& got, bool is_told, const char* name) {
    return ExpectDescriptor(trial, name, is_told ? "the blocks" : "the zero descriptor",
                            is_told ? *desc : none, got);
  };
  const auto by_argument = dnnl::query::exec_arg_md;
  if (c.forward()) {
    const auto pd = ForwardPd(c, *desc, device->engine);
    told(pd.src_desc(), true, "src_desc()") && told(pd.dst_desc(), true, "dst_desc()") &&
        told(pd.query_md(by_argument, DNNL_ARG_DST), true, "exec_arg_md of DNNL_ARG_DST");
    return;
  }
  const auto pd = BackwardPd(c, *desc, *desc, device->engine);
  told(pd.diff_src_desc(), true, "diff_src_desc()") &&
      told(pd.diff_dst_desc(), true, "diff_dst_desc()") &&
      told(pd.src_desc(), !c.by_result(), "src_desc()") &&
      told(pd.query_md(dnnl::query::dst_md), c.by_result(), "query_md(dst_md)") &&
      told(pd.query_md(by_argument, DNNL_ARG_SRC), !c.by_result(), "exec_arg_md of DNNL_ARG_SRC") &&
      told(pd.query_md(by_argument, DNNL_ARG_DST), c.by_result(), "exec_arg_md of DNNL_ARG_DST");
}

// Where the same blocks with elements are served.
void EmptyBlocksAreLegal(const BlockedEltwise& blocked, Trial& trial) {
  const EltwiseCase& c = blocked.plain;
  Device* const device = DeviceFor(trial);
  const auto desc = DescOf(blocked, blocked.blocks, trial);
  if (device == nullptr || !desc) return;
  EltwiseCase one = c;
  for (int64_t& dim : one.data.dims) dim = std::max<int64_t>(1, dim);
  BlockedTensor held = blocked.blocks;
  held.layout.dims = one.data.dims;
  const auto held_desc = BlockedDesc(held, /*run_time=*/false, trial);
  if (!held_desc || !PrimitiveIn(*held_desc, one, *device, trial)) return;
  const auto done = Attempt([&] {
    const memory nothing(*desc, device->engine, DNNL_MEMORY_NONE);
    std::unordered_map<int, memory> arguments{
        {c.by_result() ? DNNL_ARG_DST : DNNL_ARG_SRC, nothing}};
    if (c.forward()) {
      arguments.emplace(DNNL_ARG_DST, nothing);
      ForwardEltwise(ForwardPd(c, *desc, device->engine)).execute(device->stream, arguments);
    } else {
      arguments.emplace(DNNL_ARG_DIFF_DST, nothing);
      arguments.emplace(DNNL_ARG_DIFF_SRC, nothing);
      BackwardEltwise(BackwardPd(c, *desc, *desc, device->engine))
          .execute(device->stream, arguments);
    }
    device->stream.wait();
  });
  ExpectAccepted(trial, done, "eltwise of blocks without elements");
}

EltwiseDraws Of(std::vector<EltwiseDirection> directions, std::vector<Type> types) {
  EltwiseDraws draws;
  draws.directions = std::move(directions);
  draws.types = std::move(types);
  draws.values = {EltwiseValues::kSmall};
  draws.placements = true;
  draws.max_rank = 5;
  return draws;
}

constexpr EltwiseDirection kForward = EltwiseDirection::kForward,
                           kBackward = EltwiseDirection::kBackward,
                           kByResult = EltwiseDirection::kBackwardByResult;

EltwiseDraws Empty() {
  EltwiseDraws draws = Of({kForward, kBackward, kByResult}, {Type::kF32});
  draws.empty = true;
  return draws;
}

EltwiseDraws OfAllTypes(EltwiseDirection direction) {
  EltwiseDraws draws = Of({direction}, {});
  draws.all_types = true;
  return draws;
}

// Where the function is not 0 at 0, and its slope, and data in the padding would make NaN.
Cases<BlockedEltwise> Chosen() {
  EltwiseDraws draws = OfAllTypes(kForward);
  draws.directions = {kForward, kForward, kBackward, kByResult};
  draws.values = {EltwiseValues::kPositive};
  draws.min_rank = 2;
  Cases<BlockedEltwise> cases = Drawn<BlockedEltwise>([draws](Random& random) {
    BlockedEltwise c;
    c.plain = AnyEltwiseCase(random, draws);
    spec::Dims& dims = c.plain.data.dims;
    dims[1] = random.Pick<int64_t>({3, 7, 16, 19, 30, 33});
    c.plain.data.layout = Plainest(dims);
    if (!c.plain.forward()) c.plain.gradient = c.plain.data.layout;
    std::vector<spec::Block> blocks{{1, random.Chance(50) ? 8 : 16}};
    if (random.Chance(25)) blocks.insert(blocks.begin(), {0, 4});
    c.blocks = AnyBlockedTensor(random, c.plain.data.type, dims, blocks);
    c.in_place = random.Chance(30);
    return c;
  });
  cases.count = 400;
  return cases;
}

// Data in other blocks than the gradients, or in none, and gradients in none.
Cases<BlockedEltwise> Apart() {
  EltwiseDraws draws = Of({kBackward, kByResult}, {Type::kF32, Type::kF32, Type::kBF16});
  draws.min_rank = 2;
  Cases<BlockedEltwise> cases = Drawn<BlockedEltwise>([draws](Random& random) {
    BlockedEltwise c = AnyBlockedEltwise(random, draws);
    const spec::Dims& dims = c.plain.data.dims;
    const int64_t dice = random.Between(0, 3);
    std::vector<spec::Block> others;
    if (dice == 0) others = AnyBlocks(random, static_cast<int>(dims.size()));
    c.data_blocks = AnyBlockedTensor(random, c.plain.data.type, dims, others);
    if (dice == 3) std::swap(c.blocks, *c.data_blocks);
    return c;
  });
  cases.count = 400;
  return cases;
}

const std::vector<std::string> kSeen{"padding", "several blocks", "gapped blocks", "start"};

const bool kDefined[] = {
    Define<BlockedEltwise>(spec::ELT_009, "blocks",
                           AnyOf(300, Of({kBackward, kByResult}, {Type::kF32, Type::kBF16})),
                           AnyGradientHasTheBlocks, kSeen),
    Define<BlockedEltwise>(spec::ELT_009, "blocked-hints",
                           AnyOf(200, Of({kBackward, kByResult}, {Type::kF32, Type::kBF16})),
                           AnyGradientHasNoBlocks, {"padding"}),
    Define<BlockedEltwise>(spec::ELT_002, "blocks", AnyOf(200, OfAllTypes(kForward)), BlocksAreTold,
                           kSeen),
    Define<BlockedEltwise>(spec::ELT_003, "blocks", AnyOf(200, OfAllTypes(kBackward)),
                           BlocksAreTold, kSeen),
    Define<BlockedEltwise>(spec::ELT_004, "blocks", AnyOf(200, OfAllTypes(kByResult)),
                           BlocksAreTold, kSeen),
    Define<BlockedEltwise>(spec::ELT_072, "blocks", Chosen(), PaddingIsZero,
                           {"padding", "in place", "forward", "backward", "backward by dst"}),
    Define<BlockedEltwise>(spec::ELT_073, "blocks", Apart(), PaddingIsZero,
                           {"layouts differ", "padding", "backward", "backward by dst"}),
    Define<BlockedEltwise>(spec::ELT_016, "blocks", AnyOf(300, Empty()), EmptyBlocksAreLegal,
                           {"empty", "several blocks", "forward", "backward", "backward by dst"}),
    Define<BlockedEltwise>(
        spec::OPT_045, "eltwise",
        AnyOf(600, Of({kForward, kForward, kBackward, kByResult},
                      {Type::kF32, Type::kF32, Type::kBF16, Type::kF16, Type::kS8})),
        PaddingIsZero, {"padding", "several blocks", "gapped blocks", "start", "in place"}),
};

}  // namespace
}  // namespace conformance
