// Fails a trial where the subject accepts or refuses a call that it should not.
#ifndef DNNSPEC_CONFORMANCE_SUBJECT_EXPECT_H_
#define DNNSPEC_CONFORMANCE_SUBJECT_EXPECT_H_

#include <string_view>
#include <utility>

#include "conformance/case/asked.h"
#include "conformance/case/refusal.h"
#include "conformance/case/trial.h"
#include "conformance/subject/attempt.h"

namespace conformance {

// Fails the trial unless `attempted` has a value. True when it has.
template <class T>
bool ExpectAccepted(Trial& trial, const Attempted<T>& attempted, std::string_view what) {
  if (!attempted.value) trial.Fail(what, "accepted", attempted.refusal);
  return attempted.value.has_value();
}

// The same of a primitive that every subject offers which claims it: Trial::Denied.
template <class T>
bool ExpectOffered(Trial& trial, const Attempted<T>& attempted, std::string_view what,
                   Asked asked) {
  if (!attempted.value) trial.Denied(what, "accepted", attempted.refusal, std::move(asked));
  return attempted.value.has_value();
}

// Fails the trial unless `attempted` ended with a dnnl::error. True when it did.
template <class T>
bool ExpectRefused(Trial& trial, const Attempted<T>& attempted, std::string_view what) {
  return trial.Expect(!attempted.value.has_value() && attempted.refusal.is_error, what,
                      "refused by a dnnl::error",
                      attempted.value ? "accepted" : attempted.refusal.ToString());
}

// Fails the trial unless the answer is a refusal (Trial::IsRefusal) of what need not be offered.
// True when it is.
inline bool ExpectRefusal(Trial& trial, const Refusal& refusal, std::string_view what,
                          Legality legality) {
  const bool held = trial.IsRefusal(refusal, legality);
  if (!held) trial.Fail(what, trial.Refusable(legality), refusal);
  return held;
}

// Of a request that is legal.
inline bool ExpectUnsupported(Trial& trial, const Refusal& refusal, std::string_view what) {
  return ExpectRefusal(trial, refusal, what, Legality::kLegal);
}

// Of one of which the documents leave open whether it is.
inline bool ExpectLeftOpen(Trial& trial, const Refusal& refusal, std::string_view what) {
  return ExpectRefusal(trial, refusal, what, Legality::kOpen);
}

// How zero points are refused that nobody serves, the portable profile leaves open.
inline Legality LegalityOfZeroPoints(bool present, const Trial& trial) {
  return present && trial.portable() ? Legality::kOpen : Legality::kLegal;
}

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_SUBJECT_EXPECT_H_
