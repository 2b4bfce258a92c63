// What a subject answered where there is no result: a dnnl::error, or something worse.
#ifndef DNNSPEC_CONFORMANCE_CASE_REFUSAL_H_
#define DNNSPEC_CONFORMANCE_CASE_REFUSAL_H_

#include <string>

namespace conformance {

struct Refusal {
  // Values as in dnnl_status_t; kNone where the subject's dnnl::error has no status. There may be
  // others in `status`, also some that are none of dnnl_status_t.
  enum Status { kNone = -1, kOutOfMemory = 1, kInvalidArguments = 2, kUnimplemented = 3 };

  bool is_error = false;  // a dnnl::error; anything else is a fault of the subject
  int status = kNone;
  std::string text;  // what() or the type that was thrown

  // "dnnl::error (status 3): could not create ...".
  std::string ToString() const;
  // False for a status that says something else; true where there is no status.
  bool MayBe(Status wanted) const { return status == kNone || status == wanted; }

  // An answer to a legal request that is not served (spec/reading.md, "Unsupported is not wrong").
  bool IsUnsupported() const { return is_error && MayBe(kUnimplemented); }
  // An answer to a request of which the documents leave open whether it is legal, by its status.
  // That something failed on the way is neither.
  bool IsUnsupportedOrInvalid() const {
    return IsUnsupported() || (is_error && MayBe(kInvalidArguments));
  }
};

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_CASE_REFUSAL_H_
