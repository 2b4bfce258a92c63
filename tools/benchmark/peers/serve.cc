// The program of a peer: answers the benchmark's requests (request.h) with what the library can do.
// With arguments COUNT and CASE, as ToText writes it, it executes that so often and nothing else,
// for tools that count instructions.

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "tools/benchmark/cases.h"
#include "tools/benchmark/peers/peer.h"
#include "tools/benchmark/peers/request.h"
#include "tools/benchmark/subject.h"

namespace bench {

// What tools/benchmark/peers/count counts the instructions of.
[[gnu::noinline]] void Repeat(Runnable* runnable, int64_t count) {
  for (int64_t i = 0; i < count; ++i) runnable->Run();
}

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
    Repeat(case_.get(), count);
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

int Execute(int64_t count, const std::string& text) {
  const PeerInfo info = InitializePeer(Threads(), Environment("DNNSPEC_PEER_ISA"));
  Case c;
  if (!info.absent.empty() || !FromText(text, &c)) {
    std::fprintf(stderr, "%s\n", info.absent.empty() ? "no case" : info.absent.c_str());
    return 2;
  }
  std::vector<uint8_t> src(static_cast<size_t>(c.src.span_bytes()) + 64);
  std::vector<uint8_t> dst(static_cast<size_t>(c.dst.span_bytes()) + 64);
  const auto runnable = MakePeer(c, src.data(), dst.data());
  if (runnable == nullptr) {
    std::fprintf(stderr, "there is no operator for the case\n");
    return 1;
  }
  runnable->Run();
  Repeat(runnable.get(), count);
  return 0;
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  return argc == 3 ? bench::Execute(std::atoll(argv[1]), argv[2]) : bench::Serve();
}
