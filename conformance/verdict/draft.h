// A first version of a claims file, from what a subject answered in a run without claims.
#ifndef DNNSPEC_CONFORMANCE_VERDICT_DRAFT_H_
#define DNNSPEC_CONFORMANCE_VERDICT_DRAFT_H_

#include <string>
#include <string_view>
#include <vector>

#include "conformance/case/trial.h"
#include "conformance/verdict/verdict.h"

namespace conformance {

// Claims what was answered, and not what was refused. What was answered wrongly is claimed, with a
// comment: whether it is a fault or out of scope is for the maker to say. `subject` is for the
// heading.
std::string DraftClaims(std::string_view subject, EngineChoice engine, Profile profile,
                        const std::vector<RequirementOutcome>& outcomes);

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_VERDICT_DRAFT_H_
