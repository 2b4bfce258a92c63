// Words in a row, as messages have them.
#ifndef DNNSPEC_CONFORMANCE_CLI_WORDS_H_
#define DNNSPEC_CONFORMANCE_CLI_WORDS_H_

#include <string>
#include <vector>

namespace conformance {

// "relu, tanh, elu".
inline std::string ListOf(const std::vector<std::string>& words) {
  std::string list;
  for (const std::string& word : words) list += (list.empty() ? "" : ", ") + word;
  return list;
}

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_CLI_WORDS_H_
