// Failures that are known: data, in a text file, not code.
//
//   # subject  version  name       link                        expires     reason
//   onednn     2.6.*    REO-021    conformance/findings/12.md  2027-01-31  s32 maximum is one ulp
//   low
//
// One a line, columns separated by blanks; '#' begins a comment line.
//   subject  name of a subject, as in reports
//   version  of the subject: exact, or a beginning followed by '*'
//   name     a requirement (some property of it fails) or one property, "ID/variant"; with '?' at
//            its end where it fails in some runs only, as faults do that depend on addresses; then
//            a run that judges some of its cases, but too few for a verdict, is enough
//   isa<NAME or isa>=NAME: not a column; after the name, where the instruction set that the
//            subject uses decides: the entry is there for these only (isa.h has the names)
//   link     where more is told: a path or an address
//   expires  YYYY-MM-DD, the last day on which the entry counts; or "never", for a version that is
//            out and does not change (so not with '*')
//   reason   the rest of the line
// What is expected to fail is still run. When it passes, that is an unexpected pass, and red.
#ifndef DNNSPEC_CONFORMANCE_VERDICT_EXPECTATIONS_H_
#define DNNSPEC_CONFORMANCE_VERDICT_EXPECTATIONS_H_

#include <string>
#include <string_view>
#include <vector>

#include "conformance/case/isa.h"
#include "conformance/case/property.h"

namespace conformance {

struct Expectation {
  std::string subject, version, name, link, expires, reason;
  std::string place;       // "FILE:LINE"
  bool sometimes = false;  // a pass is as good
  IsaRange isa;            // the instruction sets of the subject that it counts for

  bool IsFor(std::string_view a_subject, std::string_view a_version) const;
  // `today` is YYYY-MM-DD.
  bool Expired(std::string_view today) const { return expires != "never" && today > expires; }
  bool Matches(const Property& property) const;
};

struct Expectations {
  std::vector<Expectation> entries;
  std::string error;  // "FILE:LINE: what is wrong"; then entries mean nothing
};

// `file` is for messages. A name is one of `properties`, or a requirement, of which a property may
// be elsewhere. `before` are the entries of other files, to which those of this one are added.
Expectations ParseExpectations(std::string_view text, std::string_view file,
                               const std::vector<const Property*>& properties,
                               std::vector<Expectation> before = {});

// Those of `entries` that count for a subject that uses `isa`.
std::vector<Expectation> OnesFor(Isa isa, std::vector<Expectation> entries);

// Whether any entry names `subject`, in whatever version.
bool AnyFor(const std::vector<Expectation>& entries, std::string_view subject);

// Entries for `subject` that are all for other versions than this one say nothing: what is wrong
// with that, or "". A file may hold several versions of a subject, and several subjects.
std::string OtherVersionsOnly(const std::vector<Expectation>& entries, std::string_view subject,
                              std::string_view version);

// Today, as YYYY-MM-DD in UTC.
std::string Today();

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_VERDICT_EXPECTATIONS_H_
