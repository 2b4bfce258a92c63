// Calls into the subject that may throw: what came back, as a value.
//
//   auto made = Attempt([&] { return dnnl::reorder::primitive_desc(engine, a, engine, b); });
//   if (!made) return trial.Fail("reorder::primitive_desc", "created", made.refusal);
#ifndef DNNSPEC_CONFORMANCE_SUBJECT_ATTEMPT_H_
#define DNNSPEC_CONFORMANCE_SUBJECT_ATTEMPT_H_

#include <optional>
#include <type_traits>
#include <utility>

#include "conformance/case/refusal.h"

namespace conformance {

// Describes the exception in flight; for use in a catch block.
Refusal CaughtRefusal();

// A value, or the refusal that came instead of it.
template <class T>
struct Attempted {
  std::optional<T> value;
  Refusal refusal;

  explicit operator bool() const { return value.has_value(); }
  T& operator*() { return *value; }
  T* operator->() { return &*value; }
};

// For calls without a result: true when it returned.
struct Returned {};

template <class Call>
auto Attempt(Call&& call) {
  using Result = decltype(call());
  using Value = std::conditional_t<std::is_void_v<Result>, Returned, std::decay_t<Result>>;
  Attempted<Value> attempted;
  try {
    if constexpr (std::is_void_v<Result>) {
      call();
      attempted.value.emplace();
    } else {
      attempted.value.emplace(call());
    }
  } catch (...) {
    attempted.refusal = CaughtRefusal();
  }
  return attempted;
}

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_SUBJECT_ATTEMPT_H_
