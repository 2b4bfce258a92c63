// One property for each format tag: MD-T-<tag>.
#include <string>
#include <string_view>

#include "conformance/case/property.h"
#include "conformance/memory/cases.h"
#include "conformance/memory/descriptor_case.h"
#include "conformance/memory/descriptors.h"
#include "conformance/memory/tag_table.h"
#include "oneapi/dnnl/dnnl.hpp"
#include "spec/memory/oracle.h"
#include "spec/requirements.h"

namespace conformance {
namespace {

void TagHasItsLayout(const TagCase& c, Trial& trial) {
  const std::string word = WordOf(c.tag);
  const auto strides = spec::StridesOfTag(word, c.dims);
  if (!strides || spec::IsEmpty(c.dims)) return trial.Vacuous();
  if (!trial.Expect(FindTag(c.tag).has_value(), "format_tag::" + c.tag, "an enumerator", "none"))
    return;
  const std::string call = "desc(dims " + Text(c.dims) + ", " + c.tag + ")";
  const auto desc = Accepted(trial, call, [&] { return WithTag(c); });
  const auto by_strides = Built(DescriptorCase{c.type, c.dims, *strides, {}}, trial);
  if (!desc || !by_strides) return;
  ExpectSame(trial, call + " == by strides " + Text(*strides), "an equal descriptor", *by_strides,
             *desc);
  if (word == c.tag || !FindTag(word)) return;
  ExpectSame(trial, call + " == by " + word, "an equal descriptor", WithTag({word, c.type, c.dims}),
             *desc);
}

// An enumerator that is no other's.
bool HasEnumeratorOfItsOwn(std::string_view tag, Trial& trial) {
  const std::string name = "format_tag::" + std::string(tag);
  if (!trial.Expect(FindTag(tag).has_value(), name, "an enumerator", "none")) return false;
  for (const NamedTag& named : NamedTags()) {
    if (named.name == tag || !named.tag) continue;
    if (!trial.Expect(named.tag != FindTag(tag), name, std::string("other than ") + named.name,
                      "the same value"))
      return false;
  }
  return true;
}

void UndefIsNoLayout(const NoParameters&, Trial& trial) {
  if (!HasEnumeratorOfItsOwn("undef", trial)) return;
  for (size_t rank = 1; rank <= 12; ++rank) {
    const TagCase c{"undef", spec::Type::kF32, spec::Dims(rank, 2)};
    Refusal refusal;
    const auto desc = Try([&] { return WithTag(c); }, &refusal);
    if (!desc || (trial.portable() && desc->is_zero())) continue;
    return trial.Fail("desc(dims " + Text(c.dims) + ", undef)", "refused",
                      desc->is_zero() ? "the zero descriptor" : "a descriptor");
  }
}

void AnyIsNoLayout(const NoParameters&, Trial& trial) {
  if (!HasEnumeratorOfItsOwn("any", trial)) return;
  // Portable: ranks above 6 may be refused.
  for (size_t rank = 1; rank <= (trial.portable() ? 6 : 12); ++rank) {
    const TagCase c{"any", spec::Type::kF32, spec::Dims(rank, 2)};
    const auto any = Built(c, trial);
    if (!any) return;
    const DescriptorCase rows{c.type, c.dims, RowMajorStrides(c.dims), {}};
    if (!trial.Expect(*any != WithStrides(rows), "any == " + Text(rows), "false", "true")) return;
  }
}

bool DefineEach() {
  for (const spec::Tag& tag : spec::SeedTags()) {
    const std::string id = std::string("MD-T-") + tag.name;
    Define(*spec::FindRequirement(id.c_str()), "", OneTag(tag), TagHasItsLayout);
  }
  return true;
}

const bool defined[] = {
    Define(spec::MD_T_undef, "", UndefIsNoLayout),
    Define(spec::MD_T_any, "", AnyIsNoLayout),
    DefineEach(),
};

}  // namespace
}  // namespace conformance
