// Tells what a runner knows of the subject that is linked into it. facts.cc is compiled for each
// subject.
#ifndef DNNSPEC_CONFORMANCE_SUBJECT_FACTS_H_
#define DNNSPEC_CONFORMANCE_SUBJECT_FACTS_H_

#include <cstddef>
#include <string>
#include <string_view>

#include "conformance/case/isa.h"
#include "conformance/case/trial.h"

namespace conformance {

// "2.6.3", as its header has it; "dnnspec-0.1.0" for our own, whose header has the version of the
// API that it follows; "unknown" if it says nothing. Without blanks. Calls nothing.
std::string SubjectVersion();

// Whether it is without the primitive of this chapter, as the build says (topics of
// conformance_suite). Calls nothing.
bool SubjectLacks(std::string_view topic);

// How many engines of this kind it offers. Calls the subject: in a child process only.
size_t CountEngines(EngineChoice engine);

// The instruction set that it uses on CPUs, as it says itself; the machine's best if it does not
// say. Calls the subject: in a child process only.
Isa SubjectIsa();

// What the first engine of this kind runs on: on CPUs the name of the instruction set, on GPUs that
// of the device; "" if the subject does not say. Calls the subject: in a child process only.
std::string SubjectDevice(EngineChoice engine);

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_SUBJECT_FACTS_H_
