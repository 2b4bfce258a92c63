// Reads a problem descriptor of benchdnn, as `g32mb1ic128ih56oc128oh56kh3ph1n"stage2"`.
#ifndef DNNSPEC_CONFORMANCE_CLI_PROBLEM_H_
#define DNNSPEC_CONFORMANCE_CLI_PROBLEM_H_

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace conformance {

struct Problem {
  std::map<std::string, int64_t> numbers;  // of the keys that are there
  std::string name;                        // what is behind `n`, without quotes; may be ""
  std::string error;                       // what is wrong with the text; then nothing else counts

  bool Has(const std::string& key) const { return numbers.count(key) > 0; }
  // `usual` where it is not there.
  int64_t Get(const std::string& key, int64_t usual) const;
};

// Numbers of up to 2^20 behind these keys, each key once at most and in any order, then the name,
// which may be left out. `_` between numbers means nothing. No key begins with n.
Problem ReadProblem(std::string_view text, const std::vector<std::string>& keys);

// What `text` begins with could be meant for one: a key and a digit.
bool LooksLikeAProblem(std::string_view text, const std::vector<std::string>& keys);

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_CLI_PROBLEM_H_
