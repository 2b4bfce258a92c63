// The link names of this library's functions, which differ from stock oneDNN's: a process may hold
// both, in any order, and each program gets the functions of the header that it was compiled with.
//
// A symbol of the dynamic loader has no header: of two objects that define dnnl_memory_create, or
// dnnl::memory::get_desc() const, everybody gets the one that was loaded first, and both handles
// and descriptors would then be read by the other library. So the name of every function here ends
// in "dnnspec". Sources do not see it. Valid C99 and C++.
#ifndef DNNSPEC_API_TYPES_ABI_H_
#define DNNSPEC_API_TYPES_ABI_H_

// After the parameters of a C function.
#define DNNSPEC_LINK_NAME(function) __asm__(#function "_dnnspec")

// Before a C++ function of namespace dnnl, inline ones too: compilers emit those in every program.
#define DNNSPEC_ABI __attribute__((abi_tag("dnnspec")))

#endif  // DNNSPEC_API_TYPES_ABI_H_
