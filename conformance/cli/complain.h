// Prints what conform and its runners say of a request that they cannot serve.
#ifndef DNNSPEC_CONFORMANCE_CLI_COMPLAIN_H_
#define DNNSPEC_CONFORMANCE_CLI_COMPLAIN_H_

#include <string>

namespace conformance {

// One line on stderr; parts of files that are no text may stand in `text`. Gives 2, the exit
// status.
int Complain(const std::string& text);

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_CLI_COMPLAIN_H_
