/* A translation unit in C. */
#ifndef DNNSPEC_API_HEADERS_C_H_
#define DNNSPEC_API_HEADERS_C_H_

#ifdef __cplusplus
extern "C" {
#endif

/* The rank, the first stride and the type of a descriptor, as C reads them: 100 * rank + 10 *
   stride
   + type. */
int ReadAsC(const void* desc);

/* The name of an algorithm, from "dnnl_debug.h". */
const char* AlgorithmAsC(void);

/* The minor version of the API that the library follows. */
int MinorVersionAsC(void);

#ifdef __cplusplus
}
#endif

#endif /* DNNSPEC_API_HEADERS_C_H_ */
