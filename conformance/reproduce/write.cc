#include "conformance/reproduce/write.h"

#include <filesystem>
#include <string_view>
#include <system_error>

#include "conformance/case/printable.h"
#include "conformance/report/files.h"
#include "conformance/reproduce/amalgamate.h"
#include "conformance/reproduce/program.h"
#include "conformance/reproduce/sources.h"
#include "spec/requirements.h"

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

std::string PlaceOf(const Results& results) { return "reproducers/" + results.subject; }

// Whether a file is called as the programs below are. A folder for results is the reader's, who may
// keep his own programs there.
bool IsOurs(std::string_view name) {
  for (std::string_view end : {".cc", "-check"}) {
    if (name.size() < end.size() || name.substr(name.size() - end.size()) != end) {
      if (end == ".cc") return false;
      continue;
    }
    name.remove_suffix(end.size());
  }
  const size_t dash = name.rfind('-');
  if (dash == std::string_view::npos) return false;
  const std::string_view number = name.substr(dash + 1);
  return !number.empty() && number.find_first_not_of("0123456789") == std::string_view::npos &&
         spec::FindRequirement(std::string(name.substr(0, dash)).c_str()) != nullptr;
}

void RemoveOurs(const std::string& place) {
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(place, ignored))
    if (IsOurs(entry.path().filename().string())) std::filesystem::remove(entry.path(), ignored);
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
  origin.seed = results.request.seed;
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
  std::string problem;
  if (failure->statements.empty()) {
    problem = WriteFile(folder + "/" + stem + ".cc", check);
  } else {
    problem = WriteFile(folder + "/" + stem + "-check.cc", check);
    if (problem.empty())
      problem = WriteFile(folder + "/" + stem + ".cc", CallsProgram(property, *failure, origin));
  }
  if (problem.empty()) failure->reproducer = stem + ".cc";
  return problem;
}

}  // namespace

std::string WriteReproducers(const std::string& folder, Results* results) {
  if (std::string wrong = WrongSubjectName(results->subject); !wrong.empty()) return wrong;
  const std::string place = folder + "/" + PlaceOf(*results);
  RemoveOurs(place);
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
        if (problem.empty()) continue;
        // The room that they take on a full disk is for the results.
        RemoveOurs(place);
        for (RequirementOutcome& any : results->requirements)
          for (PropertyOutcome& one : any.properties)
            for (Failure& told : one.result.failures) told.reproducer.clear();
        return problem;
      }
  }
  return "";
}

std::string WriteReproducer(const std::string& folder, const Results& results,
                            const Property& property, Failure* failure) {
  std::string problem = WrongSubjectName(results.subject);
  if (problem.empty()) problem = PrepareFolder(folder + "/" + PlaceOf(results));
  if (!problem.empty()) return problem;
  return WriteOne(folder, results, {&property, {}, Verdict::kNotRun, ""}, 1, failure);
}

}  // namespace conformance
