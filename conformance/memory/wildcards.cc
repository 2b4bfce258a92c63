// Run-time dims and strides in descriptors: MD-027 to MD-029, MD-036; and MD-004, MD-010, MD-012
// and MD-020 beside them.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "conformance/case/property.h"
#include "conformance/gen/shapes.h"
#include "conformance/memory/cases.h"
#include "conformance/memory/descriptor_case.h"
#include "conformance/memory/descriptors.h"
#include "oneapi/dnnl/dnnl.hpp"
#include "spec/requirements.h"

namespace conformance {
namespace {

using DataType = dnnl::memory::data_type;

std::string Call(const DescriptorCase& view) { return "desc(" + Text(view) + ")"; }

DescriptorCase DrawWildcards(int64_t index, Random& random) {
  DescriptorOptions options;
  options.empty = options.loose_ones = options.far_ones = true;
  DescriptorCase view = DrawDescriptor(index, random, options);
  const auto last = static_cast<int64_t>(view.dims.size()) - 1;
  const int64_t where = index % 3;
  for (int64_t n = random.Between(1, 3); n-- > 0;) {
    if (where != 1) view.dims[random.Between(0, last)] = spec::kRunTimeDim;
    if (where != 0) view.strides[random.Between(0, last)] = spec::kRunTimeDim;
  }
  return view;
}

TagCase DrawTagWildcards(int64_t index, Random& random) {
  TagCase c = AnyTag(/*empty=*/false).at(index, random);
  for (int64_t n = random.Between(1, 3); n-- > 0;)
    c.dims[random.Between(0, static_cast<int64_t>(c.dims.size()) - 1)] = spec::kRunTimeDim;
  return c;
}

bool HasWildcard(const spec::Dims& values) {
  return std::count(values.begin(), values.end(), spec::kRunTimeDim) > 0;
}

// Only the wildcards are out of the ordinary.
bool IsOrdinaryElsewhere(const DescriptorCase& view) {
  const auto fine = [](int64_t value) { return value >= 0 || value == spec::kRunTimeDim; };
  return view.dims.size() == view.strides.size() && view.regions.empty() && !view.dims.empty() &&
         std::all_of(view.dims.begin(), view.dims.end(), fine) &&
         std::all_of(view.strides.begin(), view.strides.end(), fine);
}

void SeeWildcards(const DescriptorCase& view, Trial& trial) {
  if (HasWildcard(view.dims)) trial.Cover("run-time dim");
  if (HasWildcard(view.strides)) trial.Cover("run-time stride");
}

// Whether strides that are known contradict each other if dims that are not are 2 (MD-029).
bool MayContradict(const DescriptorCase& view) {
  DescriptorCase known = view;
  for (size_t j = 0; j < known.dims.size(); ++j) {
    if (known.dims[j] == spec::kRunTimeDim) known.dims[j] = 2;
    if (known.strides[j] == spec::kRunTimeDim) known.dims[j] = known.strides[j] = 1;
  }
  return known.Verdict(Profile::kPortable) != spec::Validity::kMustAccept;
}

void WildcardsAreAccepted(const DescriptorCase& view, Trial& trial) {
  if (!view.HasWildcard() || !IsOrdinaryElsewhere(view)) return trial.Vacuous();
  if (!RankIsOffered(trial, view.dims.size())) return;
  SeeWildcards(view, trial);
  if (trial.portable() && MayContradict(view)) {
    Refusal refusal;
    if (!Try([&] { return WithStrides(view); }, &refusal))
      return trial.LeftOpen(refusal, "the descriptor");
  }
  const auto desc = Accepted(trial, Call(view), [&] { return WithStrides(view); });
  if (desc) trial.Expect(desc->dims() == view.dims, "dims()", Text(view.dims), Text(desc->dims()));
}

// ORC-TAG, as far as the dims are known: a stride is open where a dim inside of it is.
std::optional<spec::Dims> KnownStridesOfTag(const TagCase& c) {
  const std::string word = WordOf(c.tag);
  spec::Dims dims = c.dims;
  std::replace(dims.begin(), dims.end(), spec::kRunTimeDim, int64_t{1});
  auto strides = spec::StridesOfTag(word, dims);
  if (!strides) return std::nullopt;
  bool open = false;
  for (size_t k = word.size(); k-- > 0;) {
    const auto j = static_cast<size_t>(word[k] - 'a');
    if (open) (*strides)[j] = spec::kRunTimeDim;
    open |= c.dims[j] == spec::kRunTimeDim;
  }
  return strides;
}

void WildcardsAreAcceptedWithTags(const TagCase& c, Trial& trial) {
  if (!HasWildcard(c.dims) || !FindTag(c.tag)) return trial.Vacuous();
  const std::string call = "desc(dims " + Text(c.dims) + ", " + c.tag + ")";
  const auto desc = Accepted(trial, call, [&] { return WithTag(c); });
  if (!desc) return;
  trial.Expect(desc->dims() == c.dims, "dims()", Text(c.dims), Text(desc->dims()));
  const auto strides = KnownStridesOfTag(c);
  if (!strides) return;
  trial.Cover(HasWildcard(*strides) ? "strides open with a dim" : "strides known beside a dim");
  Refusal refusal;
  const DescriptorCase by_strides{c.type, c.dims, *strides, {}};
  const auto same = Try([&] { return WithStrides(by_strides); }, &refusal);
  if (!same) return trial.LeftOpen(refusal, "the descriptor");
  // Portable: what is equal beside a wildcard is for the library to say.
  trial.Record("== of a tag and its strides, beside a run-time dim",
               *desc == *same ? "equal" : "unequal");
  if (trial.project())
    ExpectSame(trial, call + " == desc(" + Text(by_strides) + ")", "an equal descriptor", *same,
               *desc);
}

void WildcardsWithAnyAreRefused(const DescriptorCase& view, Trial& trial) {
  if (!HasWildcard(view.dims) || !IsOrdinaryElsewhere(view)) return trial.Vacuous();
  if (!RankIsOffered(trial, view.dims.size())) return;
  trial.Cover("run-time dim");
  spec::Dims known = view.dims;
  std::replace(known.begin(), known.end(), spec::kRunTimeDim, int64_t{1});
  if (!Accepted(trial, "desc(dims " + Text(known) + ", any)",
                [&] { return WithAny(view.type, known); })) {
    return;
  }
  Refused(trial, "desc(dims " + Text(view.dims) + ", any)",
          [&] { return WithAny(view.type, view.dims); });
}

bool IsNegativeStride(int64_t stride) { return stride < 0 && stride != spec::kRunTimeDim; }

// Where negative strides stand, beside the first wildcard of a dim or a stride.
void SeeNegativeStrides(const DescriptorCase& view, Trial& trial) {
  const auto is_wild = [&](size_t j) {
    return view.dims[j] == spec::kRunTimeDim || view.strides[j] == spec::kRunTimeDim;
  };
  bool wild = false;
  for (size_t j = 0; j < view.strides.size(); ++j) {
    wild |= is_wild(j);
    if (IsNegativeStride(view.strides[j]))
      trial.Cover(wild ? "negative behind a wildcard" : "negative before a wildcard");
  }
}

void StridesGoUncheckedBesideWildcards(const DescriptorCase& view, Trial& trial) {
  DescriptorCase otherwise = view;
  std::replace_if(otherwise.strides.begin(), otherwise.strides.end(), IsNegativeStride, int64_t{1});
  if (!view.HasWildcard() || !IsOrdinaryElsewhere(otherwise)) return trial.Vacuous();
  if (!RankIsOffered(trial, view.dims.size())) return;
  // The same strides on known dims, as small as they may be, must be refused.
  DescriptorCase known = view;
  for (size_t j = 0; j < known.dims.size(); ++j)
    if (known.dims[j] == spec::kRunTimeDim) known.dims[j] = 1;
  for (int64_t& stride : known.strides)
    if (stride == spec::kRunTimeDim) stride = int64_t{1} << 50;
  if (known.Verdict(Profile::kPortable) != spec::Validity::kMustReject) return trial.Vacuous();
  SeeWildcards(view, trial);
  SeeNegativeStrides(view, trial);
  Refusal refusal;
  const auto desc = Try([&] { return WithStrides(view); }, &refusal);
  trial.Record("strides that contradict each other beside a wildcard",
               desc ? "accepted" : "refused");
  if (desc) {
    trial.Expect(desc->dims() == view.dims, "dims()", Text(view.dims), Text(desc->dims()));
  } else if (trial.project()) {
    trial.Fail(Call(view), "accepted", refusal);
  }
}

// Two dims with strides that contradict each other or one that is negative, and a wildcard
// elsewhere, before them or behind.
DescriptorCase DrawUnchecked(int64_t index, Random& random) {
  DescriptorOptions options;
  options.min_rank = 3;
  DescriptorCase view = DrawDescriptor(index, random, options);
  const std::vector<int> axes = AnyPermutation(random, static_cast<int>(view.dims.size()));
  const int a = axes[0], b = axes[1], wild = axes[2];
  view.dims[a] = random.Between(2, 5);
  view.dims[b] = random.Between(2, 5);
  view.strides[b] = random.Between(1, 50);
  view.strides[a] =
      random.Pick({view.strides[b], view.strides[b] * view.dims[b] - 1, int64_t{-1},
                   -view.strides[b] * view.dims[b], -(int64_t{1} << 40), INT64_MIN + 1});
  if (index % 2 == 0) view.dims[wild] = spec::kRunTimeDim;
  if (index % 2 == 1) view.strides[wild] = spec::kRunTimeDim;
  return view;
}

void WildcardSize(const DescriptorCase& view, Trial& trial) {
  if (!view.HasWildcard() || !IsOrdinaryElsewhere(view)) return trial.Vacuous();
  Refusal refusal;
  const auto desc = Try([&] { return WithStrides(view); }, &refusal);
  if (!desc) return trial.LeftOpen(refusal, "the descriptor");
  SeeWildcards(view, trial);
  const size_t size = desc->get_size();
  const bool empty = std::count(view.dims.begin(), view.dims.end(), 0) > 0;
  if (empty && size == 0) return;
  trial.Expect(size == DNNL_RUNTIME_SIZE_VAL, "get_size()", "DNNL_RUNTIME_SIZE_VAL",
               std::to_string(size));
}

// MD-038.
void WildcardsAreNotZero(const DescriptorCase& view, Trial& trial) {
  if (!view.HasWildcard() || !IsOrdinaryElsewhere(view)) return trial.Vacuous();
  Refusal refusal;
  const auto desc = Try([&] { return WithStrides(view); }, &refusal);
  if (!desc) return trial.LeftOpen(refusal, "the descriptor");
  SeeWildcards(view, trial);
  trial.Expect(!desc->is_zero(), "is_zero()", "false", "true");
  trial.Expect(*desc != Desc() && !(Desc() == *desc), "== desc()", "false", "true");
}

// By a tag the strides are the subject's own, some of them known beside a dim that is not.
void WildcardSizeWithTags(const TagCase& c, Trial& trial) {
  if (!HasWildcard(c.dims) || !FindTag(c.tag)) return trial.Vacuous();
  Refusal refusal;
  const auto desc = Try([&] { return WithTag(c); }, &refusal);
  if (!desc) return trial.LeftOpen(refusal, "the descriptor");
  const size_t size = desc->get_size();
  trial.Expect(size == DNNL_RUNTIME_SIZE_VAL, "get_size()", "DNNL_RUNTIME_SIZE_VAL",
               std::to_string(size));
}

// The same by the row-major tag, of ranks that have one.
template <class Check>
void ByRowMajorTag(const DescriptorCase& view, DataType type, Check check) {
  if (view.dims.size() > 6 || !HasWildcard(view.dims)) return;
  check("desc(dims " + Text(view.dims) + ", row-major tag)",
        [&] { return Desc(view.dims, type, RowMajorTag(view.dims.size())); });
}

bool IsNegativeDim(int64_t dim) { return dim < 0 && dim != spec::kRunTimeDim; }

// What is illegal without wildcards is illegal beside them; MD-029 excepts strides alone.
void NegativeDimsAreRefusedBesideWildcards(const DescriptorCase& view, Trial& trial) {
  DescriptorCase neighbour = view;
  std::replace_if(neighbour.dims.begin(), neighbour.dims.end(), IsNegativeDim, int64_t{1});
  if (neighbour.dims == view.dims || !view.HasWildcard() || !IsOrdinaryElsewhere(neighbour))
    return trial.Vacuous();
  if (!RankIsOffered(trial, view.dims.size())) return;
  SeeWildcards(view, trial);
  // Portable: strides that may contradict each other may be refused.
  if (trial.project() && !Accepted(trial, Call(neighbour), [&] { return WithStrides(neighbour); }))
    return;
  if (!Refused(trial, Call(view), [&] { return WithStrides(view); })) return;
  const DataType type = DataTypeOf(view.type);
  ByRowMajorTag(neighbour, type,
                [&](const std::string& call, auto make) { Accepted(trial, call, make); });
  ByRowMajorTag(view, type, [&](const std::string& call, auto make) {
    trial.Cover("tag");
    Refused(trial, call, make);
  });
}

DescriptorCase DrawNegativeBesideWildcards(int64_t index, Random& random) {
  DescriptorOptions options;
  options.min_rank = 2;
  options.empty = true;
  DescriptorCase view = DrawDescriptor(index, random, options);
  const auto rank = static_cast<int64_t>(view.dims.size());
  const int64_t at = random.Between(0, rank - 1), wild = (at + random.Between(1, rank - 1)) % rank;
  view.dims[at] = random.Pick(
      {int64_t{-1}, int64_t{-2}, -(int64_t{1} << 32), INT64_MIN + 1, random.Between(-1000, -1)});
  if (index % 3 != 1) view.dims[wild] = spec::kRunTimeDim;
  if (index % 3 != 0) view.strides[random.Chance(50) ? at : wild] = spec::kRunTimeDim;
  return view;
}

void UndefTypeIsRefusedBesideWildcards(const DescriptorCase& view, Trial& trial) {
  if (!view.HasWildcard() || !IsOrdinaryElsewhere(view)) return trial.Vacuous();
  if (!RankIsOffered(trial, view.dims.size())) return;
  SeeWildcards(view, trial);
  if (trial.project() && !Accepted(trial, Call(view), [&] { return WithStrides(view); })) return;
  if (!Refused(trial, Call(view) + " of data_type::undef",
               [&] { return Desc(view.dims, DataType::undef, view.strides); }))
    return;
  ByRowMajorTag(view, DataType::undef, [&](const std::string& call, auto make) {
    Refused(trial, call + " of data_type::undef", make);
  });
}

void WrongLengthsAreRefusedBesideWildcards(const DescriptorCase& view, Trial& trial) {
  const size_t rank = view.dims.size(), length = view.strides.size();
  DescriptorCase neighbour = view;
  neighbour.strides.resize(rank, spec::kRunTimeDim);
  // As without wildcards: no strides at all are MD-011's business, a surplus is the project's.
  if (length == rank || length == 0 || (length > rank && trial.portable()) ||
      !HasWildcard(view.dims) || !IsOrdinaryElsewhere(neighbour))
    return trial.Vacuous();
  if (!RankIsOffered(trial, rank)) return;
  trial.Cover(length < rank ? "short" : "long");
  if (trial.project() && !Accepted(trial, Call(neighbour), [&] { return WithStrides(neighbour); }))
    return;
  Refused(trial, Call(view), [&] { return WithStrides(view); });
}

DescriptorCase DrawWrongLength(int64_t index, Random& random) {
  DescriptorOptions options;
  options.min_rank = 2;
  DescriptorCase view = DrawDescriptor(index, random, options);
  const auto rank = static_cast<int64_t>(view.dims.size());
  view.dims[random.Between(0, rank - 1)] = spec::kRunTimeDim;
  view.strides.resize(index % 2 == 0 ? random.Between(1, rank - 1) : rank + random.Between(1, 2),
                      random.Pick({int64_t{1}, spec::kRunTimeDim}));
  return view;
}

void WrongRanksAreRefusedBesideWildcards(const TagCase& c, Trial& trial) {
  const std::string word = WordOf(c.tag);
  if (!FindTag(c.tag) || !HasWildcard(c.dims) || word.empty() || c.dims.empty() ||
      word.size() == c.dims.size())
    return trial.Vacuous();
  trial.Cover(c.dims.size() < word.size() ? "lower" : "higher");
  Refused(trial, "desc(dims " + Text(c.dims) + ", " + c.tag + ")", [&] { return WithTag(c); });
}

TagCase DrawWrongRank(int64_t index, Random& random) {
  TagCase c = AnyTag(/*empty=*/false).at(index, random);
  c.dims.resize(c.dims.size() > 1 && random.Chance(50) ? c.dims.size() - 1 : c.dims.size() + 1, 1);
  c.dims[random.Between(0, static_cast<int64_t>(c.dims.size()) - 1)] = spec::kRunTimeDim;
  return c;
}

const bool defined[] = {
    Define(spec::MD_004, "run-time", Cases<TagCase>{0, DrawWrongRank},
           WrongRanksAreRefusedBesideWildcards, {"lower", "higher"}),
    Define(spec::MD_010, "run-time", Cases<DescriptorCase>{0, DrawWrongLength},
           WrongLengthsAreRefusedBesideWildcards, {"short"}),
    Define(spec::MD_012, "run-time", Cases<DescriptorCase>{0, DrawNegativeBesideWildcards},
           NegativeDimsAreRefusedBesideWildcards, {"run-time dim", "run-time stride", "tag"}),
    Define(spec::MD_020, "run-time", Cases<DescriptorCase>{0, DrawWildcards},
           UndefTypeIsRefusedBesideWildcards, {"run-time dim", "run-time stride"}),
    Define(spec::MD_027, "strides", Cases<DescriptorCase>{0, DrawWildcards}, WildcardsAreAccepted,
           {"run-time dim", "run-time stride"}),
    Define(spec::MD_027, "tags", Cases<TagCase>{0, DrawTagWildcards}, WildcardsAreAcceptedWithTags,
           {"strides open with a dim", "strides known beside a dim"}),
    Define(spec::MD_028, "", Cases<DescriptorCase>{0, DrawWildcards}, WildcardsWithAnyAreRefused,
           {"run-time dim"}),
    Define(spec::MD_029, "", Cases<DescriptorCase>{0, DrawUnchecked},
           StridesGoUncheckedBesideWildcards,
           {"run-time dim", "run-time stride", "negative before a wildcard",
            "negative behind a wildcard"}),
    Define(spec::MD_038, "run-time", Cases<DescriptorCase>{0, DrawWildcards}, WildcardsAreNotZero,
           {"run-time dim", "run-time stride"}),
    Define(spec::MD_036, "", Cases<DescriptorCase>{0, DrawWildcards}, WildcardSize,
           {"run-time dim", "run-time stride"}),
    Define(spec::MD_036, "tags", Cases<TagCase>{0, DrawTagWildcards}, WildcardSizeWithTags),
};

}  // namespace
}  // namespace conformance
