// A failure as a C++ program of its own, which needs nothing but the subject's dnnl.hpp.
#ifndef DNNSPEC_CONFORMANCE_REPRODUCE_PROGRAM_H_
#define DNNSPEC_CONFORMANCE_REPRODUCE_PROGRAM_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "conformance/case/property.h"
#include "conformance/case/trial.h"
#include "conformance/judge/judge.h"
#include "conformance/reproduce/amalgamate.h"

namespace conformance {

// What a program tells of the run that it comes from.
struct Origin {
  std::string suite;             // "dnnspec 0.1.0"
  std::string subject, version;  // "onednn", "2.6.3"
  Profile profile = Profile::kPortable;
  EngineChoice engine = EngineChoice::kCpu;
  uint64_t seed = 1;
  std::string replay;  // the command that shows the failure without the program
  // The subject's own environment, which the program sets too: DNNL_MAX_CPU_ISA and the like.
  std::vector<std::pair<std::string, std::string>> environment;
};

// Variables of this process that oneDNN libraries read, without those that make them talk.
std::vector<std::pair<std::string, std::string>> SubjectEnvironment();

// The check itself with all that it stands on, and a main() that runs the failure's minimal case in
// a child process, prints what was expected and what came, and returns 1 if the case fails, else 0.
// A failure that does not show alone gets the cases before it too, `cases` at most. "" when
// `sources` lack the property's file.
std::string CheckProgram(const Property& property, const Failure& failure, int64_t cases,
                         const Origin& origin, const SourceTexts& sources);

// The same as calls with literal data: for a failure that has statements.
std::string CallsProgram(const Property& property, const Failure& failure, const Origin& origin);

// The comment at the head of a program: what fails, what the documents say, how to compile it.
// `what` says what the program does.
std::string ProgramHead(const Property& property, const Failure& failure, const Origin& origin,
                        const std::string& what);

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_REPRODUCE_PROGRAM_H_
