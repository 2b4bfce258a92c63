// Runs the properties against each wrong shader, and tells which property killed it.
//
//   shader_mutants [--engine=cpu|gpu] [--mutant=NAME] [--seed=N] [--cases=N] [--all]
//
// --mutant=PREFIX* takes all whose names begin so. Where the engine is missing, all are skipped.
// A mutant is killed when a property of one of the requirements that it names fails. One that is
// not killed is a fault of the suite: exit status 1. --all runs every property on each mutant, and
// tells all that fail. Under Bazel the mutants are split over the shards, results go to
// XML_OUTPUT_FILE, and the score to mutants.json in TEST_UNDECLARED_OUTPUTS_DIR.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "conformance/harness/judge.h"
#include "conformance/harness/property.h"
#include "conformance/harness/sheet.h"
#include "spec/requirements.h"
#include "tools/mutate/active.h"

namespace conformance {
namespace {

struct Options {
  std::string mutant;  // a name, or the beginning of names and '*'
  bool all = false;

  bool Chooses(const std::string& name) const {
    if (mutant.empty() || mutant == name) return true;
    return mutant.back() == '*' && name.rfind(mutant.substr(0, mutant.size() - 1), 0) == 0;
  }
  Conduct conduct;
};

struct Fate {
  int number = 0;
  std::vector<std::string> killers;  // names of properties
  std::string line, expected, got;   // of the first one
  double seconds = 0;
};

int Usage(const std::string& what) {
  std::fprintf(stderr, "mutants: %s\n", what.c_str());
  return 2;
}

long long Environment(const char* name, long long otherwise) {
  const char* value = std::getenv(name);
  return value == nullptr || *value == '\0' ? otherwise : std::atoll(value);
}

std::vector<std::string> Words(const char* text) {
  std::istringstream in(text);
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

bool Owns(const std::vector<std::string>& ids, const Property& property) {
  return std::find(ids.begin(), ids.end(), property.requirement().id) != ids.end();
}

Fate Run(int number, const Options& options, Sheet* sheet) {
  // The parent never calls the subject: each child starts with this fault and no other.
  mutants::active = number;
  Fate fate;
  fate.number = number;
  const std::vector<std::string> ids = Words(mutants::kEntries[number].kills);
  for (const Property* property : Properties()) {
    if (!options.all && !Owns(ids, *property)) continue;
    const PropertyResult result = Judge(*property, options.conduct, sheet);
    fate.seconds += result.seconds;
    if (result.failures.empty()) continue;
    fate.killers.push_back(result.name);
    if (fate.killers.size() == 1) {
      const Failure& failure = result.failures[0];
      fate.line = failure.minimal.empty() ? failure.line : failure.minimal;
      fate.expected = failure.expected;
      fate.got = failure.got;
    }
    if (!options.all) break;
  }
  mutants::active = 0;
  return fate;
}

// Why nothing can run here; "" where a property runs. Asked of the library without a fault.
std::string MissingEngine(const Options& options, Sheet* sheet) {
  const std::vector<std::string> ids = Words(mutants::kEntries[1].kills);
  Conduct conduct = options.conduct;
  conduct.cases = 1;
  for (const Property* property : Properties()) {
    if (!Owns(ids, *property)) continue;
    const PropertyResult result = Judge(*property, conduct, sheet);
    for (const auto& [reason, count] : result.reasons) {
      if (reason == "no GPU engine") return reason;
    }
    return "";
  }
  return "";
}

// Properties that a mutant's requirements own: without one it cannot be killed, whatever the suite.
std::string Orphan(int number) {
  for (const std::string& id : Words(mutants::kEntries[number].kills)) {
    if (spec::FindRequirement(id.c_str()) == nullptr) return id + " is no requirement";
    bool owned = false;
    for (const Property* property : Properties()) owned = owned || property->requirement().id == id;
    if (!owned) return id + " has no property";
  }
  return "";
}

std::string Escaped(const std::string& text) {
  std::string out;
  for (char c : text) {
    if (c == '<') {
      out += "&lt;";
    } else if (c == '&') {
      out += "&amp;";
    } else if (c == '"') {
      out += "&quot;";
    } else {
      out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
  }
  return out;
}

void WriteXml(const char* path, const std::vector<Fate>& fates) {
  std::ofstream out(path);
  const auto alive = std::count_if(fates.begin(), fates.end(),
                                   [](const Fate& fate) { return fate.killers.empty(); });
  out << "<testsuites><testsuite name=\"mutants\" tests=\"" << fates.size() << "\" failures=\""
      << alive << "\">\n";
  for (const Fate& fate : fates) {
    const mutants::Entry& entry = mutants::kEntries[fate.number];
    out << "<testcase classname=\"mutants\" name=\"" << Escaped(entry.name) << "\" time=\""
        << fate.seconds << "\">";
    if (fate.killers.empty()) {
      out << "<failure message=\"alive: " << Escaped(entry.why) << " (" << entry.kills << ")\"/>";
    }
    out << "</testcase>\n";
  }
  out << "</testsuite></testsuites>\n";
}

std::string Quoted(const std::string& text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return out + "\"";
}

void WriteJson(const std::string& path, const std::vector<Fate>& fates) {
  std::ofstream out(path);
  out << "[\n";
  for (size_t i = 0; i < fates.size(); ++i) {
    const mutants::Entry& entry = mutants::kEntries[fates[i].number];
    out << " {\"mutant\": " << Quoted(entry.name) << ", \"kills\": " << Quoted(entry.kills)
        << ", \"file\": " << Quoted(entry.file) << ", \"why\": " << Quoted(entry.why)
        << ", \"killed_by\": " << (fates[i].killers.empty() ? "null" : Quoted(fates[i].killers[0]))
        << ", \"case\": " << Quoted(fates[i].line) << "}" << (i + 1 < fates.size() ? "," : "")
        << "\n";
  }
  out << "]\n";
}

int Main(int argc, char** argv) {
  Options options;
  options.conduct.profile = Profile::kProject;
  options.conduct.limits = DefaultLimits(1);
  options.conduct.shrink = std::chrono::milliseconds(0);
  options.conduct.deaths = 1;
  options.conduct.hangs = 1;
  options.conduct.enough = 1;
  for (int i = 1; i < argc; ++i) {
    const std::string arg = argv[i];
    const std::string value = arg.substr(std::min(arg.size(), arg.find('=') + 1));
    if (arg == "--engine=cpu" || arg == "--engine=gpu") {
      options.conduct.engine = value == "gpu" ? EngineChoice::kGpu : EngineChoice::kCpu;
    } else if (arg.rfind("--mutant=", 0) == 0) {
      options.mutant = value;
    } else if (arg.rfind("--seed=", 0) == 0) {
      options.conduct.seed = std::strtoull(value.c_str(), nullptr, 10);
    } else if (arg.rfind("--cases=", 0) == 0) {
      options.conduct.cases = std::atoll(value.c_str());
    } else if (arg == "--all") {
      options.all = true;
      options.conduct.enough = 1;
    } else {
      return Usage("unknown flag " + arg +
                   "; known are --engine, --mutant, --seed, --cases, --all");
    }
  }
  const long long shards = Environment("TEST_TOTAL_SHARDS", 1);
  const long long shard = Environment("TEST_SHARD_INDEX", 0);
  if (const char* status = std::getenv("TEST_SHARD_STATUS_FILE")) std::ofstream touch(status);

  Sheet* const sheet = Sheet::Map();
  std::vector<Fate> fates;
  if (options.conduct.engine == EngineChoice::kGpu) {
    const std::string missing = MissingEngine(options, sheet);
    if (!missing.empty()) {
      std::printf("skipped: %s\n", missing.c_str());
      return 0;
    }
  }
  bool found = false;
  for (int number = 1; number <= mutants::kCount; ++number) {
    const mutants::Entry& entry = mutants::kEntries[number];
    if (!options.Chooses(entry.name)) continue;
    if (number % shards != shard) continue;
    found = true;
    const std::string orphan = Orphan(number);
    if (!orphan.empty()) return Usage(std::string("mutant ") + entry.name + ": " + orphan);
    fates.push_back(Run(number, options, sheet));
    const Fate& fate = fates.back();
    std::printf("%-7s %-44s %5.2f s  ", fate.killers.empty() ? "ALIVE" : "killed", entry.name,
                fate.seconds);
    if (fate.killers.empty()) {
      std::printf("%s: %s\n", entry.kills, entry.why);
    } else {
      for (const std::string& name : fate.killers) std::printf("%s ", name.c_str());
      std::printf("\n");
    }
    if (options.mutant == entry.name && !fate.killers.empty()) {
      std::printf("  %s\n  expected  %s\n  got       %s\n", fate.line.c_str(),
                  fate.expected.c_str(), fate.got.c_str());
    }
    std::fflush(stdout);
  }
  if (!found && shards == 1) return Usage("no mutant " + options.mutant);
  if (const char* xml = std::getenv("XML_OUTPUT_FILE")) WriteXml(xml, fates);
  if (const char* folder = std::getenv("TEST_UNDECLARED_OUTPUTS_DIR")) {
    WriteJson(std::string(folder) + "/mutants.json", fates);
  }
  const auto killed = std::count_if(fates.begin(), fates.end(),
                                    [](const Fate& fate) { return !fate.killers.empty(); });
  std::printf("%lld of %zu mutants killed\n", static_cast<long long>(killed), fates.size());
  return static_cast<size_t>(killed) == fates.size() ? 0 : 1;
}

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) { return conformance::Main(argc, argv); }
