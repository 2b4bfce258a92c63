#include "conformance/subject/attempt.h"

#include <cxxabi.h>
#include <string.h>

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

Refusal CaughtRefusal() {
  Refusal refusal;
  try {
    throw;
  } catch (const dnnl::error& error) {
    refusal.status = StatusOf(error, 0);
    // An error whose text cannot be read, or does not end, is none (ERR-002).
    constexpr size_t kLongest = 4096;
    const char* const what = error.what();
    const bool ends = what != nullptr && strnlen(what, kLongest) < kLongest;
    refusal.is_error = ends;
    refusal.text = what == nullptr ? "dnnl::error, what() is null"
                   : ends          ? what
                                   : "dnnl::error, what() has no end";
  } catch (const std::exception& error) {
    refusal.text = TypeInFlight() + ": " + error.what();
  } catch (...) {
    refusal.text = TypeInFlight();
  }
  return refusal;
}

}  // namespace conformance
