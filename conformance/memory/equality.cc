// operator== of descriptors and is_zero(): MD-038 and MD-042 to MD-048.
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

// Fails, too, where the two operators contradict each other.
void ExpectDiffer(Trial& trial, const Desc& a, const Desc& b, const std::string& where) {
  if (a != b && !(a == b)) return;
  trial.Fail(where, "false (" + TextOf(a) + " and " + TextOf(b) + ")", "true");
}

void IsZeroMeansEqualToZero(const DescriptorCase& view, Trial& trial) {
  const auto desc = Built(view, trial);
  if (!desc) return;
  SeeLayout(view, trial);
  trial.Expect(!desc->is_zero(), "is_zero()", "false", "true");
  ExpectDiffer(trial, *desc, Desc(), "== desc()");
}

void IsZeroMeansEqualToZeroWithTags(const TagCase& c, Trial& trial) {
  const auto desc = Built(c, trial);
  if (!desc) return;
  trial.Expect(desc->is_zero() == (*desc == Desc()), "is_zero()",
               *desc == Desc() ? "true" : "false", desc->is_zero() ? "true" : "false");
}

// What tells two views apart, or "" if nothing that must: a difference in the strides of dims of 1
// alone, or of empty tensors alone.
std::string DifferenceThatCounts(const DescriptorCase& a, const DescriptorCase& b) {
  const spec::Plain first = a.Layout(), second = b.Layout();
  if (a.type != b.type) return "type";
  if (first.dims.size() != second.dims.size()) return "rank";
  if (first.dims != second.dims) return "dim";
  if (spec::IsEmpty(first.dims)) return "";
  if (first.offset != second.offset) return "start";
  for (size_t j = 0; j < first.dims.size(); ++j)
    if (first.dims[j] > 1 && first.strides[j] != second.strides[j]) return "stride";
  return "";
}

void DifferencesCount(const PairCase& c, Trial& trial) {
  if (!c.first.IsWellFormed() || !c.second.IsWellFormed()) return trial.Vacuous();
  const std::string difference = DifferenceThatCounts(c.first, c.second);
  if (difference.empty()) return trial.Vacuous();
  const auto first = Built(c.first, trial), second = Built(c.second, trial);
  if (!first || !second) return;
  trial.Cover(difference);
  if (spec::IsEmpty(c.first.dims)) trial.Cover("empty");
  ExpectDiffer(trial, *first, *second, "==, with another " + difference);
  ExpectDiffer(trial, *second, *first, "==, the other way round");
}

// The second view differs from the first in one property.
PairCase DrawDifference(int64_t index, Random& random) {
  DescriptorOptions options;
  options.regions = 1;
  options.max_rank = 11;
  options.empty = true;
  PairCase c;
  c.first = DrawDescriptor(index, random, options);
  DescriptorCase& second = c.second = c.first;
  const auto j =
      static_cast<size_t>(random.Between(0, static_cast<int64_t>(c.first.dims.size()) - 1));
  switch (index % 5) {
    case 0:
      while (second.type == c.first.type) second.type = random.Pick(spec::kTypes);
      break;
    case 1: {  // one axis more, of size 1
      c.first.regions.clear();
      second.regions.clear();
      const auto at = static_cast<std::ptrdiff_t>(j);
      second.dims.insert(second.dims.begin() + at, 1);
      second.strides.insert(second.strides.begin() + at, c.first.strides[j]);
      break;
    }
    case 2: {  // a dim one smaller, strides as they are
      c.first.dims[j] = std::max<int64_t>(2, c.first.dims[j]);
      c.first.strides = DrawStrides(random, c.first.dims, /*gaps=*/true);
      c.first.regions.clear();
      second = c.first;
      --second.dims[j];
      break;
    }
    case 3: {  // the same region, started one further along an axis
      c.first.dims[j] = std::max<int64_t>(2, c.first.dims[j]);
      c.first.strides = DrawStrides(random, c.first.dims, /*gaps=*/true);
      Region region{c.first.dims, spec::Dims(c.first.dims.size(), 0)};
      --region.dims[j];
      c.first.regions = {region};
      second = c.first;
      ++second.regions[0].offsets[j];
      break;
    }
    default: {  // the largest stride a little larger, or none
      c.first.dims[j] = std::max<int64_t>(2, c.first.dims[j]);
      c.first.strides = DrawStrides(random, c.first.dims, index % 2 == 0);
      c.first.regions.clear();
      second = c.first;
      size_t outer = j;
      for (size_t k = 0; k < second.dims.size(); ++k)
        if (second.dims[k] > 1 && second.strides[k] > second.strides[outer]) outer = k;
      second.strides[outer] = random.Chance(20) ? 0 : second.strides[outer] + random.Between(1, 3);
    }
  }
  return c;
}

// Regions of one parent that begin one index apart: so far that 32 bits, of elements or of bytes,
// may hold the same of both.
PairCase DrawFarStart(int64_t index, Random& random) {
  DescriptorOptions options;
  options.max_rank = 11;
  options.max_elements = 4096;
  PairCase c;
  c.first = DrawDescriptor(index, random, options);
  const auto j =
      static_cast<size_t>(random.Between(0, static_cast<int64_t>(c.first.dims.size()) - 1));
  c.first.dims[j] = std::max<int64_t>(3, c.first.dims[j]);
  c.first.strides = DrawStrides(random, c.first.dims, /*gaps=*/index % 2 == 0);
  c.first = Spread(c.first, random);
  Region region{c.first.dims, spec::Dims(c.first.dims.size(), 0)};
  region.dims[j] -= 2;
  region.offsets[j] = random.Between(0, 1);
  c.first.regions = {region};
  c.second = c.first;
  ++c.second.regions[0].offsets[j];
  return c;
}

// One stride, one dim or the start differs by a power of two: what is compared in fewer bits is
// equal.
PairCase DrawAlikeInLowBits(int64_t index, Random& random) {
  DescriptorOptions options;
  options.max_elements = 4096;
  PairCase c;
  DescriptorCase &first = c.first, &second = c.second;
  first = DrawDescriptor(index, random, options);
  const auto j =
      static_cast<size_t>(random.Between(0, static_cast<int64_t>(first.dims.size()) - 1));
  first.dims[j] = std::max<int64_t>(2, first.dims[j]);
  first.strides = DrawStrides(random, first.dims, /*gaps=*/index % 2 == 0);
  constexpr int64_t kFarthest = int64_t{1} << 58;
  int64_t reach = 1;
  for (size_t k = 0; k < first.dims.size(); ++k)
    reach = std::max(reach, first.dims[k] * first.strides[k]);
  int64_t apart = int64_t{1} << random.Pick({8, 16, 24, 31, 32, 32, 33, 40});
  while (apart > kFarthest / reach) apart /= 2;
  // Room for the larger of both, so that the axes keep their order.
  const int64_t inner = first.strides[j];
  for (int64_t& stride : first.strides)
    if (stride > inner) stride *= apart + 1;
  second = first;
  switch (index % 3) {
    case 0:
      second.strides[j] += apart;
      break;
    case 1:
      second.dims[j] += apart;
      break;
    default: {
      Region region{first.dims, spec::Dims(first.dims.size(), 0)};
      first.dims[j] += apart;
      first.regions = {region};
      second = first;
      second.regions[0].offsets[j] = apart;
    }
  }
  return c;
}

// The same dims and the same strides, on other axes: nothing that forgets the order tells them
// apart. Equal dims, so that every order is a layout.
PairCase DrawOtherOrder(int64_t index, Random& random) {
  PairCase c;
  DescriptorCase& view = c.first;
  view.type = random.Pick(spec::kTypes);
  view.dims.assign(RankAt(index, 2, 12), random.Between(2, 3));
  for (int64_t& dim : view.dims)
    if (random.Chance(20)) dim = 1;
  const auto last = static_cast<int64_t>(view.dims.size()) - 1;
  const int64_t a = random.Between(0, last), b = (a + random.Between(1, last)) % (last + 1);
  view.dims[a] = view.dims[b] = random.Between(2, 4);
  view.strides = DrawStrides(random, view.dims, /*gaps=*/random.Chance(50));
  c.second = view;
  std::swap(c.second.strides[a], c.second.strides[b]);
  return c;
}

bool IsOpen(int64_t value) { return value == spec::kRunTimeDim; }

// Which of two descriptors with run-time values differ in something that is written in both: a
// value that is open in one of them only, or two known ones. Strides count along dims above 1 only.
std::string RunTimeDifference(const DescriptorCase& a, const DescriptorCase& b) {
  if (a.dims.size() != b.dims.size() || a.type != b.type || !a.regions.empty() ||
      !b.regions.empty() || !(a.HasWildcard() || b.HasWildcard()))
    return "";
  for (size_t j = 0; j < a.dims.size(); ++j) {
    if (a.dims[j] != b.dims[j])
      return IsOpen(a.dims[j]) || IsOpen(b.dims[j]) ? "run-time dim" : "dim beside a run-time one";
    if (a.dims[j] >= 0 && a.dims[j] <= 1) continue;
    if (a.strides[j] != b.strides[j] && !IsOpen(a.dims[j]))
      return IsOpen(a.strides[j]) || IsOpen(b.strides[j]) ? "run-time stride"
                                                          : "stride beside a run-time one";
  }
  return "";
}

// A run-time value equals itself alone, and what is known counts beside it.
void RunTimeDifferencesCount(const PairCase& c, Trial& trial) {
  const std::string difference = RunTimeDifference(c.first, c.second);
  if (difference.empty()) return trial.Vacuous();
  if (!RankIsOffered(trial, c.first.dims.size())) return;
  Refusal refusal;
  const auto first = Try([&] { return WithStrides(c.first); }, &refusal);
  const auto second = Try([&] { return WithStrides(c.second); }, &refusal);
  if (!first || !second) return trial.LeftOpen(refusal, "the descriptor");
  trial.Cover(difference);
  ExpectDiffer(trial, *first, *second, "==, with another " + difference);
  ExpectDiffer(trial, *second, *first, "==, the other way round");
}

// One value is open in the first view. The second has its twin, or another value elsewhere.
PairCase DrawRunTimeDifference(int64_t index, Random& random) {
  DescriptorOptions options;
  options.min_rank = 2;
  PairCase c;
  c.first = DrawDescriptor(index, random, options);
  for (int64_t& dim : c.first.dims) dim = std::max<int64_t>(2, dim);
  c.first.strides = DrawStrides(random, c.first.dims, /*gaps=*/index % 3 == 0);
  c.second = c.first;
  const auto rank = static_cast<int64_t>(c.first.dims.size());
  const int64_t open = random.Between(0, rank - 1);
  const auto values = [&](DescriptorCase& view) -> spec::Dims& {
    return index % 2 == 0 ? view.dims : view.strides;
  };
  values(c.first)[open] = spec::kRunTimeDim;
  if (random.Chance(50)) return c;
  values(c.second)[open] = spec::kRunTimeDim;
  const int64_t other = (open + random.Between(1, rank - 1)) % rank;
  (random.Chance(50) ? c.second.dims : c.second.strides)[other] += random.Between(1, 3);
  return c;
}

void OnesMayDiffer(const PairCase& c, Trial& trial) {
  if (!c.first.IsWellFormed() || !c.second.IsWellFormed() || c.first.dims != c.second.dims ||
      spec::IsEmpty(c.first.dims) || c.first.strides == c.second.strides ||
      !DifferenceThatCounts(c.first, c.second).empty()) {
    return trial.Vacuous();
  }
  const auto first = Built(c.first, trial), second = Built(c.second, trial);
  if (!first || !second) return;
  trial.Cover("another stride");
  trial.Record("== with other strides of dims of 1", *first == *second ? "equal" : "unequal");
  if (trial.project()) ExpectSame(trial, "==", "an equal descriptor", *second, *first);
}

PairCase DrawOtherOnes(int64_t index, Random& random) {
  PairCase c;
  c.first = DrawDescriptor(index, random, {});
  const auto j =
      static_cast<size_t>(random.Between(0, static_cast<int64_t>(c.first.dims.size()) - 1));
  c.first.dims[j] = 1;
  c.second = c.first;
  for (size_t k = 0; k < c.first.dims.size(); ++k) {
    if (c.first.dims[k] != 1 || (k != j && random.Chance(50))) continue;
    int64_t& stride = c.second.strides[k];
    stride = random.Chance(50) ? stride + random.Between(1, 20)
                               : random.Pick({int64_t{0}, int64_t{1} << 31, int64_t{1} << 59});
  }
  return c;
}

void AnyEquality(const TagCase& c, Trial& trial) {
  const auto any = Built(c, trial), twin = Built(c, trial);
  if (!any || !twin) return;
  ExpectSame(trial, "== of two alike", "an equal descriptor", *twin, *any);
  for (spec::Type type : spec::kTypes) {
    if (type == c.type) continue;
    ExpectDiffer(trial, *any, WithAny(type, c.dims),
                 std::string("== with type ") + spec::NameOf(type));
  }
  for (size_t j = 0; j < c.dims.size(); ++j) {
    spec::Dims other = c.dims;
    ++other[j];
    ExpectDiffer(trial, *any, WithAny(c.type, other), "== with dims " + Text(other));
    // The same in fewer bits.
    other[j] = c.dims[j] + (int64_t{1} << 32);
    Refusal refusal;
    const auto longer = Try([&] { return WithAny(c.type, other); }, &refusal);
    if (longer) ExpectDiffer(trial, *any, *longer, "== with dims " + Text(other));
  }
  spec::Dims shorter = c.dims;
  shorter.pop_back();
  if (!shorter.empty()) {
    ExpectDiffer(trial, *any, WithAny(c.type, shorter), "== with dims " + Text(shorter));
  }
}

void ZerosAreEqual(const DescriptorCase& view, Trial& trial) {
  const auto desc = Built(view, trial);
  if (!desc) return;
  const Desc zero, copy = zero;
  Desc assigned = *desc;
  assigned = zero;
  ExpectSame(trial, "desc() == desc()", "an equal descriptor", Desc(), zero);
  trial.Expect(Same(zero, copy) && Same(zero, assigned), "a copy of desc() == desc()");
  ExpectDiffer(trial, zero, *desc, "desc() == desc(" + Text(view) + ")");
  ExpectDiffer(trial, *desc, zero, "desc(" + Text(view) + ") == desc()");
  // What a call gives that gives no descriptor, and empty dims where they are accepted (MD-023).
  const auto type = DataTypeOf(view.type);
  spec::Dims negative = view.dims;
  negative[0] = -1;
  ExpectSame(trial, "desc(dims " + Text(negative) + ", any) with allow_empty == desc()",
             "an equal descriptor", zero,
             Desc(negative, type, FormatTag::any, /*allow_empty=*/true));
  Refusal refusal;
  for (const bool strides : {false, true}) {
    const auto none = Try(
        [&] {
          return strides ? Desc(spec::Dims(), type, spec::Dims())
                         : Desc(spec::Dims(), type, FormatTag::any);
        },
        &refusal);
    if (none && none->is_zero())
      ExpectDescriptor(trial, Same(*none, zero) && Same(zero, *none), "desc({}, type) == desc()",
                       "an equal descriptor", zero, *none);
  }
}

void EmptyEquality(const PairCase& c, Trial& trial) {
  if (!c.first.IsWellFormed() || !c.second.IsWellFormed() || c.first.dims != c.second.dims ||
      !spec::IsEmpty(c.first.dims) || c.first.strides == c.second.strides) {
    return trial.Vacuous();
  }
  const auto first = Built(c.first, trial), second = Built(c.second, trial);
  if (!first || !second) return;
  trial.Record("== of empty tensors with other strides", *first == *second ? "equal" : "unequal");
}

PairCase DrawEmptyPair(int64_t index, Random& random) {
  PairCase c;
  c.first = DrawDescriptor(index, random, {});
  c.first.dims[random.Between(0, static_cast<int64_t>(c.first.dims.size()) - 1)] = 0;
  c.second = c.first;
  c.first.strides = DrawStrides(random, c.first.dims, /*gaps=*/false);
  c.second.strides = DrawStrides(random, c.first.dims, /*gaps=*/true);
  return c;
}

DescriptorOptions Everything() {
  DescriptorOptions options;
  options.empty = options.broadcast = options.loose_ones = true;
  options.far_ones = options.long_dims = true;
  options.regions = 2;
  return options;
}

const bool defined[] = {
    Define(spec::MD_038, "views", DescriptorCases(Everything()), IsZeroMeansEqualToZero,
           {"gapped", "region"}),
    Define(spec::MD_038, "any", WordlessTag("any", 12), IsZeroMeansEqualToZeroWithTags),
    Define(spec::MD_038, "undef", WordlessTag("undef", 6), IsZeroMeansEqualToZeroWithTags),
    Define(spec::MD_042, "", Cases<PairCase>{0, DrawDifference}, DifferencesCount,
           {"type", "rank", "dim", "start", "stride", "empty"}),
    Define(spec::MD_042, "far", Cases<PairCase>{0, DrawFarStart}, DifferencesCount, {"start"}),
    Define(spec::MD_042, "low-bits", Cases<PairCase>{0, DrawAlikeInLowBits}, DifferencesCount,
           {"stride", "dim", "start"}),
    Define(spec::MD_042, "order", Cases<PairCase>{0, DrawOtherOrder}, DifferencesCount, {"stride"}),
    Define(spec::MD_042, "run-time", Cases<PairCase>{0, DrawRunTimeDifference},
           RunTimeDifferencesCount,
           {"run-time dim", "run-time stride", "dim beside a run-time one",
            "stride beside a run-time one"}),
    Define(spec::MD_043, "", Cases<PairCase>{0, DrawOtherOnes}, OnesMayDiffer),
    Define(spec::MD_045, "", WordlessTag("any", 12), AnyEquality),
    Define(spec::MD_045, "empty", WordlessTag("any", 12, /*empty=*/true), AnyEquality),
    Define(spec::MD_046, "", DescriptorCases(Everything()), ZerosAreEqual),
    Define(spec::MD_048, "", Cases<PairCase>{0, DrawEmptyPair}, EmptyEquality),
};

}  // namespace
}  // namespace conformance
