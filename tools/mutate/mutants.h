// Mutants: small textual changes that make a source file wrong on purpose.
//
// A mutant file is text, blocks separated by blank lines, '#' starts a comment line:
//
//   mutant shuffle-axis-off-by-one
//   kills SHU-020
//   file impl_cpu/shuffle/plan.cc
//   why the group is taken for the number of groups
//   find dims[axis] / group_size
//   make group_size
//
// `find` must occur exactly once in the file, unless `near TEXT` names a text that occurs once
// before it: then the first occurrence after that text is meant. An expression becomes
// (On(n) ? (make) : (find)). With `statements` as a line of its own, whole statements become
// if (On(n)) { make } else { find }; they must not declare what later code uses. Both texts may go
// on over several lines, each further one starting with '|'.
// All mutants are compiled into one library; one of them, or none, is active at a time.
#ifndef DNNSPEC_TOOLS_MUTATE_MUTANTS_H_
#define DNNSPEC_TOOLS_MUTATE_MUTANTS_H_

#include <map>
#include <string>
#include <vector>

namespace mutate {

struct Mutant {
  std::string name;
  std::vector<std::string> kills;  // ids of requirements, one at least; any of them may kill it
  std::string file;                // from the repository's root
  std::string why;
  std::string near, find, make;
  bool statements = false;
  std::string origin;  // "file:line", for messages
};

// Appends the mutants of `text`; returns "" or "origin:line: what is wrong".
std::string ParseMutants(const std::string& origin, const std::string& text,
                         std::vector<Mutant>* mutants);

// `source` with every mutant of `file` compiled in. A mutant's number is its place in `mutants`,
// from 1. Several mutants of one text become one chain. Returns "" or what is wrong.
std::string Apply(const std::vector<Mutant>& mutants, const std::string& file, std::string source,
                  std::string* mutated);

// Redirects quoted includes, and Highway's HWY_TARGET_INCLUDE, of `mirrored` files to their copies
// below `prefix`.
std::string Redirect(const std::string& source, const std::map<std::string, std::string>& mirrored);

}  // namespace mutate

#endif  // DNNSPEC_TOOLS_MUTATE_MUTANTS_H_
