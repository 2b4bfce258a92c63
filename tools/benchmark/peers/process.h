// The programs of peers, from the side of the benchmark: each runs cases with another library, in a
// process of its own, on memory that all share.
#ifndef DNNSPEC_TOOLS_BENCHMARK_PEERS_PROCESS_H_
#define DNNSPEC_TOOLS_BENCHMARK_PEERS_PROCESS_H_

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "tools/benchmark/cases.h"

namespace bench {

class Peer {
 public:
  // Starts `program`, which inherits the environment and the file of `memory`. Null, and why, if it
  // does not start or has no library.
  static std::unique_ptr<Peer> Start(const std::string& program, int memory, std::string* why);
  ~Peer();
  Peer(const Peer&) = delete;
  Peer& operator=(const Peer&) = delete;

  const std::string& name() const { return name_; }
  const std::string& version() const { return version_; }
  // The best that it uses, as it says: SSE4, AVX2, AVX512 or unknown.
  const std::string& instructions() const { return instructions_; }

  // Sets up `c` with its operands at these offsets of the memory, `bytes` long. False: there is no
  // operator for it.
  bool Begin(const Case& c, size_t src, size_t dst, size_t bytes);

  // Seconds that so many executions took; infinity if the program has ended, which it is told to
  // where it does not answer within minutes.
  double Run(int64_t calls);
  bool ended() const { return socket_ < 0; }

 private:
  Peer() = default;
  std::string Ask(const std::string& request);
  std::string Receive();
  void End();

  int socket_ = -1;
  pid_t process_ = -1;
  std::string name_, version_, instructions_;
};

// All peers of a run, and the memory that they and the benchmark share.
class Peers {
 public:
  Peers();
  ~Peers();
  Peers(const Peers&) = delete;
  Peers& operator=(const Peers&) = delete;

  // Empty if it has started; else why it is not there.
  std::string Add(const std::string& program);

  // So many bytes, the same in every process, until Unmap.
  uint8_t* Map(size_t bytes);
  static void Unmap(uint8_t* memory, size_t bytes);

  const std::vector<std::unique_ptr<Peer>>& all() const { return all_; }

 private:
  int memory_;
  std::vector<std::unique_ptr<Peer>> all_;
};

// Where a peer's result is not that of ours, which is `expected`: the first element and both
// values; empty where it is. Values that were only moved or converted must be equal, others within
// a unit of integers and two units in the last place of floating point.
std::string Difference(const Case& c, const uint8_t* expected, const uint8_t* got);

}  // namespace bench

#endif  // DNNSPEC_TOOLS_BENCHMARK_PEERS_PROCESS_H_
