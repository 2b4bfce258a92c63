// A shared object as an implementation.
#ifndef DNNSPEC_API_PLUGIN_LOAD_H_
#define DNNSPEC_API_PLUGIN_LOAD_H_

#include <string>

#include "absl/status/statusor.h"
#include "api/spi/implementation.h"

namespace spi {

// Opens the shared object at `path` (with a '/' in it: no folder is searched) and looks at its
// table. The message of a failure is one line that begins with the path. It is never closed: what
// it made may live to the end of the program.
absl::StatusOr<Implementation*> LoadPlugin(const std::string& path);

}  // namespace spi

#endif  // DNNSPEC_API_PLUGIN_LOAD_H_
