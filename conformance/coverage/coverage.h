// Checks what has to be true of the suite before its verdicts mean anything: every requirement has
// a property, or a written reason why not; every property saw cases that count; every class of
// input that an area declares was drawn.
#ifndef DNNSPEC_CONFORMANCE_COVERAGE_COVERAGE_H_
#define DNNSPEC_CONFORMANCE_COVERAGE_COVERAGE_H_

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace conformance {

// A requirement without a property, and where it is looked after instead.
struct Waiver {
  enum class Kind {
    kSuite,    // a RULE: the file that obeys or enforces it
    kTest,     // a test or a static check: the file, which cites the id
    kWaits,    // for something that is not there yet; `reason` says for what
    kMachine,  // has a property that runs on some machines only
  };
  std::string id;
  Kind kind = Kind::kWaits;
  std::string file;  // of kSuite and kTest
  std::string reason;
  std::string place;  // "waivers.txt:7", for messages
};

// Lines `ID suite|test FILE REASON...` and `ID waits|machine REASON...`; `#` begins a comment.
// Sets *error to one line that names `name` and the line number if something is wrong.
std::vector<Waiver> ParseWaivers(std::string_view text, std::string_view name, std::string* error);

// Cases of each class that an area must draw in a run. Lines `AREA CLASS...`, several classes
// separated by commas.
std::map<std::string, std::vector<std::string>> ParseClasses(std::string_view text,
                                                             std::string_view name,
                                                             std::string* error);

// What a run showed of one property.
struct Seen {
  std::string property, requirement;
  bool listed = false;                     // a finite list of cases
  int64_t counted = 0;                     // cases that say something about the subject
  std::map<std::string, int64_t> classes;  // cases of each
  std::string not_run;                     // why none did; "" if some did
};

struct Requirement {
  std::string id, area;
  bool rule = false;
};

// Everything that is wrong, a line each, naming requirement, property or class.
std::vector<std::string> Gaps(
    const std::vector<Requirement>& requirements, const std::vector<Waiver>& waivers,
    const std::map<std::string, std::vector<std::string>>& classes, const std::vector<Seen>& seen,
    const std::function<bool(const std::string& file, const std::string& id)>& cites);

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_COVERAGE_COVERAGE_H_
