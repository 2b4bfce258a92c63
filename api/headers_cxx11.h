// A translation unit that sees "oneapi/dnnl/dnnl.hpp" first, as C++11.
#ifndef DNNSPEC_API_HEADERS_CXX11_H_
#define DNNSPEC_API_HEADERS_CXX11_H_

#include <cstddef>

// Uses every public class; the size of a matrix of `rows` rows of 3 f32, reordered once.
std::size_t UseAsCxx11(int rows);

// __cplusplus there.
long CplusplusOfCxx11();

#endif  // DNNSPEC_API_HEADERS_CXX11_H_
