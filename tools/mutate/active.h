// Which mutant is active in a library that mutate made: 0 for none.
#ifndef DNNSPEC_TOOLS_MUTATE_ACTIVE_H_
#define DNNSPEC_TOOLS_MUTATE_ACTIVE_H_

namespace mutants {

// Set before the library is used, in a process of its own for each mutant.
extern int active;

inline bool On(int number) { return number == active; }

struct Entry {
  const char* name;
  const char* kills;  // ids of requirements, separated by blanks
  const char* file;
  const char* why;
};

// kEntries[1] to kEntries[kCount]; number 0 is the library without a fault.
extern const Entry kEntries[];
extern const int kCount;

}  // namespace mutants

#endif  // DNNSPEC_TOOLS_MUTATE_ACTIVE_H_
