#include "api/engine/throw.h"

#include <new>
#include <stdexcept>
#include <string>

#include "oneapi/dnnl/engine/error.hpp"

namespace api {
namespace {

// Short enough for a std::string that allocates nothing.
constexpr char kNoMemory[] = "out of memory";

}  // namespace

dnnl_status_t CodeOf(const absl::Status& status) {
  switch (status.code()) {
    case absl::StatusCode::kOk:
      return dnnl_success;
    case absl::StatusCode::kInvalidArgument:
      return dnnl_invalid_arguments;
    case absl::StatusCode::kUnimplemented:
      return dnnl_unimplemented;
    case absl::StatusCode::kResourceExhausted:
      return dnnl_out_of_memory;
    default:
      return dnnl_runtime_error;
  }
}

void Throw(const absl::Status& status) {
  std::string text;
  try {
    text = std::string(status.message());
  } catch (const std::bad_alloc&) {
    text = kNoMemory;
  }
  if (text.empty() && CodeOf(status) == dnnl_out_of_memory) text = kNoMemory;
  throw dnnl::error(CodeOf(status), text.c_str());
}

void RethrowAsDnnlError() {
  try {
    throw;
  } catch (const std::bad_alloc&) {
  } catch (const std::length_error&) {
  }
  throw dnnl::error(dnnl_out_of_memory, kNoMemory);
}

}  // namespace api
