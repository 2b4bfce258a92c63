// Turns a status inside into an exception outside: the one place where api throws.
#ifndef DNNSPEC_API_ENGINE_THROW_H_
#define DNNSPEC_API_ENGINE_THROW_H_

#include <new>
#include <stdexcept>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "oneapi/dnnl/types/c_types.h"

namespace api {

// kInvalidArgument, kUnimplemented and kResourceExhausted keep their meaning; everything else that
// an implementation reports is a runtime_error (ERR-004).
dnnl_status_t CodeOf(const absl::Status& status);

// Throws dnnl::error. `status` is not Ok. Where there is no memory for its text, that is the text.
[[noreturn]] void Throw(const absl::Status& status);

// In a handler: throws what was caught again, as out_of_memory where no memory was to be had. What
// may allocate is in a function-try-block that ends in this, so that nothing but dnnl::error leaves
// the library (ERR-001).
[[noreturn]] void RethrowAsDnnlError();

// What `make` gives, a status or one with a value; kResourceExhausted where memory ran out.
template <typename Make>
auto WithMemory(const Make& make) -> decltype(make()) {
  try {
    return make();
  } catch (const std::bad_alloc&) {
  } catch (const std::length_error&) {
  }
  return absl::Status(absl::StatusCode::kResourceExhausted, "");  // allocates nothing
}

inline void ThrowUnlessOk(const absl::Status& status) {
  if (!status.ok()) Throw(status);
}

template <typename T>
T ValueOrThrow(absl::StatusOr<T> result) {
  if (!result.ok()) Throw(result.status());
  return *std::move(result);
}

// ERR-006: what `make` cannot make is empty if the caller allows that.
template <typename Make>
auto ValueOrEmpty(const Make& make, bool allow_empty) -> typename decltype(make())::value_type {
  auto result = WithMemory(make);
  if (result.ok()) return *std::move(result);
  if (!allow_empty) Throw(result.status());
  return {};
}

}  // namespace api

#endif  // DNNSPEC_API_ENGINE_THROW_H_
