// Ends a program of this folder with a message if something is wrong.
#ifndef DNNSPEC_API_CONSUMERS_CHECK_H_
#define DNNSPEC_API_CONSUMERS_CHECK_H_

#include <cstdio>
#include <cstdlib>

#define CHECK(condition)                                                  \
  do {                                                                    \
    if (!(condition)) {                                                   \
      std::printf("%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
      std::exit(1);                                                       \
    }                                                                     \
  } while (false)

#endif  // DNNSPEC_API_CONSUMERS_CHECK_H_
