// Defines what stands between `enum` and `{` in every C enumeration here.
#ifndef DNNSPEC_API_TYPES_C_ENUM_H_
#define DNNSPEC_API_TYPES_C_ENUM_H_

// In C++ every int is then a value of the type: a number that is no enumerator can be held, looked
// at and refused, where it would be undefined behaviour otherwise (PRIM-018).
#ifdef __cplusplus
#define DNNSPEC_INT_ENUM : int
#else
#define DNNSPEC_INT_ENUM
#endif

#endif  // DNNSPEC_API_TYPES_C_ENUM_H_
