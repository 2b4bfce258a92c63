#include "conformance/case/trial.h"

#include <algorithm>
#include <utility>

namespace conformance {

void Trial::Raise(CaseResult to) { result_ = std::max(result_, to); }

void Trial::Fail(std::string_view where, std::string expected, std::string got) {
  if (failed()) return;
  Raise(CaseResult::kFailed);
  where_ = where;
  expected_ = std::move(expected);
  got_ = std::move(got);
}

void Trial::Fail(std::string_view where, std::string expected, const Refusal& got) {
  if (failed()) return;
  status_ = got.status;
  Fail(where, std::move(expected), got.ToString());
}

void Trial::Denied(std::string_view where, std::string expected, const Refusal& got, Asked asked) {
  if (failed()) return;
  Fail(where, std::move(expected), got);
  if (got.IsUnsupported()) denied_ = std::move(asked);
}

void Trial::Deviate(std::string_view where, std::string expected, std::string got) {
  if (project()) return Fail(where, std::move(expected), std::move(got));
  if (result_ >= CaseResult::kDeviated) return;
  Raise(CaseResult::kDeviated);
  where_ = where;
  expected_ = std::move(expected);
  got_ = std::move(got);
}

bool Trial::Expect(bool held, std::string_view where, std::string_view expected,
                   std::string_view got) {
  if (!held) Fail(where, std::string(expected), std::string(got));
  return held;
}

void Trial::NotRun(std::string_view reason) {
  if (reason_.empty()) reason_ = reason;
  Raise(CaseResult::kNotRun);
}

void Trial::NotRun(std::string reason, const Refusal& refusal) {
  if (reason_.empty()) {
    reason_ = std::move(reason);
    words_ = refusal.ToString();
  }
  Raise(CaseResult::kNotRun);
}

bool Trial::IsRefusal(const Refusal& refusal, Legality legality) const {
  if (legality == Legality::kLegal) return refusal.IsUnsupported();
  return portable() ? refusal.is_error : refusal.IsUnsupportedOrInvalid();
}

const char* Trial::Refusable(Legality legality) const {
  if (legality == Legality::kLegal) return "created, or refused as unimplemented (status 3)";
  return portable()
             ? "created, or refused by a dnnl::error"
             : "created, or refused as unimplemented (status 3) or invalid_arguments (status 2)";
}

void Trial::Refused(const Refusal& refusal, Asked asked, Legality legality) {
  if (!IsRefusal(refusal, legality)) return Fail(asked.ToString(), Refusable(legality), refusal);
  NotRun("refused: " + asked.ToString(), refusal);
  if (!refused_) refused_ = std::move(asked);
}

void Trial::LeftOpen(const Refusal& refusal, std::string_view what) {
  if (!IsRefusal(refusal, Legality::kOpen)) return Fail(what, Refusable(Legality::kOpen), refusal);
  NotRun("refused: " + std::string(what), refusal);
}

void Trial::Vacuous() { Raise(CaseResult::kVacuous); }

void Trial::Cover(std::string_view input_class) {
  if (std::find(classes_.begin(), classes_.end(), input_class) == classes_.end())
    classes_.emplace_back(input_class);
}

void Trial::Record(std::string_view question, std::string_view answer) {
  records_.emplace_back(question, answer);
}

const char* NameOf(Profile profile) {
  return profile == Profile::kProject ? "project" : "portable";
}

const char* NameOf(EngineChoice engine) { return engine == EngineChoice::kGpu ? "gpu" : "cpu"; }

}  // namespace conformance
