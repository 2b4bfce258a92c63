// The program of a peer: answers the benchmark's requests (request.h) with what the library can do.

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <sstream>
#include <string>
#include <thread>

#include "tools/benchmark/cases.h"
#include "tools/benchmark/peers/peer.h"
#include "tools/benchmark/peers/request.h"
#include "tools/benchmark/subject.h"

namespace bench {
namespace {

std::string Environment(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

int Threads() {
  const int asked = std::atoi(Environment("DNNSPEC_NUM_THREADS").c_str());
  return asked > 0 ? asked : static_cast<int>(std::thread::hardware_concurrency());
}

class Server {
 public:
  explicit Server(int threads) : clock_(threads == 1 ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC) {}
  ~Server() { Forget(); }

  std::string Answer(const std::string& request) {
    std::istringstream in(request);
    std::string verb;
    in >> verb;
    if (verb == "case") return Begin(&in);
    int64_t count = 0;
    if (verb != "run" || !(in >> count) || case_ == nullptr) return "cannot understand " + request;
    const double start = Now();
    for (int64_t i = 0; i < count; ++i) case_->Run();
    char seconds[32];
    std::snprintf(seconds, sizeof(seconds), "%.9g", Now() - start);
    return seconds;
  }

 private:
  std::string Begin(std::istream* in) {
    Forget();
    size_t src = 0, dst = 0, bytes = 0;
    std::string text;
    Case c;
    if (!(*in >> src >> dst >> bytes) || !std::getline(*in, text) || !FromText(text, &c))
      return "cannot understand the case";
    void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, kPeerMemory, 0);
    if (memory == MAP_FAILED) return "cannot map the memory";
    memory_ = static_cast<uint8_t*>(memory);
    bytes_ = bytes;
    case_ = MakePeer(c, memory_ + src, memory_ + dst);
    return case_ == nullptr ? "cannot: there is no operator for it" : "ready " + case_->Info();
  }

  void Forget() {
    case_.reset();
    if (memory_ != nullptr) munmap(memory_, bytes_);
    memory_ = nullptr;
  }

  double Now() const {
    timespec now;
    clock_gettime(clock_, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
  }

  const clockid_t clock_;
  uint8_t* memory_ = nullptr;
  size_t bytes_ = 0;
  std::unique_ptr<Runnable> case_;
};

int Serve() {
  FILE* const in = fdopen(kPeerSocket, "r");
  FILE* const out = fdopen(dup(kPeerSocket), "w");
  if (in == nullptr || out == nullptr) {
    std::fprintf(stderr, "This program is one of those that tools/bench --peers starts.\n");
    return 2;
  }
  const int threads = Threads();
  const PeerInfo info = InitializePeer(threads, Environment("DNNSPEC_PEER_ISA"));
  if (!info.absent.empty()) {
    std::fprintf(out, "absent %s\n", info.absent.c_str());
    return std::fflush(out) == 0 ? 0 : 1;
  }
  std::fprintf(out, "peer %s %s %s\n", info.name.c_str(), info.version.c_str(),
               info.instructions.c_str());
  std::fflush(out);
  Server server(threads);
  std::string request;
  for (int c; (c = std::fgetc(in)) != EOF;) {
    if (c != '\n') {
      request.push_back(static_cast<char>(c));
      continue;
    }
    std::fprintf(out, "%s\n", server.Answer(request).c_str());
    std::fflush(out);
    request.clear();
  }
  return 0;
}

}  // namespace
}  // namespace bench

int main() { return bench::Serve(); }
