// Judges one mutant by the properties of the requirements that it breaks.
#ifndef DNNSPEC_CONFORMANCE_MUTANTS_MUTATION_RUN_H_
#define DNNSPEC_CONFORMANCE_MUTANTS_MUTATION_RUN_H_

#include <atomic>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "conformance/case/property.h"
#include "conformance/judge/judge.h"
#include "conformance/judge/shared_state.h"

namespace conformance {

// What is asked of mutants: whether they are killed, and whether the portable profile lets be what
// the documents allow.
enum class Question { kBoth, kKilled, kFair };

// What became of a mutant.
struct MutantResult {
  int number = 0;  // in mutants::kEntries
  Question question = Question::kBoth;
  std::vector<std::string>
      killers;        // names of properties; the first one, unless all were asked for
  Failure failure;    // of the first one
  int64_t cases = 0;  // all that it took
  double seconds = 0;
  int judges = 0;  // properties that judged it in the portable profile, as they come to its place

  // A property that fails, and without the mutant too: then it proves nothing.
  std::string unfounded;

  // A property that fails in the portable profile although what the mutant does is allowed.
  std::string unjust;

  // Why this machine cannot run the code that it is in: then it was not judged.
  std::string beyond;
  // The best instruction set that it was judged with, where that is not the best of the machine.
  std::string cap;

  // Whether it has the answers that it should.
  bool good() const {
    return (question == Question::kFair || !killers.empty()) && unfounded.empty() && unjust.empty();
  }
};

class MutationRun {
 public:
  // `run_options`: how properties are run; a property ends at the first failure.
  MutationRun(std::vector<const Property*> properties, const RunOptions& run_options,
              Question question);

  // Whether the question is asked of a mutant. kKilled is, where the property is that `kills` names
  // first: so programs of one topic each share the mutants out. kFair is of those that are allowed.
  bool Takes(int number) const;

  // Whether there is an engine to judge on.
  bool HasEngine();

  // Number 0 has no fault: killers are properties that fail for no reason. With `all`, every
  // property judges the mutant, and not only those of its requirements. A mutant that is allowed
  // has to pass all of them in the portable profile. One that this machine does not run is left.
  MutantResult Run(int number, bool all);

 private:
  void AskPortably(int number, MutantResult* mutant);
  // Those of a property's first cases that come to the place of a mutant that is allowed. Others
  // run with it as they do without.
  const std::vector<int64_t>& ComingTo(int number, const Property& property,
                                       const RunOptions& run_options, MutantResult* mutant);
  PropertyResult Try(int number, const Property& property, int64_t cases);
  PropertyResult Try(int number, const Property& property, RunOptions run_options);
  bool HoldsWithout(const Property& property, int64_t cases);
  void Judge(bool all, MutantResult* mutant);

  const std::vector<const Property*> properties_;
  const RunOptions run_options_;
  const Question question_;
  SharedRunState* const state_;
  // The targets that may be used, as bits of Highway, and the cap of what is judged now.
  const int64_t usable_;
  std::string cap_;
  // How many of its first cases a property, under a cap, was seen to hold for without any mutant.
  std::map<std::pair<std::string, std::string>, int64_t> sound_;
  // The cases of a property, under a cap, that come to the places of mutants, by number.
  std::map<std::pair<std::string, std::string>, std::map<int, std::vector<int64_t>>> coming_;
  // Shared with children: where a case notes whose places it comes to.
  std::atomic<bool>* come_ = nullptr;
};

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_MUTANTS_MUTATION_RUN_H_
