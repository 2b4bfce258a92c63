// From a status inside to an exception outside: the one place where api throws.
#ifndef DNNSPEC_API_MODEL_RAISE_H_
#define DNNSPEC_API_MODEL_RAISE_H_

#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "oneapi/dnnl/model/c_types.h"

namespace api {

// kInvalidArgument, kUnimplemented and kResourceExhausted keep their meaning; everything else that
// an implementation reports is a runtime_error (ERR-004).
dnnl_status_t CodeOf(const absl::Status& status);

// Throws dnnl::error. `status` is not Ok.
[[noreturn]] void Raise(const absl::Status& status);

inline void RaiseUnlessOk(const absl::Status& status) {
  if (!status.ok()) Raise(status);
}

template <typename T>
T ValueOrRaise(absl::StatusOr<T> result) {
  if (!result.ok()) Raise(result.status());
  return *std::move(result);
}

// ERR-006: what cannot be made is empty if the caller allows that.
template <typename T>
T ValueOrEmpty(absl::StatusOr<T> result, bool allow_empty) {
  if (result.ok()) return *std::move(result);
  if (!allow_empty) Raise(result.status());
  return T();
}

}  // namespace api

#endif  // DNNSPEC_API_MODEL_RAISE_H_
