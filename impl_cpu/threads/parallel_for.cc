// Threads of our own, since a library must survive that none can be had. oneTBB starts workers from
// workers, where a failure ends the process, spins for ever after an allocation that failed while
// it was initialised, and throws below noexcept; libgomp exits.

#include "impl_cpu/threads/parallel_for.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/types.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cfenv>
#include <climits>
#include <condition_variable>
#include <cstdint>
#include <cstdlib>
#include <mutex>
#include <new>

#include "absl/functional/function_ref.h"
#include "impl_cpu/threads/processors.h"
#include "impl_cpu/threads/task_shares.h"

namespace impl_cpu {
namespace {

// Who waits looks on before it sleeps, since loops often come one after another and waking a thread
// takes up to 50 us: 5 us with the processor to itself, then 100 us if nobody else wants it.
constexpr int kLooks = 100, kYields = 250;

// So many loops in a row that a thread shares one processor with their caller, which it meets there
// or which leaves it no time to join: it moves then.
constexpr int kMeetings = 4;

// After a thread could not be started, so many loops do with those that there are.
constexpr int kLoopsUntilRetry = 1000;

// True as soon as `ready()` is, false when patience ends.
template <typename Ready>
bool LookOn(const Ready& ready) {
  for (int i = 0; i < kLooks; ++i) {
    if (ready()) return true;
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
  }
  for (int i = 0; i < kYields; ++i) {
    if (ready()) return true;
    sched_yield();
  }
  return false;
}

// One call of ParallelFor, on the stack of its caller.
struct Loop {
  Loop(int64_t pieces, int threads, absl::FunctionRef<void(int64_t)> each)
      : body(each), shares(pieces, threads) {}

  // By thread number `thread` of the pool; the caller is 0.
  void TakePieces(int thread) { shares.ForEach(thread, body); }

  const absl::FunctionRef<void(int64_t)> body;
  TaskShares shares;
  std::fenv_t environment;
  int processor = -1;           // of the caller
  std::atomic<int> helpers{0};  // inside; the last thing that a helper touches
  // Guarded by the pool.
  int wanted = 0;  // helpers that may still join; while there are any, the loop is in the list
  Loop* after = nullptr;
  bool caller_sleeps = false;
};

// Threads that help with loops. Never destroyed: they outlive main.
class Pool {
 public:
  // `before` is that of the process this one was forked from, or null.
  Pool(pid_t process, Pool* before) : process_(process), before_(before) {}

  pid_t process() const { return process_; }

  // Runs `loop` on the caller and as many as `helpers` others.
  void Run(Loop& loop, int helpers) {
    std::fegetenv(&loop.environment);
    loop.processor = sched_getcpu();
    std::unique_lock<std::mutex> lock(mutex_);
    const bool wakes = Offer(loop, helpers);
    int missing = 0;
    if (workers_ < helpers && --loops_until_retry_ <= 0) missing = helpers - workers_;
    workers_ += missing;
    lock.unlock();
    if (wakes) WakeTwo();
    while (missing > 0 && StartWorker()) --missing;
    loop.TakePieces(0);
    lock.lock();
    if (missing > 0) {
      workers_ -= missing;
      loops_until_retry_ = kLoopsUntilRetry;
    }
    Withdraw(loop);
    if (loop.helpers == 0) return;
    lock.unlock();
    if (LookOn([&] { return loop.helpers == 0; })) return;
    lock.lock();
    loop.caller_sleeps = true;
    finished_.wait(lock, [&] { return loop.helpers == 0; });
  }

 private:
  // Whether somebody has to be woken for it.
  bool Offer(Loop& loop, int helpers) {
    loop.wanted = helpers;
    wanted_ += helpers;
    caller_on_ = loop.processor;
    ++loops_;
    Loop** end = &first_;
    while (*end != nullptr) end = &(*end)->after;
    *end = &loop;
    open_ = true;
    return MustWake();
  }

  // No further helper joins.
  void Withdraw(Loop& loop) {
    if (loop.wanted == 0) return;
    wanted_ -= loop.wanted;
    loop.wanted = 0;
    Loop** at = &first_;
    while (*at != &loop) at = &(*at)->after;
    *at = loop.after;
    open_ = first_ != nullptr;
  }

  bool MustWake() const { return asleep_ > 0 && wanted_ > watching_; }

  // Each of which wakes two.
  void WakeTwo() {
    offered_.notify_one();
    offered_.notify_one();
  }

  bool StartWorker() {
    pthread_attr_t attributes;
    if (pthread_attr_init(&attributes) != 0) return false;
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    // Signals are for the threads of the program.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pthread_t thread;
    const bool started = pthread_create(&thread, &attributes, Work, this) == 0;
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    pthread_attr_destroy(&attributes);
    return started;
  }

  static void* Work(void* pool) {
    // Not where the thread that started this one is pinned.
    const Processors& processors = AvailableProcessors();
    if (processors.known) sched_setaffinity(0, sizeof(processors.set), &processors.set);
    static_cast<Pool*>(pool)->Help();
    return nullptr;
  }

  // Away from `processor`, where the caller is: some kernels leave both there, and others idle.
  static void MoveFrom(int processor) {
    const Processors& processors = AvailableProcessors();
    if (!processors.known || processors.count < 2) return;
    cpu_set_t others = processors.set;
    CPU_CLR(static_cast<size_t>(processor), &others);
    sched_setaffinity(0, sizeof(others), &others);
  }

  // Until there is a loop.
  void Await(std::unique_lock<std::mutex>* lock) {
    while (first_ == nullptr) {
      ++watching_;
      const unsigned seen = loops_;
      lock->unlock();
      bool moves = false;
      LookOn([&] {
        const int processor = caller_on_;
        moves = processor >= 0 && loops_ - seen >= kMeetings && sched_getcpu() == processor;
        if (moves) MoveFrom(processor);
        return moves || open_;
      });
      lock->lock();
      --watching_;
      if (moves || first_ != nullptr) continue;
      ++asleep_;
      offered_.wait(*lock);
      --asleep_;
    }
  }

  [[noreturn]] void Help() {
    std::unique_lock<std::mutex> lock(mutex_);
    const int thread = ++started_;
    int meetings = 0;
    for (;;) {
      Await(&lock);
      Loop& loop = *first_;
      ++loop.helpers;
      --wanted_;
      if (--loop.wanted == 0) {
        first_ = loop.after;
        open_ = first_ != nullptr;
      }
      const bool wakes = MustWake();
      lock.unlock();
      if (wakes) WakeTwo();
      std::fesetenv(&loop.environment);
      meetings = loop.processor >= 0 && sched_getcpu() == loop.processor ? meetings + 1 : 0;
      if (meetings == kMeetings) {
        MoveFrom(loop.processor);
        meetings = 0;
      }
      loop.TakePieces(thread);
      lock.lock();
      const bool wake = loop.caller_sleeps;
      --loop.helpers;
      if (wake) finished_.notify_all();
    }
  }

  const pid_t process_;
  [[maybe_unused]] Pool* const before_;  // kept reachable: nobody knows what its threads were doing
  std::mutex mutex_;
  std::condition_variable offered_, finished_;
  // For those who look on: first_ != nullptr; how many loops there were, and where the last one's
  // caller was.
  std::atomic<bool> open_{false};
  std::atomic<unsigned> loops_{0};
  std::atomic<int> caller_on_{-1};
  Loop* first_ = nullptr;
  int wanted_ = 0;                               // helpers, by all loops of the list
  int workers_ = 0, watching_ = 0, asleep_ = 0;  // all; those that look on; those that sleep
  int started_ = 0;                              // those that ever began to help
  int loops_until_retry_ = 0;
};

// The pool of this process; null if there is no memory for one.
Pool* ThePool() {
  static std::atomic<Pool*> the_pool{nullptr};
  const pid_t process = getpid();
  Pool* pool = the_pool.load();
  while (pool == nullptr || pool->process() != process) {
    Pool* const fresh = new (std::nothrow) Pool(process, pool);
    if (fresh == nullptr) return nullptr;
    if (the_pool.compare_exchange_strong(pool, fresh)) return fresh;
    delete fresh;
  }
  return pool;
}

}  // namespace

int MaxThreads() {
  static const int count = [] {
    constexpr int kMost = 1024;
    const int said = ParseThreadLimit(std::getenv("DNNSPEC_PROCESSORS"));
    const int processors = said == INT_MAX ? AvailableProcessors().count : std::min(said, kMost);
    return std::min(ParseThreadLimit(std::getenv("DNNSPEC_NUM_THREADS")), processors);
  }();
  return count;
}

void ParallelFor(int64_t pieces, int threads, absl::FunctionRef<void(int64_t)> body) {
  const auto most = static_cast<int>(std::min<int64_t>(threads, pieces));
  Pool* const pool = most > 1 ? ThePool() : nullptr;
  if (pool == nullptr) {
    for (int64_t i = 0; i < pieces; ++i) body(i);
    return;
  }
  Loop loop(pieces, most, body);
  pool->Run(loop, most - 1);
}

}  // namespace impl_cpu
