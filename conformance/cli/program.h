// Runs another program and waits for it.
#ifndef DNNSPEC_CONFORMANCE_CLI_PROGRAM_H_
#define DNNSPEC_CONFORMANCE_CLI_PROGRAM_H_

#include <string>
#include <vector>

namespace conformance {

struct Ended {
  int status = -1;  // exit status, 128 + signal, or 127 when it did not start
  std::string out;  // what it wrote, where that was asked for: stdout and stderr together
};

// With this program's stdin, stdout and stderr.
Ended RunProgram(const std::vector<std::string>& arguments);

// With its output kept.
Ended AskProgram(const std::vector<std::string>& arguments);

// From now on hangups, interrupts and requests to end go to the program that runs, too.
void PassSignalsOn();

// Whether one came.
bool Stopped();

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_CLI_PROGRAM_H_
