// Makes a subject that keeps primitives for later requests forget them, where its header can: what
// comes next is made anew, and nothing lives on because of it.
#ifndef DNNSPEC_CONFORMANCE_SUBJECT_PRIMITIVE_CACHE_H_
#define DNNSPEC_CONFORMANCE_SUBJECT_PRIMITIVE_CACHE_H_

#include "oneapi/dnnl/dnnl.hpp"

// What is called where dnnl has no function of this name: its own is a better match. Beside it, not
// inside conformance, so that neither hides the other.
namespace without_primitive_cache {

inline void set_primitive_cache_capacity(...) {}

}  // namespace without_primitive_cache

namespace conformance {

// Nothing where the subject refuses.
inline void ForgetPrimitives() {
  using namespace dnnl;                     // NOLINT(google-build-using-namespace)
  using namespace without_primitive_cache;  // NOLINT(google-build-using-namespace)
  try {
    set_primitive_cache_capacity(0);
    set_primitive_cache_capacity(1024);  // oneDNN's default
  } catch (const dnnl::error&) {
  }
}

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_SUBJECT_PRIMITIVE_CACHE_H_
