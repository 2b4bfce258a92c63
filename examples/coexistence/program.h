// One program, compiled twice: with the header of this library and with that of stock oneDNN. Both
// end up in one process.
#ifndef DNNSPEC_EXAMPLES_COEXISTENCE_PROGRAM_H_
#define DNNSPEC_EXAMPLES_COEXISTENCE_PROGRAM_H_

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

// Goes through every class and many C functions, and checks what comes out. Null, or what went
// wrong; it lives until the next call.
const char* RunOurs(void);
const char* RunStock(void);

// "dnnspec" or a hash: DNNL_VERSION_HASH is the header's, this the library's that was reached.
const char* HashOfOurs(void);
const char* HashOfStock(void);

// Throws the library's error out of the program.
void ThrowOurs(void);
void ThrowStock(void);

#pragma GCC visibility pop

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // DNNSPEC_EXAMPLES_COEXISTENCE_PROGRAM_H_
