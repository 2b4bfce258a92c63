// SHU-023 to SHU-025, SHU-030, SHU-035, SHU-039, PRIM-013: shuffles that follow or replace each
// other.
#include <string>
#include <utility>
#include <vector>

#include "conformance/case/property.h"
#include "conformance/shuffle/cases.h"
#include "conformance/shuffle/run.h"
#include "conformance/subject/same_copy.h"
#include "spec/requirements.h"

namespace conformance {
namespace {

using spec::Bits;

ShuffleCase WithGroup(const ShuffleCase& c, bool forward, int64_t group) {
  ShuffleCase other = c;
  other.forward = forward;
  other.group = group;
  return other;
}

void BackwardIsForwardWithTheOtherGroup(const ShuffleCase& c, Trial& trial) {
  const auto backward = RunShuffle(WithGroup(c, false, c.group), trial);
  if (!backward) return;
  const auto forward = RunShuffle(WithGroup(c, true, c.size() / c.group), backward->source, trial);
  if (!forward) return;
  ExpectSameBits(trial, "diff_src", c.data.type, c.data.dims, forward->result, backward->result);
  if (backward->result == backward->source) trial.Vacuous();
}

// Runs `first`, then `second` on its result: together they are the identity.
void AreInverse(const ShuffleCase& first, const ShuffleCase& second, Trial& trial) {
  const auto there = RunShuffle(first, trial);
  if (!there) return;
  const auto back = RunShuffle(second, there->result, trial);
  if (!back) return;
  ExpectSameBits(trial, "the result of both", first.data.type, first.data.dims, there->source,
                 back->result);
  // Two shuffles that do nothing would pass.
  if (there->result == there->source) trial.Vacuous();
}

void BackwardUndoesForward(const ShuffleCase& c, Trial& trial) {
  const bool forward_first = c.seed % 2 == 0;
  AreInverse(WithGroup(c, forward_first, c.group), WithGroup(c, !forward_first, c.group), trial);
}

void OtherGroupUndoes(const ShuffleCase& c, Trial& trial) {
  AreInverse(WithGroup(c, true, c.size() / c.group), WithGroup(c, true, c.group), trial);
}

void CommutesWithPermutation(const ShuffleCase& c, Trial& trial) {
  const auto run = RunShuffle(c, trial);
  if (!run) return;
  Random random(Mix(c.seed));
  const std::vector<int> permutation = AnyPermutation(random, c.data.rank());
  ShuffleCase moved = c;
  moved.data = PermuteTensor(c.data, permutation);
  moved.axis = permutation[c.axis];
  const std::vector<int64_t> before = NumbersBeforePermutation(c.data.dims, permutation);
  std::vector<Bits> source(before.size());
  for (size_t k = 0; k < before.size(); ++k) source[k] = run->source[before[k]];
  const auto permuted = RunShuffle(moved, source, trial);
  if (!permuted) return;
  std::vector<Bits> back(before.size());
  for (size_t k = 0; k < before.size(); ++k) back[before[k]] = permuted->result[k];
  ExpectSameBits(trial, "dst, permuted back", c.data.type, c.data.dims, run->result, back);
  if (run->result == run->source || moved.axis == c.axis) trial.Vacuous();
}

// The memory of `tensor` with its axis split into `outer` x `inner`, the two exchanged if `swap`.
dnnl::memory Split(Tensor& tensor, const ShuffleCase& c, int64_t outer, int64_t inner, bool swap,
                   Device& device) {
  spec::Dims dims = c.data.dims;
  dims[c.axis] = outer;
  dims.insert(dims.begin() + c.axis + 1, inner);
  dnnl::memory::desc desc = tensor.memory().get_desc().reshape(dims);
  if (swap) {
    std::vector<int> exchange(dims.size());
    for (size_t i = 0; i < dims.size(); ++i) exchange[i] = static_cast<int>(i);
    std::swap(exchange[c.axis], exchange[c.axis + 1]);
    desc = desc.permute_axes(exchange);
  }
  return dnnl::memory(desc, device.engine, tensor.memory().get_data_handle());
}

// The matrix view of the guide's first paragraph, in the library's own words: split, exchange,
// copy.
void IsAReorderOfViews(const ShuffleCase& c, Trial& trial) {
  auto run = RunShuffle(c, trial);
  if (!run) return;
  Device* device = DeviceFor(trial);
  if (device == nullptr) return;
  if (!RankIsOffered(trial, c.data.dims.size() + 1)) return;
  const int64_t groups = c.size() / c.group;
  run->to.Store(run->source);
  const auto views = Attempt([&] {
    return std::pair(Split(run->from, c, groups, c.group, true, *device),
                     Split(run->to, c, c.group, groups, false, *device));
  });
  if (!views) return trial.Fail("reshape and permute_axes", "done", views.refusal);
  dnnl::memory from = views.value->first, to = views.value->second;
  const auto reorder = Attempt([&] { return dnnl::reorder(from, to); });
  // A reorder, which this chapter's claims say nothing of.
  if (!reorder && MayRefuseRank(trial, c.data.rank() + 1))
    return trial.LeftOpen(reorder.refusal, "a reorder of the views, of rank 7 and more");
  if (!reorder) return trial.Fail("reorder of the views", "created", reorder.refusal);
  const auto copied = Attempt([&] {
    reorder.value->execute(device->stream, from, to);
    device->stream.wait();
  });
  if (!copied) return trial.Fail("reorder of the views", "done", copied.refusal);
  ExpectSameCopy(trial, "dst of the reorder", c.data.type, c.data.dims, run->result,
                 run->to.Load());
  if (run->result == run->source) trial.Vacuous();
}

// What `pd` gives after each next_impl() is what the formula says, and nothing beside it changes.
template <class Pd, class Make>
void EachImplementationGives(const std::vector<Bits>& expected, Pd pd, Make make,
                             const ShuffleCase& c, const Shuffled& first, Trial& trial) {
  constexpr int kMost = 1000;
  Device& device = *DeviceFor(trial);
  const auto desc = MakeDesc(c.data);
  for (int number = 1; number < kMost && pd.next_impl(); ++number) {
    trial.Cover("second implementation");
    Tensor from(c.data, desc, device, c.from, c.seed), to(c.data, desc, device, c.to, ~c.seed);
    from.Store(first.source);
    std::vector<Bits> old = first.source;
    for (Bits& bits : old) bits ^= 0x55;
    to.Store(old);
    if (!Execute(make(pd), c.forward, from, to, device, trial)) return;
    const std::string name = std::string("of implementation ") + pd.impl_info_str();
    if (!ExpectSameBits(trial, "dst " + name, c.data.type, c.data.dims, expected, to.Load()))
      return;
    const std::string gap = to.ChangedGap();
    if (!gap.empty()) return trial.Fail("dst " + name + ", outside its elements", "untouched", gap);
  }
}

// PRIM-013, over what shuffles are made of; SHU-030, of every bit pattern.
void ImplementationsAgree(const ShuffleCase& c, Trial& trial) {
  const auto first = RunShuffle(c, trial);
  if (!first) return;
  const std::vector<Bits> expected = ExpectedShuffle(c, first->source);
  if (!ExpectSameBits(trial, "dst", c.data.type, c.data.dims, expected, first->result)) return;
  const auto desc = MakeDesc(c.data);
  const dnnl::engine& engine = DeviceFor(trial)->engine;
  const int group = static_cast<int>(c.group);
  // Whether they may go before next_impl() is asked for is OBJ-012's business.
  const ShuffleForward::desc forward(dnnl::prop_kind::forward_training, desc, c.axis, group);
  const ShuffleForward::primitive_desc hint(forward, engine);
  if (c.forward) {
    EachImplementationGives(
        expected, hint, [](const auto& pd) { return dnnl::primitive(ShuffleForward(pd)); }, c,
        *first, trial);
  } else {
    const ShuffleBackward::desc backward(desc, c.axis, group);
    EachImplementationGives(
        expected, ShuffleBackward::primitive_desc(backward, engine, hint),
        [](const auto& pd) { return dnnl::primitive(ShuffleBackward(pd)); }, c, *first, trial);
  }
}

Cases<ShuffleCase> AllLayouts() {
  return {0, [](int64_t index, Random& random) {
            ShuffleLimits limits;
            limits.all_layouts = true;
            limits.backward = index % 2 == 1;
            return AnyShuffleCase(random, limits);
          }};
}

ShuffleLimits NonTrivial() {
  ShuffleLimits limits;
  limits.trivial_groups = false;
  return limits;
}

// NaNs that signal among them, which arithmetic would make quiet.
Cases<ShuffleCase> PatternsOfFloats() {
  return {0, [](int64_t index, Random& random) {
            ShuffleLimits limits = NonTrivial();
            limits.types = {spec::Type::kBF16, spec::Type::kF16, spec::Type::kF32};
            limits.backward = index % 2 == 1;
            ShuffleCase c = AnyShuffleCase(random, limits);
            c.values = index % 4 < 2 ? ValueKind::kMixed : ValueKind::kBits;
            return c;
          }};
}

// Forward or backward.
ShuffleLimits Either() {
  ShuffleLimits limits = NonTrivial();
  limits.either = true;
  return limits;
}

// The views have one axis more. f32 only: whether reorder moves other types right is its own
// business (REO-040).
ShuffleLimits Views() {
  ShuffleLimits limits = NonTrivial();
  limits.max_rank = 11;
  limits.types = {spec::Type::kF32};
  return limits;
}

const std::vector<std::string> kLayouts{"permuted", "tag"};

const bool kDefined[] = {
    Define<ShuffleCase>(spec::SHU_023, "", AnyShuffle(NonTrivial()),
                        BackwardIsForwardWithTheOtherGroup, kLayouts),
    Define<ShuffleCase>(spec::SHU_024, "", AnyShuffle(NonTrivial()), BackwardUndoesForward,
                        kLayouts),
    Define<ShuffleCase>(spec::SHU_025, "", AnyShuffle(NonTrivial()), OtherGroupUndoes, kLayouts),
    Define<ShuffleCase>(spec::SHU_030, "implementations", Costly(PatternsOfFloats(), 4),
                        ImplementationsAgree, {"bf16", "f16", "forward", "backward"}),
    Define<ShuffleCase>(spec::SHU_035, "", AnyShuffle(Either()), CommutesWithPermutation, kLayouts),
    Define<ShuffleCase>(spec::PRIM_013, "shuffles", AllLayouts(), ImplementationsAgree,
                        {"region", "gapped", "forward", "backward"}),
    Define<ShuffleCase>(spec::SHU_039, "", AnyShuffle(Views()), IsAReorderOfViews, kLayouts),
};

}  // namespace
}  // namespace conformance
