// Judges one mutant by the properties of the requirements that it breaks.
#ifndef DNNSPEC_CONFORMANCE_MUTANTS_HUNT_H_
#define DNNSPEC_CONFORMANCE_MUTANTS_HUNT_H_

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "conformance/harness/judge.h"
#include "conformance/harness/property.h"
#include "conformance/harness/sheet.h"

namespace conformance {

// What became of a mutant.
struct Fate {
  int number = 0;  // in mutants::kEntries
  std::vector<std::string>
      killers;        // names of properties; the first one, unless all were asked for
  Failure failure;    // of the first one
  int64_t cases = 0;  // all that it took
  double seconds = 0;

  // A property that fails, and without the mutant too: then it proves nothing.
  std::string unfounded;

  // A property that fails in the portable profile although what the mutant does is allowed.
  std::string unjust;

  // Why this machine cannot run the code that it is in: then it was not judged.
  std::string beyond;
  // The best instruction set that it was judged with, where that is not the best of the machine.
  std::string cap;

  bool killed() const { return !killers.empty() && unfounded.empty() && unjust.empty(); }
};

class Hunt {
 public:
  // `conduct`: how properties are run; a property ends at the first failure.
  Hunt(std::vector<const Property*> properties, const Conduct& conduct);

  // Whether there is an engine to judge on.
  bool HasEngine();

  // Number 0 has no fault: killers are properties that fail for no reason. With `all`, every
  // property judges the mutant, and not only those of its requirements. A mutant that is allowed
  // has to pass all of them in the portable profile. One that this machine does not run is left.
  Fate Run(int number, bool all);

 private:
  void AskPortably(int number, Fate* fate);
  PropertyResult Try(int number, const Property& property, int64_t cases);
  PropertyResult Try(int number, const Property& property, Conduct conduct);
  bool HoldsWithout(const Property& property, int64_t cases);
  void Judge(bool all, Fate* fate);

  const std::vector<const Property*> properties_;
  const Conduct conduct_;
  Sheet* const sheet_;
  // The targets that may be used, as bits of Highway, and the cap of what is judged now.
  const int64_t usable_;
  std::string cap_;
  // How many of its first cases a property, under a cap, was seen to hold for without any mutant.
  std::map<std::pair<std::string, std::string>, int64_t> sound_;
};

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_MUTANTS_HUNT_H_
