#include "oneapi/dnnl/engine/error.hpp"

#include <memory>
#include <new>
#include <string>

namespace dnnl {

error::error(dnnl_status_t code, const char* text) : status(code) {
  try {
    text_ = std::make_shared<const std::string>(text == nullptr ? "" : text);
    message = text_->c_str();
  } catch (const std::bad_alloc&) {
    message = "there is no memory for the text of this error";
  }
}

error::~error() = default;

const char* error::what() const noexcept { return message; }

void error::wrap_c_api(dnnl_status_t code, const char* text) {
  if (code != dnnl_success) throw error(code, text);
}

}  // namespace dnnl
