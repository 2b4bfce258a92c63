// The engine and the stream that a trial runs on.
#ifndef DNNSPEC_CONFORMANCE_SUBJECT_DEVICE_H_
#define DNNSPEC_CONFORMANCE_SUBJECT_DEVICE_H_

#include <functional>
#include <string>

#include "conformance/case/trial.h"
#include "conformance/subject/api_version.h"
#include "oneapi/dnnl/dnnl.hpp"

namespace conformance {

struct Device {
  dnnl::engine engine;
  dnnl::stream stream;
  bool on_host = true;  // memory takes host pointers; otherwise it is filled through map_data
};

// The first engine of the kind that the trial asks for, made once for each process. Null after
// recording so in `trial` when the subject has none. Not thread-safe.
Device* DeviceFor(Trial& trial);

// For executions with a fault in their arguments (ERR-016): `execute`, which submits to `stream`
// and does not wait, throws dnnl::error, and then wait() does not. `what` names it. False, with a
// failure and nothing left to wait for, otherwise.
bool ExpectRefusedByExecute(const std::string& what, const std::function<void()>& execute,
                            dnnl::stream& stream, Trial& trial);

// Whether two handles are of one object, as far as the subject's header lets anyone ask (OBJ-015).
template <class Handle>
auto EqualIfComparable(const Handle& a, const Handle& b, int) -> decltype(a == b) {
  return a == b;
}
template <class Handle>
bool EqualIfComparable(const Handle&, const Handle&, long) {
  return true;
}
template <class Handle>
bool EqualIfComparable(const Handle& a, const Handle& b) {
  return EqualIfComparable(a, b, 0);
}

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_SUBJECT_DEVICE_H_
