// dnnl::error: what every refusal and failure throws.
//
//   try {
//     dnnl::memory::desc md({2, 3}, dnnl::memory::data_type::f32, {2, 1});
//   } catch (const dnnl::error& e) {
//     // e.status == dnnl_invalid_arguments
//     // e.what(): "memory::desc: strides[0] = 2 is below strides[1] * dims[1] = 3 (MD-006)"
//   }
//
// The message is one line: what was called, the argument, its value, the bound, and the id of the
// requirement. The call that threw changed nothing (ERR-014).
//
// Source: oneDNN introduction page, "Error Handling"; requirements ERR-001 to ERR-004.
#ifndef DNNSPEC_API_ENGINE_ERROR_HPP_
#define DNNSPEC_API_ENGINE_ERROR_HPP_

#include <exception>
#include <memory>
#include <string>

#include "oneapi/dnnl/types/abi.h"
#include "oneapi/dnnl/types/c_types.h"

namespace dnnl {

struct error : public std::exception {
  // invalid_arguments: wrong for every implementation. unimplemented: right, but not served by this
  // engine. out_of_memory, runtime_error: tried and failed (ERR-004).
  dnnl_status_t status;
  // The same as what(); lives as long as this object or a copy of it.
  const char* message;

  // Copies `text`; null counts as "".
  DNNSPEC_ABI error(dnnl_status_t code, const char* text);
  DNNSPEC_ABI error(const error&) = default;
  DNNSPEC_ABI error& operator=(const error&) = default;
  DNNSPEC_ABI ~error() override;

  DNNSPEC_ABI const char* what() const noexcept override;

  // Throws error(code, text) unless `code` is dnnl_success.
  DNNSPEC_ABI static void wrap_c_api(dnnl_status_t code, const char* text);

 private:
  std::shared_ptr<const std::string> text_;  // shared: copying an exception must not throw
};

}  // namespace dnnl

#endif  // DNNSPEC_API_ENGINE_ERROR_HPP_
