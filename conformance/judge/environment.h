// What a program that judges arranges for its subject before it does anything else.
#ifndef DNNSPEC_CONFORMANCE_JUDGE_ENVIRONMENT_H_
#define DNNSPEC_CONFORMANCE_JUDGE_ENVIRONMENT_H_

namespace conformance {

// Makes threads of a subject that wait for work sleep, keeps what is freed for the next case (glibc
// gives megabytes back to the kernel at once), and gives drivers a folder for what they
// compile: of a run by Bazel the test's own, so that the processes of a test share it and two tests
// do not; else the user's. Call first in main(), with its arguments: may start the program again.
void ArrangeEnvironment(char** argv);

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_JUDGE_ENVIRONMENT_H_
