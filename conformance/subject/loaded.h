// Tells what is known of a subject that is opened at run time, as a plug-in is.
#ifndef DNNSPEC_CONFORMANCE_SUBJECT_LOADED_H_
#define DNNSPEC_CONFORMANCE_SUBJECT_LOADED_H_

#include <string>

namespace conformance {

// The version that it says it has, without blanks; "" while none was opened in this process, and
// where it says none. Set by whoever opens it.
inline std::string& LoadedVersion() {
  static std::string version;
  return version;
}

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_SUBJECT_LOADED_H_
