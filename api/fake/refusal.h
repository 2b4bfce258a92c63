// Gives what a call of the public API threw, as one string.
#ifndef DNNSPEC_API_FAKE_REFUSAL_H_
#define DNNSPEC_API_FAKE_REFUSAL_H_

#include <string>
#include <utility>

#include "oneapi/dnnl/engine/error.hpp"
#include "oneapi/dnnl/model/c_functions.h"

namespace fake {

// "invalid_arguments: engine: index = 3 is not below ..."; empty if nothing was thrown.
template <typename Call>
std::string Refusal(Call&& call) {
  try {
    std::forward<Call>(call)();
  } catch (const dnnl::error& error) {
    return std::string(dnnl_status2str(error.status)) + ": " + error.what();
  }
  return "";
}

}  // namespace fake

#endif  // DNNSPEC_API_FAKE_REFUSAL_H_
