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
  trial.Expect(Same(*desc, *by_strides), call + " == by strides " + Text(*strides));
  if (word == c.tag || !FindTag(word)) return;
  trial.Expect(Same(*desc, WithTag({word, c.type, c.dims})), call + " == by " + word);
}

void UndefIsNoLayout(const NoParameters&, Trial& trial) {
  trial.Expect(FindTag("undef").has_value(), "format_tag::undef", "an enumerator", "none");
  for (const NamedTag& named : NamedTags()) {
    if (std::string_view(named.name) == "undef" || !named.tag) continue;
    trial.Expect(named.tag != FindTag("undef"), "format_tag::undef",
                 std::string("other than ") + named.name, "the same value");
  }
}

void AnyIsNoLayout(const NoParameters&, Trial& trial) {
  trial.Expect(FindTag("any").has_value(), "format_tag::any", "an enumerator", "none");
  for (const NamedTag& named : NamedTags()) {
    if (std::string_view(named.name) == "any" || !named.tag) continue;
    trial.Expect(named.tag != FindTag("any"), "format_tag::any",
                 std::string("other than ") + named.name, "the same value");
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
