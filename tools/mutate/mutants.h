// Mutants: small textual changes that make a source file wrong on purpose.
//
// A mutant file is text, blocks separated by blank lines, '#' starts a comment line:
//
//   area group and inverse
//
//   mutant shuffle-axis-off-by-one
//   kills SHU-020
//   file impl_cpu/shuffle/plan.cc
//   why the group is taken for the number of groups
//   find dims[axis] / group_size
//   make group_size
//
// `area` says what the mutants below it are wrong in, up to the next one. `allowed A-28` names what
// leaves open what the mutant does: it is killed where the project's reading is asked for, and
// there only. `isa >=AVX3`, `isa <=AVX2` or `isa >=AVX2 <=AVX2` says which instruction sets compile
// the text, by Highway's names, AMX or AVX3_ZEN4; without, all do. `file` may be a folder, with '/'
// at its end: then one file there holds the text. `when CONDITION` says where the fault is:
// elsewhere the code stays as it is. `find` must occur exactly once in the file, unless `near TEXT`
// names a text that occurs once before it: then the first occurrence after that text is meant. An
// expression becomes (On(n) ? (make) : (find)), so a list of arguments will not do. With
// `statements` as a line of its own, whole statements become if (On(n)) { make } else { find };
// they must not declare what later code uses. All three texts may go on over several lines, each
// further one starting with '|'. A fault in two places: `and` as a line of its own begins a further
// file, near, when, find and make of the same mutant; the file is the one before unless named.
// `make` may use what active.h offers. All mutants are compiled into one library; one of them, or
// none, is active at a time. The place of one that is allowed asks Comes(n), so that it is known
// who comes to it.
#ifndef DNNSPEC_TOOLS_MUTATE_MUTANTS_H_
#define DNNSPEC_TOOLS_MUTATE_MUTANTS_H_

#include <map>
#include <set>
#include <string>
#include <vector>

namespace mutate {

struct Mutant {
  std::string name;
  std::string area;
  std::vector<std::string> kills;  // requirements, the first may be a property: "OPT-045/long"
  std::string allowed;  // what leaves it open: a reading or a requirement; "" if nothing does
  std::string isa;      // which instruction sets its code is for; "" for all
  std::string file;     // from the repository's root
  std::string why;
  std::string when;  // the condition under which it is wrong; "" for always
  std::string near, find, make;
  bool statements = false;
  int number = 0;        // from 1, as in the table
  bool further = false;  // not the first place of its mutant
  std::string origin;    // "file:line", for messages
};

// Appends the mutants of `text`, one for each place; returns "" or "origin:line: what is wrong".
std::string ParseMutants(const std::string& origin, const std::string& text,
                         std::vector<Mutant>* mutants);

// `source` with every mutant of `file` compiled in. Several mutants of one text become one chain.
// Returns "" or what is wrong: a line for each mutant whose text is not found.
std::string Apply(const std::vector<Mutant>& mutants, const std::string& file, std::string source,
                  std::string* mutated);

// A `file` that ends in '/' stands for the one file of that folder that holds its text: so that
// code may move. Writes which one it is; `texts` maps names to contents. Returns "" or what is
// wrong, as Apply does.
std::string Settle(const std::map<std::string, std::string>& texts, std::vector<Mutant>* mutants);

// The files that a mutant is in, or that include one of these, at any distance: names from `texts`,
// which maps what a file is included as to its text. Several names may stand for one text.
std::set<std::string> Affected(const std::vector<Mutant>& mutants,
                               const std::map<std::string, std::string>& texts);

// Redirects quoted includes, and Highway's HWY_TARGET_INCLUDE, of `mirrored` files to their copies
// below `prefix`.
std::string Redirect(const std::string& source, const std::map<std::string, std::string>& mirrored);

}  // namespace mutate

#endif  // DNNSPEC_TOOLS_MUTATE_MUTANTS_H_
