// The few C functions of the library: its version, and names for enumerators. Valid C99 and C++.
//
// The names are the enumerators' ("f32", "nhwc", "shuffle"); a number that is none gives "unknown".
// Tags with the same number print as the word over a b c ... Strings live forever.
#ifndef DNNSPEC_API_MODEL_C_FUNCTIONS_H_
#define DNNSPEC_API_MODEL_C_FUNCTIONS_H_

#include "oneapi/dnnl/memory/c_desc.h"
#include "oneapi/dnnl/memory/c_tags.h"
#include "oneapi/dnnl/types/abi.h"
#include "oneapi/dnnl/types/c_types.h"

#ifdef __cplusplus
extern "C" {
#endif

const dnnl_version_t *dnnl_version(void) DNNSPEC_LINK_NAME(dnnl_version);

const char *dnnl_status2str(dnnl_status_t value) DNNSPEC_LINK_NAME(dnnl_status2str);
const char *dnnl_dt2str(dnnl_data_type_t value) DNNSPEC_LINK_NAME(dnnl_dt2str);
const char *dnnl_fmt_kind2str(dnnl_format_kind_t value) DNNSPEC_LINK_NAME(dnnl_fmt_kind2str);
const char *dnnl_fmt_tag2str(dnnl_format_tag_t value) DNNSPEC_LINK_NAME(dnnl_fmt_tag2str);
const char *dnnl_prop_kind2str(dnnl_prop_kind_t value) DNNSPEC_LINK_NAME(dnnl_prop_kind2str);
const char *dnnl_prim_kind2str(dnnl_primitive_kind_t value) DNNSPEC_LINK_NAME(dnnl_prim_kind2str);
const char *dnnl_engine_kind2str(dnnl_engine_kind_t value) DNNSPEC_LINK_NAME(dnnl_engine_kind2str);
const char *dnnl_scratchpad_mode2str(dnnl_scratchpad_mode_t value)
    DNNSPEC_LINK_NAME(dnnl_scratchpad_mode2str);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // DNNSPEC_API_MODEL_C_FUNCTIONS_H_
