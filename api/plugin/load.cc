#include "api/plugin/load.h"

#include <dlfcn.h>
#include <errno.h>
#include <unistd.h>

#include <cstring>

#include "absl/status/status.h"
#include "api/plugin/adapt.h"
#include "api/spi/plugin_abi.h"

namespace spi {
namespace {

absl::Status Wrong(const std::string& path, const std::string& what) {
  std::string text = path + ": " + what;
  for (char& c : text)
    if (c == '\n') c = ' ';
  return absl::InvalidArgumentError(text);
}

// What dlopen says, without the path that it begins with.
std::string LoaderProblem(const std::string& path) {
  const char* const said = dlerror();
  std::string text = said == nullptr ? "unknown" : said;
  if (text.rfind(path + ": ", 0) == 0) text.erase(0, path.size() + 2);
  return text;
}

}  // namespace

absl::StatusOr<Implementation*> LoadPlugin(const std::string& path) {
  if (path.find('/') == std::string::npos)
    return Wrong(path, "a plug-in is named by a path with a '/' in it");
  if (access(path.c_str(), R_OK) != 0) return Wrong(path, std::strerror(errno));
  // Its symbols stay its own: it may bring another oneDNN.
  void* const object = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (object == nullptr) return Wrong(path, "cannot be loaded: " + LoaderProblem(path));
  const void* const symbol = dlsym(object, DNNSPEC_PLUGIN_SYMBOL);
  if (symbol == nullptr)
    return Wrong(path, "exports no " + std::string(DNNSPEC_PLUGIN_SYMBOL) + ": not a plug-in");
  const auto& table = *static_cast<const dnnspec_plugin_table*>(symbol);
  const std::string problem = TableProblem(table);
  if (!problem.empty()) return Wrong(path, problem);
  return Adapt(table).release();
}

}  // namespace spi
