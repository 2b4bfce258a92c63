#include "conformance/cli/program.h"

#include <errno.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "conformance/case/printable.h"

namespace conformance {
namespace {

// Read and written by the handler of signals.
volatile sig_atomic_t g_child = 0, g_stopped = 0;

// `output` replaces stdout and stderr unless it is negative.
pid_t Start(const std::vector<std::string>& arguments, int output) {
  std::vector<char*> words;
  for (const std::string& argument : arguments)
    words.push_back(const_cast<char*>(argument.c_str()));
  words.push_back(nullptr);
  std::fflush(nullptr);
  const pid_t parent = getpid();
  const pid_t process = fork();
  if (process != 0) {
    g_child = process;
    // One that came before the line above.
    if (g_stopped != 0 && process > 0) kill(process, g_stopped);
    return process;
  }
  for (const int number : {SIGHUP, SIGINT, SIGTERM}) signal(number, SIG_DFL);
  // When this program is killed, a run ends with what there is.
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (getppid() != parent) std::_Exit(127);
  if (output >= 0) {
    dup2(output, STDOUT_FILENO);
    dup2(output, STDERR_FILENO);
    close(output);
  }
  execv(words[0], words.data());
  const std::string why = std::strerror(errno);
  std::fprintf(stderr, "%s\n", Printable(arguments[0] + ": " + why).c_str());
  std::_Exit(127);
}

int Wait(pid_t process) {
  int status = 0;
  while (waitpid(process, &status, 0) < 0)
    if (errno != EINTR) return 127;
  g_child = 0;
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace

void PassSignalsOn() {
  struct sigaction action = {};
  action.sa_handler = [](int number) {
    g_stopped = number;
    if (g_child > 0) kill(g_child, number);
  };
  for (const int number : {SIGHUP, SIGINT, SIGTERM}) sigaction(number, &action, nullptr);
}

bool Stopped() { return g_stopped != 0; }

Ended RunProgram(const std::vector<std::string>& arguments) {
  const pid_t process = Start(arguments, -1);
  if (process < 0) return {127, ""};
  return {Wait(process), ""};
}

Ended AskProgram(const std::vector<std::string>& arguments) {
  int ends[2];
  if (pipe(ends) != 0) return {127, std::strerror(errno)};
  const pid_t process = Start(arguments, ends[1]);
  close(ends[1]);
  Ended ended;
  char bytes[4096];
  while (process > 0) {
    const ssize_t size = read(ends[0], bytes, sizeof(bytes));
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) break;
    ended.out.append(bytes, static_cast<size_t>(size));
  }
  close(ends[0]);
  ended.status = process < 0 ? 127 : Wait(process);
  return ended;
}

}  // namespace conformance
