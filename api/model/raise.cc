#include "api/model/raise.h"

#include <string>

#include "oneapi/dnnl/model/error.hpp"

namespace api {

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

void Raise(const absl::Status& status) {
  throw dnnl::error(CodeOf(status), std::string(status.message()).c_str());
}

}  // namespace api
