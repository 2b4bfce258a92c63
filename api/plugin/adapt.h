// A plug-in's table as an implementation.
#ifndef DNNSPEC_API_PLUGIN_ADAPT_H_
#define DNNSPEC_API_PLUGIN_ADAPT_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "api/spi/implementation.h"
#include "api/spi/plugin_abi.h"

namespace spi {

// What is wrong with a table, in a few words: "its ABI version is 1, and this program's is 2";
// empty if nothing is. Calls nothing.
std::string TableProblem(const dnnspec_plugin_table& table);

// `table` outlives everything that is made from it, and has no problem.
std::unique_ptr<Implementation> Adapt(const dnnspec_plugin_table& table);

}  // namespace spi

#endif  // DNNSPEC_API_PLUGIN_ADAPT_H_
