// A plug-in around a library that computes in host memory before it returns. The table of functions
// is here (table.cc), and how operations are read (operations.h); what differs is MakePlan.
#ifndef DNNSPEC_EXAMPLES_PLUGIN_CPU_PLUGIN_H_
#define DNNSPEC_EXAMPLES_PLUGIN_CPU_PLUGIN_H_

#include <memory>

#include "api/spi/plugin_abi.h"

// With arguments in the order of the operation's tensors.
struct dnnspec_plan {
  virtual ~dnnspec_plan() = default;
  virtual void Execute(const dnnspec_argument* arguments) const = 0;
};

namespace plugin {

// The plan of an operation, or why there is none: each plug-in defines it. Layouts for what is open
// are written to `chosen`, which is null where nothing is.
dnnspec_status MakePlan(const dnnspec_operation& operation, dnnspec_layout* chosen,
                        std::unique_ptr<dnnspec_plan>* plan);

// `status`, and `text`, a literal, as what the table's last_error says.
dnnspec_status Refuse(dnnspec_status status, const char* text);
dnnspec_status Unimplemented(const char* text);

}  // namespace plugin

#endif  // DNNSPEC_EXAMPLES_PLUGIN_CPU_PLUGIN_H_
