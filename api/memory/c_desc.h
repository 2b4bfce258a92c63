// The memory descriptor as a C struct, its data types, and the special values of dims and handles.
//
// `dnnl::memory::desc::data` is a dnnl_memory_desc_t: programs read its fields where the C++ API
// has no getter (strides, offset). Dims, strides and offsets count elements. Writing the fields is
// possible, and whatever takes the descriptor afterwards checks it anew.
//
// Source: oneDNN 2.6.3, "dnnl_types.h" (names and numbers); requirements MD-001 to MD-029. The
// members of the 2.6.3 struct that describe its Winograd and packed RNN formats do not exist here:
// such formats are opaque (MD-059, OPT-013). The size and all offsets are those of 2.6.3, since a
// process may hold programs built against either. Valid C99 and C++.
#ifndef DNNSPEC_API_MEMORY_C_DESC_H_
#define DNNSPEC_API_MEMORY_C_DESC_H_

#include <stddef.h>
#include <stdint.h>

#include "oneapi/dnnl/types/c_enum.h"

typedef enum DNNSPEC_INT_ENUM {
  dnnl_data_type_undef = 0,
  dnnl_f16 = 1,   // IEEE binary16
  dnnl_bf16 = 2,  // the upper half of an IEEE binary32
  dnnl_f32 = 3,
  dnnl_s32 = 4,
  dnnl_s8 = 5,
  dnnl_u8 = 6,
} dnnl_data_type_t;

typedef enum DNNSPEC_INT_ENUM {
  dnnl_format_kind_undef = 0,  // the zero descriptor
  dnnl_format_kind_any = 1,    // no layout yet
  dnnl_blocked = 2,            // strides, and inner blocks if opaque
  dnnl_format_kind_wino = 3,
  dnnl_format_kind_rnn_packed = 4,
} dnnl_format_kind_t;

// The largest rank (MD-024).
#define DNNL_MAX_NDIMS 12

typedef int64_t dnnl_dim_t;
typedef dnnl_dim_t dnnl_dims_t[DNNL_MAX_NDIMS];

// A dim or stride that is known only when the primitive is executed (MD-027).
#define DNNL_RUNTIME_DIM_VAL INT64_MIN
// What get_size() returns for a descriptor with such a dim or stride (MD-036).
#define DNNL_RUNTIME_SIZE_VAL ((size_t)DNNL_RUNTIME_DIM_VAL)

// A scale that is known only at execution: a quiet NaN, recognised by its bits (ATTR-030).
static const union {
  unsigned u;
  float f;
} DNNL_RUNTIME_F32_VAL_REP = {0x7fc000d0};
#define DNNL_RUNTIME_F32_VAL (DNNL_RUNTIME_F32_VAL_REP.f)

// A zero point that is known only at execution (ATTR-064).
static const int DNNL_RUNTIME_S32_VAL_REP = INT32_MIN;
#define DNNL_RUNTIME_S32_VAL DNNL_RUNTIME_S32_VAL_REP

// Handles that are no address: a memory without buffer, and one whose buffer the library owns.
#define DNNL_MEMORY_NONE (NULL)
#define DNNL_MEMORY_ALLOCATE ((void *)(size_t)-1)

// Element i lies at offset0 + sum_j i[j] * strides[j] (ORC-OFF). With inner blocks, which only
// opaque layouts have, block k splits `inner_blks[k]` consecutive indices off axis `inner_idxs[k]`,
// outermost block first, the last one with stride 1.
typedef struct {
  dnnl_dims_t strides;
  int inner_nblks;
  dnnl_dims_t inner_blks;
  dnnl_dims_t inner_idxs;
} dnnl_blocking_desc_t;

typedef enum DNNSPEC_INT_ENUM {
  dnnl_memory_extra_flag_none = 0x0U,
} dnnl_memory_extra_flags_t;

// What an opaque layout stores besides the tensor: nothing in every layout of this library.
typedef struct {
  uint64_t flags;
  int compensation_mask;
  float scale_adjust;
  int asymm_compensation_mask;
  char reserved[60];  // the program's: a memory gives back what was written here
} dnnl_memory_extra_desc_t;

typedef struct {
  int ndims;  // 0: the zero descriptor
  dnnl_dims_t dims;
  dnnl_data_type_t data_type;
  dnnl_dims_t padded_dims;     // equal to dims unless opaque
  dnnl_dims_t padded_offsets;  // zero
  dnnl_dim_t offset0;          // where element (0, ..., 0) lies; not 0 in regions only (MD-072)
  dnnl_format_kind_t format_kind;
  union {
    dnnl_blocking_desc_t blocking;
  } format_desc;
  dnnl_memory_extra_desc_t extra;
} dnnl_memory_desc_t;

#endif  // DNNSPEC_API_MEMORY_C_DESC_H_
