// Guesses which flag a person meant who mistyped it.
#ifndef DNNSPEC_CONFORMANCE_CLI_NEAREST_H_
#define DNNSPEC_CONFORMANCE_CLI_NEAREST_H_

#include <string>
#include <string_view>
#include <vector>

namespace conformance {

// The one of `known` that is `word` but for two letters at most (one more, one less, another one,
// two that changed places), or that begins with it; "" if there is none.
std::string Nearest(std::string_view word, const std::vector<std::string>& known);

// "unknown flag '--case-s' (did you mean --cases? --help lists the flags)".
std::string UnknownFlag(std::string_view flag, const std::vector<std::string>& known);

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_CLI_NEAREST_H_
