// A Trial takes what the check of one case reports.
#ifndef DNNSPEC_CONFORMANCE_CASE_TRIAL_H_
#define DNNSPEC_CONFORMANCE_CASE_TRIAL_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/case/asked.h"
#include "conformance/case/refusal.h"

namespace conformance {

// portable: accepts all that the documents allow. project: also pins every reading of
// spec/decisions of the catalogue (spec/decisions).
enum class Profile { kPortable, kProject };

// Whether the documents say that a request is legal, or leave that open.
enum class Legality { kLegal, kOpen };

// The engine that primitives are checked on.
enum class EngineChoice { kCpu, kGpu };

// "portable", "project"; "cpu", "gpu".
const char* NameOf(Profile profile);
const char* NameOf(EngineChoice engine);

// How a case ended. Later ones win when a check reports several.
enum class CaseResult {
  kHeld,      // the requirement held
  kVacuous,   // it held, and an implementation that does nothing of interest would pass too
  kNotRun,    // the subject may refuse this and did, or a resource is missing; reason() says which
  kDeviated,  // a SHOULD was not met in the portable profile
  kFailed,
};

// A check receives one Trial, and reports at most a failure to it; an exception that leaves the
// check is a failure too. Not thread-safe.
class Trial {
 public:
  Trial(Profile profile, EngineChoice engine) : profile_(profile), engine_(engine) {}

  Profile profile() const { return profile_; }
  bool project() const { return profile_ == Profile::kProject; }
  bool portable() const { return profile_ == Profile::kPortable; }
  EngineChoice engine() const { return engine_; }

  // Reports a failure. Only the first one of a case is kept. `where` says what was compared:
  // an element ("dst[1,0,2]"), an argument, a call.
  void Fail(std::string_view where, std::string expected, std::string got);
  // The same for what the subject did not give. Its status is kept, for drafts of claims.
  void Fail(std::string_view where, std::string expected, const Refusal& got);

  // As Fail, for a primitive that every subject offers which has it at all. Of one that is outside
  // of what the subject claims the case is not run.
  void Denied(std::string_view where, std::string expected, const Refusal& got, Asked asked);

  // As Fail, for a SHOULD that is a warning in the portable profile and a failure in project.
  void Deviate(std::string_view where, std::string expected, std::string got);

  // Fails unless `held`. True when it held, so that a check can return early.
  bool Expect(bool held, std::string_view where, std::string_view expected = "true",
              std::string_view got = "false");

  // The subject refused something that it may refuse, or something needed is missing: the case does
  // not count, and its reason is listed under not_run.
  void NotRun(std::string_view reason);

  // NotRun, because the subject refused a primitive that the documents do not oblige it to offer;
  // inside a claim that is a failure. The case fails if the answer is no refusal: see IsRefusal.
  void Refused(const Refusal& refusal, Asked asked, Legality legality = Legality::kLegal);

  // NotRun, inside a claim too, because the subject refused `what`: the documents leave open
  // whether it is legal, or they oblige nobody to offer it. As Refused for what is no refusal.
  void LeftOpen(const Refusal& refusal, std::string_view what);

  // Whether an answer is a refusal (spec/reading.md, "Unsupported is not wrong"): a dnnl::error
  // that says `unimplemented`. A request of which it is open whether it is legal may also be called
  // invalid, which is told by any status in the portable profile.
  bool IsRefusal(const Refusal& refusal, Legality legality) const;
  // What is expected of such a request: "created, or refused as ...".
  const char* Refusable(Legality legality) const;

  // An identity copy, or a subject that does nothing, would pass as well: does not count.
  void Vacuous();

  // This case is of the named class of input ("rank 7", "empty", "gapped", "group 1").
  // A property names the classes that it must see (Define in property.h).
  void Cover(std::string_view input_class);

  // An answer that a MAY leaves open, to be recorded in the report ("accepts", "refuses").
  void Record(std::string_view question, std::string_view answer);

  CaseResult result() const { return result_; }
  bool failed() const { return result_ == CaseResult::kFailed; }
  const std::string& where() const { return where_; }
  const std::string& expected() const { return expected_; }
  const std::string& got() const { return got_; }
  // The status of the refusal that the failure tells; else Refusal::kNone.
  int status() const { return status_; }
  // Why it was not run, with words() at its end.
  std::string reason() const { return words_.empty() ? reason_ : reason_ + ": " + words_; }
  // The same without, so that cases with one reason can be counted; and what the subject said.
  const std::string& bare_reason() const { return reason_; }
  const std::string& words() const { return words_; }
  // What was refused, if Refused() was called.
  const std::optional<Asked>& refused() const { return refused_; }
  // What the failure says was refused, if Denied() failed the case.
  const std::optional<Asked>& denied() const { return denied_; }
  const std::vector<std::string>& classes() const { return classes_; }
  const std::vector<std::pair<std::string, std::string>>& records() const { return records_; }

 private:
  void Raise(CaseResult to);
  void NotRun(std::string reason, const Refusal& refusal);

  Profile profile_;
  EngineChoice engine_;
  CaseResult result_ = CaseResult::kHeld;
  std::string where_, expected_, got_, reason_, words_;
  int status_ = Refusal::kNone;
  std::optional<Asked> refused_, denied_;
  std::vector<std::string> classes_;
  std::vector<std::pair<std::string, std::string>> records_;
};

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_CASE_TRIAL_H_
