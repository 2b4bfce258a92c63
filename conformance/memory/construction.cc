// What the constructors accept, and what a descriptor is right afterwards; strides and run-time
// wildcards have files of their own.
#include <algorithm>
#include <climits>
#include <cstdint>
#include <type_traits>

#include "conformance/case/property.h"
#include "conformance/memory/cases.h"
#include "conformance/memory/descriptor_case.h"
#include "conformance/memory/descriptors.h"
#include "conformance/subject/descriptor_text.h"
#include "oneapi/dnnl/dnnl.hpp"
#include "spec/requirements.h"

namespace conformance {
namespace {

using DataType = dnnl::memory::data_type;

// The three ways to make a descriptor from dims.
enum class Form { kStrides, kAny, kTag };

std::vector<Form> FormsOf(const DescriptorCase& view) {
  if (view.dims.empty() || view.dims.size() > 6) return {Form::kStrides, Form::kAny};
  return {Form::kStrides, Form::kAny, Form::kTag};
}

Desc Make(Form form, const DescriptorCase& view, DataType type) {
  switch (form) {
    case Form::kStrides:
      return Desc(view.dims, type, view.strides);
    case Form::kAny:
      return Desc(view.dims, type, FormatTag::any);
    case Form::kTag:
      break;
  }
  return Desc(view.dims, type, RowMajorTag(view.dims.size()));
}

Desc Make(Form form, const DescriptorCase& view) { return Make(form, view, DataTypeOf(view.type)); }

std::string Call(Form form, const DescriptorCase& view) {
  switch (form) {
    case Form::kStrides:
      return "desc(" + Text(view) + ")";
    case Form::kAny:
      return "desc(dims " + Text(view.dims) + ", any)";
    case Form::kTag:
      break;
  }
  return "desc(dims " + Text(view.dims) + ", row-major tag)";
}

const char* NameOf(Form form) {
  return form == Form::kStrides ? "strides" : form == Form::kAny ? "any" : "tag";
}

void DimIsInt64(const NoParameters&, Trial& trial) {
  trial.Expect(std::is_same_v<dnnl::memory::dim, int64_t>, "memory::dim", "int64_t", "another");
  trial.Expect(std::is_same_v<dnnl::memory::dims, std::vector<int64_t>>, "memory::dims",
               "std::vector<int64_t>", "another");
}

void DefaultIsZero(const NoParameters&, Trial& trial) {
  const Desc zero;
  trial.Expect(zero.is_zero(), "desc().is_zero()");
  trial.Expect(zero.dims().empty(), "desc().dims()", "{}", Text(zero.dims()));
  ExpectType(trial, "desc().data_type()", DataType::undef, zero.data_type());
  trial.Expect(zero.get_size() == 0, "desc().get_size()", "0", std::to_string(zero.get_size()));
}

void DimsKeepTheirOrder(const DescriptorCase& view, Trial& trial) {
  const auto desc = Built(view, trial);
  if (!desc) return;
  SeeLayout(view, trial);
  trial.Expect(desc->dims() == view.dims, "dims()", Text(view.dims), Text(desc->dims()));
}

void DimsKeepTheirOrderWithTags(const TagCase& c, Trial& trial) {
  const auto desc = Built(c, trial);
  if (!desc) return;
  trial.Expect(desc->dims() == c.dims, "dims()", Text(c.dims), Text(desc->dims()));
}

DescriptorCase DrawNegativeDim(int64_t index, Random& random) {
  DescriptorOptions options;
  options.empty = true;
  DescriptorCase view = DrawDescriptor(index, random, options);
  const auto rank = static_cast<int64_t>(view.dims.size());
  const int64_t at = random.Between(0, rank - 1);
  view.dims[at] = random.Pick({int64_t{-1}, int64_t{-2}, -(int64_t{1} << 32), -(int64_t{1} << 62),
                               INT64_MIN + 1, random.Between(-1000, -1)});
  if (rank > 1 && random.Chance(30))
    view.dims[(at + random.Between(1, rank - 1)) % rank] = random.Between(-5, -1);
  return view;
}

void NegativeDimsAreRefused(const DescriptorCase& view, Trial& trial) {
  DescriptorCase neighbour = view;
  for (int64_t& dim : neighbour.dims)
    if (dim < 0) dim = 1;
  if (neighbour.dims == view.dims || view.HasWildcard() ||
      neighbour.Verdict(trial.profile()) != spec::Validity::kMustAccept) {
    return trial.Vacuous();
  }
  if (!RankIsOffered(trial, view.dims.size())) return;
  if (spec::IsEmpty(view.dims)) trial.Cover("beside a dim of 0");
  const auto negative = [](int64_t dim) { return dim < 0; };
  if (std::count_if(view.dims.begin(), view.dims.end(), negative) == 2) trial.Cover("two of them");
  for (Form form : FormsOf(view)) {
    trial.Cover(NameOf(form));
    if (!Accepted(trial, Call(form, neighbour), [&] { return Make(form, neighbour); })) return;
    if (!Refused(trial, Call(form, view), [&] { return Make(form, view); })) return;
  }
}

// Whether dense strides of any order fit.
bool StridesFit(const spec::Dims& dims) {
  int64_t product = 1;
  for (const int64_t dim : dims)
    if (__builtin_mul_overflow(product, std::max<int64_t>(1, dim), &product)) return false;
  return true;
}

void EmptyTagsAreAccepted(const TagCase& c, Trial& trial) {
  if (!FindTag(c.tag) || !spec::IsEmpty(c.dims)) return trial.Vacuous();
  Accepted(trial, "desc(dims " + Text(c.dims) + ", " + c.tag + ")", [&] { return WithTag(c); });
  // There is no element, and so nothing that would lie at such a stride.
  if (!StridesFit(c.dims)) return trial.Cover("strides beyond 64 bits");
  const auto strides = spec::StridesOfTag(WordOf(c.tag), c.dims);
  if (!strides) return trial.Vacuous();
  const DescriptorCase dense{c.type, c.dims, *strides, {}};
  Accepted(trial, Call(Form::kStrides, dense), [&] { return WithStrides(dense); });
}

// Every tag with dims of 0; in half of the cases beside dims of any magnitude.
Cases<TagCase> EmptyAndLong() {
  const Cases<TagCase> all = AnyTag(/*empty=*/true);
  return {0, [all](int64_t index, Random& random) {
            TagCase c = all.at(index, random);
            if (random.Chance(50)) return c;
            for (int64_t& dim : c.dims)
              if (dim > 0 && random.Chance(70)) dim = int64_t{1} << random.Between(0, 62);
            return c;
          }};
}

void EmptyIsNotZero(const TagCase& c, Trial& trial) {
  if (!spec::IsEmpty(c.dims)) return trial.Vacuous();
  const auto desc = Built(c, trial);
  if (!desc) return;
  const auto is_a_tensor = [&](const Desc& empty, const std::string& how) {
    return trial.Expect(!empty.is_zero(), how + ".is_zero()", "false", "true") &&
           trial.Expect(empty.dims() == c.dims, how + ".dims()", Text(c.dims), Text(empty.dims()));
  };
  if (!is_a_tensor(*desc, "desc(dims " + Text(c.dims) + ", " + c.tag + ")")) return;
  const DescriptorCase rows{c.type, c.dims, RowMajorStrides(c.dims), {}};
  for (const Form form : {Form::kStrides, Form::kAny}) {
    Refusal refusal;
    const auto other = Try([&] { return Make(form, rows); }, &refusal);
    if (other && !is_a_tensor(*other, Call(form, rows))) return;
  }
}

void EveryTypeIsAccepted(const DescriptorCase& view, Trial& trial) {
  if (view.Verdict(trial.profile()) != spec::Validity::kMustAccept) return trial.Vacuous();
  if (!RankIsOffered(trial, view.dims.size())) return;
  trial.Cover(spec::NameOf(view.type));
  for (Form form : FormsOf(view)) {
    const auto desc = Accepted(trial, Call(form, view), [&] { return Make(form, view); });
    if (!desc) return;
    ExpectType(trial, "data_type()", DataTypeOf(view.type), desc->data_type());
  }
}

void UndefTypeIsRefused(const DescriptorCase& view, Trial& trial) {
  if (view.Verdict(trial.profile()) != spec::Validity::kMustAccept) return trial.Vacuous();
  if (!RankIsOffered(trial, view.dims.size())) return;
  for (Form form : FormsOf(view)) {
    trial.Cover(NameOf(form));
    if (!Accepted(trial, Call(form, view), [&] { return Make(form, view); })) return;
    if (!Refused(trial, Call(form, view) + " of data_type::undef",
                 [&] { return Make(form, view, DataType::undef); })) {
      return;
    }
  }
}

void AnyHasNoLayout(const TagCase& c, Trial& trial) {
  const auto any = Built(c, trial);
  if (!any) return;
  trial.Cover("rank " + std::to_string(c.dims.size()));
  if (spec::IsEmpty(c.dims)) trial.Cover("empty");
  trial.Expect(any->dims() == c.dims, "dims()", Text(c.dims), Text(any->dims()));
  ExpectType(trial, "data_type()", DataTypeOf(c.type), any->data_type());
  for (const spec::Tag& plain : spec::SeedTags()) {
    if (std::string_view(plain.word).size() != c.dims.size() || !FindTag(plain.name)) continue;
    const Desc desc = WithTag({plain.name, c.type, c.dims});
    if (!trial.Expect(!Same(*any, desc) && *any != desc, std::string("any == ") + plain.name,
                      "false", "true")) {
      return;
    }
  }
  const DescriptorCase rows{c.type, c.dims, RowMajorStrides(c.dims), {}};
  trial.Expect(*any != WithStrides(rows), "any == " + Text(rows), "false", "true");
}

void UndefTag(const TagCase& c, Trial& trial) {
  Refusal refusal;
  const auto desc = Try([&] { return WithTag(c); }, &refusal);
  trial.Record("tag undef with dims", !desc ? "refused" : desc->is_zero() ? "zero" : "accepted");
  if (!desc || (trial.portable() && desc->is_zero())) return;
  trial.Fail("desc(dims " + Text(c.dims) + ", undef)", "refused",
             desc->is_zero() ? "the zero descriptor" : "a descriptor");
}

void EmptyDims(const NoParameters&, Trial& trial) {
  const auto answer = [&](const char* form, auto make) {
    Refusal refusal;
    const auto desc = Try(make, &refusal);
    trial.Record(std::string("empty dims, ") + form, !desc             ? "refused"
                                                     : desc->is_zero() ? "zero"
                                                                       : "accepted");
    if (desc)
      return trial.Expect(desc->is_zero(), form, "zero or refused",
                          "another (" + TextOf(*desc) + ")");
    return trial.Expect(trial.portable(), form, "the zero descriptor", refusal.ToString());
  };
  const spec::Dims none;
  answer("strides", [&] { return Desc(none, DataType::f32, none); });
  answer("any", [&] { return Desc(none, DataType::f32, FormatTag::any); });
  answer("undef", [&] { return Desc(none, DataType::f32, FormatTag::undef); });
  answer("a", [&] { return Desc(none, DataType::f32, FormatTag::a); });
}

// Beyond `limit` nothing of this form has so many dims: not where one is 0 or unknown, and not by a
// reshape. Some numbers of dims are small ones in eight bits.
void NothingIsBeyond(int limit, Form form, Trial& trial) {
  for (const int rank : {limit + 1, limit + 5, 64, 256 + 1, 256 + limit, 1024}) {
    for (const int64_t first : {int64_t{1}, int64_t{0}, spec::kRunTimeDim}) {
      DescriptorCase view{spec::Type::kF32, spec::Dims(rank, 1), spec::Dims(rank, 1), {}};
      view.dims[0] = first;
      const std::string call = std::string(NameOf(form)) + " with " + std::to_string(rank) +
                               " dims, the first " + std::to_string(first);
      if (!Refused(trial, call, [&] { return Make(form, view); })) return;
    }
  }
  const DescriptorCase most{spec::Type::kF32, spec::Dims(limit, 1), spec::Dims(limit, 1), {}};
  const spec::Dims more(limit + 1, 1);
  const Desc from = Make(form, most);
  Refused(trial, Call(form, most) + ".reshape(" + Text(more) + ")",
          [&] { return from.reshape(more); });
}

// Ones, so that no other limit is in the way.
void RankLimit(const NoParameters&, Trial& trial) {
  constexpr int kLeast = 6, kOurs = 12, kTried = 16;
  for (Form form : {Form::kStrides, Form::kAny}) {
    int limit = 0;
    for (int rank = 1; rank <= kTried; ++rank) {
      const DescriptorCase ones{spec::Type::kF32, spec::Dims(rank, 1), spec::Dims(rank, 1), {}};
      Refusal refusal;
      if (!Try([&] { return Make(form, ones); }, &refusal)) continue;
      if (!trial.Expect(limit == rank - 1, Call(form, ones), "refused like the rank below it",
                        "accepted")) {
        return;
      }
      limit = rank;
    }
    trial.Record(std::string("rank limit, ") + NameOf(form),
                 limit == kTried ? "16 or more" : std::to_string(limit));
    trial.Expect(limit >= kLeast, std::string("rank limit, ") + NameOf(form), "6 or more",
                 std::to_string(limit));
    if (trial.project()) {
      trial.Expect(limit == kOurs, std::string("rank limit, ") + NameOf(form), "12",
                   std::to_string(limit));
    }
    if (!trial.failed() && limit < kTried) NothingIsBeyond(limit, form, trial);
  }
}

void HighRanksAreOffered(const DescriptorCase& view, Trial& trial) {
  if (view.dims.size() < 7 || view.Verdict(trial.profile()) != spec::Validity::kMustAccept)
    return trial.Vacuous();
  if (!RankIsOffered(trial, view.dims.size())) return;
  SeeLayout(view, trial);
  for (Form form : {Form::kStrides, Form::kAny}) {
    const auto desc = Accepted(trial, Call(form, view), [&] { return Make(form, view); });
    if (!desc) return;
    trial.Expect(desc->dims() == view.dims, "dims()", Text(view.dims), Text(desc->dims()));
  }
}

void DimsIsACopy(const DescriptorCase& view, Trial& trial) {
  const auto desc = Built(view, trial);
  if (!desc) return;
  spec::Dims copy = desc->dims();
  copy.assign(copy.size() + 1, 77);
  SeeLayout(view, trial);
  const spec::Dims& dims = view.FinalDims();
  trial.Expect(desc->dims() == dims, "dims() after a change of its copy", Text(dims),
               Text(desc->dims()));
  ExpectType(trial, "data_type()", DataTypeOf(view.type), desc->data_type());
  const auto alike = Built(view, trial);
  if (alike) ExpectSame(trial, "==", "equal to a descriptor made alike", *alike, *desc);
}

DescriptorOptions Everything() {
  DescriptorOptions options;
  options.empty = options.broadcast = options.loose_ones = true;
  options.far_ones = options.long_dims = true;
  return options;
}

DescriptorOptions EverythingAndRegions() {
  DescriptorOptions options = Everything();
  options.regions = 2;
  return options;
}

DescriptorOptions PlainOrEmpty() {
  DescriptorOptions options;
  options.empty = options.long_dims = true;
  return options;
}

DescriptorOptions HighRanks() {
  DescriptorOptions options;
  options.min_rank = 7;
  options.long_dims = true;
  return options;
}

const bool defined[] = {
    Define(spec::MD_001, "", DimIsInt64),
    Define(spec::MD_002, "", DefaultIsZero),
    Define(spec::MD_009, "strides", DescriptorCases(Everything()), DimsKeepTheirOrder,
           {"rank 12", "permuted", "gapped", "ones"}),
    Define(spec::MD_009, "tags", AnyTag(/*empty=*/false), DimsKeepTheirOrderWithTags),
    Define(spec::MD_012, "", Cases<DescriptorCase>{0, DrawNegativeDim}, NegativeDimsAreRefused,
           {"strides", "any", "tag", "two of them"}),
    Define(spec::MD_017, "", EmptyAndLong(), EmptyTagsAreAccepted, {"strides beyond 64 bits"}),
    Define(spec::MD_018, "", AnyTag(/*empty=*/true), EmptyIsNotZero),
    Define(spec::MD_019, "", DescriptorCases(PlainOrEmpty()), EveryTypeIsAccepted,
           {"f16", "bf16", "f32", "s32", "s8", "u8"}),
    Define(spec::MD_020, "", DescriptorCases(PlainOrEmpty()), UndefTypeIsRefused,
           {"strides", "any", "tag"}),
    Define(spec::MD_021, "", WordlessTag("any", 12), AnyHasNoLayout, {"rank 1", "rank 6"}),
    Define(spec::MD_021, "empty", WordlessTag("any", 12, /*empty=*/true), AnyHasNoLayout,
           {"empty", "rank 1", "rank 6"}),
    Define(spec::MD_022, "", WordlessTag("undef", 6), UndefTag),
    Define(spec::MD_023, "", EmptyDims),
    Define(spec::MD_024, "", RankLimit),
    Define(spec::MD_025, "", DescriptorCases(HighRanks()), HighRanksAreOffered, {"rank 7"}),
    Define(spec::MD_039, "", DescriptorCases(EverythingAndRegions()), DimsIsACopy,
           {"region", "empty", "broadcast"}),
};

}  // namespace
}  // namespace conformance
