// Keeps what a mutex guards usable in a child of fork(), whatever other threads did at that moment.
#ifndef DNNSPEC_API_ENGINE_FORK_H_
#define DNNSPEC_API_ENGINE_FORK_H_

#include <pthread.h>

#include <mutex>

namespace api {

inline void NothingInChild() {}

// From then on fork() waits for `mutex()`, so that a child finds it free and what it guards whole;
// `in_child` runs there first, while it is held. Call it once, for a mutex that lives forever, is
// not held while another such one is waited for, and not while foreign code runs: drivers fork,
// too.
template <std::mutex& (*mutex)(), void (*in_child)() = &NothingInChild>
void KeepThroughForks() {
  pthread_atfork([] { mutex().lock(); }, [] { mutex().unlock(); },
                 [] {
                   in_child();
                   mutex().unlock();
                 });
}

}  // namespace api

#endif  // DNNSPEC_API_ENGINE_FORK_H_
