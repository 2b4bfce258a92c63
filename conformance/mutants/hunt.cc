#include "conformance/mutants/hunt.h"

#include <algorithm>
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

bool Owns(const std::string& ids, const Property& property) {
  std::istringstream in(ids);
  for (std::string id; in >> id;)
    if (id == property.requirement().id) return true;
  return false;
}

}  // namespace

Hunt::Hunt(std::vector<const Property*> properties, const Conduct& conduct)
    : properties_(std::move(properties)),
      conduct_(conduct),
      sheet_(Sheet::Map()),
      usable_(UsableTargets(std::getenv(kCap))) {}

bool Hunt::HasEngine() {
  const std::string missing =
      std::string("no ") + (conduct_.engine == EngineChoice::kGpu ? "GPU" : "CPU") + " engine";
  for (const Property* property : properties_) {
    if (!Owns(mutants::kEntries[1].kills, *property)) continue;
    return Try(0, *property, 1).reasons.count(missing) == 0;
  }
  return true;
}

Fate Hunt::Run(int number, bool all) {
  Fate fate;
  fate.number = number;
  const Reach reach = ReachOf(mutants::kEntries[number].isa, usable_);
  fate.beyond = reach.beyond;
  fate.cap = cap_ = reach.cap;
  if (fate.beyond.empty()) Judge(all, &fate);
  cap_.clear();
  return fate;
}

void Hunt::Judge(bool all, Fate* fate) {
  const int number = fate->number;
  std::vector<const Property*> owners;
  for (const Property* property : properties_)
    if (all || Owns(mutants::kEntries[number].kills, *property)) owners.push_back(property);
  for (const int64_t cases : {kQuick, conduct_.cases}) {
    std::vector<const Property*> left;
    for (const Property* property : owners) {
      const PropertyResult result = Try(number, *property, cases);
      fate->seconds += result.seconds;
      fate->cases += result.cases;
      if (result.of(CaseResult::kFailed) == 0) {
        left.push_back(property);
        continue;
      }
      const std::string name = property->name();
      if (number > 0 && !HoldsWithout(*property, result.cases)) {
        fate->unfounded = name;
        if (!result.failures.empty()) fate->failure = result.failures[0];
        return;
      }
      fate->killers.push_back(name);
      if (fate->killers.size() == 1 && !result.failures.empty()) fate->failure = result.failures[0];
      if (all) continue;
      AskPortably(number, fate);
      return;
    }
    owners = std::move(left);
  }
  if (fate->killed()) AskPortably(number, fate);
}

void Hunt::AskPortably(int number, Fate* fate) {
  if (*mutants::kEntries[number].allowed == '\0' || conduct_.profile == Profile::kPortable) return;
  Conduct conduct = conduct_;
  conduct.profile = Profile::kPortable;
  if (conduct.cases == 0) conduct.cases = kFair;
  for (const Property* property : properties_) {
    const PropertyResult result = Try(number, *property, conduct);
    fate->seconds += result.seconds;
    fate->cases += result.cases;
    if (result.of(CaseResult::kFailed) == 0) continue;
    fate->unjust = property->name();
    if (!result.failures.empty()) fate->failure = result.failures[0];
    return;
  }
}

PropertyResult Hunt::Try(int number, const Property& property, int64_t cases) {
  Conduct conduct = conduct_;
  conduct.cases = cases;
  return Try(number, property, conduct);
}

PropertyResult Hunt::Try(int number, const Property& property, Conduct conduct) {
  conduct.enough = 1;
  conduct.deaths = 1;
  conduct.hangs = 1;
  // This process never calls the subject: a child starts with this mutant and no other.
  mutants::active = number;
  const Capped capped(cap_);
  PropertyResult result = conformance::Judge(property, conduct, sheet_);
  mutants::active = 0;
  return result;
}

bool Hunt::HoldsWithout(const Property& property, int64_t cases) {
  int64_t& sound = sound_[{property.name(), cap_}];
  if (cases <= sound) return true;
  if (Try(0, property, cases).of(CaseResult::kFailed) > 0) return false;
  sound = cases;
  return true;
}

}  // namespace conformance
