// Holds what every C function is made of: it turns an exception into a status, and a C handle into
// a C++ object.
#ifndef DNNSPEC_API_MODEL_C_GUARD_H_
#define DNNSPEC_API_MODEL_C_GUARD_H_

#include <memory>
#include <new>
#include <stdexcept>
#include <utility>
#include <vector>

#include "api/engine/handle_state.h"
#include "oneapi/dnnl/engine/error.hpp"
#include "oneapi/dnnl/memory/c_desc.h"
#include "oneapi/dnnl/types/c_types.h"

namespace api {

// Success, or what `call` threw.
template <typename Call>
dnnl_status_t StatusOf(const Call& call) {
  try {
    call();
    return dnnl_success;
  } catch (const dnnl::error& error) {
    return error.status;
  } catch (const std::bad_alloc&) {
    return dnnl_out_of_memory;
  } catch (const std::length_error&) {
    return dnnl_out_of_memory;
  } catch (...) {
    return dnnl_runtime_error;
  }
}

// As StatusOf, unless one of the pointers is null.
template <typename Call, typename... Pointers>
dnnl_status_t StatusOf(const Call& call, Pointers... needed) {
  for (const bool is_null : {(needed == nullptr)...})
    if (is_null) return dnnl_invalid_arguments;
  return StatusOf(call);
}

// The object of a C handle, which stays the caller's. Handle is dnnl::engine, ...; null gives an
// empty one. Hidden, since the linker script takes what returns a dnnl:: type for a function of it.
template <typename Handle, typename Object>
[[gnu::visibility("hidden")]] Handle Borrow(const Object* from) {
  return Handle(const_cast<Object*>(from), true);
}

// A C handle for the caller to destroy.
template <typename Handle>
auto Give(const Handle& from) {
  auto* const given = from.get();
  given->give_c_reference();
  return given;
}

// Takes back what Give gave.
template <typename Object>
dnnl_status_t Destroy(const Object* from) {
  return from == nullptr || from->take_c_reference() ? dnnl_success : dnnl_invalid_arguments;
}

// `count` values; a null pointer stands for none.
template <typename T>
std::vector<T> ValuesOf(dnnl_dim_t count, const T* values) {
  if (count < 0 || (count > 0 && values == nullptr))
    dnnl::error::wrap_c_api(dnnl_invalid_arguments, "a count without values");
  return std::vector<T>(values, values + count);
}

}  // namespace api

#endif  // DNNSPEC_API_MODEL_C_GUARD_H_
