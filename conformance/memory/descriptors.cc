#include "conformance/memory/descriptors.h"

#include <algorithm>

#include "conformance/subject/descriptor_text.h"

namespace conformance {
FormatTag RowMajorTag(size_t rank) {
  constexpr FormatTag kTags[] = {FormatTag::a,    FormatTag::ab,    FormatTag::abc,
                                 FormatTag::abcd, FormatTag::abcde, FormatTag::abcdef};
  return kTags[std::min<size_t>(rank, 6) - 1];
}

Desc WithStrides(const DescriptorCase& view) {
  return Desc(view.dims, DataTypeOf(view.type), view.strides);
}

Desc WithTag(const TagCase& c) { return Desc(c.dims, DataTypeOf(c.type), *FindTag(c.tag)); }

Desc SubmemoryOf(const Desc& parent, const Region& region) {
  return parent.submemory_desc(region.dims, region.offsets);
}

std::optional<Desc> Built(const DescriptorCase& view, Trial& trial) {
  if (view.HasWildcard() || view.Verdict(trial.profile()) == spec::Validity::kMustReject) {
    trial.Vacuous();
    return std::nullopt;
  }
  Refusal refusal;
  auto made = Try(
      [&] {
        Desc desc = WithStrides(view);
        for (const Region& region : view.regions) desc = SubmemoryOf(desc, region);
        return desc;
      },
      &refusal);
  if (made) return made;
  // Beyond a limit of the subject (MD-024) too, the class was drawn.
  if (trial.portable() && view.dims.size() > 6)
    trial.Cover("rank " + std::to_string(view.dims.size()));
  trial.LeftOpen(refusal, "the descriptor");
  return std::nullopt;
}

std::optional<Desc> Built(const TagCase& c, Trial& trial) {
  if (!FindTag(c.tag)) {
    trial.NotRun("the header has no tag " + c.tag);
    return std::nullopt;
  }
  Refusal refusal;
  auto made = Try([&] { return WithTag(c); }, &refusal);
  if (!made) trial.LeftOpen(refusal, "the descriptor");
  return made;
}

void KeepsMapping(const Desc& desc, const DescriptorCase& expected, const std::string& call,
                  Trial& trial) {
  trial.Expect(desc.dims() == expected.dims, call + ".dims()", Text(expected.dims),
               Text(desc.dims()));
  ExpectType(trial, call + ".data_type()", DataTypeOf(expected.type), desc.data_type());
  const auto is_free = [](int64_t dim) { return dim == 0 || dim == 1; };  // MD-048, MD-043
  if (trial.failed() || std::any_of(expected.dims.begin(), expected.dims.end(), is_free)) return;
  Refusal refusal;
  const auto made = Try([&] { return WithStrides(expected); }, &refusal);
  const auto again = Try([&] { return WithStrides(expected); }, &refusal);
  if (!made || !again || !Same(*made, *again)) return;
  ExpectSame(trial, call + " == desc(" + Text(expected) + ")", "an equal descriptor", *made, desc);
}

bool Same(const Desc& a, const Desc& b) { return a == b && !(a != b); }

bool ExpectSame(Trial& trial, std::string_view where, std::string_view what, const Desc& expected,
                const Desc& got) {
  return ExpectDescriptor(trial, Same(got, expected), where, what, expected, got);
}

}  // namespace conformance
