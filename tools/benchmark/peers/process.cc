#include "tools/benchmark/peers/process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "tools/benchmark/cases.h"
#include "tools/benchmark/peers/request.h"

namespace bench {
namespace {

constexpr int kPatienceMs = 120000;

// Out of the way of the descriptors that the program is started with.
int Above(int fd) {
  const int moved = fcntl(fd, F_DUPFD_CLOEXEC, 10);
  close(fd);
  return moved;
}

bool Spawn(const std::string& program, int socket, int memory, pid_t* process) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, socket, kPeerSocket);
  posix_spawn_file_actions_adddup2(&actions, memory, kPeerMemory);
  char* const arguments[] = {const_cast<char*>(program.c_str()), nullptr};
  const int error = posix_spawn(process, program.c_str(), &actions, nullptr, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  return error == 0;
}

// An element as a number, and as its place among the numbers of its type.
struct Value {
  double number;
  int64_t place;
};

int64_t InOrder(int64_t bits, int64_t sign) { return bits & sign ? sign - bits : bits; }

Value ValueOf(const std::string& type, const uint8_t* at) {
  if (type == "f32") {
    float number;
    int32_t bits;
    std::memcpy(&number, at, 4);
    std::memcpy(&bits, at, 4);
    return {number, InOrder(static_cast<uint32_t>(bits), int64_t{1} << 31)};
  }
  if (type == "s32") {
    int32_t number;
    std::memcpy(&number, at, 4);
    return {static_cast<double>(number), number};
  }
  if (SizeOf(type) == 2) {
    uint16_t bits;
    std::memcpy(&bits, at, 2);
    return {static_cast<double>(bits), InOrder(bits, 1 << 15)};
  }
  const int number = type == "s8" ? static_cast<int8_t>(*at) : *at;
  return {static_cast<double>(number), number};
}

}  // namespace

std::unique_ptr<Peer> Peer::Start(const std::string& program, int memory, std::string* why) {
  std::unique_ptr<Peer> peer(new Peer);
  int sockets[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0) std::abort();
  peer->socket_ = Above(sockets[0]);
  const int theirs = Above(sockets[1]);
  const bool started = Spawn(program, theirs, memory, &peer->process_);
  close(theirs);
  std::string word;
  std::istringstream hello(started ? peer->Receive() : "");
  hello >> word;
  if (word == "peer") {
    hello >> peer->name_ >> peer->version_ >> peer->instructions_;
    return peer;
  }
  std::getline(hello >> std::ws, *why);
  if (word != "absent") *why = program + " does not start";
  return nullptr;
}

Peer::~Peer() { End(); }

void Peer::End() {
  if (socket_ >= 0) close(socket_);
  socket_ = -1;
  if (process_ <= 0) return;
  // It waits for a request, or for nothing more that is of use.
  kill(process_, SIGKILL);
  waitpid(process_, nullptr, 0);
  process_ = -1;
}

std::string Peer::Receive() {
  std::string line;
  for (char c = 0; socket_ >= 0;) {
    pollfd readable = {socket_, POLLIN, 0};
    if (poll(&readable, 1, kPatienceMs) != 1 || read(socket_, &c, 1) != 1) break;
    if (c == '\n') return line;
    line.push_back(c);
  }
  End();
  return "";
}

std::string Peer::Ask(const std::string& request) {
  if (ended()) return "";
  const std::string line = request + "\n";
  if (send(socket_, line.data(), line.size(), MSG_NOSIGNAL) != static_cast<ssize_t>(line.size()))
    End();
  return Receive();
}

bool Peer::Begin(const Case& c, size_t src, size_t dst, size_t bytes) {
  std::ostringstream request;
  request << "case " << src << ' ' << dst << ' ' << bytes << ' ' << ToText(c);
  return Ask(request.str()).compare(0, 5, "ready") == 0;
}

double Peer::Run(int64_t calls) {
  const std::string answer = Ask("run " + std::to_string(calls));
  char* end = nullptr;
  const double seconds = std::strtod(answer.c_str(), &end);
  return answer.empty() || *end != 0 ? std::numeric_limits<double>::infinity() : seconds;
}

Peers::Peers() : memory_(Above(memfd_create("operands", MFD_CLOEXEC))) {
  if (memory_ < 0) std::abort();
}

Peers::~Peers() { close(memory_); }

std::string Peers::Add(const std::string& program) {
  std::string why;
  auto peer = Peer::Start(program, memory_, &why);
  if (peer != nullptr) all_.push_back(std::move(peer));
  return why;
}

uint8_t* Peers::Map(size_t bytes) {
  if (ftruncate(memory_, static_cast<off_t>(bytes)) != 0) std::abort();
  void* const memory =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, memory_, 0);
  if (memory == MAP_FAILED) std::abort();
  return static_cast<uint8_t*>(memory);
}

void Peers::Unmap(uint8_t* memory, size_t bytes) { munmap(memory, bytes); }

std::string Difference(const Case& c, const uint8_t* expected, const uint8_t* got) {
  const auto bytes = static_cast<size_t>(c.dst.span_bytes());
  if (std::memcmp(expected, got, bytes) == 0) return "";
  const std::string& type = c.dst.type;
  const bool arithmetic = c.scale_mask >= 0 || c.sum || c.src_zero != 0 || c.dst_zero != 0;
  const bool floating = type == "f32" || SizeOf(type) == 2;
  const int64_t tolerance = !arithmetic ? 0 : floating ? 2 : 1;
  const auto size = static_cast<size_t>(SizeOf(type));
  for (size_t at = 0; at + size <= bytes; at += size) {
    const Value want = ValueOf(type, expected + at), have = ValueOf(type, got + at);
    if (std::abs(want.place - have.place) <= tolerance) continue;
    std::ostringstream text;
    text << "element " << at / size << " is " << have.number << ", not " << want.number;
    return text.str();
  }
  return "";
}

}  // namespace bench
