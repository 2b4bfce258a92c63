// Makes the plans of operations, or says why there is none.
#ifndef DNNSPEC_EXAMPLES_PLUGIN_EIGEN_PLANS_H_
#define DNNSPEC_EXAMPLES_PLUGIN_EIGEN_PLANS_H_

#include <memory>

#include "api/spi/plugin_abi.h"

// With arguments in the order of the operation's tensors.
struct dnnspec_plan {
  virtual ~dnnspec_plan() = default;
  virtual void Execute(const dnnspec_argument* arguments) const = 0;
};

namespace plugin_eigen {

// The plan of an operation, or why there is none. Layouts for what is open are written to `chosen`,
// which is null where nothing is.
dnnspec_status MakePlan(const dnnspec_operation& operation, dnnspec_layout* chosen,
                        std::unique_ptr<dnnspec_plan>* plan);

// `status`, and `text`, a literal, as what LastError() says.
dnnspec_status Refuse(dnnspec_status status, const char* text);
dnnspec_status Unimplemented(const char* text);

// Why the last call of this thread was refused.
const char* LastError();

}  // namespace plugin_eigen

#endif  // DNNSPEC_EXAMPLES_PLUGIN_EIGEN_PLANS_H_
