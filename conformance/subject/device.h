// The engine and the stream that a trial runs on.
#ifndef DNNSPEC_CONFORMANCE_SUBJECT_DEVICE_H_
#define DNNSPEC_CONFORMANCE_SUBJECT_DEVICE_H_

#include "conformance/harness/trial.h"
#include "oneapi/dnnl/dnnl.hpp"

namespace conformance {

struct Device {
  dnnl::engine engine;
  dnnl::stream stream;
  bool on_host = true;  // memory takes host pointers; otherwise it is filled through map_data
};

// The first engine of the kind that the trial asks for, made once for each process. Null, with the
// trial told, when the subject has none. Not thread-safe.
Device* DeviceFor(Trial& trial);

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_SUBJECT_DEVICE_H_
