// Arguments of an execution by the names that programs write.
#ifndef DNNSPEC_API_MODEL_ARGUMENT_NAMES_H_
#define DNNSPEC_API_MODEL_ARGUMENT_NAMES_H_

#include <string>

namespace api {

// "DNNL_ARG_SRC", "DNNL_ARG_ATTR_ZERO_POINTS | DNNL_ARG_DST", "DNNL_ARG_MULTIPLE_SRC + 2", ...;
// "argument 5" for a number that has no name.
std::string NameOfArgument(int index);

}  // namespace api

#endif  // DNNSPEC_API_MODEL_ARGUMENT_NAMES_H_
