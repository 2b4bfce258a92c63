// Judges what became of the claims in a run: a verdict for each chapter, and for each data type and
// rank in it.
#ifndef DNNSPEC_CONFORMANCE_VERDICT_JUDGEMENT_H_
#define DNNSPEC_CONFORMANCE_VERDICT_JUDGEMENT_H_

#include <cstdint>
#include <string>
#include <vector>

#include "conformance/case/trial.h"
#include "conformance/verdict/claims.h"
#include "conformance/verdict/verdict.h"

namespace conformance {

enum class ClaimVerdict {
  kNotClaimed,
  kNotJudged,   // claimed, and nothing of it was run
  kConformant,  // the whole is claimed, and what was run holds
  kPartial,     // what was run holds, and it is not the whole: less is claimed, some of it is known
                // to fail, or time ran out
  kNonConformant,  // a failure inside the claim
};

// "conformant", "not claimed", ...
const char* NameOf(ClaimVerdict verdict);

struct Judgement {
  std::string topic;
  std::string part;  // "f32", "rank 3"; empty: the chapter
  ClaimVerdict verdict = ClaimVerdict::kNotClaimed;
  // Of a chapter, requirements: that hold, that fail, that fail as expected, that are not claimed,
  // and that were not run for another reason.
  int held = 0, failed = 0, known = 0, not_claimed = 0, not_run = 0;
  // Of a part: cases that were run, and of those failed.
  int64_t cases = 0, failed_cases = 0;
};

// Every chapter that has one of `outcomes`, in their order, followed by its parts. `narrowed`: not
// all requirements of a chapter are among them, so that none is found conformant.
std::vector<Judgement> JudgeClaims(const Claims& claims, EngineChoice engine,
                                   const std::vector<RequirementOutcome>& outcomes, bool narrowed);

// One line for each chapter, and one for each data type that fails: for a person.
std::string ClaimsText(const Claims& claims, EngineChoice engine,
                       const std::vector<Judgement>& judgements);

// Whether a requirement or property that was not run for this reason is outside the claims.
bool IsNotClaimed(std::string_view reason);

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_VERDICT_JUDGEMENT_H_
