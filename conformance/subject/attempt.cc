#include "conformance/subject/attempt.h"

#include <cxxabi.h>

#include <cstdlib>
#include <exception>
#include <memory>
#include <typeinfo>

#include "oneapi/dnnl/dnnl.hpp"

namespace conformance {
namespace {

// The specification's error has no members, oneDNN 2.x's has a status.
template <class Error>
auto StatusOf(const Error& error, int) -> decltype(static_cast<int>(error.status)) {
  return static_cast<int>(error.status);
}
template <class Error>
int StatusOf(const Error&, long) {
  return Refusal::kNone;
}

std::string TypeInFlight() {
  const std::type_info* type = abi::__cxa_current_exception_type();
  if (type == nullptr) return "an unknown exception";
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> name(
      abi::__cxa_demangle(type->name(), nullptr, nullptr, &status), &std::free);
  return name == nullptr ? type->name() : name.get();
}

}  // namespace

std::string Refusal::ToString() const {
  if (!is_error) return "threw " + text;
  std::string result = "dnnl::error";
  if (status != kNone) result += " (status " + std::to_string(status) + ")";
  return result + ": " + text;
}

Refusal CaughtRefusal() {
  Refusal refusal;
  try {
    throw;
  } catch (const dnnl::error& error) {
    refusal.is_error = true;
    refusal.status = StatusOf(error, 0);
    const char* what = error.what();
    refusal.text = what == nullptr ? "what() is null" : what;
  } catch (const std::exception& error) {
    refusal.text = TypeInFlight() + ": " + error.what();
  } catch (...) {
    refusal.text = TypeInFlight();
  }
  return refusal;
}

}  // namespace conformance
