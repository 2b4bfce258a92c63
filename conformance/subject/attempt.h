// Calls into the subject that may throw: what came back, as a value.
//
//   auto made = Attempt([&] { return dnnl::reorder::primitive_desc(engine, a, engine, b); });
//   if (!made) return trial.Fail("reorder::primitive_desc", "created", made.refusal.ToString());
#ifndef DNNSPEC_CONFORMANCE_SUBJECT_ATTEMPT_H_
#define DNNSPEC_CONFORMANCE_SUBJECT_ATTEMPT_H_

#include <optional>
#include <string>
#include <type_traits>
#include <utility>

namespace conformance {

// Why a call gave nothing.
struct Refusal {
  // Values as in dnnl_status_t; kNone where the subject's dnnl::error has no status.
  enum Status { kNone = -1, kOutOfMemory = 1, kInvalidArguments = 2, kUnimplemented = 3 };

  bool is_error = false;  // a dnnl::error; anything else is a fault of the subject
  int status = kNone;
  std::string text;  // what() or the type that was thrown

  // "dnnl::error (status 3): could not create ...".
  std::string ToString() const;
  // False for a status that says something else; true where there is no status.
  bool MayBe(Status wanted) const { return status == kNone || status == wanted; }
};

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
