// Which strides the constructor accepts: ORC-VALID.
#include <algorithm>
#include <climits>

#include "conformance/case/property.h"
#include "conformance/memory/descriptor_case.h"
#include "conformance/memory/descriptors.h"
#include "oneapi/dnnl/dnnl.hpp"
#include "spec/memory/oracle.h"
#include "spec/requirements.h"

namespace conformance {
namespace {

// Ranks 1 to 3, dims 0 to 3, strides -1 to 7: the points of which the catalogue says how they are
// classed, each once.
DescriptorCase SmallPoint(int64_t index, Random&) {
  constexpr int64_t kDims = 4, kStrides = 9, kAxis = kDims * kStrides;
  int rank = 1;
  for (int64_t points = kAxis; index >= points; points *= kAxis, ++rank) index -= points;
  DescriptorCase view;
  for (int j = 0; j < rank; ++j, index /= kAxis) {
    view.dims.push_back(index % kDims);
    view.strides.push_back(index / kDims % kStrides - 1);
  }
  return view;
}

Cases<DescriptorCase> EverySmallPoint() { return {36 + 36 * 36 + 36 * 36 * 36, SmallPoint}; }

std::string Call(const DescriptorCase& view) { return "desc(" + Text(view) + ")"; }

void AcceptableIsAccepted(const DescriptorCase& view, Trial& trial) {
  if (view.Verdict(trial.profile()) != spec::Validity::kMustAccept) return trial.Vacuous();
  if (!RankIsOffered(trial, view.dims.size())) return;
  SeeLayout(view, trial);
  const auto desc = Accepted(trial, Call(view), [&] { return WithStrides(view); });
  if (desc) trial.Expect(!desc->is_zero(), Call(view), "a descriptor", "the zero descriptor");
}

// The axes with dims other than 1, largest stride first.
std::vector<int> OutermostFirst(const DescriptorCase& view) {
  std::vector<int> axes;
  for (size_t j = 0; j < view.dims.size(); ++j)
    if (view.dims[j] != 1) axes.push_back(static_cast<int>(j));
  std::stable_sort(axes.begin(), axes.end(),
                   [&](int a, int b) { return view.strides[a] > view.strides[b]; });
  return axes;
}

void SeeFault(const DescriptorCase& view, Trial& trial) {
  const std::vector<int> axes = OutermostFirst(view);
  for (size_t k = 0; k + 1 < axes.size(); ++k) {
    const int64_t outer = view.strides[axes[k]], inner = view.strides[axes[k + 1]];
    if (outer == inner && inner > 0) trial.Cover("tie");
    if (inner > 0 && outer == inner * view.dims[axes[k + 1]] - 1) trial.Cover("one too small");
  }
  for (int64_t stride : view.strides)
    if (stride < 0) trial.Cover("negative");
}

bool IsRejectedBesideItsNeighbour(const DescriptorCase& view, Trial& trial) {
  const DescriptorCase neighbour{
      view.type, view.dims, NearestAcceptable(view.dims, view.strides), {}};
  if (neighbour.Verdict(trial.profile()) == spec::Validity::kMustAccept &&
      !Accepted(trial, Call(neighbour), [&] { return WithStrides(neighbour); })) {
    return false;
  }
  return Refused(trial, Call(view), [&] { return WithStrides(view); });
}

void RejectableIsRejected(const DescriptorCase& view, Trial& trial) {
  if (view.dims.size() != view.strides.size() ||
      view.Verdict(trial.profile()) != spec::Validity::kMustReject) {
    return trial.Vacuous();
  }
  if (!RankIsOffered(trial, view.dims.size())) return;
  SeeFault(view, trial);
  IsRejectedBesideItsNeighbour(view, trial);
}

// Dims of at least 2 everywhere on at least two axes, so that a fault is possible.
DescriptorCase DrawTwoWide(int64_t index, Random& random) {
  DescriptorOptions options;
  options.min_rank = 2;
  DescriptorCase view = DrawDescriptor(index, random, options);
  const int64_t last = static_cast<int64_t>(view.dims.size()) - 1;
  const int64_t first = random.Between(0, last - 1);
  for (int64_t j : {first, random.Between(first + 1, last)}) view.dims[j] = random.Between(2, 5);
  view.strides = DrawStrides(random, view.dims, index % 2 == 1);
  return view;
}

// One pair of axes that violates the inequality, or all of them at random.
DescriptorCase Break(DescriptorCase view, int64_t index, Random& random) {
  const std::vector<int> axes = OutermostFirst(view);
  const int64_t pair = random.Between(0, static_cast<int64_t>(axes.size()) - 2);
  int64_t& outer = view.strides[axes[pair]];
  int64_t& inner = view.strides[axes[pair + 1]];
  switch (index % 5) {
    case 0:
      outer = inner * view.dims[axes[pair + 1]] - 1;
      break;
    case 1:
      outer = inner;
      break;
    case 2:
      inner = random.Pick({int64_t{-1}, -inner, -(int64_t{1} << 40), INT64_MIN + 1});
      break;
    case 3:
      outer = random.Between(1, inner * view.dims[axes[pair + 1]] - 1);
      break;
    default:
      for (int64_t& stride : view.strides) stride = random.Between(1, 40);
  }
  return view;
}

// The same, where one of the dims is long.
DescriptorCase DrawLongAndBroken(int64_t index, Random& random) {
  DescriptorCase view = DrawTwoWide(index, random);
  const std::vector<int> axes = OutermostFirst(view);
  view.dims[axes[random.Between(0, static_cast<int64_t>(axes.size()) - 1)]] =
      (int64_t{1} << random.Pick({16, 24, 31, 32, 33})) + random.Between(-1, 9);
  view.strides = DrawStrides(random, view.dims, /*gaps=*/false);
  return Break(view, index % 3 == 2 ? 3 : index % 3, random);
}

DescriptorCase DrawBroken(int64_t index, Random& random) {
  return Break(DrawTwoWide(index, random), index, random);
}

DescriptorCase DrawFar(int64_t index, Random& random) {
  return Spread(DrawTwoWide(index, random), random);
}

DescriptorCase DrawFarAndBroken(int64_t index, Random& random) {
  const DescriptorCase view = DrawFar(index, random);
  return Break(view, index % 2 == 0 ? 0 : 3, random);
}

void WrongLengthsAreRefused(const DescriptorCase& view, Trial& trial) {
  const size_t rank = view.dims.size(), length = view.strides.size();
  const DescriptorCase neighbour{
      view.type, view.dims, NearestAcceptable(view.dims, view.strides), {}};
  // An empty vector: MD-011. Surplus entries: the project's reading.
  if (length == rank || length == 0 || (length > rank && trial.portable()) ||
      neighbour.Verdict(trial.profile()) != spec::Validity::kMustAccept) {
    return trial.Vacuous();
  }
  if (!RankIsOffered(trial, rank)) return;
  trial.Cover(length < rank ? "short" : "long");
  if (!Accepted(trial, Call(neighbour), [&] { return WithStrides(neighbour); })) return;
  Refused(trial, Call(view), [&] { return WithStrides(view); });
}

DescriptorCase DrawWrongLength(int64_t index, Random& random) {
  DescriptorOptions options;
  options.min_rank = 2;
  options.empty = options.long_dims = true;
  DescriptorCase view = DrawDescriptor(index, random, options);
  const auto rank = static_cast<int64_t>(view.dims.size());
  const int64_t surplus = random.Chance(80) ? random.Between(1, 2) : random.Pick({13, 256});
  view.strides.resize(index % 2 == 0 ? random.Between(1, rank - 1) : rank + surplus, 1);
  return view;
}

void EmptyStrides(const DescriptorCase& view, Trial& trial) {
  if (!view.strides.empty() || view.dims.empty()) return trial.Vacuous();
  if (!RankIsOffered(trial, view.dims.size())) return;
  Refusal refusal;
  const auto desc = Try([&] { return WithStrides(view); }, &refusal);
  trial.Record("empty strides", desc ? "accepted" : "refused");
  if (!desc) {
    trial.Expect(trial.portable(), Call(view), "row-major", refusal.ToString());
    return;
  }
  if (spec::IsEmpty(view.dims)) return;  // MD-048
  const DescriptorCase rows{view.type, view.dims, RowMajorStrides(view.dims), {}};
  ExpectSame(trial, Call(view) + " == desc(" + Text(rows) + ")", "an equal descriptor",
             WithStrides(rows), *desc);
}

DescriptorCase DrawWithoutStrides(int64_t index, Random& random) {
  DescriptorOptions options;
  options.empty = options.long_dims = true;
  DescriptorCase view = DrawDescriptor(index, random, options);
  view.strides.clear();
  return view;
}

void NegativeStridesAreRefused(const DescriptorCase& view, Trial& trial) {
  DescriptorCase neighbour = view;
  neighbour.strides = NearestAcceptable(view.dims, view.strides);
  bool on_wide = false, negative = false;
  for (size_t j = 0; j < std::min(view.dims.size(), view.strides.size()); ++j) {
    if (view.strides[j] >= 0 || view.strides[j] == spec::kRunTimeDim) continue;
    negative = true;
    on_wide = on_wide || view.dims[j] > 1;
  }
  const bool demanded = trial.project() ? negative : on_wide && !spec::IsEmpty(view.dims);
  if (!demanded || view.dims.size() != view.strides.size() || view.HasWildcard() ||
      neighbour.Verdict(trial.profile()) == spec::Validity::kMustReject) {
    return trial.Vacuous();
  }
  if (!RankIsOffered(trial, view.dims.size())) return;
  trial.Cover(on_wide ? "wide dim" : "dim of 1 or empty");
  IsRejectedBesideItsNeighbour(view, trial);
}

DescriptorCase DrawNegative(int64_t index, Random& random) {
  DescriptorOptions options;
  options.empty = options.loose_ones = true;
  DescriptorCase view = DrawDescriptor(index, random, options);
  const int64_t j = random.Between(0, static_cast<int64_t>(view.dims.size()) - 1);
  if (index % 3 != 0) view.dims[j] = std::max<int64_t>(2, view.dims[j]);
  view.strides[j] = random.Pick(
      {int64_t{-1}, int64_t{-2}, -view.strides[j] - 1, -(int64_t{1} << 62), INT64_MIN + 1});
  return view;
}

// What the documents leave open and the project's reading accepts.
void RecordAcceptance(const DescriptorCase& view, const char* question, Trial& trial) {
  if (!RankIsOffered(trial, view.dims.size())) return;
  SeeLayout(view, trial);
  Refusal refusal;
  const bool accepted = Try([&] { return WithStrides(view); }, &refusal).has_value();
  trial.Record(question, accepted ? "accepted" : "refused");
  if (trial.project()) trial.Expect(accepted, Call(view), "accepted", refusal.ToString());
}

bool HasZeroStrideOnWideDim(const DescriptorCase& view) {
  for (size_t j = 0; j < view.dims.size(); ++j)
    if (view.dims[j] > 1 && view.strides[j] == 0) return true;
  return false;
}

void ZeroStrides(const DescriptorCase& view, Trial& trial) {
  if (!view.IsWellFormed() || spec::IsEmpty(view.dims) || !HasZeroStrideOnWideDim(view) ||
      view.Verdict(Profile::kPortable) != spec::Validity::kEither ||
      view.Verdict(Profile::kProject) != spec::Validity::kMustAccept) {
    return trial.Vacuous();
  }
  RecordAcceptance(view, "zero strides", trial);
}

void LooseOnes(const DescriptorCase& view, Trial& trial) {
  const bool negative = std::any_of(view.strides.begin(), view.strides.end(),
                                    [](int64_t stride) { return stride < 0; });
  if (!view.IsWellFormed() || spec::IsEmpty(view.dims) || HasZeroStrideOnWideDim(view) ||
      negative || view.Verdict(Profile::kPortable) != spec::Validity::kEither) {
    return trial.Vacuous();
  }
  RecordAcceptance(view, "any stride on a dim of 1", trial);
}

std::vector<DescriptorCase> LooseOnesOfTheCatalogue() {
  const auto f32 = spec::Type::kF32;
  return {{f32, {1, 3}, {2, 1}, {}}, {f32, {3, 1}, {1, 1}, {}}, {f32, {2, 1, 3}, {3, 77, 1}, {}}};
}

// Some positive stride occurs twice.
bool HasTie(const DescriptorCase& view) {
  spec::Dims sorted = view.strides;
  std::sort(sorted.begin(), sorted.end());
  const auto positive = std::upper_bound(sorted.begin(), sorted.end(), 0);
  return std::adjacent_find(positive, sorted.end()) != sorted.end();
}

void TiesAreJudgedFavourably(const DescriptorCase& view, Trial& trial) {
  if (!view.IsWellFormed() || spec::IsEmpty(view.dims) || !HasTie(view)) return trial.Vacuous();
  const spec::Validity verdict = view.Verdict(trial.profile());
  if (verdict == spec::Validity::kEither) return trial.Vacuous();
  if (!RankIsOffered(trial, view.dims.size())) return;
  if (verdict == spec::Validity::kMustReject) {
    trial.Cover("between wide dims");
    IsRejectedBesideItsNeighbour(view, trial);
  } else {
    trial.Cover("with a dim of 1");
    Accepted(trial, Call(view), [&] { return WithStrides(view); });
  }
}

std::vector<DescriptorCase> TiesOfTheCatalogue() {
  const auto f32 = spec::Type::kF32;
  return {{f32, {2, 3}, {1, 1}, {}},
          {f32, {1, 3}, {1, 1}, {}},
          {f32, {2, 2, 2}, {4, 2, 2}, {}},
          {f32, {2, 1, 2}, {2, 2, 1}, {}}};
}

DescriptorCase DrawTie(int64_t index, Random& random) {
  DescriptorCase view = DrawTwoWide(index, random);
  const auto rank = static_cast<int64_t>(view.dims.size());
  const int64_t a = random.Between(0, rank - 2), b = random.Between(a + 1, rank - 1);
  if (index % 2 == 0) {
    // Dense around a dim of 1, which takes the stride of the next outer one.
    view.dims[a] = 1;
    view.strides = RowMajorStrides(view.dims);
    view.strides[a] = a == 0 ? view.strides[1] * view.dims[1] : view.strides[a - 1];
    return view;
  }
  view.strides[a] = view.strides[b];
  return view;
}

DescriptorOptions Broadcasts() {
  DescriptorOptions options;
  options.broadcast = true;
  return options;
}

DescriptorOptions Ones() {
  DescriptorOptions options;
  options.loose_ones = options.far_ones = true;
  return options;
}

DescriptorOptions PlainOrLong() {
  DescriptorOptions options;
  options.long_dims = true;
  return options;
}

const bool defined[] = {
    Define(spec::MD_005, "", DescriptorCases(PlainOrLong()), AcceptableIsAccepted,
           {"rank 1", "rank 6", "dense", "gapped", "permuted"}),
    Define(spec::MD_005, "small", EverySmallPoint(), AcceptableIsAccepted, {"dense", "gapped"}),
    Define(spec::MD_005, "far", Cases<DescriptorCase>{0, DrawFar}, AcceptableIsAccepted,
           {"gapped", "permuted"}),
    Define(spec::MD_006, "far", Cases<DescriptorCase>{0, DrawFarAndBroken}, RejectableIsRejected,
           {"one too small"}),
    Define(spec::MD_006, "long", Cases<DescriptorCase>{0, DrawLongAndBroken}, RejectableIsRejected,
           {"tie", "one too small"}),
    Define(spec::MD_006, "", Cases<DescriptorCase>{0, DrawBroken}, RejectableIsRejected,
           {"tie", "one too small", "negative"}),
    Define(spec::MD_006, "small", EverySmallPoint(), RejectableIsRejected,
           {"tie", "one too small", "negative"}),
    Define(spec::MD_010, "", Cases<DescriptorCase>{0, DrawWrongLength}, WrongLengthsAreRefused,
           {"short"}),
    Define(spec::MD_011, "", Cases<DescriptorCase>{0, DrawWithoutStrides}, EmptyStrides),
    Define(spec::MD_013, "", Cases<DescriptorCase>{0, DrawNegative}, NegativeStridesAreRefused,
           {"wide dim"}),
    Define(spec::MD_014, "", DescriptorCases(Broadcasts()), ZeroStrides, {"broadcast"}),
    Define(spec::MD_015, "", DescriptorCases(Ones()), LooseOnes, {"ones"}),
    Define(spec::MD_015, "catalogue", Listed(LooseOnesOfTheCatalogue()), LooseOnes, {"ones"}),
    Define(spec::MD_016, "", Cases<DescriptorCase>{0, DrawTie}, TiesAreJudgedFavourably,
           {"between wide dims", "with a dim of 1"}),
    Define(spec::MD_016, "catalogue", Listed(TiesOfTheCatalogue()), TiesAreJudgedFavourably,
           {"between wide dims", "with a dim of 1"}),
};

}  // namespace
}  // namespace conformance
