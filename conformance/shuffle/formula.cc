// SHU-020 to SHU-022, SHU-026 to SHU-033, SHU-050 to SHU-055: the result is what the formula says.
#include <algorithm>
#include <string>
#include <vector>

#include "conformance/case/property.h"
#include "conformance/shuffle/cases.h"
#include "conformance/shuffle/run.h"
#include "spec/requirements.h"
#include "spec/shuffle/oracle.h"

namespace conformance {
namespace {

using spec::Bits;
using spec::Type;

const std::vector<std::string> kRanks{"rank 1", "rank 2",  "rank 3",  "rank 4",
                                      "rank 5", "rank 6",  "rank 7",  "rank 8",
                                      "rank 9", "rank 10", "rank 11", "rank 12"};

const std::vector<std::string> kLarge{"f32", "bf16", "f16",  "s32",
                                      "s8",  "u8",   "tail", "over 2^20 elements"};

const std::vector<std::string> kWholeRanks{
    "rank 2 with extents >= 3", "rank 3 with extents >= 3", "rank 4 with extents >= 3",
    "rank 5 with extents >= 3", "rank 6 with extents >= 3", "rank 7 with extents >= 2",
    "extent over 256",
};

std::vector<std::string> And(std::vector<std::string> names, std::vector<std::string> more) {
  names.insert(names.end(), more.begin(), more.end());
  return names;
}

// Elements between neighbours along the axis, in row-major order.
int64_t InnerCount(const ShuffleCase& c) {
  int64_t inner = 1;
  for (int j = c.axis + 1; j < c.data.rank(); ++j) inner *= c.data.dims[j];
  return inner;
}

void IsTheFormula(const ShuffleCase& c, Trial& trial) {
  const auto run = RunShuffle(c, trial);
  if (!run) return;
  const std::vector<Bits> expected = ExpectedShuffle(c, run->source);
  ExpectSameBits(trial, c.forward ? "dst" : "diff_src", c.data.type, c.data.dims, expected,
                 run->result);
  if (expected == run->source) trial.Vacuous();
}

// ORC-SHU 3, as the guide's first paragraph says it: an index moves with the transposition.
void IsTheTransposition(const ShuffleCase& c, Trial& trial) {
  const auto run = RunShuffle(c, trial);
  if (!run) return;
  const int64_t inner = InnerCount(c), size = c.size();
  const std::vector<int64_t> from = spec::ShuffleSourcesByTransposition(size, c.group);
  std::vector<Bits> expected(run->source.size());
  for (size_t k = 0; k < expected.size(); ++k) {
    const auto number = static_cast<int64_t>(k);
    const int64_t at = number / inner % size;
    expected[k] = run->source[number + (from[at] - at) * inner];
  }
  ExpectSameBits(trial, "dst", c.data.type, c.data.dims, expected, run->result);
  if (expected == run->source) trial.Vacuous();
}

void TrivialGroupsAreTheIdentity(const ShuffleCase& drawn, Trial& trial) {
  ShuffleCase c = drawn;
  c.group = drawn.seed % 2 == 0 ? 1 : c.size();
  const auto run = RunShuffle(c, trial);
  if (run)
    ExpectSameBits(trial, "dst of one group", c.data.type, c.data.dims, run->source, run->result);
}

void FirstAndLastStay(const ShuffleCase& c, Trial& trial) {
  const auto run = RunShuffle(c, trial);
  if (!run) return;
  const int64_t inner = InnerCount(c), size = c.size();
  for (size_t k = 0; k < run->source.size(); ++k) {
    const int64_t at = static_cast<int64_t>(k) / inner % size;
    if ((at != 0 && at != size - 1) || run->result[k] == run->source[k]) continue;
    trial.Fail(ElementName("dst", c.data.dims, static_cast<int64_t>(k)),
               spec::ToString(c.data.type, run->source[k]),
               spec::ToString(c.data.type, run->result[k]));
    return;
  }
  if (c.group == 1 || c.group == size) trial.Vacuous();
}

void LinesKeepTheirValues(const ShuffleCase& c, Trial& trial) {
  const auto run = RunShuffle(c, trial);
  if (!run) return;
  const int64_t inner = InnerCount(c), size = c.size();
  const auto line = [&](const std::vector<Bits>& values, int64_t first) {
    std::vector<Bits> sorted(size);
    for (int64_t i = 0; i < size; ++i) sorted[i] = values[first + i * inner];
    std::sort(sorted.begin(), sorted.end());
    return sorted;
  };
  const auto count = static_cast<int64_t>(run->source.size());
  for (int64_t outer = 0; outer < count; outer += size * inner) {
    for (int64_t in = 0; in < inner; ++in) {
      const auto before = line(run->source, outer + in), after = line(run->result, outer + in);
      const auto [wanted, found] = std::mismatch(before.begin(), before.end(), after.begin());
      if (wanted == before.end()) continue;
      return trial.Fail("the line of " + ElementName("dst", c.data.dims, outer + in) + ", sorted",
                        spec::ToString(c.data.type, *wanted), spec::ToString(c.data.type, *found));
    }
  }
  if (c.group == 1 || c.group == size) trial.Vacuous();
}

void LinesDoNotMix(const ShuffleCase& c, Trial& trial) {
  const auto run = RunShuffle(c, trial);
  if (!run) return;
  const int64_t inner = InnerCount(c), size = c.size();
  const auto count = static_cast<int64_t>(run->source.size());
  if (count == size) return trial.Vacuous();  // a single line
  // Another line, from another element of the tensor, chosen by the seed.
  const int64_t changed = static_cast<int64_t>(Mix(c.seed) % count);
  const auto line_of = [&](int64_t k) { return k / (size * inner) * inner + k % inner; };
  std::vector<Bits> other = run->source;
  for (int64_t k = 0; k < count; ++k)
    if (line_of(k) == line_of(changed)) other[k] ^= 0x2a;
  const auto again = RunShuffle(c, other, trial);
  if (!again) return;
  for (int64_t k = 0; k < count; ++k) {
    if (line_of(k) == line_of(changed) || run->result[k] == again->result[k]) continue;
    return trial.Fail(ElementName("dst", c.data.dims, k) + " after a change of " +
                          ElementName("src", c.data.dims, changed) + " and its line",
                      spec::ToString(c.data.type, run->result[k]),
                      spec::ToString(c.data.type, again->result[k]));
  }
}

// Every NaN payload, subnormal and signed zero arrives as it left; where it lands is SHU-020's
// business, so the formula is used only to look.
void MovesBitForBit(const ShuffleCase& c, Trial& trial) {
  const auto run = RunShuffle(c, trial);
  if (!run) return;
  const std::vector<Bits> expected = ExpectedShuffle(c, run->source);
  for (Bits bits : run->source) {
    if (!spec::IsFloat(c.data.type)) break;
    if (spec::IsNan(c.data.type, bits)) trial.Cover("NaN");
    if (spec::IsSubnormal(c.data.type, bits)) trial.Cover("subnormal");
    if (spec::IsZero(c.data.type, bits) && bits != 0) trial.Cover("-0");
  }
  ExpectSameBits(trial, "dst", c.data.type, c.data.dims, expected, run->result);
  if (expected == run->source) trial.Vacuous();
}

void LayoutDoesNotMatter(const ShuffleCase& c, Trial& trial) {
  const auto run = RunShuffle(c, trial);
  if (!run) return;
  ShuffleCase plainest = c;
  plainest.data.layout = Plainest(c.data.dims);
  plainest.from = plainest.to = {};
  const auto reference = RunShuffle(plainest, run->source, trial);
  if (!reference) return;
  ExpectSameBits(trial, "dst", c.data.type, c.data.dims, reference->result, run->result);
  if (ToString(c.data.layout) == ToString(plainest.data.layout)) trial.Vacuous();
}

void AnyAxis(const ShuffleCase& c, Trial& trial) { IsTheFormula(c, trial); }

// MAY (SHU-053): record which integer types go backward; what is accepted must be right.
void IntegersBackward(const ShuffleCase& c, Trial& trial) {
  IsTheFormula(c, trial);
  trial.Record(std::string("shuffle backward ") + spec::NameOf(c.data.type),
               trial.result() == CaseResult::kNotRun ? "refused" : "accepted");
}

ShuffleLimits Backward() {
  ShuffleLimits limits;
  limits.backward = true;
  return limits;
}

ShuffleLimits Of(std::vector<Type> types, bool backward) {
  ShuffleLimits limits;
  limits.types = std::move(types);
  limits.backward = backward;
  return limits;
}

ShuffleLimits NonTrivial() {
  ShuffleLimits limits;
  limits.trivial_groups = false;
  return limits;
}

// Forward or backward.
ShuffleLimits Either(ShuffleLimits limits) {
  limits.either = true;
  return limits;
}

ShuffleLimits AllLayouts(bool backward) {
  ShuffleLimits limits;
  limits.all_layouts = true;
  limits.backward = backward;
  return limits;
}

ShuffleLimits Ranks(int low, int high, bool backward) {
  ShuffleLimits limits = Of({}, backward);
  limits.min_rank = low;
  limits.max_rank = high;
  limits.trivial_groups = false;
  return limits;
}

ShuffleLimits Channels() {
  ShuffleLimits limits = NonTrivial();
  limits.tags = {"nchw", "nhwc", "ncdhw", "ndhwc"};
  return limits;
}

ShuffleLimits RegionsOfChannels() {
  ShuffleLimits limits = Channels();
  limits.all_layouts = true;
  return limits;
}

bool IsPermuted(const ShuffleCase& c) {
  return ToString(c.data.layout) != ToString(RowMajor(c.data.dims));
}

// Not the largest of them.
bool IsOfAnotherAxis(const ShuffleCase& c) {
  return c.axis != 1 && spec::ElementCount(c.data.dims) < 1 << 21;
}

bool IsForward(const ShuffleCase& c) { return c.forward; }
bool IsBackward(const ShuffleCase& c) { return !c.forward; }

// Every fourth with the values that special cases are made for: signed zeros among them, which 32
// bits drawn at random never are.
Cases<ShuffleCase> SpecialBits(bool backward) {
  ShuffleLimits limits = NonTrivial();
  limits.backward = backward;
  limits.gaps = true;
  Cases<ShuffleCase> cases = AnyShuffle(limits);
  cases.at = [draw = cases.at](int64_t index, Random& random) {
    ShuffleCase c = draw(index, random);
    if (index % 4 == 0) c.values = ValueKind::kMixed;
    return c;
  };
  return cases;
}

// nhwc and its kin keep C innermost: the classes that a table of tags stands for.
void NamedFormats(const ShuffleCase& c, Trial& trial) {
  trial.Cover(c.data.layout.tag);
  IsTheFormula(c, trial);
}

const bool kDefined[] = {
    Define<ShuffleCase>(
        spec::SHU_020, "", AnyShuffle(), IsTheFormula,
        And(kRanks, {"permuted", "size-1 dim", "group 1", "group C", "f32", "tag"})),
    Define<ShuffleCase>(spec::SHU_020, "large", LargeShuffles(IsForward), IsTheFormula,
                        And(kLarge, {"permuted", "axis 0", "axis other than 1"})),
    Define<ShuffleCase>(spec::SHU_021, "", AnyShuffle(NonTrivial()), IsTheTransposition,
                        {"permuted"}),
    Define<ShuffleCase>(spec::SHU_022, "", AnyShuffle(Backward()), IsTheFormula,
                        {"permuted", "group 1", "group C"}),
    Define<ShuffleCase>(spec::SHU_022, "large", LargeShuffles(IsBackward), IsTheFormula,
                        And(kLarge, {"permuted", "axis 0", "axis other than 1"})),
    Define<ShuffleCase>(spec::SHU_026, "", AnyShuffle(Either({})), TrivialGroupsAreTheIdentity,
                        {"group 1", "group C", "forward", "backward"}),
    Define<ShuffleCase>(spec::SHU_027, "", AnyShuffle(Either(NonTrivial())), FirstAndLastStay,
                        {"forward", "backward"}),
    Define<ShuffleCase>(spec::SHU_028, "", AnyShuffle(Either(NonTrivial())), LinesKeepTheirValues,
                        {"forward", "backward"}),
    Define<ShuffleCase>(spec::SHU_029, "", AnyShuffle(Either(NonTrivial())), LinesDoNotMix,
                        {"forward", "backward"}),
    Define<ShuffleCase>(spec::SHU_030, "", SpecialBits(false), MovesBitForBit,
                        {"NaN", "subnormal", "-0", "gapped"}),
    Define<ShuffleCase>(spec::SHU_030, "backward", SpecialBits(true), MovesBitForBit,
                        {"NaN", "subnormal", "-0", "gapped"}),
    Define<ShuffleCase>(spec::SHU_031, "forward", AnyShuffle(AllLayouts(false)),
                        LayoutDoesNotMatter,
                        And(kRanks, {"gapped", "permuted", "region", "tag", "odd size-1 stride"})),
    Define<ShuffleCase>(spec::SHU_031, "backward", AnyShuffle(AllLayouts(true)),
                        LayoutDoesNotMatter,
                        And(kRanks, {"gapped", "permuted", "region", "tag", "odd size-1 stride"})),
    Define<ShuffleCase>(spec::SHU_031, "channels", AnyShuffle(RegionsOfChannels()),
                        LayoutDoesNotMatter, {"region"}),
    Define<ShuffleCase>(spec::SHU_031, "large", LargeShuffles(IsPermuted), LayoutDoesNotMatter,
                        {"permuted", "over 2^20 elements"}),
    Define<ShuffleCase>(spec::SHU_032, "large", LargeShuffles(IsOfAnotherAxis), AnyAxis,
                        {"axis 0", "over 2^20 elements"}),
    Define<ShuffleCase>(spec::SHU_032, "", AnyShuffle(Either(NonTrivial())), AnyAxis,
                        {"forward", "backward", "axis 0", "last axis", "axis other than 1"}),
    Define<ShuffleCase>(spec::SHU_033, "", AnyShuffle(Either(Channels())), NamedFormats,
                        {"forward", "backward", "nchw", "nhwc", "ncdhw", "ndhwc"}),
    Define<ShuffleCase>(spec::SHU_033, "networks", NetworkShuffles(), IsTheFormula,
                        {"over 2^20 elements"}),
    Define<ShuffleCase>(spec::SHU_050, "forward", AnyShuffle(Of({Type::kF32}, false)),
                        IsTheFormula),
    Define<ShuffleCase>(spec::SHU_050, "backward", AnyShuffle(Of({Type::kF32}, true)),
                        IsTheFormula),
    Define<ShuffleCase>(spec::SHU_051, "forward", AnyShuffle(Of({Type::kBF16, Type::kF16}, false)),
                        IsTheFormula),
    Define<ShuffleCase>(spec::SHU_051, "backward", AnyShuffle(Of({Type::kBF16, Type::kF16}, true)),
                        IsTheFormula),
    Define<ShuffleCase>(spec::SHU_052, "",
                        AnyShuffle(Of({Type::kS32, Type::kS8, Type::kU8}, false)), IsTheFormula),
    Define<ShuffleCase>(spec::SHU_053, "", AnyShuffle(Of({Type::kS32, Type::kS8, Type::kU8}, true)),
                        IntegersBackward),
    Define<ShuffleCase>(spec::SHU_055, "forward", AnyShuffle(Ranks(1, 12, false)), IsTheFormula,
                        And(kRanks, kWholeRanks)),
    Define<ShuffleCase>(spec::SHU_055, "backward", AnyShuffle(Ranks(1, 12, true)), IsTheFormula,
                        And(kRanks, kWholeRanks)),
    Define<ShuffleCase>(spec::SHU_056, "", AnyShuffle(Ranks(7, 12, false)), IsTheFormula),
};

}  // namespace
}  // namespace conformance
