// An implementation in C++ as a plug-in's table.
//
//   // in vendor_plugin.cc, linked into libvendor.so
//   const dnnspec_plugin_table dnnspec_plugin = spi::Export<vendor::GetImplementation>();
//
// Exceptions that leave the implementation become DNNSPEC_OUT_OF_MEMORY if they are
// std::bad_alloc, else DNNSPEC_FAILED; while engines are counted, there are none. The table has no
// status for kInvalidArgument (a handle that is no storage of the engine, say): it is
// DNNSPEC_FAILED too, with its message.
#ifndef DNNSPEC_API_PLUGIN_EXPORT_H_
#define DNNSPEC_API_PLUGIN_EXPORT_H_

#include <cstddef>

#include "api/spi/implementation.h"
#include "api/spi/plugin_abi.h"

namespace spi {

// What does not depend on which implementation it is.
dnnspec_plugin_table ExportedTable(const Implementation& implementation, size_t (*engine_count)(),
                                   dnnspec_status (*engine_create)(size_t, dnnspec_engine**));

size_t CountEngines(Implementation& implementation) noexcept;
dnnspec_status CreateEngine(Implementation& implementation, size_t index, dnnspec_engine** engine);

// `kGet` gives the implementation, which lives as long as the program.
template <Implementation& (*kGet)()>
dnnspec_plugin_table Export() {
  return ExportedTable(
      kGet(), [] { return CountEngines(kGet()); },
      [](size_t index, dnnspec_engine** engine) { return CreateEngine(kGet(), index, engine); });
}

}  // namespace spi

#endif  // DNNSPEC_API_PLUGIN_EXPORT_H_
