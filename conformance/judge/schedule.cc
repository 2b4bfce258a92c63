#include "conformance/judge/schedule.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>
#include <string>

#include "conformance/judge/isolate.h"
#include "conformance/judge/serialize.h"
#include "conformance/judge/shared_state.h"

namespace conformance {
namespace {

constexpr int kLookMilliseconds = 100;

[[noreturn]] void Die(const char* what) {
  std::perror(what);
  std::_Exit(2);
}

// A process that judges one property after the other.
struct Judging {
  pid_t process = -1;
  int results = -1;  // frames: index, size, bytes of Pack()
  std::string received;
  SharedRunState* state = nullptr;
  std::atomic<int64_t>* index = nullptr;  // of the property it is at; -1: none
};

struct Frame {
  int64_t index;
  int64_t size;
};

bool WriteAll(int file, const void* data, size_t size) {
  const char* at = static_cast<const char*>(data);
  while (size > 0) {
    const ssize_t written = write(file, at, size);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    at += written;
    size -= static_cast<size_t>(written);
  }
  return true;
}

// What the threads of this program's processes share.
template <class T>
T* MapShared(size_t count) {
  void* const memory =
      mmap(nullptr, count * sizeof(T), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) Die("conformance: mmap");
  return new (memory) T[count]();
}

PropertyResult JudgeOne(const Property& property, const RunOptions& run_options,
                        SharedRunState* state) {
  try {
    return Judge(property, run_options, state);
  } catch (const std::exception& e) {
    PropertyResult result;
    result.name = property.name();
    result.problem = std::string("the suite threw: ") + e.what();
    return result;
  }
}

[[noreturn]] void Serve(const std::vector<const Property*>& properties,
                        const std::vector<RunOptions>& run_options, std::atomic<int64_t>* next,
                        const Judging& self, int results) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  signal(SIGINT, SIG_DFL);
  signal(SIGTERM, SIG_DFL);
  const rlimit no_core = {0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  for (int64_t index; (index = next->fetch_add(1)) < static_cast<int64_t>(properties.size());) {
    *self.index = index;
    const size_t at = static_cast<size_t>(index);
    const std::string bytes = Pack(JudgeOne(*properties[at], run_options[at], self.state));
    const Frame frame = {index, static_cast<int64_t>(bytes.size())};
    if (!WriteAll(results, &frame, sizeof(frame)) || !WriteAll(results, bytes.data(), bytes.size()))
      break;
    *self.index = -1;
  }
  std::_Exit(0);
}

// Hands on the frames that are complete.
void Deliver(Judging* judging, size_t* done, const Watcher& watcher) {
  Frame frame;
  while (judging->received.size() >= sizeof(frame)) {
    judging->received.copy(reinterpret_cast<char*>(&frame), sizeof(frame));
    const size_t size = sizeof(frame) + static_cast<size_t>(frame.size);
    if (judging->received.size() < size) return;
    PropertyResult result =
        Unpack(std::string_view(judging->received).substr(sizeof(frame), size - sizeof(frame)));
    judging->received.erase(0, size);
    ++*done;
    watcher.ended(static_cast<size_t>(frame.index), std::move(result));
  }
}

class Scheduler {
 public:
  Scheduler(const std::vector<const Property*>& properties,
            const std::vector<RunOptions>& run_options, int jobs, const Watcher& watcher)
      : properties_(properties),
        run_options_(run_options),
        watcher_(watcher),
        next_(MapShared<std::atomic<int64_t>>(1)),
        all_(static_cast<size_t>(std::clamp<int64_t>(
            jobs, 1, std::max<int64_t>(1, static_cast<int64_t>(properties.size()))))) {
    auto* const indexes = MapShared<std::atomic<int64_t>>(all_.size());
    for (size_t i = 0; i < all_.size(); ++i) {
      all_[i].state = SharedRunState::Map();
      all_[i].index = &indexes[i];
      *all_[i].index = -1;
    }
    progress_.total = properties.size();
  }

  void Run() {
    for (Judging& judging : all_) Start(&judging);
    while (progress_.done < properties_.size()) {
      std::vector<pollfd> polls;
      for (const Judging& judging : all_) polls.push_back({judging.results, POLLIN, 0});
      poll(polls.data(), polls.size(), kLookMilliseconds);
      if (watcher_.stop && watcher_.stop()) {
        // What they started dies with them.
        for (const Judging& judging : all_)
          if (judging.results >= 0) kill(judging.process, SIGKILL);
        break;
      }
      progress_.cases = 0;
      for (size_t i = 0; i < all_.size(); ++i) {
        progress_.cases += all_[i].state->total_done;
        if (const int64_t at = *all_[i].index; at >= 0)
          progress_.latest = properties_[static_cast<size_t>(at)];
        if ((polls[i].revents & (POLLIN | POLLHUP)) != 0) Receive(&all_[i]);
      }
      watcher_.looked(progress_);
    }
    for (const Judging& judging : all_) {
      if (judging.results >= 0) close(judging.results);
      int status;
      waitpid(judging.process, &status, 0);
    }
  }

 private:
  void Start(Judging* judging) {
    int ends[2];
    if (pipe(ends) != 0) Die("conformance: pipe");
    std::fflush(nullptr);
    judging->process = fork();
    if (judging->process < 0) Die("conformance: fork");
    if (judging->process == 0) {
      close(ends[0]);
      Serve(properties_, run_options_, next_, *judging, ends[1]);
    }
    close(ends[1]);
    judging->results = ends[0];
  }

  void Receive(Judging* judging) {
    char bytes[1 << 16];
    const ssize_t size = read(judging->results, bytes, sizeof(bytes));
    if (size > 0) {
      judging->received.append(bytes, static_cast<size_t>(size));
      Deliver(judging, &progress_.done, watcher_);
    } else {
      Replace(judging);
    }
  }

  // It has ended: all is done, or it died of the property it was at.
  void Replace(Judging* judging) {
    int status = 0;
    waitpid(judging->process, &status, 0);
    close(judging->results);
    judging->results = -1;
    const int64_t at = judging->index->exchange(-1);
    if (at < 0) return;
    PropertyResult result;
    result.name = properties_[static_cast<size_t>(at)]->name();
    result.problem = "the suite itself died (wait status " + std::to_string(status) + ")";
    ++progress_.done;
    watcher_.ended(static_cast<size_t>(at), std::move(result));
    judging->received.clear();
    Start(judging);
  }

  const std::vector<const Property*>& properties_;
  const std::vector<RunOptions>& run_options_;
  const Watcher& watcher_;
  std::atomic<int64_t>* const next_;
  std::vector<Judging> all_;
  Progress progress_;
};

}  // namespace

void JudgeAll(const std::vector<const Property*>& properties,
              const std::vector<RunOptions>& run_options, int jobs, const Watcher& watcher) {
  Scheduler(properties, run_options, jobs, watcher).Run();
}

}  // namespace conformance
