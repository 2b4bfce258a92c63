// Fails a trial where the subject accepts or refuses a call that it should not.
#ifndef DNNSPEC_CONFORMANCE_SUBJECT_EXPECT_H_
#define DNNSPEC_CONFORMANCE_SUBJECT_EXPECT_H_

#include <string_view>

#include "conformance/case/trial.h"
#include "conformance/subject/attempt.h"

namespace conformance {

// Fails the trial unless `attempted` has a value. True when it has.
template <class T>
bool ExpectAccepted(Trial& trial, const Attempted<T>& attempted, std::string_view what) {
  return trial.Expect(attempted.value.has_value(), what, "accepted", attempted.refusal.ToString());
}

// Fails the trial unless `attempted` ended with a dnnl::error. True when it did.
template <class T>
bool ExpectRefused(Trial& trial, const Attempted<T>& attempted, std::string_view what) {
  return trial.Expect(!attempted.value.has_value() && attempted.refusal.is_error, what,
                      "refused by a dnnl::error",
                      attempted.value ? "accepted" : attempted.refusal.ToString());
}

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_SUBJECT_EXPECT_H_
