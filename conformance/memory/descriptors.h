// Makes the descriptors that cases describe, and checks whether they are made at all.
#ifndef DNNSPEC_CONFORMANCE_MEMORY_DESCRIPTORS_H_
#define DNNSPEC_CONFORMANCE_MEMORY_DESCRIPTORS_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/case/refusal.h"
#include "conformance/case/trial.h"
#include "conformance/memory/cases.h"
#include "conformance/memory/descriptor_case.h"
#include "conformance/memory/tag_table.h"
#include "conformance/subject/attempt.h"
#include "conformance/subject/tensor.h"
#include "oneapi/dnnl/dnnl.hpp"
#include "spec/memory/oracle.h"
#include "spec/numeric/convert.h"

namespace conformance {

using Desc = dnnl::memory::desc;
using FormatTag = dnnl::memory::format_tag;

// The tag whose word is the first `rank` letters in order; 1 <= rank <= 6.
FormatTag RowMajorTag(size_t rank);

// The result of `make`, or nullopt when it threw dnnl::error, whose text then goes to *refusal.
// Any other exception goes on its way, and fails the case.
template <class Make>
auto Try(Make make, Refusal* refusal) -> std::optional<decltype(make())> {
  try {
    return make();
  } catch (const dnnl::error&) {
    *refusal = CaughtRefusal();
    return std::nullopt;
  }
}

// The result of a call that must succeed; a refusal fails the case.
template <class Make>
auto Accepted(Trial& trial, std::string_view call, Make make) -> std::optional<decltype(make())> {
  Refusal refusal;
  auto made = Try(make, &refusal);
  if (!made) trial.Fail(call, "accepted", refusal);
  return made;
}

// True if a call that must be refused is refused; otherwise the case has failed.
template <class Make>
bool Refused(Trial& trial, std::string_view call, Make make) {
  Refusal refusal;
  return trial.Expect(!Try(make, &refusal), call, "refused", "accepted");
}

template <class Make>
bool IsRefused(Make make) {
  Refusal refusal;
  return !Try(make, &refusal);
}

// The constructor calls themselves: for legal and illegal arguments.
Desc WithStrides(const DescriptorCase& view);  // regions are ignored
Desc WithTag(const TagCase& c);                // "any" and "undef" too; the header has the tag
Desc SubmemoryOf(const Desc& parent, const Region& region);

// The descriptor of a view for a check that only starts from it. nullopt, with the case marked,
// when the view must be refused or has run-time values (vacuous), or is refused (not run: whether
// it may be is another requirement's business).
std::optional<Desc> Built(const DescriptorCase& view, Trial& trial);

// The same for a tag: not run when the header lacks it or it is refused.
std::optional<Desc> Built(const TagCase& c, Trial& trial);

// The result of a call on a descriptor with run-time values, which must be refused (project) or may
// be (portable: the documents do not speak of it, the answer is recorded).
template <class Make>
auto AnsweredAtRunTime(Trial& trial, const std::string& call, Make make)
    -> std::optional<decltype(make())> {
  Refusal refusal;
  auto made = Try(make, &refusal);
  if (trial.project()) {
    trial.Expect(!made, call, "refused", "accepted");
    return std::nullopt;
  }
  trial.Record(call.substr(0, call.find('(')), made ? "accepted" : "refused");
  return made;
}

// Fails unless `desc`, which `call` gave, has the dims, the type and, as far as the subject
// compares such descriptors at all, the layout of `expected`, which has run-time values.
void KeepsMapping(const Desc& desc, const DescriptorCase& expected, const std::string& call,
                  Trial& trial);

// Whether two descriptors compare equal, by both operators.
bool Same(const Desc& a, const Desc& b);

// Fails the trial unless they do: ExpectDescriptor of descriptor_text.h. True when they do.
bool ExpectSame(Trial& trial, std::string_view where, std::string_view what, const Desc& expected,
                const Desc& got);

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_MEMORY_DESCRIPTORS_H_
