// Tells which query finds the descriptor of an argument.
#ifndef DNNSPEC_API_MODEL_ARGUMENT_SORTS_H_
#define DNNSPEC_API_MODEL_ARGUMENT_SORTS_H_

#include "oneapi/dnnl/types/enums.hpp"

namespace api {

// src_md, weights_md, ... of DNNL_ARG_ number `index`; a query with index n means the n-th argument
// of its sort that a primitive has, so that what is absent leaves no hole. undef where exec_arg_md
// alone finds it: tensors of attributes. Mean and variance are sources of those that read them and
// destinations of those that write them.
dnnl::query SortOf(int index, bool written);

}  // namespace api

#endif  // DNNSPEC_API_MODEL_ARGUMENT_SORTS_H_
