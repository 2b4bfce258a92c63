// Opens a plug-in, lets several threads work with it, closes it, and looks whether anything is
// left: again and again, as a program that reloads plug-ins does.
//
//   host PLUGIN.so ROUNDS
//
// Exits with status 1 if a result is wrong or a round leaves threads behind.
#include <dlfcn.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

namespace {

constexpr int kThreads = 4;
// By then all that is made once has been made.
constexpr int kFirstRounds = 2;

int ThreadsOfThisProcess() {
  return static_cast<int>(std::distance(std::filesystem::directory_iterator("/proc/self/task"),
                                        std::filesystem::directory_iterator()));
}

bool Round(const char* plugin) {
  void* const library = dlopen(plugin, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    std::cerr << "host: " << dlerror() << "\n";
    return false;
  }
  const auto work = reinterpret_cast<int (*)(int)>(dlsym(library, "Work"));
  std::atomic<int> bad{work == nullptr ? 1 : 0};
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads && work != nullptr; ++i) {
    threads.emplace_back([&bad, work, i] {
      if (work(i == 0) != 0) ++bad;
    });
  }
  for (std::thread& thread : threads) thread.join();
  dlclose(library);
  // Workers that are still in code that is gone crash now.
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  return bad == 0;
}

}  // namespace

int main(int argc, char** argv) {
  const int rounds = argc == 3 ? std::atoi(argv[2]) : 0;
  if (rounds <= kFirstRounds) {
    std::cerr << "usage: host PLUGIN.so ROUNDS (more than " << kFirstRounds << ")\n";
    return 2;
  }
  int first = 0;
  for (int round = 1; round <= rounds; ++round) {
    if (!Round(argv[1])) {
      std::cerr << "host: round " << round << ": wrong results\n";
      return 1;
    }
    if (round == kFirstRounds) first = ThreadsOfThisProcess();
  }
  const int last = ThreadsOfThisProcess();
  std::cout << rounds << " rounds, " << first << " threads after " << kFirstRounds << ", " << last
            << " at the end\n";
  return last <= first ? 0 : 1;
}
