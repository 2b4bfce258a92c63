// Operations in the words of plugin_abi.h, and back.
#ifndef DNNSPEC_API_PLUGIN_TRANSLATE_H_
#define DNNSPEC_API_PLUGIN_TRANSLATE_H_

#include <optional>
#include <string>

#include "absl/status/status.h"
#include "api/spi/implementation.h"
#include "api/spi/plugin_abi.h"

namespace spi {

// An operation in C. Points into itself and into the operation it was made from: it is neither
// copied nor kept.
class COperation {
 public:
  explicit COperation(const Operation& operation);
  COperation(const COperation&) = delete;
  COperation& operator=(const COperation&) = delete;

  // Null when plugin_abi.h has no such kind of operation.
  const dnnspec_operation* get() const { return operation_.kind == 0 ? nullptr : &operation_; }

 private:
  dnnspec_operation operation_ = {};
  dnnspec_reorder reorder_ = {};
  dnnspec_shuffle shuffle_ = {};
};

// nullopt: a kind that this program does not know.
std::optional<Operation> FromC(const dnnspec_operation& operation);

// What a plug-in says, as one line of at most some hundred characters: others end with "...".
std::string OneLine(const char* text);

// With `message`, if it is not null, as the text, in one line.
absl::Status FromC(dnnspec_status status, const char* message);
dnnspec_status ToC(const absl::Status& status);

}  // namespace spi

#endif  // DNNSPEC_API_PLUGIN_TRANSLATE_H_
