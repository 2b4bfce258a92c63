#include "conformance/mutants/mutation_run.h"

#include <sys/mman.h>
#include <time.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <numeric>
#include <string_view>
#include <utility>

#include "conformance/case/fields.h"
#include "conformance/case/trial.h"
#include "conformance/mutants/kills.h"
#include "conformance/mutants/reach.h"
#include "tools/mutate/active.h"

namespace conformance {
namespace {

// Most mutants fall within so many cases of one of their properties. All of them get these first.
constexpr int64_t kQuick = 200;

// Of so many cases of each property those are sought that come to the place of what is allowed. So
// many of them, over all properties, are then run with it, and of each property no fewer than this.
constexpr int64_t kFair = 15, kFairOfAll = 500, kFairOfEach = 3;
// Of cases that take long, in seconds of a processor, it gets no more once it had so many.
constexpr double kFairSeconds = 0.5;
constexpr int64_t kFairOfLong = 2;

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

// What children write into and the parent reads: `count` flags.
std::atomic<bool>* MapFlags(size_t count) {
  void* const memory = mmap(nullptr, sizeof(std::atomic<bool>) * count, PROT_READ | PROT_WRITE,
                            MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory != MAP_FAILED) return static_cast<std::atomic<bool>*>(memory);
  std::perror("mutants: mmap");
  std::exit(2);
}

// Processor time of this process, which begins with 0 in a child.
double ProcessorSeconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// Some cases of another property, as far as there is time.
class CasesOf : public Property {
 public:
  CasesOf(const Property& all, std::vector<int64_t> cases)
      : Property(all.requirement(), VariantOf(all), {}, all.file()),
        all_(all),
        cases_(std::move(cases)) {}

  int64_t count() const override { return static_cast<int64_t>(cases_.size()); }
  void Run(uint64_t seed, int64_t index, Trial& trial) const override {
    if (index >= kFairOfLong && ProcessorSeconds() > kFairSeconds)
      return trial.NotRun("others took long");
    all_.Run(seed, cases_[static_cast<size_t>(index)], trial);
  }
  std::string Line(uint64_t seed, int64_t index) const override {
    return all_.Line(seed, cases_[static_cast<size_t>(index)]);
  }
  std::string RunFields(const Fields& fields, Trial& trial) const override {
    return all_.RunFields(fields, trial);
  }
  std::string Reprinted(const Fields& fields) const override { return all_.Reprinted(fields); }
  std::vector<std::string> Simpler(const Fields& fields) const override {
    return all_.Simpler(fields);
  }
  std::string Statements(const Fields& fields, Profile profile, std::string_view where,
                         std::string_view expected) const override {
    return all_.Statements(fields, profile, where, expected);
  }

 private:
  static std::string VariantOf(const Property& property) {
    const size_t slash = property.name().find('/');
    return slash == std::string::npos ? "" : property.name().substr(slash + 1);
  }

  const Property& all_;
  const std::vector<int64_t> cases_;
};

std::vector<int64_t> First(int64_t count) {
  std::vector<int64_t> cases(static_cast<size_t>(count));
  std::iota(cases.begin(), cases.end(), 0);
  return cases;
}

// At most `count` of them, evenly spread.
std::vector<int64_t> Some(const std::vector<int64_t>& cases, int64_t count) {
  const auto size = static_cast<int64_t>(cases.size());
  std::vector<int64_t> some = First(std::min(count, size));
  for (int64_t& each : some)
    each = cases[static_cast<size_t>(each * size / static_cast<int64_t>(some.size()))];
  return some;
}

// The first cases of a property, each noting whose places it comes to.
class Watched final : public CasesOf {
 public:
  // `come`: for each of the cases a flag for each number of a mutant.
  Watched(const Property& all, int64_t count, std::atomic<bool>* come)
      : CasesOf(all, First(count)), come_(come) {}

  void Run(uint64_t seed, int64_t index, Trial& trial) const override {
    mutants::come = come_ + index * (mutants::kCount + 1);
    CasesOf::Run(seed, index, trial);
  }

 private:
  std::atomic<bool>* const come_;
};

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
  const std::string first = NamesIn(entry).front();
  return std::any_of(properties_.begin(), properties_.end(),
                     [&](const Property* property) { return property->name() == first; });
}

bool MutationRun::HasEngine() {
  const std::string missing =
      std::string("no ") + (run_options_.engine == EngineChoice::kGpu ? "GPU" : "CPU") + " engine";
  for (int number = 1; number <= mutants::kCount; ++number) {
    for (const Property* property : properties_) {
      if (!Names(mutants::kEntries[number], *property)) continue;
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
    if (all || Names(mutants::kEntries[number], *property)) owners.push_back(property);
  // What is named as a property, and not as a requirement, is asked first.
  const std::vector<std::string> named = NamesIn(mutants::kEntries[number]);
  std::stable_partition(owners.begin(), owners.end(), [&named](const Property* property) {
    return std::find(named.begin(), named.end(), property->name()) != named.end();
  });
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
  run_options.cases = 0;
  std::vector<std::pair<const Property*, const std::vector<int64_t>*>> judges;
  for (const Property* property : properties_) {
    const auto& coming = ComingTo(number, *property, run_options, mutant);
    if (!coming.empty()) judges.emplace_back(property, &coming);
  }
  const int64_t of_each =
      run_options_.cases > 0
          ? run_options_.cases
          : std::max(kFairOfEach, kFairOfAll / std::max<int64_t>(1, std::size(judges)));
  for (const auto& [property, coming] : judges) {
    ++mutant->judges;
    const CasesOf some(*property, Some(*coming, of_each));
    const PropertyResult result = Try(number, some, run_options);
    mutant->seconds += result.seconds;
    mutant->cases += result.cases;
    if (result.of(CaseResult::kFailed) == 0) continue;
    mutant->unjust = property->name();
    if (!result.failures.empty()) mutant->failure = result.failures[0];
    return;
  }
}

const std::vector<int64_t>& MutationRun::ComingTo(int number, const Property& property,
                                                  const RunOptions& run_options,
                                                  MutantResult* mutant) {
  const auto [known, is_new] = coming_.try_emplace({property.name(), cap_});
  std::map<int, std::vector<int64_t>>& coming = known->second;
  if (is_new) {
    const int64_t most = run_options_.cases > 0 ? run_options_.cases : kFair;
    const int64_t count = property.count() > 0 ? std::min(most, property.count()) : most;
    const size_t numbers = static_cast<size_t>(mutants::kCount) + 1;
    if (come_ == nullptr) come_ = MapFlags(numbers * static_cast<size_t>(most));
    for (size_t i = 0; i < numbers * static_cast<size_t>(count); ++i) come_[i] = false;
    mutants::come = come_;
    const PropertyResult result =
        Try(mutants::kWatching, Watched(property, count, come_), run_options);
    mutant->seconds += result.seconds;
    // One that fails ends early: who knows what it would have come to.
    const bool ended = result.of(CaseResult::kFailed) > 0;
    for (int i = 1; i <= mutants::kCount; ++i) {
      if (*mutants::kEntries[i].allowed == '\0') continue;
      for (int64_t k = 0; k < count; ++k)
        if (ended || come_[static_cast<size_t>(k) * numbers + static_cast<size_t>(i)])
          coming[i].push_back(k);
    }
  }
  return coming[number];
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
