#include "conformance/reproduce/write.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "conformance/report/files.h"
#include "conformance/reproduce/amalgamate.h"
#include "conformance/reproduce/program.h"
#include "conformance/reproduce/sources.h"

namespace conformance {
namespace {

const SourceTexts& Sources() {
  static const auto* const sources = [] {
    auto* const texts = new SourceTexts;
    for (size_t i = 0; i < kSourceCount; ++i) texts->emplace(kSources[i].path, kSources[i].text);
    return texts;
  }();
  return *sources;
}

std::string PlaceOf(const Results& results) {
  std::string subject = results.subject;
  std::replace(subject.begin(), subject.end(), '/', '_');
  return "reproducers/" + subject;
}

// Writes the programs of one failure, as number `n` of its requirement.
std::string WriteOne(const std::string& folder, const Results& results,
                     const PropertyOutcome& outcome, int n, Failure* failure) {
  Origin origin;
  origin.suite = std::string("dnnspec ") + kSuiteVersion;
  origin.subject = results.subject;
  origin.version = results.version;
  origin.profile = results.profile;
  origin.engine = results.engine;
  origin.seed = results.options.seed;
  origin.replay = ReplayCommand(results, outcome, *failure);
  origin.environment = SubjectEnvironment();
  const Property& property = *outcome.property;
  const std::string check = CheckProgram(
      property, *failure, std::max<int64_t>(1, outcome.result.cases), origin, Sources());
  if (check.empty())
    return std::string("no program for ") + property.name() + ": " + property.file() +
           " is not among this runner's sources";
  const std::string stem =
      PlaceOf(results) + "/" + property.requirement().id + "-" + std::to_string(n);
  failure->reproducer = stem + ".cc";
  if (failure->statements.empty()) return WriteFile(folder + "/" + stem + ".cc", check);
  const std::string problem = WriteFile(folder + "/" + stem + "-check.cc", check);
  if (!problem.empty()) return problem;
  return WriteFile(folder + "/" + stem + ".cc", CallsProgram(property, *failure, origin));
}

}  // namespace

std::string WriteReproducers(const std::string& folder, Results* results) {
  const std::string place = folder + "/" + PlaceOf(*results);
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(place, ignored))
    if (entry.path().extension() == ".cc") std::filesystem::remove(entry.path(), ignored);
  bool prepared = false;
  for (RequirementOutcome& requirement : results->requirements) {
    int n = 0;
    for (PropertyOutcome& outcome : requirement.properties)
      for (Failure& failure : outcome.result.failures) {
        // A refusal is a fault by what is claimed: there is nothing for a program to show.
        if (failure.where == "claims") continue;
        std::string problem = prepared ? "" : PrepareFolder(place);
        prepared = true;
        if (problem.empty()) problem = WriteOne(folder, *results, outcome, ++n, &failure);
        if (!problem.empty()) return problem;
      }
  }
  return "";
}

std::string WriteReproducer(const std::string& folder, const Results& results,
                            const Property& property, Failure* failure) {
  const std::string problem = PrepareFolder(folder + "/" + PlaceOf(results));
  if (!problem.empty()) return problem;
  return WriteOne(folder, results, {&property, {}, Verdict::kNotRun, ""}, 1, failure);
}

}  // namespace conformance
