// results.json, read again. docs/results.md describes the fields.
#ifndef DNNSPEC_CONFORMANCE_REPORT_DOCUMENT_H_
#define DNNSPEC_CONFORMANCE_REPORT_DOCUMENT_H_

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace conformance {

// One kind of failure of one requirement.
struct RecordedFailure {
  std::string property, minimal, where, expected, got, signal, replay;
  std::string reproducer;  // where a program lies that shows it; "" if there is none
  int64_t count = 0;
  bool warning = false;
};

// How many cases of one class of input did what.
struct RecordedClass {
  int64_t run = 0, refused = 0, failed = 0;
};

// What one property of it came to.
struct RecordedProperty {
  std::string name, verdict;  // as below
  std::string reason;         // of not_run
  std::map<std::string, RecordedClass> classes;
};

// What one subject got for one requirement.
struct RecordedRequirement {
  std::string id, level, topic, text;
  std::string verdict;  // "pass", ...; "not_run"
  std::string reason;   // of not_run and of verdicts that have one
  int64_t cases = 0;
  double seconds = 0;
  int classes = 0;  // of input that were seen
  std::vector<RecordedFailure> failures;
  std::vector<RecordedProperty> properties;
};

struct RecordedClaim {
  std::string topic, part, verdict;  // part: "" for the chapter
};

// One run of one subject.
struct RecordedRun {
  std::string suite, subject, version, engine, profile, command;
  std::string date;    // when it began: "2026-11-23T07:30:00Z"; "" if the file does not say
  std::string device;  // the instruction set or the device; "" if the file does not say
  uint64_t seed = 0;
  int64_t asked = 0;          // cases of each property; 0 if the file does not say
  std::string filter, topic;  // what was chosen; "" for all
  double seconds = 0;
  int64_t cases = 0;
  bool partial = false;     // it was cut short: what is there is right
  std::string claims_file;  // "" without --claims
  std::vector<RecordedClaim> claims;
  std::vector<std::string> problems;
  std::vector<RecordedRequirement> requirements;

  // "vendor 2.6.3 (cpu)".
  std::string Title() const;
  int Count(std::string_view verdict) const;
  const RecordedRequirement* Find(std::string_view id) const;
};

struct Document {
  std::vector<RecordedRun> runs;
  std::string error;  // one line; then nothing else counts
};

// Takes a file of one subject and one of several. `name` is for messages.
Document ParseDocument(std::string_view text, std::string_view name);

// The rank of a verdict: higher is worse. -1 for what is no verdict.
int Severity(std::string_view verdict);
// "expected failure" of "expected_failure".
std::string Words(std::string_view verdict);

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_REPORT_DOCUMENT_H_
