// Makes the program it is linked into run on the shared object that DNNSPEC_PLUGIN names. It is
// opened when engines are first asked for, so in a child process: whatever it does then is seen
// from outside.
#include <cstdlib>
#include <stdexcept>
#include <string>

#include "absl/status/statusor.h"
#include "api/plugin/load.h"
#include "api/spi/implementation.h"
#include "conformance/subject/loaded.h"

namespace {

spi::Implementation& ThePlugin() {
  const char* const path = std::getenv("DNNSPEC_PLUGIN");
  if (path == nullptr || *path == '\0') throw std::runtime_error("DNNSPEC_PLUGIN names no plug-in");
  const absl::StatusOr<spi::Implementation*> plugin = spi::LoadPlugin(path);
  if (!plugin.ok()) throw std::runtime_error(std::string(plugin.status().message()));
  if (const char* const version = (*plugin)->version()) conformance::LoadedVersion() = version;
  return **plugin;
}

const bool chosen = (spi::RunOn(&ThePlugin), true);

}  // namespace
