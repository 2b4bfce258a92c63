// permute_axes: MD-105 to MD-113. What the permuted descriptor reads is in contents.cc.
#include <algorithm>
#include <climits>
#include <numeric>

#include "conformance/case/property.h"
#include "conformance/gen/shapes.h"
#include "conformance/memory/cases.h"
#include "conformance/memory/descriptor_case.h"
#include "conformance/memory/descriptors.h"
#include "conformance/subject/descriptor_text.h"
#include "oneapi/dnnl/dnnl.hpp"
#include "spec/memory/oracle.h"
#include "spec/requirements.h"

namespace conformance {
namespace {

using Axes = std::vector<int>;

std::string Call(const Axes& axes) { return "permute_axes(" + Text(axes) + ")"; }

template <class T>
std::vector<T> Permuted(const std::vector<T>& values, const Axes& axes) {
  std::vector<T> permuted(values.size());
  for (size_t i = 0; i < values.size(); ++i) permuted[axes[i]] = values[i];
  return permuted;
}

DescriptorCase Permuted(const DescriptorCase& view, const Axes& axes) {
  DescriptorCase permuted{view.type, Permuted(view.dims, axes), Permuted(view.strides, axes), {}};
  for (const Region& region : view.regions)
    permuted.regions.push_back({Permuted(region.dims, axes), Permuted(region.offsets, axes)});
  return permuted;
}

bool IsIdentity(const Axes& axes) { return std::is_sorted(axes.begin(), axes.end()); }

PermuteCase Draw(int64_t index, Random& random, const DescriptorOptions& options,
                 int permutations) {
  PermuteCase c;
  c.from = DrawDescriptor(index, random, options);
  const int rank = static_cast<int>(c.from.dims.size());
  while (permutations-- > 0) c.permutations.push_back(AnyPermutation(random, rank));
  return c;
}

Cases<PermuteCase> Permutations(const DescriptorOptions& options, int permutations) {
  return {
      0, [=](int64_t index, Random& random) { return Draw(index, random, options, permutations); }};
}

// The first permutation of a legal case applied to its view; nullopt, with the case marked.
std::optional<Desc> PermutedBySubject(const PermuteCase& c, Trial& trial) {
  for (const Axes& axes : c.permutations) {
    if (IsPermutation(axes, c.from.dims.size())) continue;
    trial.Vacuous();
    return std::nullopt;
  }
  if (c.permutations.empty()) return std::nullopt;
  const auto from = Built(c.from, trial);
  if (!from) return std::nullopt;
  SeeLayout(c.from, trial);
  if (IsIdentity(c.permutations[0])) trial.Vacuous();
  return Accepted(trial, Call(c.permutations[0]),
                  [&] { return from->permute_axes(c.permutations[0]); });
}

void DimsMove(const PermuteCase& c, Trial& trial) {
  const auto moved = PermutedBySubject(c, trial);
  if (!moved) return;
  const spec::Dims dims = Permuted(c.from.FinalDims(), c.permutations[0]);
  trial.Expect(moved->dims() == dims, Call(c.permutations[0]) + ".dims()", Text(dims),
               Text(moved->dims()));
}

void StridesMoveAlong(const PermuteCase& c, Trial& trial) {
  if (spec::IsEmpty(c.from.dims)) return trial.Vacuous();
  const auto moved = PermutedBySubject(c, trial);
  if (!moved) return;
  const DescriptorCase expected = Permuted(c.from, c.permutations[0]);
  const auto built = Built(expected, trial);
  if (built) {
    ExpectSame(trial, Call(c.permutations[0]) + " == desc(" + Text(expected) + ")",
               "an equal descriptor", *built, *moved);
  }
}

void HeaderExample(const NoParameters&, Trial& trial) {
  const auto f32 = dnnl::memory::data_type::f32;
  const Desc ab({2, 3}, f32, FormatTag::ab), ba({3, 2}, f32, FormatTag::ba);
  ExpectSame(trial, "desc({2,3}, ab).permute_axes({1,0})", "desc({3,2}, ba)", ba,
             ab.permute_axes({1, 0}));
}

void PermutationsCompose(const PermuteCase& c, Trial& trial) {
  if (c.permutations.size() != 2) return trial.Vacuous();
  const auto by_p = PermutedBySubject(c, trial);
  if (!by_p) return;
  const auto from = Built(c.from, trial);
  const Axes &p = c.permutations[0], &q = c.permutations[1];
  Axes identity(p.size()), inverse(p.size()), both(p.size());
  std::iota(identity.begin(), identity.end(), 0);
  for (size_t i = 0; i < p.size(); ++i) {
    inverse[p[i]] = static_cast<int>(i);
    both[i] = q[p[i]];
  }
  const bool empty = spec::IsEmpty(c.from.FinalDims());
  if (empty) return trial.Vacuous();
  ExpectSame(trial, Call(identity), "an equal descriptor", *from, from->permute_axes(identity));
  ExpectSame(trial, Call(p) + "." + Call(q) + " == " + Call(both), "an equal descriptor",
             from->permute_axes(both), by_p->permute_axes(q));
  ExpectSame(trial, Call(p) + "." + Call(inverse), "the original descriptor", *from,
             by_p->permute_axes(inverse));
}

std::string FaultOf(const Axes& axes, size_t rank) {
  if (axes.size() < rank) return "short";
  if (axes.size() > rank) return "long";
  for (int entry : axes) {
    if (entry < 0) return "negative";
    if (entry >= static_cast<int>(rank)) return "out of range";
  }
  return IsPermutation(axes, rank) ? "" : "repeated";
}

void FaultyPermutationsAreRefused(const PermuteCase& c, Trial& trial) {
  if (c.permutations.size() != 1 || !c.from.IsWellFormed()) return trial.Vacuous();
  const Axes& axes = c.permutations[0];
  const size_t rank = c.from.dims.size();
  const std::string fault = FaultOf(axes, rank);
  if (fault.empty()) return trial.Vacuous();
  const auto from = Built(c.from, trial);
  if (!from) return;
  trial.Cover(fault);
  // The nearest legal permutation: what is there and legal stays, the rest fills up in order.
  Axes legal(rank, -1);
  std::vector<bool> taken(rank, false);
  for (size_t i = 0; i < std::min(rank, axes.size()); ++i) {
    if (axes[i] < 0 || axes[i] >= static_cast<int>(rank) || taken[axes[i]]) continue;
    legal[i] = axes[i];
    taken[axes[i]] = true;
  }
  for (int& entry : legal) {
    if (entry >= 0) continue;
    entry = static_cast<int>(std::find(taken.begin(), taken.end(), false) - taken.begin());
    taken[entry] = true;
  }
  if (!Accepted(trial, Call(legal), [&] { return from->permute_axes(legal); })) return;
  const std::string call = Call(axes) + " on rank " + std::to_string(rank) + ", " + fault;
  if (!Refused(trial, call, [&] { return from->permute_axes(axes); })) return;
  // MD-111: the documents do not speak of it.
  if (trial.portable()) return;
  Refusal refusal;
  const auto any = Try([&] { return WithAny(c.from.type, c.from.FinalDims()); }, &refusal);
  if (!any || !Try([&] { return any->permute_axes(legal); }, &refusal)) return;
  trial.Cover("any");
  Refused(trial, "any." + call, [&] { return any->permute_axes(axes); });
}

PermuteCase DrawFaulty(int64_t index, Random& random) {
  DescriptorOptions options;
  options.regions = 1;
  options.empty = options.broadcast = options.loose_ones = true;
  PermuteCase c = Draw(index, random, options, 1);
  Axes& axes = c.permutations[0];
  const auto rank = static_cast<int64_t>(axes.size());
  const int64_t at = random.Between(0, rank - 1);
  switch (index % 5) {
    case 0:
      axes.resize(random.Between(0, rank - 1));
      break;
    case 1:
      axes.push_back(static_cast<int>(random.Between(0, rank)));
      break;
    case 2:
      axes[at] = random.Pick({-1, -2, INT_MIN, -static_cast<int>(rank)});
      break;
    case 3:
      axes[at] = random.Pick({static_cast<int>(rank), static_cast<int>(rank) + 1, INT_MAX, 64});
      break;
    default:
      axes[at] = axes[(at + 1) % rank];
  }
  return c;
}

void TypeAndStartAreKept(const PermuteCase& c, Trial& trial) {
  if (spec::IsEmpty(c.from.FinalDims())) return trial.Vacuous();
  const auto moved = PermutedBySubject(c, trial);
  if (!moved) return;
  ExpectType(trial, "data_type()", DataTypeOf(c.from.type), moved->data_type());
  // The region of the permuted parent is the permuted region of the parent.
  const DescriptorCase expected = Permuted(c.from, c.permutations[0]);
  if (c.from.regions.empty() || c.from.Layout().offset == 0) return trial.Vacuous();
  trial.Cover("start");
  const auto built = Built(expected, trial);
  if (built)
    ExpectSame(trial, Call(c.permutations[0]) + " == " + Text(expected), "an equal descriptor",
               *built, *moved);
}

void PermutedAny(const PermuteCase& c, Trial& trial) {
  if (c.permutations.size() != 1 || !c.from.IsWellFormed() ||
      !IsPermutation(c.permutations[0], c.from.dims.size())) {
    return trial.Vacuous();
  }
  const Axes& axes = c.permutations[0];
  if (!RankIsOffered(trial, axes.size())) return;
  const Desc any = WithAny(c.from.type, c.from.dims);
  Refusal refusal;
  const auto moved = Try([&] { return any.permute_axes(axes); }, &refusal);
  trial.Record("permute_axes of any", moved ? "accepted" : "refused");
  const Desc expected = WithAny(c.from.type, Permuted(c.from.dims, axes));
  if (moved) {
    ExpectSame(trial, "any." + Call(axes), "any with permuted dims", expected, *moved);
  } else if (trial.project()) {
    trial.Fail("any." + Call(axes), "any with permuted dims", refusal);
  }
}

void LayoutlessParentsAreRefused(const PermuteCase& c, Trial& trial) {
  if (c.permutations.size() != 1 || !c.from.regions.empty()) return trial.Vacuous();
  const auto moved = PermutedBySubject(c, trial);  // the nearest accepted neighbour
  if (!moved) return;
  const Axes& axes = c.permutations[0];
  Refused(trial, "desc()." + Call({}), [&] { return Desc().permute_axes({}); });
  const size_t rank = axes.size();
  for (size_t value = 0; value < 2 * rank && !trial.failed(); ++value) {
    const bool stride = value >= rank;
    DescriptorCase wild = c.from;
    (stride ? wild.strides : wild.dims)[value % rank] = spec::kRunTimeDim;
    Refusal refusal;
    const auto run_time = Try([&] { return WithStrides(wild); }, &refusal);
    if (!run_time) continue;
    const std::string what = stride ? "run-time stride" : "run-time dim";
    trial.Cover(what);
    const auto made = AnsweredAtRunTime(trial, what + "." + Call(axes),
                                        [&] { return run_time->permute_axes(axes); });
    if (made) KeepsMapping(*made, Permuted(wild, axes), what + "." + Call(axes), trial);
  }
}

// A tag, and the letters of its word renamed by a permutation.
struct RenamedCase {
  TagCase from;
  Axes axes;

  void Print(Fields* fields) const {
    from.Print(fields);
    fields->SetInts("axes", {axes.begin(), axes.end()});
  }
  static RenamedCase Parse(const Fields& fields) {
    RenamedCase c{TagCase::Parse(fields), {}};
    for (int64_t axis : fields.Ints("axes")) c.axes.push_back(static_cast<int>(axis));
    if (!IsPermutation(c.axes, c.from.dims.size())) fields.Reject("axes", "is no permutation");
    return c;
  }
  std::vector<RenamedCase> Simpler() const {
    std::vector<RenamedCase> cases;
    for (const TagCase& simpler : from.Simpler()) cases.push_back({simpler, axes});
    return cases;
  }
};

void RenamedTagsAgree(const RenamedCase& c, Trial& trial) {
  const std::string word = WordOf(c.from.tag);
  if (word.size() != c.axes.size() || spec::IsEmpty(c.from.dims)) return trial.Vacuous();
  std::string renamed;
  for (char letter : word) renamed += static_cast<char>('a' + c.axes[letter - 'a']);
  if (!FindTag(renamed)) return trial.Vacuous();
  const auto from = Built(c.from, trial);
  const auto expected = Built(TagCase{renamed, c.from.type, Permuted(c.from.dims, c.axes)}, trial);
  if (!from || !expected) return;
  if (IsIdentity(c.axes)) trial.Vacuous();
  const auto moved = Accepted(trial, Call(c.axes), [&] { return from->permute_axes(c.axes); });
  if (moved) {
    ExpectSame(trial, c.from.tag + "." + Call(c.axes) + " == by " + renamed, "an equal descriptor",
               *expected, *moved);
  }
}

// Between two tags of one rank there is always a permutation: the one that renames the letters.
Cases<RenamedCase> TagPairs() {
  return {0, [](int64_t index, Random& random) {
            RenamedCase c{AnyTag(/*empty=*/false).at(index, random), {}};
            const std::string word = WordOf(c.from.tag);
            std::vector<std::string> words;
            for (const spec::Tag& tag : spec::SeedTags())
              if (std::string_view(tag.word).size() == word.size()) words.push_back(tag.word);
            const std::string to = random.Pick(words);
            c.axes.resize(word.size());
            for (size_t k = 0; k < word.size(); ++k) c.axes[word[k] - 'a'] = to[k] - 'a';
            return c;
          }};
}

DescriptorOptions Plain(int least_regions, int regions) {
  DescriptorOptions options;
  options.loose_ones = options.far_ones = options.long_dims = true;
  options.least_regions = least_regions;
  options.regions = regions;
  return options;
}

// Of tensors without elements too: their dims move as others do.
DescriptorOptions PlainOrEmpty() {
  DescriptorOptions options = Plain(0, 1);
  options.empty = true;
  return options;
}

// Strides of 0 move as others do.
DescriptorOptions PlainOrBroadcast() {
  DescriptorOptions options = Plain(0, 0);
  options.broadcast = true;
  return options;
}

const bool defined[] = {
    Define(spec::MD_105, "", Permutations(PlainOrEmpty(), 1), DimsMove,
           {"rank 2", "rank 6", "rank 12", "empty"}),
    Define(spec::MD_106, "", Permutations(PlainOrBroadcast(), 1), StridesMoveAlong,
           {"gapped", "permuted", "ones", "broadcast"}),
    Define(spec::MD_107, "", HeaderExample),
    Define(spec::MD_108, "", Permutations(Plain(0, 1), 2), PermutationsCompose, {"rank 6"}),
    Define(spec::MD_109, "", Cases<PermuteCase>{0, DrawFaulty}, FaultyPermutationsAreRefused,
           {"short", "long", "negative", "out of range", "repeated"}),
    Define(spec::MD_110, "", Permutations(Plain(1, 2), 1), TypeAndStartAreKept, {"start"}),
    Define(spec::MD_111, "", Permutations(Plain(0, 0), 1), PermutedAny),
    Define(spec::MD_112, "", Permutations(Plain(0, 0), 1), LayoutlessParentsAreRefused),
    Define(spec::MD_113, "", TagPairs(), RenamedTagsAgree),
};

}  // namespace
}  // namespace conformance
