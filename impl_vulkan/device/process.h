// Tells in which process a device may be used.
//
// A driver has threads and locks. fork() copies the locks and whatever the threads were about, but
// not the threads: a child that goes on waits for ever for somebody who is not there. So nothing of
// a device that a parent opened may be touched in the child, not even to destroy it.
#ifndef DNNSPEC_IMPL_VULKAN_DEVICE_PROCESS_H_
#define DNNSPEC_IMPL_VULKAN_DEVICE_PROCESS_H_

#include <sys/types.h>

#include "absl/status/status.h"

namespace impl_vulkan {

// The process that it was made in.
class Process {
 public:
  Process();

  bool is_this() const;

 private:
  const pid_t id_;
};

// kInternal in a child of a process that has opened a device, otherwise Ok. Takes no lock.
absl::Status CheckProcess();

// The same; from then on this is the process that has opened one.
absl::Status EnterProcess();

// kInternal in a child of process `looking`, which was looking for devices; 0 for none.
absl::Status CheckLooking(pid_t looking);

}  // namespace impl_vulkan

#endif  // DNNSPEC_IMPL_VULKAN_DEVICE_PROCESS_H_
