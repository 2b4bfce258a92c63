// Names signals.
#ifndef DNNSPEC_CONFORMANCE_JUDGE_SIGNAL_NAMES_H_
#define DNNSPEC_CONFORMANCE_JUDGE_SIGNAL_NAMES_H_

#include <string>

namespace conformance {

// "SIGSEGV"; "signal 40" where the C library has no name.
std::string NameOfSignal(int number);

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_JUDGE_SIGNAL_NAMES_H_
