// Holds what one run of the suite against one subject found.
#ifndef DNNSPEC_CONFORMANCE_REPORT_RESULTS_H_
#define DNNSPEC_CONFORMANCE_REPORT_RESULTS_H_

#include <ctime>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/case/trial.h"
#include "conformance/report/request.h"
#include "conformance/verdict/judgement.h"
#include "conformance/verdict/verdict.h"

namespace conformance {

// The suite's own version: a stricter suite is a new one.
inline constexpr char kSuiteVersion[] = "0.1.0";

struct Results {
  std::string subject, version;
  Profile profile = Profile::kPortable;
  EngineChoice engine = EngineChoice::kCpu;
  // The instruction set or the device that was judged; "" where the subject does not say.
  std::string device;
  RunRequest request;
  int shard = 0, shards = 1;  // which part of the run this is, of how many
  std::vector<RequirementOutcome> requirements;
  // With --claims: the file, and what became of each claim.
  std::string claims;
  std::vector<Judgement> judgements;
  std::vector<std::string> problems;    // with the expectations: red, like a failure
  std::vector<std::string> not_judged;  // what had to be judged and was not
  std::string date;                     // when the run began: "2026-11-23T07:30:00Z"
  double seconds = 0;
  bool partial = false;  // it was interrupted: what was not run then says so
};

// How many requirements got which verdict.
struct Count {
  int of[7] = {};  // by Verdict, without those that are absent
  int absent = 0;
  int64_t cases = 0;
  double seconds = 0;

  void Add(const RequirementOutcome& outcome);
  int operator[](Verdict verdict) const { return of[static_cast<int>(verdict)]; }
  int failed() const { return (*this)[Verdict::kFail] + (*this)[Verdict::kUnexpectedPass]; }
  int total() const;
};

Count CountAll(const Results& results);

// 0: no failure; 1: failures; 2: none, but the suite is at fault, or what had to be judged was not;
// 3: interrupted.
int ExitStatus(const Results& results);

// A time of day, for Results::date.
std::string DateText(std::time_t time);

// The part of an id before the first '-' ("MD" of "MD-T-nchw"), and what it is about.
std::string_view AreaOf(const spec::Requirement& requirement);
std::string_view TitleOfArea(std::string_view area);

// The command that shows `failure` again.
std::string ReplayCommand(const Results& results, const PropertyOutcome& property,
                          const Failure& failure);

// The program that shows `failure`; "" where there is none.
std::string ProgramPath(const Results& results, const Failure& failure);

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_REPORT_RESULTS_H_
