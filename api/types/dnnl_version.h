// The version of the oneDNN C++ API that these headers follow, for programs that test it.
//
// Source: oneDNN 2.6.3, "dnnl_version.h".
#ifndef DNNSPEC_API_TYPES_DNNL_VERSION_H_
#define DNNSPEC_API_TYPES_DNNL_VERSION_H_

#define DNNL_VERSION_MAJOR 2
#define DNNL_VERSION_MINOR 6
#define DNNL_VERSION_PATCH 3
#define DNNL_VERSION_HASH "dnnspec"

#endif  // DNNSPEC_API_TYPES_DNNL_VERSION_H_
