// Fails a trial where the subject accepts or refuses a call that it should not.
#ifndef DNNSPEC_CONFORMANCE_SUBJECT_EXPECT_H_
#define DNNSPEC_CONFORMANCE_SUBJECT_EXPECT_H_

#include <string_view>

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

// Fails the trial unless `attempted` ended with a dnnl::error. True when it did.
template <class T>
bool ExpectRefused(Trial& trial, const Attempted<T>& attempted, std::string_view what) {
  return trial.Expect(!attempted.value.has_value() && attempted.refusal.is_error, what,
                      "refused by a dnnl::error",
                      attempted.value ? "accepted" : attempted.refusal.ToString());
}

// Fails the trial unless the refusal of what need not be offered says that it is unimplemented.
// True when it does.
inline bool ExpectUnsupported(Trial& trial, const Refusal& refusal, std::string_view what) {
  if (!refusal.IsUnsupported())
    trial.Fail(what, "accepted, or refused as unimplemented (status 3)", refusal);
  return refusal.IsUnsupported();
}

// The same of what the documents leave open: it may also be called invalid.
inline bool ExpectUnsupportedOrInvalid(Trial& trial, const Refusal& refusal,
                                       std::string_view what) {
  const bool held = refusal.IsUnsupportedOrInvalid();
  if (!held)
    trial.Fail(what,
               "accepted, or refused as unimplemented (status 3) or invalid_arguments (status 2)",
               refusal);
  return held;
}

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_SUBJECT_EXPECT_H_
