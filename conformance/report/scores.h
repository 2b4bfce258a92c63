// Reads which mutants the suite killed, by requirement: mutants.json of conformance/mutants.
#ifndef DNNSPEC_CONFORMANCE_REPORT_SCORES_H_
#define DNNSPEC_CONFORMANCE_REPORT_SCORES_H_

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace conformance {

struct ScoredMutant {
  std::string name, why;  // why: what is wrong with it
  bool killed = false;
  std::string killers;  // the properties that noticed it
};

// By the id of each requirement that a mutant breaks; a mutant may break several.
using Scores = std::map<std::string, std::vector<ScoredMutant>, std::less<>>;

// Adds what the file says; the parts of a sharded run are several files. Returns one line that says
// what is wrong with the text, or nothing. `name` is for messages.
std::string AddScores(std::string_view text, std::string_view name, Scores* scores);

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_REPORT_SCORES_H_
