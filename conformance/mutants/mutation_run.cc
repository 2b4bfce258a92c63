#include "conformance/mutants/mutation_run.h"

#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <utility>

#include "conformance/mutants/reach.h"
#include "tools/mutate/active.h"

namespace conformance {
namespace {

// Most mutants fall within so many cases of one of their properties. All of them get these first.
constexpr int64_t kQuick = 200;

// What a property of the portable profile gets to find fault with what is allowed.
constexpr int64_t kFair = 25;

constexpr char kCap[] = "DNNSPEC_MAX_ISA";

// Sets the cap of all that is started meanwhile; "" leaves it.
class Capped {
 public:
  explicit Capped(const std::string& cap) : sets_(!cap.empty()) {
    const char* const before = std::getenv(kCap);
    had_ = before != nullptr;
    if (had_) before_ = before;
    if (sets_) setenv(kCap, cap.c_str(), 1);
  }
  ~Capped() {
    if (!sets_) return;
    had_ ? setenv(kCap, before_.c_str(), 1) : unsetenv(kCap);
  }
  Capped(const Capped&) = delete;
  Capped& operator=(const Capped&) = delete;

 private:
  const bool sets_;
  bool had_ = false;
  std::string before_;
};

// What children write into and the parent reads: a flag for each number of a mutant.
std::atomic<bool>* MapFlags() {
  const size_t bytes = sizeof(std::atomic<bool>) * (static_cast<size_t>(mutants::kCount) + 1);
  void* const memory =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory != MAP_FAILED) return static_cast<std::atomic<bool>*>(memory);
  std::perror("mutants: mmap");
  std::exit(2);
}

// Whether a property is of a requirement that `kills` names: "OPT-045/long" names OPT-045.
bool Owns(const std::string& kills, const Property& property) {
  std::istringstream in(kills);
  for (std::string name; in >> name;)
    if (name.substr(0, name.find('/')) == property.requirement().id) return true;
  return false;
}

}  // namespace

MutationRun::MutationRun(std::vector<const Property*> properties, const RunOptions& run_options,
                         Question question)
    : properties_(std::move(properties)),
      run_options_(run_options),
      question_(question),
      state_(SharedRunState::Map()),
      usable_(UsableTargets(std::getenv(kCap))) {}

bool MutationRun::Takes(int number) const {
  const mutants::Entry& entry = mutants::kEntries[number];
  if (number == 0 || question_ == Question::kBoth) return true;
  if (question_ == Question::kFair) return *entry.allowed != '\0';
  const std::string kills = entry.kills;
  const std::string first = kills.substr(0, kills.find(' '));
  return std::any_of(properties_.begin(), properties_.end(),
                     [&](const Property* property) { return property->name() == first; });
}

bool MutationRun::HasEngine() {
  const std::string missing =
      std::string("no ") + (run_options_.engine == EngineChoice::kGpu ? "GPU" : "CPU") + " engine";
  for (int number = 1; number <= mutants::kCount; ++number) {
    for (const Property* property : properties_) {
      if (!Owns(mutants::kEntries[number].kills, *property)) continue;
      return Try(0, *property, 1).reasons.count(missing) == 0;
    }
  }
  return true;
}

MutantResult MutationRun::Run(int number, bool all) {
  MutantResult mutant;
  mutant.number = number;
  mutant.question = question_;
  const Reach reach = ReachOf(mutants::kEntries[number].isa, usable_);
  mutant.beyond = reach.beyond;
  mutant.cap = cap_ = reach.cap;
  if (mutant.beyond.empty() && question_ != Question::kFair) Judge(all, &mutant);
  if (mutant.beyond.empty() && question_ != Question::kKilled && mutant.good())
    AskPortably(number, &mutant);
  cap_.clear();
  return mutant;
}

void MutationRun::Judge(bool all, MutantResult* mutant) {
  const int number = mutant->number;
  std::vector<const Property*> owners;
  for (const Property* property : properties_)
    if (all || Owns(mutants::kEntries[number].kills, *property)) owners.push_back(property);
  for (const int64_t cases : {kQuick, run_options_.cases}) {
    std::vector<const Property*> left;
    for (const Property* property : owners) {
      const PropertyResult result = Try(number, *property, cases);
      mutant->seconds += result.seconds;
      mutant->cases += result.cases;
      if (result.of(CaseResult::kFailed) == 0) {
        left.push_back(property);
        continue;
      }
      const std::string name = property->name();
      if (number > 0 && !HoldsWithout(*property, result.cases)) {
        mutant->unfounded = name;
        if (!result.failures.empty()) mutant->failure = result.failures[0];
        return;
      }
      mutant->killers.push_back(name);
      if (mutant->killers.size() == 1 && !result.failures.empty())
        mutant->failure = result.failures[0];
      if (!all) return;
    }
    owners = std::move(left);
  }
}

void MutationRun::AskPortably(int number, MutantResult* mutant) {
  if (*mutants::kEntries[number].allowed == '\0' || run_options_.profile == Profile::kPortable)
    return;
  RunOptions run_options = run_options_;
  run_options.profile = Profile::kPortable;
  if (run_options.cases == 0) run_options.cases = kFair;
  for (const Property* property : properties_) {
    if (!ComesTo(number, *property, run_options, mutant)) continue;
    ++mutant->judges;
    const PropertyResult result = Try(number, *property, run_options);
    mutant->seconds += result.seconds;
    mutant->cases += result.cases;
    if (result.of(CaseResult::kFailed) == 0) continue;
    mutant->unjust = property->name();
    if (!result.failures.empty()) mutant->failure = result.failures[0];
    return;
  }
}

bool MutationRun::ComesTo(int number, const Property& property, const RunOptions& run_options,
                          MutantResult* mutant) {
  const auto [known, is_new] = places_.try_emplace({property.name(), cap_});
  std::vector<bool>& places = known->second;
  if (is_new) {
    if (mutants::come == nullptr) mutants::come = MapFlags();
    for (int i = 0; i <= mutants::kCount; ++i) mutants::come[i] = false;
    const PropertyResult result = Try(mutants::kWatching, property, run_options);
    mutant->seconds += result.seconds;
    // One that fails ends early: who knows what it would have come to.
    const bool ended = result.of(CaseResult::kFailed) > 0;
    for (int i = 0; i <= mutants::kCount; ++i) places.push_back(ended || mutants::come[i]);
  }
  return places[static_cast<size_t>(number)];
}

PropertyResult MutationRun::Try(int number, const Property& property, int64_t cases) {
  RunOptions run_options = run_options_;
  run_options.cases = cases;
  return Try(number, property, run_options);
}

PropertyResult MutationRun::Try(int number, const Property& property, RunOptions run_options) {
  run_options.enough = 1;
  run_options.deaths = 1;
  run_options.hangs = 1;
  // This process never calls the subject: a child starts with this mutant and no other.
  mutants::active = number;
  const Capped capped(cap_);
  PropertyResult result = conformance::Judge(property, run_options, state_);
  mutants::active = 0;
  return result;
}

bool MutationRun::HoldsWithout(const Property& property, int64_t cases) {
  int64_t& sound = sound_[{property.name(), cap_}];
  if (cases <= sound) return true;
  if (Try(0, property, cases).of(CaseResult::kFailed) > 0) return false;
  sound = cases;
  return true;
}

}  // namespace conformance
