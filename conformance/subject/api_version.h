// The subject's header, and one line in the place of pages where it is of another API.
#ifndef DNNSPEC_CONFORMANCE_SUBJECT_API_VERSION_H_
#define DNNSPEC_CONFORMANCE_SUBJECT_API_VERSION_H_

#include "oneapi/dnnl/dnnl.hpp"

#if defined(DNNL_VERSION_MAJOR) && DNNL_VERSION_MAJOR >= 3
#error "dnnspec judges the API of oneDNN 2: this dnnl.hpp is of oneDNN 3 or newer"
#endif

#endif  // DNNSPEC_CONFORMANCE_SUBJECT_API_VERSION_H_
